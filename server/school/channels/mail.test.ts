import { beforeAll, expect, test } from 'vitest'
import { fullPath } from '../../../contract/core/call.ts'
import { deliveryStatus, enableStatus, mailSecurity, messageChannel } from '../../../contract/core/codes/platform.ts'
import { accountStatus } from '../../../contract/core/codes/school.ts'
import { backgroundApi } from '../../../contract/platform/background/background.calls.ts'
import { auditApi } from '../../../contract/school/audit/audit.calls.ts'
import { channelApi } from '../../../contract/school/channels/channels.calls.ts'
import { messageApi } from '../../../contract/school/messages/messages.calls.ts'
import { testApp, type TestApp } from '../../testing/app.ts'
import { runBackground, whenOver } from '../../testing/background.ts'
import { useOwnDatabase } from '../../testing/database.ts'
import { mailSink } from '../../testing/mail-sink.ts'
import { deliver } from '../../testing/receiver.ts'
import { newSchool, type TestSchool } from '../../testing/school.ts'
import { sheetIn } from '../../testing/sheet-in.ts'

await useOwnDatabase()
let app: TestApp
let school: TestSchool
let sink: Awaited<ReturnType<typeof mailSink>>
let odId: string
const person = await (async () => {
  app = await testApp()
  school = await newSchool()
  return school.person('GUIDE_TEACHER')
})()

beforeAll(async () => {
  sink = await mailSink()
  app.services.config.outboundPrivate = ['127.0.0.0/8']
  await give(person.suId, 'teacher@example.edu.cn')
})

const give = (suId: string, suiEmail: string | null) =>
  app.ctx.db.updateTable('person').set({ suiEmail }).where('suId', '=', suId).execute()
const form = (settings: object = {}) => ({
  odChannel: messageChannel.mail,
  odName: '学校邮箱',
  settings: {
    host: '127.0.0.1',
    port: sink.port,
    security: mailSecurity.plain,
    fromAddress: 'dekt@example.edu.cn',
    fromName: '第二课堂',
    ...settings,
  },
})
const channel = async () => (await school.admin.send(channelApi.list, {})).records.find((row) => row.odId === odId)!
const change = async (settings: object, secret?: string) =>
  school.admin.send(channelApi.save, { odId, version: (await channel()).version, ...form(settings), secret })
const tell = (iiTitle: string, suIds = [person.suId]) =>
  school.admin.send(messageApi.send, { iiTitle, iiContent: '请于周五前确认。', suIds })
const list = async (filter: object = {}) =>
  (await school.admin.send(channelApi.deliveries, { pageSize: 100, ...filter })).records
const titled = async (title: string) => (await list()).find((row) => row.title === title)

test('a channel is off until it is switched on, then a message goes out once, in the transaction of its act', async () => {
  odId = (await school.admin.send(channelApi.save, form())).odId
  expect(await channel()).toMatchObject({ enable: enableStatus.disabled, hasSecret: false, state: 'idle' })
  await tell('之前的消息')
  await school.admin.send(channelApi.enable, { odIds: [odId], enable: enableStatus.enabled })
  await tell('志愿服务报名')
  await Promise.all([deliver(app), deliver(app, 0)])
  await deliver(app)
  expect(sink.mails.map(({ to }) => to)).toEqual([['teacher@example.edu.cn']])
  const [mail] = sink.mails
  expect(mail!.text).toContain(`${person.suiName}，您好：`)
  expect(mail!.text).toContain('请于周五前确认。')
  expect(mail!.raw).toMatch(/^Message-ID: <[\w-]{36}@example\.edu\.cn>\r$/m)
  expect(mail!.raw).toMatch(/^Auto-Submitted: auto-generated\r$/m)
  const [row] = await list()
  expect(row).toMatchObject({
    title: '志愿服务报名',
    suiName: person.suiName,
    target: 't***@example.edu.cn',
    dlStatus: deliveryStatus.delivered,
    attempts: 1,
    can: [],
  })
  const { code } = await school.admin.ask(channelApi.resend, { dlIds: [row!.dlId] })
  expect(code).not.toBe(200)
  const trail = await school.admin.send(auditApi.list, { bizType: 'messageChannel', pageSize: 50 })
  expect(trail.records.map(({ action }) => action)).toEqual(['启用消息通道', '新增消息通道'])
})

