import { sql } from 'kysely'
import type { Checked, Output } from '../../../contract/core/call.ts'
import { labelOf } from '../../../contract/core/dictionary.ts'
import type { circleStatApi } from '../../../contract/outcomes/statistics/circle-statistics.calls.ts'
import type { Context } from '../../core/request/context.ts'
import { code, count, moment, text, texts, yesOrEmpty } from '../../core/export/columns.ts'
import { pagedExport } from '../../core/export/exports.ts'
import { asPage, offsetOf } from '../../core/database/paging.ts'
import { listOrder } from '../../core/database/sorting.ts'
import { activities, circleStages, countedCircles, lastActivity, membersAt, momentOf } from './circles-counted.ts'
import { sizeOf } from './circle-statistics.queries.ts'
import { percent, ratio } from './figures.ts'
import { begun, starCount, starSum } from './published.ts'
import { pickFields } from '../../core/base/pick-fields.ts'

interface Row {
  ciId: string
  ciNo: string
  ciName: string
  ccName: string
  collegeName: string
  cpiPersonName: string
  teacherNames: string[]
  ciStatus: string
  members: number
  lessons: number
  people: number
  passed: number
  stars: number
  starTimes: number
  memberTimes: number
  membersSigned: number
  review: { crYear: number; crResult: string } | null
  lastTime: string | null
  isIdle: boolean
}

const sortable = {
  lessons: 'q.lessons',
  ciNo: 'q.ciNo',
  members: 'q.members',
  people: 'q.people',
  lastTime: 'q.lastTime',
}

/** The circles behind the figures, those that published most first. */
export async function circlesDetail(
  ctx: Context,
  input: Checked<typeof circleStatApi.detail>,
): Promise<Output<typeof circleStatApi.detail>> {
  const stages = circleStages(ctx, input)
  const at = momentOf(ctx, input)
  const members = sql`(select count(*) from (select c."schoolId", c."ciId", c."closeTime") c ${membersAt(at)})`
  const fits = sql`${input.stage ? stages[input.stage] : sql`true`}
    and
    ${
      input.size
        ? sql`(c."closeTime" is null or c."closeTime" > ${at}::timestamptz)
      and ${sizeOf(members)} = ${input.size}`
        : sql`true`
    }`
  const held = sql`
    select l."liCircleId" "ciId", count(*) "lessons", sum(t."signed") "people",
      sum(t."signed") filter (where ${begun(ctx.clock.now())}) "signed",
      sum(t."passed") filter (where ${begun(ctx.clock.now())}) "passed", sum(${starSum}) "stars",
      sum(${starCount}) "starTimes", sum(t."members") filter (where ${begun(ctx.clock.now())}) "memberTimes",
      sum(t."membersSigned") filter (where ${begun(ctx.clock.now())}) "membersSigned"
    from ${countedCircles(ctx, input)} ${activities(input)}
    group by 1`
  const [page, all] = await Promise.all([
    sql<Row & { signed: number }>`
      select q.*,
        (select k."ccName" from "circleClass" k where k."schoolId" = ${ctx.actor.schoolId} and k."ccId" = q."ciClass")
        "ccName",
        coalesce(
          (
            select o."scName"
            from "college" o
            where o."schoolId" = ${ctx.actor.schoolId} and o."scId" = q."ciCollegeId"
          ), ''
        ) "collegeName",
        (select p."suiName" from "person" p where p."schoolId" = ${ctx.actor.schoolId} and p."suId" = q."cpiPersonId")
        "cpiPersonName",
        array(
          select p."suiName"
          from "circleTeacher" x
          join "person" p on p."schoolId" = x."schoolId" and p."suId" = x."suId"
          where x."schoolId" = ${ctx.actor.schoolId} and x."ciId" = q."ciId"
          order by p."suiNumber"
        ) "teacherNames",
        (
          select json_build_object('crYear', r."crYear", 'crResult', r."crResult")
          from "circleReview" r
          where r."schoolId" = ${ctx.actor.schoolId} and r."ciId" = q."ciId"
          order by r."crYear" desc
          limit 1
        ) "review"
      from (
        select c."ciId", c."ciNo", c."ciName", c."ciClass", c."ciCollegeId", c."cpiPersonId", c."ciStatus",
          ${members}::int "members", coalesce(h."lessons", 0)::int "lessons", coalesce(h."people", 0)::int "people",
          coalesce(h."signed", 0)::int "signed", coalesce(h."passed", 0)::int "passed",
          coalesce(h."stars", 0)::int "stars", coalesce(h."starTimes", 0)::int "starTimes",
          coalesce(h."memberTimes", 0)::int "memberTimes", coalesce(h."membersSigned", 0)::int "membersSigned",
          ${lastActivity(ctx)} "lastTime", ${stages.idle} "isIdle"
        from ${countedCircles(ctx, input)}
        left join (${held}) h on h."ciId" = c."ciId"
        where ${fits}
      ) q
      order by ${listOrder(input, sortable, input.order ?? 'desc')} nulls last, q."ciNo", q."ciId"
      limit ${input.pageSize}
      offset ${offsetOf(input)}`.execute(ctx.db),
    sql<{ n: number }>`select count(*)::int "n" from ${countedCircles(ctx, input)} where ${fits}`.execute(ctx.db),
  ])
  const opens = ctx.actor.permits.has('circle:list')
  const rows = page.rows.map((row) => ({
    ...pickFields(row, [
      'ciId',
      'ciNo',
      'ciName',
      'ccName',
      'collegeName',
      'cpiPersonName',
      'teacherNames',
      'ciStatus',
      'members',
      'lessons',
      'people',
      'lastTime',
      'isIdle',
    ]),
    signRate: percent(row.signed, row.passed),
    memberRate: percent(row.membersSigned, row.memberTimes),
    rating: ratio(row.stars, row.starTimes),
    crYear: row.review?.crYear ?? null,
    crResult: row.review?.crResult ?? null,
    opens,
  }))
  return asPage(rows, all.rows[0]!.n, input)
}

