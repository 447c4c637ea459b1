import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { fullPath, type Call } from '../../../contract/core/call.ts'
import { lessonApi } from '../../../contract/programme/lessons/lessons.calls.ts'
import { memberApi } from '../../../contract/school/roles/members.calls.ts'
import type { Client, Reply } from '../../testing/client.ts'
import { openDatabase } from '../database/pool.ts'
import { testDatabase } from '../../testing/database.ts'
import { lessonWorld, type LessonWorld } from '../../testing/lessons.ts'
import { unique } from '../../testing/school.ts'
import type { Context } from './context.ts'
import { forgetRequestKeys, runOnce } from './idempotency.ts'
import { inTransaction } from './transaction.ts'

let world: LessonWorld
beforeAll(async () => {
  world = await lessonWorld()
})

const newKey = () => `key-${unique()}-${unique()}`
/** As the console does: with the moment in the address, which is another one when it asks once more. */
let moment = 1_700_000_000
async function post<D>({ address, token }: Client, call: Call, input: unknown, key: string): Promise<Reply<D>> {
  const response = await fetch(`${address}${fullPath(call)}?_t=${moment++}`, {
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

const ownKey = async () => {
  const { ctx, schoolId } = world.school
  const { suId } = world.teacher
  const actor = { schoolId, suId } as Context['actor']
  const key = newKey()
  const run = (db: Context['db'], work: () => Promise<unknown>) =>
    runOnce({ ...ctx, db, actor } as Context, lessonApi.save, key, {}, work)
  const kept = () => keys().where('key', '=', key).executeTakeFirst()
  return { ctx, run, kept }
}

test('what is done is told even where its answer cannot be kept, and is not done again', async () => {
  const { school } = world
  const { ctx, run, kept } = await ownKey()
  const { db, close } = openDatabase((await testDatabase()).connection, { max: 1 })
  const done = run(db, async () => {
    await close()
    return 'done'
  })
  expect(await done).toBe('done')
  expect((await kept())?.answer).toBeNull()
  await school.ctx.db
    .updateTable('requestKey')
    .set({ createTime: '2020-01-01 00:00:00' })
    .where('schoolId', '=', school.schoolId)
    .where('answer', 'is', null)
    .execute()
  await expect(run(ctx.db, async () => 'twice')).rejects.toMatchObject({ reason: 'request-unsure' })
})

test('a transaction whose end nobody confirmed keeps its key, one that was undone does not', async () => {
  const ended = (then: string) => async (ctx: Context) =>
    inTransaction(ctx, async ({ db }) => {
      await sql`create temporary table "atEnd" ("n" int) on commit drop`.execute(db)
      await sql
        .raw(`
        create function pg_temp.at_end() returns trigger language plpgsql as $$ begin ${then} return null; end $$;
        create constraint trigger at_end after insert on "atEnd" deferrable initially deferred
        for each row execute function pg_temp.at_end()`)
        .execute(db)
      await sql`insert into "atEnd" values (1)`.execute(db)
    })
  for (const [then, isKept, error] of [
    [`perform pg_terminate_backend(pg_backend_pid()); perform pg_sleep(5);`, true, /terminat|ECONNRESET|EPIPE/],
    [`raise exception 'no' using errcode = '23514';`, false, 'no'],
  ] as const) {
    const { ctx, run, kept } = await ownKey()
    await expect(run(ctx.db, async () => ended(then)(ctx as Context))).rejects.toThrow(error)
    expect(Boolean(await kept()), then).toBe(isKept)
  }
})
