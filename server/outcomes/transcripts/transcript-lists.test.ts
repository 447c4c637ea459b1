import { describe, expect, test } from 'vitest'
import { yesNo } from '../../../contract/core/codes/platform.ts'
import { lessonApi } from '../../../contract/programme/lessons/lessons.calls.ts'
import { transcriptApi } from '../../../contract/outcomes/transcripts/transcripts.calls.ts'
import { newId } from '../../core/base/ids.ts'
import { grantRecord, oneClass, recordPlans, type TestStudent } from '../../testing/ledger.ts'
import { pdfText } from '../../testing/pdf.ts'
import { recording } from '../../testing/recorded-statements.ts'
import { newSchool } from '../../testing/school.ts'

describe('who may see whose', () => {
  test('a college sees its own students only; a list with one foreign student is refused whole and leaves no trace', async () => {
    const school = await newSchool()
    const [here, there] = [await oneClass(school), await oneClass(school)]
    const [own] = (await here.students(1)) as [TestStudent]
    const [foreign] = (await there.students(1)) as [TestStudent]
    for (const student of [own, foreign]) await grantRecord(school, student, recordPlans[0]!)
    const { client } = await school.person('COLLEGE_LEAGUE', [{ caType: 'college', caTarget: here.scId }])

    expect((await client.send(transcriptApi.list, {})).records.map(({ suId }) => suId)).toEqual([own.suId])
    expect((await client.send(transcriptApi.list, { collegeId: there.scId })).total).toBe(0)
    expect((await client.send(transcriptApi.stuScore, {})).records.map(({ suId }) => suId)).toEqual([own.suId])
    // a course opens for whom an entry says so, and for nobody else
    const viewer = (await school.person('CLASS_TUTOR', [{ caType: 'class', caTarget: here.scClassId }])).client
    const opening = [school.admin, client, viewer].map(async (asking) => {
      const { records } = await asking.send(transcriptApi.stuScore, { search: own.suiNumber })
      const entries = await asking.send(transcriptApi.rows, { suId: own.suId })
      expect(entries.records.map(({ opens }) => opens)).toEqual(records.map(({ opens }) => opens))
      const replies = await Promise.all(records.map(({ liId }) => asking.ask(lessonApi.details, { liId })))
      expect(records.map(({ opens }) => opens)).toEqual(replies.map(({ code }) => code === 200))
      return records.map(({ opens }) => opens)
    })
    expect((await Promise.all(opening)).flat()).toEqual(expect.arrayContaining([true, false]))
    expect((await client.send(transcriptApi.header, { suId: own.suId })).summary.totalHours).toBe('2.5')
    for (const call of [transcriptApi.header, transcriptApi.rows])
      expect((await client.ask(call, { suId: foreign.suId })).reason).toBe('not-found')
    expect((await client.ask(transcriptApi.export, { suIds: [own.suId, foreign.suId] })).reason).toBe('not-found')
    expect((await client.ask(transcriptApi.export, { suIds: [newId()] })).reason).toBe('not-found')
    const trail = () =>
      school.services.db
        .selectFrom('auditLog')
        .select(['bizId', 'actorId'])
        .where('schoolId', '=', school.schoolId)
        .where('bizType', '=', 'transcript')
        .execute()
    expect(await trail()).toEqual([])
    await client.download(transcriptApi.export, { suIds: [own.suId] })
    expect(await trail()).toEqual([{ bizId: own.suId, actorId: client.suId }])
  })

  test('another school’s student, a teacher and a deleted student are not there', async () => {
    const [school, neighbour] = [await newSchool(), await newSchool()]
    const [foreign] = (await (await oneClass(neighbour)).students(1)) as [TestStudent]
    const [gone] = (await (await oneClass(school)).students(1)) as [TestStudent]
    await school.services.db.updateTable('person').set({ delFlag: yesNo.yes }).where('suId', '=', gone.suId).execute()
    for (const suId of [foreign.suId, gone.suId, school.adminId])
      expect((await school.admin.ask(transcriptApi.header, { suId })).reason).toBe('not-found')
    expect((await school.admin.send(transcriptApi.list, {})).total).toBe(0)
  })

  test('seeing is not exporting', async () => {
    const school = await newSchool()
    const [student] = (await (await oneClass(school)).students(1)) as [TestStudent]
    const { client } = await school.person('DATA_VIEWER')
    expect((await client.send(transcriptApi.list, {})).total).toBe(1)
    expect((await client.ask(transcriptApi.export, { suIds: [student.suId] })).status).toBe(403)
  })
})

