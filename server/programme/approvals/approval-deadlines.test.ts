import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { jobStatus } from '../../../contract/core/codes/platform.ts'
import { approvalActionApi } from '../../../contract/programme/approvals/actions.calls.ts'
import { approvalApi } from '../../../contract/programme/approvals/approvals.calls.ts'
import { lessonStatus, taskStatus, delegationStatus } from '../../../contract/core/codes/programme.ts'
import { lessonApi } from '../../../contract/programme/lessons/lessons.calls.ts'
import { flowStepType, timeoutAction } from '../../../contract/core/codes/rules.ts'
import { accountStatus } from '../../../contract/core/codes/school.ts'
import { addDays, addSeconds } from '../../core/base/clock.ts'
import { startJobs } from '../../core/jobs/job-runner.ts'
import { approvalOutcomes } from '../../setup/approval-outcomes.ts'
import { jobHandlers } from '../../setup/job-handlers.ts'
import { approvalWorld, idOf, letters, one, pass, taskIn } from '../../testing/approvals.ts'
import { useOwnDatabase } from '../../testing/database.ts'
import type { TestPerson, TestSchool } from '../../testing/school.ts'
import { enforceApprovalDeadlines } from './approval-deadlines.service.ts'

await useOwnDatabase()

const enforce = ({ services, schoolId }: TestSchool) => enforceApprovalDeadlines(services, approvalOutcomes, schoolId)
/** As if the tasks of a school had come so many hours ago. */
const waited = async ({ ctx, schoolId }: TestSchool, hours: number) =>
  sql`
    update "approvalTask"
    set "arriveTime" = "arriveTime" - make_interval(hours => ${hours}),
      "dueTime" = "dueTime" - make_interval(hours => ${hours}),
      "nextTime" = "nextTime" - make_interval(hours => ${hours})
    where "schoolId" = ${schoolId} and "taskStatus" = ${sql.lit(taskStatus.pending)}`.execute(ctx.db)
const openTasks = ({ ctx, schoolId }: TestSchool) =>
  ctx.db
    .selectFrom('approvalTask')
    .select(['checkerId', 'dueTime', 'nextTime', 'nextAction'])
    .where('schoolId', '=', schoolId)
    .where('taskStatus', '=', taskStatus.pending)
    .orderBy('taskId')
    .execute()
const trail = async ({ ctx, schoolId }: TestSchool) =>
  (
    await ctx.db
      .selectFrom('auditLog')
      .select('action')
      .where('schoolId', '=', schoolId)
      .where('action', 'like', '审批超时%')
      .where('actorId', 'is', null)
      .execute()
  ).map(({ action }) => action)
const leave = ({ ctx, schoolId }: TestSchool, { suId }: Pick<TestPerson, 'suId'>) =>
  ctx.db
    .updateTable('account')
    .set({ suStatus: accountStatus.disabled })
    .where('schoolId', '=', schoolId)
    .where('suId', '=', suId)
    .execute()

