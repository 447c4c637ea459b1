import type { z } from 'zod'
import { lessonForm } from '../../contract/lessons/lessons.schema.ts'

/** What the form says of a course, without the words about the request itself. */
export type GivenValues = Omit<z.output<typeof lessonForm>, 'liId' | 'version' | 'submit'>

/** The same with everything the school's settings fill in. */
export type LessonValues = Omit<GivenValues, 'lateMinutes' | 'publictyDays'> & { lateMinutes: number; publictyDays: number }

/**
 * Fields that may change after approval without another look (DOMAIN 1.3): how it is told and who looks after it. All others
 * are what was approved.
 */
const freeFields: ReadonlySet<keyof LessonValues> = new Set([
  'liIntro', 'liPoster', 'liPlan', 'liAttachments', 'liExt', 'contactName', 'contactPhone', 'campus', 'placeText',
  'liPrincipalId', 'teacherIds', 'signerIds', 'signType', 'lateMinutes', 'signOutOn', 'waitlistOn',
] satisfies (keyof LessonValues)[])

export interface FieldChange {
  field: string
  before: string
  after: string
}

/** The approved fields that differ, with their labels. A larger quota is no such change, a smaller one is. */
export function materialChanges(before: LessonValues, after: LessonValues): FieldChange[] {
  const fields = (Object.keys({ ...before, ...after }) as (keyof LessonValues)[]).filter((field) => !freeFields.has(field))
  return fields.flatMap((field) => {
    const [was, is] = [comparable(field, before), comparable(field, after)]
    return was === is || (field === 'quota' && after.quota > before.quota) ? [] : [{ field: labelOf(field), before: was, after: is }]
  })
}

/** A field's value as text that is equal exactly when the field means the same; a session's place may change freely. */
function comparable(field: keyof LessonValues, values: LessonValues): string {
  const value = field === 'sessions' ? (values.sessions.length > 0 ? values.sessions : [values]).map(({ startTime, endTime }) => `${startTime} – ${endTime}`) : values[field]
  if (Array.isArray(value)) return field === 'sessions' ? value.join('；') : value.toSorted().join('、')
  return value === undefined || value === null ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** The label of a field, from the schema that also labels the form. */
function labelOf(field: keyof LessonValues): string {
  let schema = lessonForm.shape[field] as z.ZodType | undefined
  while (schema) {
    const label = schema.meta()?.['label']
    if (typeof label === 'string') return label
    schema = (schema.def as { innerType?: z.ZodType }).innerType
  }
  return { liScheme: '表单类型', liExt: '行业信息', sessions: '场次', rangeColleges: '可报名学院', rangeGrades: '可报名年级' }[field as string] ?? field
}
