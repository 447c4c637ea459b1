import { sql } from 'kysely'
import type { Checked, Output } from '../../../contract/core/call.ts'
import { signStatus } from '../../../contract/core/codes/programme.ts'
import { personSex } from '../../../contract/core/codes/school.ts'
import { fromHundredths } from '../../../contract/core/fields.ts'
import {
  creditBands,
  credibilityBands,
  type studentStatApi,
} from '../../../contract/outcomes/statistics/student-statistics.calls.ts'
import { together } from '../../core/base/together.ts'
import type { Context } from '../../core/request/context.ts'
import { asPage, offsetOf } from '../../core/database/paging.ts'
import { sortOf } from '../../core/database/sorting.ts'
import { requiredHours } from '../../programme/credits/goal.ts'
import { modulesOf } from '../../rules/curriculum/modules.service.ts'
import { schoolSettings } from '../../school/school/settings.service.ts'
import { pageByNumber, pageByValue, peopleFound, type PeopleFound } from './by-number.ts'
import { currentMembers } from './circles-counted.ts'
import { hoursByModule, lastTimeOf, sumsOf } from './earned-sums.ts'
import { countedIn, peopleAsked } from './people-asked.ts'
import type { PeopleColumns } from './people-columns.ts'
import { bandAt } from './student-figures.ts'

type Filter = Omit<Checked<typeof studentStatApi.detail>, 'current' | 'pageSize'>
type IsListed = (person: number) => boolean
const anybody: IsListed = () => true

/** Whether somebody is in the situation that a card or the list names, by their number in the columns. */
async function inStage(ctx: Context, columns: PeopleColumns, { stage, ...filter }: Filter): Promise<IsListed> {
  const earned = sumsOf(columns, filter)
  const isRecorded = (person: number): boolean => {
    const { activities, sups } = earned(person)
    return activities + sups > 0
  }
  const now = ctx.clock.now()
  switch (stage) {
    case 'recorded':
      return isRecorded
    case 'none':
      return (person) => !isRecorded(person)
    case 'met':
      return (person) => columns.met[person]!
    case 'unmet':
      return (person) => !columns.met[person]
    case 'zero':
      return (person) => earned(person).hours <= 0
    case 'black':
      return (person) => (columns.blackUntil[person] ?? '') > now
    case 'counted':
      return countedIn(ctx, columns)
    case 'circle': {
      const members = await currentMembers(ctx, {})
      return (person) => members.has(columns.suIds[person]!)
    }
    case undefined:
      return anybody
  }
}

function ofSex({ sex: sexes }: PeopleColumns, sex: Filter['sex']): IsListed {
  if (sex === undefined) return anybody
  if (sex === 'unknown') return (person) => sexes[person] !== personSex.male && sexes[person] !== personSex.female
  return (person) => sexes[person] === sex
}

/** Those that the asking person may see and that fit. */
async function matching(ctx: Context, input: Filter): Promise<PeopleFound> {
  const asked = await peopleAsked(ctx, input)
  const { columns } = asked
  const [isInStage, isOfSex] = [await inStage(ctx, columns, input), ofSex(columns, input.sex)]
  const earned = sumsOf(columns, input)
  const { band, creditBand } = input
  return peopleFound(
    asked,
    (person) =>
      isInStage(person) &&
      isOfSex(person) &&
      (!band || credibilityBands[bandAt(credibilityBands, columns.credibility[person]!)]![0] === band) &&
      (!creditBand || creditBands[bandAt(creditBands, earned(person).credit)]![0] === creditBand),
  )
}

/** What the list can be ordered by besides the number. */
function valueFor(columns: PeopleColumns, filter: Filter): (person: number) => string | number | null {
  const earned = sumsOf(columns, filter)
  switch (filter.sort) {
    case 'hours':
    case 'credit':
    case 'activities': {
      const figure = filter.sort
      return (person) => earned(person)[figure]
    }
    case 'suiCredibility':
      return (person) => columns.credibility[person]!
    default:
      return lastTimeOf(columns)
  }
}

