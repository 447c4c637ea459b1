import { hasRange } from '../model/admission.ts'
import { sql } from 'kysely'
import type { Checked, Output } from '../../../../contract/core/call.ts'
import { applyStatus, applyWay, lessonForm, lessonStatus } from '../../../../contract/core/codes/programme.ts'
import type { lessonApi } from '../../../../contract/programme/lessons/lessons.calls.ts'
import type { planConflictKinds } from '../../../../contract/programme/lessons/plan.schema.ts'
import { addDays, dayOf } from '../../../core/base/clock.ts'
import { together } from '../../../core/base/together.ts'
import type { Context } from '../../../core/request/context.ts'
import { ownStepsOf } from '../approval/lesson-approval.service.ts'
import { planFacts } from '../model/plan-risks.queries.ts'
import { planRisks } from '../model/plan-risks.ts'
import { loadLessonForCheck } from '../model/lessons.queries.ts'

type Conflict = Output<typeof lessonApi.conflicts>[number]
interface Found {
  kind: (typeof planConflictKinds)[number]
  who: string
  liId: string
  liName: string
  startTime: string
  endTime: string
  count: number
  isSeen: boolean
}

/** Courses in these states will not take place. */
const gone: string[] = [lessonStatus.unpublished, lessonStatus.cancelled, lessonStatus.abnormal]
/** Most courses told of one kind. */
const maxShown = 5

/**
 * What stands in the way of a plan: another course in the same place, a principal or teacher who is busy, students of
 * this course who are registered elsewhere, a name already in use around the day. Only hints. Courses out of the
 * person's sight are told without their name.
 */
export async function conflictsOf(ctx: Context, input: Checked<typeof lessonApi.conflicts>): Promise<Conflict[]> {
  const { liId = null, startTime, endTime, liName = '', liPrincipalId = null, teacherIds } = input
  if (liId) await loadLessonForCheck(ctx, liId)
  if (endTime <= startTime) return []
  const own = input.sessions.flatMap(({ startTime: from, endTime: to, placeText }) =>
    from && to && to > from ? [{ from, to, place: placeText ?? input.placeText ?? '' }] : [],
  )
  const plan = own.length > 0 ? own : [{ from: startTime, to: endTime, place: input.placeText ?? '' }]
  const { schoolId, suId } = ctx.actor
  const seen = ctx.scope.whole
    ? sql<boolean>`true`
    : sql<boolean>`(
        l."createBy" = ${suId}::uuid
        or l."liPrincipalId" = ${suId}::uuid
        or exists (
          select
          from "lessonPerson" x
          where x."schoolId" = l."schoolId" and x."liId" = l."liId" and x."suId" = ${suId}::uuid
        )
      )`
  const live = sql`l."schoolId" = ${schoolId}
    and l."delFlag" = '0'
    and l."liStatus" <> all(${gone}::text[])
    and l."liId" is distinct from ${liId}::uuid`
  const { rows } = await sql<Found>`
    with plan as (select * from unnest(${plan.map(({ from }) => from)}::timestamptz[], ${plan.map(({ to }) => to)}::timestamptz[], ${plan.map(({ place }) => place.replaceAll(/\s/g, ''))}::text[]) as p("from", "to", "place")),
    busy as (select distinct s."liId", p."place" <> '' and p."place" = regexp_replace(coalesce(nullif(s."placeText", ''), l."placeText"), '\\s', '', 'g') "samePlace"
      from plan p join "lessonSession" s on s."schoolId" = ${schoolId} and s."startTime" < p."to" and s."startTime" > p."from" - interval '31 days' and s."endTime" > p."from"
      join "lesson" l on l."schoolId" = s."schoolId" and l."liId" = s."liId" where ${live}),
    found as (
      select 'place' "kind", '' "who", b."liId", 0 "count" from busy b where b."samePlace"
      union select 'principal', p."suiName", b."liId", 0 from busy b join "lesson" l on l."schoolId" = ${schoolId} and l."liId" = b."liId" join "person" p on p."schoolId" = l."schoolId" and p."suId" = ${liPrincipalId}::uuid
        where l."liPrincipalId" = p."suId" or exists (select from "lessonPerson" x where x."schoolId" = l."schoolId" and x."liId" = l."liId" and x."suId" = p."suId")
      union select 'teacher', p."suiName", b."liId", 0 from busy b join "lesson" l on l."schoolId" = ${schoolId} and l."liId" = b."liId" join "person" p on p."schoolId" = l."schoolId" and p."suId" = any(${teacherIds}::uuid[]) and p."suId" is distinct from ${liPrincipalId}::uuid
        where l."liPrincipalId" = p."suId" or exists (select from "lessonPerson" x where x."schoolId" = l."schoolId" and x."liId" = l."liId" and x."suId" = p."suId")
      union select 'students', '', b."liId", count(distinct r."suId")::int from (select distinct "liId" from busy) b join "registration" o on o."schoolId" = ${schoolId} and o."liId" = b."liId" and o."delFlag" = '0' and o."laStatus" = ${sql.lit(applyStatus.accepted)}
        join "registration" r on r."schoolId" = ${schoolId} and r."liId" = ${liId}::uuid and r."suId" = o."suId" and r."delFlag" = '0' and r."laStatus" = ${sql.lit(applyStatus.accepted)} group by b."liId"
      union select 'name', '', l."liId", 0 from "lesson" l where ${live} and l."liName" = ${liName} and l."startTime" between ${`${addDays(dayOf(startTime), -30)} 00:00:00`}::timestamptz and ${`${addDays(dayOf(startTime), 30)} 23:59:59`}::timestamptz)
    select f.*, l."liName", l."startTime", l."endTime", ${seen} as "isSeen" from found f join "lesson" l on l."schoolId" = ${schoolId} and l."liId" = f."liId" order by f."kind", f."who", l."startTime", l."liId" limit 60`.execute(
    ctx.db,
  )
  const risks = await risksOf(ctx, input)
  const groups = new Map<string, Found[]>()
  for (const row of rows) groups.set(`${row.kind}:${row.who}`, [...(groups.get(`${row.kind}:${row.who}`) ?? []), row])
  return [...[...groups.values()].map(asConflict), ...risks]
}

