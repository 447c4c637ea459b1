import { beforeAll, describe, expect, test } from 'vitest'
import { yesNo } from '../../../contract/core/codes/platform.ts'
import { messageApi } from '../../../contract/school/messages/messages.calls.ts'
import { newId } from '../../core/base/ids.ts'
import { newSchool, unique, type TestPerson, type TestSchool } from '../../testing/school.ts'

let school: TestSchool
let league: TestPerson
let teacher: TestPerson
let viewer: TestPerson
let ownClass: string
let otherClass: string
let emptyClass: string
let students: { suId: string; suiName: string; suiNumber: string }[]

beforeAll(async () => {
  school = await newSchool()
  const [own, other] = [await school.college(), await school.college()]
  const [major, otherMajor] = [await school.major(own), await school.major(other)]
  ownClass = await school.schoolClass(major, own, { scClassName: `本院${unique()}` })
  emptyClass = await school.schoolClass(major, own, { scClassName: `空班${unique()}` })
  otherClass = await school.schoolClass(otherMajor, other, { scClassName: `外院${unique()}` })
  students = await school.students(3, { suiCollegeId: own, majorId: major, scClassId: ownClass })
  await school.students(2, { suiCollegeId: other, majorId: otherMajor, scClassId: otherClass })
  league = await school.person('COLLEGE_LEAGUE', [{ caType: 'college', caTarget: own }], { suiCollegeId: own })
  teacher = await school.person('GUIDE_TEACHER')
  viewer = await school.person('DATA_VIEWER')
})

const letter = (iiTitle = `通知${unique()}`) => ({ iiTitle, iiContent: '内容' })

describe('to classes and roles', () => {
  test('only those with somebody in reach are offered, with their number', async () => {
    const names = (await league.client.send(messageApi.receiverClasses, {})).map(({ scClassId, count }) => [
      scClassId,
      count,
    ])
    expect(names).toEqual([[ownClass, 3]])
    expect(
      (await school.admin.send(messageApi.receiverClasses, { scClassName: '外院' })).map(({ count }) => count),
    ).toEqual([2])
    const roles = await league.client.send(messageApi.receiverRoles, { srName: '指导老师' })
    expect(roles).toEqual([{ srId: school.roles['GUIDE_TEACHER'], srName: '指导老师', count: 1 }])
    expect(await teacher.client.send(messageApi.receiverClasses, {})).toEqual([])
  })

  test('everybody is counted and written to once', async () => {
    const targets = {
      suIds: [students[0]!.suId, viewer.suId],
      classIds: [ownClass],
      srIds: [school.roles['GUIDE_TEACHER']!, school.roles['DATA_VIEWER']!],
    }
    expect(await league.client.send(messageApi.reach, targets)).toEqual({ count: 5 })
    const { affected, iiId } = await league.client.send(messageApi.send, { ...targets, ...letter() })
    expect(affected).toBe(5)
    const readers = await league.client.send(messageApi.readers, { iiId, pageSize: 50 })
    expect(new Set(readers.records.map(({ suId }) => suId))).toEqual(
      new Set([...students.map(({ suId }) => suId), viewer.suId, teacher.suId]),
    )
  })

  test('out of reach, empty and unknown ones are refused alike, and nobody is written to', async () => {
    const before = (await viewer.client.send(messageApi.count, {})).total
    for (const receivers of [
      { classIds: [otherClass] },
      { classIds: [ownClass, emptyClass] },
      { srIds: [newId()] },
      { classIds: [newId()], suIds: [viewer.suId] },
    ]) {
      expect(await league.client.ask(messageApi.reach, receivers)).toMatchObject({
        code: 300,
        reason: 'receivers-unreachable',
      })
      expect(await league.client.ask(messageApi.send, { ...receivers, ...letter() })).toMatchObject({
        code: 300,
        reason: 'receivers-unreachable',
      })
    }
    expect(await league.client.ask(messageApi.reach, {})).toMatchObject({
      code: 300,
      errors: [{ field: 'suIds', msg: '请选择收件人、班级或角色' }],
    })
    expect((await viewer.client.send(messageApi.count, {})).total).toBe(before)
    expect(await viewer.client.ask(messageApi.receiverRoles)).toMatchObject({ status: 403 })
  })

  test('a role whose time is over is none', async () => {
    const gone = await school.person('MODULE_OWNER')
    const srIds = [school.roles['MODULE_OWNER']!]
    expect(await league.client.send(messageApi.reach, { srIds })).toEqual({ count: 1 })
    await school.ctx.db.updateTable('roleUser').set({ endDate: '2026-01-01' }).where('suId', '=', gone.suId).execute()
    expect(await league.client.ask(messageApi.reach, { srIds })).toMatchObject({ reason: 'receivers-unreachable' })
    expect(await league.client.send(messageApi.receiverRoles, { srName: '模块负责人' })).toEqual([])
  })
})