describe('time running out', () => {
  test('nothing happens before it has', async () => {
    const { submitted, school, a } = await approvalWorld('a', (who) => [
      one(who.a, { timeoutHours: 24, timeoutAction: timeoutAction.autoPass }),
    ])
    const liId = await submitted()
    expect(await enforce(school)).toBe(0)
    expect(await taskIn(a, liId)).toMatchObject({ overdue: false })
  })
  test('it passes by itself, once, however many look at once', async () => {
    const { submitted, stateOf, school, teacher } = await approvalWorld('a', (who) => [
      one(who.a, { timeoutHours: 24, timeoutAction: timeoutAction.autoPass }),
    ])
    const liId = await submitted()
    await waited(school, 25)
    await Promise.all(Array.from({ length: 6 }, () => enforce(school)))
    expect(await stateOf(liId)).toBe(lessonStatus.publishPassed)
    expect(await trail(school)).toEqual(['审批超时：自动通过'])
    expect((await letters(teacher)).filter((title) => title.includes('已通过'))).toHaveLength(1)
  })
  test('it is refused by itself, with the reason', async () => {
    const { submitted, stateOf, flowOf, school } = await approvalWorld('a', (who) => [
      one(who.a, { timeoutHours: 24, timeoutAction: timeoutAction.autoRefuse }),
    ])
    const liId = await submitted()
    await waited(school, 25)
    await enforce(school)
    expect(await stateOf(liId)).toBe(lessonStatus.publishRefused)
    expect((await flowOf(liId)).steps[0]!.people[0]).toMatchObject({
      taskStatus: taskStatus.refused,
      opinion: '超过处理时限，系统自动驳回',
    })
  })
  test('others of a role are asked as well, and the first decides for all', async () => {
    const { submitted, stateOf, school, a, leader } = await approvalWorld('a', (who, roles) => [
      one(who.a, { timeoutDays: 2, timeoutAction: timeoutAction.escalate, timeoutRoleId: roles['COLLEGE_LEAGUE']! }),
    ])
    const liId = await submitted()
    await waited(school, 24 * 5)
    await enforce(school)
    await enforce(school)
    expect(await trail(school)).toEqual(['审批超时：升级给角色'])
    expect((await letters(leader))[0]).toContain('超时未审批，请您处理')
    expect(await taskIn(leader, liId)).toMatchObject({ taskStatus: taskStatus.pending })
    expect(await taskIn(a, liId)).toMatchObject({ taskStatus: taskStatus.pending, overdue: true })
    await pass(leader, liId)
    expect(await stateOf(liId)).toBe(lessonStatus.publishPassed)
    expect(await taskIn(a, liId)).toBeUndefined()
  })
  test('nothing said: reminded after three working days, escalated to the administrators after five', async () => {
    const { submitted, stateOf, school, a } = await approvalWorld('a', (who) => [one(who.a)])
    const liId = await submitted()
    expect(await openTasks(school)).toMatchObject([{ checkerId: a.suId, nextAction: timeoutAction.remind }])
    await waited(school, 24 * 5)
    await enforce(school)
    expect((await letters(a))[0]).toBe(`请尽快审批《${(await taskIn(a, liId))!.bizName}》`)
    expect(await openTasks(school)).toMatchObject([{ nextAction: timeoutAction.escalate }])
    await waited(school, 24 * 5)
    await enforce(school)
    expect(await openTasks(school)).toMatchObject([
      { checkerId: a.suId, nextTime: null },
      { checkerId: school.adminId, nextTime: null },
    ])
    const [task] = (await school.admin.send(approvalApi.publishQueue, {})).records
    await school.admin.send(approvalApi.publishPass, { taskIds: [task!.taskId] })
    expect(await stateOf(liId)).toBe(lessonStatus.publishPassed)
  })
  test('a decision and the time at once: one of them counts', async () => {
    const { submitted, stateOf, school, a } = await approvalWorld('a', (who) => [
      one(who.a, { timeoutHours: 24, timeoutAction: timeoutAction.autoRefuse }),
    ])
    const liId = await submitted()
    const taskId = await idOf(a, liId)
    await waited(school, 25)
    const [reply] = await Promise.all([
      a.client.ask(approvalApi.publishPass, { taskIds: [taskId] }),
      enforce(school),
      enforce(school),
    ])
    expect(await stateOf(liId)).toBe(reply.code === 200 ? lessonStatus.publishPassed : lessonStatus.publishRefused)
    expect(await trail(school)).toHaveLength(reply.code === 200 ? 0 : 1)
  })
  test('the program does it by itself, also after a restart', async () => {
    const { submitted, stateOf, school } = await approvalWorld('a', (who) => [
      one(who.a, { timeoutHours: 24, timeoutAction: timeoutAction.autoPass }),
    ])
    const liId = await submitted()
    await waited(school, 25)
    const { services } = school
    const { 'approval:tend': handler } = jobHandlers(services)
    await services.db.deleteFrom('job').where('jobKind', '=', 'approval:tend').execute()
    for (let start = 0; start < 2; start++) {
      const runner = await startJobs({
        db: services.db,
        clock: services.clock,
        log: services.log,
        handlers: { 'approval:tend': handler! },
      })
      await runner.idle()
      await runner.stop(100)
    }
    expect(await stateOf(liId)).toBe(lessonStatus.publishPassed)
    expect(
      await services.db.selectFrom('job').select('jobStatus').where('jobKind', '=', 'approval:tend').execute(),
    ).toEqual([{ jobStatus: jobStatus.waiting }])
  })
})

