import { sql } from 'kysely'
import type { Checked, Output } from '../../../contract/core/call.ts'
import { Failure } from '../../../contract/core/failure.ts'
import { fromHundredths } from '../../../contract/core/fields.ts'
import type { modelPreviewApi } from '../../../contract/rules/labels/model.calls.ts'
import type { Context } from '../../core/request/context.ts'
import { abilitiesOf } from '../../programme/credits/statement.service.ts'
import { modelLabelsOf } from '../../rules/labels/model.service.ts'
import { scoredLabels } from '../../rules/labels/label-names.service.ts'
import { visibleStudentsWithPlace } from '../../school/people/students.service.ts'
import { abilityMeans } from './peers.service.ts'

/**
 * What a student has of every ability, beside the means of their grade and of the school: what the radar of the quality
 * model is drawn from. The student must be among those the person may see.
 */
export async function previewModel(
  ctx: Context,
  { suId }: Checked<typeof modelPreviewApi.preview>,
): Promise<Output<typeof modelPreviewApi.preview>> {
  const student = suId ? await studentOf(ctx, suId) : null
  if (suId && !student) throw new Failure('not-found')
  const [labels, model, own, { gradePeople, schoolPeople, grade, school, high }, modules] = await Promise.all([
    scoredLabels(ctx),
    modelLabelsOf(ctx),
    student ? abilitiesOf(ctx, [student.suId]) : [],
    abilityMeans(ctx, student?.suiGrade || null),
    abilityModules(ctx),
  ])
  const sqlIds = [...new Set([...labels, ...model].map(({ sqlId }) => sqlId))]
  const mean = (means: Map<string, number> | null, sqlId: string) => means && fromHundredths(means.get(sqlId) ?? 0)
  return {
    student,
    gradePeople,
    schoolPeople,
    scores: sqlIds.map((sqlId) => ({
      sqlId,
      score: fromHundredths(own.find((row) => row.sqlId === sqlId)?.score ?? 0),
      avgGrade: mean(grade, sqlId),
      avgSchool: mean(school, sqlId),
      high: high.has(sqlId) ? fromHundredths(high.get(sqlId)!) : null,
      modules: modules.get(sqlId) ?? [],
    })),
  }
}

const studentOf = (ctx: Context, suId: string) =>
  visibleStudentsWithPlace(ctx)
    .select([
      'person.suId',
      'suiName',
      'suiNumber',
      sql<string>`coalesce("suiGrade", '')`.as('suiGrade'),
      sql<string>`coalesce("scName", '')`.as('collegeName'),
    ])
    .where('person.suId', '=', suId)
    .executeTakeFirst()
    .then((row) => row ?? null)

/** For each ability the modules whose present scoring rules build it, the heaviest first. */
async function abilityModules({ db, actor }: Context): Promise<Map<string, string[]>> {
  const { rows } = await sql<{ sqlId: string; modules: string[] }>`
      select t."sqlId", array_agg(t."lsName" order by t."weight" desc, t."lsName") "modules"
      from (
        select r ->> 'sqlId' "sqlId", m."lsName", sum((r ->> 'weight')::numeric) "weight"
        from "evaluation" e
        cross join lateral jsonb_array_elements(e."abilityRules") r
        join "curriculum" n on n."schoolId" = e."schoolId" and n."lsId" = e."lsId"
        join "curriculum" m on m."schoolId" = n."schoolId" and m."lsId" = n."lsPath"[1]
        where e."schoolId" = ${actor.schoolId} and e."current" and e."enable" = '1' and m."enable" = '1'
        group by r ->> 'sqlId', m."lsName"
      ) t
      group by t."sqlId"`.execute(db)
  return new Map(rows.map(({ sqlId, modules }) => [sqlId, modules]))
}
