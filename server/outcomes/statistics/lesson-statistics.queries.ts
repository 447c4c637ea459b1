import type { Checked, Output } from '../../../contract/core/call.ts'
import {
  lessonFigures,
  organiserKinds,
  type lessonStatApi,
} from '../../../contract/outcomes/statistics/lesson-statistics.calls.ts'
import { together } from '../../core/base/together.ts'
import type { Context } from '../../core/request/context.ts'
import { nodeNames } from '../../rules/curriculum/modules.service.ts'
import { cachedAnswer } from './answer-cache.ts'
import { cardsOf, comparisons, flatOf, percent, ratio, units, type CardKind } from './figures.ts'
import { livelyColleges } from './lesson-liveliness.queries.ts'
import { isByDay, stepsOf, type Span } from './periods.ts'
import { collegeNames } from './places.ts'
import type { LessonRow } from './lesson-rows.ts'
import {
  groupsOfLessons,
  hasBegun,
  isAtStage,
  organiserOf,
  publishedEver,
  publishedLessons,
  stages,
  sumOf,
  within,
  type Period,
} from './published.ts'

type Input = Checked<typeof lessonStatApi.info>

export interface LessonFigures {
  count: number
  running: number
  done: number
  stopped: number
  applied: number
  passed: number
  signed: number
  qualified: number
  granted: number
  hours: number
  held: number
  heldPassed: number
  heldSigned: number
  stars: number
  starTimes: number
  seconds: number
  decided: number
  judged: number
  first: number
}

export const lessonKinds: CardKind<LessonFigures>[] = [
  {
    key: 'count',
    name: '发布数',
    unit: '门',
    definition: '发布时间在范围内的课程，含已取消发布、已取消的',
    value: ({ count }) => count,
  },
  {
    key: 'running',
    name: '进行中',
    unit: '门',
    definition: '已发布而未完成的课程，含结果审批与公示中的',
    value: ({ running }) => running,
  },
  { key: 'done', name: '已完成', unit: '门', definition: '已完成或已归档的课程', value: ({ done }) => done },
  {
    key: 'stopped',
    name: '取消或异常',
    unit: '门',
    definition: '已取消发布、已取消或异常结项的课程',
    value: ({ stopped }) => stopped,
  },
  {
    key: 'applied',
    name: '报名人次',
    unit: '人次',
    definition: '这些课程的全部报名，同一学生报名两门计 2 人次',
    value: ({ applied }) => applied,
  },
  {
    key: 'signRate',
    name: '签到率',
    unit: '%',
    definition: '签到人次 ÷ 录取人次，只计已开始且未取消的课程；免签不计为签到',
    value: ({ heldSigned, heldPassed }) => percent(heldSigned, heldPassed),
  },
  {
    key: 'perLesson',
    name: '平均每场人次',
    unit: '人次',
    definition: '签到人次 ÷ 已开始且未取消的课程数',
    value: ({ heldSigned, held }) => ratio(heldSigned, held),
  },
  {
    key: 'hours',
    name: '发放学时',
    unit: '学时',
    definition: '这些课程已记入学生台账的学时，冲正的已扣除',
    value: ({ hours }) => units(hours),
  },
  {
    key: 'granted',
    name: '成长记录',
    unit: '条',
    definition: '这些课程已记入学生台账的参与记录，全部冲正的不计',
    value: ({ granted }) => granted,
  },
  {
    key: 'rating',
    name: '平均评分',
    unit: '星',
    definition: '参与学生评价的平均星级，一至五星',
    value: ({ stars, starTimes }) => ratio(stars, starTimes),
  },
  {
    key: 'decideHours',
    name: '审批平均时长',
    unit: '小时',
    definition: '发布审批从提交到结束的平均小时数，撤回的不计',
    value: ({ seconds, decided }) => ratio(seconds / 3600, decided),
  },
  {
    key: 'firstPass',
    name: '一次通过率',
    unit: '%',
    definition: '首次提交即通过的课程 ÷ 经过审批的课程',
    value: ({ first, judged: rated }) => percent(first, rated),
  },
]

