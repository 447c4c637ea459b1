import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  accountStatus,
  dataScope,
  personType,
  studentStatus,
  teacherStatus,
} from '../../../contract/core/codes/school.ts'
import { personErasureApi } from '../../../contract/outcomes/graduation/person-erasure.calls.ts'
import { graduationApi } from '../../../contract/outcomes/graduation/graduation.calls.ts'
import { issueApi } from '../../../contract/outcomes/transcripts/issues.calls.ts'
import { transcriptApi } from '../../../contract/outcomes/transcripts/transcripts.calls.ts'
import { verifyApi } from '../../../contract/outcomes/transcripts/verify.calls.ts'
import { teacherApi } from '../../../contract/school/people/teachers.calls.ts'
import { addDays } from '../../core/base/clock.ts'
import { newId } from '../../core/base/ids.ts'
import type { TestApp } from '../../testing/app.ts'
import { Client, signIn } from '../../testing/client.ts'
import { asOwner, useOwnDatabase } from '../../testing/database.ts'
import {
  endEverything,
  faultsOf,
  figuresOf,
  giveContacts,
  leaverOf,
  livelySchool,
  noFaults,
  unexpectedTexts,
  writeInCourse,
} from '../../testing/erasure-checks.ts'
import { newSchool, testPassword, type TestSchool } from '../../testing/school.ts'

await useOwnDatabase()

const reason = '本人书面申请删除个人信息'

interface Person {
  suId: string
  suiName: string
  suiNumber: string
}

