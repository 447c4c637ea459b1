import { beforeAll, expect, test } from 'vitest'
import {
  deliveryStatus,
  enableStatus,
  messageChannel,
  smsBody,
  smsMethod,
  userBy,
} from '../../../contract/core/codes/platform.ts'
import { channelApi } from '../../../contract/school/channels/channels.calls.ts'
import { messageApi } from '../../../contract/school/messages/messages.calls.ts'
import { seal } from '../../core/secrets/field-crypto.ts'
import { testApp, type TestApp } from '../../testing/app.ts'
import { appService } from '../../testing/app-service.ts'
import { useOwnDatabase } from '../../testing/database.ts'
import { deliver } from '../../testing/receiver.ts'
import { newSchool, type TestSchool } from '../../testing/school.ts'
import { shortened } from './app-messages.ts'
import { textMessageRequest } from './text-message.ts'

await useOwnDatabase()
let app: TestApp
let school: TestSchool
let person: Awaited<ReturnType<TestSchool['person']>>
let stranger: Awaited<ReturnType<TestSchool['person']>>
let service: Awaited<ReturnType<typeof appService>>

beforeAll(async () => {
  app = await testApp()
  school = await newSchool()
  app.services.config.outboundPrivate = ['127.0.0.0/8']
  person = await school.person('GUIDE_TEACHER')
  stranger = await school.person('GUIDE_TEACHER')
  service = await appService({ key: 'ww1', secret: 'right' }, [person.suiNumber])
})

const tell = (iiTitle: string, ...suIds: string[]) =>
  school.admin.send(messageApi.send, { iiTitle, iiContent: '请准时参加。', suIds })
const list = async (odId: string) => (await school.admin.send(channelApi.deliveries, { odId, pageSize: 100 })).records
const remove = (odId: string) => school.admin.send(channelApi.remove, { odIds: [odId] })
async function added(odChannel: 'wecom' | 'dingtalk' | 'sms', settings: object, secret?: string) {
  const input = { odChannel, odName: odChannel, secret, settings: { address: service.address, ...settings } }
  const { odId } = await school.admin.send(channelApi.save, input)
  await school.admin.send(channelApi.enable, { odIds: [odId], enable: enableStatus.enabled })
  return odId
}

