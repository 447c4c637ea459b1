import { beforeAll, describe, expect, test } from 'vitest'
import { approvalActionApi, takeBackSeconds } from '../../../contract/programme/approvals/actions.calls.ts'
import { approvalApi } from '../../../contract/programme/approvals/approvals.calls.ts'
import { approvalStatus, lessonStatus } from '../../../contract/core/codes/programme.ts'
import { lessonApi } from '../../../contract/programme/lessons/lessons.calls.ts'
import { approvalWorld, idOf, letters, one, pass, refuse, taskIn } from '../../testing/approvals.ts'

let world: Awaited<ReturnType<typeof approvalWorld>>
beforeAll(async () => {
  world = await approvalWorld('abc', ({ a, b }) => [one(a), one(b)])
})
const takeBack = (person: { client: typeof world.a.client }, taskId: string) =>
  person.client.ask(approvalActionApi.takeBack, { taskIds: [taskId] })

describe('taking a decision back', () => {
  test('a pass is undone with what it led to: the next reviewer is asked no longer, and I decide anew', async () => {
    const { a, b, stateOf } = world
    const liId = await world.submitted()
    const taskId = await idOf(a, liId)
    const { data } = await pass(a, liId)
    expect(data!.undoUntil).not.toBeNull()
    expect(await taskIn(b, liId)).toBeDefined()
    const { records } = await a.client.send(approvalApi.publishQueue, { tab: 'done', pageSize: 200 })
    expect(records.find(({ bizId }) => bizId === liId)!.can).toEqual(['takeBack'])
    expect((await takeBack(a, taskId)).code).toBe(200)
    expect(await taskIn(b, liId)).toBeUndefined()
    expect((await taskIn(a, liId))!.taskId).toBe(taskId)
    expect((await letters(b))[0]).toContain('暂不需要您审批')
    expect((await takeBack(a, taskId)).reason).toBe('take-back-late')
    expect((await pass(a, liId)).code).toBe(200)
    expect((await pass(b, liId)).code).toBe(200)
    expect(await stateOf(liId)).toBe(lessonStatus.publishPassed)
  })
  test('the last decision is undone with what it meant for the course, a refusal as well as a pass', async () => {
    const { a, b, stateOf, teacher } = world
    const passed = await world.submitted()
    await pass(a, passed)
    const last = await idOf(b, passed)
    await pass(b, passed)
    expect((await takeBack(b, last)).code).toBe(200)
    expect(await stateOf(passed)).toBe(lessonStatus.publishInReview)
    expect((await world.flowOf(passed)).insStatus).toBe(approvalStatus.running)
    expect((await letters(teacher))[0]).toContain('恢复为进行中')
    const refused = await world.submitted()
    const first = await idOf(a, refused)
    await refuse(a, refused)
    expect(await stateOf(refused)).toBe(lessonStatus.publishRefused)
    expect((await takeBack(a, first)).code).toBe(200)
    expect(await stateOf(refused)).toBe(lessonStatus.publishInReview)
    expect((await pass(a, refused)).code).toBe(200)
  })
  test('not after half a minute, not by somebody else, not once the next has decided or the course was changed', async () => {
    const { a, b, c, school, teacher } = world
    const old = await world.submitted()
    const oldTask = await idOf(a, old)
    await pass(a, old)
    expect((await takeBack(c, oldTask)).status).toBe(404)
    await school.ctx.db
      .updateTable('approval')
      .set((set) => ({
        undo: set.fn<never>('jsonb_set', ['undo', set.val('{until}'), set.val('"2020-01-01 00:00:00"')]),
      }))
      .where('schoolId', '=', school.schoolId)
      .where('bizId', '=', old)
      .execute()
    const late = await takeBack(a, oldTask)
    expect(late.reason).toBe('take-back-late')
    expect(late.msg).toContain(String(takeBackSeconds))
    const next = await world.submitted()
    const nextTask = await idOf(a, next)
    await pass(a, next)
    await pass(b, next)
    expect((await takeBack(a, nextTask)).reason).toBe('take-back-late')
    const done = await world.submitted()
    await pass(a, done)
    const doneTask = await idOf(b, done)
    await pass(b, done)
    await teacher.client.send(lessonApi.publish, { liId: done })
    expect((await takeBack(b, doneTask)).reason).toBe('take-back-late')
    expect(await world.stateOf(done)).toBe(lessonStatus.published)
  })
  test('while the next decides, either the one or the other happened', async () => {
    const { a, b, stateOf } = world
    for (let round = 0; round < 4; round++) {
      const liId = await world.submitted()
      const mine = await idOf(a, liId)
      await pass(a, liId)
      const theirs = await idOf(b, liId)
      const [back, decided] = await Promise.all([
        takeBack(a, mine),
        b.client.ask(approvalApi.publishPass, { taskIds: [theirs] }),
      ])
      expect([back.code, decided.code].toSorted()).toEqual([200, 300])
      if (back.code === 200)
        expect([decided.reason, await stateOf(liId)]).toEqual(['already-decided', lessonStatus.publishInReview])
      else expect([back.reason, await stateOf(liId)]).toEqual(['take-back-late', lessonStatus.publishPassed])
    }
  })
  test('of a batch each is taken back on its own', async () => {
    const { a } = world
    const ids = [await world.submitted(), await world.submitted()]
    const taskIds = await Promise.all(ids.map((liId) => idOf(a, liId)))
    await a.client.send(approvalApi.publishPass, { taskIds })
    await pass(world.b, ids[1]!)
    const result = await a.client.send(approvalActionApi.takeBack, { taskIds })
    expect(result.affected).toBe(1)
    expect(result.failed).toMatchObject([{ id: taskIds[1] }])
  })
})

