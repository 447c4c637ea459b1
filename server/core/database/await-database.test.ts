import { connect, createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, expect, test } from 'vitest'
import { testDatabase, type TestDatabase } from '../../testing/database.ts'
import { freePort } from '../../testing/free-port.ts'
import { awaitDatabase } from './await-database.ts'

let connection: TestDatabase['connection']
beforeAll(async () => void ({ connection } = await testDatabase()))

test('a start waits for a database that comes up a little later, and says so once', async () => {
  const port = await freePort()
  const told: string[] = []
  const waiting = awaitDatabase({ ...connection, host: '127.0.0.1', port }, (text) => told.push(text))
  await sleep(1500)
  const server = createServer((socket) => {
    const database = connect(`${connection.host}/.s.PGSQL.${connection.port}`)
    socket.on('error', () => database.destroy()).pipe(database)
    database.on('error', () => socket.destroy()).pipe(socket)
  }).listen(port, '127.0.0.1')
  await waiting
  expect(told).toEqual([expect.stringMatching(/^数据库还没有应答（.*ECONNREFUSED.*），最多等待 60 秒……$/)])
  server.close()
})

test('it gives up after its time, and at once where waiting does not help', async () => {
  const told: string[] = []
  const gone = { ...connection, host: '127.0.0.1', port: await freePort() }
  await expect(awaitDatabase(gone, (text) => told.push(text), 2)).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  expect(told).toHaveLength(1)
  await expect(awaitDatabase({ ...connection, database: 'nothing' }, (text) => told.push(text))).rejects.toMatchObject({
    code: '3D000',
  })
  expect(told).toHaveLength(1)
})