test.each([
  [
    'wecom' as const,
    '/cgi-bin/message/send',
    (user: string) => ({ touser: user, msgtype: 'text', agentid: 1000002, enable_duplicate_check: 1 }),
  ],
  [
    'dingtalk' as const,
    '/topapi/message/corpconversation/asyncsend_v2',
    (user: string) => ({ agent_id: 1000002, userid_list: user }),
  ],
])('%s gets a text for one person, with a token that is kept, renewed and never shown', async (way, path, body) => {
  Object.assign(service.state, { tokens: 0, answer: undefined, silent: false })
  service.taken.length = 0
  const odId = await added(way, { appKey: 'ww1', agentId: '1000002', userBy: userBy.number }, 'right')
  await tell('讲座', person.suId, stranger.suId)
  await tell('讲座改期', person.suId)
  await deliver(app)
  expect(service.state.tokens).toBe(1)
  expect(service.taken.map((one) => one.path)).toEqual([path, path])
  expect(service.taken[0]!.body).toMatchObject(body(person.suiNumber))
  expect(JSON.stringify(service.taken[0]!.body)).toContain(`讲座\\n\\n${person.suiName}，您好：`)
  const missing = (await list(odId)).find(({ suiNumber }) => suiNumber === stranger.suiNumber)!
  expect(missing).toMatchObject({ dlStatus: deliveryStatus.dead, attempts: 1 })
  expect(missing.answerText).toContain('没有此人')
  expect(missing.target).toMatch(/^\*+.{1,4}$/)
  // the service has given another token meanwhile
  service.state.tokens++
  await tell('换了凭证', person.suId)
  await deliver(app)
  expect(service.taken).toHaveLength(3)
  // busy: again later; silence: nobody knows
  service.state.answer = { errcode: -1, errmsg: 'system busy' }
  await tell('繁忙', person.suId)
  await deliver(app)
  expect((await list(odId))[0]).toMatchObject({ dlStatus: deliveryStatus.waiting, attempts: 1 })
  service.state.answer = undefined
  await deliver(app, 60)
  expect(service.taken).toHaveLength(4)
  service.state.silent = true
  await tell('没有应答', person.suId)
  await deliver(app)
  service.state.silent = false
  await deliver(app, 3600)
  expect((await list(odId))[0]).toMatchObject({ dlStatus: deliveryStatus.unknown, can: ['resend'] })
  expect(service.taken).toHaveLength(4)
  const say = async (settings: object, secret: string) => {
    const row = (await school.admin.send(channelApi.list, {})).records.find((one) => one.odId === odId)!
    await school.admin.send(channelApi.save, {
      odId,
      version: row.version,
      odChannel: way,
      odName: way,
      secret,
      settings: { address: service.address, appKey: 'ww1', agentId: '1000002', ...settings },
    })
    return (await school.admin.send(channelApi.test, { odId, target: person.suiNumber })).text
  }
  expect(await say({}, 'right')).toContain('已发往')
  expect(await say({}, 'wrong')).toContain('请核对应用标识与密钥')
  expect(await say({ appKey: 'ww2' }, 'right')).toContain('invalid corpid')
  expect(await say({ address: `${service.address}/nowhere` }, 'right')).toContain('没有给出访问凭证')
  app.services.config.outboundPrivate = []
  expect(await say({}, 'right')).toContain('在内网或本机')
  app.services.config.outboundPrivate = ['127.0.0.0/8']
  expect(JSON.stringify(await list(odId))).not.toMatch(/right|wrong|token-/)
  await remove(odId)
})

test('what 钉钉 has taken and tells later not to have reached anybody is listed with the reason', async () => {
  Object.assign(service.state, { tokens: 0, answer: undefined, silent: false })
  service.taken.length = 0
  const odId = await added('dingtalk', { appKey: 'ww1', agentId: '1000002', userBy: userBy.number }, 'right')
  for (const title of ['已读', '到上限', '尚不知道']) await tell(title, person.suId)
  await deliver(app)
  const { delivered, dead } = deliveryStatus
  const statuses = async () => (await list(odId)).map(({ dlStatus }) => dlStatus).reverse()
  const people = [person.suiNumber]
  service.state.results = { 1: { read_user_id_list: people }, 2: { forbidden_user_id_list: people } }
  expect(await statuses()).toEqual([delivered, delivered, delivered])
  service.state.silent = true
  await deliver(app, 120)
  expect(await statuses()).toEqual([delivered, delivered, delivered])
  service.state.silent = false
  await deliver(app, 120)
  expect(await statuses()).toEqual([delivered, dead, delivered])
  expect((await list(odId))[1]).toMatchObject({
    answerText: expect.stringContaining('上限') as string,
    can: ['resend'],
  })
  service.state.results[3] = { failed_user_id_list: people }
  await deliver(app, 120)
  expect(await statuses()).toEqual([delivered, dead, dead])
  // sent again it is another message, which arrives
  service.state.results[4] = { unread_user_id_list: people }
  await school.admin.send(channelApi.resend, { dlIds: [(await list(odId))[0]!.dlId] })
  await deliver(app)
  await deliver(app, 120)
  expect(await statuses()).toEqual([delivered, dead, delivered])
  await remove(odId)
})

