import { beforeAll, expect, test } from 'vitest'
import {
  deliveryStatus,
  enableStatus,
  mailSecurity,
  messageKind,
  messageMode,
} from '../../../contract/core/codes/platform.ts'
import { messageChannel, messageType } from '../../../contract/core/codes/platform.ts'
import { auditApi } from '../../../contract/school/audit/audit.calls.ts'
import { channelApi } from '../../../contract/school/channels/channels.calls.ts'
import { messagePreferenceApi, messageTextApi } from '../../../contract/school/channels/message-texts.calls.ts'
import { unknownPlaceholders } from '../../../contract/core/placeholders.ts'
import { fillMessage, messageTexts, placeholdersOf } from '../../../contract/school/channels/message-texts.ts'
import { messageApi } from '../../../contract/school/messages/messages.calls.ts'
import { sessionApi } from '../../../contract/school/session/session.calls.ts'
import { addSeconds } from '../../core/base/clock.ts'
import { testApp, type TestApp } from '../../testing/app.ts'
import type { Job } from '../../core/jobs/job-runner.ts'
import { outboxJobs } from '../../platform/outbox/outbox-jobs.ts'
import { asOwner, useOwnDatabase } from '../../testing/database.ts'
import { mailSink } from '../../testing/mail-sink.ts'
import { aheadBy, deliver } from '../../testing/receiver.ts'
import { newSchool, type TestSchool } from '../../testing/school.ts'

await useOwnDatabase()
let app: TestApp
let school: TestSchool
let sink: Awaited<ReturnType<typeof mailSink>>
let odId: string
type Person = Awaited<ReturnType<TestSchool['person']>>

beforeAll(async () => {
  app = await testApp()
  school = await newSchool()
  sink = await mailSink()
  app.services.config.outboundPrivate = ['127.0.0.0/8']
  odId = (await school.admin.send(channelApi.save, form())).odId
  await school.admin.send(channelApi.enable, { odIds: [odId], enable: enableStatus.enabled })
})

const form = (wishes: object = {}) => ({
  odChannel: messageChannel.mail,
  odName: '学校邮箱',
  settings: { host: '127.0.0.1', port: sink.port, security: mailSecurity.plain, fromAddress: 'dekt@example.edu.cn' },
  ...wishes,
})
const change = async (wishes: object) => {
  const row = (await school.admin.send(channelApi.list, {})).records[0]!
  await school.admin.send(channelApi.save, { odId, version: row.version, ...form(wishes) })
}
const somebody = async (): Promise<Person> => {
  const person = await school.person('GUIDE_TEACHER')
  const suiEmail = `${person.suiNumber}@example.edu.cn`
  await app.ctx.db.updateTable('person').set({ suiEmail }).where('suId', '=', person.suId).execute()
  return person
}
const tell = (iiTitle: string, ...people: Person[]) =>
  school.admin.send(messageApi.send, { iiTitle, iiContent: '正文', suIds: people.map(({ suId }) => suId) })
const to = ({ suiNumber }: Person) => sink.mails.filter((mail) => mail.to[0] === `${suiNumber}@example.edu.cn`)
const statusOf = async ({ suiName }: Person) =>
  (await school.admin.send(channelApi.deliveries, { suiName })).records.map(({ dlStatus }) => dlStatus)
/** The present of the deliveries, so many minutes on, as time of day. */
const timeOf = (minutes: number) => addSeconds(app.clock.now(), aheadBy(app) + minutes * 60).slice(11, 16)