describe('people who leave', () => {
  test('the administrators decide in their place, and the step goes on', async () => {
    const { submitted, stateOf, school, a, b } = await approvalWorld('ab', (who) => [
      { node: 'PUBLISH', stepType: flowStepType.everyone, checkers: [who.a.suId, who.b.suId] },
    ])
    const liId = await submitted()
    await leave(school, a)
    expect(await enforce(school)).toBe(1)
    expect(await enforce(school)).toBe(0)
    await pass(b, liId)
    const [task] = (await school.admin.send(approvalApi.publishQueue, {})).records
    await school.admin.send(approvalApi.publishPass, { taskIds: [task!.taskId] })
    expect(await stateOf(liId)).toBe(lessonStatus.publishPassed)
  })
  test('who left before their step came is not asked', async () => {
    const { submitted, school, a, b } = await approvalWorld('ab', (who) => [one(who.a), one(who.b)])
    const liId = await submitted()
    await leave(school, b)
    await pass(a, liId)
    expect((await openTasks(school)).map(({ checkerId }) => checkerId)).toEqual([school.adminId])
  })
})

test('what can only stay as it is keeps nothing behind it from its turn', async () => {
  const { submitted, school, teacher, a } = await approvalWorld('ab', (who) => [
    one(who.a),
    one(who.b, { timeoutHours: 24, timeoutAction: timeoutAction.autoPass }),
  ])
  const [stuck, due] = [await submitted(), await submitted()]
  await pass(a, due)
  await leave(school, a)
  await leave(school, { suId: school.adminId })
  await waited(school, 25)
  expect(await enforceApprovalDeadlines(school.services, approvalOutcomes, school.schoolId, 1)).toBe(2)
  const states = await Promise.all(
    [stuck, due].map(async (liId) => (await teacher.client.send(lessonApi.details, { liId })).liStatus),
  )
  expect(states).toEqual([lessonStatus.publishInReview, lessonStatus.publishPassed])
})

