import { sql } from 'kysely'
import type { Checked, Output } from '../../../contract/core/call.ts'
import {
  lessonFigures,
  organiserKinds,
  type lessonStatApi,
} from '../../../contract/outcomes/statistics/lesson-statistics.calls.ts'
import type { Context } from '../../core/request/context.ts'
import { nodeNames } from '../../rules/curriculum/modules.service.ts'
import { cachedAnswer } from './answer-cache.ts'
import { cardsOf, comparisons, flatOf, percent, ratio, units, type CardKind } from './figures.ts'
import { livelyColleges } from './lesson-liveliness.queries.ts'
import { isByDay, stepsOf } from './periods.ts'
import { collegeNames } from './places.ts'
import { begun, organiserOf, publishedLessons, stages, starCount, starSum, type LessonFilter } from './published.ts'

type Input = Checked<typeof lessonStatApi.info>

interface Figures {
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

const kinds: CardKind<Figures>[] = [
  {
    key: 'count',
    name: '发布数',
    unit: '门',
    definition: '发布时间在范围内的课程，含已下架、已取消的',
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
    definition: '已下架、已取消或异常结项的课程',
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

async function figuresOf(ctx: Context, input: LessonFilter): Promise<Figures> {
  const inStage = (stage: keyof typeof stages) =>
    sql`(count(*) filter (where l."liStatus" = any(${stages[stage] as unknown as string[]}::text[])))::int`
  const held = begun(ctx.clock.now())
  const { rows } = await sql<Figures>`
      select count(*)::int "count", ${inStage('running')} "running", ${inStage('done')} "done",
        ${inStage('stopped')} "stopped", coalesce(sum(t."applied"), 0)::int "applied",
        coalesce(sum(t."passed"), 0)::int "passed", coalesce(sum(t."signed"), 0)::int "signed",
        coalesce(sum(t."qualified"), 0)::int "qualified", coalesce(sum(t."granted"), 0)::int "granted",
        coalesce(sum(t."hours"), 0)::float8 "hours", (count(*) filter (where ${held}))::int "held",
        coalesce(sum(t."passed") filter (where ${held}), 0)::int "heldPassed",
        coalesce(sum(t."signed") filter (where ${held}), 0)::int "heldSigned",
        coalesce(sum(${starSum}), 0)::int "stars", coalesce(sum(${starCount}), 0)::int "starTimes",
        coalesce(sum(t."decideSeconds"), 0)::float8 "seconds", coalesce(sum(t."decided"), 0)::int "decided",
        count(t."firstPass")::int "judged", (count(*) filter (where t."firstPass"))::int "first"
      from ${publishedLessons(ctx, input)}`.execute(ctx.db)
  return rows[0]!
}

/** Courses published: cards, trend, funnel and modules. */
export const lessonsInfo = (ctx: Context, input: Input): Promise<Output<typeof lessonStatApi.info>> =>
  cachedAnswer(ctx, 'lessonsInfo', input, async (asOf) => {
    const { previous, lastYear } = await comparisons(ctx, input)
    const span = { startTime: input.startTime, endTime: input.endTime ?? ctx.clock.now() }
    const byDay = span.startTime !== undefined && isByDay({ ...span, startTime: span.startTime })
    const [own, before, year, trend, modules, organisers, names] = await Promise.all([
      figuresOf(ctx, input),
      previous && figuresOf(ctx, { ...input, ...previous }),
      lastYear && figuresOf(ctx, { ...input, ...lastYear }),
      sql<{
        date: string
        count: number
        times: number
      }>`
        select to_char(l."publishTime", ${byDay ? 'YYYY-MM-DD' : 'YYYY-MM'}) "date", count(*)::int "count",
          sum(t."applied")::int "times"
        from ${publishedLessons(ctx, input)}
        group by 1
        order by 1`.execute(ctx.db),
      sql<{
        id: string
        count: number
        times: number
        hours: number
      }>`
        select l."lsPath"[1]::text "id", count(*)::int "count", sum(t."applied")::int "times",
          sum(t."hours")::float8 "hours"
        from ${publishedLessons(ctx, input)}
        group by 1`.execute(ctx.db),
      sql<{
        key: keyof typeof organiserKinds
        count: number
        times: number
      }>`
        select ${organiserOf} "key", count(*)::int "count", sum(t."applied")::int "times"
        from ${publishedLessons(ctx, input)}
        group by 1`.execute(ctx.db),
      nodeNames(ctx),
    ])
    const first = trend.rows[0]?.date
    // what lies ahead is no zero
    const until = span.endTime < ctx.clock.now() ? span.endTime : ctx.clock.now()
    const steps =
      first === undefined ? [] : stepsOf({ startTime: span.startTime ?? `${first}-01`, endTime: until }, byDay)
    const cards = cardsOf(kinds, own, before, year)
    return {
      cards,
      ...flatOf(lessonFigures, cards),
      asOf,
      previous,
      lastYear,
      trend: steps.map((date) => trend.rows.find((row) => row.date === date) ?? { date, count: 0, times: 0 }),
      funnel: [
        { key: 'count', name: '发布', value: own.count, unit: '门' },
        { key: 'applied', name: '报名', value: own.applied, unit: '人次' },
        { key: 'passed', name: '录取', value: own.passed, unit: '人次' },
        { key: 'signed', name: '签到', value: own.signed, unit: '人次' },
        { key: 'qualified', name: '合格', value: own.qualified, unit: '人次' },
        { key: 'granted', name: '入账', value: own.granted, unit: '人次' },
      ],
      modules: modules.rows
        .map((row) => ({
          ...row,
          name: names.get(row.id) ?? '',
          hours: units(row.hours),
          rate: percent(row.count, own.count) ?? 0,
        }))
        .toSorted((a, b) => b.count - a.count || a.name.localeCompare(b.name, 'zh')),
      organisers: organisers.rows
        .map((row) => ({ ...row, name: organiserKinds[row.key], rate: percent(row.count, own.count) ?? 0 }))
        .toSorted((a, b) => b.count - a.count || (a.key < b.key ? -1 : 1)),
    }
  })

/** Courses of each college, by level, and how lively they are. */
export const lessonsByCollege = (
  ctx: Context,
  input: Checked<typeof lessonStatApi.colleges>,
): Promise<Output<typeof lessonStatApi.colleges>> =>
  cachedAnswer(ctx, 'lessonsByCollege', input, async () => {
    const [{ rows }, colleges, levels, lively] = await Promise.all([
      sql<{
        id: string
        llId: string
        count: number
        times: number
      }>`
        select coalesce(l."liCollegeId"::text, '') "id", l."liLevel" "llId", count(*)::int "count",
          sum(t."applied")::int "times"
        from ${publishedLessons(ctx, input)}
        group by 1, 2`.execute(ctx.db),
      collegeNames(ctx),
      levelNames(ctx),
      livelyColleges(ctx, input),
    ])
    const all = rows.reduce((sum, { count }) => sum + count, 0)
    return [...new Set(rows.map(({ id }) => id))]
      .map((id) => {
        const own = rows.filter((row) => row.id === id)
        const count = own.reduce((sum, row) => sum + row.count, 0)
        return {
          id,
          name: id === '' ? '校级部门' : (colleges.get(id) ?? ''),
          count,
          rate: percent(count, all) ?? 0,
          times: own.reduce((sum, { times }) => sum + times, 0),
          levels: levels.flatMap(({ llId, name }) =>
            own.filter((row) => row.llId === llId).map((row) => ({ llId, name, count: row.count })),
          ),
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
    const [{ rows }, names] = await Promise.all([
      sql<{
        id: string
        dist: number[]
      }>`
        select l."lsPath"[1]::text "id",
          array[${sql.join([1, 2, 3, 4, 5].map((star) => sql`coalesce(sum(t."stars"[${sql.lit(star)}]), 0)::int`))}]
          "dist"
        from ${publishedLessons(ctx, input)}
        group by 1`.execute(ctx.db),
      nodeNames(ctx),
    ])
    const dist = [0, 1, 2, 3, 4].map((at) => rows.reduce((sum, row) => sum + row.dist[at]!, 0))
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
      byClass: rows
        .flatMap((row) => {
          const { avg, times } = of(row.dist)
          return avg === null ? [] : [{ id: row.id, name: names.get(row.id) ?? '', avg, times }]
        })
        .toSorted((a, b) => b.avg - a.avg || a.name.localeCompare(b.name, 'zh')),
    }
  })

export const lessonsByLevel = (
  ctx: Context,
  input: Checked<typeof lessonStatApi.level>,
): Promise<Output<typeof lessonStatApi.level>> =>
  cachedAnswer(ctx, 'lessonsByLevel', input, async () => {
    const [{ rows }, levels] = await Promise.all([
      sql<{
        llId: string
        count: number
      }>`
        select l."liLevel" "llId", count(*)::int "count"
        from ${publishedLessons(ctx, input)}
        group by 1`.execute(ctx.db),
      levelNames(ctx),
    ])
    const all = rows.reduce((sum, { count }) => sum + count, 0)
    return levels.flatMap(({ llId, name }) =>
      rows
        .filter((row) => row.llId === llId)
        .map(({ count }) => ({ llId, name, count, rate: percent(count, all) ?? 0 })),
    )
  })
