import { sql, type RawBuilder } from 'kysely'
import type { Checked, Output } from '../../../contract/core/call.ts'
import { supplementStatus } from '../../../contract/core/codes/programme.ts'
import { personType, studentStatus } from '../../../contract/core/codes/school.ts'
import { labelOf } from '../../../contract/core/dictionary.ts'
import type { supplementStatApi } from '../../../contract/outcomes/statistics/supplement-statistics.calls.ts'
import { together } from '../../core/base/together.ts'
import type { Context } from '../../core/request/context.ts'
import { inScope } from '../../core/request/scope-sql.ts'
import { nodeNames } from '../../rules/curriculum/modules.service.ts'
import { cachedAnswer } from './answer-cache.ts'
import { statusOf, typeOf } from './earned-format.ts'
import { cardsOf, comparisons, during, percent, ratio, units, type CardKind } from './figures.ts'
import { levelNames } from './lesson-statistics.queries.ts'
import { stepsOf, type Span } from './periods.ts'
import { groupsOf } from './people-asked.ts'
import type { Item } from './numbered.ts'
import { dayText } from './sign-ins-asked.ts'
import { eachSupplement, supplementsAsked, type SupplementsAsked } from './supplement-columns.ts'
import { inStage, isOfStage, statuses, type Stage } from './supplement-stages.ts'
import { earnedOtherwise, isByModule } from './supplement-hours.queries.ts'
import { collegeNames } from './places.ts'

type Input = Checked<typeof supplementStatApi.info> & Pick<Checked<typeof supplementStatApi.detail>, 'lacking'>

/**
 * Supplements `s` of students `p` that the asking person's area covers and that fit, whenever they were handed in and
 * whatever became of them.
 */
const inArea = (
  { scope }: Pick<Context, 'scope'>,
  { collegeId, majorId, scClassId, grade, everybody, lsId, llId, lacking }: Input,
): RawBuilder<unknown> =>
  sql.join(
    [
      sql`p."delFlag" = '0' and p."suiType" = ${sql.lit(personType.student)}`,
      ...(everybody ? [] : [sql`p."suiStatus" = ${sql.lit(studentStatus.enrolled)}`]),
      ...(collegeId ? [sql`p."suiCollegeId" = ${collegeId}::uuid`] : []),
      ...(majorId ? [sql`p."majorId" = ${majorId}::uuid`] : []),
      ...(scClassId ? [sql`p."scClassId" = ${scClassId}::uuid`] : []),
      ...(grade ? [sql`p."suiGrade" = ${grade}`] : []),
      ...(lacking === 'college' || lacking === 'both' ? [sql`p."suiCollegeId" is null`] : []),
      ...(lacking === 'grade' || lacking === 'both' ? [sql`coalesce(p."suiGrade", '') = ''`] : []),
      ...(lsId ? [sql`s."lsPath" @> array[${lsId}::uuid]`] : []),
      ...(llId ? [sql`s."lisLevel" = ${llId}`] : []),
      inScope(scope, {
        college: 'p.suiCollegeId',
        major: 'p.majorId',
        class: 'p.scClassId',
        grade: 'p.suiGrade',
        path: 's.lsPath',
      }),
    ],
    sql` and `,
  )

/** Records `s` that were handed in and stand, with the student `p`: those in the caller's scope that fit. */
export const handedIn = (ctx: Pick<Context, 'actor' | 'scope'>, input: Input): RawBuilder<unknown> =>
  sql`"supplement" s
    join "person" p on p."schoolId" = s."schoolId" and p."suId" = s."suId"
    where s."schoolId" = ${ctx.actor.schoolId}
      and s."delFlag" = '0'
      and s."lisStatus" in (
        ${sql.lit(supplementStatus.inReview)}, ${sql.lit(supplementStatus.passed)},
        ${sql.lit(supplementStatus.refused)}, ${sql.lit(supplementStatus.inNotice)},
        ${sql.lit(supplementStatus.credited)}
      )
      and ${during('s.createTime', input)}
      and ${inArea(ctx, input)}`

interface SupplementFigures {
  apply: number
  pass: number
  refuse: number
  pending: number
  publicty: number
  granted: number
  hours: number
  twice: number
  seconds: number
  decided: number
}

