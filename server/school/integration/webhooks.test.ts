import { Webhook } from 'standardwebhooks'
import { beforeAll, expect, test } from 'vitest'
import { deliveryStatus, enableStatus } from '../../../contract/core/codes/platform.ts'
import { personType } from '../../../contract/core/codes/school.ts'
import type { EventKind } from '../../../contract/platform/outbox/events.ts'
import { auditApi } from '../../../contract/school/audit/audit.calls.ts'
import { webhookApi } from '../../../contract/school/integration/webhooks.calls.ts'
import { messageApi } from '../../../contract/school/messages/messages.calls.ts'
import { isReachable } from '../../core/base/outbound.ts'
import { sendOutbound } from '../../platform/outbox/outbound.ts'
import { waitSeconds } from '../../platform/outbox/backoff.ts'
import { testApp, type TestApp } from '../../testing/app.ts'
import { useOwnDatabase } from '../../testing/database.ts'
import { deliver, receiver } from '../../testing/receiver.ts'
import { sheetIn } from '../../testing/sheet-in.ts'
import { newSchool, unique, type TestSchool } from '../../testing/school.ts'

await useOwnDatabase()
let app: TestApp
let school: TestSchool
let other: Awaited<ReturnType<typeof receiver>>

beforeAll(async () => {
  app = await testApp()
  school = await newSchool()
  other = await receiver()
  app.services.config.outboundPrivate = ['127.0.0.0/8']
})

const added = (path: string, eventKinds: EventKind[] = ['person.added']) =>
  school.admin.send(webhookApi.add, { odName: `教务${unique()}`, address: other.address + path, eventKinds })
const deliveriesOf = async (odId: string) =>
  (await school.admin.send(webhookApi.deliveries, { odId, pageSize: 100 })).records
const stateOf = async (odId: string) =>
  (await school.admin.send(webhookApi.list, { pageSize: 100 })).records.find((row) => row.odId === odId)!
const remove = (...odIds: string[]) => school.admin.send(webhookApi.remove, { odIds })
const titles = async () =>
  (await school.admin.send(messageApi.inbox, { pageSize: 50 })).records.map(({ iiTitle }) => iiTitle)

test('an event goes out once, signed as the library of others verifies it, and is no secret’s leak', async () => {
  const { odId, secret } = await added('/good')
  const person = await school.person('GUIDE_TEACHER')
  await deliver(app)
  await deliver(app)
  const [sent, ...more] = other.at('/good')
  expect(more).toEqual([])
  const event = new Webhook(secret).verify(
    sent!.body,
    sent!.headers as Record<string, string>,
    {
      now: new Date(Number(sent!.headers['webhook-timestamp']) * 1000),
    } as never,
  ) as { type: string; data: object }
  expect(event).toMatchObject({
    type: 'person.added',
    timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+08:00$/) as string,
    data: {
      suiType: personType.teacher,
      person: { suId: person.suId, suiNumber: person.suiNumber, suiName: person.suiName },
    },
  })
  expect(() => new Webhook(secret).verify(`${sent!.body} `, sent!.headers as Record<string, string>)).toThrow()
  const [delivery] = await deliveriesOf(odId)
  expect(delivery).toMatchObject({ dlStatus: deliveryStatus.delivered, attempts: 1, answerCode: 200, answerText: 'ok' })
  expect((await school.admin.send(webhookApi.delivery, { dlId: delivery!.dlId })).body).toBe(sent!.body)
  const stored = await app.ctx.db.selectFrom('outboxDestination').selectAll().where('odId', '=', odId).execute()
  expect(JSON.stringify([stored, await school.admin.send(webhookApi.list, {})])).not.toContain(secret.slice(6))
  // a new secret signs from now on
  const renewed = await school.admin.send(webhookApi.renew, { odId })
  await school.admin.send(webhookApi.redeliver, { dlIds: [delivery!.dlId] })
  await deliver(app)
  const again = other.at('/good')[1]!
  expect([again.body, again.headers['webhook-id']]).toEqual([sent!.body, sent!.headers['webhook-id']])
  expect(new Webhook(renewed.secret).verify(again.body, again.headers as Record<string, string>)).toBeTruthy()
  const trail = await school.admin.send(auditApi.list, { bizType: 'webhook', pageSize: 50 })
  expect(trail.records.map(({ action }) => action)).toEqual(['重新投递', '更换签名密钥', '新增事件推送'])
  await remove(odId)
})

