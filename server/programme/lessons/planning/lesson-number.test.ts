import { expect, test } from 'vitest'
import { lessonApi } from '../../../../contract/programme/lessons/lessons.calls.ts'
import { actorFor } from '../../../school/session/tokens.ts'
import { lessonWorld } from '../../../testing/lessons.ts'
import { whileLocked } from '../../../testing/while-locked.ts'
import { saveLesson } from './lesson-save.service.ts'

test('a save under way holds up no other course, only one of its name; numbers are given once', async () => {
  const { school, teacher, leader, form } = await lessonWorld()
  const { ctx, schoolId } = school
  const actor = (await actorFor(ctx, schoolId, teacher.suId))!
  const numberOf = (liNo: string) => Number(liNo.split('-')[1])
  const one = form()
  let first: { liNo: string; liId: string } | undefined
  const others: string[] = []
  let again: Promise<{ liId: string }> | undefined
  let sameName: ReturnType<typeof leader.client.ask> | undefined
  await whileLocked(
    ctx.db,
    async (db) => {
      first = await saveLesson(
        { ...ctx, db, actor, scope: actor.scopeFor('lesson:edit') },
        lessonApi.save.input.parse(one),
      )
    },
    async (untilWaiting) => {
      const made = await Promise.all([1, 2, 3, 4].map(() => teacher.client.send(lessonApi.save, form())))
      others.push(...made.map(({ liNo }) => liNo))
      again = teacher.client.send(lessonApi.save, one)
      sameName = leader.client.ask(lessonApi.save, one)
      await untilWaiting(2)
    },
  )
  const start = numberOf(first!.liNo)
  expect(others.map(numberOf).toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4].map((n) => start + n))
  expect((await again!).liId).toBe(first!.liId)
  expect(await sameName).toMatchObject({ reason: 'lesson-name-taken' })
  expect(numberOf((await teacher.client.send(lessonApi.save, form())).liNo)).toBe(start + 5)
})
