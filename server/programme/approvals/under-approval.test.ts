import { beforeAll, describe, expect, test } from 'vitest'
import { approvalStatus } from '../../../contract/core/codes/programme.ts'
import { approvalApi } from '../../../contract/programme/approvals/approvals.calls.ts'
import { lessonApi } from '../../../contract/programme/lessons/lessons.calls.ts'
import { idOf, approvalWorld, one, pass, taskIn } from '../../testing/approvals.ts'
import type { TestPerson } from '../../testing/school.ts'
import { sheetIn } from '../../testing/sheet-in.ts'

let world: Awaited<ReturnType<typeof approvalWorld>>
/** Of a college in which nothing is under approval. */
let stranger: TestPerson
let liId: string
let bizName: string

beforeAll(async () => {
  world = await approvalWorld('ab', ({ a, b }) => [one(a), one(b)])
  const { school } = world
  const scId = await school.college()
  stranger = await school.person('COLLEGE_LEAGUE', [{ caType: 'college', caTarget: scId }], { suiCollegeId: scId })
  liId = await world.submitted()
  bizName = (await taskIn(world.a, liId))!.bizName
})

const all = async ({ client }: Pick<TestPerson, 'client'>, more: object = {}) =>
  (await client.send(approvalApi.publishQueue, { tab: 'all', pageSize: 200, ...more })).records
const ids = (rows: { bizId: string }[]) => rows.map((row) => row.bizId)

describe('what is under approval', () => {
  test('is told with who holds it and since when, to whoever may see the course', async () => {
    const { a, b, leader, school } = world
    const { arriveTime } = (await taskIn(a, liId))!
    const expected = {
      bizId: liId,
      liId,
      arriveTime,
      holders: [a.suiName],
      taskStatus: approvalStatus.running,
      can: [],
    }
    for (const client of [school.admin, leader.client, b.client])
      expect((await all({ client })).filter((row) => row.bizId === liId)).toMatchObject([expected])
    expect(ids(await all(stranger))).toEqual([])
    expect((await all({ client: school.admin }, { holderName: a.suiName })).map((row) => row.bizId)).toContain(liId)
    expect(ids(await all({ client: school.admin }, { holderName: b.suiName }))).not.toContain(liId)
    expect(ids(await all({ client: school.admin }, { bizName, startName: world.teacher.suiName }))).toEqual([liId])
    expect(ids(await all({ client: school.admin }, { createEndDate: '2020-12-31' }))).toEqual([])
  })
  test('moves on with the steps, is gone when it ends, and gives nobody anything to decide', async () => {
    const { a, b, school, leader } = world
    const { liId: moving } = await leader.client.send(lessonApi.save, { ...world.form(), submit: '1' })
    await pass(a, moving)
    const [row] = (await all({ client: school.admin })).filter(({ bizId }) => bizId === moving)
    expect(row).toMatchObject({ holders: [b.suiName], stepSort: 2 })
    // whoever submitted it is told the same of their own
    const { records } = await leader.client.send(approvalApi.publishQueue, { tab: 'mine' })
    expect(records).toMatchObject([{ bizId: moving, holders: [b.suiName], can: ['remind'] }])
    // the row is an approval and no task: what is sent with its id decides nothing
    const { code } = await school.admin.ask(approvalApi.publishPass, { taskIds: [row!.taskId] })
    expect(code).not.toBe(200)
    expect(await world.stateOf(moving)).toBe('10')
    await b.client.send(approvalApi.publishPass, { taskIds: [await idOf(b, moving)] })
    expect(ids(await all({ client: school.admin }))).not.toContain(moving)
  })
  test('waits longest first, and by deadline, name or initiator where asked', async () => {
    const { school, a } = world
    const later = await world.submitted()
    await school.ctx.db
      .updateTable('approvalTask')
      .set({ arriveTime: '2020-01-01 08:00:00', dueTime: '2020-01-03 08:00:00' })
      .where('schoolId', '=', school.schoolId)
      .where('taskId', '=', await idOf(a, later))
      .execute()
    const client = school.admin
    expect((await all({ client }))[0]).toMatchObject({ bizId: later, overdue: true, arriveTime: '2020-01-01 08:00:00' })
    expect(ids(await all({ client }, { sort: 'arriveTime', order: 'desc' })).at(-1)).toBe(later)
    expect(ids(await all({ client }, { sort: 'dueTime' }))[0]).toBe(later)
    const names = (await all({ client }, { sort: 'bizName' })).map((row) => row.bizName)
    const down = (await all({ client }, { sort: 'bizName', order: 'desc' })).map((row) => row.bizName)
    expect(names.length).toBeGreaterThan(1)
    expect(down).toEqual(names.toReversed())
  })
})

describe('the export', () => {
  test('gives what the tab shows for the same filters, with who holds it', async () => {
    const { a, school, leader } = world
    const download = async (client: TestPerson['client'], input: object) =>
      sheet((await client.download(approvalApi.publishExport, input)).bytes)
    const rows = await download(school.admin, { tab: 'all', bizName })
    expect(rows).toMatchObject([{ 名称: bizName, 在谁手里: a.suiName, 状态: '进行中', 发起人: world.teacher.suiName }])
    expect(await download(a.client, { bizName })).toMatchObject([{ 名称: bizName, 状态: '待办' }])
    expect(await download(leader.client, { tab: 'all', bizName })).toHaveLength(1)
    expect((await stranger.client.ask(approvalApi.publishExport, { tab: 'all' })).msg).toContain('没有可导出')
  })
  test('of a kind of which nothing is under approval says so', async () => {
    for (const call of [approvalApi.resultExport, approvalApi.supExport, approvalApi.questionExport])
      expect((await world.school.admin.ask(call, { tab: 'all' })).msg).toContain('没有可导出')
  })
})

/** A workbook as records by its heads. */
async function sheet(bytes: Buffer): Promise<Record<string, string>[]> {
  const { lines } = await sheetIn(bytes)
  const [headers, ...rows] = lines
  return rows.map(({ cells }) =>
    Object.fromEntries(headers!.cells.map((head, at) => [String(head), String(cells[at] ?? '')])),
  )
}
