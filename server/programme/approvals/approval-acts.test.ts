import { describe, expect, test } from 'vitest'
import { yesNo } from '../../../contract/core/codes/platform.ts'
import { approvalStatus, delegationStatus, lessonStatus, taskStatus } from '../../../contract/core/codes/programme.ts'
import { approvalActionApi } from '../../../contract/programme/approvals/actions.calls.ts'
import { approvalApi } from '../../../contract/programme/approvals/approvals.calls.ts'
import { lessonApi } from '../../../contract/programme/lessons/lessons.calls.ts'
import { auditApi } from '../../../contract/school/audit/audit.calls.ts'
import { addDays } from '../../core/base/clock.ts'
import { approvalWorld, caseOf, idOf, letters, one, pass, taskIn } from '../../testing/approvals.ts'
import { SpecClient } from '../../spec-client/spec-client.ts'
import type { TestPerson } from '../../testing/school.ts'

type World = Awaited<ReturnType<typeof approvalWorld>>

/** The people of the first step as somebody sees them, in words. */
const chainFor = async (person: Pick<TestPerson, 'client'>, liId: string) => {
  const { flows } = await person.client.send(lessonApi.details, { liId })
  return flows[0]!.steps[0]!.people.map(({ checkerName, taskStatus: status, opinion, askedByName, can }) => ({
    checkerName,
    status,
    opinion,
    askedByName,
    can,
  }))
}

