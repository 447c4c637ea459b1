import { sql } from 'kysely'
import type { Checked } from '../../../contract/core/call.ts'
import { yesNo } from '../../../contract/core/codes/platform.ts'
import { circleAuthStatus, circleMemberRole, circleStatus } from '../../../contract/core/codes/programme.ts'
import { labelOf } from '../../../contract/core/dictionary.ts'
import { Failure, invalidInput } from '../../../contract/core/failure.ts'
import type { circleApi } from '../../../contract/programme/circles/circles.calls.ts'
import { anyOf } from '../../core/database/any-of.ts'
import { audit } from '../../core/audit/audit.ts'
import { recordset } from '../../core/database/bulk.ts'
import type { Context } from '../../core/request/context.ts'
import { newId } from '../../core/base/ids.ts'
import { asPage, contains, countOf, offsetOf } from '../../core/database/paging.ts'
import { listOrder } from '../../core/database/sorting.ts'
import { from, withinSchool } from '../../core/database/tenant.ts'
import { inTransaction } from '../../core/request/transaction.ts'
import { under } from '../../school/people/people.service.ts'
import { visibleStudents } from '../../school/people/students.service.ts'
import { isStudent, peopleOf } from './circle-checks.ts'
import { readableCircles, readablePerson, readCircle, visibleCircles } from './circles.service.ts'
import { isNamed } from '../../school/organisation/person-columns.ts'

/** What 会长 is told by: it goes with being in charge, and cannot be given otherwise. */
export const presidentRole = circleMemberRole.president
export const memberRole = circleMemberRole.member

const membersNow = (ctx: Pick<Context, 'db' | 'actor'>, ciId: string) =>
  from(ctx, 'circleMember as m')
    .innerJoin('person', withinSchool('person.suId', 'm.suId'))
    .where('m.ciId', '=', ciId)
    .where('m.quitTime', 'is', null)

/** What the list of members may be sorted by. */
const sortable = {
  cmRole: 'm.cmRole',
  suiName: 'person.suiName',
  suiNumber: 'person.suiNumber',
  joinTime: 'm.joinTime',
}

/** The members of a circle, officers first unless another order is asked for. */
export async function listMembers(ctx: Context, input: Checked<typeof circleApi.members>) {
  await readCircle(ctx, input.ciId)
  let query = membersNow(ctx, input.ciId)
    .innerJoin('circle', withinSchool('circle.ciId', 'm.ciId'))
    .where(readablePerson(ctx, 'person'))
  const { numberOrName, cmRole } = input
  if (numberOrName) query = query.where(isNamed(numberOrName))
  if (cmRole) query = query.where('m.cmRole', '=', cmRole)
  const [records, total] = await Promise.all([
    query
      .leftJoin('college', withinSchool('college.scId', 'person.suiCollegeId'))
      .leftJoin('schoolClass', withinSchool('schoolClass.scClassId', 'person.scClassId'))
      .select(['person.suId', 'person.suiName', 'person.suiNumber', 'm.cmRole', 'm.joinTime'])
      .select([
        sql<string>`coalesce("college"."scName", '')`.as('collegeName'),
        sql<string>`coalesce("schoolClass"."scClassName", '')`.as('className'),
      ])
      .orderBy(listOrder(input, sortable))
      .orderBy('person.suiNumber')
      .orderBy('person.suId')
      .limit(input.pageSize)
      .offset(offsetOf(input))
      .execute(),
    countOf(query),
  ])
  return asPage(records, total, input)
}

/**
 * A circle, locked, for one who may change it: every write to its people goes through here, so that they change one
 * after the other.
 */
export async function lockedCircle(ctx: Context, ciId: string) {
  const circle = await visibleCircles(ctx)
    .selectAll('circle')
    .where('ciId', '=', ciId)
    .forUpdate('circle')
    .executeTakeFirst()
  if (!circle) throw new Failure('not-found')
  return circle
}

/** A founded circle that is not closed, locked. */
export async function livingCircle(ctx: Context, ciId: string, act: string) {
  const circle = await lockedCircle(ctx, ciId)
  if (circle.ciAuthStatus !== circleAuthStatus.passed || circle.ciStatus === circleStatus.dissolved)
    throw new Failure('wrong-state', { act })
  return circle
}

