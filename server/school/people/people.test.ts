import { beforeAll, describe, expect, test } from 'vitest'
import { yesNo } from '../../../contract/core/codes/platform.ts'
import { credibilityReason } from '../../../contract/core/codes/programme.ts'
import {
  accountStatus,
  dataScope,
  idDocument,
  personSex,
  personType,
  politicalStatus,
  studentStatus,
  teacherType,
} from '../../../contract/core/codes/school.ts'
import { passwordApi } from '../../../contract/school/people/passwords.calls.ts'
import { studentApi } from '../../../contract/school/people/students.calls.ts'
import { teacherApi } from '../../../contract/school/people/teachers.calls.ts'
import { sessionApi } from '../../../contract/school/session/session.calls.ts'
import { signIn } from '../../testing/client.ts'
import { newSchool, unique } from '../../testing/school.ts'
import { world, type World } from '../../testing/two-colleges.ts'

const all = { current: 1, pageSize: 50 }
// made up, with right check characters
const idCard = '110105199003078510'
const otherCard = '440524200212120220'
const { residentCard } = idDocument
const { active } = accountStatus

describe('students', () => {
  let w: World
  beforeAll(async () => void (w = await world()))

  test('are added with an account, found, changed and shown with what is sensitive masked', async () => {
    const {
      school: { admin, ctx, schoolId },
      own,
    } = w
    const suiNumber = `S${unique()}`
    const form = {
      suiNumber,
      suiName: '李雷',
      suiSex: personSex.male,
      birth: '1990-03-07',
      suiIdType: idDocument.residentCard,
      suiIdCard: idCard,
      suiPhone: '13812345678',
      suiNation: '01',
      suiPolitical: politicalStatus.leagueMember,
      ...own,
    }
    const { suId } = await admin.send(studentApi.save, form)
    const detail = await admin.send(studentApi.detail, { id: suId })
    expect(detail).toMatchObject({
      suiName: '李雷',
      birth: '****-**-**',
      suiPolitical: politicalStatus.leagueMember,
      suiPhone: '138****5678',
      suiIdCard: '110***********8510',
      activated: false,
      suStatus: accountStatus.active,
      totalHours: '0',
      can: ['edit', 'delete', 'resetPwd', 'credibility', 'disable', 'unmask'],
    })

    const stored = await ctx.db
      .selectFrom('person')
      .select(['suiPhone', 'suiIdCard', 'suiPhoneHash'])
      .where('schoolId', '=', schoolId)
      .where('suId', '=', suId)
      .executeTakeFirstOrThrow()
    expect(stored.suiPhone!.includes('13812345678')).toBe(false)
    expect(stored.suiPhoneHash!.length).toBe(32)

    await admin.send(studentApi.save, {
      ...form,
      suId,
      version: 0,
      suiName: '李蕾',
      suiSex: personSex.male,
      suiPhone: '138****5678',
      suiIdCard: '110***********8510',
    })
    const later = await ctx.db
      .selectFrom('person')
      .select(['suiPhone', 'suiName', 'version'])
      .where('schoolId', '=', schoolId)
      .where('suId', '=', suId)
      .executeTakeFirstOrThrow()
    expect(later).toMatchObject({ suiName: '李蕾', version: 1 })
    expect(later.suiPhone).toEqual(stored.suiPhone)
    const account = await ctx.db
      .selectFrom('account')
      .select(['suNickname', 'suLoginName'])
      .where('schoolId', '=', schoolId)
      .where('suId', '=', suId)
      .executeTakeFirst()
    expect(account).toEqual({ suNickname: '李蕾', suLoginName: suiNumber.toLowerCase() })

    await admin.send(studentApi.save, {
      ...form,
      suId,
      version: 1,
      suiPhone: undefined,
      suiIdCard: undefined,
      suiDorm: '3 号楼 402',
      isVolunteerRegistered: yesNo.yes,
      volunteerNo: '4403001',
    })
    expect(await admin.send(studentApi.detail, { id: suId })).toMatchObject({
      suiDorm: '3 号楼 402',
      isVolunteerRegistered: yesNo.yes,
      volunteerNo: '4403001',
      leagueJoinDate: null,
    })
    expect(await admin.send(studentApi.detail, { id: suId })).toMatchObject({ suiPhone: null, suiIdCard: null })
    const trail = JSON.stringify(
      await ctx.db
        .selectFrom('auditLog')
        .select(['before', 'after'])
        .where('schoolId', '=', schoolId)
        .where('bizId', '=', suId)
        .execute(),
    )
    expect(trail).toContain('"敏感信息":["证件号码","手机号"]')
    for (const secret of ['13812345678', idCard, '1990-03-07']) expect(trail).not.toContain(secret)
  })

  test('in a list carry no birth, phone or papers, and cannot be found by them', async () => {
    const {
      school: { admin },
      own,
    } = w
    const suiNumber = `S${unique()}`
    await admin.send(studentApi.save, {
      suiNumber,
      suiName: '韩梅',
      suiSex: personSex.female,
      birth: '2002-12-12',
      suiIdType: idDocument.residentCard,
      suiIdCard: otherCard,
      suiPhone: '13900001111',
      ...own,
    })
    const page = await admin.ask(studentApi.list, { ...all, search: suiNumber })
    expect(page.data.total).toBe(1)
    const text = JSON.stringify(page.data)
    for (const secret of ['2002-12-12', '13900001111', '"1390', otherCard]) expect(text).not.toContain(secret)
    for (const search of ['13900001111', '2002-12-12', otherCard])
      expect((await admin.send(studentApi.list, { ...all, search })).total).toBe(0)
    expect(await admin.ask(studentApi.list, { sort: 'birth' })).toMatchObject({
      code: 300,
      errors: [{ field: 'sort' }],
    })
    const everyBirth = await Promise.all(
      ['2002-12-12', '1999-01-01'].map(
        async (birth) => (await admin.ask(studentApi.list, { ...all, birth })).data.total,
      ),
    )
    expect(everyBirth[0]).toBe(everyBirth[1])
  })

  test.each([
    ['papers with a wrong check character', { suiIdCard: '110105199003078511', suiIdType: residentCard }, 'suiIdCard'],
    [
      'papers of another day of birth',
      { suiIdCard: idCard, suiIdType: residentCard, birth: '1990-03-08' },
      'suiIdCard',
    ],
    ['papers of the other sex', { suiIdCard: idCard, suiIdType: residentCard, suiSex: personSex.female }, 'suiIdCard'],
    ['a phone with letters', { suiPhone: '1381234abcd' }, 'suiPhone'],
    ['a masked phone nobody was shown', { suiPhone: '138****0000' }, 'suiPhone'],
    ['a mail without a place', { suiEmail: 'x@' }, 'suiEmail'],
    ['a number with blanks', { suiNumber: 'a b' }, 'suiNumber'],
    ['a city of another province', { provinceId: '420000', cityId: '440100' }, 'cityId'],
    ['a day that does not exist', { birth: '2024-02-30' }, 'birth'],
    ['a class of another year', { suiGrade: '2023' }, 'suiGrade'],
    ['a field that is not of the form', { isAdmin: '1' }, ''],
    ['a credibility of one’s own making', { suiCredibility: 100 }, ''],
  ])('with %s are refused at that field', async (_, fault, field) => {
    const {
      school: { admin },
      own,
    } = w
    const reply = await admin.ask(studentApi.save, {
      suiNumber: `S${unique()}`,
      suiName: '某某',
      suiSex: personSex.male,
      ...own,
      ...fault,
    })
    expect(reply).toMatchObject({ status: 200, code: 300, errors: [{ field }] })
  })

  test('are unique by number, whoever has it and however it is written', async () => {
    const {
      school: { admin },
      own,
      collegeAdmin,
    } = w
    const suiNumber = `Ab${unique()}`
    const form = { suiName: '唯一', ...own }
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => admin.ask(studentApi.save, { ...form, suiNumber })),
    )
    expect(replies.filter(({ code }) => code === 200).length).toBe(1)
    expect(replies.every(({ code }) => code === 200 || code === 300)).toBe(true)
    expect(await admin.ask(studentApi.save, { ...form, suiNumber: suiNumber.toUpperCase() })).toMatchObject({
      reason: 'number-taken',
      errors: [{ field: 'suiNumber' }],
    })
    expect(await admin.ask(studentApi.save, { ...form, suiNumber: collegeAdmin.suiNumber })).toMatchObject({
      reason: 'number-taken',
    })
  })

  test('stay within the reach of who saves them: place, target and record', async () => {
    const {
      school,
      own,
      strange,
      collegeAdmin: { client },
    } = w
    const [foreign] = await school.students(1, strange)
    const form = { suiNumber: `S${unique()}`, suiName: '内' }
    const { suId } = await client.send(studentApi.save, { ...form, ...own })
    expect(await client.ask(studentApi.save, { ...form, suiNumber: `S${unique()}`, ...strange })).toMatchObject({
      reason: 'out-of-reach',
    })
    expect(await client.ask(studentApi.save, { ...form, suId, version: 0, ...strange })).toMatchObject({
      reason: 'out-of-reach',
    })
    expect(
      await client.ask(studentApi.save, {
        ...form,
        suiNumber: `S${unique()}`,
        suId: foreign!.suId,
        version: 0,
        ...own,
      }),
    ).toMatchObject({ status: 404 })
    expect(await client.ask(studentApi.detail, { id: foreign!.suId })).toMatchObject({ status: 404 })
    expect(await client.ask(studentApi.remove, { ids: [suId, foreign!.suId] })).toMatchObject({ status: 404 })
    expect((await client.send(studentApi.list, { ...all, search: foreign!.suiNumber })).total).toBe(0)
    expect((await client.send(studentApi.detail, { id: suId })).suiName).toBe('内')
    expect(await client.ask(studentApi.save, { ...form, ...own, majorId: strange.majorId })).toMatchObject({
      reason: 'class-not-of-major',
    })
  })

  test('are removed softly, their number becomes free and their account ends; whoever has records stays', async () => {
    const { school, own } = w
    const [gone, kept] = await school.students(2, own)
    const { db } = school.ctx
    await db
      .insertInto('credibilityLog')
      .values({
        schoolId: school.schoolId,
        cgId: gone!.suId,
        suId: kept!.suId,
        change: -1,
        before: 100,
        after: 99,
        reasonCode: credibilityReason.absence,
        reason: '缺席',
        operatorName: '系统',
      })
      .execute()
    expect(await school.admin.ask(studentApi.remove, { ids: [gone!.suId, kept!.suId] })).toMatchObject({
      reason: 'person-in-use',
      msg: `${kept!.suiName} 已有诚信记录 1 条，不能删除；可改为停用账号`,
    })
    expect(await school.admin.send(studentApi.remove, { ids: [gone!.suId] })).toEqual({ affected: 1 })
    expect((await school.admin.send(studentApi.list, { ...all, search: gone!.suiNumber })).total).toBe(0)
    expect(
      await db
        .selectFrom('person')
        .select('delFlag')
        .where('schoolId', '=', school.schoolId)
        .where('suId', '=', gone!.suId)
        .executeTakeFirst(),
    ).toEqual({ delFlag: yesNo.yes })
    expect(
      (await school.admin.send(studentApi.save, { suiNumber: gone!.suiNumber, suiName: '新人', ...own })).suId,
    ).not.toBe(gone!.suId)
  })

  test('of a page far behind are found, filtered and sorted within the school', async () => {
    const school = await newSchool()
    const suiCollegeId = await school.college()
    const majorId = await school.major(suiCollegeId)
    const scClassId = await school.schoolClass(majorId, suiCollegeId)
    await school.students(45, { suiCollegeId, majorId, scClassId })
    const last = await school.admin.send(studentApi.list, {
      current: 5,
      pageSize: 10,
      scClassId,
      sort: 'suiNumber',
      order: 'desc',
    })
    expect(last).toMatchObject({ total: 45, pages: 5 })
    const first = await school.admin.send(studentApi.list, { current: 1, pageSize: 5, scClassId })
    expect(last.records.map(({ suId }) => suId).toReversed()).toEqual(first.records.map(({ suId }) => suId))
    expect((await school.admin.send(studentApi.list, { ...all, suiStatus: studentStatus.graduated })).total).toBe(0)
    expect(
      (await school.admin.send(studentApi.list, { ...all, suStatus: active, suiCollegeId, majorId, suiGrade: '2024' }))
        .total,
    ).toBe(45)
    const file = await school.admin.download(studentApi.exportList, { scClassId })
    expect(file.name).toMatch(/^学生_\d{4}-\d\d-\d\d\.xlsx$/)
    expect(file.bytes.length).toBeGreaterThan(2000)
  })
})