function figuresOf(rows: readonly LessonRow[], now: string): LessonFigures {
  const held = rows.filter((row) => hasBegun(row, now))
  const countIn = (stage: keyof typeof stages) => sumOf(rows, (row) => Number(isAtStage(row, stage)))
  return {
    count: rows.length,
    running: countIn('running'),
    done: countIn('done'),
    stopped: countIn('stopped'),
    applied: sumOf(rows, ({ applied }) => applied),
    passed: sumOf(rows, ({ passed }) => passed),
    signed: sumOf(rows, ({ signed }) => signed),
    qualified: sumOf(rows, ({ qualified }) => qualified),
    granted: sumOf(rows, ({ granted }) => granted),
    hours: sumOf(rows, ({ hours }) => hours),
    held: held.length,
    heldPassed: sumOf(held, ({ passed }) => passed),
    heldSigned: sumOf(held, ({ signed }) => signed),
    stars: sumOf(rows, (row) => row.starSum),
    starTimes: sumOf(rows, (row) => row.starTimes),
    seconds: sumOf(rows, ({ decideSeconds }) => decideSeconds),
    decided: sumOf(rows, ({ decided }) => decided),
    judged: sumOf(rows, ({ firstPass }) => Number(firstPass !== null)),
    first: sumOf(rows, ({ firstPass }) => Number(firstPass === true)),
  }
}

/** What the cards of each span are calculated from, of all courses that the asking person may see. */
export async function publishedFigures(ctx: Context, spans: readonly Span[]): Promise<LessonFigures[]> {
  const ever = await publishedEver(ctx, {})
  return spans.map((span) => figuresOf(within(ever, span), ctx.clock.now()))
}

/** Courses published: cards, trend, funnel and modules. */
export const lessonsInfo = (ctx: Context, input: Input): Promise<Output<typeof lessonStatApi.info>> =>
  cachedAnswer(ctx, 'lessonsInfo', input, async (asOf) => {
    const now = ctx.clock.now()
    const [{ previous, lastYear }, ever, names] = await together(
      comparisons(ctx, input),
      publishedEver(ctx, input),
      nodeNames(ctx),
    )
    const span = { startTime: input.startTime, endTime: input.endTime ?? now }
    const byDay = span.startTime !== undefined && isByDay({ ...span, startTime: span.startTime })
    const figuresIn = (period: Period | null) => period && figuresOf(within(ever, period), now)
    const rows = within(ever, input)
    const own = figuresOf(rows, now)
    const trend = groupsOfLessons(rows, ({ publishTime }) => publishTime!.slice(0, byDay ? 10 : 7))
    const first = [...trend.keys()].toSorted()[0]
    // what lies ahead is no zero
    const until = span.endTime < now ? span.endTime : now
    const steps =
      first === undefined ? [] : stepsOf({ startTime: span.startTime ?? `${first}-01`, endTime: until }, byDay)
    const cards = cardsOf(lessonKinds, own, figuresIn(previous), figuresIn(lastYear))
    const applied = (some: readonly LessonRow[]) => sumOf(some, (row) => row.applied)
    return {
      cards,
      ...flatOf(lessonFigures, cards),
      asOf,
      previous,
      lastYear,
      trend: steps.map((date) => {
        const some = trend.get(date) ?? []
        return { date, count: some.length, times: applied(some) }
      }),
      funnel: [
        { key: 'count', name: '发布', value: own.count, unit: '门' },
        { key: 'applied', name: '报名', value: own.applied, unit: '人次' },
        { key: 'passed', name: '录取', value: own.passed, unit: '人次' },
        { key: 'signed', name: '签到', value: own.signed, unit: '人次' },
        { key: 'qualified', name: '合格', value: own.qualified, unit: '人次' },
        { key: 'granted', name: '入账', value: own.granted, unit: '人次' },
      ],
      modules: [...groupsOfLessons(rows, ({ lsPath }) => lsPath[0]!)]
        .map(([id, some]) => ({
          id,
          name: names.get(id) ?? '',
          count: some.length,
          times: applied(some),
          hours: units(sumOf(some, ({ hours }) => hours)),
          rate: percent(some.length, own.count) ?? 0,
        }))
        .toSorted((a, b) => b.count - a.count || a.name.localeCompare(b.name, 'zh')),
      organisers: [...groupsOfLessons(rows, organiserOf)]
        .map(([key, some]) => ({
          key,
          name: organiserKinds[key],
          count: some.length,
          times: applied(some),
          rate: percent(some.length, own.count) ?? 0,
        }))
        .toSorted((a, b) => b.count - a.count || (a.key < b.key ? -1 : 1)),
    }
  })

