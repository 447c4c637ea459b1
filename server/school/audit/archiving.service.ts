import { createReadStream } from 'node:fs'
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import { createHash } from 'node:crypto'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { sql } from 'kysely'
import { Failure } from '../../../contract/core/failure.ts'
import { sha256 } from '../../core/base/hashes.ts'
import { writeAudit } from '../../core/audit/audit.ts'
import type { PublicContext } from '../../core/request/context.ts'
import { newId } from '../../core/base/ids.ts'
import { streamToFile } from '../../core/base/stream-to-file.ts'
import { from } from '../../core/database/tenant.ts'
import { inTransaction } from '../../core/request/transaction.ts'
import { schoolSettings } from '../school/settings.service.ts'
import { lineOf, rowHashAt, sealedColumns, sealedSelection, sealSelection, type Seal } from './seal.ts'
import type { AuditServices } from './sealing.service.ts'

/** 网络安全法: logs are kept for at least six months. The database itself refuses to remove younger rows. */
const minAuditRetention = 6

/** Rows in one archive at most; more than one is made where more is due. */
const rowsPerArchive = 50_000

/**
 * A recurring job: rows of whole months that are older than the school keeps them (`auditMonths`) go into a compressed
 * file, in the file store and under its name in the data folder, and leave the database; their seals stay, so that the
 * chain can still be verified.
 * @returns how many rows were moved
 */
export async function archiveTrails(services: AuditServices): Promise<number> {
  const schools = await services.db.selectFrom('school').select('schoolId').orderBy('schoolId').execute()
  let moved = 0
  for (const { schoolId } of schools) {
    try {
      const { auditMonths } = await schoolSettings(services, schoolId)
      for (
        let rows = await archiveOnce(services, schoolId, auditMonths);
        rows > 0;
        rows = await archiveOnce(services, schoolId, auditMonths)
      )
        moved += rows
    } catch (err) {
      services.log.error({ err, schoolId }, 'the audit trail could not be archived')
    }
  }
  return moved
}

/**
 * Moves the oldest rows that are due, at most {@link rowsPerArchive}; 0 where none are. Fewer months than the law asks
 * for count as that many.
 */
export async function archiveOnce(services: AuditServices, schoolId: string, months: number): Promise<number> {
  const cutTime = startOfMonthBefore(services.clock.now(), Math.max(months, minAuditRetention))
  const due = await dueSeals(services, schoolId, cutTime)
  const [first, last] = [due.seals[0], due.seals.at(-1)]
  if (!first || !last) return 0
  const fileName = `${encodeURIComponent(schoolId)}_${first.sealNo}-${last.sealNo}.jsonl.gz`
  const path = join(services.config.dataDir, 'archive', 'audit', fileName)
  const file = await writeArchive(path, linesOf(services, schoolId, first.sealNo, last.sealNo))
  await storeArchive(services, { schoolId, ...file }, path)
  const ctx: PublicContext = { ...services, origin: { requestId: newId(), ip: '', agent: 'system' } }
  const rowCount = due.seals.reduce((sum, seal) => sum + seal.rowCount, 0)
  await inTransaction(ctx, async (tx) => {
    const arcNo = due.arcNo + 1
    const said = { fromSeal: first.sealNo, throughSeal: last.sealNo, rowCount, fileName, ...file }
    await tx.db
      .insertInto('auditArchive')
      .values({
        ...said,
        schoolId,
        arcNo,
        cutTime,
        firstTime: due.firstTime,
        lastTime: due.lastTime,
        createTime: tx.clock.now(),
      })
      .execute()
    await sql`select remove_archived_audit(${schoolId}, ${arcNo})`.execute(tx.db)
    await writeAudit(tx, { schoolId, actorId: null, actorName: '系统' }, [
      { action: '归档操作日志', bizType: 'audit', bizName: fileName, after: said },
    ])
  })
  services.log.info({ schoolId, fileName, rows: rowCount, sha256: file.sha256 }, 'audit trail archived')
  return rowCount
}

/**
 * Where an archive lies in the file store, which all processes share; of what it holds, so that it needs no column of
 * its own.
 */
export const archiveKey = ({ schoolId, sha256: hash }: { schoolId: string; sha256: string }): string =>
  `${schoolId}/audit-archive/${hash.slice(0, 2)}/${hash.slice(2, 4)}/${hash.slice(0, 32)}`

/** Puts an archive into the file store too, from where it is read again before it counts. */
async function storeArchive(
  { files }: Pick<AuditServices, 'files'>,
  archive: { schoolId: string; sha256: string },
  path: string,
): Promise<void> {
  const storeKey = archiveKey(archive)
  await files.put(createReadStream(path), { storeKey })
  if ((await hashOf(await files.get(storeKey))) !== archive.sha256)
    throw new Error(`${storeKey}: what was stored is not what is read`)
}

/**
 * Takes those archives up into the file store that lie in this machine's folder only, as earlier versions left them.
 * One that is not as it was written stays where it is and is told.
 * @returns how many were taken up
 */