describe('what became of it', () => {
  test('the sender sees who has read, unread first, and nobody else does', async () => {
    const { iiId } = await league.client.send(messageApi.send, { suIds: [teacher.suId, viewer.suId], ...letter() })
    await viewer.client.send(messageApi.read, { iiIds: [iiId] })
    expect((await league.client.send(messageApi.readers, { iiId })).records).toMatchObject([
      { suId: teacher.suId, isRead: yesNo.no, readTime: null },
      { suId: viewer.suId, isRead: yesNo.yes, readTime: expect.any(String) as string },
    ])
    expect((await league.client.send(messageApi.readers, { iiId, isRead: yesNo.no })).records).toMatchObject([
      { suId: teacher.suId },
    ])
    expect((await league.client.send(messageApi.readers, { iiId, suName: viewer.suiNumber })).records).toMatchObject([
      { suId: viewer.suId },
    ])
    for (const client of [viewer.client, school.admin])
      expect(await client.ask(messageApi.readers, { iiId })).toMatchObject({ status: 404 })
  })

  test('taken back, unread copies vanish and read ones say so', async () => {
    const iiTitle = `撤回${unique()}`
    const { iiId } = await league.client.send(messageApi.send, {
      suIds: [teacher.suId, viewer.suId],
      ...letter(iiTitle),
    })
    await viewer.client.send(messageApi.read, { iiIds: [iiId] })
    expect((await league.client.send(messageApi.outbox, { iiTitle })).records).toMatchObject([
      { recalled: yesNo.no, can: ['recall', 'delete'] },
    ])
    for (const client of [viewer.client, school.admin])
      expect(await client.ask(messageApi.recall, { iiId })).toMatchObject({ status: 404 })
    expect(await league.client.send(messageApi.recall, { iiId })).toEqual({ affected: 1, unread: 1 })
    expect((await teacher.client.send(messageApi.inbox, { iiTitle })).records).toEqual([])
    expect((await teacher.client.send(messageApi.read, { iiIds: [iiId] })).affected).toBe(0)
    expect((await viewer.client.send(messageApi.inbox, { iiTitle })).records).toMatchObject([
      { recalled: yesNo.yes, iiContent: '发送人已撤回此消息。', link: '', isRead: yesNo.yes },
    ])
    expect((await league.client.send(messageApi.outbox, { iiTitle })).records).toMatchObject([
      { recalled: yesNo.yes, iiContent: '内容', can: ['delete'], readCount: 1, receiverCount: 2 },
    ])
    expect(await league.client.ask(messageApi.recall, { iiId })).toMatchObject({
      code: 300,
      reason: 'recalled-already',
    })
  })

  test('not after ten minutes', async () => {
    const iiTitle = `已晚${unique()}`
    const { iiId } = await league.client.send(messageApi.send, { suIds: [teacher.suId], ...letter(iiTitle) })
    school.clock.travel(601)
    expect((await league.client.send(messageApi.outbox, { iiTitle })).records).toMatchObject([{ can: ['delete'] }])
    expect(await league.client.ask(messageApi.recall, { iiId })).toMatchObject({
      code: 300,
      reason: 'recall-late',
      msg: '发送已超过 10 分钟，不能撤回',
    })
  })
})
