import { sql } from 'kysely'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { fullPath } from '../../../contract/core/call.ts'
import { backgroundItemStatus, backgroundStatus, yesNo } from '../../../contract/core/codes/platform.ts'
import { publictyStatus, supplementStatus, supplementTab } from '../../../contract/core/codes/programme.ts'
import { accountStatus } from '../../../contract/core/codes/school.ts'
import { backgroundApi } from '../../../contract/platform/background/background.calls.ts'
import { supplementApi } from '../../../contract/programme/supplements/supplements.calls.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import { addDays, dayOf } from '../../core/base/clock.ts'
import type { JobRunner } from '../../core/jobs/job-runner.ts'
import { asOwner, useOwnDatabase } from '../../testing/database.ts'
import { runBackground, taskOf, whenOver } from '../../testing/background.ts'
import { actorLifetime } from '../../core/request/actor-cache.ts'
import { whileLocked } from '../../testing/while-locked.ts'
import type { Client } from '../../testing/client.ts'
import { supplementWorldOfTests, type SupplementWorldOfTests } from '../../testing/supplements.ts'

await useOwnDatabase()

let world: SupplementWorldOfTests
let admin: Client
const runners: JobRunner[] = []
const run = async (options?: Parameters<typeof runBackground>[0]) => {
  const runner = await runBackground(options)
  runners.push(runner)
  return runner
}
afterEach(async () => {
  await Promise.all(runners.splice(0).map((runner) => runner.stop(100)))
})
beforeAll(async () => {
  world = await supplementWorldOfTests()
  admin = world.school.admin
})

const list = fullPath(supplementApi.list)
const filterOf = (lisName: string) => ({ flagType: supplementTab.awaitingNotice, lisName })
const period = () => {
  const today = dayOf(world.school.clock.now())
  return { lisPublictySdate: today, lisPublictyEdate: addDays(today, 4) }
}
const publiciseAll = (name: string, total: number, client = admin) => ({
  input: { list, filter: filterOf(name), act: fullPath(supplementApi.batchEditPublicty), given: period(), total },
  client,
})
const start = async ({ input, client }: ReturnType<typeof publiciseAll>) =>
  (await client.send(backgroundApi.actOnAll, input)).btId

/** Copies of an approved record under a name of their own. */
async function passed(lisName: string, count: number): Promise<void> {
  const { school } = world
  const lisId = await world.approved((await world.students(1))[0]!.suId)
  const { rows } = await sql<{ columns: string }>`
    select string_agg(quote_ident(column_name), ', ') "columns"
    from information_schema.columns
    where table_name = 'supplement'
      and column_name not in ('lisId', 'lisName')
      and is_generated = 'NEVER'`.execute(school.ctx.db)
  const columns = sql.raw(rows[0]!.columns)
  await asOwner((db) =>
    sql`
      insert into "supplement" ("lisId", "lisName", ${columns})
      select gen_random_uuid(), ${lisName}::text || n, ${columns}
      from "supplement", generate_series(1, ${count}::int) n
      where "lisId" = ${lisId}::uuid`.execute(db),
  )
}
const recordsOf = (lisName: string) =>
  world.school.ctx.db
    .selectFrom('supplement')
    .select(['lisId', 'lisStatus', 'lisPublictyStatus', 'version'])
    .where('schoolId', '=', world.school.schoolId)
    .where('lisName', 'like', `${lisName}%`)
    .execute()
const publicised = async (lisName: string) => {
  const rows = await recordsOf(lisName)
  const done = await world.school.ctx.db
    .selectFrom('auditLog')
    .select('bizId')
    .where('schoolId', '=', world.school.schoolId)
    .where('action', 'like', '%公示%')
    .where(
      'bizId',
      'in',
      rows.map(({ lisId }) => lisId),
    )
    .execute()
  return done.map(({ bizId }) => bizId)
}

/** Switches an account off beside the service, which finds it so when it looks next. */
const switchOff = (suId: string) =>
  asOwner((db) =>
    sql`
      update "account" set "suStatus" = ${sql.lit(accountStatus.disabled)}
      where "schoolId" = ${world.school.schoolId} and "suId" = ${suId}::uuid`.execute(db),
  )
const storedTask = (btId: string) =>
  world.school.ctx.db
    .selectFrom('backgroundTask')
    .select(['btStatus', 'fault', 'doneCount'])
    .where('btId', '=', btId)
    .executeTakeFirst()