export async function storeOldArchives(services: AuditServices): Promise<number> {
  const folder = join(services.config.dataDir, 'archive', 'audit')
  const here = new Set((await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.jsonl.gz')))
  if (here.size === 0) return 0
  const schools = await services.db.selectFrom('school').select('schoolId').orderBy('schoolId').execute()
  let taken = 0
  for (const { schoolId } of schools) {
    const archives = await from({ db: services.db, schoolId }, 'auditArchive').select(['fileName', 'sha256']).execute()
    for (const { fileName, sha256: hash } of archives.filter((one) => here.has(one.fileName))) {
      const archive = { schoolId, sha256: hash }
      if (await isStored(services, archive)) continue
      const path = join(folder, fileName)
      if ((await hashOf(createReadStream(path))) !== hash)
        services.log.error({ schoolId, fileName }, 'an archive of the audit trail is not as it was written')
      else {
        await storeArchive(services, archive, path)
        taken++
      }
    }
  }
  return taken
}

async function isStored({ files }: Pick<AuditServices, 'files'>, archive: Parameters<typeof archiveKey>[0]) {
  try {
    const content = await files.get(archiveKey(archive))
    content.destroy()
    return true
  } catch (error) {
    if (error instanceof Failure && error.reason === 'not-found') return false
    throw error
  }
}

/** The first moment of the month that lies so many months before a moment. */
export function startOfMonthBefore(now: string, months: number): string {
  const month = Number(now.slice(0, 4)) * 12 + Number(now.slice(5, 7)) - 1 - months
  return `${Math.floor(month / 12)}-${String((month % 12) + 1).padStart(2, '0')}-01 00:00:00`
}

/** The seals that follow the last archive and hold nothing that must still be kept, in their order. */
async function dueSeals({ db }: AuditServices, schoolId: string, cutTime: string) {
  const done = await from({ db, schoolId }, 'auditArchive')
    .select(['arcNo', 'throughSeal'])
    .orderBy('arcNo', 'desc')
    .limit(1)
    .executeTakeFirst()
  const after = done?.throughSeal ?? 0
  const kept = await from({ db, schoolId }, 'auditSeal')
    .select('sealNo')
    .where('sealNo', '>', after)
    .where('lastTime', '>=', cutTime)
    .orderBy('sealNo')
    .limit(1)
    .executeTakeFirst()
  let query = from({ db, schoolId }, 'auditSeal')
    .select(['sealNo', 'rowCount', 'firstTime', 'lastTime'])
    .where('sealNo', '>', after)
  if (kept) query = query.where('sealNo', '<', kept.sealNo)
  const rows = await query.orderBy('sealNo').limit(rowsPerArchive).execute()
  let count = 0
  const seals = rows.filter(({ rowCount }, at) => (count += rowCount) <= rowsPerArchive || at === 0)
  const times = {
    firstTime: seals.map((seal) => seal.firstTime).toSorted()[0] ?? cutTime,
    lastTime:
      seals
        .map((seal) => seal.lastTime)
        .toSorted()
        .at(-1) ?? cutTime,
  }
  return { seals, arcNo: done?.arcNo ?? 0, ...times }
}

/**
 * The lines of an archive: a head, then each seal followed by its rows in order, every row in the very form that was
 * hashed. Rows that no longer fit their seal are not moved: they are evidence.
 */
async function* linesOf(
  { db }: AuditServices,
  schoolId: string,
  fromSeal: number,
  throughSeal: number,
): AsyncGenerator<string> {
  yield `${JSON.stringify({ format: 'audit-archive/1', schoolId, fromSeal, throughSeal, columns: ['schoolId', ...sealedColumns] })}\n`
  for (let sealNo = fromSeal; sealNo <= throughSeal; sealNo++) {
    const seal: Seal = await from({ db, schoolId }, 'auditSeal')
      .select(sealSelection)
      .where('sealNo', '=', sealNo)
      .executeTakeFirstOrThrow()
    const rows = await from({ db, schoolId }, 'auditLog')
      .select(sealedSelection)
      .where(sql<boolean>`"logId" = any(${[...seal.logIds]}::uuid[])`)
      .execute()
    const found = new Map(rows.map((row) => [row.logId, row]))
    const lines = seal.logIds.map((logId, at) => {
      const row = found.get(logId)
      const line = row && lineOf(schoolId, row)
      if (!line || !sha256(line).equals(rowHashAt(seal, at)))
        throw new Error(`audit row ${logId} under seal ${sealNo} is not as it was sealed`)
      return line
    })
    const { logIds: _, rowHashes: __, ...head } = seal
    yield `${[JSON.stringify({ ...head, prevHash: seal.prevHash.toString('hex'), hash: seal.hash.toString('hex') }), ...lines].join('\n')}\n`
  }
}

/**
 * Writes beside the place and then moves there: a file of that name is always a whole one. What is on disk is read
 * again before it counts.
 */
async function writeArchive(path: string, lines: AsyncIterable<string>): Promise<{ size: number; sha256: string }> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const partial = `${path}.partial`
  const written = createHash('sha256')
  async function* hashed(packed: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of packed) {
      written.update(chunk)
      yield chunk
    }
  }
  try {
    await streamToFile(partial, { mode: 0o600, flush: true }, (file) =>
      pipeline(Readable.from(lines, { objectMode: false }), createGzip(), hashed, file),
    )
    const sha256OfFile = written.digest('hex')
    if ((await hashOf(createReadStream(partial))) !== sha256OfFile)
      throw new Error(`${partial}: what was written is not what is read`)
    const { size } = await stat(partial)
    await rename(partial, path)
    return { size, sha256: sha256OfFile }
  } finally {
    await rm(partial, { force: true })
  }
}

async function hashOf(content: Readable): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of content) hash.update(chunk as Buffer)
  return hash.digest('hex')
}
