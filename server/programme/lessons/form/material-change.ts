import { fromHundredths } from '../../../../contract/core/fields.ts'
import { fieldLabel, lessonFields, type LessonField } from '../../../../contract/programme/lessons/lesson-fields.ts'
import { placesText } from '../../../../contract/programme/lessons/team-fields.ts'
import type { Difference } from '../../../../contract/core/difference.ts'
import { plainLines } from '../../../../contract/core/rich-text.ts'
import { wordsOf } from '../../../core/base/submitted-content.ts'
import { richFields, type LessonValues } from './lesson-form.ts'
import { figure } from '../../../../contract/core/figure.ts'

type Field = keyof LessonValues

/**
 * The approved fields that differ, in words. Pure. A larger quota is no such change, a smaller one is; a session's
 * place may change freely.
 * @param names what ids are called
 */
export function changedFields(
  before: LessonValues,
  after: LessonValues,
  names: ReadonlyMap<string, string> = new Map(),
): Difference[] {
  const fields = (Object.keys({ ...before, ...after }) as Field[]).filter(
    (field) => lessonFields[field].change === 'approved',
  )
  return fields.flatMap((field) => {
    if (comparable(field, before) === comparable(field, after) || (field === 'quota' && after.quota > before.quota))
      return []
    return [
      { field, label: fieldLabel(field), before: inWords(field, before, names), after: inWords(field, after, names) },
    ]
  })
}

/** Whether two forms say the same in every field, the places of sessions too. */
export function isSameForm(one: LessonValues, other: LessonValues): boolean {
  const fields = Object.keys({ ...one, ...other }) as Field[]
  return fields.every((field) => comparable(field, one) === comparable(field, other)) && placesAgree(one, other)
}

/** Whether two forms mean the same sessions: one that tells none has one, from start to end at the course's place. */
export const hasSameSessions = (one: LessonValues, other: LessonValues): boolean =>
  comparable('sessions', one) === comparable('sessions', other) && placesAgree(one, other)

const placesAgree = (one: LessonValues, other: LessonValues): boolean => placesOf(one) === placesOf(other)
const placesOf = ({ sessions, placeText }: LessonValues): string =>
  (sessions.length > 0 ? sessions : [{ placeText }]).map((session) => session.placeText ?? '').join('；')

/** Whether those who have registered must hear of it: another time or another place. */
export const movesPlan = (
  before: Pick<LessonValues, 'startTime' | 'endTime' | 'placeText'>,
  after: Pick<LessonValues, 'startTime' | 'endTime' | 'placeText'>,
): boolean =>
  before.startTime !== after.startTime || before.endTime !== after.endTime || before.placeText !== after.placeText

/** A field's value as text that is equal exactly when the field means the same. */
export function comparable(field: Field, values: LessonValues): string {
  if (field === 'sessions') return periodsOf(values).join('；')
  const value = values[field]
  if (field === 'quotaByCollege')
    return values.quotaByCollege
      .map(({ scId, quota }) => `${scId} ${quota}`)
      .toSorted()
      .join('、')
  if (Array.isArray(value)) return (value as string[]).toSorted().join('、')
  return value === undefined || value === null ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** A course without sessions of its own is one session from start to end. */
export const periodsOf = ({ sessions, startTime, endTime }: LessonValues): string[] =>
  (sessions.length > 0 ? sessions : [{ startTime, endTime }]).map((one) =>
    one.startTime.slice(0, 10) === one.endTime.slice(0, 10)
      ? `${one.startTime.slice(0, 16)} 至 ${one.endTime.slice(11, 16)}`
      : `${one.startTime.slice(0, 16)} 至 ${one.endTime.slice(0, 16)}`,
  )

/** A field's value in words; sessions by their times only. */
export function inWords(field: Field, values: LessonValues, names: ReadonlyMap<string, string>): string {
  if (field === 'sessions') return periodsOf(values).join('；')
  if (field === 'quota') return placesText(values)
  if (field === 'quotaByCollege') return collegePlaces(values.quotaByCollege, names) || '各学院共用总名额'
  const wording: LessonField = lessonFields[field]
  if (wording.format === 'rich') return plainLines(values[field] as string) || wordsOf('', wording)
  return wordsOf(field === 'liHours' ? hoursOf(values) : values[field], wording, names)
}

/** The places of single colleges in words: `文学院 20、理学院 30`. */
const collegePlaces = (
  quotas: readonly { scId: string; quota: number }[],
  names: ReadonlyMap<string, string>,
): string => quotas.map(({ scId, quota }) => `${names.get(scId) ?? '已删除的学院'} ${figure(quota)}`).join('、')

/**
 * A form as the trail keeps it: the words of rich texts, not their marks.
 * @param names of the colleges that have places of their own
 * @param earlier where the words are the same and only marks or pictures differ from this one, that is said
 */
export const inTrail = (
  values: LessonValues,
  earlier = values,
  names: ReadonlyMap<string, string> = new Map(),
): Record<string, unknown> => ({
  ...values,
  quotaByCollege: collegePlaces(values.quotaByCollege, names),
  ...Object.fromEntries(
    richFields.map((field) => {
      const words = plainLines(values[field])
      const isRestyled = values[field] !== earlier[field] && words === plainLines(earlier[field])
      return [field, isRestyled ? `（仅调整格式或图片）${words}` : words]
    }),
  ),
})

const hoursOf = ({ liHours }: LessonValues) => (liHours === undefined ? undefined : fromHundredths(liHours as number))
