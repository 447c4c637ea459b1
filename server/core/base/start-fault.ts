/**
 * A reason why the program cannot start that the person can do something about: shown as it stands, without a stack.
 */
export class StartFault extends Error {
  /** Exit code 1 for all of them; the text, in Chinese, is what the person reads. */
  override readonly name = 'StartFault'
}

/** True when an error says that the disk (or a quota on it) is full, be it Node's or PostgreSQL's. */
export function isDiskFull(error: unknown): boolean {
  const { code, message } = (error ?? {}) as { code?: string; message?: string }
  return (
    code === 'ENOSPC' ||
    code === 'EDQUOT' ||
    code === '53100' ||
    /No space left on device|Disk quota exceeded/.test(message ?? '')
  )
}

/** What to tell about a full disk. */
export const diskFullText = (folder: string): string =>
  `磁盘空间不足，无法写入 ${folder}。请清理磁盘或把 DATA_DIR 指到空间充足的位置后重新启动；已保存的数据不受影响。`