describe('withdrawing', () => {
  test('the initiator sees what they started, may remind and withdraw until somebody decides', async () => {
    const { a, teacher, stateOf } = world
    const [early, late] = [await world.submitted(), await world.submitted()]
    await pass(a, late)
    const reviewer = await world.school.person('COLLEGE_LEAGUE', [{ caType: 'college', caTarget: world.scId }])
    expect((await reviewer.client.send(approvalApi.publishQueue, { tab: 'mine' })).total).toBe(0)
    const rows = await world.school.ctx.db
      .selectFrom('approval')
      .select(['insId', 'bizId'])
      .where('schoolId', '=', world.school.schoolId)
      .where('bizId', 'in', [early, late])
      .execute()
    const insOf = (liId: string) => rows.find(({ bizId }) => bizId === liId)!.insId
    expect((await reviewer.client.ask(approvalActionApi.withdraw, { insId: insOf(early) })).status).toBe(404)
    expect((await teacher.client.ask(approvalActionApi.withdraw, { insId: insOf(late) })).reason).toBe(
      'already-decided',
    )
    expect((await teacher.client.ask(approvalActionApi.withdraw, { insId: insOf(early) })).code).toBe(200)
    expect(await stateOf(early)).toBe(lessonStatus.draft)
    expect(await taskIn(a, early)).toBeUndefined()
  })
  test('withdrawn and decided at once: one of the two', async () => {
    const { a, teacher, stateOf } = world
    for (let round = 0; round < 4; round++) {
      const liId = await world.submitted()
      const taskId = await idOf(a, liId)
      const [withdrawn, decided] = await Promise.all([
        teacher.client.ask(lessonApi.withdraw, { liId }),
        a.client.ask(approvalApi.publishPass, { taskIds: [taskId] }),
      ])
      expect([withdrawn.code, decided.code].toSorted()).toEqual([200, 300])
      expect(await stateOf(liId)).toBe(withdrawn.code === 200 ? lessonStatus.draft : lessonStatus.publishInReview)
    }
  })
})

describe('the queue', () => {
  test('is searched by name and initiator, limited by time, sorted, and tells what is overdue', async () => {
    const { a, school } = world
    const liId = await world.submitted()
    const mine = (await taskIn(a, liId))!
    const ask = (more: object) => a.client.send(approvalApi.publishQueue, { pageSize: 200, ...more })
    expect((await ask({ bizName: mine.bizName })).records.map(({ bizId }) => bizId)).toEqual([liId])
    expect((await ask({ bizName: mine.bizName, startName: '不存在的人' })).total).toBe(0)
    expect(
      (await ask({ bizName: mine.bizName, createStartDate: '2020-01-01', createEndDate: '2020-12-31' })).total,
    ).toBe(0)
    const names = (await ask({ sort: 'bizName', order: 'desc' })).records.map(({ bizName }) => bizName)
    expect(names.length).toBeGreaterThan(1)
    const ascending = (await ask({ sort: 'bizName' })).records.map(({ bizName }) => bizName)
    expect(names).toEqual(ascending.toReversed())
    expect((await ask({ tab: 'overdue' })).total).toBe(0)
    await school.ctx.db
      .updateTable('approvalTask')
      .set({ dueTime: '2020-01-01 00:00:00' })
      .where('schoolId', '=', school.schoolId)
      .where('taskId', '=', mine.taskId)
      .execute()
    expect((await ask({ tab: 'overdue' })).records).toMatchObject([{ bizId: liId, overdue: true }])
    expect((await a.client.send(approvalApi.auditCount, {})).overdue).toBe(1)
  })
  test('phrases are kept for each person, wherever they sign in', async () => {
    const { a, b } = world
    const before = await a.client.send(approvalActionApi.opinions, {})
    expect(before.phrases.length).toBeGreaterThan(0)
    await a.client.send(approvalActionApi.saveOpinions, { phrases: ['同意开展。', '同意开展。', '请补充预案。'] })
    expect((await a.client.send(approvalActionApi.opinions, {})).phrases).toEqual(['同意开展。', '请补充预案。'])
    expect(await b.client.send(approvalActionApi.opinions, {})).toEqual(before)
    expect(
      (
        await a.client.ask(approvalActionApi.saveOpinions, {
          phrases: Array.from({ length: 13 }, (_, at) => `意见${at}`),
        })
      ).code,
    ).toBe(300)
    expect((await a.client.ask(approvalActionApi.saveOpinions, { phrases: ['长'.repeat(61)] })).msg).toContain(
      '不能超过 60 个字',
    )
  })
})
