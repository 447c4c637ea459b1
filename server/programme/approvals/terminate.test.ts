import { describe, expect, test } from 'vitest'
import {
  approvalStatus,
  lessonChangeStatus,
  lessonStatus,
  questionStatus,
  questionType,
  resultStatus,
  signStatus,
  supplementStatus,
  taskStatus,
} from '../../../contract/core/codes/programme.ts'
import { approvalActionApi } from '../../../contract/programme/approvals/actions.calls.ts'
import { approvalApi } from '../../../contract/programme/approvals/approvals.calls.ts'
import { disputeApi } from '../../../contract/programme/disputes/disputes.calls.ts'
import { lessonApi } from '../../../contract/programme/lessons/lessons.calls.ts'
import { registrationApi } from '../../../contract/programme/lessons/registration.calls.ts'
import { supplementApi } from '../../../contract/programme/supplements/supplements.calls.ts'
import { auditApi } from '../../../contract/school/audit/audit.calls.ts'
import { addSeconds } from '../../core/base/clock.ts'
import { forgetActors } from '../../core/request/actor-cache.ts'
import { approvalWorld, idOf, letters, one, pass, taskIn } from '../../testing/approvals.ts'
import { disputeWorld } from '../../testing/disputes.ts'
import { lessonWorld } from '../../testing/lessons.ts'
import type { TestPerson } from '../../testing/school.ts'
import { supplementWorldOfTests, taskOf } from '../../testing/supplements.ts'

const reason = '活动已改由其他部门举办'
const terminate = ({ client }: Pick<TestPerson, 'client'>, insId: string) =>
  client.ask(approvalActionApi.terminate, { insId, reason })

describe('what becomes of the record', () => {
  test('a course plan is a draft again: its owner mends it, submits it anew or deletes it', async () => {
    const { a, b, submitted, stateOf, flowOf, teacher, school } = await approvalWorld('ab', (who) => [
      one(who.a),
      one(who.b),
    ])
    const liId = await submitted()
    await pass(a, liId)
    const { insId } = await flowOf(liId)
    const seen = await school.admin.send(lessonApi.details, { liId })
    expect(seen.flows[0]!.can).toEqual(['terminate'])
    expect((await terminate({ client: school.admin }, insId)).code).toBe(200)
    expect(await stateOf(liId)).toBe(lessonStatus.draft)
    expect(await taskIn(b, liId)).toBeUndefined()
    expect((await letters(b))[0]).toContain('不再需要您处理')
    expect((await letters(teacher))[0]).toContain('发布审批已终止')
    const flow = await flowOf(liId)
    expect(flow).toMatchObject({ insStatus: approvalStatus.terminated, endName: '管理员', endReason: reason, can: [] })
    expect(flow.steps.map(({ people }) => people.map((person) => person.taskStatus))).toEqual([
      [taskStatus.passed],
      [taskStatus.lapsed],
    ])
    const { can } = await teacher.client.send(lessonApi.details, { liId })
    expect(can).toEqual(expect.arrayContaining(['edit', 'submit', 'del']))
    const trail = await school.admin.send(auditApi.timeline, { bizType: 'lesson', bizId: liId, pageSize: 50 })
    expect(trail.records.filter(({ action }) => action === '终止审批')).toHaveLength(1)
    // the next approval begins from the first step
    await teacher.client.send(lessonApi.submit, { liId })
    expect(await taskIn(a, liId)).toBeDefined()
    expect((await terminate({ client: school.admin }, insId)).reason).toBe('approval-ended')
  })

  test('a change is let go of, and the course stays as it was approved', async () => {
    const { a, teacher, school, flowOf, form } = await approvalWorld('a', (who) => [one(who.a)])
    const values = form({ placeText: '礼堂' })
    const { liId } = await teacher.client.send(lessonApi.save, { ...values, submit: '1' })
    await pass(a, liId)
    await teacher.client.send(lessonApi.publish, { liId })
    const { version, quota } = await teacher.client.send(lessonApi.details, { liId })
    await teacher.client.send(lessonApi.save, { ...values, liId, version, quota: quota - 1 })
    expect((await terminate({ client: school.admin }, (await flowOf(liId)).insId)).code).toBe(200)
    expect(await teacher.client.send(lessonApi.details, { liId })).toMatchObject({
      liStatus: lessonStatus.published,
      change: null,
      quota,
    })
    const changes = await school.ctx.db
      .selectFrom('lessonChange')
      .select(['lcStatus', 'reason'])
      .where('schoolId', '=', school.schoolId)
      .where('liId', '=', liId)
      .execute()
    expect(changes).toEqual([{ lcStatus: lessonChangeStatus.terminated, reason }])
    const again = await teacher.client.send(lessonApi.details, { liId })
    expect(again.can).toContain('edit')
  })

  test('a result can be mended and submitted anew', async () => {
    const world = await lessonWorld(({ leader }) => [{ node: 'RESULT', checkers: [leader.suId] }])
    const { school, teacher, leader } = world
    const { liId } = await teacher.client.send(lessonApi.save, {
      ...world.form({}, -2),
      endTime: addSeconds(school.clock.now(), -3600),
      submit: '1',
    })
    await teacher.client.send(lessonApi.publish, { liId })
    const laIds = await world.enrol(liId, await world.students(1))
    await teacher.client.send(registrationApi.sign, { laIds, laSignStatus: signStatus.signedIn })
    await teacher.client.send(registrationApi.setAward, { laIds, laResult: resultStatus.passed })
    await teacher.client.send(lessonApi.resultAudit, { liId })
    const { flows } = await teacher.client.send(lessonApi.details, { liId })
    expect((await terminate({ client: school.admin }, flows[0]!.insId)).code).toBe(200)
    expect((await teacher.client.send(lessonApi.details, { liId })).liStatus).toBe(lessonStatus.published)
    await teacher.client.send(registrationApi.setAward, { laIds, laResult: resultStatus.failed })
    await teacher.client.send(lessonApi.resultAudit, { liId })
    expect((await leader.client.send(approvalApi.resultQueue, {})).records.map(({ bizId }) => bizId)).toEqual([liId])
  })

  test('a supplement record can be edited, submitted anew or deleted, and its student is told', async () => {
    const world = await supplementWorldOfTests()
    const { school, secretary, leader } = world
    const [student] = await world.students(1)
    const lisId = await world.submitted(student!.suId)
    const { insId } = (await taskOf(leader, lisId))!
    expect((await terminate({ client: school.admin }, insId)).code).toBe(200)
    expect(await world.statusOf(lisId)).toBe(supplementStatus.withdrawn)
    expect(await taskOf(leader, lisId)).toBeUndefined()
    const { can, flows } = await secretary.client.send(supplementApi.detail, { lisId })
    expect(can).toEqual(expect.arrayContaining(['edit', 'submit', 'del']))
    expect(flows[0]).toMatchObject({ insStatus: approvalStatus.terminated, endReason: reason })
    expect((await letters(secretary))[0]).toContain('补录审批已终止')
    const told = await school.ctx.db
      .selectFrom('informationReceiver')
      .select('iiId')
      .where('schoolId', '=', school.schoolId)
      .where('suId', '=', student!.suId)
      .execute()
    expect(told).toHaveLength(1)
    await secretary.client.send(supplementApi.submit, { lisId: [lisId] })
    expect(await taskOf(leader, lisId)).toBeDefined()
  })

  test('a dispute can be taken up or declined anew; whom it concerns cannot end it', async () => {
    const world = await disputeWorld()
    const { school, leader, teacher } = world
    const [reporter] = await world.students(1)
    const liId = await world.noticed([{ suId: reporter!.suId }])
    const qId = await world.asked({
      liId,
      qType: questionType.organiserBreach,
      reporterSuId: reporter!.suId,
      qContent: '活动没有按公布的时间举办',
    })
    await leader.client.send(disputeApi.accept, { qIds: [qId] })
    const { flows } = await world.questionOf(qId)
    const { insId } = flows[0]!
    // the principal of the course that is questioned, though an administrator
    await school.ctx.db
      .insertInto('roleUser')
      .values({ schoolId: school.schoolId, srId: school.roles['SCHOOL_ADMIN']!, suId: teacher.suId })
      .execute()
    forgetActors(school.schoolId, [teacher.suId])
    expect((await terminate(teacher, insId)).reason).toBe('approval-concerns-you')
    expect((await terminate({ client: school.admin }, insId)).code).toBe(200)
    expect((await world.questionOf(qId)).qStatus).toBe(questionStatus.pending)
    expect(await world.taskFor(qId)).toBeUndefined()
    expect((await leader.client.send(disputeApi.accept, { qIds: [qId] })).affected).toBe(1)
    expect(await world.taskFor(qId)).toBeDefined()
  })
})

