import { beforeAll, describe, expect, test } from 'vitest'
import { approvalApi } from '../../../contract/programme/approvals/approvals.calls.ts'
import { approvalStatus, taskStatus } from '../../../contract/core/codes/programme.ts'
import { flowCheckerType } from '../../../contract/core/codes/rules.ts'
import { lessonApi } from '../../../contract/programme/lessons/lessons.calls.ts'
import { lessonCaseApi } from '../../../contract/programme/approvals/approvals.calls.ts'
import { makeFlow } from '../../testing/flows.ts'
import { newSchool, unique, type TestPerson, type TestSchool } from '../../testing/school.ts'
import { lessonForm } from '../../testing/stored-lesson.ts'
import { asOwner } from '../../testing/database.ts'

let school: TestSchool
let collegeId: string
let teacher: TestPerson
let first: TestPerson
let second: TestPerson
let reviewers: TestPerson[]

beforeAll(async () => {
  school = await newSchool()
  collegeId = await school.college()
  teacher = await school.person('GUIDE_TEACHER', [], { suiCollegeId: collegeId })
  first = await school.person('COLLEGE_LEAGUE', [{ caType: 'college', caTarget: collegeId }], {
    suiCollegeId: collegeId,
  })
  second = await school.person('SCHOOL_AUDIT')
  reviewers = await Promise.all(Array.from({ length: 19 }, () => school.person('SCHOOL_AUDIT')))
  await makeFlow(school, [
    { node: 'PUBLISH', checkerType: flowCheckerType.startersCollege },
    { node: 'PUBLISH', checkerType: flowCheckerType.role, checkers: [school.roles['SCHOOL_AUDIT']!] },
  ])
})

/** A submitted course of the teacher; returns its id. */
async function submitted(liName = `课程${unique()}`): Promise<string> {
  const form = lessonForm(school, teacher.suId, { liName, liCollegeId: collegeId })
  const { liId } = await teacher.client.send(lessonApi.save, { ...form, submit: '1' })
  return liId
}
/** The open task of a person for a course. */
async function taskOf({ client }: TestPerson, liId: string) {
  const { records } = await client.send(approvalApi.publishQueue, { pageSize: 200 })
  return records.find(({ bizId }) => bizId === liId)?.taskId
}
const statusOf = async (liId: string) => (await school.admin.send(lessonApi.details, { liId })).liStatus
const pass = ({ client }: TestPerson, taskId: string) => client.ask(approvalApi.publishPass, { taskIds: [taskId] })

describe('step by step', () => {
  test('the second step waits for the first, and the last pass makes the course ready to publish', async () => {
    const liId = await submitted()
    expect(await taskOf(second, liId)).toBeUndefined()
    expect((await pass(first, (await taskOf(first, liId))!)).code).toBe(200)
    expect(await statusOf(liId)).toBe('10')
    expect((await pass(second, (await taskOf(second, liId))!)).code).toBe(200)
    expect(await statusOf(liId)).toBe('20')
    const { flows } = await school.admin.send(lessonApi.details, { liId })
    expect(flows[0]).toMatchObject({
      insStatus: approvalStatus.passed,
      steps: [{ state: 'passed' }, { state: 'passed' }],
    })
    expect(flows[0]!.steps[1]!.people.find(({ checkerId }) => checkerId === second.suId)!.taskStatus).toBe(
      taskStatus.passed,
    )
  })
  test('a refusal needs a reason of five characters and sends the course back with it', async () => {
    const liId = await submitted()
    const taskId = (await taskOf(first, liId))!
    expect((await first.client.ask(approvalApi.publishRefuse, { taskIds: [taskId], opinion: '不行' })).code).toBe(300)
    expect(await statusOf(liId)).toBe('10')
    expect(
      (await first.client.ask(approvalApi.publishRefuse, { taskIds: [taskId], opinion: '请补充安全预案' })).code,
    ).toBe(200)
    expect(await statusOf(liId)).toBe('11')
    const { records } = await first.client.send(approvalApi.publishQueue, { tab: 'refused' })
    expect(records.find(({ bizId }) => bizId === liId)).toMatchObject({ opinion: '请补充安全预案', can: ['takeBack'] })
  })
  test('nobody decides a task of somebody else, a task twice, or one of another school', async () => {
    const liId = await submitted()
    const taskId = (await taskOf(first, liId))!
    expect((await pass(second, taskId)).reason).toBe('not-checker')
    const other = await newSchool()
    expect((await other.admin.ask(approvalApi.publishPass, { taskIds: [taskId] })).status).toBe(404)
    expect((await pass(first, taskId)).code).toBe(200)
    expect((await pass(first, taskId)).reason).toBe('already-decided')
    expect(
      (await first.client.ask(approvalApi.publishRefuse, { taskIds: [taskId], opinion: '我改变了主意' })).reason,
    ).toBe('already-decided')
  })
  test('of 20 reviewers deciding one step at once exactly one decides', async () => {
    const liId = await submitted()
    await pass(first, (await taskOf(first, liId))!)
    const all = [second, ...reviewers]
    const tasks = await Promise.all(all.map((person) => taskOf(person, liId)))
    const replies = await Promise.all(
      all.map((person, at) =>
        at % 2 === 0
          ? pass(person, tasks[at]!)
          : person.client.ask(approvalApi.publishRefuse, { taskIds: [tasks[at]!], opinion: '材料不够完整' }),
      ),
    )
    expect(replies.filter(({ code }) => code === 200)).toHaveLength(1)
    expect(replies.filter(({ reason, code }) => code === 300 && reason === 'already-decided')).toHaveLength(19)
    const decided = await school.ctx.db
      .selectFrom('auditLog')
      .select('logId')
      .where('bizId', '=', liId)
      .where('action', 'in', ['审批通过', '审批驳回'])
      .execute()
    expect(decided).toHaveLength(2)
  })
  test('withdrawn while nobody has decided, and not any more afterwards', async () => {
    const early = await submitted()
    expect((await teacher.client.ask(lessonApi.withdraw, { liId: early })).code).toBe(200)
    expect(await statusOf(early)).toBe('0')
    expect(await taskOf(first, early)).toBeUndefined()
    const late = await submitted()
    await pass(first, (await taskOf(first, late))!)
    expect((await teacher.client.ask(lessonApi.withdraw, { liId: late })).code).toBe(300)
    expect(await statusOf(late)).toBe('10')
  })
  test('of a batch each tells what came of it', async () => {
    const [a, b] = [await submitted(), await submitted()]
    const taskIds = [(await taskOf(first, a))!, (await taskOf(first, b))!]
    await pass(first, taskIds[0]!)
    const { affected, failed } = await first.client.send(approvalApi.publishPass, { taskIds })
    expect(affected).toBe(1)
    expect(failed).toMatchObject([{ id: taskIds[0], msg: '该任务已被处理' }])
  })
})

