import type { Output } from '../../../contract/core/call.ts'
import { dictionary } from '../../../contract/core/dictionary.ts'
import { teacherFigures, type teacherStatApi } from '../../../contract/outcomes/statistics/teacher-statistics.calls.ts'
import { dayEnd } from '../../core/base/clock.ts'
import { together } from '../../core/base/together.ts'
import type { Context } from '../../core/request/context.ts'
import { cachedAnswer } from './answer-cache.ts'
import { cardsOf, comparisons, flatOf, percent, ratio, units, type CardKind } from './figures.ts'
import {
  byPerson,
  guidedBy,
  guidedEver,
  guidedIn,
  staffAsked,
  type Guided,
  type Guiding,
  type TeacherFilter,
} from './guided.ts'
import { eachPerson, type PeopleAsked } from './people-asked.ts'
import { collegeNames } from './places.ts'
import type { Period } from './published.ts'
import { teachersNamed } from './teachers-named.queries.ts'

interface TeacherFigures extends Guiding {
  /** Teachers, and those of them who guide. */
  all: number
  people: number
}

export const teacherKinds: CardKind<TeacherFigures>[] = [
  {
    key: 'people',
    name: '参与指导教师',
    unit: '人',
    definition: '时间范围内负责或指导过课程的在职教职工',
    value: ({ people }) => people,
  },
  {
    key: 'rate',
    name: '参与率',
    unit: '%',
    definition: '参与指导教师 ÷ 在职教职工',
    value: ({ people, all }) => percent(people, all),
  },
  {
    key: 'perTeacher',
    name: '人均指导课程',
    unit: '门',
    definition: '指导课程数之和 ÷ 参与指导教师；一门课程由两人指导，各计一门',
    value: ({ lessons, people }) => ratio(lessons, people),
  },
  {
    key: 'hours',
    name: '指导学时',
    unit: '学时',
    definition: '所指导课程的学时之和',
    value: ({ hours }) => units(hours),
  },
  { key: 'times', name: '指导学生', unit: '人次', definition: '所指导课程的签到人次', value: ({ times }) => times },
  {
    key: 'rating',
    name: '平均评分',
    unit: '星',
    definition: '学生对所指导课程评价的平均星级',
    value: ({ stars, starTimes }) => ratio(stars, starTimes),
  },
]

function figuresOf(staff: PeopleAsked, guided: readonly Guided[]): TeacherFigures {
  const found = byPerson(guided)
  const sum = { lessons: 0, hours: 0, times: 0, stars: 0, starTimes: 0 }
  for (const one of found.values())
    for (const figure of Object.keys(sum) as (keyof Guiding)[]) sum[figure] += one[figure]
  return { ...sum, people: found.size, all: headCount(staff) }
}

function headCount(staff: PeopleAsked): number {
  let all = 0
  eachPerson(staff, () => all++)
  return all
}

/** What the cards of each period are calculated from, of all teachers whom the asking person may see. */
export async function teacherFiguresIn(ctx: Context, periods: readonly Period[]): Promise<TeacherFigures[]> {
  const { staff, guided } = await guidedEver(ctx, {})
  return periods.map((period) => figuresOf(staff, guidedIn(guided, period)))
}

/** Teachers and the courses they guided in a period, compared with the one before and a year before. */
export const teacherTotal = (ctx: Context, input: TeacherFilter): Promise<Output<typeof teacherStatApi.total>> =>
  cachedAnswer(ctx, 'teacherTotal', input, async (asOf) => {
    const [{ previous, lastYear }, { staff, guided }] = await together(comparisons(ctx, input), guidedEver(ctx, input))
    const figuresIn = (period: Period | null) => period && figuresOf(staff, guidedIn(guided, period))
    // courses that lie ahead count in the period, and not in what is compared with the passed part of another one
    const soFar = figuresIn(previous?.part ? { ...input, endTime: dayEnd(ctx.clock.now()) } : null)
    const own = figuresOf(staff, guidedIn(guided, input))
    const cards = cardsOf(teacherKinds, own, figuresIn(previous), figuresIn(lastYear), soFar ?? own)
    return { cards, ...flatOf(teacherFigures, cards), asOf, previous, lastYear }
  })

