import { sql } from 'kysely'
import type { Checked } from '../../../contract/core/call.ts'
import { Failure, invalidInput } from '../../../contract/core/failure.ts'
import { noQuota, operatorApi, type Quota } from '../../../contract/school/runtime/schools.calls.ts'
import { audit, changedFields, writeAudit } from '../../core/audit/audit.ts'
import { dayOf } from '../../core/base/clock.ts'
import { asPage, countOf, likeText, offsetOf } from '../../core/database/paging.ts'
import type { Db } from '../../core/database/pool.ts'
import { from } from '../../core/database/tenant.ts'
import { forgetActors } from '../../core/request/actor-cache.ts'
import type { Context } from '../../core/request/context.ts'
import { countQuota, isCounted } from '../../core/request/quotas.ts'
import { inTransaction } from '../../core/request/transaction.ts'
import { moveState } from '../school/school-status.ts'
import { jobChannel } from '../../core/jobs/jobs.ts'

type CallInput<K extends keyof typeof operatorApi> = Checked<(typeof operatorApi)[K]>

const megabyte = 1_048_576

/** The schools of the installation with what they use; counted for those of the page alone. */
export async function listSchools(ctx: Context, input: CallInput<'schools'>) {
  const { db, clock } = ctx
  let query = db.selectFrom('school')
  if (input.search) {
    const like = likeText(input.search)
    query = query.where((eb) => eb.or([eb('school.schName', 'like', like), eb('school.schoolId', 'like', like)]))
  }
  if (input.state) query = query.where('suspendedTime', input.state === 'working' ? 'is' : 'is not', null)
  const total = await countOf(query.select('school.schoolId'))
  const rows = await query
    .leftJoin('schoolQuota as q', 'q.schoolId', 'school.schoolId')
    .select(['school.schoolId', 'schName', 'school.createTime', 'suspendedTime', 'suspendedWhy', 'moveState'])
    .select(['maxPeople', 'maxConcurrent', 'maxPerMinute', 'maxTasks', 'maxMessages'])
    .select([
      sql<number | null>`("maxBytes" / ${sql.lit(megabyte)})::float8`.as('maxMegabytes'),
      sql<number>`case when "messageDay" = ${dayOf(clock.now())}::date then "usedMessages" else 0 end`.as('messages'),
      sql<number>`(
        select count(*)::float8
        from "account" a
        where a."schoolId" = "school"."schoolId" and ${isCounted('a')}
      )`.as('people'),
      sql<number>`(
        select coalesce(sum(f."size"), 0)::float8 from "file" f where f."schoolId" = "school"."schoolId"
      )`.as('storage'),
      sql<string | null>`(
        select max(a."lastLoginTime") from "account" a where a."schoolId" = "school"."schoolId"
      )`.as('lastLogin'),
      sql<boolean>`exists (
        select from "schoolRemoval" r where r."schoolId" = "school"."schoolId" and r."endTime" is null
      )`.as('isGoing'),
    ])
    .orderBy('school.createTime')
    .orderBy('school.schoolId')
    .limit(input.pageSize)
    .offset(offsetOf(input))
    .execute()
  const records = rows.map((row) => {
    const { maxPeople, maxMegabytes, maxConcurrent, maxPerMinute, maxTasks, maxMessages, moveState: _, ...school } = row
    const can = schoolActions(row, row.schoolId === ctx.actor.schoolId)
    return {
      ...school,
      messages: school.messages,
      quota: { maxPeople, maxMegabytes, maxConcurrent, maxPerMinute, maxTasks, maxMessages },
      can,
    }
  })
  return asPage(records, total, input)
}

type Act = 'suspend' | 'resume' | 'quota'

/** What an operator can do with a school; a moving one is opened again by the command that moves it. */
function schoolActions(
  { isGoing, moveState: move, suspendedTime }: { isGoing: boolean; moveState: string; suspendedTime: string | null },
  isOwn: boolean,
): Act[] {
  if (isGoing) return []
  if (move !== moveState.none || (isOwn && suspendedTime === null)) return ['quota']
  return [suspendedTime === null ? 'suspend' : 'resume', 'quota']
}

/** Has a school stand still; its name is typed once more. The operator's own would leave nobody who could end it. */
export async function suspendByOperator(ctx: Context, { schoolId, confirm, reason }: CallInput<'suspend'>) {
  if (schoolId === ctx.actor.schoolId) throw new Failure('own-school')
  const { schName } = await schoolOf(ctx.db, schoolId)
  if (confirm !== schName) throw invalidInput([{ field: 'confirm', msg: `与学校名称不符，应为“${schName}”` }])
  return changed(ctx, schoolId, { action: operatorApi.suspend.summary, reason }, ({ db }) =>
    suspendSchool(db, schoolId, reason),
  )
}

