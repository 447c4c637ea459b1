import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { pino } from 'pino'
import { expect, test, vi } from 'vitest'
import { rowsOf } from '../../testing/backup.ts'
import { atFileEnd } from '../../testing/file-end.ts'
import { badNetwork } from '../../testing/bad-network.ts'
import { planStandby } from '../../testing/standby.ts'
import { asFailure } from '../http/http-errors.ts'
import { startEmbedded } from '../postgres/embedded.ts'
import { connectionTo } from './connection.ts'
import { openDatabase } from './pool.ts'
import { openSignals } from './signals.ts'

vi.setConfig({ testTimeout: 120_000 })

const dataDir = mkdtempSync(join(tmpdir(), 'console-fail-over-'))
chmodSync(dataDir, 0o755)
const primary = await startEmbedded({ dataDir })
const standby = planStandby()
await standby.start(dataDir)
atFileEnd(async () => {
  await standby.remove()
  await primary.stop()
  rmSync(dataDir, { recursive: true, force: true })
})
/** Ports of the two: an address of several hosts has no folders of sockets. */
const ports = [
  (await badNetwork(standby.connection)).connection.port,
  (await badNetwork(primary.connection)).connection.port,
]
const { user, database } = primary.connection
const address = `postgres://${user}@${ports.map((port) => `127.0.0.1:${port}`).join(',')}/${database}`

test('of several hosts the one that takes writes is used, after a fail-over as well, and by who listens', async () => {
  await rowsOf(primary.connection, 'create table "note" ("text" text)')
  const connection = connectionTo(`${address}?target_session_attrs=read-write`)
  const { db, close } = openDatabase(connection, { max: 4 })
  const signals = openSignals(connection, pino({ level: 'silent' }), 50)
  const heard: string[] = []
  signals.on('message', (payload) => heard.push(payload))
  const write = async (text: string) => {
    await sql`insert into "note" values (${text})`.execute(db)
    await sql`select pg_notify('message', ${text})`.execute(db)
    return text
  }
  // the standby stands first
  expect(await write('before')).toBe('before')
  await expect.poll(async () => (await write('heard'), heard), { timeout: 10_000 }).toContain('heard')
  await expect
    .poll(async () => (await rowsOf<{ text: string }>(standby.connection, 'select "text" from "note"'))[0])
    .toEqual({ text: 'before' })

  process.kill(primary.pid, 'SIGQUIT')
  await expect.poll(() => write('lost').catch((error: unknown) => asFailure(error).reason)).toBe('unavailable')
  await rowsOf(standby.connection, 'select pg_promote()')
  await expect.poll(() => write('after').catch(() => 'not yet'), { timeout: 30_000 }).toBe('after')
  await expect.poll(async () => (await write('heard again'), heard), { timeout: 30_000 }).toContain('heard again')
  expect(await rowsOf(standby.connection, `select "text" from "note" where "text" in ('before', 'after')`)).toEqual([
    { text: 'before' },
    { text: 'after' },
  ])
  await signals.close()
  await close()
})

test('where none takes writes it is said, as what will pass', async () => {
  const { db, close } = openDatabase(connectionTo('postgres://nobody@127.0.0.1:1,127.0.0.1:2/d'), { max: 1 })
  const error: unknown = await sql`select 1`.execute(db).catch((each: unknown) => each)
  expect(error).toMatchObject({ code: '08001', message: expect.stringContaining('no host takes writes') as string })
  expect(asFailure(error).reason).toBe('unavailable')
  await close()
})