describe('an opinion of a colleague', () => {
  const delegated = async () => {
    const world = await approvalWorld('abc', (who) => [one(who.a), one(who.c)])
    const liId = await world.submitted()
    const taskId = await idOf(world.a, liId)
    await world.a.client.send(approvalActionApi.delegate, {
      taskId,
      toSuId: world.b.suId,
      opinion: '请核实场地是否可用',
    })
    return { ...world, liId, taskId }
  }

  test('the colleague says what they think, and the task comes back to the reviewer, who decides', async () => {
    const { a, b, c, liId, taskId, stateOf } = await delegated()
    expect(await taskIn(a, liId)).toBeUndefined()
    expect((await letters(b))[0]).toContain('请您给出审批意见：步骤1')
    const asked = await caseOf(b, liId)
    expect(asked).toMatchObject({ can: ['advise'], askedByName: a.suiName, askText: '请核实场地是否可用' })
    expect(asked.backSteps).toEqual([])
    const reasons = [
      (await b.client.ask(approvalApi.publishPass, { taskIds: [asked.taskId] })).reason,
      (await b.client.ask(approvalApi.publishRefuse, { taskIds: [asked.taskId], opinion: '材料不够完整' })).reason,
      (await b.client.ask(approvalActionApi.transfer, { taskId: asked.taskId, toSuId: c.suId })).reason,
      (await a.client.ask(approvalActionApi.advise, { taskId: asked.taskId, opinion: '我自己答' })).reason,
    ]
    expect(reasons).toEqual(['opinion-only', 'opinion-only', 'opinion-only', 'not-checker'])
    await b.client.send(approvalActionApi.advise, { taskId: asked.taskId, opinion: '场地已核实，可用' })
    expect(await taskIn(b, liId)).toBeUndefined()
    expect((await letters(a))[0]).toContain('的委派已答复，请您审批')
    expect(await chainFor(a, liId)).toEqual([
      { checkerName: a.suiName, status: taskStatus.delegated, opinion: '请核实场地是否可用', askedByName: '', can: [] },
      {
        checkerName: b.suiName,
        status: taskStatus.advised,
        opinion: '场地已核实，可用',
        askedByName: a.suiName,
        can: [],
      },
      { checkerName: a.suiName, status: taskStatus.pending, opinion: '', askedByName: '', can: [] },
    ])
    expect(await idOf(a, liId)).not.toBe(taskId)
    await pass(a, liId)
    await pass(c, liId)
    expect(await stateOf(liId)).toBe(lessonStatus.publishPassed)
    const { records } = await b.client.send(approvalApi.publishQueue, { tab: 'ended' })
    expect(records).toMatchObject([{ bizId: liId, taskStatus: taskStatus.advised, can: [] }])
  })

  test('the reviewer who got their answer a moment ago may decide by naming the matter', async () => {
    const { a, b, liId } = await delegated()
    const asked = await caseOf(b, liId)
    await b.client.send(approvalActionApi.advise, { taskId: asked.taskId, opinion: '场地已核实，可用' })
    const plain = new SpecClient(a.client.address, a.client.token)
    const decide = () => plain.ask('POST S:/lessonsApplyInfo/publishPass', { liId })
    expect(await decide()).toMatchObject({ code: 200, data: { affected: 1 } })
    expect(await decide()).toMatchObject({ code: 300, msg: '没有等待您审批的记录，请刷新后查看' })
  })

  test('the reviewer takes it back while the colleague has not answered', async () => {
    const { a, b, liId, taskId, school } = await delegated()
    const { records } = await a.client.send(approvalApi.publishQueue, { tab: 'ended' })
    expect(records).toMatchObject([{ taskId, taskStatus: taskStatus.delegated, can: ['recall'] }])
    expect((await chainFor(a, liId)).map(({ can }) => can)).toEqual([[], ['recall']])
    expect((await chainFor({ client: school.admin }, liId)).map(({ can }) => can)).toEqual([[], []])
    expect((await b.client.ask(approvalActionApi.recall, { taskId })).reason).toBe('not-checker')
    await a.client.send(approvalActionApi.recall, { taskId })
    expect(await taskIn(b, liId)).toBeUndefined()
    expect((await letters(b))[0]).toContain('不再需要您处理')
    expect((await chainFor(a, liId)).map(({ checkerName, status }) => [checkerName, status])).toEqual([
      [a.suiName, taskStatus.pending],
    ])
    expect((await caseOf(a, liId)).can).toEqual(['pass', 'refuse', 'transfer', 'delegate'])
    expect((await a.client.ask(approvalActionApi.recall, { taskId })).reason).toBe('already-advised')
    const trail = await school.admin.send(auditApi.timeline, { bizType: 'lesson', bizId: liId, pageSize: 50 })
    expect(trail.records.map(({ action }) => action)).toEqual(expect.arrayContaining(['委派审批', '收回委派']))
  })

  test('of the answer and of taking it back at once exactly one is done', async () => {
    for (let round = 0; round < 4; round++) {
      const { a, b, liId, taskId } = await delegated()
      const theirs = await idOf(b, liId)
      const [answer, back] = await Promise.all([
        b.client.ask(approvalActionApi.advise, { taskId: theirs, opinion: '属实' }),
        a.client.ask(approvalActionApi.recall, { taskId }),
      ])
      expect([answer.code, back.code].toSorted()).toEqual([200, 300])
      expect(answer.code === 200 ? back.reason : answer.reason).toBe(
        answer.code === 200 ? 'already-advised' : 'already-decided',
      )
      // either way the task is back, once
      expect((await a.client.send(approvalApi.publishQueue, {})).records.map(({ bizId }) => bizId)).toEqual([liId])
      expect(await taskIn(b, liId)).toBeUndefined()
    }
  })

  test('only of people who could decide, and where the step allows it', async () => {
    const { a, b, teacher, submitted, school } = await approvalWorld('ab', (who) => [
      one(who.a, { allowTransfer: yesNo.no }),
      one(who.b),
    ])
    const liId = await submitted()
    const taskId = await idOf(a, liId)
    const ask = async (person: TestPerson, to: string, id = taskId) =>
      (await person.client.ask(approvalActionApi.delegate, { taskId: id, toSuId: to })).reason
    expect([await ask(a, b.suId), await ask(b, a.suId), await ask(a, teacher.suId)]).toEqual([
      'delegate-not-allowed',
      'not-checker',
      'checker-not-able',
    ])
    const other = await school.person('SCHOOL_AUDIT')
    expect(await ask(other, b.suId)).toBe('not-checker')
  })

  test('who stands in for the colleague gives no opinion; who stands in for the reviewer gets the task back', async () => {
    const { a, b, c, liId, school } = await delegated()
    const now = school.clock.now()
    const standIn = (person: TestPerson, agent: TestPerson) =>
      person.client.send(approvalActionApi.addDelegation, {
        agentId: agent.suId,
        startTime: now,
        endTime: addDays(now, 2),
      })
    const d = await school.person('SCHOOL_AUDIT')
    await standIn(b, d)
    expect(await taskIn(d, liId)).toBeUndefined()
    await standIn(a, c)
    expect((await a.client.send(approvalActionApi.delegations, {}))[0]!.dgStatus).toBe(delegationStatus.inForce)
    await b.client.send(approvalActionApi.advise, { taskId: await idOf(b, liId), opinion: '属实' })
    expect(await taskIn(c, liId)).toMatchObject({ behalfName: a.suiName, can: ['pass', 'refuse'] })
  })
})

