import { applyUnit, applyWay } from '../../core/codes/programme.ts'
import { quotaUnit } from '../../core/codes/teams.ts'
import { figure } from '../../core/figure.ts'

/** What the form of a course says of teams. */
interface TeamFields {
  applyUnit: string
  applyWay: string
  teamMin?: number | null | undefined
  teamMax?: number | null | undefined
  quotaUnit: string
  quota: number
  applyQuestions?: string | undefined
}

/** Whether teams register for a course. */
export const isTeamCourse = (course: Pick<TeamFields, 'applyUnit'>): boolean => course.applyUnit === applyUnit.team

/** What contradicts itself in the fields of teams, each with the field it is told at. Pure. */
export function teamFieldFaults(form: TeamFields): [field: keyof TeamFields, message: string][] {
  const { teamMin, teamMax, quota } = form
  if (!isTeamCourse(form)) {
    const given = (
      [
        ['teamMin', teamMin],
        ['teamMax', teamMax],
      ] as const
    ).filter(([, size]) => size != null)
    return [
      ...given.map(([field]): [keyof TeamFields, string] => [field, '按团队报名的课程才填写每队人数']),
      ...(form.quotaUnit === quotaUnit.team
        ? [['quotaUnit', '按团队报名的课程才能按队计名额'] satisfies [keyof TeamFields, string]]
        : []),
    ]
  }
  const faults: [keyof TeamFields, string][] = []
  if (form.applyWay === applyWay.noRegistration) faults.push(['applyUnit', '无需报名的课程不能按团队报名'])
  if (form.applyQuestions) faults.push(['applyQuestions', '按团队报名的课程不能设置附加问题'])
  if (teamMin == null) faults.push(['teamMin', '请输入每队最少人数'])
  if (teamMax == null) faults.push(['teamMax', '请输入每队最多人数'])
  if (teamMin != null && teamMax != null && teamMax < teamMin) faults.push(['teamMax', '每队最多人数不能少于最少人数'])
  if (teamMin != null && form.quotaUnit === quotaUnit.person && quota < teamMin)
    faults.push(['quota', `名额少于一支队伍的最少人数（${teamMin} 人）`])
  return faults
}

/** The places of a course in words: `30 人`, or `8 队` where one is for a whole team. */
export const placesText = ({ quota, quotaUnit: unit }: Pick<TeamFields, 'quota' | 'quotaUnit'>): string =>
  `${figure(quota)} ${unit === quotaUnit.team ? '队' : '人'}`

interface Places {
  quota: number
  quotaUnit?: string | undefined
  teamMin?: number | null | undefined
  teamMax?: number | null | undefined
}

/** How many people a course has room for at most. */
export const roomFor = ({ quota, quotaUnit: unit, teamMax }: Places): number =>
  unit === quotaUnit.team ? quota * (teamMax ?? 1) : quota

/** How many people come at least when every place is taken. */
export const peopleExpected = ({ quota, quotaUnit: unit, teamMin }: Places): number =>
  unit === quotaUnit.team ? quota * (teamMin ?? 1) : quota