test('quiet hours hold messages until they end, but no code, and a person’s wish holds for kind and channel', async () => {
  const [person, silent] = [await somebody(), await somebody()]
  expect(await silent.client.send(messagePreferenceApi.list, {})).toContainEqual({
    odChannel: messageChannel.mail,
    target: expect.stringMatching(/\*\*\*@example\.edu\.cn$/) as string,
    messageKind: messageType.manual,
    mpMode: messageMode.now,
    modes: [messageMode.now, messageMode.digest, messageMode.off],
  })
  const wish = { odChannel: messageChannel.mail, messageKind: messageType.manual }
  await silent.client.send(messagePreferenceApi.save, { ...wish, mpMode: messageMode.off })
  expect(
    (
      await silent.client.ask(messagePreferenceApi.save, {
        ...wish,
        odChannel: messageChannel.sms,
        mpMode: messageMode.digest,
      })
    ).reason,
  ).toBe('digest-by-mail-only')
  await change({ quietFrom: timeOf(-60), quietTo: timeOf(60) })
  await tell('夜里的消息', person, silent)
  await deliver(app)
  expect(sink.mails).toEqual([])
  expect(await statusOf(person)).toEqual([deliveryStatus.waiting])
  await school.nobody.send(sessionApi.retrievePwd, { schoolId: school.schoolId, username: person.suiNumber })
  await expect.poll(() => statusOf(person)).toHaveLength(2)
  await deliver(app)
  expect(to(person)).toHaveLength(1)
  const code = /验证码是 (\w{8})/.exec(to(person)[0]!.text)![1]!
  const stored = await app.ctx.db.selectFrom('outboxDelivery').selectAll().where('suId', '=', person.suId).execute()
  expect(stored.every(({ sealedContent }) => sealedContent === null)).toBe(true)
  await deliver(app, 3600)
  await deliver(app, 60)
  expect(to(person).map(({ raw }) => /^Subject: .*$/m.exec(raw)![0])).toHaveLength(2)
  expect(to(silent)).toEqual([])
  expect(await statusOf(silent)).toEqual([])
  const input = { schoolId: school.schoolId, username: person.suiNumber, code, newPassword: 'Neues-Passw0rt-2' }
  expect((await school.nobody.ask(sessionApi.retrievePwd, input)).code).toBe(200)
  await change({})
})

test('a code that has run out is not sent, and without a usable channel it goes the ways it went before', async () => {
  const person = await somebody()
  await change({ messageKinds: [messageType.manual] })
  await school.nobody.send(sessionApi.retrievePwd, { schoolId: school.schoolId, username: person.suiNumber })
  const asked = () => app.ctx.db.selectFrom('resetRequest').select('rqId').where('suId', '=', person.suId).execute()
  await expect.poll(asked).toHaveLength(1)
  await deliver(app)
  expect(await statusOf(person)).toEqual([])
  await change({})
  await school.nobody.send(sessionApi.retrievePwd, { schoolId: school.schoolId, username: person.suiNumber })
  await expect.poll(() => statusOf(person)).toHaveLength(1)
  await deliver(app, 700)
  const [row] = (await school.admin.send(channelApi.deliveries, { suiName: person.suiName })).records
  expect(row).toMatchObject({ messageKind: messageKind.recovery, dlStatus: deliveryStatus.dropped, can: [] })
  expect(row!.answerText).toBe('验证码已过期')
  expect(to(person)).toEqual([])
})

test('what is less urgent comes as one mail a day, without what was read meanwhile', async () => {
  const [person, reader, own] = [await somebody(), await somebody(), await somebody()]
  await change({ digestKinds: [messageType.manual], digestAt: timeOf(5) })
  const wish = { odChannel: messageChannel.mail, messageKind: messageType.manual }
  await own.client.send(messagePreferenceApi.save, { ...wish, mpMode: messageMode.now })
  // a little later today, so that nothing is due yet
  for (const title of ['第一件', '第二件']) await tell(title, person, reader, own)
  await deliver(app)
  expect(to(person)).toEqual([])
  expect(to(own)).toHaveLength(2)
  expect(await statusOf(person)).toEqual([deliveryStatus.gathering, deliveryStatus.gathering])
  const inbox = (await reader.client.send(messageApi.inbox, {})).records
  await reader.client.send(messageApi.read, { iiIds: inbox.map(({ iiId }) => iiId) })
  await deliver(app, 24 * 3600 + 600)
  await deliver(app)
  expect(to(person)).toHaveLength(1)
  expect(to(person)[0]!.text).toMatch(/· 第一件（.{11}）\n· 第二件（.{11}）/)
  expect((await statusOf(person)).sort()).toEqual(
    [deliveryStatus.delivered, deliveryStatus.gathered, deliveryStatus.gathered].sort(),
  )
  expect(to(reader)).toEqual([])
  expect(await statusOf(reader)).toContain(deliveryStatus.dropped)
  await deliver(app, 24 * 3600)
  expect(to(person)).toHaveLength(1)
  await change({})
})