test('who has no address, has read it, or is no longer there gets none, and the list says so', async () => {
  sink.mails.length = 0
  const people = await Promise.all(['a', 'b', 'c', 'd'].map(() => school.person('GUIDE_TEACHER')))
  const [without, reader, gone, taken] = people as [typeof person, typeof person, typeof person, typeof person]
  for (const { suId } of [reader, gone, taken]) await give(suId, 'x@example.edu.cn')
  await tell('四个人', people.map(({ suId }) => suId).slice(0, 3))
  const { iiId } = await tell('撤回的', [taken.suId])
  const inbox = (await reader.client.send(messageApi.inbox, {})).records
  await reader.client.send(messageApi.read, { iiIds: inbox.map((one) => one.iiId) })
  await school.admin.send(messageApi.recall, { iiId })
  await app.ctx.db
    .updateTable('account')
    .set({ suStatus: accountStatus.disabled })
    .where('suId', '=', gone.suId)
    .execute()
  await deliver(app)
  expect(sink.mails).toEqual([])
  const rows = await list()
  const of = ({ suiNumber }: typeof person) => {
    const row = rows.find((one) => one.suiNumber === suiNumber)!
    return [row.dlStatus, row.answerText, row.can]
  }
  expect(of(without)).toEqual([deliveryStatus.dead, '该人员没有邮箱，请在人员资料中补充后重新发送', ['resend']])
  expect(of(reader)).toEqual([deliveryStatus.dropped, '已在平台内阅读', ['resend']])
  expect(of(gone)).toEqual([deliveryStatus.dropped, '账号已停用', ['resend']])
  expect(of(taken)).toEqual([deliveryStatus.dropped, '消息已撤回', ['resend']])
  // once there is an address it is sent again, on the trail
  await give(without.suId, 'new@example.edu.cn')
  const { dlId } = rows.find(({ suiNumber }) => suiNumber === without.suiNumber)!
  await school.admin.send(channelApi.resend, { dlIds: [dlId] })
  await deliver(app)
  expect(sink.mails.map(({ to }) => to)).toEqual([['new@example.edu.cn']])
  expect((await channel()).state).toBe('good')
})

test('all that did not arrive is sent again in the background, each once, and what arrived stays', async () => {
  sink.mails.length = 0
  const rows = await list()
  const again = rows.filter(({ can }) => can.includes('resend'))
  const runner = await runBackground()
  const input = { list: fullPath(channelApi.deliveries), act: fullPath(channelApi.resend), filter: {}, given: {} }
  const { btId } = await school.admin.send(backgroundApi.actOnAll, { ...input, total: rows.length })
  const task = await whenOver(school.admin, btId)
  await runner.stop(100)
  expect([again.length > 2, task.doneCount, task.refusedCount]).toEqual([
    true,
    again.length,
    rows.length - again.length,
  ])
  const waiting = (await list({ dlStatus: deliveryStatus.waiting })).map(({ dlId }) => dlId)
  expect(waiting.toSorted()).toEqual(again.map(({ dlId }) => dlId).toSorted())
  await deliver(app)
})

