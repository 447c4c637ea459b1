import { sql, type RawBuilder } from 'kysely'
import type { Checked, Output } from '../../../contract/core/call.ts'
import {
  circleFigures,
  circleSizes,
  idleDays,
  type circleStatApi,
} from '../../../contract/outcomes/statistics/circle-statistics.calls.ts'
import type { Context } from '../../core/request/context.ts'
import { schoolSettings } from '../../school/school/settings.service.ts'
import { cachedAnswer } from './answer-cache.ts'
import {
  activities,
  circleStages,
  countedCircles,
  isMember,
  membersAt,
  momentOf,
  type CircleFilter,
} from './circles-counted.ts'
import { cardsOf, comparisons, flatOf, percent, ratio, type CardKind } from './figures.ts'
import { byLiveliness, circleWeights, type Measured } from './liveliness.ts'
import { atPlaces, collegeNames, personsAt } from './places.ts'
import { begun, starCount, starSum } from './published.ts'

type Input = Checked<typeof circleStatApi.total>

interface Figures {
  count: number
  active: number
  disabled: number
  mending: number
  added: number
  closed: number
  idle: number
  lessons: number
  members: number
  persons: number
  teachers: number
  joined: number
  students: number
}

const kinds: CardKind<Figures>[] = [
  {
    key: 'count',
    name: '圈子总数',
    unit: '个',
    definition: '时间范围内存在过的圈子，含期内注销的；按成立日期计，没有填写的按创建日期',
    value: ({ count }) => count,
  },
  {
    key: 'active',
    name: '启用',
    unit: '个',
    definition: '其中目前启用的圈子',
    value: ({ active }) => active,
    standing: true,
  },
  {
    key: 'disabled',
    name: '禁用',
    unit: '个',
    definition: '其中目前禁用的圈子',
    value: ({ disabled }) => disabled,
    standing: true,
  },
  { key: 'added', name: '本期新增', unit: '个', definition: '时间范围内成立的圈子', value: ({ added }) => added },
  {
    key: 'closed',
    name: '本期注销',
    unit: '个',
    definition: '时间范围内获准注销的圈子',
    value: ({ closed }) => closed,
  },
  {
    key: 'lessons',
    name: '活动数',
    unit: '场',
    definition: '时间范围内由圈子发布、未取消的课程',
    value: ({ lessons }) => lessons,
  },
  {
    key: 'perCircle',
    name: '平均活动数',
    unit: '场',
    definition: '活动数 ÷ 圈子总数',
    value: ({ lessons, count }) => ratio(lessons, count),
  },
  {
    key: 'members',
    name: '成员人次',
    unit: '人次',
    definition: '时间范围结束时（未结束的按现在）的成员，一人加入两个圈子计 2 人次；已注销的圈子不计',
    value: ({ members }) => members,
  },
  {
    key: 'persons',
    name: '成员人数',
    unit: '人',
    definition: '成员人次去重：一人加入几个圈子都计 1 人',
    value: ({ persons }) => persons,
  },
  {
    key: 'joinRate',
    name: '入团率',
    unit: '%',
    definition: '目前参加圈子的在读学生 ÷ 在读学生。按学生所在学院计，参加哪个圈子都算',
    value: ({ joined, students }) => percent(joined, students),
    standing: true,
  },
  {
    key: 'teachers',
    name: '指导教师数',
    unit: '人',
    definition: '目前指导这些圈子的教师，指导几个圈子都计 1 人；已注销的圈子不计',
    value: ({ teachers }) => teachers,
    standing: true,
  },
  {
    key: 'idle',
    name: '久无活动',
    unit: '个',
    definition: `目前启用、成立超过 ${idleDays} 天，而最近 ${idleDays} 天没有活动的圈子`,
    value: ({ idle }) => idle,
    standing: true,
  },
]

