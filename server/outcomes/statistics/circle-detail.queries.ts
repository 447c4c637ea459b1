import { sql } from 'kysely'
import type { Checked, Output } from '../../../contract/core/call.ts'
import { labelOf } from '../../../contract/core/dictionary.ts'
import type { FileAnswer } from '../../../contract/core/file.ts'
import type { SheetColumn } from '../../../contract/core/sheets.ts'
import type { circleStatApi } from '../../../contract/outcomes/statistics/circle-statistics.calls.ts'
import type { Context } from '../../core/request/context.ts'
import { exportList, inPages, mapped } from '../../core/export/exports.ts'
import { asPage, offsetOf } from '../../core/database/paging.ts'
import { listOrder } from '../../core/database/sorting.ts'
import { activities, circleStages, countedCircles, lastActivity, membersAt, momentOf } from './circles-counted.ts'
import { sizeOf } from './circle-statistics.queries.ts'
import { percent, ratio } from './figures.ts'
import { begun, starCount, starSum } from './published.ts'

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
  const rows = page.rows.map(
    ({
      ciId,
      ciNo,
      ciName,
      ccName,
      collegeName,
      cpiPersonName,
      teacherNames,
      ciStatus,
      members: belonging,
      lessons,
      people,
      signed,
      passed,
      stars,
      starTimes,
      memberTimes,
      membersSigned,
      review,
      lastTime,
      isIdle,
    }) => ({
      ciId,
      ciNo,
      ciName,
      ccName,
      collegeName,
      cpiPersonName,
      teacherNames,
      ciStatus,
      members: belonging,
      lessons,
      people,
      signRate: percent(signed, passed),
      memberRate: percent(membersSigned, memberTimes),
      rating: ratio(stars, starTimes),
      crYear: review?.crYear ?? null,
      crResult: review?.crResult ?? null,
      lastTime,
      isIdle,
      opens,
    }),
  )
  return asPage(rows, all.rows[0]!.n, input)
}

const columns: SheetColumn[] = [
  { key: 'ciNo', label: '圈子编号', width: 14 },
  { key: 'ciName', label: '圈子名称', width: 26 },
  { key: 'ccName', label: '分类', width: 14 },
  { key: 'collegeName', label: '挂靠学院', width: 24 },
  { key: 'cpiPersonName', label: '负责人', width: 10 },
  { key: 'teacherNames', label: '指导老师', width: 20 },
  { key: 'ciStatus', label: '状态', width: 10 },
  { key: 'members', label: '成员数', kind: 'integer', width: 8 },
  { key: 'lessons', label: '活动数', kind: 'integer', width: 8 },
  { key: 'people', label: '参与人次', kind: 'integer', width: 10 },
  { key: 'signRate', label: '签到率（%）', width: 12 },
  { key: 'memberRate', label: '成员参与（%）', width: 14 },
  { key: 'rating', label: '评分', width: 8 },
  { key: 'review', label: '年审结果', width: 16 },
  { key: 'lastTime', label: '最近活动', kind: 'moment' },
  { key: 'isIdle', label: '久无活动', width: 10 },
]

/** The circles of the list as a workbook. */
export function exportCircleStatistics(
  ctx: Context,
  input: Checked<typeof circleStatApi.exportList>,
): Promise<FileAnswer> {
  const rows = mapped(
    inPages((page) => circlesDetail(ctx, page), input),
    ({ crYear, crResult, opens: _, ...row }) => ({
      ...row,
      teacherNames: row.teacherNames.join('、'),
      ciStatus: labelOf('circle_status', row.ciStatus),
      signRate: String(row.signRate ?? ''),
      memberRate: String(row.memberRate ?? ''),
      rating: String(row.rating ?? ''),
      review: crYear === null ? '' : `${crYear} 年 ${labelOf('circle_review', crResult!)}`,
      isIdle: row.isIdle ? '是' : '',
    }),
  )
  return exportList(ctx, { title: '圈子统计', columns, rows, filter: input })
}

const lessonColumns: SheetColumn[] = [
  { key: 'liName', label: '活动名称', width: 30 },
  { key: 'ciName', label: '圈子', width: 24 },
  { key: 'lsName', label: '模块', width: 24 },
  { key: 'levelName', label: '级别', width: 10 },
  { key: 'liStatus', label: '状态', width: 14 },
  { key: 'startTime', label: '开始时间', kind: 'moment' },
  { key: 'applied', label: '报名', kind: 'integer', width: 8 },
  { key: 'passed', label: '录取', kind: 'integer', width: 8 },
  { key: 'signed', label: '签到', kind: 'integer', width: 8 },
  { key: 'members', label: '成员数', kind: 'integer', width: 8 },
  { key: 'membersSigned', label: '成员签到', kind: 'integer', width: 10 },
  { key: 'rating', label: '评分', width: 8 },
]

/** The activities of the second list as a workbook. */
export function exportCircleLessons(
  ctx: Context,
  input: Checked<typeof circleStatApi.exportLessons>,
): Promise<FileAnswer> {
  const rows = mapped(
    inPages((page) => circleLessons(ctx, page), input),
    ({ liId: _, ciId: __, opens: ___, liStatus, rating, ...row }) => ({
      ...row,
      liStatus: labelOf('lesson_status', liStatus),
      rating: String(rating ?? ''),
    }),
  )
  return exportList(ctx, { title: '圈子活动明细', columns: lessonColumns, rows, filter: input })
}

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