test('a refused mailbox ends one message; a server that is away is waited for, told of once, and nobody gets two', async () => {
  sink.mails.length = 0
  sink.answers.rcpt = 550
  await tell('没有这个信箱')
  await deliver(app)
  expect((await list())[0]).toMatchObject({
    dlStatus: deliveryStatus.dead,
    answerText: expect.stringContaining('不接受收件地址（550）') as string,
  })
  sink.answers.rcpt = 451
  await tell('稍后再试')
  await deliver(app)
  expect((await list())[0]).toMatchObject({ dlStatus: deliveryStatus.waiting, attempts: 1 })
  expect((await channel()).state).toBe('good')
  delete sink.answers.rcpt
  await deliver(app, 60)
  expect(sink.mails).toHaveLength(1)
  await change({ port: 1 })
  await tell('服务器不在')
  for (const seconds of [6, 60, 300, 1200, 3600]) await deliver(app, seconds)
  expect(await channel()).toMatchObject({ state: 'failing' })
  const told = async () =>
    (await school.admin.send(messageApi.inbox, { pageSize: 50 })).records.filter(({ iiTitle }) =>
      iiTitle.includes('消息通道'),
    )
  expect((await told()).map(({ iiTitle }) => iiTitle)).toEqual(['消息通道未送达：学校邮箱'])
  await change({})
  await deliver(app, 6 * 3600)
  expect(sink.mails.filter(({ to }) => to[0] === 'teacher@example.edu.cn')).toHaveLength(2)
  expect((await told()).map(({ iiTitle }) => iiTitle)).toContain('已恢复：消息通道 学校邮箱')
})

test('what a killed process or a lost answer leaves open is not sent a second time, and is seen', async () => {
  await deliver(app, 60)
  sink.mails.length = 0
  sink.answers.drops = true
  await tell('答复丢失')
  await deliver(app)
  delete sink.answers.drops
  await deliver(app, 3600)
  expect(sink.mails).toHaveLength(1)
  const lost = await titled('答复丢失')
  expect(lost).toMatchObject({ dlStatus: deliveryStatus.unknown, can: ['resend'] })
  expect(lost!.answerText).toContain('没有等到服务器的确认')
  // killed between sending and remembering
  await tell('进程中断')
  const half = await titled('进程中断')
  await app.ctx.db
    .updateTable('outboxDelivery')
    .set({ dlStatus: deliveryStatus.sending, attempts: 1 })
    .where('dlId', '=', half!.dlId)
    .execute()
  await deliver(app, 3600)
  await deliver(app, 3600)
  expect(sink.mails).toHaveLength(1)
  expect(await titled('进程中断')).toMatchObject({ dlStatus: deliveryStatus.unknown, can: ['resend'] })
  await school.admin.send(channelApi.resend, { dlIds: [half!.dlId] })
  await deliver(app)
  expect(sink.mails).toHaveLength(2)
})

test('mails go one after the other by one connection, and one that has ended meanwhile loses none', async () => {
  const before = { mails: sink.mails.length, made: sink.connections.made }
  const sent = async (title: string) => {
    await tell(title)
    await deliver(app)
    return (await titled(title))!.dlStatus
  }
  for (const title of ['一', '二', '三']) expect(await sent(title)).toBe(deliveryStatus.delivered)
  expect(sink.connections.made - before.made).toBeLessThanOrEqual(1)
  sink.hangUp()
  expect(await sent('四')).toBe(deliveryStatus.delivered)
  expect(sink.mails.length - before.mails).toBe(4)
  // a connection that has waited is no proof that a mail has not gone
  sink.answers.drops = true
  expect(await sent('五')).toBe(deliveryStatus.unknown)
  sink.answers.drops = false
  await deliver(app)
  expect(sink.mails.length - before.mails).toBe(5)
  // a mail after one whose end is unknown has a connection of its own, and the name it is from makes no other
  const made = sink.connections.made
  expect(await sent('六')).toBe(deliveryStatus.delivered)
  await change({ fromName: '第二课堂中心' })
  expect(await sent('七')).toBe(deliveryStatus.delivered)
  expect(sink.connections.made - made).toBe(1)
})

