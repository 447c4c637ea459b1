import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { addMinutes } from '../../core/base/clock.ts'
import type { PublicContext } from '../../core/request/context.ts'
import { newId } from '../../core/base/ids.ts'

/** A recovery code on its way to its person. */
export interface CodeMessage {
  schoolId: string
  suId: string
  name: string
  email: string | null
  contact: string | null
  code: string
  /** Wall-clock text; the code is worth nothing afterwards. */
  expireTime: string
}

type Place = Pick<PublicContext, 'config' | 'clock'>
const outboxOf = ({ config }: Place): string => join(config.dataDir, 'outbox')

/**
 * Hands a recovery code over. Without a mail or SMS service the code goes into the outbox folder of the data folder,
 * from where an administrator who has checked the person's identity passes it on (see docs/operations.md).
 */
export async function deliverCode(ctx: Place, message: CodeMessage): Promise<void> {
  const outbox = outboxOf(ctx)
  // of several machines only one does the periodic work; each keeps its own folder clean at least while it is in use
  await sweepOutbox(ctx)
  await mkdir(outbox, { recursive: true, mode: 0o700 })
  await writeFile(join(outbox, `${newId()}.json`), JSON.stringify(message, null, 2), { mode: 0o600, flag: 'wx' })
}

/**
 * Removes the codes that have run out, and what cannot be read as one after an hour.
 * @returns how many files were removed
 */
export async function sweepOutbox(ctx: Place): Promise<number> {
  const outbox = outboxOf(ctx)
  const now = ctx.clock.now()
  let removed = 0
  for (const name of await readdir(outbox).catch(() => [])) {
    const path = join(outbox, name)
    if ((await endOf(path)) > now) continue
    await rm(path, { force: true })
    removed++
  }
  return removed

  async function endOf(path: string): Promise<string> {
    const read = await readFile(path, 'utf8')
      .then((text) => JSON.parse(text) as Partial<CodeMessage>)
      .catch(() => undefined)
    if (typeof read?.expireTime === 'string') return read.expireTime
    const age = await stat(path).then(
      ({ mtimeMs }) => Date.now() - mtimeMs,
      () => 0,
    )
    return addMinutes(now, 60 - age / 60_000)
  }
}
