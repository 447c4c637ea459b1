import { sql } from 'kysely'
import type { Checked, Output } from '../../../contract/core/call.ts'
import { labelOf } from '../../../contract/core/dictionary.ts'
import type { circleStatApi } from '../../../contract/outcomes/statistics/circle-statistics.calls.ts'
import type { Context } from '../../core/request/context.ts'
import { code, count, moment, text, texts, yesOrEmpty } from '../../core/export/columns.ts'
import { pagedExport } from '../../core/export/exports.ts'
import { together } from '../../core/base/together.ts'
import { asPage } from '../../core/database/paging.ts'
import {
  activitiesOf,
  circlesIn,
  circleStages,
  lastActivity,
  memberCounts,
  momentOf,
  type Circle,
} from './circles-counted.ts'
import { isOpenAt, sizeOf } from './circle-statistics.queries.ts'
import type { LessonRow } from './lesson-rows.ts'
import { lessonsNamed } from './lessons-named.queries.ts'
import { pageOf } from './pages.ts'
import { percent, ratio } from './figures.ts'
import { hasBegun, sumOf } from './published.ts'
import { pickFields } from '../../core/base/pick-fields.ts'

/** What the list says of a circle beside its figures. */
interface Said {
  ciId: string
  ccName: string
  collegeName: string
  cpiPersonName: string
  teacherNames: string[]
  review: { crYear: number; crResult: string; crStar: string | null } | null
}

/** A circle of the list before its names are known. */
interface Found {
  id: string
  circle: Circle
  members: number
  own: LessonRow[]
  people: number
  lastTime: string | null
}

/** What the list can be ordered by; the first one if nothing is asked for. */
const sortable: Record<string, (one: Found) => string | number | null> = {
  lessons: ({ own }) => own.length,
  ciNo: ({ circle }) => circle.ciNo,
  members: ({ members }) => members,
  people: ({ people }) => people,
  lastTime: ({ lastTime }) => lastTime,
}

/** What is said of the circles of a page. */
async function saidOf({ db, actor }: Context, ciIds: readonly string[]): Promise<Map<string, Said>> {
  const { rows } = await sql<Said>`
    select i."ciId",
      (select k."ccName" from "circleClass" k where k."schoolId" = i."schoolId" and k."ccId" = i."ciClass") "ccName",
      coalesce(
        (select o."scName" from "college" o where o."schoolId" = i."schoolId" and o."scId" = i."ciCollegeId"), ''
      ) "collegeName",
      (select p."suiName" from "person" p where p."schoolId" = i."schoolId" and p."suId" = i."cpiPersonId")
      "cpiPersonName",
      array(
        select p."suiName"
        from "circleTeacher" x
        join "person" p on p."schoolId" = x."schoolId" and p."suId" = x."suId"
        where x."schoolId" = i."schoolId" and x."ciId" = i."ciId"
        order by p."suiNumber"
      ) "teacherNames",
      (
        select json_build_object('crYear', r."crYear", 'crResult', r."crResult", 'crStar', r."crStar")
        from "circleReview" r
        where r."schoolId" = i."schoolId" and r."ciId" = i."ciId"
        order by r."crYear" desc
        limit 1
      ) "review"
    from "circle" i
    where i."schoolId" = ${actor.schoolId} and i."ciId" = any(${ciIds}::uuid[])`.execute(db)
  return new Map(rows.map((row) => [row.ciId, row]))
}