async function figuresOf(ctx: Context, input: CircleFilter, among = { joined: 0, students: 0 }): Promise<Figures> {
  const stages = circleStages(ctx, input)
  const { rows } = await sql<Omit<Figures, 'joined' | 'students'>>`
      with c as (select * from ${countedCircles(ctx, input)})
      select count(*)::int "count",
        ${sql.join(Object.entries(stages).map(([name, fits]) => sql`(count(*) filter (where ${fits}))::int ${sql.ref(name)}`))},
        (select count(*)::int from c ${activities(input)}) "lessons",
        (select count(*)::int from c ${membersAt(momentOf(ctx, input))}) "members",
        (select count(distinct m."suId")::int from c ${membersAt(momentOf(ctx, input))}) "persons",
        (
          select count(distinct x."suId")::int
          from c
          join "circleTeacher" x on x."schoolId" = c."schoolId" and x."ciId" = c."ciId"
          where c."closeTime" is null
        ) "teachers"
      from c`.execute(ctx.db)
  return { ...rows[0]!, ...among }
}

/** Those who study now in the asking person's area, and who of them belongs to a circle. */
const joinedStudents = (ctx: Context, input: CircleFilter) =>
  sql<{
    joined: number
    students: number
  }>`
    select count(*)::int "students", (count(*) filter (where ${isMember(ctx, input)}))::int "joined"
    from ${personsAt}
    where ${atPlaces(ctx, { collegeId: input.collegeId }, '1')}`
    .execute(ctx.db)
    .then(({ rows }) => rows[0]!)

export const circleTotal = (ctx: Context, input: Input): Promise<Output<typeof circleStatApi.total>> =>
  cachedAnswer(ctx, 'circleTotal', input, async (asOf) => {
    const { previous, lastYear } = await comparisons(ctx, input)
    const [own, before, year] = await Promise.all([
      joinedStudents(ctx, input).then((among) => figuresOf(ctx, input, among)),
      previous && figuresOf(ctx, { ...input, ...previous }),
      lastYear && figuresOf(ctx, { ...input, ...lastYear }),
    ])
    const cards = cardsOf(kinds, own, before, year)
    return { cards, ...flatOf(circleFigures, cards), asOf, previous, lastYear }
  })

interface Group {
  id: string
  circles: number
  num: number
  people: number
}

/** Circles, their activities and the times somebody was there, by a column of the circle. */
const held = (ctx: Context, input: CircleFilter, by: RawBuilder<unknown>) =>
  sql<Group>`
    with c as (select * from ${countedCircles(ctx, input)}),
      a as (
        select l."liCircleId" "ciId", count(*) "num", sum(t."signed") "people"
        from c ${activities(input)}
        group by 1
      )
    select ${by} "id", count(*)::int "circles", coalesce(sum(a."num"), 0)::int "num",
      coalesce(sum(a."people"), 0)::int "people"
    from c
    left join a on a."ciId" = c."ciId"
    group by 1`
    .execute(ctx.db)
    .then(({ rows }) => rows)

/** The school's categories in their order. */
const categories = ({ db, actor }: Context) =>
  db
    .selectFrom('circleClass')
    .select(['ccId', 'ccName'])
    .where('schoolId', '=', actor.schoolId)
    .orderBy('ccSort')
    .orderBy('ccName')
    .execute()

export const circlesByClass = (ctx: Context, input: Input): Promise<Output<typeof circleStatApi.classes>> =>
  cachedAnswer(ctx, 'circlesByClass', input, async () => {
    const [rows, classes] = await Promise.all([held(ctx, input, sql`c."ciClass"`), categories(ctx)])
    return classes.flatMap(({ ccId, ccName }) =>
      rows.filter(({ id }) => id === ccId).map(({ num, circles, people }) => ({ ccId, ccName, num, circles, people })),
    )
  })

/** Colleges by what the circles attached to them held; circles of no college are the school's. */
export const circlesByCollege = (ctx: Context, input: Input): Promise<Output<typeof circleStatApi.colleges>> =>
  cachedAnswer(ctx, 'circlesByCollege', input, async () => {
    const [rows, names] = await Promise.all([
      held(ctx, input, sql`coalesce(c."ciCollegeId"::text, '')`),
      collegeNames(ctx),
    ])
    return rows
      .map((row) => ({ ...row, name: row.id === '' ? '全校' : (names.get(row.id) ?? '') }))
      .toSorted((a, b) => b.num - a.num || a.name.localeCompare(b.name, 'zh'))
  })

