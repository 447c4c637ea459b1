import { Failure } from '../../../contract/core/failure.ts'
import { lessonStatApi } from '../../../contract/outcomes/statistics/lesson-statistics.calls.ts'
import { loginStatApi } from '../../../contract/outcomes/statistics/login-statistics.calls.ts'
import { studentStatApi } from '../../../contract/outcomes/statistics/student-statistics.calls.ts'
import { supplementStatApi } from '../../../contract/outcomes/statistics/supplement-statistics.calls.ts'
import type { Call } from '../../../contract/core/call.ts'
import type { Context } from '../../core/request/context.ts'
import { under } from '../../school/people/people.service.ts'
import { liveliestLessons } from './lesson-liveliness.queries.ts'
import { lessonsByCollege, lessonsByLevel, lessonsInfo } from './lesson-statistics.queries.ts'
import { loginsByCollege } from './login-statistics.queries.ts'
import type { Span } from './periods.ts'
import { collegeNames } from './places.ts'
import { averageScore, studentTotal } from './student-statistics.queries.ts'
import { supplementInfo } from './supplement-statistics.queries.ts'

export type PeriodFigures = Awaited<ReturnType<typeof figuresOfPeriod>>

/**
 * What the statistics screens say about a period, of a college or of everything the asking person may see: the very
 * answers of their calls, each under its own right. Null where they lack it.
 * @throws Failure `not-found` for a college that is not there
 */
export async function figuresOfPeriod(ctx: Context, span: Span, collegeId?: string) {
  const names = await collegeNames(ctx)
  if (collegeId && !names.has(collegeId)) throw new Failure('not-found')
  const place = collegeId ? { collegeId } : {}
  const input = { ...span, ...place }
  const asked = <T>(call: Call, ask: (own: Context) => Promise<T>): Promise<T> | null =>
    ctx.actor.permits.has(call.permit) ? ask(under(ctx, call.permit)) : null
  const info = await asked(lessonStatApi.info, (own) => lessonsInfo(own, input))
  const before = info?.previous
  const [colleges, collegesBefore, levels, lively, sups, students, averages, logins] = await Promise.all([
    asked(lessonStatApi.colleges, (own) => lessonsByCollege(own, input)),
    before ? asked(lessonStatApi.colleges, (own) => lessonsByCollege(own, { ...place, ...before })) : null,
    asked(lessonStatApi.level, (own) => lessonsByLevel(own, input)),
    asked(lessonStatApi.activityScore, (own) => liveliestLessons(own, input)),
    asked(supplementStatApi.info, (own) => supplementInfo(own, input)),
    asked(studentStatApi.total, (own) => studentTotal(own, place)),
    asked(studentStatApi.score, (own) => averageScore(own, place)),
    asked(loginStatApi.college, (own) => loginsByCollege(own, { ...input, tab: '3' })),
  ])
  return {
    span,
    collegeName: collegeId ? names.get(collegeId)! : null,
    info,
    colleges,
    collegesBefore,
    levels,
    lively,
    sups,
    students,
    averages,
    logins,
  }
}
