import { sql, type RawBuilder } from 'kysely'
import { dayFigure } from '../../../contract/core/codes/outcomes.ts'
import type { Checked, Output } from '../../../contract/core/call.ts'
import { approvalStatus, creditType, supplementStatus } from '../../../contract/core/codes/programme.ts'
import { personType, studentStatus } from '../../../contract/core/codes/school.ts'
import { labelOf } from '../../../contract/core/dictionary.ts'
import {
  supplementStages,
  type supplementStatApi,
} from '../../../contract/outcomes/statistics/supplement-statistics.calls.ts'
import type { Context } from '../../core/request/context.ts'
import { inScope } from '../../core/request/scope-sql.ts'
import { nodeNames } from '../../rules/curriculum/modules.service.ts'
import { cachedAnswer } from './answer-cache.ts'
import { cardsOf, comparisons, during, duringDays, percent, ratio, units, type CardKind } from './figures.ts'
import { levelNames } from './lesson-statistics.queries.ts'
import { stepsOf } from './periods.ts'
import { atPlaces, collegeNames } from './places.ts'

type Input = Checked<typeof supplementStatApi.info> & Pick<Checked<typeof supplementStatApi.detail>, 'lacking'>

/** Statuses of a record by what the cards call them (docs/rules.md R19). */
const stages = {
  pass: [supplementStatus.passed, supplementStatus.inNotice, supplementStatus.credited],
  refuse: [supplementStatus.refused],
  pending: [supplementStatus.inReview],
  publicty: [supplementStatus.inNotice],
  granted: [supplementStatus.credited],
} as const satisfies Partial<Record<(typeof supplementStages)[number][0], readonly string[]>>
/** That a record has a status that belongs to a stage. */
export const inStage = (stage: keyof typeof stages) =>
  sql<boolean>`s."lisStatus" = any(${stages[stage] as unknown as string[]}::text[])`

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

/**
 * Records that were handed in and stand, as `s`, with the student `p`: those that the asking person's area covers and
 * that fit.
 */
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

/** What the ledger holds of a record `s`, in hundredths of hours: what caps and best-only groups left of it. */
export const grantedHours = sql<number>`(
    select coalesce(sum(c."clValue"), 0)::int
    from "creditLedger" c
    where c."schoolId" = s."schoolId"
      and c."bizId" = s."lisId"
      and c."suId" = s."suId"
      and c."clType" = ${sql.lit(creditType.hours)}
  )`

/**
 * The records that were handed in, as `s` with the student's college, and beside each that is credited {@link
 * grantedHours} as `g."hours"`. The entries of all records are added up in one pass.
 */
const withGranted = (ctx: Context, input: Input): RawBuilder<unknown> => sql`
    (select s.*, p."suiCollegeId" from ${handedIn(ctx, input)}) s
    left join (
      select c."bizId", c."suId", sum(c."clValue") "hours"
      from "creditLedger" c
      where c."schoolId" = ${ctx.actor.schoolId}
        and c."clType" = ${sql.lit(creditType.hours)}
        and c."bizId" in (select s."lisId" from ${handedIn(ctx, input)} and ${inStage('granted')})
      group by 1, 2
    ) g on g."bizId" = s."lisId" and g."suId" = s."suId"`

interface Figures {
  apply: number
  pass: number
  refuse: number
  pending: number
  publicty: number
  hours: number
  twice: number
  seconds: number
  decided: number
}

