import { sql } from 'kysely'
import { lessonLevel } from '../../../../contract/core/codes/rules.ts'
import { inSchoolStatuses } from '../../../../contract/core/codes/in-school.ts'
import { personType } from '../../../../contract/core/codes/school.ts'
import { together } from '../../../core/base/together.ts'
import { anyOf } from '../../../core/database/any-of.ts'
import { from } from '../../../core/database/tenant.ts'
import type { Context } from '../../../core/request/context.ts'
import { busyClasses, busyText } from '../../../school/organisation/class-times.queries.ts'
import { examWeeksBetween, placesNamed } from '../../../school/school/plan-calendar.service.ts'
import type { LessonRange } from './admission.ts'
import type { Plan, PlanFacts } from './plan-risks.ts'

/** What the school knows about a plan, beside who would decide it and what its rule gives. */
export async function planFacts(
  ctx: Context,
  plan: Plan,
  { liLevel, ...range }: LessonRange & { liLevel: string },
): Promise<Pick<PlanFacts, 'places' | 'examWeeks' | 'inClass' | 'inRange' | 'isBelowSchool'>> {
  const names = [plan.placeText, ...plan.sessions.map(({ placeText }) => placeText)].filter(Boolean)
  const [places, examWeeks, inClass, inRange, isBelowSchool] = await together(
    placesNamed(ctx, names),
    examWeeksBetween(ctx, plan.startTime, plan.endTime),
    studentsInClass(ctx, plan, range),
    plan.hasRange ? studentsIn(ctx, range) : null,
    belowSchool(ctx, liLevel),
  )
  return { places, examWeeks, inClass, inRange, isBelowSchool }
}

/** How many of those who may register have class while the activity meets, by the timetable. */
async function studentsInClass(ctx: Context, plan: Plan, range: LessonRange): Promise<PlanFacts['inClass']> {
  const busy = await busyClasses(ctx, plan.sessions.length > 0 ? plan.sessions : [plan])
  if (busy.length === 0) return { students: 0, sample: '' }
  const students = await studentsIn(
    ctx,
    range,
    busy.map(({ scClassId }) => scClassId),
  )
  return { students, sample: busyText(busy[0]!) }
}

/** @param classes only those of these classes */
async function studentsIn(
  ctx: Context,
  { rangeColleges, rangeGrades, rangeMajors, rangeClasses, rangeCircles, rangePolitical, rangeSexes }: LessonRange,
  classes?: readonly string[],
): Promise<number> {
  let query = from(ctx, 'person')
    .select(sql<number>`count(*)::int`.as('n'))
    .where('suiType', '=', personType.student)
    .where('suiStatus', 'in', inSchoolStatuses)
  if (classes) query = query.where(anyOf('scClassId', classes))
  if (rangeColleges.length > 0) query = query.where('suiCollegeId', 'in', rangeColleges)
  if (rangeGrades.length > 0) query = query.where('suiGrade', 'in', rangeGrades)
  if (rangeMajors.length > 0) query = query.where('majorId', 'in', rangeMajors)
  if (rangeClasses.length > 0) query = query.where('scClassId', 'in', rangeClasses)
  if (rangePolitical.length > 0) query = query.where('suiPolitical', 'in', rangePolitical)
  if (rangeSexes.length > 0) query = query.where('suiSex', 'in', rangeSexes)
  if (rangeCircles.length > 0)
    query = query.where(
      'suId',
      'in',
      from(ctx, 'circleMember')
        .select('circleMember.suId')
        .where('quitTime', 'is', null)
        .where('ciId', 'in', rangeCircles),
    )
  return (await query.executeTakeFirstOrThrow()).n
}

async function belowSchool({ db, actor }: Context, liLevel: string): Promise<boolean> {
  const { rows } = await sql`
    select
    from "lessonLevel" v
    join "lessonLevel" school on school."schoolId" = v."schoolId" and school."llId" = ${sql.lit(lessonLevel.school)}
    where v."schoolId" = ${actor.schoolId} and v."llId" = ${liLevel} and v."llSort" > school."llSort"`.execute(db)
  return rows.length > 0
}
