import { sql } from 'kysely'
import type { Checked } from '../../../contract/core/call.ts'
import { messageType } from '../../../contract/core/codes/platform.ts'
import {
  circleApplyType,
  circleAuthStatus,
  circleReview,
  circleStatus,
  lessonStatus,
} from '../../../contract/core/codes/programme.ts'
import { inSchoolStatuses } from '../../../contract/core/codes/in-school.ts'
import { labelOf } from '../../../contract/core/dictionary.ts'
import { Failure } from '../../../contract/core/failure.ts'
import type { circleApplyApi } from '../../../contract/programme/circles/applications.calls.ts'
import { anyOf } from '../../core/database/any-of.ts'
import { auditMany } from '../../core/audit/audit.ts'
import { recordset } from '../../core/database/bulk.ts'
import { dayOf } from '../../core/base/clock.ts'
import type { Context } from '../../core/request/context.ts'
import { inTransaction } from '../../core/request/transaction.ts'
import { notify } from '../../platform/notifications/notify.service.ts'
import { schoolSettings } from '../../school/school/settings.service.ts'
import { openApplications, type OpenApplication } from './applications.queries.ts'
import { foundingFaults, isStudent, peopleOf } from './circle-checks.ts'
import { governedCircles } from './circles.service.ts'
import { handOver } from './hand-over.service.ts'
import { settleLeadRole } from './lead-role.service.ts'
import { enterMembers, assertRoom } from './members.service.ts'
import type { Pairs } from './pairs.ts'
import { assertNotBusy } from './switch.service.ts'

type Case = OpenApplication & { ciName: string; leaderId: string }

/** The open applications that pairs of a circle and a person name, their circles locked first. All or none. */
async function casesOf(ctx: Context, { ciIds, cpiPersonIds }: Pairs): Promise<Case[]> {
  const wanted = [...new Set(ciIds)]
  const circles = new Map(
    (
      await governedCircles(ctx)
        .select(['ciId', 'ciName', 'cpiPersonId'])
        .where(anyOf('ciId', wanted))
        .orderBy('ciId')
        .forUpdate('circle')
        .execute()
    ).map((row) => [row.ciId, row]),
  )
  if (circles.size !== wanted.length) throw new Failure('not-found')
  const open = new Map((await openApplications(ctx, wanted)).map((row) => [`${row.ciId} ${row.cpiPersonId}`, row]))
  return ciIds.map((ciId, at) => {
    const row = open.get(`${ciId} ${cpiPersonIds[at]}`)
    if (!row) throw new Failure('circle-apply-gone')
    return { ...row, ciName: circles.get(ciId)!.ciName, leaderId: circles.get(ciId)!.cpiPersonId }
  })
}

/** Grants what was applied for; with all its consequences or, where one cannot be granted, not at all. */
export const passApplications = (ctx: Context, input: Checked<typeof circleApplyApi.pass>) =>
  inTransaction(ctx, async (tx) => {
    const cases = await casesOf(tx, input)
    const of = (caType: string) => cases.filter((one) => one.caType === caType)
    await assertAllStudying(tx, [
      ...of(circleApplyType.founding),
      ...of(circleApplyType.joining),
      ...of(circleApplyType.handOver),
    ])
    await found(tx, of(circleApplyType.founding))
    await join(tx, of(circleApplyType.joining))
    if (of(circleApplyType.handOver).length > 0)
      await handOver(
        tx,
        of(circleApplyType.handOver).map(({ ciId, leaderId, cpiPersonId }) => ({
          ciId,
          from: leaderId,
          to: cpiPersonId,
        })),
      )
    await review(tx, of(circleApplyType.yearlyReview))
    await close(tx, of(circleApplyType.dissolution))
    return settle(tx, cases, circleAuthStatus.passed, input.reason ?? '')
  })

/**
 * Refuses what was applied for, with the reason that the applicants read. A circle that was not to be founded stays
 * with its applicant, who may put it right.
 */
