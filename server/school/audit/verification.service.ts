import { sql } from 'kysely'
import type { AuditFault, AuditVerdict } from '../../../contract/school/audit/audit.schema.ts'
import { from } from '../../core/database/tenant.ts'
import { wallOf } from '../../core/base/clock.ts'
import { sha256 } from '../../core/base/hashes.ts'
import { hashOf, lineOf, noSeal, rowHashAt, sealedSelection, sealSelection, type Seal, type SealedRow } from './seal.ts'
import { lastSeal, unsealed, waitingSince, type AuditServices } from './sealing.service.ts'

/** Faults told one by one; more are only counted. */
const faultsTold = 20
/** Rows compared at a time: what is held in memory, and how long other requests may wait for their turn. */
const rowsAtOnce = 1000

/**
 * Compares a school's whole trail with its seals: every row with its hash, every seal with its own and with the one
 * before, and whether there are rows that no seal knows. Reads a few thousand rows at a time and keeps nothing, so its
 * length costs time and no memory.
 * @param onProgress told per cent; throws when there is no use in going on
 */
export async function verifyTrail(
  services: AuditServices,
  schoolId: string,
  onProgress: (percent: number) => Promise<void> = () => Promise.resolve(),
): Promise<AuditVerdict> {
  const { db } = services
  const end = await from({ db, schoolId }, 'auditSeal')
    .select(sealSelection)
    .orderBy('sealNo', 'desc')
    .limit(1)
    .executeTakeFirst()
  const verdict: AuditVerdict = {
    rows: 0,
    archivedRows: 0,
    waitingRows: 0,
    seals: 0,
    faultCount: 0,
    faults: [],
    lastSeal: end
      ? { sealNo: end.sealNo, sealTime: wallOf(Number(end.sealTime) / 1000), hash: end.hash.toString('hex') }
      : null,
  }
  const find = (kind: AuditFault['kind'], sealNo: number | null, logId: string | null = null, row = '') => {
    if (++verdict.faultCount <= faultsTold) verdict.faults.push({ kind, sealNo, logId, row })
  }
  let archived = await archivedThrough(services, schoolId)
  let missing = 0
  let previous: Pick<Seal, 'sealNo' | 'hash'> = { sealNo: 0, hash: noSeal }
  while (end && previous.sealNo < end.sealNo) {
    const seals = await sealsAfter(services, schoolId, previous.sealNo, end.sealNo)
    if (seals.length === 0) break
    const rows = await rowsUnder(services, schoolId, seals)
    if (seals.some((seal) => seal.sealNo > archived.throughSeal && seal.logIds.some((logId) => !rows.has(logId))))
      archived = await archivedThrough(services, schoolId)
    for (const seal of seals) {
      verdict.seals++
      if (seal.sealNo !== previous.sealNo + 1) find('seal-missing', previous.sealNo + 1)
      else if (!seal.prevHash.equals(previous.hash)) find('seal-broken', seal.sealNo)
      if (!hashOf(seal).equals(seal.hash)) find('seal-changed', seal.sealNo)
      const gone = seal.sealNo <= archived.throughSeal
      if (gone && Number(seal.lastTime) >= archived.cutTime) find('archive-early', seal.sealNo)
      for (const [at, logId] of seal.logIds.entries()) {
        const row = rows.get(logId)
        if (gone) verdict.archivedRows++
        else verdict.rows++
        if (!row) {
          if (!gone) find('row-missing', seal.sealNo, logId)
          if (!gone) missing++
        } else if (gone) find('row-returned', seal.sealNo, logId, wordsOf(row))
        else if (!sha256(lineOf(schoolId, row)).equals(rowHashAt(seal, at)))
          find('row-changed', seal.sealNo, logId, wordsOf(row))
      }
      previous = seal
    }
    await onProgress(Math.min(98, (previous.sealNo / end.sealNo) * 98))
  }
  await findUnsealed(services, schoolId, verdict, missing, find)
  return verdict
}

/** The next seals, as many as hold about {@link rowsAtOnce} rows, and at least one. */
async function sealsAfter({ db }: AuditServices, schoolId: string, after: number, upTo: number): Promise<Seal[]> {
  const counts = await from({ db, schoolId }, 'auditSeal')
    .select(['sealNo', 'rowCount'])
    .where('sealNo', '>', after)
    .where('sealNo', '<=', upTo)
    .orderBy('sealNo')
    .limit(rowsAtOnce)
    .execute()
  let rows = 0
  const last = counts.find((seal) => (rows += seal.rowCount) >= rowsAtOnce) ?? counts.at(-1)
  if (!last) return []
  return from({ db, schoolId }, 'auditSeal')
    .select(sealSelection)
    .where('sealNo', '>', after)
    .where('sealNo', '<=', last.sealNo)
    .orderBy('sealNo')
    .execute()
}