export const supplementKinds: CardKind<SupplementFigures>[] = [
  {
    key: 'apply',
    name: '申请',
    unit: '条',
    definition: '时间范围内提交的补录，草稿、已撤回与已删除的不计',
    value: ({ apply }) => apply,
  },
  { key: 'pass', name: '通过', unit: '条', definition: '待公示、公示中与已入账的补录', value: ({ pass }) => pass },
  { key: 'refuse', name: '驳回', unit: '条', definition: '审批未通过的补录', value: ({ refuse }) => refuse },
  { key: 'pending', name: '审批中', unit: '条', definition: '尚未审批完毕的补录', value: ({ pending }) => pending },
  { key: 'publicty', name: '公示中', unit: '条', definition: '正在公示的补录', value: ({ publicty }) => publicty },
  {
    key: 'hours',
    name: '入账学时',
    unit: '学时',
    definition: '已入账补录计入成绩单的学时，已扣除上限、就高与冲正',
    value: ({ hours }) => units(hours),
  },
  {
    key: 'passRate',
    name: '通过率',
    unit: '%',
    definition: '通过 ÷（通过 + 驳回），审批中的不计',
    value: ({ pass, refuse }) => percent(pass, pass + refuse),
  },
  {
    key: 'decideHours',
    name: '平均审核时长',
    unit: '小时',
    definition: '从提交到审批结束的平均小时数，撤回的不计',
    value: ({ seconds, decided }) => ratio(seconds / 3600, decided),
  },
  {
    key: 'twice',
    name: '疑似重复',
    unit: '条',
    definition: '同一学生以相同名称、级别和奖项提交了一条以上的补录',
    value: ({ twice }) => twice,
  },
]

/** What the figures of a period are, in one pass. @param also is given each row and its place too */
function figuresOf(
  asked: SupplementsAsked,
  span: Pick<Input, 'startTime' | 'endTime'>,
  also?: (row: number, place: number) => void,
): SupplementFigures {
  const { codes, hours, same, seconds, decided } = asked.columns.records.columns
  const [counts, hoursOfStatus] = [new Float64Array(statuses), new Float64Array(statuses)]
  const alike = new Map<number, number>()
  let [secondsOfAll, decidedOfAll, twice] = [0, 0, 0]
  eachSupplement(
    asked,
    span,
    (row, place) => {
      const status = statusOf(codes[row]!)
      counts[status]!++
      hoursOfStatus[status]! += hours[row]!
      if (decided[row]! > 0) {
        secondsOfAll += seconds[row]!
        decidedOfAll += decided[row]!
      }
      also?.(row, place)
      if (same[row]! > 0) alike.set(same[row]!, (alike.get(same[row]!) ?? 0) + 1)
    },
    () => {
      if (alike.size === 0) return
      for (const times of alike.values()) if (times > 1) twice += times
      alike.clear()
    },
  )
  const sum = (of: Float64Array, stage?: Stage) =>
    of.reduce((all, value, status) => (stage === undefined || isOfStage(stage, status) ? all + value : all), 0)
  return {
    apply: sum(counts),
    pass: sum(counts, 'pass'),
    refuse: sum(counts, 'refuse'),
    pending: sum(counts, 'pending'),
    publicty: sum(counts, 'publicty'),
    granted: sum(counts, 'granted'),
    hours: sum(hoursOfStatus, 'granted'),
    twice,
    seconds: secondsOfAll,
    decided: decidedOfAll,
  }
}

/** What the cards of each span are calculated from, of all students whom the asking person may see. */
export async function supplementFigures(ctx: Context, spans: readonly Span[]): Promise<SupplementFigures[]> {
  const asked = await supplementsAsked(ctx, {})
  return spans.map((span) => figuresOf(asked, span))
}

interface Part {
  id: string
  count: number
  /** Those that gave hours, and how many. */
  granted: number
  hours: number
}

/** Supplements by what of each is looked up: the number of a group. @returns the parts that anything is in */
function grouped(
  asked: SupplementsAsked,
  span: Pick<Input, 'startTime' | 'endTime'>,
  names: readonly string[],
  groupOf: (row: number, place: number) => number,
): Part[] {
  const parts = partsBy(asked, names, groupOf)
  eachSupplement(asked, span, parts.add)
  return parts.found()
}

