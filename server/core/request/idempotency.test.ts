import { beforeAll, expect, test } from 'vitest'
import { fullPath, type Call } from '../../../contract/core/call.ts'
import { lessonApi } from '../../../contract/programme/lessons/lessons.calls.ts'
import { memberApi } from '../../../contract/school/roles/members.calls.ts'
import type { Client, Reply } from '../../testing/client.ts'
import { lessonWorld, type LessonWorld } from '../../testing/lessons.ts'
import { unique } from '../../testing/school.ts'
import { forgetRequestKeys } from './idempotency.ts'

let world: LessonWorld
beforeAll(async () => {
  world = await lessonWorld()
})

const newKey = () => `key-${unique()}-${unique()}`
async function post<D>({ address, token }: Client, call: Call, input: unknown, key: string): Promise<Reply<D>> {
  const response = await fetch(address + fullPath(call), {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'idempotency-key': key,
      prefer: 'handling=strict',
    },
    body: JSON.stringify(input),
  })
  return (await response.json()) as Reply<D>
}
const courses = async () =>
  (
    await world.school.ctx.db
      .selectFrom('lesson')
      .select('liId')
      .where('schoolId', '=', world.school.schoolId)
      .execute()
  ).length
const keys = () =>
  world.school.ctx.db.selectFrom('requestKey').selectAll().where('schoolId', '=', world.school.schoolId)

test('the same request sent ten times at once takes effect once, and all are told the same', async () => {
  const [before, key, form] = [await courses(), newKey(), world.form()]
  const replies = await Promise.all(
    Array.from({ length: 10 }, () => post<{ liId: string }>(world.teacher.client, lessonApi.save, form, key)),
  )
  expect(new Set(replies.map(({ code, data }) => `${code} ${data.liId}`)).size).toBe(1)
  expect(await courses()).toBe(before + 1)
  expect((await post<{ liId: string }>(world.teacher.client, lessonApi.save, form, key)).data).toEqual(replies[0]!.data)
  expect(await courses()).toBe(before + 1)
  const row = await keys().where('key', '=', key).executeTakeFirstOrThrow()
  expect(row.answer!.includes(replies[0]!.data.liId)).toBe(false)
})

test('a key belongs to one request of one person', async () => {
  const [key, form] = [newKey(), world.form()]
  const { data } = await post<{ liId: string }>(world.teacher.client, lessonApi.save, form, key)
  expect(await post(world.teacher.client, lessonApi.save, { ...form, liName: '另一门课程' }, key)).toMatchObject({
    code: 300,
    reason: 'key-reused',
  })
  const other = await post<{ liId: string }>(world.school.admin, lessonApi.save, form, key)
  expect(other).toMatchObject({ code: 200 })
  expect(other.data.liId).not.toBe(data.liId)
})

test('a refusal changed nothing and is not remembered; a key must be one', async () => {
  const [key, liId] = [newKey(), (await world.teacher.client.send(lessonApi.save, world.form())).liId]
  expect(await post(world.teacher.client, lessonApi.publish, { liId }, key)).toMatchObject({
    code: 300,
    reason: 'publish-not-approved',
  })
  await world.teacher.client.send(lessonApi.submit, { liId })
  expect(await post(world.teacher.client, lessonApi.publish, { liId }, key)).toMatchObject({ code: 200 })
  expect(await post(world.teacher.client, lessonApi.publish, { liId }, 'short')).toMatchObject({
    code: 300,
    reason: 'invalid-input',
  })
})

test('who was turned away leaves no key; of a request that broke off nobody says that it worked', async () => {
  const key = newKey()
  expect(await post(world.teacher.client, memberApi.list, {}, key)).toMatchObject({ code: 403 })
  expect(await keys().where('key', '=', key).execute()).toEqual([])
  const form = world.form()
  await post(world.teacher.client, lessonApi.save, form, key)
  await world.school.ctx.db
    .updateTable('requestKey')
    .set({ answer: null, createTime: '2020-01-01 00:00:00' })
    .where('schoolId', '=', world.school.schoolId)
    .where('key', '=', key)
    .execute()
  expect(await post(world.teacher.client, lessonApi.save, form, key)).toMatchObject({
    code: 300,
    reason: 'request-unsure',
  })
  expect(await forgetRequestKeys(world.school.ctx)).toBeGreaterThan(0)
  expect(await post(world.teacher.client, lessonApi.save, form, key)).toMatchObject({ code: 200 })
})