describe('an action on all records of a list', () => {
  test('is done to each of those that the filter finds, and tells what became of every one', async () => {
    await passed('全部甲', 260)
    await passed('别的甲', 3)
    expect(await admin.send(backgroundApi.countAll, { list, filter: filterOf('全部甲') })).toEqual({ total: 260 })
    const btId = await start(publiciseAll('全部甲', 260))
    expect(await taskOf(admin, btId)).toMatchObject({
      btKind: 'act',
      btTitle: '批量公示补录',
      btStatus: backgroundStatus.waiting,
      total: 260,
      progress: 0,
      can: ['cancel'],
    })
    // one of them is no longer to be publicised when its turn comes
    const [taken] = await recordsOf('全部甲7')
    await admin.send(supplementApi.remove, { lisId: taken!.lisId, delFlag: yesNo.yes })
    await run()
    expect(await whenOver(admin, btId)).toMatchObject({
      btStatus: backgroundStatus.done,
      doneCount: 259,
      refusedCount: 1,
      progress: 100,
      can: ['results'],
    })
    const rows = await recordsOf('全部甲')
    expect(rows.filter(({ lisStatus }) => lisStatus === supplementStatus.inNotice)).toHaveLength(259)
    expect(rows.filter((row) => row.lisPublictyStatus === publictyStatus.running)).toHaveLength(259)
    expect((await recordsOf('别的甲')).every(({ lisStatus }) => lisStatus === supplementStatus.passed)).toBe(true)
    const done = (await publicised('全部甲')).filter((bizId) => bizId !== taken!.lisId)
    expect(done).toHaveLength(259)
    expect(new Set(done).size).toBe(259)
    const { bytes, name } = await admin.download(backgroundApi.results, { btId }, 'text/csv')
    const lines = bytes.toString('utf8').trim().split('\n')
    expect(name).toMatch(/^批量公示补录结果_/)
    expect(lines).toHaveLength(261)
    expect(lines[1]).toMatch(/全部甲7\d*.*被拒绝.*\S/)
  })

  test('is refused when their number is no longer the one that was confirmed, which is told', async () => {
    await passed('变了', 12)
    const { input } = publiciseAll('变了', 11)
    expect(await admin.ask(backgroundApi.actOnAll, input)).toMatchObject({
      code: 300,
      reason: 'all-changed',
      msg: '符合条件的现有 12 条，与您确认时的 11 条不同，请核对后重新确认',
    })
    expect(
      await admin.ask(backgroundApi.actOnAll, { ...input, total: 12, given: { lisPublictySdate: '明天' } }),
    ).toMatchObject({
      code: 300,
      reason: 'invalid-input',
    })
    expect((await recordsOf('变了')).every(({ lisStatus }) => lisStatus === supplementStatus.passed)).toBe(true)
  })

  test('reaches what its person may see and do, and nothing else', async () => {
    const { school, secretary, leader } = world
    await passed('范围', 4)
    const elsewhere = await school.person('COLLEGE_LEAGUE', [{ caType: 'college', caTarget: await school.college() }])
    const count = (client: Client) => client.send(backgroundApi.countAll, { list, filter: filterOf('范围') })
    expect(await count(leader.client)).toEqual({ total: 4 })
    expect(await count(elsewhere.client)).toEqual({ total: 0 })
    const asked = (client: Client, total: number) =>
      client.ask(backgroundApi.actOnAll, publiciseAll('范围', total).input)
    expect(await asked(elsewhere.client, 4)).toMatchObject({ reason: 'all-changed' })
    expect(await asked(secretary.client, 4)).toMatchObject({ status: 403, reason: 'not-permitted' })
    // what is no action of the list is none for all of it
    expect(
      await admin.ask(backgroundApi.actOnAll, {
        ...publiciseAll('范围', 4).input,
        act: fullPath(supplementApi.correct),
      }),
    ).toMatchObject({ reason: 'not-for-all' })
    expect(
      await admin.ask(backgroundApi.countAll, { list: '/api/schoolbase/role/queryRoleList', filter: {} }),
    ).toMatchObject({ reason: 'not-for-all' })
    // tasks are their owner's
    const btId = await start(publiciseAll('范围', 4))
    for (const call of [backgroundApi.cancel, backgroundApi.undo, backgroundApi.remove])
      expect(await leader.client.ask(call, { btId })).toMatchObject({ status: 404 })
    expect(await leader.client.ask(backgroundApi.results, { btId })).toMatchObject({ status: 404 })
    await admin.send(backgroundApi.cancel, { btId })
  })

  test('goes on where a killed run has left off, and does nothing twice, not even beside a run that is taken for dead', async () => {
    await passed('中断', 400)
    const { input } = publiciseAll('中断', 400)
    const btId = await start({
      client: admin,
      // one transaction a record
      input: { ...input, act: fullPath(supplementApi.publicise) },
    })
    const first = await run()
    await expect.poll(async () => (await taskOf(admin, btId)).doneCount).toBeGreaterThan(5)
    await first.stop(0)
    const halfway = (await taskOf(admin, btId)).doneCount
    expect(halfway).toBeLessThan(400)
    // the second run says nothing of itself, so the third takes it for dead and works beside it
    await run({ beatMs: 60_000 })
    await expect.poll(async () => (await taskOf(admin, btId)).doneCount).toBeGreaterThan(halfway)
    await asOwner((db) => sql`update job set heartbeat = heartbeat - interval '1 hour'`.execute(db))
    await run()
    expect(await whenOver(admin, btId)).toMatchObject({ doneCount: 400, refusedCount: 0 })
    const done = await publicised('中断')
    expect(done).toHaveLength(400)
    expect(new Set(done).size).toBe(400)
    expect(new Set((await recordsOf('中断')).map(({ version }) => version)).size).toBe(1)
  })

  test('stops when it is cancelled: what was done stays done, and the rest as it was', async () => {
    await passed('取消', 300)
    const { input } = publiciseAll('取消', 300)
    const btId = await start({ client: admin, input: { ...input, act: fullPath(supplementApi.publicise) } })
    await run()
    await expect.poll(async () => (await taskOf(admin, btId)).doneCount).toBeGreaterThan(0)
    await admin.send(backgroundApi.cancel, { btId })
    const { doneCount, can } = await taskOf(admin, btId)
    expect(can).toEqual(['results'])
    expect(doneCount).toBeLessThan(300)
    await Promise.all(runners.map((runner) => runner.idle()))
    expect((await taskOf(admin, btId)).doneCount).toBe(doneCount)
    const inNotice = (await recordsOf('取消')).filter(({ lisStatus }) => lisStatus === supplementStatus.inNotice)
    expect(inNotice).toHaveLength(doneCount)
    const items = await world.school.ctx.db
      .selectFrom('backgroundItem')
      .select(sql<number>`count(*)::int`.as('n'))
      .where('btId', '=', btId)
      .where('itemStatus', '=', backgroundItemStatus.waiting)
      .executeTakeFirstOrThrow()
    expect(items.n).toBe(300 - doneCount)
    expect(await admin.ask(backgroundApi.cancel, { btId })).toMatchObject({ reason: 'background-over' })
  })

  test('ends in the middle when its person loses the right meanwhile', async () => {
    const { school } = world
    await passed('中途', 30)
    const person = await school.person('SCHOOL_ADMIN')
    const { input } = publiciseAll('中途', 30)
    const btId = await start({ client: person.client, input: { ...input, act: fullPath(supplementApi.publicise) } })
    await whileLocked(
      school.ctx.db,
      (held) =>
        sql`
          select from "supplement"
          where "schoolId" = ${school.schoolId} and "lisName" like '中途%'
          for update`.execute(held),
      async (untilWaiting) => {
        await run()
        await untilWaiting(1)
        await switchOff(person.suId)
        await sleep(actorLifetime + 50)
      },
    )
    await expect
      .poll(() => storedTask(btId))
      .toEqual({ btStatus: backgroundStatus.failed, fault: '无操作权限', doneCount: 1 })
  })

  test('is started no more often than may be open, however many ask at the same time', async () => {
    const { school } = world
    await passed('并发', 2)
    const person = await school.person('SCHOOL_ADMIN')
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => person.client.ask(backgroundApi.actOnAll, publiciseAll('并发', 2).input)),
    )
    expect(answers.filter(({ code }) => code === 200)).toHaveLength(5)
    expect(answers.filter(({ reason }) => reason === 'background-waiting')).toHaveLength(3)
  })

  test('ends when its person no longer holds the right', async () => {
    await passed('无权', 5)
    const person = await world.school.person('SCHOOL_ADMIN')
    const btId = await start(publiciseAll('无权', 5, person.client))
    await switchOff(person.suId)
    await run()
    await expect
      .poll(() => storedTask(btId))
      .toEqual({ btStatus: backgroundStatus.failed, fault: '无操作权限', doneCount: 0 })
    expect((await recordsOf('无权')).every(({ lisStatus }) => lisStatus === supplementStatus.passed)).toBe(true)
  })

  test('keeps only what its calls know, and names its records only to who still may see their list', async () => {
    const { school, leader } = world
    await passed('多余', 2)
    const { input } = publiciseAll('多余', 2, leader.client)
    const { btId } = await leader.client.send(backgroundApi.actOnAll, {
      ...input,
      filter: { ...input.filter, unknown: 'x'.repeat(10_000) },
    })
    await run()
    expect(await whenOver(leader.client, btId)).toMatchObject({ doneCount: 2 })
    const kept = await school.ctx.db
      .selectFrom('backgroundTask')
      .select('filter')
      .where('btId', '=', btId)
      .executeTakeFirstOrThrow()
    expect(kept.filter).toEqual(input.filter)
    const told = await school.ctx.db
      .selectFrom('auditLog')
      .select(sql<string>`"auditLog"."after"::text`.as('after'))
      .where('bizId', '=', btId)
      .executeTakeFirstOrThrow()
    expect(told.after).not.toContain('unknown')
    await leader.client.download(backgroundApi.results, { btId })
    await asOwner((db) =>
      sql`
        update "role" set "permits" = array_remove("permits", 'sup:list')
        where "schoolId" = ${school.schoolId} and "srCode" = 'COLLEGE_LEAGUE'`.execute(db),
    )
    await expect
      .poll(() => leader.client.ask(backgroundApi.results, { btId }))
      .toMatchObject({ status: 403, reason: 'not-permitted' })
  })
})