/** What is risky about a plan as far as it is filled in; nothing before module, level and places are. */
async function risksOf(ctx: Context, input: Checked<typeof lessonApi.conflicts>): Promise<Conflict[]> {
  const { lsId, liLevel, quota, liPrincipalId } = input
  if (!lsId || !liLevel || quota === undefined) return []
  const plan = {
    ...input,
    quota,
    placeText: input.placeText ?? '',
    sessions: input.sessions.flatMap(({ startTime, endTime, placeText = '' }) =>
      startTime && endTime ? [{ startTime, endTime, placeText }] : [],
    ),
    applyWay: input.applyWay ?? applyWay.review,
    hasRange: hasRange(input),
    liForm: input.liForm ?? lessonForm.onSite,
    insurance: input.liExt.insurance,
    hasSafetyPlan: Boolean(input.liExt.safetyPlanFile),
    hasPlan: Boolean(input.liPlan),
    contact: input.contactName ?? '',
    liHours: input.liHours ?? null,
  }
  const [facts, { normHours, ownSteps }] = await together(
    planFacts(ctx, plan, { ...input, liLevel }),
    ownStepsOf(ctx, { ...input, lsId, liLevel }, liPrincipalId ?? ctx.actor.suId),
  )
  return planRisks(plan, { ...facts, normHours, ownSteps }).map(({ kind, text }) => ({ kind, text, lessons: [] }))
}

function asConflict(rows: Found[]): Conflict {
  const { kind, who } = rows[0]!
  const texts: Record<Found['kind'], string> = {
    place: '同一时间该地点已有其他课程',
    principal: `负责人${who}同一时间另有课程`,
    teacher: `指导老师${who}同一时间另有课程`,
    name: '前后 30 天内已有同名课程，系列活动请注明期次',
    students: `已录取学生中有 ${Math.max(...rows.map(({ count }) => count))} 人同一时间参加其他课程`,
  }
  return {
    kind,
    text: texts[kind],
    lessons: rows.slice(0, maxShown).map(({ liId, liName, startTime, endTime, isSeen }) => ({
      liId: isSeen ? liId : '',
      liName: isSeen ? liName : '其他单位的课程',
      startTime,
      endTime,
    })),
  }
}
