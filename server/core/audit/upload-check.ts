import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { Failure } from '../../../contract/core/failure.ts'
import type { Context, Upload } from '../request/context.ts'
import { audit, type AuditEntry } from './audit.ts'

/**
 * Has an upload looked at for viruses, where the settings name a scanner; nothing has been done with it yet. What is
 * found, and what is let through without having been looked at, goes on the trail (decision 040).
 * @throws Failure `upload-infected`, `upload-too-large-to-check`, `upload-uncheckable`, `upload-check-away`
 */
export async function admitUpload(ctx: Context, { path, name, size }: Upload): Promise<void> {
  const { scanner, config, log } = ctx
  if (!scanner) return
  const verdict = await scanner.scan(path)
  if (verdict.is === 'clean') return
  const { is, ...facts } = verdict
  const isLetThrough = is === 'away' && config.withoutClamd === 'accept'
  log.warn({ ...facts, verdict: is, fileName: name, size, isLetThrough }, 'an upload did not pass the virus check')
  const sha256 = createHash('sha256')
  await pipeline(createReadStream(path), sha256)
  const note = (entry: Pick<AuditEntry, 'action' | 'result'>) =>
    audit(ctx, {
      ...entry,
      bizType: 'file',
      bizName: name,
      after: { fileName: name, size, sha256: sha256.digest('hex'), ...facts },
    })
  if (isLetThrough) return note({ action: '上传未经病毒检查的文件' })
  if (is === 'infected') {
    await note({ action: '上传含病毒的文件', result: 'refused' })
    throw new Failure('upload-infected', { virus: verdict.virus })
  }
  if (is === 'too-large') throw new Failure('upload-too-large-to-check')
  throw new Failure(is === 'failed' ? 'upload-uncheckable' : 'upload-check-away')
}
