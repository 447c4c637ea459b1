import { sql } from 'kysely'
import { sha256 } from '../../core/base/hashes.ts'
import { addDays, epochOf } from '../../core/base/clock.ts'
import type { PublicContext } from '../../core/request/context.ts'
import { from } from '../../core/database/tenant.ts'
import type { Db } from '../../core/database/pool.ts'
import { hashOf, lineOf, noSeal, sealedSelection, sealForm, type Seal } from './seal.ts'

export type AuditServices = Omit<PublicContext, 'origin' | 'upload'>

/** Rows under one seal at most. */
const rowsPerSeal = 1000
/** Days after which no act that was under way can still add its row: the longest transaction lasts minutes. */
const latenessDays = 1

/**
 * A recurring job: puts every committed audit row that is under no seal yet under the next one. Writers never wait for
 * it nor for each other: what was not committed when a seal was made is simply under a later one.
 * @returns how many rows were sealed
 */
export async function sealTrails(services: AuditServices): Promise<number> {
  const schools = await services.db.selectFrom('school').select('schoolId').orderBy('schoolId').execute()
  let sealed = 0
  for (const { schoolId } of schools) {
    try {
      sealed += await sealTrail(services, schoolId)
    } catch (err) {
      services.log.error({ err, schoolId }, 'the audit trail could not be sealed')
    }
  }
  return sealed
}

/** Seals what one school's trail has that is not sealed; one transaction a seal. */
export async function sealTrail(services: AuditServices, schoolId: string): Promise<number> {
  const first = await lastSeal(services.db, schoolId)
  const from = waitingSince(first, services.clock.now())
  let [sealed, after] = [0, first?.sealNo ?? 0]
  for (let cursor: Cursor = { at: '-infinity', logId: '00000000-0000-0000-0000-000000000000' }; ;) {
    const made = await sealNext(services, schoolId, { from, cursor, upTo: first?.sealNo ?? 0, after })
    if (!made) return sealed
    sealed += made.rowCount
    after = made.sealNo
    cursor = made.cursor
    // the log is a second place that knows the chain
    services.log.info({ schoolId, sealNo: made.sealNo, rows: made.rowCount, hash: made.hash }, 'audit trail sealed')
    if (made.rowCount < rowsPerSeal) return sealed
  }
}

/**
 * The moment from which rows may be waiting for a seal. Older ones have had their chance: one that is under no seal was
 * put in behind the program's back. Where the clock went back, its present time counts.
 */
export const waitingSince = (last: { lastTime: string } | undefined, now: string): string =>
  last === undefined ? '-infinity' : addDays(last.lastTime < now ? last.lastTime : now, -latenessDays)

/** The last seal of a school; undefined before the first. */
export const lastSeal = (db: Db, schoolId: string) =>
  from({ db, schoolId }, 'auditSeal')
    .select(['sealNo', 'lastTime', 'hash'])
    .orderBy('sealNo', 'desc')
    .limit(1)
    .executeTakeFirst()

interface Cursor {
  at: string
  logId: string
}

/** Audit rows since a moment that no seal up to a number holds. Only seals that reach so far can hold one. */
export const unsealed = (db: Db, schoolId: string, from: string, upTo: number) =>
  db
    .with('held', (cte) =>
      cte
        .selectFrom('auditSeal')
        .select(sql<string>`unnest("logIds")`.as('logId'))
        .where('schoolId', '=', schoolId)
        .where('lastTime', '>=', from)
        .where('sealNo', '<=', upTo),
    )
    .selectFrom('auditLog')
    .where('auditLog.schoolId', '=', schoolId)
    .where('auditLog.logTime', '>=', from)
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

async function sealNext(
  { db, clock }: AuditServices,
  schoolId: string,
  { from, cursor, upTo, after }: { from: string; cursor: Cursor; upTo: number; after: number },
) {
  return db.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(hashtextextended(${`audit-seal ${schoolId}`}, 0))`.execute(tx)
    const before = await lastSeal(tx, schoolId)
    if ((before?.sealNo ?? 0) !== after) return undefined // somebody else seals this school
    const rows = await unsealed(tx, schoolId, from, upTo)
      .select(sealedSelection)
      .select(sql<string>`"auditLog"."logTime"::text`.as('at'))
      .where(
        sql<boolean>`("auditLog"."logTime", "auditLog"."logId") > (${cursor.at}::timestamptz, ${cursor.logId}::uuid)`,
      )
      .orderBy('auditLog.logTime')
      .orderBy('auditLog.logId')
      .limit(rowsPerSeal)
      .execute()
    const [oldest, newest] = [rows[0], rows.at(-1)]
    if (!oldest || !newest) return undefined
    const now = clock.now()
    const seal: Omit<Seal, 'hash'> = {
      schoolId,
      sealNo: after + 1,
      form: sealForm,
      sealTime: `${epochOf(now)}000`,
      firstTime: oldest.logTime,
      lastTime: newest.logTime,
      rowCount: rows.length,
      logIds: rows.map(({ logId }) => logId),
      rowHashes: Buffer.concat(rows.map((row) => sha256(lineOf(schoolId, row)))),
      prevHash: before?.hash ?? noSeal,
    }
    const hash = hashOf(seal)
    await tx
      .insertInto('auditSeal')
      .values({ ...seal, logIds: [...seal.logIds], sealTime: now, firstTime: oldest.at, lastTime: newest.at, hash })
      .execute()
    return {
      sealNo: seal.sealNo,
      rowCount: rows.length,
      hash: hash.toString('hex'),
      cursor: { at: newest.at, logId: newest.logId },
    }
  })
}
