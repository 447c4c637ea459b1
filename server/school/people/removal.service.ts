import { sql } from 'kysely'
import { yesNo } from '../../../contract/core/codes/platform.ts'
import { Failure } from '../../../contract/core/failure.ts'
import type { NamedPerson } from '../../core/base/people-text.ts'
import { forgetActors } from '../../core/request/actor-cache.ts'
import { anyOf } from '../../core/database/any-of.ts'
import { auditMany } from '../../core/audit/audit.ts'
import type { Context } from '../../core/request/context.ts'
import { from, withinSchool } from '../../core/database/tenant.ts'
import { inTransaction } from '../../core/request/transaction.ts'
import { releaseFiles } from '../../platform/files/file-use.service.ts'
import { closeAccounts } from './accounts.service.ts'
import { assertNotOutranked } from './rank-check.service.ts'

/**
 * Tables that hold what people did, the columns that name them, and what to call the records. Whoever stands in one
 * stays.
 */
const business: readonly (readonly [table: string, column: string, words: string])[] = [
  ['registration', 'suId', '课程参与'],
  ['lessonPerson', 'suId', '课程任职'],
  ['lesson', 'liPrincipalId', '负责的课程'],
  ['lesson', 'createBy', '创建的课程'],
  ['circle', 'cpiPersonId', '负责的圈子'],
  ['circleTeacher', 'suId', '指导的圈子'],
  ['circleMember', 'suId', '加入的圈子'],
  ['supplement', 'suId', '补录'],
  ['creditLedger', 'suId', '学分'],
  ['credibilityLog', 'suId', '诚信'],
  ['approval', 'startBy', '发起的审批'],
  ['approvalTask', 'checkerId', '审批'],
  ['workflowChecker', 'wfcCheckerId', '流程审批人'],
]

/**
 * Those of some people who have business records, in the order of their numbers; one statement whatever their number,
 * and one look at each table.
 */
export async function peopleInUse(
  { db, actor }: Pick<Context, 'db' | 'actor'>,
  suIds: readonly string[],
): Promise<(NamedPerson & { suId: string })[]> {
  const records = business.map(
    ([table, column]) =>
      sql`
        select i."suId"
        from i
        join ${sql.table(table)} x on x."schoolId" = ${actor.schoolId} and x.${sql.ref(column)} = i."suId"`,
  )
  const { rows } = await sql<NamedPerson & { suId: string }>`
    with i as materialized (select unnest(${suIds}::uuid[]) "suId")
    select p."suId", p."suiName", p."suiNumber"
    from "person" p
    where p."schoolId" = ${actor.schoolId} and p."suId" in (${sql.join(records, sql` union `)})
    order by p."suiNumber"`.execute(db)
  return rows
}

/** Somebody's business records in words: `课程参与记录 3 条、学分记录 5 条`. */
export async function recordsOf({ db, actor }: Pick<Context, 'db' | 'actor'>, suId: string): Promise<string> {
  const counts = business.map(
    ([table, column]) =>
      sql`(
          select count(*)::int
          from ${sql.table(table)}
          where "schoolId" = ${actor.schoolId} and ${sql.ref(column)} = ${suId}::uuid
        )`,
  )
  const { rows } = await sql<{ counts: number[] }>`select array[${sql.join(counts)}] "counts"`.execute(db)
  return business
    .flatMap(([, , words], at) => (rows[0]!.counts[at]! > 0 ? [`${words}记录 ${rows[0]!.counts[at]} 条`] : []))
    .join('、')
}

/**
 * Removes people who have no business records: they vanish from lists, their number becomes free and their account
 * ends. All or none. `reach` finds those of them that the caller may remove.
 */
export async function removePeople(
  ctx: Context,
  suIds: string[],
  what: string,
  reach: (tx: Context) => Promise<{ suId: string; suiName: string; suiNumber: string; suiPhoto: string | null }[]>,
) {
  const { schoolId } = ctx.actor
  const done = await inTransaction(ctx, async (tx) => {
    const people = await reach(tx)
    if (people.length !== suIds.length) throw new Failure('not-found')
    if (suIds.includes(tx.actor.suId)) throw new Failure('own-account')
    const [used, ...more] = await peopleInUse(tx, suIds)
    if (used)
      throw new Failure('person-in-use', {
        name: used.suiName,
        what: await recordsOf(tx, used.suId),
        others: more.length > 0 ? `。所选人员中另有 ${more.length} 人也有业务记录` : '',
      })
    const [admin] = await adminsAmong(tx, suIds)
    if (admin) throw new Failure('person-is-admin', { name: admin })
    await assertNotOutranked(tx, suIds)
    await tx.db
      .updateTable('schoolClass')
      .set({ counselorId: null })
      .where('schoolId', '=', schoolId)
      .where(anyOf('counselorId', suIds))
      .execute()
    await tx.db
      .updateTable('schoolClass')
      .set({ headTeacherId: null })
      .where('schoolId', '=', schoolId)
      .where(anyOf('headTeacherId', suIds))
      .execute()
    await tx.db
      .updateTable('department')
      .set({ sdLeaderId: null })
      .where('schoolId', '=', schoolId)
      .where(anyOf('sdLeaderId', suIds))
      .execute()
    await tx.db.deleteFrom('departmentUser').where('schoolId', '=', schoolId).where(anyOf('suId', suIds)).execute()
    await closeAccounts(tx.db, schoolId, suIds)
    await releaseFiles(
      tx,
      people.map(({ suiPhoto }) => suiPhoto),
    )
    await tx.db
      .updateTable('person')
      .set({
        delFlag: yesNo.yes,
        suiCollegeId: null,
        majorId: null,
        scClassId: null,
        ...forgotten,
        updateBy: tx.actor.suId,
        updateTime: tx.clock.now(),
      })
      .where('schoolId', '=', schoolId)
      .where(anyOf('suId', suIds))
      .execute()
    await auditMany(
      tx,
      people.map(({ suId, suiName, suiNumber }) => ({
        action: `删除${what}`,
        bizType: 'person',
        bizId: suId,
        bizName: `${suiName}（${suiNumber}）`,
      })),
    )
    return { affected: people.length }
  })
  forgetActors(schoolId, suIds)
  return done
}

/**
 * What nobody needs of somebody who is gone. Erasure by the rule of the school is of graduates and never comes to them,
 * so all of it goes at once.
 */
const forgotten = {
  suiNation: null,
  suiIdType: null,
  suiPhone: null,
  suiPhoneHash: null,
  suiIdCard: null,
  suiIdCardHash: null,
  suiPhoto: null,
  birth: null,
  suiPolitical: null,
  suiEmail: null,
  provinceId: null,
  cityId: null,
  areaId: null,
  suiAddress: null,
  suiDorm: null,
  leagueJoinDate: null,
  partyJoinDate: null,
  volunteerNo: null,
  specialty: null,
  remark: null,
}

const adminsAmong = async (ctx: Context, suIds: string[]): Promise<string[]> => {
  const rows = await from(ctx, 'roleUser')
    .innerJoin('role', withinSchool('role.srId', 'roleUser.srId'))
    .innerJoin('person', withinSchool('person.suId', 'roleUser.suId'))
    .select('person.suiName')
    .where('role.srCode', '=', 'SCHOOL_ADMIN')
    .where(anyOf('roleUser.suId', suIds))
    .execute()
  return rows.map(({ suiName }) => suiName)
}