/** The same for rows that are given one by one. */
function partsBy(
  { columns }: SupplementsAsked,
  names: readonly string[],
  groupOf: (row: number, place: number) => number,
) {
  const { codes, hours } = columns.records.columns
  const counts = new Uint32Array(names.length)
  const granted = new Uint32Array(names.length)
  const sums = new Float64Array(names.length)
  return {
    add: (row: number, place: number): void => {
      const group = groupOf(row, place)
      counts[group]!++
      if (!isOfStage('granted', statusOf(codes[row]!))) return
      granted[group]!++
      sums[group]! += hours[row]!
    },
    found: (): Part[] =>
      names.flatMap((id, at) =>
        counts[at]! > 0 ? [{ id, count: counts[at]!, granted: granted[at]!, hours: sums[at]! }] : [],
      ),
  }
}

/** The groups of items by something they are called: their names, and the group of each. */
function itemGroups(items: readonly Item[], nameOf: (item: Item) => string): { names: string[]; groupOf: Uint32Array } {
  const names = [...new Set(items.map(nameOf))]
  return { names, groupOf: Uint32Array.from(items, (item) => names.indexOf(nameOf(item))) }
}

/** Kinds of supplements by their number, so that none is written out for each row. */
const typeNames = Array.from({ length: 256 }, (_, type) => String(type))

const named = (rows: readonly Part[], nameOf: (id: string) => string) =>
  rows
    .map(({ id, count, hours }) => ({ id, name: nameOf(id), count, hours: units(hours) }))
    .toSorted((a, b) => b.count - a.count || a.name.localeCompare(b.name, 'zh'))

/** Supplements: cards, kinds, colleges with the share of their hours that came this way, and why they were refused. */
export const supplementInfo = (ctx: Context, input: Input): Promise<Output<typeof supplementStatApi.info>> =>
  cachedAnswer(ctx, 'supInfo', input, async (asOf) => {
    const [{ previous, lastYear }, isShared, asked, names] = await together(
      comparisons(ctx, input),
      isByModule(ctx, input),
      supplementsAsked(ctx, input),
      collegeNames(ctx),
    )
    const [others, reasons] = await together(
      isShared ? earnedOtherwise(ctx, input) : new Map<string, number>(),
      sql<{
        reason: string
        count: number
      }>`
        select s."refuseReason" "reason", count(*)::int "count"
        from ${handedIn(ctx, input)} and ${inStage('refuse')} and s."refuseReason" <> ''
        group by 1
        order by 2 desc, 1
        limit 10`.execute(ctx.db),
    )
    const { codes } = asked.columns.records.columns
    const { names: collegeIds, groupOf } = groupsOf(asked.people.columns.places, ({ collegeId }) => collegeId ?? '')
    const byType = partsBy(asked, typeNames, (row) => typeOf(codes[row]!))
    const byCollege = partsBy(asked, collegeIds, (_, place) => groupOf[place]!)
    const own = figuresOf(asked, input, (row, place) => {
      byType.add(row, place)
      byCollege.add(row, place)
    })
    const [types, colleges] = [byType.found(), byCollege.found()]
    const [before, year] = [previous && figuresOf(asked, previous), lastYear && figuresOf(asked, lastYear)]
    const ids = new Set([...colleges.map(({ id }) => id), ...others.keys()])
    const { apply, pass, refuse, pending, publicty } = own
    return {
      cards: cardsOf(supplementKinds, own, before, year),
      asOf,
      previous,
      lastYear,
      apply,
      pass,
      refuse,
      pending,
      publicty,
      hours: units(own.hours),
      types: named(types, (id) => labelOf('sup_type', id)),
      colleges: [...ids]
        .map((id) => {
          const { count, hours } = colleges.find((row) => row.id === id) ?? { count: 0, hours: 0 }
          const total = isShared ? hours + (others.get(id) ?? 0) : null
          return {
            id,
            name: names.get(id) ?? '',
            count,
            hours: units(hours),
            total: total === null ? null : units(total),
            rate: total === null ? null : percent(hours, total),
          }
        })
        .toSorted((a, b) => b.count - a.count || a.name.localeCompare(b.name, 'zh')),
      reasons: reasons.rows,
    }
  })

