import { afterEach, beforeAll, expect, test } from 'vitest'
import { messageApi } from '../../../contract/school/messages/messages.calls.ts'
import { sessionApi } from '../../../contract/school/session/session.calls.ts'
import { newSchool, type TestPerson, type TestSchool } from '../../testing/school.ts'
import { aliveSessions } from '../../school/session/tokens.ts'

let school: TestSchool
const open = new Set<() => Promise<void>>()

beforeAll(async () => {
  school = await newSchool()
})
afterEach(async () => {
  await Promise.all([...open].map((close) => close()))
  open.clear()
})

/** What a person is told on their stream, as it comes. */
async function listen({ client }: Pick<TestPerson, 'client'>): Promise<{
  counts: number[]
  status: number
  type: string | null
  close: () => Promise<void>
}> {
  const response = await client.fetch(messageApi.stream, {})
  const counts: number[] = []
  const reader = response.body!.getReader()
  const type = response.headers.get('content-type')
  if (response.status === 200) {
    const text = new TextDecoder()
    void (async () => {
      for (;;) {
        const { value, done } = await reader.read()
        if (done) return
        for (const [, data] of text.decode(value).matchAll(/^data: (.*)$/gm))
          counts.push((JSON.parse(data!) as { unread: number }).unread)
      }
    })().catch(() => {})
  }
  const close = () => reader.cancel().catch(() => {})
  open.add(close)
  return { counts, status: response.status, type, close }
}
const write = (to: TestPerson) =>
  school.admin.send(messageApi.send, { suIds: [to.suId], iiTitle: '标题', iiContent: '内容' })

test('tells the count at once, after a message, after reading, and nobody else’s', async () => {
  const [one, other] = [await school.person('GUIDE_TEACHER'), await school.person('GUIDE_TEACHER')]
  const [first, second] = [await listen(one), await listen(other)]
  expect(first).toMatchObject({ status: 200, type: 'text/event-stream; charset=utf-8' })
  await expect.poll(() => first.counts).toEqual([0])
  const { iiId } = await write(one)
  await expect.poll(() => first.counts).toEqual([0, 1])
  await one.client.send(messageApi.read, { iiIds: [iiId] })
  await expect.poll(() => first.counts).toEqual([0, 1, 0])
  const again = await write(one)
  await expect.poll(() => first.counts).toEqual([0, 1, 0, 1])
  await school.admin.send(messageApi.recall, { iiId: again.iiId })
  await expect.poll(() => first.counts).toEqual([0, 1, 0, 1, 0])
  expect(second.counts).toEqual([0])
})

test('a person has six at most, and one more once one has gone', async () => {
  const person = await school.person('GUIDE_TEACHER')
  const streams = await Promise.all(Array.from({ length: 6 }, () => listen(person)))
  expect(streams.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200])
  expect((await listen(person)).status).toBe(429)
  await streams[0]!.close()
  await expect.poll(async () => (await listen(person)).status).toBe(200)
})

test('who gets no stream asks for the count, and is told the same', async () => {
  const person = await school.person('GUIDE_TEACHER')
  const count = async () => (await person.client.send(messageApi.count, {})).unread
  const [first] = await Promise.all(Array.from({ length: 6 }, () => listen(person)))
  const refused = await person.client.ask(messageApi.stream, {})
  expect(refused).toMatchObject({ status: 429, code: 429 })
  expect(await count()).toBe(0)
  const { iiId } = await write(person)
  expect(await count()).toBe(1)
  await expect.poll(() => first!.counts.at(-1)).toBe(1)
  await person.client.send(messageApi.read, { iiIds: [iiId] })
  expect(await count()).toBe(0)
  // asking does not need the streams, and they go on
  await expect.poll(() => first!.counts).toEqual([0, 1, 0])
})

test('needs a token in the header, and a session that is over is not alive', async () => {
  expect((await school.nobody.ask(messageApi.stream)).status).toBe(401)
  const person = await school.person('GUIDE_TEACHER')
  expect(
    (await fetch(`${school.address}/api/schoolbase/informationInfo/stream?access_token=${person.client.token}`)).status,
  ).toBe(401)
  const { sessionId, lastSeen } = await school.ctx.db
    .selectFrom('session')
    .select(['sessionId', 'lastSeen'])
    .where('suId', '=', person.suId)
    .executeTakeFirstOrThrow()
  expect(await aliveSessions(school.ctx, [sessionId])).toEqual(new Set([sessionId]))
  school.clock.travel(31 * 60)
  expect(await aliveSessions(school.ctx, [sessionId])).toEqual(new Set())
  school.clock.travel(-31 * 60)
  const seen = await school.ctx.db
    .selectFrom('session')
    .select('lastSeen')
    .where('sessionId', '=', sessionId)
    .executeTakeFirstOrThrow()
  expect(seen.lastSeen).toBe(lastSeen)
  await person.client.send(sessionApi.logout, {})
  expect(await aliveSessions(school.ctx, [sessionId])).toEqual(new Set())
})
