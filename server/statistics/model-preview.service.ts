import { sql } from 'kysely'
import type { Checked, Output } from '../../contract/core/call.ts'
import { Failure } from '../../contract/core/failure.ts'
import { fromHundredths } from '../../contract/core/fields.ts'
import type { modelPreviewApi } from '../../contract/labels/model.calls.ts'
import type { Context } from '../core/context.ts'
import { abilitiesOf } from '../credits/statement.service.ts'
import { modelLabelsOf } from '../labels/model.service.ts'
import { scoredLabels } from '../labels/label-names.service.ts'
import { visibleStudentsWithPlace } from '../people/students.service.ts'
import { abilityMeans, abilityModules } from './ability-means.queries.ts'

/**
 * What a student has of every ability, beside the means of his grade and of the school: what the radar of the quality model is drawn
 * from. The student must be among those the person may see.
 */
export async function previewModel(ctx: Context, { suId }: Checked<typeof modelPreviewApi.preview>): Promise<Output<typeof modelPreviewApi.preview>> {
  const student = suId ? await studentOf(ctx, suId) : null
  if (suId && !student) throw new Failure('not-found')
  const [labels, model, own, { gradePeople, schoolPeople, means }, modules] = await Promise.all([
    scoredLabels(ctx), modelLabelsOf(ctx), student ? abilitiesOf(ctx, [student.suId]) : [], abilityMeans(ctx, student?.suiGrade || null), abilityModules(ctx),
  ])
  const sqlIds = [...new Set([...labels, ...model].map(({ sqlId }) => sqlId))]
  const mean = (sum: number, people: number) => (people === 0 ? null : fromHundredths(Math.round(sum / people)))
  return {
    student,
    gradePeople,
    schoolPeople,
    scores: sqlIds.map((sqlId) => {
      const of = means.find((row) => row.sqlId === sqlId)
      return {
        sqlId,
        score: fromHundredths(own.find((row) => row.sqlId === sqlId)?.score ?? 0),
        avgGrade: mean(of?.gradeSum ?? 0, gradePeople),
        avgSchool: mean(of?.schoolSum ?? 0, schoolPeople),
        high: fromHundredths(Math.max(0, of?.high ?? 0)),
        modules: modules.get(sqlId) ?? [],
      }
    }),
  }
}

const studentOf = (ctx: Context, suId: string) =>
  visibleStudentsWithPlace(ctx)
    .select(['person.suId', 'suiName', 'suiNumber', sql<string>`coalesce("suiGrade", '')`.as('suiGrade'), sql<string>`coalesce("scName", '')`.as('collegeName')])
    .where('person.suId', '=', suId)
    .executeTakeFirst()
    .then((row) => row ?? null)
