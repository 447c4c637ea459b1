import { beforeAll, describe, expect, test } from 'vitest'
import { approvalApi } from '../../../contract/programme/approvals/approvals.calls.ts'
import { messageType, yesNo } from '../../../contract/core/codes/platform.ts'
import { flowCheckerType } from '../../../contract/core/codes/rules.ts'
import { lessonApi } from '../../../contract/programme/lessons/lessons.calls.ts'
import { messageApi } from '../../../contract/school/messages/messages.calls.ts'
import { newId } from '../../core/base/ids.ts'
import { makeFlow } from '../../testing/flows.ts'
import { newSchool, unique, type TestPerson, type TestSchool } from '../../testing/school.ts'
import { sheetIn } from '../../testing/sheet-in.ts'
import { lessonForm } from '../../testing/stored-lesson.ts'

let school: TestSchool
let collegeId: string
let college: TestPerson
let teacher: TestPerson
let own: { suId: string; suiName: string; suiNumber: string }
let foreign: { suId: string; suiName: string }

beforeAll(async () => {
  school = await newSchool()
  collegeId = await school.college()
  const otherCollege = await school.college()
  college = await school.person('COLLEGE_LEAGUE', [{ caType: 'college', caTarget: collegeId }], {
    suiCollegeId: collegeId,
  })
  teacher = await school.person('GUIDE_TEACHER', [], { suiCollegeId: collegeId })
  const student = async (scId: string) => {
    const majorId = await school.major(scId)
    const [one] = await school.students(1, {
      suiCollegeId: scId,
      majorId,
      scClassId: await school.schoolClass(majorId, scId),
    })
    return one!
  }
  own = await student(collegeId)
  foreign = await student(otherCollege)
})

/** A message of the college's league committee. */
const written = async (to: string[], iiTitle = `通知${unique()}`) => ({
  iiTitle,
  ...(await college.client.send(messageApi.send, { suIds: to, iiTitle, iiContent: '第一行\n第二行' })),
})
const unread = async ({ client }: TestPerson) => (await client.send(messageApi.count, {})).unread
const inbox = async ({ client }: TestPerson, iiTitle = '') =>
  (await client.send(messageApi.inbox, { iiTitle, pageSize: 200 })).records

describe('sending', () => {
  test('reaches every receiver once, and the outbox tells who and how many have read', async () => {
    const before = await unread(teacher)
    const { iiTitle, iiId, affected } = await written([teacher.suId, own.suId, teacher.suId])
    expect(affected).toBe(2)
    expect(await inbox(teacher, iiTitle)).toMatchObject([
      {
        iiId,
        iiTitle,
        iiContent: '第一行\n第二行',
        iiType: messageType.manual,
        link: '',
        createName: college.suiName,
        isRead: yesNo.no,
        can: ['read', 'delete'],
      },
    ])
    expect(await unread(teacher)).toBe(before + 1)
    expect(await inbox(college, iiTitle)).toEqual([])
    const { records } = await college.client.send(messageApi.outbox, { iiTitle })
    expect(records).toMatchObject([
      { iiId, suName: `${teacher.suiName}、${own.suiName}`, receiverCount: 2, readCount: 0 },
    ])
    await teacher.client.send(messageApi.read, { iiIds: [iiId] })
    expect((await college.client.send(messageApi.outbox, { suName: own.suiName, iiTitle })).records).toMatchObject([
      { readCount: 1 },
    ])
    expect((await college.client.send(messageApi.outbox, { suName: foreign.suiName, iiTitle })).records).toEqual([])
  })

  test('finds staff and the students of one’s own area, never oneself', async () => {
    const find = async ({ client }: TestPerson, suName: string) =>
      (await client.send(messageApi.receivers, { suName })).map(({ suId }) => suId)
    expect(await find(college, own.suiNumber)).toEqual([own.suId])
    expect(await find(college, teacher.suiName)).toEqual([teacher.suId])
    expect(await find(college, foreign.suiName)).toEqual([])
    expect(await find(college, college.suiName)).toEqual([])
    expect(await find(teacher, own.suiName)).toEqual([])
  })

  test('to one person out of reach reaches nobody', async () => {
    const stranger = await newSchool()
    const before = await unread(teacher)
    for (const suId of [foreign.suId, stranger.adminId, newId()]) {
      expect(
        (await college.client.ask(messageApi.send, { suIds: [teacher.suId, suId], iiTitle: '标题', iiContent: '内容' }))
          .status,
      ).toBe(404)
    }
    expect(await unread(teacher)).toBe(before)
  })

  test.each([
    ['nobody', { suIds: [] }, 'suIds', '请选择收件人、班级或角色'],
    ['more than 999', { suIds: Array.from({ length: 1000 }, newId) }, 'suIds', '一次最多发给 999 人'],
    ['a long title', { iiTitle: '题'.repeat(101) }, 'iiTitle', '标题不能超过 100 个字'],
    ['a long content', { iiContent: '文'.repeat(2001) }, 'iiContent', '内容不能超过 2000 个字'],
  ])('%s is refused at the field', async (_, change, field, msg) => {
    expect(
      (
        await college.client.ask(messageApi.send, {
          suIds: [teacher.suId],
          iiTitle: '标题',
          iiContent: '内容',
          ...change,
        })
      ).errors,
    ).toEqual([{ field, msg }])
  })

  test('needs the right', async () => {
    const viewer = await school.person('DATA_VIEWER')
    expect(
      (await viewer.client.ask(messageApi.send, { suIds: [teacher.suId], iiTitle: '标题', iiContent: '内容' })).status,
    ).toBe(403)
    expect((await viewer.client.ask(messageApi.receivers, {})).status).toBe(403)
    expect(await unread(viewer)).toBe(0)
  })
})

