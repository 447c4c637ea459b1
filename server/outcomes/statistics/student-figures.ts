import { creditBands, credibilityBands } from '../../../contract/outcomes/statistics/student-statistics.calls.ts'
import type { Context } from '../../core/request/context.ts'
import type { EarnedFilter } from './earned.ts'
import { sumsOf } from './earned-sums.ts'
import { percent, ratio, type CardKind } from './figures.ts'
import { countedIn, eachPerson, peopleAsked, type PeopleAsked } from './people-asked.ts'
import type { Span } from './periods.ts'

/** What is said of means where some students may be left out of them. */
const leftOut = '；学校设置平均数不含本学期新生时，本学期入学的学生不计'

interface StudentFigures {
  people: number
  recorded: number
  met: number
  zero: number
  black: number
  counted: number
  hours: number
  activities: number
  /** Those of the counted ones whom the hours and the activities are of. */
  earning: number
  active: number
}

/** What the filters leave of records, and of whom they are compared. */
const ofFilter = '；选择了时间、模块或级别时，只计其中的记录'
const ofToday = '；各期都按现在的学生计'
export const studentKinds: CardKind<StudentFigures>[] = [
  {
    key: 'people',
    name: '学生人数',
    unit: '人',
    definition: '在读学生；打开“含非在读学生”后，休学、毕业等也计入',
    value: ({ people }) => people,
    standing: true,
  },
  {
    key: 'recorded',
    name: '有记录人数',
    unit: '人',
    definition: `至少有一条有效活动或补录记录的学生${ofFilter}${ofToday}`,
    value: ({ recorded }) => recorded,
  },
  {
    key: 'coverage',
    name: '覆盖率',
    unit: '%',
    definition: `有记录人数 ÷ 学生人数${ofFilter}${ofToday}`,
    value: ({ recorded, people }) => percent(recorded, people),
  },
  {
    key: 'avgHours',
    name: '人均学时',
    unit: '学时',
    definition: `已入账学时 ÷ 学生人数，冲正的已扣除${ofFilter}${ofToday}${leftOut}`,
    value: ({ hours, counted }) => ratio(hours / 100, counted),
  },
  {
    key: 'avgActivities',
    name: '人均活动',
    unit: '次',
    definition: `已入账的活动次数 ÷ 学生人数，补录不计${ofFilter}${ofToday}${leftOut}`,
    value: ({ activities, counted }) => ratio(activities, counted),
  },
  {
    key: 'metRate',
    name: '达标率',
    unit: '%',
    definition:
      '已达到毕业要求的学生 ÷ 学生人数。毕业要求有两项，至今须同时达到：总学时，以及每个必修模块的最低学时；不随所选时间、模块与级别变化',
    value: ({ met, people }) => percent(met, people),
    standing: true,
  },
  {
    key: 'zero',
    name: '零学时人数',
    unit: '人',
    definition: `没有任何学时的学生${ofFilter}${ofToday}`,
    value: ({ zero }) => zero,
  },
  {
    key: 'black',
    name: '限制报名人数',
    unit: '人',
    definition: '目前因多次缺席而暂停报名的学生',
    value: ({ black }) => black,
    standing: true,
  },
]

/** What the cards are calculated from, of those asked about. */
export function studentFiguresOf(
  asked: PeopleAsked,
  filter: EarnedFilter,
  isCounted: (person: number) => boolean,
  now: string,
): StudentFigures {
  const { met, blackUntil } = asked.columns
  const earned = sumsOf(asked.columns, filter)
  const found: StudentFigures = {
    people: 0,
    recorded: 0,
    met: 0,
    zero: 0,
    black: 0,
    counted: 0,
    hours: 0,
    activities: 0,
    earning: 0,
    active: 0,
  }
  eachPerson(asked, (person) => {
    const { hours, activities, sups } = earned(person)
    found.people++
    if (activities + sups > 0) found.recorded++
    if (met[person]) found.met++
    if (hours <= 0) found.zero++
    if ((blackUntil[person] ?? '') > now) found.black++
    if (!isCounted(person)) return
    found.counted++
    found.hours += hours
    found.activities += activities
    if (hours !== 0) found.earning++
    if (activities !== 0) found.active++
  })
  return found
}

/** What the cards of each span are calculated from, of all students whom the asking person may see. */
export async function studentFiguresIn(ctx: Context, spans: readonly Span[]): Promise<StudentFigures[]> {
  const asked = await peopleAsked(ctx, {})
  const isCounted = await countedIn(ctx, asked.columns)
  return spans.map((span) => studentFiguresOf(asked, span, isCounted, ctx.clock.now()))
}

/** The first band that a value reaches; the last one where it reaches none. */
export function bandAt(bands: readonly (readonly [string, string, number])[], value: number): number {
  for (let at = 0; at < bands.length; at++) if (value >= bands[at]![2]) return at
  return bands.length - 1
}

/**
 * Students of a group, and of those who count in means what they have and how many have any; amounts in hundredths.
 */
export interface StudentSums {
  people: number
  counted: number
  hours: number
  credit: number
  activities: number
  earning: number
  crediting: number
  active: number
}
const noSums: StudentSums = {
  people: 0,
  counted: 0,
  hours: 0,
  credit: 0,
  activities: 0,
  earning: 0,
  crediting: 0,
  active: 0,
}

/** The same of students by grade, sex, and bands of credits and credibility: sums, for who compares schools. */
export async function studentGroups(
  ctx: Context,
  span: Span,
): Promise<Record<'grade' | 'sex' | 'credit' | 'credibility', Map<string, StudentSums>>> {
  const asked = await peopleAsked(ctx, {})
  const { places, sex, credibility } = asked.columns
  const isCounted = await countedIn(ctx, asked.columns)
  const earned = sumsOf(asked.columns, span)
  const groups = { grade: new Map(), sex: new Map(), credit: new Map(), credibility: new Map() } as Record<
    'grade' | 'sex' | 'credit' | 'credibility',
    Map<string, StudentSums>
  >
  eachPerson(asked, (person, at) => {
    const { hours, credit, activities } = earned(person)
    const names = {
      grade: places[at]!.grade ?? '',
      sex: sex[person]!,
      credit: creditBands[bandAt(creditBands, credit)]![0],
      credibility: credibilityBands[bandAt(credibilityBands, credibility[person]!)]![0],
    }
    for (const [kind, name] of Object.entries(names) as [keyof typeof groups, string][]) {
      let sums = groups[kind].get(name)
      if (!sums) groups[kind].set(name, (sums = { ...noSums }))
      sums.people++
      if (!isCounted(person)) continue
      sums.counted++
      sums.hours += hours
      sums.credit += credit
      sums.activities += activities
      if (hours !== 0) sums.earning++
      if (credit !== 0) sums.crediting++
      if (activities !== 0) sums.active++
    }
  })
  return groups
}