test('a text message goes by the school’s own template, and what it refuses is seen', async () => {
  const suiPhone = seal('13812345678', app.services.secrets)
  await app.ctx.db.updateTable('person').set({ suiPhone }).where('suId', '=', person.suId).execute()
  const odId = await added(
    'sms',
    {
      address: `${service.address}/sms?id={编号}`,
      method: smsMethod.POST,
      headers: 'X-Key: {密钥}\nX-From: dekt',
      bodyKind: smsBody.json,
      body: '{"mobile":"{手机号}","text":"{内容}"}',
      okText: '"code":"0"',
    },
    'sms-secret',
  )
  await tell('含"引号"与\\反斜线', person.suId, stranger.suId)
  await deliver(app)
  const [sent, ...more] = service.raw
  expect(more).toEqual([])
  expect(sent!.headers).toMatchObject({ 'x-key': 'sms-secret', 'x-from': 'dekt' })
  expect(JSON.parse(sent!.body)).toEqual({
    mobile: '13812345678',
    text: expect.stringContaining('请准时参加。') as string,
  })
  const rows = await list(odId)
  expect(sent!.url).toBe(`/sms?id=${rows.find((row) => row.suiNumber === person.suiNumber)!.dlId}`)
  expect(rows.find((row) => row.suiNumber === person.suiNumber)).toMatchObject({ target: '138****5678' })
  expect(rows.find((row) => row.suiNumber === stranger.suiNumber)!.answerText).toContain('没有手机号')
  service.state.sms = '{"code":"7","msg":"13812345678 余额不足"}'
  await tell('余额不足', person.suId)
  await deliver(app)
  expect((await list(odId))[0]).toMatchObject({
    dlStatus: deliveryStatus.dead,
    answerText: '短信平台没有接受：{"code":"7","msg":"*** 余额不足"}',
  })
  service.state.smsStatus = 503
  await tell('平台维护', person.suId)
  await deliver(app)
  expect((await list(odId))[0]).toMatchObject({ dlStatus: deliveryStatus.waiting })
  for (const [settings, says] of [
    [{ body: '{"mobile":{手机号}}' }, '不是 JSON'],
    [{ body: '{}' }, '{手机号}'],
    [{ address: 'https://{手机号}.example.com/' }, '占位只能在域名之后'],
    [{ headers: 'no colon' }, '名称: 值'],
  ] as const) {
    const bad = await school.admin.ask(channelApi.save, {
      odChannel: messageChannel.sms,
      odName: 'x',
      settings: { address: 'https://sms.example.com/', body: '{"m":"{手机号}"}', ...settings },
    })
    expect(bad.msg).toContain(says)
  }
  await remove(odId)
})

const nasty = '"}&<b>\n\\u0000 a=b&c'
test.each([
  [smsBody.json, '{"t":"{内容}"}', (body: string) => (JSON.parse(body) as { t: string }).t],
  [smsBody.form, 'm=1&t={内容}&z=2', (body: string) => new URLSearchParams(body).get('t')],
  [
    smsBody.xml,
    '<t>{内容}</t>',
    (body: string) => body.slice(3, -4).replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code))),
  ],
])('what is filled into %s stays one value', (bodyKind, body, read) => {
  const request = textMessageRequest(
    { address: 'https://sms.example.com/{内容}', headers: 'X-A: {内容}\nContent-Type: text/x', bodyKind, body },
    { 内容: nasty },
  )
  expect(read(request.body!)).toBe(nasty)
  expect(new URL(request.address).host).toBe('sms.example.com')
  expect(Object.values(request.headers).join('')).not.toMatch(/[\r\n]/)
  expect(request.headers).toMatchObject({ 'content-type': 'text/x' })
})

test.each([
  ['abc', 3, 'abc'],
  ['第二课堂', 12, '第二课堂'],
  ['第二课堂', 11, '第二…'],
  ['😀😀', 7, '😀…'],
])('%s in %i bytes is %s', (text, bytes, expected) => {
  expect(shortened(text, bytes)).toBe(expected)
  expect(Buffer.byteLength(shortened(text, bytes))).toBeLessThanOrEqual(bytes)
})
