import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../core/config.ts'
import { newId } from '../core/ids.ts'

/** A recovery code on its way to its person. */
export interface CodeMessage {
  schoolId: string
  suId: string
  name: string
  email: string | null
  contact: string | null
  code: string
  expireTime: string
}

/**
 * Hands a recovery code over. Without a mail or SMS service the code goes into the outbox folder of the data folder, from
 * where an administrator who has checked the person's identity passes it on (see docs/operations.md).
 */
export async function deliverCode({ dataDir }: Pick<Config, 'dataDir'>, message: CodeMessage): Promise<void> {
  const outbox = join(dataDir, 'outbox')
  await mkdir(outbox, { recursive: true, mode: 0o700 })
  await writeFile(join(outbox, `${newId()}.json`), JSON.stringify(message, null, 2), { mode: 0o600, flag: 'wx' })
}