describe('teachers', () => {
  test('belong to colleges and departments, and keep their posts there', async () => {
    const school = await newSchool()
    const { admin } = school
    const [scId, first, second] = [
      await school.college(),
      await school.department('甲处'),
      await school.department('乙处'),
    ]
    const form = {
      suiNumber: `G${unique()}`,
      suiName: '王老师',
      suiCollegeId: scId,
      title: '2' as const,
      teacherType: teacherType.counsellor,
    }
    const { suId } = await admin.send(teacherApi.save, { ...form, sdIds: [first] })
    await school.ctx.db
      .updateTable('departmentUser')
      .set({ post: '科长' })
      .where('schoolId', '=', school.schoolId)
      .where('suId', '=', suId)
      .execute()
    await admin.send(teacherApi.save, { ...form, suId, version: 0, sdIds: [first, second] })
    expect((await admin.send(teacherApi.detail, { id: suId })).departments).toMatchObject([
      { sdName: '甲处', post: '科长' },
      { sdName: '乙处', post: '' },
    ])
    const page = await admin.send(teacherApi.list, { ...all, sdId: second })
    expect(page.records).toMatchObject([
      { suId, suiName: '王老师', departments: ['甲处', '乙处'], roles: [], activated: false },
    ])
    expect(await admin.ask(teacherApi.save, { suiNumber: `G${unique()}`, suiName: '无处可去' })).toMatchObject({
      code: 300,
      errors: [{ field: 'suiCollegeId', msg: '请选择学院或部门' }],
    })
    expect(await admin.ask(teacherApi.save, { ...form, suiNumber: `G${unique()}`, sdIds: [scId] })).toMatchObject({
      errors: [{ field: 'sdIds' }],
    })
    expect(
      await admin.ask(teacherApi.save, { ...form, suiNumber: `G${unique()}`, srId: school.roles['SCHOOL_ADMIN'] }),
    ).toMatchObject({ msg: '不支持的字段：srId' })
    expect(await admin.send(teacherApi.remove, { ids: [suId] })).toEqual({ affected: 1 })
  })

  test('are found by pickers in their own school only, without more than tells them apart', async () => {
    const [school, other] = [await newSchool(), await newSchool()]
    const guide = await school.person('GUIDE_TEACHER', [], { suiName: '寻找之人' })
    const found = await guide.client.send(teacherApi.search, { search: '寻找' })
    expect(found).toEqual([
      {
        suId: guide.suId,
        suiName: '寻找之人',
        suiNumber: guide.suiNumber,
        suiType: personType.teacher,
        collegeName: null,
        className: null,
      },
    ])
    expect(await guide.client.send(teacherApi.search, { search: '寻找', suiType: personType.student })).toEqual([])
    expect(await guide.client.send(teacherApi.search, { suIds: [guide.suId] })).toHaveLength(1)
    expect(await other.admin.send(teacherApi.search, { search: '寻找' })).toEqual([])
    expect(await school.admin.send(teacherApi.search, { search: '%' })).toEqual([])
  })

  test('cannot remove or stop themselves, and school administrators stay', async () => {
    const school = await newSchool()
    const colleague = await school.person('SCHOOL_ADMIN')
    expect(await school.admin.ask(teacherApi.remove, { ids: [school.adminId] })).toMatchObject({
      reason: 'own-account',
    })
    expect(await school.admin.ask(teacherApi.remove, { ids: [colleague.suId] })).toMatchObject({
      reason: 'person-is-admin',
    })
    const { version } = await school.admin.send(teacherApi.detail, { id: school.adminId })
    expect(
      await school.admin.ask(teacherApi.save, {
        suId: school.adminId,
        version,
        suiNumber: 'admin',
        suiName: '我',
        suiCollegeId: await school.college(),
        suStatus: accountStatus.disabled,
      }),
    ).toMatchObject({ reason: 'own-account' })
  })

  test('whose account is stopped are turned away at their next request', async () => {
    const school = await newSchool()
    const teacher = await school.person('GUIDE_TEACHER', [], { suiCollegeId: await school.college() })
    const { version, suiCollegeId } = await school.admin.send(teacherApi.detail, { id: teacher.suId })
    expect((await teacher.client.ask(sessionApi.landLoad)).code).toBe(200)
    await school.admin.send(teacherApi.save, {
      suId: teacher.suId,
      version,
      suiNumber: teacher.suiNumber,
      suiName: teacher.suiName,
      suiCollegeId: suiCollegeId!,
      suStatus: accountStatus.disabled,
    })
    expect((await teacher.client.ask(sessionApi.landLoad)).status).toBe(401)
  })
})

