import { Readable, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'
import { expect, test } from 'vitest'
import { rowsOf } from '../../testing/backup.ts'
import { badNetwork } from '../../testing/bad-network.ts'
import { ownDatabase } from '../../testing/database.ts'
import { withCopyConnection } from './snapshot.ts'

/** What copies rows waits as long as the work takes; where the other side has fallen silent, it ends soon. */

const patience = { silentMs: 200, answerMs: 2000 }
const rows = 'select n, repeat(md5(n::text), 30) from generate_series(1, 200000) n'

/** A connection through a bad network, and the processes of the server that serve such ones. */
async function behindProxy() {
  const { owner, close } = await ownDatabase('empty')
  const proxy = await badNetwork(owner)
  return {
    owner,
    proxy,
    close,
    run: (work: (client: pg.Client) => Promise<unknown>) => withCopyConnection(proxy.connection, work, patience),
    backends: () =>
      rowsOf(
        owner,
        `select state
        from pg_stat_activity
        where application_name = 'second-classroom backup' and datname = current_database()`,
      ),
  }
}
const brokenOff = /^与数据库的连接中断（Connection terminated: it did not answer），/

test('rows that come from a server that falls silent end in words, and its snapshot with them', async () => {
  const { proxy, run, backends, close } = await behindProxy()
  let bytes = 0
  const copying = run(async (client) => {
    await client.query('begin isolation level repeatable read read only')
    const counted = new Writable({
      write(chunk: Buffer, _encoding, done) {
        if (bytes === 0) proxy.fallSilent()
        bytes += chunk.length
        done()
      },
    })
    await pipeline(client.query(copyTo(`copy (${rows}) to stdout`)), counted)
  })
  await expect(copying).rejects.toThrow(brokenOff)
  expect(bytes).toBeGreaterThan(0)
  await expect.poll(backends, { timeout: 20_000 }).toEqual([])
  await close()
})

test.each([
  ['in the midst', 50],
  ['at their end', 1],
])('rows that go to a server that falls silent %s end in words, and its locks with them', async (_, pieces) => {
  const { owner, proxy, run, backends, close } = await behindProxy()
  await rowsOf(owner, 'create table thing (n int, text text)')
  const piece = Array.from({ length: 20_000 }, (_one, n) => `${n}\t${'x'.repeat(200)}\n`).join('')
  const made = async function* () {
    yield '1\tfirst\n'
    await sleep(3 * patience.silentMs)
    proxy.fallSilent()
    for (let n = 1; n < pieces; n++) yield piece
  }
  const copying = run(async (client) => {
    await client.query('begin; lock table thing')
    await pipeline(Readable.from(made()), client.query(copyFrom('copy thing from stdin')))
  })
  await expect(copying).rejects.toThrow(brokenOff)
  await expect.poll(backends, { timeout: 20_000 }).toEqual([])
  expect(await rowsOf(owner, 'select count(*)::int n from thing')).toEqual([{ n: 0 }])
  await close()
})

test('a connection that is reset in the midst is told in the same words', async () => {
  const { proxy, run, close } = await behindProxy()
  const reset = new Writable({ write: (_chunk, _encoding, done) => (proxy.reset(), done()) })
  const copying = run((client) => pipeline(client.query(copyTo(`copy (${rows}) to stdout`)), reset))
  await expect(copying).rejects.toThrow(/^与数据库的连接中断（.+），可能没有做完。.+说明已经写入。$/)
  await close()
})

test('a server at work, rows that are long in making, and a reader who takes their time are waited for', async () => {
  const { run, close } = await behindProxy()
  const long = 6 * patience.silentMs
  const slow = async function* () {
    for (let n = 0; n < 3; n++) {
      await sleep(long)
      yield `${n}\n`
    }
  }
  let pauses = 0
  const idler = new Writable({
    write: (_chunk, _encoding, done) => void (pauses++ < 2 ? setTimeout(done, long) : done()),
  })
  await run(async (client) => {
    await client.query(`create table thing (n int); select pg_sleep(${long / 1000})`)
    await pipeline(Readable.from(slow()), client.query(copyFrom('copy thing from stdin')))
    await pipeline(client.query(copyTo(`copy (${rows}) to stdout`)), idler)
    await sleep(long)
    const { rows: there } = await client.query<{ n: number }>('select count(*)::int n from thing')
    expect(there).toEqual([{ n: 3 }])
  })
  await close()
})