test('one that fails pauses, is told of once and of its recovery once, loses nothing and stops no other', async () => {
  const [bad, good] = [await added('/bad'), await added('/beside')]
  other.answers['/bad'] = { status: 500, body: 'broken\u0000'.repeat(1000) }
  for (let at = 0; at < 4; at++) await school.person('GUIDE_TEACHER')
  for (let at = 0; at < 5; at++) await deliver(app)
  expect(other.at('/beside')).toHaveLength(4)
  // three failures in a row, then one try after each pause
  expect(other.at('/bad').length).toBeLessThanOrEqual(5)
  expect(await stateOf(bad.odId)).toMatchObject({
    state: 'failing',
    waiting: 4,
    stateText: expect.stringContaining('对方答复 HTTP 500') as string,
  })
  expect((await deliveriesOf(bad.odId)).find(({ answerCode }) => answerCode)!.answerText.length).toBeLessThanOrEqual(
    2048,
  )
  for (let at = 0; at < 4; at++) await deliver(app, 600)
  expect((await titles()).filter((title) => title.startsWith('事件推送未送达'))).toHaveLength(1)
  other.answers['/bad'] = { status: 204 }
  await deliver(app, 3600)
  await deliver(app, 6 * 3600)
  expect(await stateOf(bad.odId)).toMatchObject({ state: 'good', waiting: 0, dead: 0 })
  expect(new Set((await deliveriesOf(bad.odId)).map(({ dlStatus }) => dlStatus))).toEqual(
    new Set([deliveryStatus.delivered]),
  )
  expect((await titles()).filter((title) => title.startsWith('已恢复'))).toHaveLength(1)
  await remove(bad.odId, good.odId)
})

test('two processes send one after the other to one destination, and what one left half-way goes out after all', async () => {
  const { odId } = await added('/slow')
  other.answers['/slow'] = { status: 200, afterMs: 30 }
  for (let at = 0; at < 6; at++) await school.person('GUIDE_TEACHER')
  await Promise.all([deliver(app), deliver(app, 0)])
  await deliver(app)
  expect(other.at('/slow')).toHaveLength(6)
  expect(other.highest('/slow')).toBe(1)
  expect(new Set(other.at('/slow').map(({ headers }) => headers['webhook-id'])).size).toBe(6)
  // a process was killed between sending and noting the answer
  const [first] = await deliveriesOf(odId)
  await app.ctx.db
    .updateTable('outboxDelivery')
    .set({ dlStatus: deliveryStatus.sending })
    .where('dlId', '=', first!.dlId)
    .execute()
  await deliver(app)
  expect(other.at('/slow')).toHaveLength(7)
  expect((await deliveriesOf(odId))[0]).toMatchObject({ dlStatus: deliveryStatus.delivered, attempts: 2 })
  await remove(odId)
})

test('after ten tries a delivery is dead, and sent again when asked; 410 ends a subscription', async () => {
  const { odId } = await added('/dead')
  other.answers['/dead'] = { status: 302, location: `${other.address}/elsewhere` }
  await school.person('GUIDE_TEACHER')
  for (let at = 0; at < 14; at++) await deliver(app, 8 * 3600)
  expect(other.at('/dead')).toHaveLength(10)
  expect(other.at('/elsewhere')).toEqual([])
  const [dead] = await deliveriesOf(odId)
  expect(dead).toMatchObject({ dlStatus: deliveryStatus.dead, attempts: 10, answerCode: 302, can: ['redeliver'] })
  other.answers['/dead'] = { status: 410 }
  expect(await school.admin.send(webhookApi.redeliver, { dlIds: [dead!.dlId] })).toEqual({ affected: 1 })
  expect((await school.admin.ask(webhookApi.redeliver, { dlIds: [dead!.dlId] })).reason).toBe('delivery-under-way')
  await deliver(app, 3600)
  expect(await stateOf(odId)).toMatchObject({ enable: enableStatus.disabled })
  expect((await titles()).some((title) => title.startsWith('事件推送已停用'))).toBe(true)
  // what happens while it is off is not kept for it
  await school.person('GUIDE_TEACHER')
  expect(await deliveriesOf(odId)).toHaveLength(1)
  await remove(odId)
})

test('the test button says in words what is wrong', async () => {
  const { odId } = await added('/test')
  const say = async (address: string) => {
    const { version } = await stateOf(odId)
    await school.admin.send(webhookApi.edit, { odId, version, odName: '测试', address, eventKinds: ['person.added'] })
    return school.admin.send(webhookApi.test, { odId })
  }
  expect(await say(`${other.address}/test`)).toEqual({ isDelivered: true, text: '已送达：对方答复 HTTP 200' })
  expect((await say('http://127.0.0.1:1/')).text).toBe('未送达：对方拒绝连接，请确认服务已启动、端口正确')
  expect((await say('https://nowhere.invalid/')).text).toMatch(/主机名|DNS/)
  app.services.config.outboundPrivate = []
  for (const address of [`${other.address}/test`, 'https://localhost/', 'https://[::1]/', 'https://2130706433/'])
    expect((await say(address)).text).toContain('在内网或本机')
  app.services.config.outboundPrivate = ['127.0.0.0/8']
  expect(other.at('/test')).toHaveLength(1)
  expect(
    (await school.admin.ask(webhookApi.add, { odName: 'x', address: 'ftp://x', eventKinds: ['course.published'] })).msg,
  ).toContain('https://')
  expect(await deliveriesOf(odId)).toHaveLength(7)
  await remove(odId)
})

