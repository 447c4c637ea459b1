import { yesNo } from '../../contract/core/codes/platform.ts'
import type { Input } from '../../contract/core/call.ts'
import {
  applyUnit,
  applyWay,
  lessonKind,
  lessonStatus,
  partakeMode,
  signType,
} from '../../contract/core/codes/programme.ts'
import { quotaUnit } from '../../contract/core/codes/teams.ts'
import type { lessonApi } from '../../contract/programme/lessons/lessons.calls.ts'
import { lessonForm } from '../../contract/programme/lessons/lessons.schema.ts'
import { addDays, addMinutes } from '../core/base/clock.ts'
import type { Context } from '../core/request/context.ts'
import { systemContext } from '../core/request/system.ts'
import { insertLesson } from '../programme/lessons/planning/lesson-save.service.ts'
import { drawLots } from '../programme/lessons/registration/draw.service.ts'
import { promiseSeed } from '../programme/lessons/model/draw-seed.ts'
import { lessonFor } from '../programme/lessons/model/lessons.queries.ts'
import { foundTeam } from '../programme/lessons/registration/teams.service.ts'
import { memberFaults } from '../programme/lessons/registration/teams.queries.ts'
import { confirmTeam } from '../programme/lessons/registration/team-registration.service.ts'
import { addParticipants } from '../programme/lessons/registration/registration.service.ts'
import { personas, type DemoAccounts } from './demo-accounts.ts'
import type { DemoStudent } from './demo-people.ts'
import type { DemoSchool } from './demo-school.ts'

/** The course that has more who want to come than places. */
export const fullCourse = '急救技能培训（名额已满）'

/**
 * A published course whose lots are drawn, with its promised seed shown, one that is full with others waiting, and one
 * for teams; made through the services that the console uses.
 */
export async function demoAdmissions(
  school: DemoSchool,
  { teacher }: DemoAccounts,
  students: readonly DemoStudent[],
): Promise<void> {
  const { ctx: services, db, schoolId, start, now } = school
  const system = systemContext({ ...services, db }, schoolId)
  const ctx: Context = {
    ...system,
    actor: {
      ...system.actor,
      suId: teacher,
      suNickname: personas.teacher,
      permits: new Set(['lesson:edit', 'lesson:register']),
    },
  }
  const published = async (form: {
    liName: string
    liIntro: string
    node: string
    applyWay: string
    quota: number
    days: number
    applyEnd: string
    placeText?: string
    more?: Partial<Input<typeof lessonApi.save>>
  }) => {
    const { node, days, more, ...given } = form
    const startTime = `${addDays(now, days).slice(0, 10)} 14:00:00`
    const {
      liId: _id,
      version: _version,
      submit: _submit,
      ...values
    } = lessonForm.parse({
      placeText: '大学生活动中心 302',
      ...given,
      ...more,
      lsId: start.curriculum[node]!,
      liLevel: '5',
      liPrincipalId: teacher,
      contactName: personas.teacher,
      campus: '主校区',
      waitlistOn: yesNo.yes,
      signType: [signType.activityCode, signType.password],
      applyStart: addDays(now, -6),
      startTime,
      endTime: addMinutes(startTime, 120),
    })
    const { liId } = await insertLesson(ctx, values)
    await db
      .updateTable('lesson')
      .set({ liStatus: lessonStatus.published, publishTime: addDays(now, -6), publishBy: teacher })
      .where('schoolId', '=', schoolId)
      .where('liId', '=', liId)
      .execute()
    return liId
  }
  // as many as there are places and some more, or there is nothing to show
  const able = students.filter(({ enrolled }) => enrolled).map(({ suId }) => suId)
  const [drawing, coming] = able.length >= 30 ? [able.slice(0, 20), able.slice(20, 30)] : halves(able)
  if (drawing.length > 1) {
    const lottery = await published({
      liName: '国家博物馆参访（抽签报名）',
      liIntro: '名额有限，报名截止后抽签录取，抽签种子事先承诺、事后公开，任何人可以核验。',
      node: 'WTHD/美育实践',
      applyWay: applyWay.draw,
      quota: Math.min(8, drawing.length - 1),
      days: 6,
      applyEnd: addMinutes(now, -90),
    })
    await promiseSeed(ctx, lottery)
    await addParticipants(ctx, { liId: lottery, suIds: drawing, partakeMode: partakeMode.participant })
    await drawLots(ctx, { liId: lottery })
  }
  if (coming.length > 1) {
    const full = await published({
      liName: fullCourse,
      liIntro: '红十字会讲师授课，现场实操心肺复苏与包扎，结业者可参加急救员考核。',
      node: 'JNTC/驾驶急救',
      applyWay: applyWay.firstCome,
      quota: Math.min(6, coming.length - 1),
      days: 9,
      applyEnd: addDays(now, 3),
    })
    await addParticipants(ctx, { liId: full, suIds: coming, partakeMode: partakeMode.participant })
  }
  if (able.length >= 7) {
    const contest = await published({
      liName: '“互联网+”创新创业大赛校内选拔（组队报名）',
      liIntro: '三至五人组队，队长凭邀请码召集队员；队伍人齐后确认报名，现场路演八分钟。',
      node: 'CXCY/创业实践',
      applyWay: applyWay.firstCome,
      quota: 40,
      days: 12,
      applyEnd: addDays(now, 5),
      placeText: '创新创业基地路演厅',
      more: {
        liKind: lessonKind.competition,
        applyUnit: applyUnit.team,
        teamMin: 3,
        teamMax: 5,
        quotaUnit: quotaUnit.person,
      },
    })
    const lesson = await lessonFor(ctx, 'register', contest)
    // the last to have come to the school: those of the other two courses are among the first
    const asked = able.toReversed().slice(0, 40)
    const { faults } = await memberFaults(ctx, lesson, [], asked)
    await foundTeams(
      ctx,
      contest,
      asked.filter((suId) => !faults.has(suId)),
    )
  }
}

/** [name, members, whether it is confirmed]: two are registered, one has all it needs, one is half full. */
const teams: readonly (readonly [string, number, boolean])[] = [
  ['星火队', 5, true],
  ['启航队', 3, false],
  ['拾光队', 2, false],
  ['远航队', 4, true],
]

async function foundTeams(ctx: Context, liId: string, students: readonly string[]): Promise<void> {
  let from = 0
  for (const [teamName, size, isConfirmed] of teams) {
    const [captainId, ...suIds] = students.slice(from, from + size)
    from += size
    if (!captainId || suIds.length < size - 1) continue
    const { teamId } = await foundTeam(ctx, { liId, teamName, captainId, suIds })
    if (isConfirmed) await confirmTeam(ctx, { teamId })
  }
}

const halves = (all: readonly string[]): [string[], string[]] => {
  const middle = Math.ceil(all.length / 2)
  return [all.slice(0, middle), all.slice(middle)]
}
