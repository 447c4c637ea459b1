import { sql } from 'kysely'
import { enableStatus } from '../../../../contract/core/codes/platform.ts'
import { invalidInput, type FieldFault } from '../../../../contract/core/failure.ts'
import { labelOf } from '../../../../contract/core/dictionary.ts'
import type { Context } from '../../../core/request/context.ts'
import type { LessonValues } from './lesson-form.ts'

/** The fields that name records of the school, with what is said of one that is not there. */
const unknownTexts = {
  rangeColleges: '可报名学院中有不存在的学院',
  rangeMajors: '可报名专业中有不存在的专业',
  rangeClasses: '可报名班级中有不存在的班级',
  rangeCircles: '可报名圈子中有不存在的圈子',
  organiserIds: '承办部门中有不存在的部门',
  quotaByCollege: '学院名额中有不存在的学院',
} as const
type Named = keyof typeof unknownTexts

type Records = Record<Named, number> & {
  /** The award template and whether it is open; null where there is none of this id. */
  template: string | null
  features: Record<string, unknown>
}

/** The switch of the school that opens a form beyond the standard one. */
const switchOf: Record<string, string> = { industry: 'isGydx', medical: 'isYkdx' }

/** What the school's records have of that which a form names: one statement. */
export async function namedRecords({ db, actor: { schoolId } }: Context, values: LessonValues): Promise<Records> {
  const known = (table: string, column: string, ids: readonly string[]) => sql`(
      select count(*)::int
      from ${sql.table(table)}
      where "schoolId" = ${schoolId} and ${sql.ref(column)} = any(${[...ids]}::uuid[])
    )`
  const { rows } = await sql<Records>`
    select ${known('college', 'scId', values.rangeColleges)} as "rangeColleges",
      ${known('major', 'smId', values.rangeMajors)} as "rangeMajors",
      ${known('schoolClass', 'scClassId', values.rangeClasses)} as "rangeClasses",
      ${known('circle', 'ciId', values.rangeCircles)} as "rangeCircles",
      ${known('department', 'sdId', values.organiserIds)} as "organiserIds",
      ${known('college', 'scId', collegesOf(values))} as "quotaByCollege",
      (select "features" from "school" where "schoolId" = ${schoolId}) as "features",
      (
        select "enable"
        from "awardTemplate"
        where "schoolId" = ${schoolId} and "atId" = ${values.atId ?? null}::uuid
      ) as "template"`.execute(db)
  return rows[0]!
}

const collegesOf = ({ quotaByCollege }: LessonValues) => quotaByCollege.map(({ scId }) => scId)

/**
 * Refuses a course that names what the school does not have, or a form that it does not offer. A closed template and a
 * form that was switched off since may be kept.
 * @param asked the form that the node of the curriculum asks for; it is offered there in any case
 */
export function refuseUnknown(records: Records, values: LessonValues, asked: string, before?: LessonValues): void {
  const faults = (Object.keys(unknownTexts) as Named[])
    .filter((field) => {
      const ids = field === 'quotaByCollege' ? collegesOf(values) : values[field]
      return records[field] !== new Set(ids).size
    })
    .map((field): FieldFault => ({ field, msg: unknownTexts[field] }))
  const { atId, liScheme } = values
  if (atId && records.template !== enableStatus.enabled && !(records.template !== null && atId === before?.atId))
    faults.push({ field: 'atId', msg: '所选奖励模板不存在或已停用' })
  const key = switchOf[liScheme]
  if (key && records.features[key] !== true && liScheme !== asked && liScheme !== before?.liScheme)
    faults.push({
      field: 'liScheme',
      msg: `本校未启用${labelOf('form_scheme', liScheme)}，请改用标准表单，或在“学校信息”中启用`,
    })
  if (faults.length > 0) throw invalidInput(faults)
}