export const refuseApplications = (ctx: Context, input: Checked<typeof circleApplyApi.refuse>) =>
  inTransaction(ctx, async (tx) => {
    const cases = await casesOf(tx, input)
    const founding = cases.filter(({ caType }) => caType === circleApplyType.founding).map(({ ciId }) => ciId)
    await tx.db
      .updateTable('circle')
      .set({ ciAuthStatus: circleAuthStatus.refused, reason: input.reason })
      .where('schoolId', '=', tx.actor.schoolId)
      .where(anyOf('ciId', founding))
      .execute()
    return settle(tx, cases, circleAuthStatus.refused, input.reason)
  })

/** Writes the verdict, the trail, and tells those it concerns. */
async function settle(ctx: Context, cases: readonly Case[], ciAuthStatus: '1' | '2', reason: string) {
  const { schoolId, suId, suNickname } = ctx.actor
  await ctx.db
    .updateTable('circleApply')
    .set({ ciAuthStatus, reason, auditBy: suId, auditName: suNickname, auditTime: ctx.clock.now() })
    .where('schoolId', '=', schoolId)
    .where(
      anyOf(
        'caId',
        cases.map(({ caId }) => caId),
      ),
    )
    .execute()
  const verdict = ciAuthStatus === circleAuthStatus.passed ? '通过' : '驳回'
  await auditMany(
    ctx,
    cases.map(({ ciId, ciName, caType, cpiPersonId }) => ({
      action: `${verdict}圈子申请`,
      bizType: 'circle',
      bizId: ciId,
      bizName: ciName,
      reason,
      after: { caType, cpiPersonId },
    })),
  )
  for (const { ciId, ciName, caType, cpiPersonId, applyBy } of cases) {
    const title = `圈子“${ciName}”的${labelOf('circle_apply_type', caType)}申请已${verdict}`
    await notify(ctx, {
      suIds: [...new Set([cpiPersonId, ...(applyBy ? [applyBy] : [])])],
      type: messageType.approval,
      bizType: 'circle',
      bizId: ciId,
      title,
      content: reason || '申请已通过，即时生效。',
      link: `/personalCenter/community/detail?ciId=${ciId}`,
    })
  }
  return { affected: cases.length }
}

/** Who founds, joins or takes charge must study here when it is granted. */
async function assertAllStudying(ctx: Context, cases: readonly Case[]): Promise<void> {
  const people = await peopleOf(ctx, [...new Set(cases.map(({ cpiPersonId }) => cpiPersonId))])
  const gone = cases.find(({ cpiPersonId }) => !isStudent(people, cpiPersonId))
  if (gone) throw new Failure('not-a-student', { name: people.get(gone.cpiPersonId)?.suiName ?? '所选人员' })
}

/** A circle begins: what the school asks for must still be there, for founders leave and settings change. */
async function found(ctx: Context, cases: readonly Case[]): Promise<void> {
  if (cases.length === 0) return
  const ciIds = cases.map(({ ciId }) => ciId)
  const rules = await schoolSettings(ctx, ctx.actor.schoolId)
  const { rows } = await sql<{
    ciName: string
    founders: number
    teachers: number
    guideUnitId: string | null
    charterFile: string | null
  }>`
      select c."ciName", c."guideUnitId", c."charterFile",
        (select count(*)::int from "circleTeacher" t where t."schoolId" = c."schoolId" and t."ciId" = c."ciId")
        "teachers",
        (
          select count(*)::int
          from "circleMember" m
          join "person" p on p."schoolId" = m."schoolId"
            and p."suId" = m."suId"
            and p."suiStatus" in (${sql.join(inSchoolStatuses.map((status) => sql.lit(status)))})
            and p."delFlag" = '0'
          where m."schoolId" = c."schoolId" and m."ciId" = c."ciId" and m."quitTime" is null
        ) "founders"
      from "circle" c
      where c."schoolId" = ${ctx.actor.schoolId} and c."ciId" = any(${ciIds}::uuid[])
      order by c."ciName"`.execute(ctx.db)
  for (const { ciName, ...founding } of rows) {
    const [fault] = foundingFaults(founding, rules)
    if (fault) throw new Failure('circle-not-ready', { name: ciName, why: fault.msg })
  }
  await sql`
    update "circle"
    set "ciAuthStatus" = ${sql.lit(circleAuthStatus.passed)},
      "ciStatus" = ${sql.lit(circleStatus.enabled)},
      "reason" = '',
      "foundDate" = coalesce("foundDate", ${dayOf(ctx.clock.now())}::date)
    where "schoolId" = ${ctx.actor.schoolId} and "ciId" = any(${ciIds}::uuid[])`.execute(ctx.db)
  await settleLeadRole(ctx, [...new Set(cases.map(({ cpiPersonId }) => cpiPersonId))])
}

