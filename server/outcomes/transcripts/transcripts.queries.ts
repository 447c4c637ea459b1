import { sql } from 'kysely'
import type { Checked } from '../../../contract/core/call.ts'
import { fromHundredths } from '../../../contract/core/fields.ts'
import type { Page } from '../../../contract/core/paging.ts'
import type { transcriptApi, TranscriptStudentRow } from '../../../contract/outcomes/transcripts/transcripts.calls.ts'
import { anyOf } from '../../core/database/any-of.ts'
import type { Context } from '../../core/request/context.ts'
import { asPage, countOf, offsetOf } from '../../core/database/paging.ts'
import { listOrder } from '../../core/database/sorting.ts'
import { reaches, requiredHours } from '../../programme/credits/goal.ts'
import { moduleTotals } from '../../programme/credits/statement.service.ts'
import { modulesOf } from '../../rules/curriculum/modules.service.ts'
import { schoolSettings } from '../../school/school/settings.service.ts'
import { visibleStudents, visibleStudentsWithPlace } from '../../school/people/students.service.ts'
import { isNamed } from '../../school/organisation/person-columns.ts'

/** The visible students that fit the filters of the transcript list. */
export function matchingTranscripts(
  ctx: Context,
  filter: Pick<Checked<typeof transcriptApi.list>, 'search' | 'collegeId' | 'majorId' | 'classId' | 'grade'>,
) {
  let query = visibleStudents(ctx)
  if (filter.search) query = query.where(isNamed(filter.search))
  if (filter.collegeId) query = query.where('person.suiCollegeId', '=', filter.collegeId)
  if (filter.majorId) query = query.where('person.majorId', '=', filter.majorId)
  if (filter.classId) query = query.where('person.scClassId', '=', filter.classId)
  if (filter.grade) query = query.where('person.suiGrade', '=', filter.grade)
  return query
}

/** The students of the transcript list: the page's students first, then the totals of just those. */
export async function transcriptStudents(
  ctx: Context,
  input: Checked<typeof transcriptApi.list>,
): Promise<Page<TranscriptStudentRow>> {
  const query = matchingTranscripts(ctx, input)
  const [keys, total, modules, { totalHours }] = await Promise.all([
    query
      .select('person.suId')
      .orderBy(
        listOrder(input, { suiNumber: 'person.suiNumber', suiName: 'person.suiName', suiGrade: 'person.suiGrade' }),
      )
      .orderBy('person.suId')
      .limit(input.pageSize)
      .offset(offsetOf(input))
      .execute(),
    countOf(query),
    modulesOf(ctx),
    schoolSettings(ctx, ctx.actor.schoolId),
  ])
  const suIds = keys.map(({ suId }) => suId)
  if (suIds.length === 0) return asPage([], total, input)
  const [students, totals] = await Promise.all([studentsOf(ctx, suIds), moduleTotals(ctx, suIds)])
  const goal = { modules, totalHours }
  const byId = new Map(students.map((student) => [student.suId, student]))
  return asPage(
    keys
      .flatMap(({ suId }) => byId.get(suId) ?? [])
      .map((student) => {
        const own = totals.filter(({ suId }) => suId === student.suId)
        const sum = (of: 'hours' | 'credit' | 'count') => own.reduce((all, one) => all + one[of], 0)
        return {
          ...student,
          totalHours: fromHundredths(sum('hours')),
          totalCredit: fromHundredths(sum('credit')),
          requiredHours: fromHundredths(requiredHours(goal)),
          rowCount: sum('count'),
          pass: reaches(goal, (lsId) => own.find(({ moduleId }) => moduleId === lsId)?.hours ?? 0, sum('hours')),
        }
      }),
    total,
    input,
  )
}

const studentsOf = (ctx: Context, suIds: string[]) =>
  visibleStudentsWithPlace(ctx)
    .select(['person.suId', 'person.suiName', 'person.suiNumber', 'person.suiGrade'])
    .select([
      sql<string>`coalesce("scName", '')`.as('collegeName'),
      sql<string>`coalesce("smName", '')`.as('majorName'),
      sql<string>`coalesce("scClassName", '')`.as('className'),
    ])
    .where(anyOf('person.suId', suIds))
    .execute()

/** The student blocks of transcripts, of those among `suIds` that the person may see, in the order of their numbers. */
export const transcriptPeople = (ctx: Context, suIds: string[]) =>
  visibleStudentsWithPlace(ctx)
    .select([
      'person.suId',
      'suiName',
      'suiNumber',
      'suiSex',
      'suiEduLevel',
      'suiStudyYears',
      'suiEnterDate',
      'suiGraduateDate',
      'suiPolitical',
      'suiPhoto',
    ])
    .select([
      sql<string>`coalesce("scName", '')`.as('suiCollegeName'),
      sql<string>`coalesce("smName", '')`.as('majorName'),
      sql<string>`coalesce("scClassName", '')`.as('scClassName'),
      sql<string>`coalesce("suiGrade", '')`.as('suiGrade'),
    ])
    .where(anyOf('person.suId', suIds))
    .orderBy('person.suiNumber')
    .execute()