test('a school has words of its own, with places that are there, and goes back to those of the product', async () => {
  const person = await somebody()
  const mine = { messageKind: messageType.manual, subject: '【{学校}】{标题}', content: '{姓名}：{正文}{链接}' }
  const bad = await school.admin.ask(messageTextApi.save, { ...mine, content: '{姓}' })
  expect(bad.msg).toContain('没有“{姓}”')
  const code = await school.admin.ask(messageTextApi.save, {
    ...mine,
    messageKind: messageKind.recovery,
    subject: '验证码',
    content: '{姓名}',
  })
  expect(code.msg).toContain('{验证码}')
  await school.admin.send(messageTextApi.save, mine)
  await tell('班会', person)
  await deliver(app)
  expect(to(person)[0]!.text.trim()).toBe(`${person.suiName}：正文`)
  const row = (await school.admin.send(messageTextApi.list, {})).records.find(
    (one) => one.messageKind === messageType.manual,
  )!
  expect(row).toMatchObject({ isOwn: true, can: ['edit', 'reset'], subject: mine.subject })
  expect((await school.admin.ask(messageTextApi.save, { ...mine, version: row.version + 7 })).code).not.toBe(200)
  await school.admin.send(messageTextApi.reset, { messageKind: messageType.manual })
  expect((await school.admin.send(messageTextApi.list, {})).records.some(({ isOwn }) => isOwn)).toBe(false)
  const trail = await school.admin.send(auditApi.list, { pageSize: 10 })
  expect(trail.records.map(({ action }) => action)).toEqual(
    expect.arrayContaining(['保存消息模板', '恢复默认消息模板']),
  )
})

test('the words of the product use no place that is not there', () => {
  for (const [kind, { subject, content }] of Object.entries(messageTexts))
    if (kind !== messageKind.test)
      expect(unknownPlaceholders(placeholdersOf(kind as never), subject + content)).toEqual([])
  expect(placeholdersOf(messageKind.recovery)).toContain('验证码')
  expect(fillMessage('{姓名}：\n\n{链接}\n\n{其他}', { 姓名: '王一', 链接: '' })).toBe('王一：\n\n{其他}')
})

test('what waits for a channel that is off is forgotten after thirty days, and is not sent when it is on again', async () => {
  const [gathered, waiting] = [await somebody(), await somebody()]
  await change({ digestKinds: [messageType.manual], digestAt: timeOf(5) })
  await tell('旧的一件', gathered)
  await change({})
  await tell('旧的另一件', waiting)
  const turn = (enable: '0' | '1') => school.admin.send(channelApi.enable, { odIds: [odId], enable })
  await turn(enableStatus.disabled)
  const tidy = async (days: number) => {
    const clock = { now: () => addSeconds(app.clock.now(), days * 86_400) }
    await outboxJobs({ ...app.services, clock }, async () => {}, {})['outbox:tidy']!.run({} as Job)
  }
  await tidy(29)
  expect(await statusOf(gathered)).toEqual([deliveryStatus.gathering])
  expect(await statusOf(waiting)).toEqual([deliveryStatus.waiting])
  await tidy(31)
  await turn(enableStatus.enabled)
  await deliver(app, 24 * 3600 + 600)
  for (const person of [gathered, waiting]) {
    expect(await statusOf(person)).toEqual([])
    expect(to(person)).toEqual([])
    expect((await person.client.send(messageApi.inbox, {})).records).toHaveLength(1)
  }
})

test('a digest whose time passed while the program stood still is made up for, and none while the school is suspended', async () => {
  const person = await somebody()
  await change({ digestKinds: [messageType.manual], digestAt: timeOf(5) })
  await tell('停机前的一件', person)
  const suspend = (suspendedTime: string | null) =>
    asOwner((db) =>
      db
        .updateTable('school')
        .set({ suspendedTime, suspendedWhy: suspendedTime ? '试验' : '' })
        .where('schoolId', '=', school.schoolId)
        .execute(),
    )
  // nothing runs until the next day, shortly before that time
  await suspend(app.clock.now())
  await deliver(app, 24 * 3600 - 60)
  await suspend(null)
  expect(await statusOf(person)).toEqual([deliveryStatus.gathering])
  // the job that gathers is due once a minute
  await deliver(app, 70)
  await deliver(app)
  expect(to(person)).toHaveLength(1)
  expect(to(person)[0]!.text).toContain('· 停机前的一件')
  await change({})
})