describe('who may, and when', () => {
  test('with the right for the place where the record lies, with a reason, and never once it is decided', async () => {
    const { a, submitted, flowOf, school, scId, leader } = await approvalWorld('a', (who) => [one(who.a)])
    const liId = await submitted()
    const { insId } = await flowOf(liId)
    expect((await terminate(a, insId)).status).toBe(403)
    expect((await terminate(leader, insId)).status).toBe(403)
    expect(
      (await school.admin.ask(approvalActionApi.terminate, { insId, reason: '' })).errors?.map(({ field }) => field),
    ).toEqual(['reason'])
    const manager = async (target: string) => {
      const role = await school.ctx.db
        .selectFrom('role')
        .selectAll()
        .where('schoolId', '=', school.schoolId)
        .where('srCode', '=', 'COLLEGE_LEAGUE')
        .executeTakeFirstOrThrow()
      const person = await school.person('COLLEGE_LEAGUE', [{ caType: 'college', caTarget: target }])
      await school.ctx.db
        .updateTable('role')
        .set({ permits: [...new Set([...role.permits, 'approval:manage'])] })
        .where('schoolId', '=', school.schoolId)
        .where('srId', '=', role.srId)
        .execute()
      return person
    }
    const [own, foreign] = [await manager(scId), await manager(await school.college())]
    expect((await terminate(foreign, insId)).reason).toBe('not-found')
    expect((await terminate(own, insId)).code).toBe(200)
    const next = await submitted()
    await pass(a, next)
    expect((await terminate({ client: school.admin }, (await flowOf(next)).insId)).reason).toBe('approval-ended')
  })

  test('against a decision at once exactly one is done', async () => {
    const { a, submitted, flowOf, school, stateOf } = await approvalWorld('a', (who) => [one(who.a)])
    for (let round = 0; round < 6; round++) {
      const liId = await submitted()
      const [{ insId }, taskId] = [await flowOf(liId), await idOf(a, liId)]
      const [ended, decided] = await Promise.all([
        terminate({ client: school.admin }, insId),
        a.client.ask(approvalApi.publishPass, { taskIds: [taskId] }),
      ])
      expect([ended.code, decided.code].toSorted()).toEqual([200, 300])
      if (ended.code === 200)
        expect([decided.reason, await stateOf(liId)]).toEqual(['already-decided', lessonStatus.draft])
      else expect([ended.reason, await stateOf(liId)]).toEqual(['approval-ended', lessonStatus.publishPassed])
    }
  })
})