/** Makes students members, those who are it already stay; the circle is locked. @returns who is new */
export async function enterMembers(
  { db, actor, clock }: Context,
  rows: readonly { ciId: string; suId: string; cmRole?: string }[],
): Promise<{ ciId: string; suId: string }[]> {
  const given = rows.map(({ ciId, suId, cmRole }) => ({ cpiId: newId(), ciId, suId, cmRole: cmRole ?? memberRole }))
  const { rows: entered } = await sql<{
    ciId: string
    suId: string
  }>`
    insert into "circleMember" ("schoolId", "cpiId", "ciId", "suId", "cmRole", "joinTime")
    select ${actor.schoolId}, r."cpiId", r."ciId", r."suId", r."cmRole", ${clock.now()}
    from ${recordset(given, { cpiId: 'uuid', ciId: 'uuid', suId: 'uuid', cmRole: 'text' })}
    on conflict ("schoolId", "ciId", "suId")
    where "quitTime" is null do nothing
    returning "ciId", "suId"`.execute(db)
  return entered
}

/** Ends memberships; the rows stay, for who was a member is part of the circle's story. */
export const leaveCircle = ({ db, actor, clock }: Context, ciId: string, suIds: readonly string[]) =>
  db
    .updateTable('circleMember')
    .set({ quitTime: clock.now() })
    .where('schoolId', '=', actor.schoolId)
    .where('ciId', '=', ciId)
    .where('quitTime', 'is', null)
    .where(anyOf('suId', suIds))
    .execute()

/** Refuses when a circle now has more members than it may. */
export async function assertRoom(
  { db, actor }: Pick<Context, 'db' | 'actor'>,
  ciIds: readonly string[],
): Promise<void> {
  const { rows } = await sql<{
    ciName: string
    memberMax: number
  }>`
    select c."ciName", c."memberMax"
    from "circle" c
    where c."schoolId" = ${actor.schoolId}
      and c."ciId" = any(${ciIds}::uuid[])
      and c."memberMax" < (
        select count(*)
        from "circleMember" m
        where m."schoolId" = c."schoolId" and m."ciId" = c."ciId" and m."quitTime" is null
      )
    order by c."ciName"
    limit 1`.execute(db)
  if (rows[0]) throw new Failure('circle-full', { name: rows[0].ciName, n: rows[0].memberMax })
}

/** Adds students to a circle without an application: those who look after it may. */
export const addMembers = (ctx: Context, { ciId, suIds }: Checked<typeof circleApi.addMembers>) =>
  inTransaction(ctx, async (tx) => {
    const circle = await livingCircle(tx, ciId, '添加成员')
    const people = await peopleOf(tx, suIds)
    const stranger = suIds.find((suId) => !isStudent(people, suId))
    if (stranger) throw new Failure('not-a-student', { name: people.get(stranger)?.suiName ?? '所选人员' })
    const entered = await enterMembers(
      tx,
      suIds.map((suId) => ({ ciId, suId })),
    )
    await assertRoom(tx, [ciId])
    if (entered.length > 0)
      await audit(tx, {
        action: '添加圈子成员',
        bizType: 'circle',
        bizId: ciId,
        bizName: circle.ciName,
        after: { people: entered.map(({ suId }) => suId) },
      })
    return { affected: entered.length }
  })

/** Gives members an office in the circle. */
export const setRole = (ctx: Context, { ciId, suIds, cmRole }: Checked<typeof circleApi.setRole>) =>
  inTransaction(ctx, async (tx) => {
    const circle = await livingCircle(tx, ciId, '设置职务')
    if (cmRole === presidentRole)
      throw invalidInput([{ field: 'cmRole', msg: '会长由负责人担任，请提交变更负责人申请' }])
    if (suIds.includes(circle.cpiPersonId)) throw new Failure('hand-over-first')
    const done = await tx.db
      .updateTable('circleMember')
      .set({ cmRole })
      .where('schoolId', '=', tx.actor.schoolId)
      .where('ciId', '=', ciId)
      .where('quitTime', 'is', null)
      .where(anyOf('suId', suIds))
      .executeTakeFirst()
    if (Number(done.numUpdatedRows) !== suIds.length) throw new Failure('not-found')
    await audit(tx, {
      action: '设置成员职务',
      bizType: 'circle',
      bizId: ciId,
      bizName: circle.ciName,
      after: { people: suIds, cmRole: labelOf('circle_member_role', cmRole) },
    })
    return { affected: suIds.length }
  })

