import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { StartFault } from '../base/start-fault.ts'
import { giveToOwnerOf } from '../base/data-folder.ts'
import { isAlive, startMark } from '../base/process.ts'

interface Holder {
  pid: number
  mark: string
  since: string
}

/**
 * Takes the data folder for this process. Refused while another living process holds it; the lock of one that died is
 * taken over, and of several that try this at once only one succeeds.
 * @param since when the program was started, as wall-clock text
 * @returns releases the folder
 * @throws StartFault naming the holder's process number
 */
export function lockDataFolder(dataDir: string, since: string): () => void {
  const path = join(dataDir, 'service.lock')
  const own = `${path}.${process.pid}`
  try {
    writeFileSync(own, JSON.stringify({ pid: process.pid, mark: startMark(process.pid), since } satisfies Holder), {
      mode: 0o644,
    })
    giveToOwnerOf(dataDir, own)
    for (let attempt = 1; ; attempt++) {
      try {
        linkSync(own, path)
        return () => release(path)
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
      }
      const found = read(path)
      const holder = parse(found)
      if ((holder && holdsStill(holder)) || attempt > 20) throw refusal(dataDir, holder)
      putAside(path, found)
    }
  } finally {
    rmSync(own, { force: true })
  }
}

/** Removes a dead holder's lock, unless somebody else has replaced it since it was read. */
function putAside(path: string, found: string): void {
  const aside = `${path}.stale.${process.pid}`
  try {
    renameSync(path, aside)
    if (read(aside) !== found) linkSync(aside, path)
  } catch (error) {
    if (!['ENOENT', 'EEXIST'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error
  } finally {
    rmSync(aside, { force: true })
  }
}

function release(path: string): void {
  if (parse(read(path))?.pid === process.pid) rmSync(path, { force: true })
}

const holdsStill = (holder: Holder): boolean => isAlive(holder.pid) && startMark(holder.pid) === holder.mark

const refusal = (dataDir: string, holder: Holder | null) =>
  new StartFault(
    `数据目录 ${dataDir} 正被另一个本程序使用（进程号 ${holder?.pid ?? '未知'}，启动于 ${holder?.since ?? '未知'}）。` +
      '请先停止它，或用 DATA_DIR 指定另一个数据目录。',
  )

function parse(content: string): Holder | null {
  try {
    const holder = JSON.parse(content) as Partial<Holder>
    return typeof holder.pid === 'number'
      ? { pid: holder.pid, mark: holder.mark ?? '', since: holder.since ?? '' }
      : null
  } catch {
    return null
  }
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