/** Courses of a span by module, hours in hundredths with how many records they are of: for who compares schools. */
export async function lessonModules(
  ctx: Context,
  span: Span,
): Promise<{ name: string; count: number; times: number; granted: number; hours: number }[]> {
  const [rows, names] = await together(publishedLessons(ctx, span), nodeNames(ctx))
  return [...groupsOfLessons(rows, ({ lsPath }) => lsPath[0]!)].map(([id, some]) => ({
    name: names.get(id) ?? '',
    count: some.length,
    times: sumOf(some, ({ applied }) => applied),
    granted: sumOf(some, ({ granted }) => granted),
    hours: sumOf(some, ({ hours }) => hours),
  }))
}

/** Courses of each college, by level, and how lively they are. */
export const lessonsByCollege = (
  ctx: Context,
  input: Checked<typeof lessonStatApi.colleges>,
): Promise<Output<typeof lessonStatApi.colleges>> =>
  cachedAnswer(ctx, 'lessonsByCollege', input, async () => {
    const [rows, colleges, levels] = await together(publishedLessons(ctx, input), collegeNames(ctx), levelNames(ctx))
    const lively = await livelyColleges(ctx, rows)
    return [...groupsOfLessons(rows, ({ liCollegeId }) => liCollegeId ?? '')]
      .map(([id, own]) => {
        const ofLevels = groupsOfLessons(own, ({ liLevel }) => liLevel)
        return {
          id,
          name: id === '' ? '校级部门' : (colleges.get(id) ?? ''),
          count: own.length,
          rate: percent(own.length, rows.length) ?? 0,
          times: sumOf(own, ({ applied }) => applied),
          levels: levels.flatMap(({ llId, name }) => {
            const count = ofLevels.get(llId)?.length ?? 0
            return count === 0 ? [] : [{ llId, name, count }]
          }),
          ...lively(id),
        }
      })
      .toSorted((a, b) => b.count - a.count || a.name.localeCompare(b.name, 'zh'))
  })

/** The school's levels in their order. */
export const levelNames = ({ db, actor }: Pick<Context, 'db' | 'actor'>): Promise<{ llId: string; name: string }[]> =>
  db
    .selectFrom('lessonLevel')
    .select(['llId', 'llName as name'])
    .where('schoolId', '=', actor.schoolId)
    .orderBy('llSort')
    .orderBy('llId')
    .execute()

/** What participants thought of the courses. */
export const lessonRatings = (
  ctx: Context,
  input: Checked<typeof lessonStatApi.evaluate>,
): Promise<Output<typeof lessonStatApi.evaluate>> =>
  cachedAnswer(ctx, 'lessonRatings', input, async () => {
    const [rows, names] = await together(publishedLessons(ctx, input), nodeNames(ctx))
    const distOf = (some: readonly LessonRow[]) => [0, 1, 2, 3, 4].map((at) => sumOf(some, ({ stars }) => stars[at]!))
    const dist = distOf(rows)
    const of = (counts: number[]) => ({
      times: counts.reduce((sum, n) => sum + n, 0),
      avg: ratio(
        counts.reduce((sum, n, at) => sum + n * (at + 1), 0),
        counts.reduce((sum, n) => sum + n, 0),
      ),
    })
    return {
      ...of(dist),
      dist,
      byClass: [...groupsOfLessons(rows, ({ lsPath }) => lsPath[0]!)]
        .flatMap(([id, some]) => {
          const { avg, times } = of(distOf(some))
          return avg === null ? [] : [{ id, name: names.get(id) ?? '', avg, times }]
        })
        .toSorted((a, b) => b.avg - a.avg || a.name.localeCompare(b.name, 'zh')),
    }
  })

/** Courses by level. */
export const lessonsByLevel = (
  ctx: Context,
  input: Checked<typeof lessonStatApi.level>,
): Promise<Output<typeof lessonStatApi.level>> =>
  cachedAnswer(ctx, 'lessonsByLevel', input, async () => {
    const [rows, levels] = await together(publishedLessons(ctx, input), levelNames(ctx))
    const groups = groupsOfLessons(rows, ({ liLevel }) => liLevel)
    return levels.flatMap(({ llId, name }) => {
      const count = groups.get(llId)?.length ?? 0
      return count === 0 ? [] : [{ llId, name, count, rate: percent(count, rows.length) ?? 0 }]
    })
  })