async function join(ctx: Context, cases: readonly Case[]): Promise<void> {
  if (cases.length === 0) return
  await enterMembers(
    ctx,
    cases.map(({ ciId, cpiPersonId }) => ({ ciId, suId: cpiPersonId })),
  )
  await assertRoom(ctx, [...new Set(cases.map(({ ciId }) => ciId))])
}

/**
 * A yearly review: fit circles that had to put something right are in service again, others have to put something
 * right.
 */
async function review({ db, actor, clock }: Context, cases: readonly Case[]): Promise<void> {
  if (cases.length === 0) return
  const given = recordset(cases, { caId: 'uuid', ciId: 'uuid', crYear: 'int', crResult: 'text', crStar: 'text' })
  await sql`
      insert into "circleReview" (
        "schoolId", "ciId", "crYear", "crResult", "crStar", "activityCount", "caId", "reviewTime"
      )
      select ${actor.schoolId}, r."ciId", r."crYear", r."crResult", r."crStar",
        (
          select count(*)
          from "lesson" l
          where l."schoolId" = ${actor.schoolId}
            and l."liCircleId" = r."ciId"
            and l."delFlag" = '0'
            and l."liStatus" in (
              ${sql.lit(lessonStatus.resultPassed)}, ${sql.lit(lessonStatus.inNotice)},
              ${sql.lit(lessonStatus.questioned)}, ${sql.lit(lessonStatus.completed)},
              ${sql.lit(lessonStatus.archived)}
            )
            and extract(year from l."startTime") = r."crYear"
        ), r."caId", ${clock.now()}
      from ${given}
      on conflict ("schoolId", "ciId", "crYear") do update set "crResult" = excluded."crResult",
        "crStar" = excluded."crStar", "activityCount" = excluded."activityCount", "caId" = excluded."caId", "reviewTime" = excluded."reviewTime"`.execute(
    db,
  )
  await sql`
    update "circle" c
    set "ciStatus" = case
        when r."crResult" = ${sql.lit(circleReview.passed)} then ${sql.lit(circleStatus.enabled)}
        else ${sql.lit(circleStatus.rectifying)}
      end
    from ${given}
    where c."schoolId" = ${actor.schoolId}
      and c."ciId" = r."ciId"
      and c."ciStatus" in (${sql.lit(circleStatus.enabled)}, ${sql.lit(circleStatus.rectifying)})`.execute(db)
}

async function close(ctx: Context, cases: readonly Case[]): Promise<void> {
  if (cases.length === 0) return
  const ciIds = cases.map(({ ciId }) => ciId)
  await assertNotBusy(ctx, ciIds)
  await ctx.db
    .updateTable('circle')
    .set({ ciStatus: circleStatus.dissolved })
    .where('schoolId', '=', ctx.actor.schoolId)
    .where(anyOf('ciId', ciIds))
    .execute()
  await settleLeadRole(ctx, [...new Set(cases.map(({ leaderId }) => leaderId))])
}