test('the test button says in words what is wrong, and a secret stays with the server it was meant for', async () => {
  const own = await mailSink({
    authOptional: false,
    onAuth: ({ username, password }, _session, callback) =>
      username === 'dekt' && password === 'right' ? callback(null, { user: username }) : callback(new Error('no')),
  })
  const secure = await mailSink({ secure: true })
  const starts = await mailSink({ disabledCommands: [] })
  const say = async (settings: object, secret?: string, target: string | undefined = 'me@example.com') => {
    await change(settings, secret)
    return (await school.admin.send(channelApi.test, { odId, target })).text
  }
  const plain = mailSecurity.plain
  expect(await say({ port: own.port, user: 'dekt' }, 'right')).toBe('已发往 m***@example.com，请查收')
  expect(own.mails[0]!.text).toContain('这是一条测试消息')
  expect((await channel()).hasSecret).toBe(true)
  expect(await say({ port: own.port, user: 'dekt' }, 'wrong')).toContain('不接受账号或口令')
  // another port is another server: the password is not shown to it
  await change({ port: sink.port })
  expect((await channel()).hasSecret).toBe(false)
  expect(await say({ port: secure.port, security: mailSecurity.tls })).toContain('证书不被信任')
  expect(await say({ port: starts.port, security: mailSecurity.starttls })).toMatch(/证书/)
  expect(await say({ port: sink.port, security: mailSecurity.starttls })).toContain('STARTTLS')
  expect(await say({ port: sink.port, security: mailSecurity.tls })).toContain('加密方式')
  expect(await say({ port: 1 })).toContain('拒绝连接')
  expect(await say({ host: 'nowhere.invalid', security: mailSecurity.tls })).toMatch(/主机名|DNS/)
  expect(await say({}, undefined, undefined)).toMatch(/没有邮箱|已发往/)
  app.services.config.outboundPrivate = []
  expect(await say({})).toContain('在内网或本机')
  expect(await say({ host: 'localhost', security: mailSecurity.tls })).toContain('在内网或本机')
  expect(await say({ host: '8.8.8.8', security: plain })).toContain('不加密只能用于')
  app.services.config.outboundPrivate = ['127.0.0.0/8']
  expect([secure.mails, starts.mails]).toEqual([[], []])
  const shown = JSON.stringify([await list(), await school.admin.send(auditApi.list, { pageSize: 100 })])
  expect(shown).not.toMatch(/right|wrong|me@example\.com/)
  await change({})
  const bad = await school.admin.ask(channelApi.save, { ...form(), odName: 'x', settings: { security: plain } })
  expect(bad.msg).toContain('主机名')
})

test('another school and whoever lacks the right see nothing of it', async () => {
  const neighbour = await newSchool()
  expect((await neighbour.admin.send(channelApi.list, {})).records).toEqual([])
  expect((await neighbour.admin.send(channelApi.deliveries, {})).records).toEqual([])
  for (const call of [
    neighbour.admin.ask(channelApi.test, { odId }),
    neighbour.admin.ask(channelApi.enable, { odIds: [odId], enable: enableStatus.disabled }),
    neighbour.admin.ask(channelApi.resend, { dlIds: [(await list())[0]!.dlId] }),
    neighbour.admin.ask(channelApi.save, { odId, version: 0, ...form() }),
  ])
    expect((await call).code).not.toBe(200)
  expect((await person.client.ask(channelApi.deliveries, {})).code).toBe(403)
  expect((await person.client.ask(channelApi.exportDeliveries, {})).code).toBe(403)
})

test('what the list finds leaves as a workbook, the latest first, with addresses masked as there', async () => {
  const filter = { dlStatus: deliveryStatus.delivered }
  const shown = await list(filter)
  const { lines } = await sheetIn((await school.admin.download(channelApi.exportDeliveries, filter)).bytes)
  const [heads, ...rows] = lines.map(({ cells }) => cells)
  const told = rows.map((cells) => Object.fromEntries(heads!.map((head, at) => [head, cells[at] ?? ''])))
  expect(told.map((row) => [row['标题'], row['学工号'], row['发往']])).toEqual(
    shown.map(({ title, suiNumber, target }) => [title, suiNumber, target]),
  )
  expect(new Set(told.map((row) => row['状态']))).toEqual(new Set(['已送达']))
})
