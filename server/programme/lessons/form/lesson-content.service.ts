import { sql } from 'kysely'
import type { DictionaryType } from '../../../../contract/core/dictionary.ts'
import { labelIn } from '../../../../contract/core/fields.ts'
import { industryExt, industryFiles, type IndustryExt } from '../../../../contract/programme/lessons/industry.ts'
import {
  fieldLabel,
  fieldsTelling,
  lessonFieldNames,
  lessonFields,
  type LessonField,
} from '../../../../contract/programme/lessons/lesson-fields.ts'
import type { Context } from '../../../core/request/context.ts'
import { wordsOf, type ContentField } from '../../../core/base/submitted-content.ts'
import type { LessonValues } from './lesson-form.ts'
import { inWords, periodsOf } from './material-change.ts'

const fieldsWithIds = fieldsTelling('refersTo').map(([field]) => field)

/** What the ids in forms are called, for texts that people read: one statement. */
export async function namesIn({ db, actor }: Context, forms: readonly LessonValues[]): Promise<Map<string, string>> {
  const idsOf = (form: LessonValues) => [
    ...fieldsWithIds.flatMap((field) => form[field] ?? []),
    ...industryFiles.flatMap((field) => form.liExt[field] ?? []),
    ...form.quotaByCollege.map(({ scId }) => scId),
  ]
  const ids = [...new Set(forms.flatMap(idsOf))]
  const { rows } = await sql<{ id: string; name: string }>`
    with asked as (select unnest(${ids}::text[]) "id")
    select a."id",
      coalesce(
        (
          select string_agg(u."lsName", ' / ' order by p."at")
          from "curriculum" c, unnest(c."lsPath") with ordinality p("id", "at")
          join "curriculum" u on u."schoolId" = ${actor.schoolId} and u."lsId" = p."id"
          where c."schoolId" = ${actor.schoolId} and c."lsId"::text = a."id"
        ), (select "llName" from "lessonLevel" where "schoolId" = ${actor.schoolId} and "llId" = a."id"),
        (select "scName" from "college" where "schoolId" = ${actor.schoolId} and "scId"::text = a."id"),
        (select "smName" from "major" where "schoolId" = ${actor.schoolId} and "smId"::text = a."id"),
        (select "scClassName" from "schoolClass" where "schoolId" = ${actor.schoolId} and "scClassId"::text = a."id"),
        (select "sdName" from "department" where "schoolId" = ${actor.schoolId} and "sdId"::text = a."id"),
        (select "atName" from "awardTemplate" where "schoolId" = ${actor.schoolId} and "atId"::text = a."id"),
        (select "ciName" from "circle" where "schoolId" = ${actor.schoolId} and "ciId"::text = a."id"),
        (
          select "suiName" || '（' || "suiNumber" || '）'
          from "person"
          where "schoolId" = ${actor.schoolId} and "suId" = case when a."id" ~ '-' then a."id"::uuid end
        ),
        (
          select "fileName"
          from "file"
          where "schoolId" = ${actor.schoolId} and "fileId" = case when a."id" ~ '-' then a."id"::uuid end
        ), a."id"
      ) "name"
    from asked a`.execute(db)
  return new Map(rows.map(({ id, name }) => [id, name]))
}

const extDictionaries: Partial<Record<keyof IndustryExt, DictionaryType>> = {
  industryField: 'industry_field',
  cooperationType: 'cooperation_type',
  projectStage: 'project_stage',
  medicalCategory: 'medical_category',
  moduleAttr: 'module_attr',
  smallClass: 'yes_no',
  insurance: 'yes_no',
}

/** Everything a course says, field by field in words, as its reviewers get it. */
export async function lessonContent(ctx: Context, values: LessonValues): Promise<ContentField[]> {
  const names = await namesIn(ctx, [values])
  return lessonFieldNames.flatMap((field): ContentField[] => {
    if (field === 'liExt')
      return Object.entries(industryExt.shape).map(([name, schema]) => ({
        field: `liExt.${name}`,
        label: labelIn(schema) ?? name,
        value: wordsOf(
          values.liExt[name as keyof IndustryExt],
          { dictionary: extDictionaries[name as keyof IndustryExt] },
          names,
        ),
      }))
    const { none }: LessonField = lessonFields[field]
    const value = field === 'sessions' ? sessionsWithPlaces(values) : inWords(field, values, names)
    return [{ field, label: fieldLabel(field), value, ...(none && { none }) }]
  })
}

/** The sessions with their places; one that tells none is at the place of the course. */
function sessionsWithPlaces(values: LessonValues): string {
  const places = values.sessions.map(({ placeText }) => placeText ?? '')
  return periodsOf(values)
    .map((period, at) => `${period} ${places[at] || values.placeText}`)
    .join('；')
}
