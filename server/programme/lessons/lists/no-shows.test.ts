import { expect, test } from 'vitest'
import { applyStatus, lessonStatus, resultStatus, signStatus } from '../../../../contract/core/codes/programme.ts'
import { noShowApi } from '../../../../contract/programme/lessons/no-shows.calls.ts'
import { credibilityApi } from '../../../../contract/school/people/credibility.calls.ts'
import { addDays } from '../../../core/base/clock.ts'
import { oneClass } from '../../../testing/ledger.ts'
import { lessonWorld } from '../../../testing/lessons.ts'
import { completeLessons } from '../credit/completion.service.ts'

test('a student’s broken promises are told with what they cost, what became of it, and nothing else', async () => {
  const world = await lessonWorld()
  const { school, leader } = world
  const { db } = school.ctx
  const [student, other] = await world.students(2)
  const suId = student!.suId
  const now = school.clock.now()
  /** Courses in which the student has a sign status; those noticed are completed below. */
  const course = async (liName: string, hours: number, laSignStatus: string, liStatus: string) => {
    const liId = await world.published({ liName }, hours)
    const [laId] = await world.enrol(liId, [student!, other!])
    await db
      .updateTable('registration')
      .set({ laSignStatus, laResult: laSignStatus === signStatus.absent ? resultStatus.failed : resultStatus.passed })
      .where('schoolId', '=', school.schoolId)
      .where('laId', '=', laId!)
      .execute()
    await db
      .updateTable('registration')
      .set({ laSignStatus: signStatus.signedIn, laResult: resultStatus.passed })
      .where('schoolId', '=', school.schoolId)
      .where('liId', '=', liId)
      .where('suId', '=', other!.suId)
      .execute()
    await db
      .updateTable('lesson')
      .set({ liStatus, liPublictyEdate: addDays(now, -1) })
      .where('schoolId', '=', school.schoolId)
      .where('liId', '=', liId)
      .execute()
    return liId
  }
  const absent = await course('缺席的课', 48, signStatus.absent, lessonStatus.inNotice)
  const left = await course('早退的课', 72, signStatus.leftEarly, lessonStatus.inNotice)
  await course('来了的课', 96, signStatus.signedIn, lessonStatus.inNotice)
  const pending = await course('待公示的课', 120, signStatus.absent, lessonStatus.resultPassed)
  expect(await completeLessons(school.services, school.schoolId)).toBe(3)

  const ask = (client = leader.client) => client.send(noShowApi.list, { suId })
  const page = await ask()
  expect(
    page.records.map(({ liId, laSignStatus, credibilityChange, restored, can }) => [
      liId,
      laSignStatus,
      credibilityChange,
      restored,
      can,
    ]),
  ).toEqual([
    [pending, signStatus.absent, null, false, []],
    [left, signStatus.leftEarly, -2, false, ['restore']],
    [absent, signStatus.absent, -1, false, ['restore']],
  ])
  expect(page.records[2]).toMatchObject({
    liName: '缺席的课',
    liLevel: '6',
    liLevelName: '院（系）级',
    lsName: '思想成长 / 主题教育',
    laStatus: applyStatus.accepted,
    reason: '缺席课程“缺席的课”',
    opens: true,
  })
  await leader.client.send(credibilityApi.restore, { cgIds: page.records[2]!.cgIds, reason: '当日病假已补办' })
  expect((await ask()).records[2]).toMatchObject({ credibilityChange: -1, restored: true, cgIds: [], can: [] })
  expect(await leader.client.send(noShowApi.list, { suId, current: 2, pageSize: 2 })).toMatchObject({
    total: 3,
    records: [{ liId: absent }],
  })
  expect((await leader.client.send(noShowApi.list, { suId: other!.suId })).total).toBe(0)

  const tutor = await school.person('CLASS_TUTOR', [{ caType: 'class', caTarget: world.place.scClassId }])
  expect((await ask(tutor.client)).records.every(({ can }) => can.length === 0)).toBe(true)
  const elsewhere = await oneClass(school)
  const stranger = await school.person('COLLEGE_LEAGUE', [{ caType: 'college', caTarget: elsewhere.scId }])
  expect(await stranger.client.ask(noShowApi.list, { suId })).toMatchObject({ status: 404 })
})
