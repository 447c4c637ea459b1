import { describe, expect, test } from 'vitest'
import { approvalActionApi } from '../../../contract/programme/approvals/actions.calls.ts'
import { approvalApi } from '../../../contract/programme/approvals/approvals.calls.ts'
import { yesNo } from '../../../contract/core/codes/platform.ts'
import { approvalStatus, lessonStatus, taskStatus } from '../../../contract/core/codes/programme.ts'
import { flowCheckerType, flowStepType } from '../../../contract/core/codes/rules.ts'
import { lessonApi } from '../../../contract/programme/lessons/lessons.calls.ts'
import { addDays } from '../../core/base/clock.ts'
import { newId } from '../../core/base/ids.ts'
import { approvalWorld, caseOf, idOf, letters, one, pass, refuse, taskIn } from '../../testing/approvals.ts'

test('sent back to an earlier step: it is asked again with the reason, and the course stays under approval', async () => {
  const { a, b, submitted, stateOf, flowOf } = await approvalWorld('ab', (who) => [
    one(who.a),
    one(who.b, { canReject: 'any' }),
  ])
  const liId = await submitted()
  await pass(a, liId)
  expect((await caseOf(b, liId)).backSteps).toEqual([{ stepSort: 1, stepName: '步骤1' }])
  expect((await refuse(b, liId, 2)).reason).toBe('back-not-allowed')
  expect((await refuse(b, liId, 1)).code).toBe(200)
  expect(await stateOf(liId)).toBe(lessonStatus.publishInReview)
  expect(await taskIn(b, liId)).toBeUndefined()
  expect((await letters(a))[0]).toContain('被退回，请您重新审批：步骤1')
  expect(await flowOf(liId)).toMatchObject({
    insStatus: approvalStatus.running,
    returns: [{ fromStep: '步骤2', toStep: '步骤1', opinion: '材料不够完整' }],
    steps: [{ state: 'waiting' }, { state: 'coming' }],
  })
  await pass(a, liId)
  expect((await pass(b, liId)).code).toBe(200)
  expect(await stateOf(liId)).toBe(lessonStatus.publishPassed)
})

describe('handing on', () => {
  test('the other decides; who handed on is asked no more', async () => {
    const { a, b, submitted, stateOf, flowOf, teacher } = await approvalWorld('ab', (who) => [one(who.a)])
    const liId = await submitted()
    const taskId = await idOf(a, liId)
    expect((await b.client.ask(approvalActionApi.transfer, { taskId, toSuId: b.suId })).reason).toBe('not-checker')
    expect((await a.client.ask(approvalActionApi.transfer, { taskId, toSuId: teacher.suId })).msg).toBe(
      '所选人员已离岗或没有该类审批的权限，请选择其他人',
    )
    expect(await a.client.send(approvalActionApi.transfer, { taskId, toSuId: b.suId, opinion: '请您把关' })).toEqual({
      affected: 1,
    })
    expect((await a.client.ask(approvalActionApi.transfer, { taskId, toSuId: b.suId })).reason).toBe('already-decided')
    expect((await letters(b))[0]).toContain('待您审批')
    expect((await a.client.send(approvalApi.publishQueue, { tab: 'ended' })).records).toMatchObject([
      { taskId, taskStatus: taskStatus.transferred, opinion: '请您把关' },
    ])
    expect(
      (await flowOf(liId)).steps[0]!.people.map(({ checkerName, taskStatus }) => [checkerName, taskStatus]),
    ).toEqual([
      [a.suiName, taskStatus.transferred],
      [b.suiName, taskStatus.pending],
    ])
    await pass(b, liId)
    expect(await stateOf(liId)).toBe(lessonStatus.publishPassed)
  })
  test('offered are those who could decide, by name or number', async () => {
    const { a, b, submitted } = await approvalWorld('ab', (who) => [one(who.a)])
    await submitted()
    const found = await a.client.send(approvalActionApi.candidates, { bizType: 'publish', search: b.suiNumber })
    expect(found).toMatchObject([{ id: b.suId, name: b.suiName }])
    const all = await a.client.send(approvalActionApi.candidates, { bizType: 'publish' })
    expect(all.map(({ id }) => id)).not.toContain(a.suId)
  })
})

test('adding: all who were added must pass as well', async () => {
  const { a, b, c, submitted, stateOf } = await approvalWorld('abc', (who) => [
    one(who.a, { allowAdd: yesNo.yes }),
    one(who.c, { allowTransfer: yesNo.no }),
  ])
  const liId = await submitted()
  expect((await caseOf(a, liId)).can).toEqual(['pass', 'refuse', 'transfer', 'delegate', 'add'])
  expect(await a.client.send(approvalActionApi.addSigners, { taskId: await idOf(a, liId), suIds: [b.suId] })).toEqual({
    affected: 1,
  })
  expect(
    (await a.client.ask(approvalActionApi.addSigners, { taskId: await idOf(a, liId), suIds: [b.suId] })).reason,
  ).toBe('already-on-step')
  await pass(a, liId)
  expect(await taskIn(c, liId)).toBeUndefined()
  await pass(b, liId)
  expect((await caseOf(c, liId)).can).toEqual(['pass', 'refuse'])
  expect(
    (await c.client.ask(approvalActionApi.addSigners, { taskId: await idOf(c, liId), suIds: [a.suId] })).reason,
  ).toBe('add-not-allowed')
  await pass(c, liId)
  expect(await stateOf(liId)).toBe(lessonStatus.publishPassed)
})