/** The circles behind the figures, those that published most first. */
export async function circlesDetail(
  ctx: Context,
  input: Checked<typeof circleStatApi.detail>,
): Promise<Output<typeof circleStatApi.detail>> {
  const [at, now] = [momentOf(ctx, input), ctx.clock.now()]
  const [{ circles, activities }, members] = await together(circlesIn(ctx, input), memberCounts(ctx, input, at))
  const stages = circleStages(ctx, input, activities)
  const membersOf = ({ ciId }: Circle) => members.get(ciId) ?? 0
  const found = circles
    .filter(
      (circle) =>
        (!input.stage || stages[input.stage](circle)) &&
        (!input.size || (isOpenAt(circle, at) && sizeOf(membersOf(circle)) === input.size)),
    )
    .map((circle): Found => {
      const own = activitiesOf(activities, circle.ciId, input)
      return {
        id: circle.ciId,
        circle,
        own,
        members: membersOf(circle),
        people: sumOf(own, ({ signed }) => signed),
        lastTime: lastActivity(activities, circle.ciId, now),
      }
    })
  // circles come in the order of their numbers
  const places = new Map(circles.map(({ ciId }, place) => [ciId, place]))
  const page = pageOf(found, input, sortable, input.order ?? 'desc', ({ id }) => places.get(id)!)
  const said = await saidOf(
    ctx,
    page.map(({ id }) => id),
  )
  const opens = ctx.actor.permits.has('circle:list')
  const records = page.flatMap(({ id, circle, members: count, own, people, lastTime }) => {
    const words = said.get(id)
    if (words === undefined) return []
    const { review, ...names } = words
    const begun = own.filter((row) => hasBegun(row, now))
    const sum = (figure: (row: LessonRow) => number) => sumOf(begun, figure)
    return [
      {
        ...pickFields(circle, ['ciId', 'ciNo', 'ciName', 'ciStatus']),
        ...names,
        members: count,
        lessons: own.length,
        people,
        lastTime,
        isIdle: stages.idle(circle),
        signRate: percent(
          sum(({ signed }) => signed),
          sum(({ passed }) => passed),
        ),
        memberRate: percent(
          sum(({ membersSigned }) => membersSigned),
          sum((row) => row.members),
        ),
        rating: ratio(
          sumOf(own, (one) => one.starSum),
          sumOf(own, (one) => one.starTimes),
        ),
        crYear: review?.crYear ?? null,
        crResult: review?.crResult ?? null,
        crStar: review?.crStar ?? null,
        opens,
      },
    ]
  })
  return asPage(records, found.length, input)
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
    code('星级', 'circle_star', 'crStar', 8),
    moment('最近活动', 'lastTime'),
    yesOrEmpty('久无活动', 'isIdle', 10),
  ],
  circlesDetail,
)

/** What the list of activities can be ordered by; the first one if nothing is asked for. */
const heldOrders: Record<string, (one: { row: LessonRow }) => string | number | null> = {
  startTime: ({ row }) => row.startTime,
  applied: ({ row }) => row.applied,
  passed: ({ row }) => row.passed,
  signed: ({ row }) => row.signed,
  rating: ({ row }) => ratio(row.starSum, row.starTimes),
}

/** The activities behind the figures, the latest first unless another order is asked for. */
export async function circleLessons(
  ctx: Context,
  input: Checked<typeof circleStatApi.lessons>,
): Promise<Output<typeof circleStatApi.lessons>> {
  const { circles, activities } = await circlesIn(ctx, input)
  const found = circles.flatMap(({ ciId, ciName }) =>
    input.ciId && input.ciId !== ciId
      ? []
      : activitiesOf(activities, ciId, input).map((row) => ({ id: row.id, ciId, ciName, row })),
  )
  const page = pageOf(found, input, heldOrders, 'desc')
  const said = await lessonsNamed(
    ctx,
    page.map(({ id }) => id),
  )
  const opens = ctx.actor.permits.has('lesson:list')
  const records = page.flatMap(({ id, ciId, ciName, row }) => {
    const words = said.get(id)
    return words === undefined
      ? []
      : [
          {
            ...pickFields(words, ['liId', 'liName', 'levelName', 'lsName']),
            ciId,
            ciName,
            ...pickFields(row, ['liStatus', 'startTime', 'applied', 'passed', 'signed', 'members', 'membersSigned']),
            rating: ratio(row.starSum, row.starTimes),
            opens,
          },
        ]
  })
  return asPage(records, found.length, input)
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