interface Row {
  suId: string
  suiName: string
  suiNumber: string
  collegeName: string
  className: string
  grade: string
  absences: number
  warnLevel: string
}

/** What the columns tell of a student, of the records that the filter leaves; amounts in hundredths. */
function figuresOf(columns: PeopleColumns, filter: Filter) {
  const [earned, earnedEver, lastTime] = [sumsOf(columns, filter), sumsOf(columns, {}), lastTimeOf(columns)]
  return (suId: string) => {
    const person = columns.owners.numberOf(suId)!
    const { hours, credit, activities } = earned(person)
    return {
      hours,
      credit,
      activities,
      allHours: earnedEver(person).hours,
      met: columns.met[person]!,
      suiCredibility: columns.credibility[person]!,
      lastTime: lastTime(person),
      byModule: hoursByModule(columns, filter, person),
    }
  }
}

/** Some students in this order. `gap`: what all hours so far are short of the total that graduation asks for. */
async function rowsOf(
  ctx: Context,
  filter: Filter,
  columns: PeopleColumns,
  suIds: readonly string[],
): Promise<Output<typeof studentStatApi.detail>['records']> {
  // before anything is waited for: others may bring the columns up to date meanwhile
  const figuresFor = figuresOf(columns, filter)
  const figures = new Map(suIds.map((suId) => [suId, figuresFor(suId)]))
  const [{ rows }, modules, { totalHours }] = await together(
    sql<Row>`
      select p."suId", p."suiName", p."suiNumber", coalesce(o."scName", '') "collegeName",
        coalesce(k."scClassName", '') "className", coalesce(p."suiGrade", '') "grade", p."warnLevel",
        (
          select count(*)::int
          from "registration" r
          where r."schoolId" = p."schoolId"
            and r."suId" = p."suId"
            and r."delFlag" = '0'
            and r."laSignStatus" = ${sql.lit(signStatus.absent)}
        ) "absences"
      from "person" p
      left join "college" o on o."schoolId" = p."schoolId" and o."scId" = p."suiCollegeId"
      left join "schoolClass" k on k."schoolId" = p."schoolId" and k."scClassId" = p."scClassId"
      where p."schoolId" = ${ctx.actor.schoolId} and p."suId" = any(${suIds}::uuid[])
      order by array_position(${suIds}::uuid[], p."suId")`.execute(ctx.db),
    modulesOf(ctx),
    schoolSettings(ctx, ctx.actor.schoolId),
  )
  const wanted = requiredHours({ modules, totalHours })
  const opens = ctx.actor.permits.has('student:list')
  return rows.map((row) => {
    const { hours, credit, allHours, byModule, ...others } = figures.get(row.suId)!
    return {
      ...row,
      ...others,
      hours: fromHundredths(hours),
      credit: fromHundredths(credit),
      gap: fromHundredths(Math.max(0, wanted - allHours)),
      opens,
      modules: modules.map(({ lsId, lsName }) => ({ lsId, lsName, hours: fromHundredths(byModule.get(lsId) ?? 0) })),
    }
  })
}

const sortable = {
  suiNumber: 'suiNumber',
  hours: 'hours',
  credit: 'credit',
  activities: 'activities',
  suiCredibility: 'suiCredibility',
  lastTime: 'lastTime',
}

/** The students behind the figures. */
export async function studentsDetail(
  ctx: Context,
  input: Checked<typeof studentStatApi.detail>,
): Promise<Output<typeof studentStatApi.detail>> {
  const found = await matching(ctx, input)
  const { column, direction } = sortOf(input, sortable)
  const wanted = { offset: offsetOf(input), limit: input.pageSize, direction }
  const page =
    column === 'suiNumber' ? pageByNumber(found, wanted) : pageByValue(found, valueFor(found.columns, input), wanted)
  return asPage(await rowsOf(ctx, input, found.columns, page), found.count, input)
}

/** The next ones after a number, for the export. */
export async function studentsAfter(ctx: Context, filter: Filter, last: string | undefined, limit: number) {
  const found = await matching(ctx, filter)
  return rowsOf(ctx, filter, found.columns, pageByNumber(found, { offset: 0, limit, after: last }))
}
