import { expect, test } from 'vitest'
import { supplementApi } from '../../../contract/programme/supplements/supplements.calls.ts'
import { actorFor } from '../../school/session/tokens.ts'
import { supplementWorldOfTests } from '../../testing/supplements.ts'
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