describe('taking an added signer off', () => {
  const added = async () => {
    const world = await approvalWorld('abc', (who) => [one(who.a, { allowAdd: yesNo.yes })])
    const liId = await world.submitted()
    await world.a.client.send(approvalActionApi.addSigners, {
      taskId: await idOf(world.a, liId),
      suIds: [world.b.suId, world.c.suId],
    })
    const { insId } = await world.flowOf(liId)
    return { ...world, liId, insId }
  }
  const remove = ({ client }: Pick<TestPerson, 'client'>, { insId }: { insId: string }, suId: string) =>
    client.ask(approvalActionApi.removeSigner, { insId, suId, opinion: '改由本人核实' })
  const removable = async (person: Pick<TestPerson, 'client'>, { liId }: { liId: string }, world: World) =>
    (await chainFor(person, liId))
      .filter(({ can }) => can.includes('removeSigner'))
      .map(({ checkerName }) => (checkerName === world.b.suiName ? 'b' : checkerName === world.c.suiName ? 'c' : '?'))

  test('by who added them: they are asked no longer, and the step goes on without them', async () => {
    const made = await added()
    const { a, b, c, liId, stateOf, school } = made
    expect(await removable(a, made, made)).toEqual(['b', 'c'])
    expect(await removable(b, made, made)).toEqual([])
    expect((await remove(b, made, c.suId)).reason).toBe('not-permitted')
    expect((await remove(a, made, a.suId)).reason).toBe('signer-not-removable')
    expect((await remove(a, made, b.suId)).code).toBe(200)
    expect(await taskIn(b, liId)).toBeUndefined()
    expect((await letters(b))[0]).toContain('不再需要您处理')
    expect(await chainFor(a, liId)).toContainEqual({
      checkerName: b.suiName,
      status: taskStatus.withdrawn,
      opinion: '改由本人核实',
      askedByName: '',
      can: [],
    })
    await pass(a, liId)
    expect(await stateOf(liId)).toBe(lessonStatus.publishInReview)
    // the reviewer has decided; the last one added and not yet heard is taken off: that ends it as passed
    expect((await remove(a, made, c.suId)).code).toBe(200)
    expect(await stateOf(liId)).toBe(lessonStatus.publishPassed)
    expect((await remove(a, made, c.suId)).reason).toBe('approval-ended')
    const trail = await school.admin.send(auditApi.timeline, { bizType: 'lesson', bizId: liId, pageSize: 50 })
    expect(trail.records.filter(({ action }) => action === '减签')).toHaveLength(2)
  })

  test('by an administrator; not once they have decided; and they may be added again', async () => {
    const made = await added()
    const { a, b, c, liId, school, stateOf } = made
    expect(await removable({ client: school.admin }, made, made)).toEqual(['b', 'c'])
    await pass(c, liId)
    expect(await removable({ client: school.admin }, made, made)).toEqual(['b'])
    expect((await remove({ client: school.admin }, made, c.suId)).reason).toBe('signer-not-removable')
    expect((await remove({ client: school.admin }, made, b.suId)).code).toBe(200)
    await a.client.send(approvalActionApi.addSigners, { taskId: await idOf(a, liId), suIds: [b.suId] })
    await pass(a, liId)
    expect(await stateOf(liId)).toBe(lessonStatus.publishInReview)
    await pass(b, liId)
    expect(await stateOf(liId)).toBe(lessonStatus.publishPassed)
  })

  test('while they decide, either the one or the other happens', async () => {
    for (let round = 0; round < 4; round++) {
      const made = await added()
      const { a, b, liId } = made
      const theirs = await idOf(b, liId)
      const [removed, decided] = await Promise.all([
        remove(a, made, b.suId),
        b.client.ask(approvalApi.publishPass, { taskIds: [theirs] }),
      ])
      expect([removed.code, decided.code].toSorted()).toEqual([200, 300])
      if (removed.code === 200) expect(decided.reason).toBe('already-decided')
      else expect(removed.reason).toBe('signer-not-removable')
      expect((await made.flowOf(liId)).insStatus).toBe(approvalStatus.running)
    }
  })
})