describe('standing in', () => {
  const period = (school: TestSchool, from: number, to: number) => ({
    startTime: addSeconds(school.clock.now(), from * 3600),
    endTime: addSeconds(school.clock.now(), to * 3600),
  })
  test('now: what waits goes to the deputy, who decides in the other’s name; what is left comes back at the end', async () => {
    const { submitted, flowOf, school, a, b } = await approvalWorld('ab', (who) => [one(who.a)])
    const [first, second] = [await submitted(), await submitted()]
    const { dgId } = await a.client.send(approvalActionApi.addDelegation, {
      agentId: b.suId,
      ...period(school, -1, 48),
      reason: '出差',
    })
    expect(await taskIn(b, first)).toMatchObject({ behalfName: a.suiName })
    expect(await taskIn(a, first)).toBeUndefined()
    expect((await letters(b)).slice(0, 3).join()).toContain('待您代为审批')
    const third = await submitted()
    await pass(b, first)
    expect((await flowOf(first)).steps[0]!.people).toMatchObject([
      { checkerName: b.suiName, behalfName: a.suiName, taskStatus: taskStatus.passed },
    ])
    const trace = await school.ctx.db
      .selectFrom('auditLog')
      .select('after')
      .where('schoolId', '=', school.schoolId)
      .where('bizId', '=', first)
      .where('action', '=', '审批通过')
      .executeTakeFirstOrThrow()
    expect(trace.after).toMatchObject({ behalf: `代 ${a.suiName} 审批` })
    expect(await a.client.send(approvalActionApi.delegations, {})).toMatchObject([
      { dgId, agentName: b.suiName, dgStatus: delegationStatus.inForce, can: ['end'] },
    ])
    expect(await b.client.send(approvalActionApi.delegations, {})).toMatchObject([
      { dgId, suiName: a.suiName, can: [] },
    ])
    expect((await b.client.ask(approvalActionApi.endDelegation, { dgId })).status).toBe(404)
    expect(await a.client.send(approvalActionApi.endDelegation, { dgId, version: 0 })).toEqual({ affected: 1 })
    for (const liId of [second, third]) {
      expect(await taskIn(a, liId)).toMatchObject({ behalfName: '' })
      expect(await taskIn(b, liId)).toBeUndefined()
    }
    expect(await a.client.send(approvalActionApi.endDelegation, { dgId })).toEqual({ affected: 0 })
  })
  test('later: the job moves tasks when it begins, and back when it is over', async () => {
    const { submitted, school, a, b } = await approvalWorld('ab', (who) => [one(who.a)])
    const liId = await submitted()
    const { dgId } = await a.client.send(approvalActionApi.addDelegation, { agentId: b.suId, ...period(school, 2, 48) })
    expect(await enforce(school)).toBe(0)
    expect(await taskIn(a, liId)).toBeDefined()
    const set = (times: { startTime: string; endTime?: string }) =>
      school.ctx.db
        .updateTable('approvalDelegation')
        .set(times)
        .where('schoolId', '=', school.schoolId)
        .where('dgId', '=', dgId)
        .execute()
    await set({ startTime: addDays(school.clock.now(), -1) })
    expect(await enforce(school)).toBe(1)
    expect(await enforce(school)).toBe(0)
    expect(await taskIn(b, liId)).toMatchObject({ behalfName: a.suiName })
    await set({ startTime: addDays(school.clock.now(), -2), endTime: addDays(school.clock.now(), -1) })
    expect(await enforce(school)).toBe(1)
    expect(await taskIn(a, liId)).toBeDefined()
    expect(await taskIn(b, liId)).toBeUndefined()
  })
  test('only by somebody with the same rights, once at a time, and not in a chain', async () => {
    const { school, a, b, c, teacher } = await approvalWorld('abc', (who) => [one(who.a)])
    const ask = (person: TestPerson, agentId: string, from = 1, to = 48) =>
      person.client.ask(approvalActionApi.addDelegation, { agentId, ...period(school, from, to) })
    expect((await ask(a, teacher.suId)).reason).toBe('checker-not-able')
    expect((await ask(teacher, a.suId)).status).toBe(403)
    expect((await ask(a, a.suId)).errors?.[0]).toEqual({ field: 'agentId', msg: '不能委托自己' })
    expect((await ask(a, b.suId, 3, 2)).errors?.[0]?.field).toBe('endTime')
    expect((await ask(a, b.suId)).code).toBe(200)
    expect((await ask(a, c.suId)).msg).toBe(`该时段内您已委托 ${b.suiName} 代理审批，请先结束后再设置`)
    expect((await ask(b, c.suId)).msg).toBe(`该时段内您正代理 ${a.suiName} 审批，不能再委托他人`)
    expect((await ask(c, a.suId)).msg).toBe(`${a.suiName} 在该时段内已委托他人代理审批，请另选代理人`)
    expect((await ask(a, c.suId, 60, 72)).code).toBe(200)
    const other = await Promise.all([1, 2, 3, 4].map(() => ask(c, b.suId)))
    expect(other.filter(({ code }) => code === 200)).toHaveLength(1)
  })
})