describe('reading and deleting', () => {
  test('twice is as once, and the counts are the rows', async () => {
    const reader = await school.person('DATA_VIEWER')
    const messages = [await written([reader.suId]), await written([reader.suId]), await written([reader.suId])]
    expect(await reader.client.send(messageApi.count, {})).toEqual({
      unread: 3,
      total: 3,
      byType: [{ iiType: messageType.manual, unread: 3 }],
    })
    const iiIds = messages.slice(0, 2).map(({ iiId }) => iiId)
    expect((await reader.client.send(messageApi.read, { iiIds })).affected).toBe(2)
    const readTime = (await reader.client.send(messageApi.inbox, { isRead: yesNo.yes })).records[0]!.readTime
    expect(readTime).toBeTruthy()
    school.clock.travel(60)
    expect((await reader.client.send(messageApi.read, { iiIds })).affected).toBe(0)
    const read = (await reader.client.send(messageApi.inbox, { isRead: yesNo.yes })).records
    expect(read.map((row) => row.readTime)).toEqual([readTime, readTime])
    const rest = (await reader.client.send(messageApi.inbox, { isRead: yesNo.no })).records
    expect(rest).toHaveLength(1)
    const iurIds = [rest[0]!.iurId, read[0]!.iurId]
    expect((await reader.client.send(messageApi.remove, { iurIds })).affected).toBe(2)
    expect((await reader.client.send(messageApi.remove, { iurIds })).affected).toBe(0)
    expect(await reader.client.send(messageApi.count, {})).toEqual({ unread: 0, total: 1, byType: [] })
    expect(await inbox(reader)).toMatchObject([{ iurId: read[1]!.iurId }])
  })

  test('ten readers of one message at once count it once', async () => {
    const reader = await school.person('DATA_VIEWER')
    const { iiId } = await written([reader.suId])
    const replies = await Promise.all(
      Array.from({ length: 10 }, () => reader.client.send(messageApi.read, { iiIds: [iiId] })),
    )
    expect(replies.reduce((sum, { affected }) => sum + affected, 0)).toBe(1)
    expect(await unread(reader)).toBe(0)
  })

  test('either side deletes only its own copy', async () => {
    const { iiTitle, iiId } = await written([teacher.suId])
    expect((await college.client.send(messageApi.remove, { iurIds: [iiId], outbox: '1' })).affected).toBe(1)
    expect((await college.client.send(messageApi.remove, { iurIds: [iiId], outbox: '1' })).affected).toBe(0)
    expect((await college.client.send(messageApi.outbox, { iiTitle })).total).toBe(0)
    const [kept] = await inbox(teacher, iiTitle)
    expect(kept).toMatchObject({ iiId })
    const second = await written([teacher.suId])
    await teacher.client.send(messageApi.remove, { iurIds: [(await inbox(teacher, second.iiTitle))[0]!.iurId] })
    expect((await college.client.send(messageApi.outbox, { iiTitle: second.iiTitle })).records).toMatchObject([
      { receiverCount: 1 },
    ])
  })

  test('what is somebody else’s is not there, and nothing of the batch happens', async () => {
    const { iiTitle, iiId } = await written([teacher.suId])
    const other = await written([own.suId])
    const stranger = await newSchool()
    const [copy] = await inbox(teacher, iiTitle)
    expect((await teacher.client.ask(messageApi.read, { iiIds: [iiId, other.iiId] })).status).toBe(404)
    expect((await teacher.client.ask(messageApi.remove, { iurIds: [copy!.iurId, newId()] })).status).toBe(404)
    for (const client of [school.admin, college.client, stranger.admin]) {
      expect((await client.ask(messageApi.read, { iiIds: [iiId] })).status).toBe(404)
      expect((await client.ask(messageApi.remove, { iurIds: [copy!.iurId] })).status).toBe(404)
    }
    for (const client of [teacher.client, school.admin, stranger.admin])
      expect((await client.ask(messageApi.remove, { iurIds: [iiId], outbox: '1' })).status).toBe(404)
    expect(await inbox(teacher, iiTitle)).toMatchObject([{ isRead: yesNo.no }])
    expect((await college.client.send(messageApi.outbox, { iiTitle })).total).toBe(1)
  })
})

