import { sql } from 'kysely'
import type { Checked, Output } from '../../../contract/core/call.ts'
import {
  circleFigures,
  circleSizes,
  idleDays,
  type circleStatApi,
} from '../../../contract/outcomes/statistics/circle-statistics.calls.ts'
import { together } from '../../core/base/together.ts'
import type { Context } from '../../core/request/context.ts'
import { schoolSettings } from '../../school/school/settings.service.ts'
import { cachedAnswer } from './answer-cache.ts'
import {
  activitiesEver,
  activitiesOf,
  circlesEver,
  circlesIn,
  circleStages,
  countedCircles,
  memberCounts,
  membersAt,
  currentMembers,
  momentOf,
  thereIn,
  type Activities,
  type Circle,
  type CircleFilter,
} from './circles-counted.ts'
import { cardsOf, comparisons, flatOf, percent, ratio, type CardKind } from './figures.ts'
import { measured } from './lesson-liveliness.queries.ts'
import { byLiveliness, circleWeights } from './liveliness.ts'
import type { Span } from './periods.ts'
import { eachPerson, peopleAsked } from './people-asked.ts'
import { collegeNames } from './places.ts'
import { hasBegun, sumOf } from './published.ts'

type Input = Checked<typeof circleStatApi.total>

export interface CircleFigures {
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

export const circleKinds: CardKind<CircleFigures>[] = [
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
    name: '停用',
    unit: '个',
    definition: '其中目前停用的圈子',
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

/** Memberships of the counted circles at a moment, of how many people; and how many teachers guide them now. */
async function peopleOfCircles(ctx: Context, input: CircleFilter) {
  const { rows } = await sql<Pick<CircleFigures, 'members' | 'persons' | 'teachers'>>`
      with c as (select * from ${countedCircles(ctx, input)})
      select
        (
          select count(distinct x."suId")::int
          from c
          join "circleTeacher" x on x."schoolId" = c."schoolId" and x."ciId" = c."ciId"
          where c."closeTime" is null
        ) "teachers",
        coalesce(sum(p."times"), 0)::int "members", count(*)::int "persons"
      from (
        select count(*) "times"
        from c ${membersAt(momentOf(ctx, input))}
        group by m."suId"
      ) p`.execute(ctx.db)
  return rows[0]!
}

/** The circles of the school with their activities, whatever the period. */
interface Ever {
  circles: readonly Circle[]
  activities: Activities
}

async function figuresOf(ctx: Context, input: CircleFilter, ever: Ever, among = { joined: 0, students: 0 }) {
  const circles = thereIn(ctx, ever.circles, input)
  const stages = circleStages(ctx, input, ever.activities)
  const countIn = (stage: keyof typeof stages) => circles.filter(stages[stage]).length
  return {
    count: circles.length,
    active: countIn('active'),
    disabled: countIn('disabled'),
    mending: countIn('mending'),
    added: countIn('added'),
    closed: countIn('closed'),
    idle: countIn('idle'),
    lessons: circles.reduce((sum, { ciId }) => sum + activitiesOf(ever.activities, ciId, input).length, 0),
    ...(await peopleOfCircles(ctx, input)),
    ...among,
  } satisfies CircleFigures
}

/** Those who study now in the asking person's area, and who of them belongs to a circle of the wanted kind. */
async function joinedStudents(ctx: Context, input: CircleFilter): Promise<{ joined: number; students: number }> {
  const [asked, members] = await together(peopleAsked(ctx, { collegeId: input.collegeId }), currentMembers(ctx, input))
  const { suIds } = asked.columns
  const found = { joined: 0, students: 0 }
  eachPerson(asked, (person) => {
    found.students++
    if (members.has(suIds[person]!)) found.joined++
  })
  return found
}

/** What the cards of each span are calculated from, of all circles that the asking person may see. */
export async function circleFiguresIn(ctx: Context, spans: readonly Span[]): Promise<CircleFigures[]> {
  const [circles, activities, among] = await together(
    circlesEver(ctx, {}),
    activitiesEver(ctx),
    joinedStudents(ctx, {}),
  )
  return together(...spans.map((span) => figuresOf(ctx, span, { circles, activities }, among)))
}

/** Circles, their activities and people in a period, compared with the one before and a year before. */
export const circleTotal = (ctx: Context, input: Input): Promise<Output<typeof circleStatApi.total>> =>
  cachedAnswer(ctx, 'circleTotal', input, async (asOf) => {
    const { previous, lastYear } = await comparisons(ctx, input)
    const { collegeId, ciClass, ciLevel } = input
    const [circles, activities, among] = await together(
      circlesEver(ctx, input),
      activitiesEver(ctx),
      // the same whatever the period
      cachedAnswer(ctx, 'joinedStudents', { collegeId, ciClass, ciLevel }, () => joinedStudents(ctx, input)),
    )
    const ever = { circles, activities }
    const [own, before, year] = await together(
      figuresOf(ctx, input, ever, among),
      previous && figuresOf(ctx, { ...input, ...previous }, ever),
      lastYear && figuresOf(ctx, { ...input, ...lastYear }, ever),
    )
    const cards = cardsOf(circleKinds, own, before, year)
    return { cards, ...flatOf(circleFigures, cards), asOf, previous, lastYear }
  })

interface Group {
  id: string
  circles: number
  num: number
  people: number
}

/** Circles, their activities and the times somebody was there, by what tells the groups apart. */
async function held(ctx: Context, input: CircleFilter, keyOf: (circle: Circle) => string): Promise<Group[]> {
  const { circles, activities } = await circlesIn(ctx, input)
  const groups = new Map<string, Group>()
  for (const circle of circles) {
    const id = keyOf(circle)
    const group = groups.get(id) ?? { id, circles: 0, num: 0, people: 0 }
    groups.set(id, group)
    const own = activitiesOf(activities, circle.ciId, input)
    group.circles++
    group.num += own.length
    group.people += sumOf(own, ({ signed }) => signed)
  }
  return [...groups.values()]
}

/** The school's categories in their order. */
const categories = ({ db, actor }: Context) =>
  db
    .selectFrom('circleClass')
    .select(['ccId', 'ccName'])
    .where('schoolId', '=', actor.schoolId)
    .orderBy('ccSort')
    .orderBy('ccName')
    .execute()

/** Circles, activities and people by category of circle. */
export const circlesByClass = (ctx: Context, input: Input): Promise<Output<typeof circleStatApi.classes>> =>
  cachedAnswer(ctx, 'circlesByClass', input, async () => {
    const [rows, classes] = await Promise.all([held(ctx, input, ({ ciClass }) => ciClass), categories(ctx)])
    return classes.flatMap(({ ccId, ccName }) =>
      rows.filter(({ id }) => id === ccId).map(({ num, circles, people }) => ({ ccId, ccName, num, circles, people })),
    )
  })

/** Colleges by what the circles attached to them held; circles of no college are the school's. */
export const circlesByCollege = (ctx: Context, input: Input): Promise<Output<typeof circleStatApi.colleges>> =>
  cachedAnswer(ctx, 'circlesByCollege', input, async () => {
    const [rows, names] = await Promise.all([
      held(ctx, input, ({ ciCollegeId }) => ciCollegeId ?? ''),
      collegeNames(ctx),
    ])
    return rows
      .map((row) => ({ ...row, name: row.id === '' ? '全校' : (names.get(row.id) ?? '') }))
      .toSorted((a, b) => b.num - a.num || a.name.localeCompare(b.name, 'zh'))
  })

/** The band of a number of members. */
export const sizeOf = (members: number): string => circleSizes.find(([, , from]) => members >= from)![0]

/** Whether a circle is there at a moment. */
export const isOpenAt = ({ closeTime }: Circle, at: string): boolean => closeTime === null || closeTime > at

/** Memberships by category and by the size of the circle; closed circles have none and are not counted. */
export const circleMembers = (ctx: Context, input: Input): Promise<Output<typeof circleStatApi.members>> =>
  cachedAnswer(ctx, 'circleMembers', input, async () => {
    const at = momentOf(ctx, input)
    const [ever, members, classes] = await together(
      circlesEver(ctx, input),
      memberCounts(ctx, input, at),
      categories(ctx),
    )
    const groups = new Map<string, { num: number; circles: number }>()
    const add = (key: string, num: number) => {
      const group = groups.get(key) ?? { num: 0, circles: 0 }
      groups.set(key, { num: group.num + num, circles: group.circles + 1 })
    }
    for (const circle of thereIn(ctx, ever, input)) {
      if (!isOpenAt(circle, at)) continue
      const num = members.get(circle.ciId) ?? 0
      add(circle.ciClass, num)
      add(sizeOf(num), num)
    }
    const rowsOf = (kind: 'class' | 'size', id: string, name: string) => {
      const group = groups.get(id)
      return group ? [{ kind, id, name, ...group }] : []
    }
    return [
      ...classes.flatMap(({ ccId, ccName }) => rowsOf('class', ccId, ccName)),
      ...circleSizes.flatMap(([key, name]) => rowsOf('size', key, name)),
    ]
  })

/** The twenty circles that published most. */
export const topReleases = (ctx: Context, input: Input): Promise<Output<typeof circleStatApi.releases>> =>
  cachedAnswer(ctx, 'topReleases', { ...input, opens: ctx.actor.permits.has('circle:list') }, async () => {
    const { circles, activities } = await circlesIn(ctx, input)
    return circles
      .flatMap(({ ciId, ciName }) => {
        const own = activitiesOf(activities, ciId, input)
        return own.length > 0 ? [{ ciId, ciName, num: own.length, people: sumOf(own, ({ signed }) => signed) }] : []
      })
      .toSorted((a, b) => b.num - a.num || b.people - a.people || (a.ciId < b.ciId ? -1 : 1))
      .slice(0, 20)
      .map((row) => ({ ...row, opens: ctx.actor.permits.has('circle:list') }))
  })

/** The liveliest circles by the school's weights, calculated from their activities that have begun. */
export const liveliestCircles = (ctx: Context, input: Input): Promise<Output<typeof circleStatApi.ranking>> =>
  cachedAnswer(ctx, 'liveliestCircles', { ...input, opens: ctx.actor.permits.has('circle:list') }, async () => {
    const weights = circleWeights(await schoolSettings(ctx, ctx.actor.schoolId))
    const { circles, activities } = await circlesIn(ctx, input)
    const rows = circles.flatMap(({ ciId, ciName }) => {
      const own = activitiesOf(activities, ciId, input).filter((row) => hasBegun(row, ctx.clock.now()))
      if (own.length === 0) return []
      const members = sumOf(own, (row) => row.members)
      const membersSigned = sumOf(own, (row) => row.membersSigned)
      return [{ ciId, ciName, ...measured(own, () => 1), members, membersSigned }]
    })
    return byLiveliness(rows, weights, ({ ciId }) => ciId, 50).map(
      ({ rank, ciId, ciName, count, signed, passed, stars, starTimes, members, membersSigned, score, parts }) => ({
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
      }),
    )
  })