describe('a school full of life', () => {
  const schoolId = 'asked'
  const phone = '13912340078'
  let app: TestApp
  let admin: Client
  let before: Record<string, unknown>
  let other: unknown
  let student: Person
  let teacher: Person

  /** What of everybody else is on record. */
  const others = async () =>
    (
      await sql<{ hash: string }>`
        select md5(string_agg(p::text || a::text, ',' order by p."schoolId", p."suId")) "hash"
        from "person" p
        join "account" a on a."schoolId" = p."schoolId" and a."suId" = p."suId"
        where p."suId" <> all(${[student.suId, teacher.suId]}::uuid[])
          and a."suLoginName" <> 'admin'`.execute(app.ctx.db)
    ).rows

  beforeAll(async () => {
    ;({ app, admin } = await livelySchool(schoolId, '申请大学'))
    const { db } = app.services
    /** Whoever of a kind has most of what is counted, with a name that nobody shares. */
    const busiest = async (suType: string, table: string, column: string) => {
      const { rows } = await sql<Person>`
        select p."suId", p."suiName", p."suiNumber"
        from "person" p
        where p."schoolId" = ${schoolId}
          and p."suiType" = ${suType}
          and length(p."suiName") > 2
          and p."suiNumber" ~ '[0-9]{4}'
          and p."suiName" in (select "suiName" from "person" group by 1 having count(*) = 1)
          and not exists (
            select from "roleUser" u
            join "role" r on r."schoolId" = u."schoolId" and r."srId" = u."srId"
            where u."schoolId" = p."schoolId" and u."suId" = p."suId" and r."srCode" in ('SCHOOL_ADMIN', 'AUDITOR')
          )
        order by (
          select count(*)
          from ${sql.table(table)} x
          where x."schoolId" = p."schoolId" and ${sql.ref(`x.${column}`)} = p."suId"
        ) desc, p."suiNumber"
        limit 1`.execute(db)
      return rows[0]!
    }
    student = await busiest(personType.student, 'creditLedger', 'suId')
    teacher = await busiest(personType.teacher, 'lesson', 'liPrincipalId')
    await asOwner(async (all) => {
      await endEverything(all, schoolId)
      const here = sql`"schoolId" = ${schoolId}`
      for (const change of [
        sql`update "schoolClass" set "counselorId" = null, "headTeacherId" = null where ${here}`,
        sql`update "department" set "sdLeaderId" = null where ${here}`,
        sql`delete from "workflowChecker" where ${here}`,
        sql`delete from "approvalDelegation" where ${here}`,
        sql`update "person" set "suiStatus" = ${studentStatus.withdrawn} where ${here} and "suId" = ${student.suId}::uuid`,
        sql`update "person" set "suiStatus" = ${teacherStatus.left}, "post" = '系主任' where ${here} and "suId" = ${teacher.suId}::uuid`,
      ])
        await change.execute(all)
    })
    for (const { suId, suiNumber } of [student, teacher])
      await giveContacts(app, { schoolId, suId }, phone, {
        suiEmail: `a.${suiNumber}@old.example.cn`,
        suiAddress: '幸福路七十八号',
      })
    // what is written without an id beside the name
    await writeInCourse(app, schoolId, {
      liIntro: `联系${teacher.suiName}（${teacher.suiNumber}），电话${phone}`,
    })
    await sql`
      update "studentWarning" set "helperName" = ${teacher.suiName} where "schoolId" = ${schoolId}`.execute(db)
    await sql`
      update "publictyRound" set "startName" = ${teacher.suiName} where "schoolId" = ${schoolId}`.execute(db)
    await admin.download(transcriptApi.export, { suIds: [student.suId] })
    before = await figuresOf(app, schoolId)
    other = await others()
  }, 240_000)

  test('what an erasure would take and leave is told, and nothing is changed', async () => {
    expect(await admin.send(personErasureApi.preview, { suId: student.suId })).toMatchObject({
      ...student,
      pseudonym: expect.stringMatching(/^学生[0-9A-Z]{6}$/) as string,
      obstacles: [],
      erased: { facts: expect.arrayContaining(['手机号', '邮箱', '家庭住址']) as string[] },
      kept: { transcripts: 1 },
    })
    const { kept } = await admin.send(personErasureApi.preview, { suId: teacher.suId })
    expect(kept.lessons).toBeGreaterThan(0)
    expect(await unexpectedTexts(app, [student.suiNumber])).toContain('person.suiNumber')
  })

  test('a student and a teacher are erased by the number typed, and are found in no column but where they must stay', async () => {
    for (const { suId, suiName, suiNumber } of [student, teacher]) {
      const wrong = await admin.ask(personErasureApi.erase, { suId, confirmNumber: `${suiNumber}1`, reason })
      expect(wrong).toMatchObject({ reason: 'invalid-input' })
      const { suiName: pseudonym } = await admin.send(personErasureApi.erase, {
        suId,
        confirmNumber: suiNumber,
        reason: `${suiName}（${suiNumber}）${reason}`,
      })
      expect(pseudonym).toMatch(suId === student.suId ? /^学生[0-9A-Z]{6}$/ : /^教职工[0-9A-Z]{6}$/)
    }
    const texts = [student, teacher].flatMap(({ suiName, suiNumber }) => [suiName, suiNumber])
    expect(await unexpectedTexts(app, [...texts, phone, '@old.example.cn', '幸福路七十八号', '系主任'])).toEqual([])
  }, 120_000)

  test('who it was done of, when, by whom and why is on record, without their name', async () => {
    const { records, total } = await admin.send(personErasureApi.list, {})
    expect(total).toBe(2)
    expect(records.map(({ suId }) => suId).toSorted()).toEqual([student.suId, teacher.suId].toSorted())
    for (const row of records) {
      expect(row.reason).toContain(reason)
      expect(row.reason).toContain(row.suiName)
    }
    const rows = await app.ctx.db
      .selectFrom('auditLog')
      .select(['bizName', 'reason'])
      .where('schoolId', '=', schoolId)
      .where('action', '=', '删除个人信息')
      .where('result', '=', 'ok')
      .execute()
    expect(rows.map(({ bizName }) => bizName).toSorted()).toEqual(records.map(({ suiName }) => suiName).toSorted())
    expect(JSON.stringify(rows)).not.toMatch(new RegExp(`${student.suiName}|${teacher.suiName}`))
  })

  test('the account is off, without sessions, roles and messages on their way', async () => {
    for (const { suId } of [student, teacher]) {
      const { rows } = await sql<{ left: number; suStatus: string }>`
        select a."suStatus",
          (
            (select count(*) from "session" where "schoolId" = ${schoolId} and "suId" = ${suId}::uuid)
            + (select count(*) from "roleUser" where "schoolId" = ${schoolId} and "suId" = ${suId}::uuid)
            + (select count(*) from "outboxDelivery" where "schoolId" = ${schoolId} and "suId" = ${suId}::uuid)
          )::int "left"
        from "account" a
        where a."schoolId" = ${schoolId} and a."suId" = ${suId}::uuid`.execute(app.ctx.db)
      expect(rows).toEqual([{ left: 0, suStatus: accountStatus.disabled }])
    }
  })

  test('nobody else has changed', async () => {
    expect(await others()).toEqual(other)
  })

  test('figures, ledger and sums are what they were, and the trail is whole', async () => {
    expect(await figuresOf(app, schoolId)).toEqual(before)
    expect(await faultsOf(app, schoolId)).toEqual(noFaults)
  })

  test('a signed paper is still verified', async () => {
    const [issue] = (await admin.send(issueApi.list, { suId: student.suId })).records
    const nobody = new Client(app.address, undefined)
    expect(await nobody.send(verifyApi.verify, { serial: issue!.serial })).toMatchObject({
      status: 'valid',
      suiName: '',
      totalHours: '',
    })
    expect((await admin.ask(issueApi.credential, { tiId: issue!.tiId })).reason).toBe('transcript-erased')
  })

  test('nobody is erased twice', async () => {
    const { suiNumber } = await admin.send(personErasureApi.preview, { suId: teacher.suId })
    expect(
      await admin.ask(personErasureApi.erase, { suId: teacher.suId, confirmNumber: suiNumber, reason }),
    ).toMatchObject({ reason: 'erasure-obstacles' })
  })
})