describe('exporting', () => {
  type Exporting = typeof messageApi.exportInbox | typeof messageApi.exportOutbox | typeof messageApi.exportReaders
  const rowsOf = async ({ client }: TestPerson, call: Exporting, input: Record<string, string>) => {
    const [head, ...rows] = (await sheetIn((await client.download(call, input)).bytes)).lines.map(({ cells }) => cells)
    return rows.map((cells) => Object.fromEntries(head!.map((title, at) => [title, cells[at] ?? ''])))
  }

  test('gives out what each list shows, as it is filtered', async () => {
    const { iiTitle, iiId } = await written([teacher.suId, own.suId])
    await written([teacher.suId])
    await teacher.client.send(messageApi.read, { iiIds: [iiId] })
    const message = { 标题: iiTitle, 内容: '第一行\n第二行' }
    expect(await rowsOf(teacher, messageApi.exportInbox, { iiTitle })).toMatchObject([
      { ...message, 发送人: college.suiName, 已读: '是' },
    ])
    const unreadRows = await rowsOf(teacher, messageApi.exportInbox, { isRead: yesNo.no })
    expect(unreadRows.length).toBe(await unread(teacher))
    expect(await rowsOf(college, messageApi.exportOutbox, { iiTitle })).toMatchObject([
      { ...message, 收件人: `${teacher.suiName}、${own.suiName}`, 收件人数: '2', 已读人数: '1', 已撤回: '否' },
    ])
    expect(await rowsOf(college, messageApi.exportReaders, { iiId, isRead: yesNo.no })).toMatchObject([
      { 姓名: own.suiName, 学工号: own.suiNumber, 已读: '否', 阅读时间: '' },
    ])
  })

  test('tells who has read a message to its sender only', async () => {
    const { iiId } = await written([teacher.suId])
    for (const client of [teacher.client, school.admin, (await newSchool()).admin])
      expect((await client.ask(messageApi.exportReaders, { iiId })).status).toBe(404)
  })
})