/** Has a suspended school work again. */
export const resumeByOperator = (ctx: Context, { schoolId }: CallInput<'resume'>) =>
  changed(ctx, schoolId, { action: operatorApi.resume.summary }, ({ db }) => resumeSchool(db, schoolId))

/** Sets what a school may use, and counts at once what it uses. */
export const setQuotaByOperator = (ctx: Context, { schoolId, ...quota }: CallInput<'quota'>) =>
  changed(ctx, schoolId, { action: operatorApi.quota.summary }, async ({ db }) => {
    const before = await setQuota(db, schoolId, quota)
    return changedFields(before, quota)
  })

interface Entry {
  action: string
  reason?: string
}

/** An act of the operator: in the trail of the school as the system's, and in that of the operator with their name. */
async function changed(
  ctx: Context,
  schoolId: string,
  act: Entry,
  work: (tx: Context) => Promise<{ before?: object | null; after?: object | null } | void>,
) {
  await inTransaction(ctx, async (tx) => {
    const { schName } = await schoolOf(tx.db, schoolId)
    const difference = (await work(tx)) ?? {}
    const entry = { ...act, ...difference, bizType: 'school' as const, bizId: schoolId, bizName: schName }
    await audit(tx, entry)
    if (schoolId !== tx.actor.schoolId)
      await writeAudit(tx, { schoolId, actorId: null, actorName: '系统运维' }, [entry])
  })
  forgetActors(schoolId)
  return { affected: 1 }
}

/** The name of a school. @throws Failure where there is none */
export async function schoolOf(db: Db, schoolId: string): Promise<{ schName: string }> {
  const row = await from({ db, schoolId }, 'school').select('schName').executeTakeFirst()
  if (!row) throw new Failure('no-such-school', { schoolId })
  return row
}

/** Has a school stand still, in a transaction. @throws Failure where it does already */
export async function suspendSchool(db: Db, schoolId: string, why: string): Promise<void> {
  const { numUpdatedRows } = await db
    .updateTable('school')
    .set({ suspendedTime: sql<string>`now()`, suspendedWhy: why })
    .where('schoolId', '=', schoolId)
    .where('suspendedTime', 'is', null)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw new Failure('school-suspended-already', { schoolId })
}

/**
 * Has a suspended school work again, in a transaction.
 * @param back whether a school that moves or has moved may come back: only who has made sure that it works nowhere else
 * @throws Failure where it works, where its removal has begun, or where it moves or has moved
 */
export async function resumeSchool(db: Db, schoolId: string, back = false): Promise<void> {
  const school = await from({ db, schoolId }, 'school').select(['moveState', 'movedTo']).executeTakeFirst()
  if (school?.moveState === moveState.moved && !back)
    throw new Failure('school-moved-away', { schoolId, address: school.movedTo })
  if (school?.moveState === moveState.moving && !back) throw new Failure('school-moving-away', { schoolId })
  const going = await from({ db, schoolId }, 'schoolRemoval')
    .select('schoolId')
    .where('endTime', 'is', null)
    .executeTakeFirst()
  if (going) throw new Failure('school-going', { schoolId })
  const { numUpdatedRows } = await db
    .updateTable('school')
    .set({ suspendedTime: null, suspendedWhy: '', moveState: moveState.none, movedTo: '' })
    .where('schoolId', '=', schoolId)
    .where('suspendedTime', 'is not', null)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw new Failure('school-not-suspended', { schoolId })
  // what has waited begins now, in whichever process
  await sql`select pg_notify(${jobChannel}, '')`.execute(db)
}

/** The bounds of a school. */
export async function quotaOfSchool(db: Db, schoolId: string): Promise<Quota> {
  const row = await from({ db, schoolId }, 'schoolQuota')
    .select(['maxPeople', 'maxConcurrent', 'maxPerMinute', 'maxTasks', 'maxMessages', 'maxBytes'])
    .executeTakeFirst()
  if (!row) return noQuota
  const { maxBytes, ...others } = row
  return { ...others, maxMegabytes: maxBytes === null ? null : Number(maxBytes) / megabyte }
}

/** Sets what a school may use, in a transaction; without any bound its row goes. @returns the bounds before */
export async function setQuota(db: Db, schoolId: string, quota: Quota): Promise<Quota> {
  const before = await quotaOfSchool(db, schoolId)
  if (Object.values(quota).every((bound) => bound === null)) {
    await db.deleteFrom('schoolQuota').where('schoolId', '=', schoolId).execute()
    return before
  }
  const { maxMegabytes, ...others } = quota
  const row = { ...others, maxBytes: maxMegabytes === null ? null : maxMegabytes * megabyte }
  await db
    .insertInto('schoolQuota')
    .values({ schoolId, ...row })
    .onConflict((known) => known.column('schoolId').doUpdateSet(row))
    .execute()
  await countQuota(db, schoolId)
  return before
}
