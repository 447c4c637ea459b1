import type { Kysely } from 'kysely'
import { expect, test } from 'vitest'
import { flowCheckerType } from '../../../contract/core/codes/rules.ts'
import { dataScope } from '../../../contract/core/codes/school.ts'
import { approvalApi } from '../../../contract/programme/approvals/approvals.calls.ts'
import { memberApi } from '../../../contract/school/roles/members.calls.ts'
import { roleApi } from '../../../contract/school/roles/roles.calls.ts'
import { rightsTree } from '../../../contract/school/roles/rights-tree.ts'
import { up } from '../../migrations/202611231181-approval-rights.ts'
import { asOwner } from '../../testing/database.ts'
import { lessonWorld } from '../../testing/lessons.ts'
import { lessonApi } from '../../../contract/programme/lessons/lessons.calls.ts'

/** A role of the school's own with these rights, and a member of it. */
async function holding(world: Awaited<ReturnType<typeof lessonWorld>>, permits: string[]) {
  const { admin } = world.school
  const { srId } = await admin.send(roleApi.save, {
    srName: `角色${permits.length}`,
    dataScope: dataScope.school,
    permits,
  })
  const person = await world.school.person('SIGN_MGR')
  await admin.send(memberApi.add, { srId, suIds: [person.suId] })
  return person
}

test('seeing, passing and refusing are given one by one', async () => {
  const world = await lessonWorld(({ school }) => [
    { node: 'PUBLISH', checkerType: flowCheckerType.role, checkers: [school.roles['SIGN_MGR']!] },
  ])
  const reader = await holding(world, ['publishqueue:list'])
  const passer = await holding(world, ['publishqueue:list', 'approval:publish'])
  await world.teacher.client.send(lessonApi.save, { ...world.form(), submit: '1' })
  const taskOf = async (person: typeof reader) =>
    (await person.client.send(approvalApi.publishQueue, {})).records[0]!.taskId
  const denied = { status: 403 }
  const refuse = (taskId: string) => ({ taskIds: [taskId], opinion: '材料不够完整' })
  expect(await reader.client.ask(approvalApi.publishPass, { taskIds: [await taskOf(reader)] })).toMatchObject(denied)
  expect(await reader.client.ask(approvalApi.publishRefuse, refuse(await taskOf(reader)))).toMatchObject(denied)
  expect(await passer.client.ask(approvalApi.publishRefuse, refuse(await taskOf(passer)))).toMatchObject(denied)
  expect(await passer.client.send(approvalApi.publishPass, { taskIds: [await taskOf(passer)] })).toMatchObject({
    affected: 1,
  })
  const decides = async ({ client }: typeof reader) => (await client.send(approvalApi.auditCount, {})).decides
  expect([await decides(reader), await decides(passer)]).toEqual([[], ['publish']])
})

test('supervision reads every queue and decides nothing', async () => {
  const { school } = await lessonWorld()
  const auditor = await school.person('AUDITOR')
  const { publishQueue, resultQueue, supQueue, questionQueue } = approvalApi
  for (const call of [publishQueue, resultQueue, supQueue, questionQueue])
    expect((await auditor.client.ask(call, {})).code).toBe(200)
  expect(await auditor.client.ask(approvalApi.publishPass, { taskIds: [school.adminId] })).toMatchObject({
    status: 403,
  })
})

test('the role editor shows the right to see a page with that page alone', () => {
  const pages = rightsTree().flatMap(({ pages: of }) => of)
  const opened = new Map(pages.map(({ elements, title }) => [elements.find(({ opens }) => opens)?.permit, title]))
  const strange = pages.flatMap(({ title, elements }) =>
    elements
      .filter(({ permit, opens }) => permit.endsWith(':list') && !opens && opened.has(permit))
      .map(({ permit }) => `${title}: ${permit}`),
  )
  expect(strange).toEqual([])
  const queue = pages.find(({ title }) => title === '发布审批')!
  expect(queue.elements.map(({ permit }) => permit)).toEqual([
    'publishqueue:list',
    'approval:publish',
    'approval:publishRefuse',
    'publishqueue:export',
    'approval:manage',
  ])
})

test('a role of a school that could decide keeps all it could', async () => {
  const { school } = await lessonWorld()
  const { srId } = await school.admin.send(roleApi.save, {
    srName: '旧角色',
    dataScope: dataScope.school,
    permits: ['lesson:list'],
  })
  const role = (permits?: string[]) =>
    asOwner(async (db) => {
      if (permits) {
        await db
          .updateTable('role')
          .set({ permits })
          .where('schoolId', '=', school.schoolId)
          .where('srId', '=', srId)
          .execute()
        await up(db as unknown as Kysely<unknown>)
      }
      return (
        await db
          .selectFrom('role')
          .select('permits')
          .where('schoolId', '=', school.schoolId)
          .where('srId', '=', srId)
          .executeTakeFirstOrThrow()
      ).permits
    })
  expect(await role(['lesson:list', 'approval:supplement'])).toEqual([
    'approval:supplement',
    'approval:supplementRefuse',
    'lesson:list',
    'supqueue:export',
    'supqueue:list',
  ])
  expect(await role(['lesson:list'])).toEqual(['lesson:list'])
})