/** The band of a number of members. */
export const sizeOf = (members: RawBuilder<unknown>): RawBuilder<string> =>
  sql<string>`case ${sql.join(
    circleSizes.map(([key, , from]) => sql`when ${members} >= ${sql.lit(from)} then ${sql.lit(key)}`),
    sql` `,
  )} end`

/** Memberships by category and by the size of the circle; closed circles have none and are not counted. */
export const circleMembers = (ctx: Context, input: Input): Promise<Output<typeof circleStatApi.members>> =>
  cachedAnswer(ctx, 'circleMembers', input, async () => {
    const at = momentOf(ctx, input)
    const sizes = sql`
      select c."ciId", c."ciClass"::text "ciClass",
        (select count(*) from (select c."schoolId", c."ciId", c."closeTime") c ${membersAt(at)})::int "n"
      from ${countedCircles(ctx, input)}
      where c."closeTime" is null or c."closeTime" > ${at}::timestamptz`
    const by = (key: RawBuilder<unknown>) =>
      sql<{
        id: string
        num: number
        circles: number
      }>`
        select ${key} "id", sum(q."n")::int "num", count(*)::int "circles"
        from (${sizes}) q
        group by 1`
        .execute(ctx.db)
        .then(({ rows }) => rows)
    const [ofClass, ofSize, classes] = await Promise.all([
      by(sql`q."ciClass"`),
      by(sizeOf(sql`q."n"`)),
      categories(ctx),
    ])
    return [
      ...classes.flatMap(({ ccId, ccName }) =>
        ofClass.filter(({ id }) => id === ccId).map((row) => ({ kind: 'class' as const, ...row, name: ccName })),
      ),
      ...circleSizes.flatMap(([key, name]) =>
        ofSize.filter(({ id }) => id === key).map((row) => ({ kind: 'size' as const, ...row, name })),
      ),
    ]
  })

/** The twenty circles that published most. */
export const topReleases = (ctx: Context, input: Input): Promise<Output<typeof circleStatApi.releases>> =>
  cachedAnswer(ctx, 'topReleases', { ...input, opens: ctx.actor.permits.has('circle:list') }, async () => {
    const { rows } = await sql<{
      ciId: string
      ciName: string
      num: number
      people: number
    }>`
      select c."ciId", c."ciName", count(*)::int "num", sum(t."signed")::int "people"
      from ${countedCircles(ctx, input)} ${activities(input)}
      group by 1, 2
      order by 3 desc, 4 desc, 1
      limit 20`.execute(ctx.db)
    return rows.map((row) => ({ ...row, opens: ctx.actor.permits.has('circle:list') }))
  })

/** The liveliest circles by the school's weights, calculated from their activities that have begun. */
export const liveliestCircles = (ctx: Context, input: Input): Promise<Output<typeof circleStatApi.ranking>> =>
  cachedAnswer(ctx, 'liveliestCircles', { ...input, opens: ctx.actor.permits.has('circle:list') }, async () => {
    const weights = circleWeights(await schoolSettings(ctx, ctx.actor.schoolId))
    const { rows } = await sql<Required<Measured> & { ciId: string; ciName: string }>`
        select c."ciId", c."ciName", count(*)::int "count", sum(t."signed")::int "signed",
          sum(t."passed")::int "passed", sum(${starSum})::int "stars", sum(${starCount})::int "starTimes",
          sum(t."members")::int "members", sum(t."membersSigned")::int "membersSigned"
        from ${countedCircles(ctx, input)} ${activities(input)}
        where ${begun(ctx.clock.now())}
        group by 1, 2`.execute(ctx.db)
    return byLiveliness(rows, weights, ({ ciId }) => ciId)
      .slice(0, 50)
      .map(({ rank, ciId, ciName, count, signed, passed, stars, starTimes, members, membersSigned, score, parts }) => ({
        rank,
        ciId,
        ciName,
        lessons: count,
        people: signed,
        signRate: percent(signed, passed),
        rating: ratio(stars, starTimes),
        memberRate: percent(membersSigned, members),
        opens: ctx.actor.permits.has('circle:list'),
        score,
        parts,
        weights,
      }))
  })