describe('refused', () => {
  let school: TestSchool
  let place: { suiCollegeId: string; majorId: string; scClassId: string }
  beforeAll(async () => {
    school = await newSchool()
    const suiCollegeId = await school.college()
    const majorId = await school.major(suiCollegeId)
    place = { suiCollegeId, majorId, scClassId: await school.schoolClass(majorId, suiCollegeId) }
  })

  const leaver = (suiStatus?: string) => leaverOf(school, place, suiStatus)
  const obstacles = async (suId: string, client: Client = school.admin) =>
    (await client.send(personErasureApi.preview, { suId })).obstacles
  const isThere = async ({ suId, suiName }: Person) =>
    (await school.admin.send(personErasureApi.preview, { suId })).suiName === suiName
  const refuse = async (person: Person, why: string, client: Client = school.admin) => {
    expect((await obstacles(person.suId, client)).join('；')).toContain(why)
    const answer = await client.ask(personErasureApi.erase, {
      suId: person.suId,
      confirmNumber: person.suiNumber,
      reason,
    })
    expect(answer).toMatchObject({ reason: 'erasure-obstacles' })
    expect(answer.msg).toContain(why)
    expect(await isThere(person)).toBe(true)
  }

  test('who still studies or may come back, and who still serves', async () => {
    for (const status of [studentStatus.enrolled, studentStatus.delayed, studentStatus.suspended])
      await refuse(await leaver(status), '学籍状态须先改为毕业或退学')
    await refuse(await school.person('GUIDE_TEACHER'), '在职状态须先改为离职或退休')
  })

  test('who is held, until the hold is lifted', async () => {
    const student = await leaver()
    await school.admin.send(graduationApi.hold, { ids: [student.suId], reason: '涉及诉讼，须保留' })
    await refuse(student, '已设为保留信息')
    await school.admin.send(graduationApi.hold, { ids: [student.suId], hold: false, reason: '诉讼已经结束' })
    expect(await obstacles(student.suId)).toEqual([])
  })

  test('who has something running or a duty in their hands', async () => {
    const student = await leaver()
    const { db } = school.ctx
    const { schoolId } = school
    await db
      .insertInto('transcriptApplication')
      .values({
        schoolId,
        taId: newId(),
        suId: student.suId,
        taLang: 'zh',
        taPurpose: '求职',
        taCopies: 0,
        createTime: school.clock.now(),
      })
      .execute()
    await refuse(student, '待办理的成绩单申请 1 项')
    const teacher = await school.person('COUNSELOR')
    await school.setPerson(teacher.suId, { suiStatus: teacherStatus.left })
    await db
      .updateTable('schoolClass')
      .set({ counselorId: teacher.suId })
      .where('schoolId', '=', schoolId)
      .where('scClassId', '=', place.scClassId)
      .execute()
    await db
      .insertInto('approvalDelegation')
      .values({
        schoolId,
        dgId: newId(),
        suId: school.adminId,
        agentId: teacher.suId,
        startTime: school.clock.now(),
        endTime: addDays(school.clock.now(), 3),
      })
      .execute()
    await refuse(teacher, '还有担任辅导员或班主任的班级 1 项、未到期的审批委托 1 项，请先办结或移交')
  })

  test('administrators, and oneself', async () => {
    const admin = await school.person('SCHOOL_ADMIN')
    await school.setPerson(admin.suId, { suiStatus: teacherStatus.retired })
    await refuse(admin, '请先在“成员管理”中移除该角色')
    const { suiName, suiNumber } = await school.admin.send(personErasureApi.preview, { suId: school.adminId })
    await refuse({ suId: school.adminId, suiName, suiNumber }, '不能删除您自己的个人信息')
  })

  test('whoever may do more than the caller, as the preview tells before anything is typed', async () => {
    const { db } = school.ctx
    await db
      .updateTable('role')
      .set({ permits: ['person:erase'], dataScope: dataScope.school })
      .where('schoolId', '=', school.schoolId)
      .where('srCode', '=', 'NEWS_EDITOR')
      .execute()
    const { client } = await school.person('NEWS_EDITOR')
    const [teacher, plain] = [await school.person('COLLEGE_LEAGUE'), await leaver()]
    await school.setPerson(teacher.suId, { suiStatus: teacherStatus.left })
    await refuse(teacher, '拥有您没有的权限', client)
    expect(await obstacles(teacher.suId)).toEqual([])
    expect(await obstacles(plain.suId, client)).toEqual([])
  })

  test('too short a reason, people of another school, and whoever has not the right', async () => {
    const student = await leaver()
    const input = { suId: student.suId, confirmNumber: student.suiNumber, reason }
    expect(await school.admin.ask(personErasureApi.erase, { ...input, reason: '申请' })).toMatchObject({
      reason: 'invalid-input',
    })
    const college = await school.person('COLLEGE_LEAGUE', [{ caType: 'college', caTarget: place.suiCollegeId }])
    expect(await college.client.ask(personErasureApi.erase, input)).toMatchObject({ status: 403 })
    const elsewhere = await newSchool()
    expect(await elsewhere.admin.ask(personErasureApi.preview, { suId: student.suId })).toMatchObject({
      reason: 'not-found',
    })
    expect(await elsewhere.admin.ask(personErasureApi.erase, input)).toMatchObject({ reason: 'not-found' })
    expect(await isThere(student)).toBe(true)
  })

  test('once the duties are given up a teacher goes, signed out at once, and a namesake stays', async () => {
    const [teacher, namesake] = [
      await school.person('GUIDE_TEACHER', [], { suiName: '欧阳同名' }),
      await school.person('GUIDE_TEACHER', [], { suiName: '欧阳同名' }),
    ]
    await school.setPerson(teacher.suId, { suiStatus: teacherStatus.left })
    expect((await teacher.client.ask(teacherApi.search, { search: '欧阳' })).code).toBe(200)
    await school.admin.send(personErasureApi.erase, {
      suId: teacher.suId,
      confirmNumber: teacher.suiNumber,
      reason: '欧阳同名本人申请删除',
    })
    expect((await teacher.client.ask(teacherApi.search, { search: '欧阳' })).status).toBe(401)
    await expect(signIn(school.address, school.schoolId, teacher.suiNumber, testPassword)).rejects.toThrow()
    const left = await school.admin.send(teacherApi.list, { search: '欧阳同名' })
    expect(left.records.map(({ suId }) => suId)).toEqual([namesake.suId])
    const { records } = await school.admin.send(personErasureApi.list, {})
    expect(records).toMatchObject([{ suId: teacher.suId, createName: '管理员' }])
    expect(records[0]!.reason).toBe(`${records[0]!.suiName}本人申请删除`)
  })
})