describe('the lists', () => {
  test('students by place, year, name and number, in the order of their numbers', async () => {
    const school = await newSchool()
    const [one, two] = [await oneClass(school), await oneClass(school)]
    const older = await school.schoolClass(one.smId, one.scId, { scClassGrade: '2021' })
    const [a, b] = (await one.students(2)) as [TestStudent, TestStudent]
    const [c] = (await two.students(1)) as [TestStudent]
    const [d] = (await school.students(1, {
      suiCollegeId: one.scId,
      majorId: one.smId,
      scClassId: older,
      suiGrade: '2021',
    })) as [TestStudent]
    const found = async (input: object) =>
      (await school.admin.send(transcriptApi.list, input)).records.map(({ suId }) => suId)
    const numbered = (...students: TestStudent[]) =>
      students.toSorted((x, y) => (x.suiNumber < y.suiNumber ? -1 : 1)).map(({ suId }) => suId)
    expect(await found({})).toEqual(numbered(a, b, c, d))
    expect(await found({ sort: 'suiNumber', order: 'desc' })).toEqual(numbered(a, b, c, d).toReversed())
    expect(await found({ collegeId: one.scId })).toEqual(numbered(a, b, d))
    expect(await found({ majorId: two.smId })).toEqual([c.suId])
    expect(await found({ classId: one.scClassId })).toEqual(numbered(a, b))
    expect(await found({ grade: '2021' })).toEqual([d.suId])
    expect(await found({ search: b.suiName.slice(2) })).toEqual([b.suId])
    expect(await found({ search: c.suiNumber })).toEqual([c.suId])
    expect((await school.admin.ask(transcriptApi.list, { sort: 'totalHours', order: 'asc' })).code).toBe(300)
  })

  test('records of all students by name, branch and level, newest first', async () => {
    const school = await newSchool()
    const [a, b] = (await (await oneClass(school)).students(2)) as [TestStudent, TestStudent]
    const [meeting, service, contest, exam] = [
      await grantRecord(school, a, recordPlans[0]!),
      await grantRecord(school, a, recordPlans[2]!),
      await grantRecord(school, b, recordPlans[3]!),
      await grantRecord(school, b, recordPlans[4]!),
    ]
    await grantRecord(school, b, { ...recordPlans[0]!, hours: 150 }, meeting.bizId)
    const found = async (input: object) =>
      (await school.admin.send(transcriptApi.stuScore, input)).records.map(
        ({ suId, name }) => `${suId === a.suId ? 'a' : 'b'} ${name}`,
      )
    expect(await found({})).toEqual([
      `b ${contest.name}`,
      ...(await found({ liName: '团日' })),
      `b ${exam.name}`,
      `a ${service.name}`,
    ])
    expect((await found({ liName: '团日' })).toSorted()).toEqual([`a ${meeting.name}`, `b ${meeting.name}`])
    expect(await found({ lsId: school.curriculum['CXCY'] })).toEqual([`b ${contest.name}`, `b ${exam.name}`])
    expect(await found({ lsId: school.curriculum['CXCY/学科竞赛'] })).toEqual([`b ${contest.name}`])
    expect(await found({ llId: '3' })).toEqual([`b ${contest.name}`])
    expect(await found({ llId: '2' })).toEqual([`b ${exam.name}`])
    expect(await found({ search: a.suiNumber, liName: '服务' })).toEqual([`a ${service.name}`])
    const page = await school.admin.send(transcriptApi.stuScore, { pageSize: 1, current: 1 })
    expect(page).toMatchObject({
      total: 5,
      records: [
        {
          suiName: b.suiName,
          hours: '16',
          credit: '1.6',
          points: '12.5',
          awardName: '一等奖',
          levelName: '省（部）级',
          lsName: '学科竞赛',
          liId: contest.bizId,
          org: '计算机学院团委',
        },
      ],
    })
    expect((await school.admin.send(transcriptApi.stuScore, { llId: '2' })).records[0]).toMatchObject({
      lisId: exam.bizId,
      liId: null,
      awardName: '二等奖',
      org: '校外单位',
      hours: '0.07',
    })
  })

  test('a selection becomes one file, a bookmark and own page numbers for each', async () => {
    const school = await newSchool()
    const students = await (await oneClass(school)).students(3)
    for (const student of students) await grantRecord(school, student, recordPlans[0]!)
    const { name, bytes } = await school.admin.download(transcriptApi.export, {
      suIds: students.map(({ suId }) => suId).toReversed(),
    })
    expect(name).toBe('第二课堂成绩单-3人.pdf')
    const pages = (await pdfText(bytes)).trimEnd().split('\f')
    const ordered = students.toSorted((a, b) => (a.suiNumber < b.suiNumber ? -1 : 1))
    expect(pages).toHaveLength(3)
    for (const [at, { suiNumber }] of ordered.entries()) {
      expect(pages[at]!.replace(/\s+/g, '')).toContain(suiNumber)
      expect(pages[at]!).toMatch(/第 1 页 共 1 页/)
    }
  })

  test('cost the same number of statements however much they show', async () => {
    const school = await newSchool()
    const students = await (await oneClass(school)).students(12)
    await grantRecord(school, students[0]!, recordPlans[0]!)
    /** The fewer of three tries, for now and then the session is looked up anew. */
    const statements = async (work: () => Promise<unknown>): Promise<number> => {
      await work()
      const tries: number[] = []
      for (let at = 0; at < 3; at++) tries.push((await recording(async () => void (await work()))).length)
      return Math.min(...tries)
    }
    const { suId } = students[0]!
    const counts = async () => [
      await statements(() => school.admin.send(transcriptApi.list, { pageSize: 50 })),
      await statements(() => school.admin.send(transcriptApi.stuScore, { pageSize: 50 })),
      await statements(() => school.admin.send(transcriptApi.header, { suId })),
    ]
    const few = await counts()
    for (const student of students)
      for (const plan of recordPlans)
        if (plan !== recordPlans[0] || student !== students[0]) await grantRecord(school, student, plan)
    expect(await counts()).toEqual(few)
    expect(Math.max(...few)).toBeLessThan(24)
  })
})