async function rowsUnder(
  { db }: AuditServices,
  schoolId: string,
  seals: readonly Seal[],
): Promise<Map<string, SealedRow>> {
  const ids = seals.flatMap(({ logIds }) => logIds)
  const rows = await from({ db, schoolId }, 'auditLog')
    .select(sealedSelection)
    .where(sql<boolean>`"logId" = any(${ids}::uuid[])`)
    .execute()
  return new Map(rows.map((row) => [row.logId, row]))
}

/**
 * The last seal whose rows have gone into an archive, and before which moment (microseconds) everything in it had to
 * lie.
 */
async function archivedThrough(
  { db }: AuditServices,
  schoolId: string,
): Promise<{ throughSeal: number; cutTime: number }> {
  const row = await from({ db, schoolId }, 'auditArchive')
    .select([
      sql<number>`coalesce(max("throughSeal"), 0)`.as('throughSeal'),
      sql<number>`coalesce(extract(epoch from max("cutTime")) * 1000000, 0)::float8`.as('cutTime'),
    ])
    .executeTakeFirstOrThrow()
  return { throughSeal: row.throughSeal, cutTime: Number(row.cutTime) }
}

/**
 * Rows that no seal knows, though their time has come. Whether there are any is told by counting, at one moment, all
 * rows, the sealed and the waiting ones; only when the sums differ are they looked for.
 */
async function findUnsealed(
  { db, clock }: AuditServices,
  schoolId: string,
  verdict: AuditVerdict,
  missing: number,
  find: (kind: AuditFault['kind'], sealNo: null, logId: string, row: string) => void,
): Promise<void> {
  const last = await lastSeal(db, schoolId)
  if (!last) return
  const from = waitingSince(last, clock.now())
  // a seal made meanwhile covers what was waiting: the same statement sees both or neither
  const waiting = unsealed(db, schoolId, from, 2_147_483_647)
  const sums = await db
    .selectNoFrom((at) => [
      at
        .selectFrom('auditLog')
        .select(sql<number>`count(*)::int`.as('n'))
        .where('schoolId', '=', schoolId)
        .as('all'),
      at
        .selectFrom('auditSeal')
        .select(sql<number>`coalesce(sum("rowCount"), 0)::int`.as('n'))
        .where('schoolId', '=', schoolId)
        .where(
          'sealNo',
          '>',
          at
            .selectFrom('auditArchive')
            .select(sql<number>`coalesce(max("throughSeal"), 0)`.as('n'))
            .where('schoolId', '=', schoolId),
        )
        .as('sealed'),
      at
        .selectFrom(waiting.select(['auditLog.logId']).as('w'))
        .select(sql<number>`count(*)::int`.as('n'))
        .as('waiting'),
    ])
    .executeTakeFirstOrThrow()
  verdict.waitingRows = sums.waiting ?? 0
  if ((sums.all ?? 0) - (sums.sealed ?? 0) - (sums.waiting ?? 0) + missing === 0) return
  const strangers = await db
    .with('held', (cte) =>
      cte
        .selectFrom('auditSeal')
        .select(sql<string>`unnest("logIds")`.as('logId'))
        .where('schoolId', '=', schoolId),
    )
    .selectFrom('auditLog')
    .select(sealedSelection)
    .where('auditLog.schoolId', '=', schoolId)
    .where('auditLog.logTime', '<', from)
    .where((at) =>
      at.not(
        at.exists(
          at
            .selectFrom('held')
            .select(sql`1`.as('one'))
            .whereRef('held.logId', '=', 'auditLog.logId'),
        ),
      ),
    )
    .orderBy('auditLog.logTime')
    .limit(1000)
    .execute()
  for (const row of strangers) find('row-unsealed', null, row.logId, wordsOf(row))
}

/** `2026-11-20 10:00:00 张三 编辑学生 李四`: a row for a person to find it by. */
const wordsOf = ({ logTime, actorName, action, bizName }: SealedRow): string =>
  [wallOf(Number(logTime) / 1000), actorName, action, bizName].filter(Boolean).join(' ')