describe('who decides', () => {
  test('the initiator is never among their own checkers; with nobody else the submission is blocked', async () => {
    const own = await newSchool()
    const person = await own.person('GUIDE_TEACHER', [], { suiCollegeId: await own.college() })
    await makeFlow(own, [{ node: 'PUBLISH', checkerType: flowCheckerType.people, checkers: [person.suId] }])
    const refused = await person.client.ask(lessonApi.save, {
      ...lessonForm(own, person.suId),
      submit: '1',
    })
    expect(refused.reason).toBe('workflow-no-checker')
    expect((await person.client.send(lessonApi.view, {})).total).toBe(0)
  })
  test('without a flow nothing is submitted, and the answer says where to configure it', async () => {
    const own = await newSchool()
    const person = await own.person('GUIDE_TEACHER', [], { suiCollegeId: await own.college() })
    const reply = await person.client.ask(lessonApi.save, { ...lessonForm(own, person.suId), submit: '1' })
    expect(reply.reason).toBe('workflow-missing')
    expect(reply.msg).toContain('流程管理')
  })
  test('deleting or editing the flow does not touch what runs', async () => {
    const liId = await submitted()
    const alterStep = (values: Partial<{ wfsStepName: string; wfsCheckerType: string }>) =>
      asOwner((db) =>
        db
          .updateTable('workflowStep')
          .set(values)
          .where('schoolId', '=', school.schoolId)
          .where('wfsSort', '=', 2)
          .execute(),
      )
    await alterStep({ wfsStepName: '改名', wfsCheckerType: flowCheckerType.people })
    await pass(first, (await taskOf(first, liId))!)
    expect(await taskOf(second, liId)).toBeDefined()
    await alterStep({ wfsCheckerType: flowCheckerType.role })
  })
})

test('the case shows the course, its hints and my task', async () => {
  const liId = await submitted('同名课程')
  await submitted('另一门课程')
  const shown = await first.client.send(lessonCaseApi.lessonResult, { liId })
  expect(shown.task?.can).toEqual(['pass', 'refuse', 'transfer', 'delegate'])
  expect(shown.hints.map(({ text }) => text)).toContain('尚未指定签到负责人，由课程负责人签到')
  expect((await teacher.client.send(lessonCaseApi.lessonResult, { liId })).task).toBeNull()
})

test('counts follow the queue', async () => {
  const before = await first.client.send(approvalApi.auditCount, {})
  const liId = await submitted()
  const during = await first.client.send(approvalApi.auditCount, {})
  expect(during.publish).toBe(before.publish + 1)
  await pass(first, (await taskOf(first, liId))!)
  expect((await first.client.send(approvalApi.auditCount, {})).publish).toBe(before.publish)
})