/** Takes members out of a circle; the person in charge must be succeeded first. */
export const removeMembers = (ctx: Context, { ciId, suIds }: Checked<typeof circleApi.removeMembers>) =>
  inTransaction(ctx, async (tx) => {
    const circle = await lockedCircle(tx, ciId)
    if (suIds.includes(circle.cpiPersonId)) throw new Failure('hand-over-first')
    const [done] = await leaveCircle(tx, ciId, suIds)
    if (Number(done?.numUpdatedRows) !== suIds.length) throw new Failure('not-found')
    await audit(tx, {
      action: '移出圈子成员',
      bizType: 'circle',
      bizId: ciId,
      bizName: circle.ciName,
      before: { people: suIds },
    })
    return { affected: suIds.length }
  })

/**
 * The asking person gives up what they are in a circle: its teacher or a member. The person in charge must be succeeded
 * first (docs/rules.md R9).
 */
export const exitCircle = (ctx: Context, { ciId }: Checked<typeof circleApi.exit>) =>
  inTransaction(ctx, async (tx) => {
    const { schoolId, suId } = tx.actor
    const circle = await from(tx, 'circle')
      .select(['ciName', 'cpiPersonId', 'ciStatus'])
      .where('ciId', '=', ciId)
      .forUpdate()
      .executeTakeFirst()
    if (!circle) throw new Failure('not-found')
    if (circle.ciStatus === circleStatus.dissolved) throw new Failure('wrong-state', { act: '退出' })
    if (circle.cpiPersonId === suId) throw new Failure('hand-over-first')
    const guided = await tx.db
      .deleteFrom('circleTeacher')
      .where('schoolId', '=', schoolId)
      .where('ciId', '=', ciId)
      .where('suId', '=', suId)
      .executeTakeFirst()
    const [left] = await leaveCircle(tx, ciId, [suId])
    const affected = Number(guided.numDeletedRows) + Number(left?.numUpdatedRows)
    if (affected === 0) throw new Failure('not-found')
    await audit(tx, {
      action: '退出圈子',
      bizType: 'circle',
      bizId: ciId,
      bizName: circle.ciName,
      before: { people: [suId] },
    })
    return { affected: 1 }
  })

/** The circles a student is or was a member of, those they are in now first; for those who may see the student. */
export async function circlesOfStudent(ctx: Context, input: Checked<typeof circleApi.ofStudent>) {
  const { suId, ciName } = input
  if (!(await visibleStudents(ctx).select('person.suId').where('person.suId', '=', suId).executeTakeFirst()))
    throw new Failure('not-found')
  let query = from(ctx, 'circleMember as m')
    .innerJoin('circle', withinSchool('circle.ciId', 'm.ciId'))
    .where('m.suId', '=', suId)
    .where('circle.delFlag', '=', sql.lit(yesNo.no))
    .where('circle.ciAuthStatus', '=', circleAuthStatus.passed)
  if (ciName) query = query.where(contains('circle.ciName', ciName))
  const [rows, total] = await Promise.all([
    query
      .innerJoin('circleClass as class', withinSchool('class.ccId', 'circle.ciClass'))
      .leftJoin('college', withinSchool('college.scId', 'circle.ciCollegeId'))
      .select([
        'm.cpiId',
        'm.ciId',
        'circle.ciName',
        'class.ccName',
        'circle.ciStatus',
        'm.cmRole',
        'm.joinTime',
        'm.quitTime',
        sql<string>`coalesce("college"."scName", '')`.as('collegeName'),
        sql<boolean>`"circle"."cpiPersonId" = "m"."suId"`.as('isLeader'),
      ])
      .orderBy(sql`"m"."quitTime" is not null`)
      .orderBy('m.joinTime', 'desc')
      .orderBy('m.cpiId')
      .limit(input.pageSize)
      .offset(offsetOf(input))
      .execute(),
    countOf(query),
  ])
  const open = ctx.actor.permits.has('circle:list')
    ? await readableCircles(under(ctx, 'circle:list'))
        .select('circle.ciId')
        .where(
          anyOf(
            'circle.ciId',
            rows.map(({ ciId }) => ciId),
          ),
        )
        .execute()
    : []
  const opens = new Set(open.map(({ ciId }) => ciId))
  return asPage(
    rows.map((row) => ({ ...row, isLeader: row.isLeader && row.quitTime === null, opens: opens.has(row.ciId) })),
    total,
    input,
  )
}
