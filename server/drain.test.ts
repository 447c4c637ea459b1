import { Agent, request, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { expect, test, vi } from 'vitest'
import { fullPath } from '../contract/core/call.ts'
import { messageApi } from '../contract/school/messages/messages.calls.ts'
import { sessionApi } from '../contract/school/session/session.calls.ts'
import { signIn } from './testing/client.ts'
import { noRateLimits } from './testing/no-rate-limits.ts'
import { addressOf, programs } from './testing/program.ts'

vi.setConfig({ testTimeout: 120_000 })

const drainSeconds = 3
const { launch } = programs({
  DEMO_STUDENTS: '0',
  SCHOOL_ID: 's1',
  SCHOOL_NAME: '测试学校',
  ADMIN_PASSWORD: 'Start-Test-92',
  LOG_FILE: '-',
  DRAIN_SECONDS: String(drainSeconds),
  ...noRateLimits,
})

interface Answer {
  status: number
  connection: string | undefined
  body: string
}

test.each(['1', '2'])(
  'with %s process(es): not ready at once, still answering, streams sent away, then the end',
  async (count) => {
    const program = launch({ WEB_CONCURRENCY: count })
    const address = await addressOf(program)
    const { token } = await signIn(address, 's1', 'admin', 'Start-Test-92')
    const kept = new Agent({ keepAlive: true, maxSockets: 1 })

    const open = (path: string, agent: Agent | false) =>
      new Promise<IncomingMessage>((done, fail) => {
        request(`${address}${path}`, { agent, headers: { authorization: `Bearer ${token}` } }, done)
          .on('error', fail)
          .end()
      })
    const ask = async (path: string, agent: Agent | false = false): Promise<Answer> => {
      const answer = await open(path, agent)
      return { status: answer.statusCode!, connection: answer.headers.connection, body: await text(answer) }
    }
    const menu = fullPath(sessionApi.menuTree)
    await expect.poll(async () => (await ask('/readyz')).status, { timeout: 20_000 }).toBe(200)
    expect(await ask(menu, kept)).toMatchObject({ status: 200, connection: 'keep-alive' })
    const stream = await open(fullPath(messageApi.stream), false)
    const told = text(stream)

    const began = performance.now()
    program.child.kill('SIGTERM')
    // a signal takes its moment
    await expect.poll(async () => (await ask('/readyz')).status).toBe(503)
    expect(JSON.parse((await ask('/readyz')).body)).toMatchObject({ status: 'unavailable', reason: 'stopping' })
    // over the connection that was open before, whose end is announced, and over new ones
    expect(await ask(menu, kept)).toMatchObject({ status: 200, connection: 'close' })
    expect(await told).toMatch(/^event: unread\n[^]*retry: \d+\nevent: reconnect\n/)
    // one that comes now is told the count, and to come again
    expect(await text(await open(fullPath(messageApi.stream), false))).toMatch(/^event: unread\n[^]*event: reconnect\n/)

    // until nobody listens any more, every request is answered as always
    const answers: number[] = []
    for (;;) {
      const answer = await ask(menu).catch((error: NodeJS.ErrnoException) => error.code)
      if (typeof answer !== 'object') {
        expect(answer).toMatch(/ECONNREFUSED|ECONNRESET/)
        break
      }
      answers.push(answer.status)
    }
    expect(new Set(answers)).toEqual(new Set([200]))
    expect(performance.now() - began).toBeGreaterThan(drainSeconds * 1000 - 100)
    expect(await program.ended, program.output()).toBe(0)
  },
)
