import { finished } from 'node:stream/promises'
import type { Readable } from 'node:stream'
import { StartFault } from '../base/start-fault.ts'
import type { DecryptionKey } from './keys.ts'
import { partPath, readIndex, type Backup } from './manifest.ts'
import { checkPart, Meter, readPart } from './parts.ts'
import type { Progress } from './write-backup.ts'

/**
 * Compares every part of a backup with its manifest, before anything is made of it.
 * @throws StartFault naming the first part that is missing, cut or altered
 */
export async function checkParts({ place, folder, manifest }: Backup, onProgress: Progress): Promise<void> {
  let read = 0
  const check = async (path: string, name: string, part: { size: number; sha256: string }): Promise<void> => {
    await checkPart(path, name, part, (bytes) => {
      read += bytes
      onProgress(`核对校验值 ${name}`, Math.min(1, read / manifest.size))
    })
  }
  await check(partPath.secrets(folder), 'secrets.age', manifest.secrets)
  await check(partPath.index(folder), 'files.jsonl', manifest.files.index)
  for (const table of manifest.tables)
    await check(partPath.table(folder, table.name), `tables/${table.name}.age`, table)
  const files = readIndex(folder)
  if (files.length !== manifest.files.count)
    throw new StartFault(`备份已损坏：files.jsonl 应有 ${manifest.files.count} 行，实有 ${files.length} 行。`)
  for (const file of files) await check(partPath.object(place, file.sha256), `文件 ${file.key}`, file)
}

/**
 * Refuses a key that does not open a backup, before anything is read.
 * @throws StartFault
 */
export async function assertOpens({ folder, manifest }: Backup, identity: DecryptionKey): Promise<void> {
  const wrong = new StartFault(
    `密钥不符：这份备份是为 ${manifest.recipients.join('、')} 加密的，BACKUP_IDENTITY 中的密钥属于 ${identity.recipients.join('、')}。`,
  )
  const sealed = await readPart(partPath.secrets(folder), identity).catch(() => Promise.reject(wrong))
  await textOf(sealed)
}

/** Decrypts everything and counts the rows. @throws StartFault */
export async function countRows(
  { place, folder, manifest }: Backup,
  identity: DecryptionKey,
  onProgress: Progress,
): Promise<{ rows: number; files: number }> {
  let [read, rows] = [0, 0]
  const drain = async (path: string, name: string, isPacked: boolean): Promise<number> => {
    const meter = new Meter()
    const onBytes = (bytes: number): void => {
      read += bytes
      onProgress(`解密 ${name}`, Math.min(1, read / manifest.size))
    }
    const source = await readPart(path, identity, { isPacked, onBytes })
    for await (const _ of meter.counting(source as AsyncIterable<Buffer>));
    return meter.lines
  }
  for (const table of manifest.tables) {
    const found = await drain(partPath.table(folder, table.name), `tables/${table.name}.age`, false)
    if (found !== table.rows)
      throw new StartFault(`备份与清单不符：表 ${table.name} 应有 ${table.rows} 行，实有 ${found} 行。`)
    rows += found
  }
  const files = readIndex(folder)
  for (const file of files) await drain(partPath.object(place, file.sha256), `文件 ${file.key}`, true)
  return { rows, files: files.length }
}

/** All of a small text. */
export async function textOf(stream: Readable): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(Buffer.from(chunk as Uint8Array))
  await finished(stream)
  return Buffer.concat(chunks).toString('utf8')
}
