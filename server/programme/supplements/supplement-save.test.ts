import { expect, test } from 'vitest'
import { approvalStatus, supplementStatus } from '../../../contract/core/codes/programme.ts'
import { yesNo } from '../../../contract/core/codes/platform.ts'
import { supplementApi } from '../../../contract/programme/supplements/supplements.calls.ts'
import { actorFor } from '../../school/session/tokens.ts'
import { supplementWorldOfTests, taskOf } from '../../testing/supplements.ts'
import { whileLocked } from '../../testing/while-locked.ts'
import { saveSupplement } from './supplement-save.service.ts'

test('a save under way holds up nobody but its own second click, which gets the same record', async () => {
  const world = await supplementWorldOfTests()
  const { school, secretary } = world
  const { ctx, schoolId } = school
  const [first, second] = await world.students(2)
  const actor = (await actorFor(ctx, schoolId, secretary.suId))!
  const one = world.form(first!.suId)
  let saved: { lisId: string } | undefined
  let again: Promise<{ lisId: string }> | undefined
  await whileLocked(
    ctx.db,
    async (db) => {
      saved = await saveSupplement(
        { ...ctx, db, actor, scope: actor.scopeFor('sup:edit') },
        supplementApi.save.input.parse(one),
      )
    },
    async (untilWaiting) => {
      const { lisId } = await secretary.client.send(supplementApi.save, world.form(second!.suId))
      expect(lisId).not.toBe(saved!.lisId)
      await secretary.client.send(supplementApi.save, world.form(first!.suId))
      again = secretary.client.send(supplementApi.save, one)
      await untilWaiting(1)
    },
  )
  expect(await again).toMatchObject({ lisId: saved!.lisId })
})

test('a record that is submitted while its removal waits leaves no approval behind', async () => {
  const world = await supplementWorldOfTests()
  const { school, secretary, leader } = world
  const { ctx, schoolId, admin } = school
  const [student] = await world.students(1)
  const { lisId } = await secretary.client.send(supplementApi.save, world.form(student!.suId))
  let submitted: Promise<unknown> | undefined
  let removed: Promise<unknown> | undefined
  await whileLocked(
    ctx.db,
    (db) =>
      db
        .selectFrom('supplement')
        .select('lisId')
        .where('schoolId', '=', schoolId)
        .where('lisId', '=', lisId)
        .forUpdate()
        .execute(),
    async (untilWaiting) => {
      submitted = secretary.client.send(supplementApi.submit, { lisId: [lisId] })
      await untilWaiting(1)
      removed = admin.send(supplementApi.remove, { lisId: [lisId], delFlag: yesNo.yes })
      await untilWaiting(2)
    },
  )
  await submitted
  expect(await removed).toMatchObject({ affected: 1 })
  expect(await world.statusOf(lisId)).toBe(supplementStatus.deleted)
  expect(await taskOf(leader, lisId)).toBeUndefined()
  const approvals = await ctx.db
    .selectFrom('approval')
    .select('insStatus')
    .where('schoolId', '=', schoolId)
    .where('bizId', '=', lisId)
    .execute()
  expect(approvals).toEqual([{ insStatus: approvalStatus.terminated }])
})
