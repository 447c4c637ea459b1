import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { schoolApi } from '../../../contract/school/school/school.calls.ts'
import { bundledFile } from '../../core/base/bundled-file.ts'
import { keptConfiguration } from '../../core/database/configuration.ts'
import { configurationTables, configurationWrites } from '../../core/database/pool.ts'
import { from } from '../../core/database/tenant.ts'
import { inTransaction } from '../../core/request/transaction.ts'
import { Client } from '../../testing/client.ts'
import { asOwner, testDatabase } from '../../testing/database.ts'
import { newSchool, type TestSchool } from '../../testing/school.ts'
import { schoolSettings } from './settings.service.ts'

const started: ChildProcess[] = []
afterAll(() => started.forEach((child) => child.kill('SIGKILL')))

/** One more process of the service on the same database. @returns its address */
async function startInstance({ services }: TestSchool): Promise<string> {
  const { config, secrets } = services
  const { connection } = await testDatabase()
  const program = fileURLToPath(bundledFile(new URL('../../testing/second-instance.ts', import.meta.url)))
  const hex = Object.fromEntries(Object.entries(secrets).map(([name, key]) => [name, (key as Buffer).toString('hex')]))
  const argument = JSON.stringify({ connection, dataDir: config.dataDir, secrets: hex })
  const child = spawn(process.execPath, [program, argument], { stdio: ['ignore', 'pipe', 'inherit'] })
  started.push(child)
  const [address] = (await once(createInterface({ input: child.stdout }), 'line')) as [string]
  return address
}

test('what one process saves holds at the other from the moment it is acknowledged', async () => {
  const school = await newSchool()
  const there = new Client(await startInstance(school), school.admin.token)
  const publictyMin = async (client: Client) => (await client.send(schoolApi.rules, {}))['publictyMin']
  for (let n = 0; n < 30; n++) {
    const days = 1 + (n % 3)
    // others ask all the time, so that an answer of before is there to be given
    const asking = Promise.all([1, 2, 3, 4].map(() => publictyMin(there)))
    await school.rules({ publictyMin: days })
    expect(await publictyMin(there)).toBe(days)
    expect(await publictyMin(school.admin)).toBe(days)
    await asking
  }
})

test('a transaction sees its own change, others only what was committed, and what was rolled back is never seen', async () => {
  const school = await newSchool()
  const { ctx, schoolId } = school
  await school.rules({ remindDays: 4 })
  const remindDays = async (reader = ctx) => (await schoolSettings(reader, schoolId)).remindDays
  const change = inTransaction(ctx, async (tx) => {
    expect(await remindDays(tx)).toBe(4)
    await tx.db
      .updateTable('school')
      .set({ settings: JSON.stringify({ remindDays: 2 }) })
      .where('schoolId', '=', schoolId)
      .execute()
    expect(await remindDays(tx)).toBe(2)
    expect(await remindDays()).toBe(4)
    throw new Error('rolled back')
  })
  await expect(change).rejects.toThrow('rolled back')
  expect(await remindDays()).toBe(4)
  expect(await inTransaction(ctx, remindDays)).toBe(4)
})

test('it is worked out once for all who ask, anew after a change, and nobody can change it for the others', async () => {
  const { ctx, schoolId, curriculum } = await newSchool()
  const { db } = ctx
  let loads = 0
  const names = keptConfiguration(async (reader) => {
    loads++
    return (await from(reader, 'curriculum').select(['lsId', 'lsName']).execute()).map((row) => ({ ...row }))
  })
  const kept = await names({ db, schoolId })
  await Promise.all(Array.from({ length: 50 }, () => names({ db, schoolId })))
  expect(loads).toBe(1)
  expect(() => (kept[0]!.lsName = '改')).toThrow(TypeError)
  const [lsId] = Object.values(curriculum)
  await sql`
    update "curriculum"
    set "lsName" = '新名称'
    where "schoolId" = ${schoolId} and "lsId" = ${lsId}::uuid`.execute(db)
  expect((await names({ db, schoolId })).find((one) => one.lsId === lsId)?.lsName).toBe('新名称')
  expect(loads).toBe(2)
  const other = await newSchool()
  expect((await names({ db, schoolId: other.schoolId })).some((one) => one.lsId === lsId)).toBe(false)
})

test('every table with a trigger for the configuration is known to the pool, and the other way round', async () => {
  const { db } = await testDatabase()
  const { rows } = await sql<{ name: string }>`
    select distinct c.relname "name"
    from pg_trigger t
    join pg_class c on c.oid = t.tgrelid
    join pg_proc p on p.oid = t.tgfoid
    where p.proname like 'configuration_changed%'`.execute(db)
  expect(rows.map(({ name }) => name).toSorted()).toEqual(configurationTables.toSorted())
  const before = configurationWrites()
  await asOwner(async (all) => {
    for (const table of configurationTables) await sql`delete from ${sql.table(table)} where false`.execute(all)
  })
  await sql`select 1 from "school" limit 0`.execute(db)
  expect(configurationWrites() - before).toBe(configurationTables.length)
})
