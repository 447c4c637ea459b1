import { expect } from 'vitest'
import { applyWay } from '../../contract/core/codes/programme.ts'
import { registrationApi } from '../../contract/programme/lessons/registration.calls.ts'
import { addMinutes } from '../core/base/clock.ts'
import { countersOf, type LessonWorld } from './lessons.ts'

/** The counters of a course, which must be what its participants give. */
export const exact = async ({ school }: LessonWorld, liId: string) => {
  const { stored, counted } = await countersOf(school, liId)
  expect(stored).toEqual(counted)
  return stored
}
/** The participants of a course by registration, as the teacher sees them. */
export const rowsOf = async ({ teacher }: LessonWorld, liId: string) =>
  new Map(
    (await teacher.client.send(registrationApi.view, { liId, pageSize: 200 })).records.map((row) => [row.laId, row]),
  )
/** What a person was told, by the heads of their messages, oldest first. */
export const messageTitles = async ({ school }: LessonWorld, suId: string) => {
  const rows = await school.ctx.db
    .selectFrom('informationReceiver as r')
    .innerJoin('information as i', (join) => join.onRef('i.schoolId', '=', 'r.schoolId').onRef('i.iiId', '=', 'r.iiId'))
    .select('iiTitle')
    .where('r.schoolId', '=', school.schoolId)
    .where('r.suId', '=', suId)
    .orderBy('i.sendTime')
    .orderBy('i.iiId')
    .execute()
  return rows.map(({ iiTitle }) => iiTitle.split('：')[0])
}
/** Puts columns of a course, so that time has passed for it. */
export const move = ({ school }: LessonWorld, liId: string, values: Record<string, string>) =>
  school.ctx.db
    .updateTable('lesson')
    .set(values)
    .where('schoolId', '=', school.schoolId)
    .where('liId', '=', liId)
    .execute()
/** A published course whose registration is open for an hour; reviewed unless given. */
export const applying = (world: LessonWorld, more = {}) => {
  const now = world.school.clock.now()
  return world.published({
    applyWay: applyWay.review,
    applyStart: addMinutes(now, -60),
    applyEnd: addMinutes(now, 60),
    ...more,
  })
}
/** Registration ended an hour ago. */
export const closed = (world: LessonWorld, liId: string) =>
  move(world, liId, { applyEnd: addMinutes(world.school.clock.now(), -60) })