describe('initial passwords', () => {
  test('are given once, must be changed, run out, and end all sessions', async () => {
    const { school, own, collegeAdmin } = await world()
    const suiNumber = `S${unique()}`
    const { suId } = await school.admin.send(studentApi.save, {
      suiNumber,
      suiName: '小明',
      birth: '2005-06-07',
      ...own,
    })
    const given = await collegeAdmin.client.send(passwordApi.resetByLink, { suId, birth: '20050607' })
    expect(given).toMatchObject({
      suId,
      suLoginName: suiNumber.toLowerCase(),
      password: expect.stringMatching(/^.{12}$/),
    })
    const student = await signIn(school.address, school.schoolId, suiNumber, given.password)
    expect((await student.ask(studentApi.list)).reason).toBe('change-password-first')
    const again = await collegeAdmin.client.send(passwordApi.reset, { suId, birth: '2005-06-07', reason: '本人到场' })
    expect(again.password).not.toBe(given.password)
    expect((await student.ask(sessionApi.landLoad)).status).toBe(401)
    await expect(signIn(school.address, school.schoolId, suiNumber, given.password)).rejects.toThrow('账号或密码错误')
  })

  test('are no oracle of the day of birth', async () => {
    const { school, own, collegeAdmin } = await world()
    const { suId } = await school.admin.send(studentApi.save, {
      suiNumber: `S${unique()}`,
      suiName: '小红',
      birth: '2005-06-07',
      ...own,
    })
    for (let day = 1; day <= 5; day++)
      expect(await collegeAdmin.client.ask(passwordApi.reset, { suId, birth: `2005-05-0${day}` })).toMatchObject({
        reason: 'birth-mismatch',
      })
    expect((await collegeAdmin.client.ask(passwordApi.reset, { suId, birth: '2005-06-07' })).status).toBe(429)
    expect((await school.admin.ask(passwordApi.reset, { suId, birth: '2005-06-07' })).status).toBe(429)
  })

  test('are given only in reach, with the right, and never over somebody who may do more', async () => {
    const { school, own, strange, collegeAdmin } = await world()
    const [foreign] = await school.students(1, strange)
    expect(
      (await collegeAdmin.client.ask(passwordApi.reset, { suId: foreign!.suId, birth: '2005-06-07' })).status,
    ).toBe(404)
    const counselor = await school.person('COUNSELOR', [{ caType: 'class', caTarget: own.scClassId }])
    expect(
      (await counselor.client.ask(passwordApi.resetByLink, { suId: foreign!.suId, birth: '2005-06-07' })).status,
    ).toBe(403)
    expect(
      (await school.nobody.ask(passwordApi.resetByLink, { suId: foreign!.suId, birth: '2005-06-07' })).status,
    ).toBe(401)
    await school.ctx.db
      .updateTable('role')
      .set({ permits: ['teacher:list', 'teacher:edit'] })
      .where('schoolId', '=', school.schoolId)
      .where('srCode', '=', 'NEWS_EDITOR')
      .execute()
    await school.ctx.db
      .updateTable('role')
      .set({ dataScope: dataScope.school })
      .where('schoolId', '=', school.schoolId)
      .where('srCode', '=', 'NEWS_EDITOR')
      .execute()
    const clerk = await school.person('NEWS_EDITOR')
    expect(await clerk.client.ask(passwordApi.resetTeacher, { suId: school.adminId })).toMatchObject({
      reason: 'outranks-you',
    })
    const { version } = await clerk.client.send(teacherApi.detail, { id: school.adminId })
    const takeover = {
      suId: school.adminId,
      version,
      suiNumber: 'admin',
      suiName: '管理员',
      suiCollegeId: own.suiCollegeId,
      suiEmail: 'mine@example.com',
    }
    expect(await clerk.client.ask(teacherApi.save, takeover)).toMatchObject({ reason: 'outranks-you' })
    const colleague = await school.person('NEWS_EDITOR')
    expect((await clerk.client.send(passwordApi.resetTeacher, { suId: colleague.suId })).password).toHaveLength(12)
  })
})
