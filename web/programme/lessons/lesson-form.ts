import type { z } from 'zod'
import { yesNo } from '../../../contract/core/codes/platform.ts'
import {
  applyUnit,
  applyWay,
  lessonForm as lessonFormCodes,
  lessonKind,
  signType,
} from '../../../contract/core/codes/programme.ts'
import { quotaUnit } from '../../../contract/core/codes/teams.ts'
import type { lessonForm, LessonDetail } from '../../../contract/programme/lessons/lessons.schema.ts'
import { fieldsTelling } from '../../../contract/programme/lessons/lesson-fields.ts'
import { formOfLesson } from '../../../contract/programme/lessons/form-of-lesson.ts'
import { fieldsOf } from '../../core/service/schema.ts'
import { lessonApi } from '../../../contract/programme/lessons/lessons.calls.ts'
import { isEmpty } from '../../core/service/empty.ts'
import type { Values } from '../../core/form/use-record-form.ts'

type LessonInput = z.input<typeof lessonForm>

/** What a new course begins with. */
export const blankLesson: Values = {
  liKind: lessonKind.activity,
  liForm: lessonFormCodes.onSite,
  liScheme: 'standard',
  liExt: {},
  applyWay: applyWay.review,
  applyUnit: applyUnit.individual,
  quotaUnit: quotaUnit.person,
  waitlistOn: yesNo.no,
  signType: [signType.manual],
  signOutOn: yesNo.no,
  minAttendRate: 0,
  isQuestionedAudit: yesNo.yes,
  teacherIds: [],
  signerIds: [],
  liAttachments: [],
  rangeColleges: [],
  rangeGrades: [],
  rangeMajors: [],
  rangeClasses: [],
  rangeCircles: [],
  rangePolitical: [],
  rangeSexes: [],
  quotaByCollege: [],
  reservedIds: [],
  organiserIds: [],
  liLabels: [],
  sessions: [],
}

/** What the sections hold that are shut until somebody has something to say there. */
export const rangeNames = [
  'rangeColleges',
  'rangeGrades',
  'rangeMajors',
  'rangeClasses',
  'rangeCircles',
  'rangePolitical',
  'rangeSexes',
  'quotaByCollege',
  'reservedIds',
]
export const signNames = ['signType', 'lateMinutes', 'signOutOn', 'minAttendRate', 'signLng', 'signLat', 'signRadius']
export const noticeNames = ['publictyDays', 'isQuestionedAudit']
export const paperNames = ['liPlan', 'liAttachments']

/**
 * Whether nothing is said in these fields beyond what a new course begins with.
 * @param usual what the service fills in where nothing is said, by the school's rules; undefined while these are not
 *   known, and then taken to be what stands there
 */
export const isBlank = (values: Values | undefined, names: readonly string[], usual: Values = {}): boolean =>
  names.every((name) => {
    const value = values?.[name]
    const begun = name in usual ? (usual[name] ?? value) : blankLesson[name]
    return isEmpty(value) || JSON.stringify(value) === JSON.stringify(begun)
  })

/** What a new course takes over from one that was held before: everything but when it takes place. */
export function copiedValues(lesson: LessonDetail): Values {
  const { liId: _id, version: _version, ...rest } = formOfLesson(lesson) as Values
  for (const [field] of fieldsTelling('isTimed')) delete rest[field]
  return { ...rest, sessions: [], liName: copyName(lesson.liName) }
}

/** The next number of a series, else the name with 副本. */
function copyName(liName: string): string {
  const match = /^(.*?)\s*（第\s*(\d{1,3})\s*期）$/.exec(liName)
  return match ? `${match[1]}（第 ${Number(match[2]) + 1} 期）` : `${liName.slice(0, 196)}（副本）`
}

/** The places of single colleges as the call takes them; what is not filled in is told as missing. */
export const collegeRows = (rows: unknown) =>
  ((rows ?? []) as { scId?: string; quota?: number | null }[]).map(({ scId, quota }) => ({
    scId: scId ?? '',
    quota: quota ?? '',
  }))

const known = Object.keys(fieldsOf(lessonApi.save.input))

/** What the form sends: the fields the call takes; `submit` says whether it goes into approval at once. */
export function lessonInput(values: Values): LessonInput {
  // what was filled in for teams means nothing once people register by themselves
  const alone = { teamMin: undefined, teamMax: undefined, quotaUnit: quotaUnit.person }
  const isForTeams = values['applyUnit'] === applyUnit.team
  const said: Values = {
    ...values,
    ...('quotaByCollege' in values && { quotaByCollege: collegeRows(values['quotaByCollege']) }),
    ...(isForTeams ? { reservedIds: [] } : alone),
  }
  return Object.fromEntries(known.filter((name) => name in said).map((name) => [name, said[name]])) as LessonInput
}

/** Hours between two wall-clock texts, rounded to a tenth; 0 while either is missing or they are in the wrong order. */
export function hoursBetween(start: string | undefined, end: string | undefined): number {
  const span = start && end ? Date.parse(`${end.replace(' ', 'T')}Z`) - Date.parse(`${start.replace(' ', 'T')}Z`) : 0
  return span > 0 ? Math.round(span / 360_000) / 10 : 0
}

interface Period {
  startTime?: string
  endTime?: string
}

/**
 * How long an activity lasts: its sessions together, or from start to end on one day; undefined where that says
 * nothing.
 */
export function durationOf({
  startTime,
  endTime,
  sessions = [],
}: Period & { sessions?: readonly (Period | undefined)[] }): number | undefined {
  const inSessions = sessions.reduce((sum, session) => sum + hoursBetween(session?.startTime, session?.endTime), 0)
  if (inSessions > 0) return Math.round(inSessions * 10) / 10
  return startTime?.slice(0, 10) === endTime?.slice(0, 10) ? hoursBetween(startTime, endTime) || undefined : undefined
}
