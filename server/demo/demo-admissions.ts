import { yesNo } from '../../contract/core/codes/platform.ts'
import { applyWay, lessonStatus, partakeMode, signType } from '../../contract/core/codes/programme.ts'
import { lessonForm } from '../../contract/programme/lessons/lessons.schema.ts'
import { addDays, addMinutes } from '../core/base/clock.ts'
import type { Context } from '../core/request/context.ts'
import { systemContext } from '../core/request/system.ts'
import { insertLesson } from '../programme/lessons/planning/lesson-save.service.ts'
import { drawLots } from '../programme/lessons/registration/draw.service.ts'
import { promiseSeed } from '../programme/lessons/model/draw-seed.ts'
import { addParticipants } from '../programme/lessons/registration/registration.service.ts'
import { personas, type DemoAccounts } from './demo-accounts.ts'
import type { DemoStudent } from './demo-people.ts'
import type { DemoSchool } from './demo-school.ts'

/**
 * A published course whose lots are drawn, with its promised seed shown, and one that is full with others waiting; made
 * through the services that the console uses.
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
  }) => {
    const { node, days, ...given } = form
    const startTime = `${addDays(now, days).slice(0, 10)} 14:00:00`
    const {
      liId: _id,
      version: _version,
      submit: _submit,
      ...values
    } = lessonForm.parse({
      ...given,
      lsId: start.curriculum[node]!,
      liLevel: '5',
      liPrincipalId: teacher,
      contactName: personas.teacher,
      campus: '主校区',
      placeText: '大学生活动中心 302',
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
      liName: '急救技能培训（名额已满）',
      liIntro: '红十字会讲师授课，现场实操心肺复苏与包扎，结业者可参加急救员考核。',
      node: 'JNTC/驾驶急救',
      applyWay: applyWay.firstCome,
      quota: Math.min(6, coming.length - 1),
      days: 9,
      applyEnd: addDays(now, 3),
    })
    await addParticipants(ctx, { liId: full, suIds: coming, partakeMode: partakeMode.participant })
  }
}

const halves = (all: readonly string[]): [string[], string[]] => {
  const middle = Math.ceil(all.length / 2)
  return [all.slice(0, middle), all.slice(middle)]
}
