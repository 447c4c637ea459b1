import { labelOf } from '../../contract/core/dictionary.ts'
import { isTeamCourse } from '../../contract/programme/lessons/team-fields.ts'
import type { SchoolSettings } from '../../contract/school/school/settings.ts'
import type { Activity } from '../../contract/student/activities.calls.ts'
import type { Context } from '../core/request/context.ts'
import { rangeNames } from '../programme/lessons/lists/lesson-detail.queries.ts'
import { hasRange } from '../programme/lessons/model/admission.ts'
import type { ReachedLesson } from '../programme/lessons/model/lessons.queries.ts'

/** What an activity asks of whoever takes part, in the words of its page: whom it is for, and what has to be met. */
export async function conditionsOf(
  ctx: Context,
  lesson: ReachedLesson,
  { applyCredibility }: Pick<SchoolSettings, 'applyCredibility'>,
): Promise<Activity['conditions']> {
  const named = hasRange(lesson) ? await rangeNames(ctx, lesson.liId) : forAll
  const labels = (type: 'political' | 'sex', values: readonly string[]) => values.map((value) => labelOf(type, value))
  const { teamMin, teamMax, minAttendRate } = lesson
  return [
    { label: '面向学院', text: namesIn(named.rangeColleges) },
    { label: '面向年级', text: lesson.rangeGrades.map((grade) => `${grade} 级`).join('、') },
    { label: '面向专业', text: namesIn(named.rangeMajors) },
    { label: '面向班级', text: namesIn(named.rangeClasses) },
    { label: '面向圈子', text: namesIn(named.rangeCircles) },
    { label: '政治面貌', text: labels('political', lesson.rangePolitical).join('、') },
    { label: '性别', text: labels('sex', lesson.rangeSexes).join('、') },
    { label: '诚信分', text: applyCredibility > 0 ? `不低于 ${applyCredibility} 分` : '' },
    {
      label: '队伍人数',
      text: isTeamCourse(lesson) ? (teamMin === teamMax ? `${teamMin} 人` : `${teamMin} 至 ${teamMax} 人`) : '',
    },
    { label: '出勤', text: minAttendRate > 0 ? `不少于 ${minAttendRate}% 的场次，否则不予认定` : '' },
  ].filter(({ text }) => text !== '')
}

const forAll = { rangeColleges: [], rangeMajors: [], rangeClasses: [], rangeCircles: [] }

const namesIn = (records: readonly { name: string }[]): string => records.map(({ name }) => name).join('、')
