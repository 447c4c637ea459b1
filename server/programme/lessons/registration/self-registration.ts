import { applyWay, lessonStatus } from '../../../../contract/core/codes/programme.ts'
import { Failure } from '../../../../contract/core/failure.ts'
import { isTeamCourse } from '../../../../contract/programme/lessons/team-fields.ts'
import type { ReachedLesson } from '../model/lessons.queries.ts'

type Facts = Pick<ReachedLesson, 'liStatus' | 'applyWay' | 'applyUnit' | 'applyStart' | 'applyEnd' | 'startTime'>

/**
 * Why nobody can register for a course themselves now, and from when they can; undefined where they can, as far as the
 * course goes: alone, or as a team. Staff may enter people outside of these times. Pure.
 */
export function selfRegistrationFault(lesson: Facts, now: string, { asTeam = false } = {}): Failure | undefined {
  const { liStatus, applyStart, applyEnd, startTime } = lesson
  if (liStatus !== lessonStatus.published) return new Failure('apply-not-open')
  if (lesson.applyWay === applyWay.importedList) return new Failure('apply-by-list')
  if (lesson.applyWay === applyWay.noRegistration) return new Failure('apply-not-needed')
  if (isTeamCourse(lesson) !== asTeam) return new Failure(asTeam ? 'not-a-team-course' : 'apply-by-team')
  if (applyStart !== null && now < applyStart) return new Failure('apply-not-begun', { time: applyStart.slice(0, 16) })
  const end = applyEnd !== null && applyEnd < startTime ? applyEnd : startTime
  if (now > end) return new Failure('apply-over', { time: end.slice(0, 16) })
  return undefined
}
