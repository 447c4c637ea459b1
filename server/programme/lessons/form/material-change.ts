import type { z } from 'zod'
import { labelOf as wordOf, type DictionaryType } from '../../../../contract/core/dictionary.ts'
import { fromHundredths } from '../../../../contract/core/fields.ts'
import { lessonForm, type Difference } from '../../../../contract/programme/lessons/lessons.schema.ts'
import type { LessonValues } from './lesson-form.ts'

type Field = keyof LessonValues

/**
 * Fields that may change after approval without another look (docs/rules.md R4): how it is told and who looks after it.
 * All others are what was approved.
 */
const freeFields: ReadonlySet<Field> = new Set([
  'liIntro',
  'liPoster',
  'liPlan',
  'liAttachments',
  'liExt',
  'contactName',
  'contactPhone',
  'campus',
  'placeText',
  'liPrincipalId',
  'teacherIds',
  'signerIds',
  'signType',
  'lateMinutes',
  'signOutOn',
  'waitlistOn',
  'publishAt',
] satisfies Field[])

/** Fields whose value is an id; `names` tells what they are called. */
export const namedFields = [
  'lsId',
  'liLevel',
  'liCollegeId',
  'liDepartmentId',
  'atId',
  'rangeColleges',
] as const satisfies readonly Field[]

const dictionaries: Partial<Record<Field, DictionaryType>> = {
  liKind: 'lesson_kind',
  liForm: 'lesson_form',
  liScheme: 'form_scheme',
  applyWay: 'apply_way',
  applyUnit: 'apply_unit',
}
const units: Partial<Record<Field, string>> = {
  quota: ' 人',
  publictyDays: ' 个工作日',
  minAttendRate: '%',
  liHours: ' 学时',
}
/** What an empty field means. */
const empties: Partial<Record<Field, string>> = { rangeColleges: '不限', rangeGrades: '不限', atId: '不设奖项' }
/** Labels of fields that the form's schema does not label. */
const labels: Partial<Record<Field, string>> = {
  sessions: '场次',
  rangeColleges: '可报名学院',
  rangeGrades: '可报名年级',
}

/**
 * The approved fields that differ, in words. Pure. A larger quota is no such change, a smaller one is; a session's
 * place may change freely.
 * @param names what the ids of {@link namedFields} are called
 */
export function changedFields(
  before: LessonValues,
  after: LessonValues,
  names: ReadonlyMap<string, string> = new Map(),
): Difference[] {
  const fields = (Object.keys({ ...before, ...after }) as Field[]).filter((field) => !freeFields.has(field))
  return fields.flatMap((field) => {
    if (comparable(field, before) === comparable(field, after) || (field === 'quota' && after.quota > before.quota))
      return []
    return [
      { field, label: labelOf(field), before: inWords(field, before, names), after: inWords(field, after, names) },
    ]
  })
}

/** Whether those who have registered must hear of it: another time or another place. */
export const movesPlan = (
  before: Pick<LessonValues, 'startTime' | 'endTime' | 'placeText'>,
  after: Pick<LessonValues, 'startTime' | 'endTime' | 'placeText'>,
): boolean =>
  before.startTime !== after.startTime || before.endTime !== after.endTime || before.placeText !== after.placeText

/** A field's value as text that is equal exactly when the field means the same. */
function comparable(field: Field, values: LessonValues): string {
  if (field === 'sessions') return periodsOf(values).join('；')
  const value = values[field]
  if (Array.isArray(value)) return (value as string[]).toSorted().join('、')
  return value === undefined || value === null ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** A course without sessions of its own is one session from start to end. */
const periodsOf = ({ sessions, startTime, endTime }: LessonValues): string[] =>
  (sessions.length > 0 ? sessions : [{ startTime, endTime }]).map((one) =>
    one.startTime.slice(0, 10) === one.endTime.slice(0, 10)
      ? `${one.startTime.slice(0, 16)} 至 ${one.endTime.slice(11, 16)}`
      : `${one.startTime.slice(0, 16)} 至 ${one.endTime.slice(0, 16)}`,
  )

function inWords(field: Field, values: LessonValues, names: ReadonlyMap<string, string>): string {
  if (field === 'sessions') return periodsOf(values).join('；')
  const value = values[field]
  if (value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0))
    return empties[field] ?? '未填写'
  if (typeof value === 'boolean') return value ? '是' : '否'
  if (Array.isArray(value)) return value.map((one) => names.get(String(one)) ?? String(one)).join('、')
  const dictionary = dictionaries[field]
  if (dictionary) return wordOf(dictionary, String(value))
  if ((namedFields as readonly Field[]).includes(field)) return names.get(String(value)) ?? String(value)
  if (field === 'liHours') return fromHundredths(value as number) + units.liHours
  if (/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(String(value))) return String(value).slice(0, 16)
  return `${typeof value === 'object' ? JSON.stringify(value) : value}${units[field] ?? ''}`
}

/** The label of a field, from the schema that also labels the form. */
function labelOf(field: Field): string {
  let schema = lessonForm.shape[field] as z.ZodType | undefined
  while (schema) {
    const label = schema.meta()?.['label']
    if (typeof label === 'string') return label
    schema = (schema.def as { innerType?: z.ZodType }).innerType
  }
  return labels[field] ?? field
}
