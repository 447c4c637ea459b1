import { industryExt } from './industry.ts'
import type { LessonDetail } from './lessons.schema.ts'

const idsOf = (named: readonly { id: string }[]) => named.map(({ id }) => id)
const personIdsOf = (people: readonly { suId: string }[]) => people.map(({ suId }) => suId)

/** A course as it is read, with its fields as its form sends them; what only the page shows stays beside them. */
export const formOfLesson = (lesson: LessonDetail): Record<string, unknown> => ({
  ...lesson,
  liExt: Object.fromEntries(Object.entries(lesson.liExt).filter(([name]) => name in industryExt.shape)),
  liPlan: lesson.liPlan?.id,
  liAttachments: idsOf(lesson.liAttachments),
  teacherIds: personIdsOf(lesson.teachers),
  signerIds: personIdsOf(lesson.signers),
  rangeColleges: idsOf(lesson.rangeColleges),
  rangeMajors: idsOf(lesson.rangeMajors),
  rangeClasses: idsOf(lesson.rangeClasses),
  rangeCircles: idsOf(lesson.rangeCircles),
  organiserIds: idsOf(lesson.organiserIds),
  quotaByCollege: lesson.quotaByCollege.map(({ scId, quota }) => ({ scId, quota })),
  reservedIds: personIdsOf(lesson.reservedIds),
  sessions: sessionsOf(lesson),
})

/** The service keeps at least one session; one that is the activity itself is not told as a session of its own. */
function sessionsOf({ sessions, startTime, endTime, placeText }: LessonDetail) {
  const [only, ...more] = sessions
  if (
    only &&
    more.length === 0 &&
    only.startTime === startTime &&
    only.endTime === endTime &&
    ['', placeText].includes(only.placeText)
  )
    return []
  return sessions.map((one) => ({ startTime: one.startTime, endTime: one.endTime, placeText: one.placeText }))
}