test('whoever passes names the next, where the flow says so', async () => {
  const { a, b, c, submitted, stateOf, teacher } = await approvalWorld('abc', (who) => [
    one(who.a),
    { node: 'PUBLISH', checkerType: flowCheckerType.namedByLastStep },
  ])
  const liId = await submitted()
  expect((await caseOf(a, liId)).can).toContain('name')
  expect((await pass(a, liId)).msg).toBe('请指定步骤“步骤2”的审批人（发起人本人除外）')
  // the refusal tells neither who an id is nor whether anybody has it
  const refusals = await Promise.all([teacher.suId, newId()].map((suId) => pass(a, liId, { nextCheckerIds: [suId] })))
  expect(refusals.map(({ reason }) => reason)).toEqual(['checker-not-able', 'checker-not-able'])
  expect(refusals[0]!.msg).toBe(refusals[1]!.msg)
  expect((await pass(a, liId, { nextCheckerIds: [b.suId, c.suId] })).code).toBe(200)
  expect(await taskIn(c, liId)).toBeDefined()
  await pass(b, liId)
  expect(await stateOf(liId)).toBe(lessonStatus.publishPassed)
})

test('reminding: the initiator, once a day, while it runs', async () => {
  const { a, b, submitted, flowOf, teacher, school } = await approvalWorld('ab', (who) => [one(who.a), one(who.b)])
  const liId = await submitted()
  const { insId, can } = await flowOf(liId)
  expect(can).toEqual(['remind'])
  expect((await a.client.ask(approvalActionApi.remind, { insId })).reason).toBe('not-found')
  const both = await Promise.all([1, 2, 3].map(() => teacher.client.ask(approvalActionApi.remind, { insId })))
  expect(both.map(({ code }) => code).toSorted()).toEqual([200, 300, 300])
  expect(both.find(({ code }) => code === 300)!.msg).toContain('每 24 小时可催办一次')
  expect((await letters(a)).filter((title) => title.startsWith('请尽快审批'))).toHaveLength(1)
  await pass(a, liId)
  await school.ctx.db
    .updateTable('approval')
    .set({ remindTime: addDays(school.clock.now(), -2) })
    .where('insId', '=', insId)
    .execute()
  expect(await teacher.client.send(approvalActionApi.remind, { insId })).toEqual({ affected: 1, names: [b.suiName] })
  await pass(b, liId)
  expect((await teacher.client.ask(approvalActionApi.remind, { insId })).reason).toBe('approval-ended')
})

test('a copy is told and asks nothing; a step for more credit is left out', async () => {
  const { a, b, c, submitted, stateOf, flowOf } = await approvalWorld('abc', (who) => [
    one(who.a),
    { node: 'PUBLISH', stepType: flowStepType.copy, checkers: [who.b.suId] },
    one(who.c, { minCredit: 100 }),
  ])
  const liId = await submitted()
  await pass(a, liId)
  expect(await stateOf(liId)).toBe(lessonStatus.publishPassed)
  expect((await letters(b))[0]).toContain('抄送给您')
  expect(await taskIn(b, liId)).toBeUndefined()
  expect(await letters(c)).toEqual([])
  expect((await flowOf(liId)).steps.map(({ stepName }) => stepName)).toEqual(['步骤1', '步骤2'])
})

test('an initiator who is a checker passes their own place, except at the last step', async () => {
  const { leader, a, submitted, school, form } = await approvalWorld('a', (who, roles) => [
    { node: 'PUBLISH', checkerType: flowCheckerType.role, checkers: [roles['COLLEGE_LEAGUE']!] },
    one(who.a),
  ])
  const { liId } = await leader.client.send(lessonApi.save, { ...form(), submit: '1' })
  const { flows } = await school.admin.send(lessonApi.details, { liId })
  expect(flows[0]!.steps[0]!).toMatchObject({
    state: 'passed',
    people: [{ checkerName: leader.suiName, taskStatus: taskStatus.autoPassed, opinion: '发起人本人，自动通过' }],
  })
  expect(await taskIn(a, liId)).toBeDefined()
  expect(await taskIn(leader, await submitted())).toBeDefined()
})

test('of twenty acts on one task at once, one is done', async () => {
  const { a, b, c, d, submitted, stateOf } = await approvalWorld('abcd', (who) => [
    one(who.a, { allowAdd: yesNo.yes }),
    one(who.d),
  ])
  const liId = await submitted()
  const taskId = await idOf(a, liId)
  const replies = await Promise.all(
    Array.from({ length: 20 }, (_, at) =>
      at % 2 === 0
        ? a.client.ask(approvalActionApi.transfer, { taskId, toSuId: at % 4 === 0 ? b.suId : c.suId })
        : a.client.ask(approvalApi.publishPass, { taskIds: [taskId] }),
    ),
  )
  expect(replies.filter(({ code }) => code === 200)).toHaveLength(1)
  expect(new Set(replies.filter(({ code }) => code !== 200).map(({ reason }) => reason))).toEqual(
    new Set(['already-decided']),
  )
  const waiting = await Promise.all([b, c, d].map((person) => taskIn(person, liId)))
  expect(waiting.filter(Boolean)).toHaveLength(1)
  expect(await stateOf(liId)).toBe(lessonStatus.publishInReview)
})