describe('an approval', () => {
  let first: TestPerson
  let second: TestPerson
  let third: TestPerson

  beforeAll(async () => {
    first = college
    second = await school.person('SCHOOL_AUDIT')
    third = await school.person('SCHOOL_AUDIT')
    await makeFlow(school, [
      { node: 'PUBLISH', checkerType: flowCheckerType.startersCollege },
      { node: 'PUBLISH', checkerType: flowCheckerType.role, checkers: [school.roles['SCHOOL_AUDIT']!] },
    ])
  })

  async function submitted(liName: string): Promise<string> {
    const form = lessonForm(school, teacher.suId, { liName, liCollegeId: collegeId })
    const { liId } = await teacher.client.send(lessonApi.save, { ...form, submit: '1' })
    return liId
  }
  async function decide(
    { client }: TestPerson,
    liId: string,
    call: typeof approvalApi.publishPass | typeof approvalApi.publishRefuse,
    opinion?: string,
  ) {
    const { records } = await client.send(approvalApi.publishQueue, { pageSize: 200 })
    await client.send(call, { taskIds: [records.find(({ bizId }) => bizId === liId)!.taskId], opinion: opinion! })
  }
  /** Titles and links of what each has been told of a course. */
  const messagesAbout = async (liName: string) =>
    Promise.all(
      [teacher, first, second, third].map(async (person) =>
        (await inbox(person, liName)).map(({ iiTitle, link }) => [iiTitle, link]),
      ),
    )

  test('tells each step’s checkers as it opens and the initiator at the end, each once', async () => {
    const liName = `红色讲堂${unique()}`
    const liId = await submitted(liName)
    const [one, two] = (await school.admin.send(lessonApi.details, { liId })).flows[0]!.steps.map(
      ({ stepName }) => stepName,
    )
    const queue = `/checkAdmin/publishCheck?case=${liId}`
    const toFirst = [[`《${liName}》待您审批：${one}`, queue]]
    const toSecond = [[`《${liName}》待您审批：${two}`, queue]]
    expect(await messagesAbout(liName)).toEqual([[], toFirst, [], []])
    await decide(first, liId, approvalApi.publishPass)
    expect(await messagesAbout(liName)).toEqual([[], toFirst, toSecond, toSecond])
    await decide(second, liId, approvalApi.publishPass, '同意发布')
    expect(await messagesAbout(liName)).toEqual([
      [[`《${liName}》发布审批已通过`, `/courseManagement/detailCurriculumList?liId=${liId}`]],
      toFirst,
      toSecond,
      toSecond,
    ])
    expect(await inbox(teacher, liName)).toMatchObject([
      {
        iiType: messageType.approval,
        createName: '系统消息',
        iiContent: `您提交的《${liName}》发布审批已通过。\n审批意见：同意发布`,
      },
    ])
    expect((await second.client.send(messageApi.outbox, {})).total).toBe(0)
  })

  test('tells the initiator of a refusal with its reason, and a decision that fails tells nobody', async () => {
    const liName = `读书会${unique()}`
    const liId = await submitted(liName)
    const { records } = await first.client.send(approvalApi.publishQueue, { pageSize: 200 })
    const { taskId } = records.find(({ bizId }) => bizId === liId)!
    expect((await first.client.ask(approvalApi.publishRefuse, { taskIds: [taskId], opinion: '不行' })).code).toBe(300)
    expect((await second.client.ask(approvalApi.publishPass, { taskIds: [taskId] })).reason).toBe('not-checker')
    expect(await inbox(teacher, liName)).toEqual([])
    await decide(first, liId, approvalApi.publishRefuse, '请补充安全预案')
    const again = await first.client.ask(approvalApi.publishRefuse, { taskIds: [taskId], opinion: '请补充安全预案' })
    expect(again.reason).toBe('already-decided')
    expect(await inbox(teacher, liName)).toMatchObject([
      {
        iiTitle: `《${liName}》发布审批被驳回`,
        iiContent: `您提交的《${liName}》发布审批被驳回。\n驳回原因：请补充安全预案`,
      },
    ])
    expect(await inbox(second, liName)).toEqual([])
  })
})