const kinds: CardKind<Figures>[] = [
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

/** That an approval `x` of a record has ended with a decision. */
export const decided = sql`x."bizType" = 'supplement'
  and x."insStatus" in (${sql.lit(approvalStatus.passed)}, ${sql.lit(approvalStatus.refused)})
  and x."endTime" is not null`

async function figuresOf(ctx: Context, input: Input): Promise<Figures> {
  const counted = ['pass', 'refuse', 'pending', 'publicty'] as const
  const added = [...counted, 'hours', 'seconds', 'decided'] as const
  const { rows } = await sql<Figures>`
      select coalesce(sum(q."n"), 0)::int "apply", coalesce(sum(q."n") filter (where q."n" > 1), 0)::int "twice",
        ${sql.join(added.map((name) => sql`coalesce(sum(q.${sql.ref(name)}), 0)::float8 ${sql.ref(name)}`))}
      from (
        select count(*) "n",
          ${sql.join(counted.map((stage) => sql`count(*) filter (where ${inStage(stage)}) ${sql.ref(stage)}`))},
          sum(g."hours") "hours", sum(a."seconds") "seconds", sum(a."decided") "decided"
        from ${withGranted(ctx, input)}
        left join (
          select x."bizId", sum(extract(epoch from x."endTime" - x."startTime")) "seconds", count(*) "decided"
          from "approval" x
          where x."schoolId" = ${ctx.actor.schoolId} and ${decided}
          group by 1
        ) a on a."bizId" = s."lisId"
        group by s."suId", s."lisName", s."lisLevel", s."lisAward"
      ) q`.execute(ctx.db)
  return rows[0]!
}

interface Part {
  id: string
  count: number
  hours: number
}

const grouped = (ctx: Context, input: Input, by: RawBuilder<unknown>) =>
  sql<Part>`
    select coalesce((${by})::text, '') "id", count(*)::int "count", coalesce(sum(g."hours"), 0)::float8 "hours"
    from ${withGranted(ctx, input)}
    group by 1`
    .execute(ctx.db)
    .then(({ rows }) => rows)

/** By kind and by the students' college, in one pass. */
async function byTypeAndCollege(ctx: Context, input: Input): Promise<{ types: Part[]; colleges: Part[] }> {
  const { rows } = await sql<Part & { isType: boolean }>`
    select grouping(s."suiCollegeId") = 1 "isType",
      coalesce(case when grouping(s."suiCollegeId") = 1 then s."lisType" else s."suiCollegeId"::text end, '') "id",
      count(*)::int "count", coalesce(sum(g."hours"), 0)::float8 "hours"
    from ${withGranted(ctx, input)}
    group by grouping sets ((s."lisType"), (s."suiCollegeId"))`.execute(ctx.db)
  return { types: rows.filter(({ isType }) => isType), colleges: rows.filter(({ isType }) => !isType) }
}

const named = (rows: readonly Part[], nameOf: (id: string) => string) =>
  rows
    .map(({ id, count, hours }) => ({ id, name: nameOf(id), count, hours: units(hours) }))
    .toSorted((a, b) => b.count - a.count || a.name.localeCompare(b.name, 'zh'))

/** Hours that occurred in the period and did not come from supplements, by the students' college. */
async function earnedOtherwise(ctx: Context, input: Input): Promise<Map<string, number>> {
  const { rows } = await sql<{ id: string; hours: number }>`
        select coalesce(pl."collegeId"::text, '') "id", sum(d."hours")::float8 "hours"
        from (
          select x.*, array[x."item"] "path"
          from "statDay" x
          where x."schoolId" = ${ctx.actor.schoolId}
            and x."stKind" in (${sql.lit(dayFigure.lesson)}, ${sql.lit(dayFigure.other)})
            and ${duringDays('x.stDay', input)}
        ) d
        join "statPlace" pl on pl."schoolId" = d."schoolId" and pl."plId" = d."plId"
        where ${atPlaces(ctx, input, '1')}
          and
          ${inScope(ctx.scope, { college: 'pl.collegeId', major: 'pl.majorId', class: 'pl.classId', grade: 'pl.grade', path: 'd.path' })}
        group by 1`.execute(ctx.db)
  return new Map(rows.map(({ id, hours }) => [id, hours]))
}

/**
 * Whether all asked for can be told from what is kept by day, which knows modules and nothing finer: no level, and no
 * node but those that are modules.
 */
async function isByModule({ db, actor, scope }: Context, { lsId, llId }: Input): Promise<boolean> {
  const nodes = scope.whole ? [] : scope.areas.flatMap(({ lsIds }) => lsIds)
  if (lsId || llId || nodes.length === 0) return !lsId && !llId
  return (
    (
      await sql`
        select
        from "curriculum"
        where "schoolId" = ${actor.schoolId} and "lsId" = any(${nodes}::uuid[]) and "lsPid" is not null
        limit 1`.execute(db)
    ).rows.length === 0
  )
}

/** Supplements: cards, kinds, colleges with the share of their hours that came this way, and why they were refused. */
export const supplementInfo = (ctx: Context, input: Input): Promise<Output<typeof supplementStatApi.info>> =>
  cachedAnswer(ctx, 'supInfo', input, async (asOf) => {
    const { previous, lastYear } = await comparisons(ctx, input)
    const isShared = await isByModule(ctx, input)
    const [own, before, year, { types, colleges }, others, reasons, names] = await Promise.all([
      figuresOf(ctx, input),
      previous && figuresOf(ctx, { ...input, ...previous }),
      lastYear && figuresOf(ctx, { ...input, ...lastYear }),
      byTypeAndCollege(ctx, input),
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
      collegeNames(ctx),
    ])
    const ids = new Set([...colleges.map(({ id }) => id), ...others.keys()])
    const { apply, pass, refuse, pending, publicty } = own
    return {
      cards: cardsOf(kinds, own, before, year),
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

export const supplementsByModule = (ctx: Context, input: Input): Promise<Output<typeof supplementStatApi.classes>> =>
  cachedAnswer(ctx, 'supsByModule', input, async () => {
    const [rows, names] = await Promise.all([grouped(ctx, input, sql`s."lsPath"[1]`), nodeNames(ctx)])
    return named(rows, (id) => names.get(id) ?? '')
  })

export const supplementsByLevel = (ctx: Context, input: Input): Promise<Output<typeof supplementStatApi.levels>> =>
  cachedAnswer(ctx, 'supsByLevel', input, async () => {
    const [rows, levels] = await Promise.all([grouped(ctx, input, sql`s."lisLevel"`), levelNames(ctx)])
    return levels.flatMap(({ llId, name }) =>
      rows.filter(({ id }) => id === llId).map(({ count, hours }) => ({ id: llId, name, count, hours: units(hours) })),
    )
  })

/** Records by the month in which they were handed in. */
export const supplementsByMonth = (ctx: Context, input: Input): Promise<Output<typeof supplementStatApi.months>> =>
  cachedAnswer(ctx, 'supsByMonth', input, async () => {
    const { rows } = await sql<{
      month: string
      apply: number
      pass: number
    }>`
      select to_char(s."createTime", 'YYYY-MM') "month", count(*)::int "apply",
        (count(*) filter (where ${inStage('pass')}))::int "pass"
      from ${handedIn(ctx, input)}
      group by 1
      order by 1`.execute(ctx.db)
    if (rows.length === 0) return []
    const [from, to] = [input.startTime?.slice(0, 7) ?? rows[0]!.month, rows.at(-1)!.month]
    return stepsOf({ startTime: `${from}-01`, endTime: `${to}-28` }, false).map(
      (month) => rows.find((row) => row.month === month) ?? { month, apply: 0, pass: 0 },
    )
  })