type Sum = Guiding & { id: string }

/** The first twenty teachers of those who guide, in an order, with their names. */
async function firstTeachers(
  ctx: Context,
  input: TeacherFilter,
  order: (a: Sum, b: Sum) => number,
  fits = (_: Sum) => true,
) {
  const { staff, guided } = await guidedBy(ctx, input)
  const first = [...byPerson(guided)]
    .map(([person, own]): Sum => ({ id: staff.columns.suIds[person]!, ...own }))
    .filter(fits)
    .toSorted((a, b) => order(a, b) || (a.id < b.id ? -1 : 1))
    .slice(0, 20)
  const names = await teachersNamed(
    ctx,
    first.map(({ id }) => id),
  )
  return first.flatMap((one) => {
    const person = names.get(one.id)
    return person === undefined ? [] : [{ ...one, name: person.suiName }]
  })
}

/** Whether the asking person may open teachers. */
const opens = ({ actor }: Context): boolean => actor.permits.has('teacher:list')

/** The teachers who guided most courses. */
export const teachersByActivity = (
  ctx: Context,
  input: TeacherFilter,
): Promise<Output<typeof teacherStatApi.activities>> =>
  cachedAnswer(ctx, 'teachersByActivity', { ...input, opens: opens(ctx) }, async () =>
    (await firstTeachers(ctx, input, (a, b) => b.lessons - a.lessons)).map(({ id, name, lessons }) => ({
      id,
      name,
      num: lessons,
      opens: opens(ctx),
    })),
  )

/** The teachers whose courses got the best stars, on average. */
export const teachersByScore = (ctx: Context, input: TeacherFilter): Promise<Output<typeof teacherStatApi.score>> =>
  cachedAnswer(ctx, 'teachersByScore', { ...input, opens: opens(ctx) }, async () =>
    (
      await firstTeachers(
        ctx,
        input,
        (a, b) => b.stars * a.starTimes - a.stars * b.starTimes,
        ({ starTimes }) => starTimes > 0,
      )
    ).map(({ id, name, stars, starTimes }) => ({
      id,
      name,
      score: ratio(stars, starTimes) ?? 0,
      times: starTimes,
      opens: opens(ctx),
    })),
  )

/** Teachers by sex. */
export const teachersBySex = (ctx: Context, input: TeacherFilter): Promise<Output<typeof teacherStatApi.sex>> =>
  cachedAnswer(ctx, 'teachersBySex', { collegeId: input.collegeId }, async () => {
    const staff = await staffAsked(ctx, input)
    const found = new Map<string, number>()
    eachPerson(staff, (person) => {
      const sex = staff.columns.sex[person]!
      found.set(sex, (found.get(sex) ?? 0) + 1)
    })
    return dictionary.sex.flatMap(([key, name]) => {
      const value = found.get(key)
      return value === undefined ? [] : [{ key, name, value }]
    })
  })

/** Colleges by the courses that their teachers guide: `num` courses, `people` who guide, `total` teachers. */
export const teachersByCollege = (
  ctx: Context,
  input: TeacherFilter,
): Promise<Output<typeof teacherStatApi.colleges>> =>
  cachedAnswer(ctx, 'teachersByCollege', input, async () => {
    const [{ staff, guided }, names] = await together(guidedBy(ctx, input), collegeNames(ctx))
    const { place, places } = staff.columns
    const found = new Map<string, { num: number; people: number; total: number }>()
    const of = (at: number) => {
      const id = places[at]!.collegeId ?? ''
      const known = found.get(id)
      if (known) return known
      const made = { num: 0, people: 0, total: 0 }
      found.set(id, made)
      return made
    }
    eachPerson(staff, (_, at) => of(at).total++)
    for (const [person, { lessons }] of byPerson(guided)) {
      const college = of(place[person]!)
      college.num += lessons
      college.people++
    }
    return [...found]
      .map(([id, { num, people, total }]) => ({
        id,
        name: id === '' ? '校级部门' : (names.get(id) ?? ''),
        num,
        people,
        total,
        rate: percent(people, total),
      }))
      .toSorted((a, b) => b.num - a.num || a.name.localeCompare(b.name, 'zh'))
  })