const reviewText = ({ crYear, crResult }: { crYear: number | null; crResult: string | null }) =>
  crYear === null ? '' : `${crYear} 年 ${labelOf('circle_review', crResult!)}`

/** The circles of the list as a workbook. */
export const exportCircleStatistics = pagedExport(
  '圈子统计',
  [
    text('圈子编号', 'ciNo', 14),
    text('圈子名称', 'ciName', 26),
    text('分类', 'ccName', 14),
    text('挂靠学院', 'collegeName', 24),
    text('负责人', 'cpiPersonName', 10),
    texts('指导老师', 'teacherNames', 20),
    code('状态', 'circle_status', 'ciStatus', 10),
    count('成员数', 'members', 8),
    count('活动数', 'lessons', 8),
    count('参与人次', 'people', 10),
    text('签到率（%）', 'signRate', 12),
    text('成员参与（%）', 'memberRate', 14),
    text('评分', 'rating', 8),
    text('年审结果', reviewText, 16),
    moment('最近活动', 'lastTime'),
    yesOrEmpty('久无活动', 'isIdle', 10),
  ],
  circlesDetail,
)

type LessonRow = Omit<Output<typeof circleStatApi.lessons>['records'][number], 'rating' | 'opens'> & {
  stars: number
  starTimes: number
}

/** The activities behind the figures, the latest first. */
export async function circleLessons(
  ctx: Context,
  input: Checked<typeof circleStatApi.lessons>,
): Promise<Output<typeof circleStatApi.lessons>> {
  const from = sql`from ${countedCircles(ctx, input)} ${activities(input)}
    where ${input.ciId ? sql`c."ciId" = ${input.ciId}::uuid` : sql`true`}`
  const [page, all] = await Promise.all([
    sql<LessonRow>`
      select l."liId", l."liName", c."ciId", c."ciName", l."liStatus", l."startTime", t."applied", t."passed",
        t."signed", t."members", t."membersSigned", ${starSum} "stars", ${starCount} "starTimes",
        (select v."llName" from "lessonLevel" v where v."schoolId" = l."schoolId" and v."llId" = l."liLevel")
        "levelName",
        (
          select string_agg(k."lsName", ' / ' order by p."at")
          from unnest(l."lsPath") with ordinality p("id", "at")
          join "curriculum" k on k."schoolId" = l."schoolId" and k."lsId" = p."id"
        ) "lsName" ${from}
      order by l."startTime" desc, l."liId"
      limit ${input.pageSize}
      offset ${offsetOf(input)}`.execute(ctx.db),
    sql<{ n: number }>`select count(*)::int "n" ${from}`.execute(ctx.db),
  ])
  const opens = ctx.actor.permits.has('lesson:list')
  return asPage(
    page.rows.map(({ stars, starTimes, ...row }) => ({ ...row, rating: ratio(stars, starTimes), opens })),
    all.rows[0]!.n,
    input,
  )
}

/** The activities of the second list as a workbook. */
export const exportCircleLessons = pagedExport(
  '圈子活动明细',
  [
    text('活动名称', 'liName', 30),
    text('圈子', 'ciName', 24),
    text('模块', 'lsName', 24),
    text('级别', 'levelName', 10),
    code('状态', 'lesson_status', 'liStatus', 14),
    moment('开始时间', 'startTime'),
    count('报名', 'applied', 8),
    count('录取', 'passed', 8),
    count('签到', 'signed', 8),
    count('成员数', 'members', 8),
    count('成员签到', 'membersSigned', 10),
    text('评分', 'rating', 8),
  ],
  circleLessons,
)