test('the deliveries that the list finds leave as a workbook, the latest first', async () => {
  const { odId } = await added('/sheet')
  const filter = { odId, eventKind: 'person.added' as const }
  expect((await school.admin.ask(webhookApi.exportDeliveries, filter)).reason).toBe('nothing-to-export')
  for (const _ of [1, 2]) await school.person('GUIDE_TEACHER')
  await deliver(app)
  await deliver(app)
  const shown = await deliveriesOf(odId)
  expect(shown).toHaveLength(2)
  const { lines } = await sheetIn((await school.admin.download(webhookApi.exportDeliveries, filter)).bytes)
  const [heads, ...rows] = lines.map(({ cells }) => cells)
  const told = rows.map((cells) => Object.fromEntries(heads!.map((head, at) => [head, cells[at] ?? ''])))
  expect(told.map((row) => row['编号']).toSorted()).toEqual(shown.map(({ eventId }) => eventId).toSorted())
  expect(told.map((row) => row['编号'])).toEqual(
    told
      .map((row) => row['编号'])
      .toSorted()
      .toReversed(),
  )
  expect(told[0]).toMatchObject({ 事件: '人员加入', 状态: '已送达', 次数: '1', 'HTTP 状态码': '200' })
  await remove(odId)
})

test('another school sees nothing of it, and who lacks the right neither', async () => {
  const { odId } = await added('/mine')
  const neighbour = await newSchool()
  expect((await neighbour.admin.send(webhookApi.list, {})).records).toEqual([])
  expect((await neighbour.admin.ask(webhookApi.test, { odId })).code).not.toBe(200)
  const { client } = await school.person('COLLEGE_LEAGUE')
  expect((await client.ask(webhookApi.list, {})).code).toBe(403)
  expect((await client.ask(webhookApi.exportDeliveries, {})).code).toBe(403)
  expect((await neighbour.admin.ask(webhookApi.exportDeliveries, {})).reason).toBe('nothing-to-export')
  await neighbour.person('GUIDE_TEACHER')
  await remove(odId)
})

test.each([
  ['8.8.8.8', true],
  ['10.1.2.3', false],
  ['172.16.0.1', false],
  ['192.168.1.1', false],
  ['100.64.0.1', false],
  ['169.254.169.254', false],
  ['127.0.0.1', false],
  ['0.0.0.0', false],
  ['224.0.0.1', false],
  ['::1', false],
  ['::ffff:10.0.0.1', false],
  ['fe80::1', false],
  ['fd00::1', false],
  ['64:ff9b::a00:1', false],
  ['2001:4860:4860::8888', true],
])('%s is of the internet: %s', (address, expected) => {
  expect(isReachable(address, [])).toBe(expected)
  expect(isReachable(address, [address.includes(':') ? '::/0' : '0.0.0.0/0', '10.0.0.0/8'])).toBe(true)
})

test('plain HTTP only goes where the operator allows it, and an answer that never comes is not waited for', async () => {
  const request = { method: 'POST' as const, headers: {}, body: '' }
  await expect(sendOutbound({ ...request, address: 'http://8.8.8.8/' }, [])).rejects.toThrow('https://')
  other.answers['/never'] = { status: 200, never: true }
  const begun = performance.now()
  const address = `${other.address}/never`
  await expect(sendOutbound({ ...request, address }, ['127.0.0.1'])).rejects.toThrow('10 秒')
  expect(performance.now() - begun).toBeLessThan(15_000)
})

test('tries come later and later, up to six hours', () => {
  expect([1, 2, 3, 4, 9].map((failures) => waitSeconds(failures, 0.5))).toEqual([10, 40, 160, 640, 21_600])
  expect([waitSeconds(1, 0), waitSeconds(1, 1)]).toEqual([8, 12])
})

test('of two subscriptions that are added at once with one name, or for the last place, only one is', async () => {
  const { admin } = await newSchool()
  const add = (odName: string) =>
    admin.ask(webhookApi.add, { odName, address: `${other.address}/at-once`, eventKinds: ['person.added'] })
  const same = await Promise.all(['教务', '教务', '教务', '教务'].map(add))
  expect(same.map(({ reason }) => reason ?? 'added').toSorted()).toEqual([
    'added',
    'name-taken',
    'name-taken',
    'name-taken',
  ])
  for (let n = 2; n < 20; n++) await add(`教务${n}`)
  const last = await Promise.all(['甲', '乙', '丙', '丁'].map(add))
  expect(last.filter(({ code }) => code === 200)).toHaveLength(1)
  expect((await admin.send(webhookApi.list, { pageSize: 100 })).total).toBe(20)
})
