import { sql } from 'kysely'
import type { Context } from '../../../core/request/context.ts'
import { from } from '../../../core/database/tenant.ts'

/** Numbers of courses: `EK{yyyyMM}-{n}`, counted within the month. */

/** What the numbers of the month of `now` begin with. */
const headerOf = (now: string): string => `EK${now.slice(0, 4)}${now.slice(5, 7)}-`
const numberOf = (header: string, n: number): string => header + String(n).padStart(4, '0')

/** The last number of a school's courses in a month. */
const lastOf = (db: Context['db'], schoolId: string, header: string) =>
  from({ db, schoolId }, 'lesson', { withDeleted: true })
    .select(sql<number>`coalesce(max(substring("liNo" from 10)::int), 0)`.as('last'))
    .where('liNo', 'like', `${header}%`)
    .where(sql<boolean>`"liNo" ~ '^EK[0-9]{6}-[0-9]{1,9}$'`)

/** The next free number of a school's courses in the month of `now`. Two who ask at once are told the same. */
export async function nextLessonNumber(db: Context['db'], schoolId: string, now: string): Promise<string> {
  const header = headerOf(now)
  const { last } = await lastOf(db, schoolId, header).executeTakeFirstOrThrow()
  return numberOf(header, last + 1)
}

/** So many courses may be under way at once before one has to look again. */
const maxUnderWay = 100

/**
 * The next number that neither a course has nor a transaction under way has taken; it is the caller's until their
 * transaction ends. Nobody waits: a number that is taken is passed over, so that one whose transaction fails in the end
 * may stay unused.
 */
export async function takeNumber({ db, actor: { schoolId }, clock }: Context): Promise<string> {
  const header = headerOf(clock.now())
  for (;;) {
    // the numbers are tried in their order, up to the first whose lock is free
    const { rows } = await sql<{ n: number }>`
      select n
      from (${lastOf(db, schoolId, header)}) l, generate_series(l."last" + 1, l."last" + ${maxUnderWay}::int) n
      where pg_try_advisory_xact_lock(hashtextextended('lesson-number:' || ${schoolId} || ':' || ${header} || n, 0))
      limit 1`.execute(db)
    const n = rows[0]?.n
    if (n === undefined) continue
    const liNo = numberOf(header, n)
    // whoever had the lock before may have saved a course after we had looked for the last one
    const taken = await from({ db, schoolId }, 'lesson', { withDeleted: true })
      .select('liId')
      .where('liNo', '=', liNo)
      .executeTakeFirst()
    if (!taken) return liNo
  }
}