/** Supplements by module of the curriculum. */
export const supplementsByModule = (ctx: Context, input: Input): Promise<Output<typeof supplementStatApi.classes>> =>
  cachedAnswer(ctx, 'supsByModule', input, async () => {
    const [asked, names] = await together(supplementsAsked(ctx, input), nodeNames(ctx))
    const { item } = asked.columns.records.columns
    const modules = itemGroups(asked.columns.items, ({ path }) => path[0] ?? '')
    return named(
      grouped(asked, input, modules.names, (row) => modules.groupOf[item[row]!]!),
      (id) => names.get(id) ?? '',
    )
  })

/** Supplements by level. */
export const supplementsByLevel = (ctx: Context, input: Input): Promise<Output<typeof supplementStatApi.levels>> =>
  cachedAnswer(ctx, 'supsByLevel', input, async () => {
    const [asked, levels] = await together(supplementsAsked(ctx, input), levelNames(ctx))
    const { item } = asked.columns.records.columns
    const own = itemGroups(asked.columns.items, ({ level }) => level)
    const rows = grouped(asked, input, own.names, (row) => own.groupOf[item[row]!]!)
    return levels.flatMap(({ llId, name }) =>
      rows.filter(({ id }) => id === llId).map(({ count, hours }) => ({ id: llId, name, count, hours: units(hours) })),
    )
  })

/** The parts of a span with their names, hours in hundredths: for who compares schools. */
export async function supplementParts(
  ctx: Context,
  span: Span,
): Promise<Record<'type' | 'module' | 'level', (Part & { name: string })[]>> {
  const [asked, modules, levels] = await together(supplementsAsked(ctx, {}), nodeNames(ctx), levelNames(ctx))
  const { item, codes } = asked.columns.records.columns
  const [ofModules, ofLevels] = [
    itemGroups(asked.columns.items, ({ path }) => path[0] ?? ''),
    itemGroups(asked.columns.items, ({ level }) => level),
  ]
  const own = grouped(asked, span, ofLevels.names, (row) => ofLevels.groupOf[item[row]!]!)
  return {
    type: grouped(asked, span, typeNames, (row) => typeOf(codes[row]!)).map((part) => ({
      ...part,
      name: labelOf('sup_type', part.id),
    })),
    module: grouped(asked, span, ofModules.names, (row) => ofModules.groupOf[item[row]!]!).map((part) => ({
      ...part,
      name: modules.get(part.id) ?? '',
    })),
    // in the school's order
    level: levels.flatMap(({ llId, name }) => own.filter(({ id }) => id === llId).map((part) => ({ ...part, name }))),
  }
}

/** Records by the month in which they were handed in. */
export const supplementsByMonth = (ctx: Context, input: Input): Promise<Output<typeof supplementStatApi.months>> =>
  cachedAnswer(ctx, 'supsByMonth', input, async () => {
    const asked = await supplementsAsked(ctx, input)
    const { time, codes } = asked.columns.records.columns
    const days = new Map<number, { apply: number; pass: number }>()
    eachSupplement(asked, input, (row) => {
      const day = Math.floor(time[row]! / 86_400)
      let sum = days.get(day)
      if (sum === undefined) days.set(day, (sum = { apply: 0, pass: 0 }))
      sum.apply++
      if (isOfStage('pass', statusOf(codes[row]!))) sum.pass++
    })
    const months = new Map<string, { month: string; apply: number; pass: number }>()
    for (const [day, { apply, pass }] of days) {
      const month = dayText(day).slice(0, 7)
      const sum = months.get(month) ?? { month, apply: 0, pass: 0 }
      months.set(month, { month, apply: sum.apply + apply, pass: sum.pass + pass })
    }
    if (months.size === 0) return []
    const known = [...months.keys()].toSorted()
    const [from, to] = [input.startTime?.slice(0, 7) ?? known[0]!, known.at(-1)!]
    return stepsOf({ startTime: `${from}-01`, endTime: `${to}-28` }, false).map(
      (month) => months.get(month) ?? { month, apply: 0, pass: 0 },
    )
  })
