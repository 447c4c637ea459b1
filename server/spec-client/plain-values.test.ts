import { beforeAll, describe, expect, test } from 'vitest'
import { newSchool, testPassword, unique } from '../testing/school.ts'
import { mainJob, newCourse, type SpecWorld } from './main-job.ts'
import { SpecClient } from './spec-client.ts'

let world: SpecWorld
beforeAll(async () => {
  world = await mainJob()
})

describe('the school of the token', () => {
  test('is meant by /user/login, which names none', async () => {
    const { admin, school } = world
    const fields = { username: 'admin', password: testPassword }
    expect(await admin.ok('POST S:/user/login', fields)).toMatchObject({
      schoolId: school.schoolId,
      accessToken: expect.any(String),
    })
    // of several schools none is meant
    await newSchool()
    const stranger = new SpecClient(school.address, 'x'.repeat(43))
    expect(await stranger.ask('POST S:/user/login', fields)).toMatchObject({ code: 300, reason: 'login-refused' })
  })
  test('is that of dictionaries and of what the school tells of itself', async () => {
    const { admin, school } = world
    const levels = await admin.ok('GET P:/sysDictCode/getDictValueByType', { sdtType: 'lesson_level' })
    expect(levels.length).toBeGreaterThan(0)
    const all = await admin.ok('GET P:/sysDictCode/getAllDict')
    expect(all.lesson_level).toEqual(levels)
    expect(all.lesson_status).toEqual(
      await admin.ok('GET P:/sysDictCode/getDictValueByType', { sdtType: 'lesson_status' }),
    )
    expect(await admin.ok('GET S:/SchoolInfoT/selectSchoolInfoBySchoolId')).toMatchObject({ schoolId: school.schoolId })
    expect(await admin.ok('GET S:/SchoolInfoT/selectSchoolInfoT')).toMatchObject([{ schoolId: school.schoolId }])
    expect(await admin.ok('GET S:/SchoolInfoT/getSchoolMessage')).toMatchObject({
      schools: [{ schoolId: school.schoolId }],
    })
  })
  test('counts for nothing where the token is no longer good', async () => {
    const stranger = new SpecClient(world.school.address, 'x'.repeat(43))
    expect(await stranger.ok('GET P:/sysDictCode/getDictValueByType', { sdtType: 'lesson_level' })).toEqual([])
    expect(await stranger.ask('GET S:/SchoolInfoT/selectSchoolInfoBySchoolId')).toMatchObject({ code: 300 })
  })
})

describe('forms of values', () => {
  test.each([
    ['GET S:/lessonsInfoAC/view', { startTime: '2025-01-01 00:00:00.000', endTime: '2027-12-31 23:59:59' }],
    ['GET S:/lessonsClass/getAll', { lsType: '3' }],
    ['POST S:/workFlow/getWorkInfo', { wfType: 1 }],
    ['POST S:/workFlow/choiceChecker', { wfsCheckerType: 1 }],
    ['POST S:/schoolCollege/collegeMajorClassTree', { gradeList: [2024] }],
  ])('%s takes %j', async (call, fields) => {
    expect(await world.admin.ask(call, fields)).toMatchObject({ code: 200, data: expect.anything() })
  })
  test('a code as a number is the code, also in a list', async () => {
    const { admin, ids } = world
    const tree = await admin.ok('POST S:/schoolCollege/collegeMajorClassTree', { gradeList: [2024] })
    expect(JSON.stringify(tree)).toContain(ids.scClassId)
    expect(
      JSON.stringify(await admin.ok('POST S:/schoolCollege/collegeMajorClassTree', { gradeList: [1999] })),
    ).not.toContain(ids.scClassId)
  })
  test('neither texts longer than any list nor more faults than any form has are put right', async () => {
    const { admin, people } = world
    const long = (text: string) => `${text}${' '.repeat(64_000)}`
    const many = Array.from({ length: 1001 }, () => 2024)
    for (const [call, fields] of [
      ['POST S:/schoolCollege/collegeMajorClassTree', { gradeList: long('2024') }],
      ['POST S:/schoolCollege/collegeMajorClassTree', { gradeList: many }],
      ['POST S:/circleInfo/BuildNewCircle', { teacherIds: long(people.teacher.suId) }],
      ['POST S:/schoolCollege/collegeDelete', { collegeIdList: long(world.ids.scId) }],
    ] as const) {
      const { code, reason, errors } = await admin.ask(call, fields)
      expect([code, reason, errors?.map(({ field }) => field)]).toEqual([
        300,
        'invalid-input',
        expect.arrayContaining([expect.stringMatching(Object.keys(fields)[0]!)]),
      ])
    }
  })
  test('a number of a student and a way of registration are looked at before the form is checked', async () => {
    const { admin, teacher, ids, level, people } = world
    const number = 20_260_000 + Math.floor(Math.random() * 9999)
    await admin.ok('POST S:/sysUserInfo/studentUserInfoAddOrEdit', { suId: ids.otherSuId, suiNumber: String(number) })
    const record = { lisName: unique(), lsId: ids.lsId, lisType: 2, lisLevel: level, lisObtainDate: '2026-01-01' }
    const { lisId } = await admin.ok('POST S:/lessonsInfoSup/editSup', { ...record, suiNumber: number })
    expect(await admin.ok('GET S:/lessonsInfoSup/editLessonsSup', { lisId })).toMatchObject({ suId: ids.otherSuId })
    for (const suiNumber of [{ toString: 1 }, [number], '1'.repeat(101)])
      expect(await admin.ask('POST S:/lessonsInfoSup/editSup', { ...record, suiNumber })).toMatchObject({
        status: 200,
        code: 300,
        reason: 'invalid-input',
      })
    const course = {
      lsId: ids.lsId,
      liLevel: level,
      liIntro: '共读',
      liPrincipalId: people.teacher.suId,
      placeText: '图书馆',
      quota: 30,
      startTime: '2031-05-01 08:00:00',
      endTime: '2031-05-01 10:00:00',
    }
    const save = (applyWay: unknown) =>
      teacher.ask('POST S:/lessonsInfoAC/save', { ...course, liName: unique(), applyWay })
    const { liId } = (await save(5)).data
    expect(await teacher.ok('GET S:/lessonsInfoAC/queryLessonsDetails', { liId })).toMatchObject({
      applyWay: '5',
      applyStart: null,
      applyEnd: null,
    })
    expect(await save({ toString: 1 })).toMatchObject({ status: 200, code: 300, reason: 'invalid-input' })
  })
  test('what is wrong is told as ever', async () => {
    expect(await world.admin.ask('POST S:/workFlow/getWorkInfo', { wfType: 77 })).toMatchObject({
      code: 300,
      msg: expect.stringMatching(/[\u4e00-\u9fff]/),
    })
  })
  test('a list may be parted by commas where a call names an array', async () => {
    const { admin, ids, people } = world
    const { ccId } = await admin.ok('POST S:/circleClass/addCircleClass', { ccName: unique(), ccSort: 1 })
    const { ciId } = await admin.ok('POST S:/circleInfo/BuildNewCircle', {
      ciName: unique(),
      ciClass: ccId,
      cpiPersonId: ids.suId,
      teacherIds: people.teacher.suId,
      personIds: `${ids.suId}, ${ids.otherSuId}`,
    })
    expect(JSON.stringify(await admin.ok('GET S:/circleInfo/getCircleDetail', { ciId }))).toContain(people.teacher.suId)
  })
})

describe('lists that the specification answers whole', () => {
  test('come with as much as a page holds; who turns pages gets ten', async () => {
    const { admin, school, ids } = world
    for (let at = 0; at < 11; at++) await school.department(`部门${at}`)
    const name = 'POST S:/schoolDepartment/departmentInfoList'
    const { list, size } = await admin.ok(name)
    expect([list.length > 10, size]).toEqual([true, 200])
    expect((await admin.ok(name, { current: 1 })).list).toHaveLength(10)
    expect((await admin.ok(name, { pageSize: 20 })).size).toBe(20)
    for (const [call, fields] of [
      ['POST S:/workFlow/getWorkInfo', {}],
      ['GET S:/evaluationSystem/getAll', {}],
      ['GET S:/lessonsApplyInfo/view', { liId: ids.liId }],
      ['POST S:/transcript/getAchievement', { suId: ids.suId }],
    ] as const)
      expect([call, (await admin.ok(call, fields)).size]).toEqual([call, 200])
  })
})

describe('a batch', () => {
  const nowhere = (at: number) => `00000000-0000-4000-8000-00000000000${at}`
  test('of which everything is refused is refused', async () => {
    const answer = await world.admin.ask('POST S:/sysUserInfo/updateCredibility', {
      suIds: [nowhere(1), nowhere(2)],
      change: -1,
      reason: '迟到三次以上',
    })
    expect(answer).toMatchObject({ code: 300, msg: expect.stringContaining('不存在') })
  })
  test('of which some is refused tells how much was done, and why not the rest', async () => {
    const [first, second] = [await newCourse(world), await newCourse(world)]
    await world.teacher.ok('POST S:/lessonsInfoAC/submit', { liId: first })
    const submit = () => world.teacher.ask('POST S:/lessonsInfoAC/batchSubmit', { liIds: [first, second] })
    expect(await submit()).toMatchObject({
      code: 200,
      msg: expect.stringMatching(/^已完成 1 条，1 条未完成：当前状态不可/),
      data: { affected: 1, failed: [{ id: first }] },
    })
    // each in the data, and one sentence for both
    expect(await submit()).toMatchObject({
      code: 300,
      msg: expect.stringMatching(/^当前状态不可[^；]*$/),
      data: { affected: 0, failed: [{ id: first }, { id: second }] },
    })
  })
})

describe('what a client of the specification does not know of', () => {
  test('a new course takes nothing from its state and its notice', async () => {
    const { teacher, ids, level, people } = world
    const { liId } = await teacher.ok('POST S:/lessonsInfoAC/save', {
      liName: unique(),
      lsId: ids.lsId,
      liLevel: Number(level),
      liIntro: '共读',
      liPrincipalId: people.teacher.suId,
      placeText: '图书馆',
      applyWay: '5',
      quota: 30,
      startTime: '2031-05-01 08:00:00',
      endTime: '2031-05-01 10:00:00',
      liStatus: '90',
      liPublictySdate: '2031-05-02',
      liPublictyEdate: '2031-05-09',
    })
    expect(await teacher.ok('GET S:/lessonsInfoAC/queryLessonsDetails', { liId })).toMatchObject({
      liStatus: '0',
      liPublictySdate: null,
    })
  })
  test('a teacher has no year of study', async () => {
    const { admin, ids } = world
    const form = { suiName: '何老师', suiNumber: `T${unique()}`, suiCollegeId: ids.scId, suiGrade: '2024' }
    const { suId } = await admin.ok('POST S:/sysUserInfo/teacherUserInfoAddOrEdit', form)
    await admin.ok('POST S:/sysUserInfo/teacherUserInfoAddOrEdit', { ...form, suId, suiName: '何晴' })
    expect(await admin.ok('GET S:/sysUserInfo/getTeacherInfoEdit/{id}', { id: suId })).toMatchObject({
      suiName: '何晴',
    })
  })
  test('a flow may come under the names of its form', async () => {
    const { admin, ids } = world
    const name = unique()
    const { wfId } = await admin.ok('POST S:/workFlow/saveWorkInfo', {
      addType: 'add',
      name,
      desc: '说明',
      type: 2,
      icon: '',
      wfcId: ids.wfcId,
      wfStatus: '2',
      selectedRole: [],
      selectedCourse: ids.lsId,
      selectedCourseLevel: [Number(world.level)],
      stepsList: [],
    })
    const { flow } = await admin.ok('POST S:/workFlow/editWorkInfoInit', { wfId })
    expect(flow).toMatchObject({ wfName: name, wfDesc: '说明', wfType: '2', lsIds: [ids.lsId], levels: [world.level] })
    expect(await admin.ask('POST S:/workFlow/cloneFlowInit', { wfId, wfType: '1' })).toMatchObject({
      code: 300,
      msg: '克隆的流程与原流程类型相同，请改选同类型的流程',
    })
  })
  test('a class has one league secretary, the one appointed last', async () => {
    const { admin, school, ids } = world
    const srId = school.roles['LEAGUE_SEC']
    await admin.ok('GET S:/sysRole/leagueSecretaryAdd/{srId}/{suId}', { srId, suId: ids.suId })
    expect(await admin.ok('GET S:/sysRole/leagueSecretaryAdd/{srId}/{suId}', { srId, suId: ids.otherSuId })).toEqual({
      affected: 1,
    })
    const { records } = await admin.ok('POST S:/sysRole/getRoleUserInfoList', { srId, current: 1, pageSize: 10 })
    expect(records.map((row: { suId: string }) => row.suId)).toEqual([ids.otherSuId])
  })
  test('a message may go to oneself', async () => {
    const { admin, school } = world
    const me = await admin.ok('POST P:/sysUser/userLandLoad')
    const iiTitle = unique()
    await admin.ok('POST S:/informationInfo/sendMessage', { iiTitle, iiContent: '备忘', suIds: me.id })
    const { records } = await admin.ok('GET S:/informationInfo/selectAll', { iiTitle, current: 1, pageSize: 10 })
    expect(records, school.schoolId).toMatchObject([{ iiTitle }])
  })
})

test('a decision may name the matter that waits for whoever decides', async () => {
  const { teacher, reviewer } = world
  const liId = await newCourse(world)
  await teacher.ok('POST S:/lessonsInfoAC/submit', { liId })
  const pass = () => reviewer.ask('POST S:/lessonsApplyInfo/publishPass', { liId })
  expect(await teacher.ask('POST S:/lessonsApplyInfo/publishPass', { liId })).toMatchObject({ code: 300 })
  expect(await pass()).toMatchObject({ code: 200, data: { affected: 1 } })
  expect(await pass()).toMatchObject({ code: 300, msg: '没有等待您审批的记录，请刷新后查看' })
})

describe('a supplement record', () => {
  const made = async () =>
    (
      await world.admin.ok('POST S:/lessonsInfoSup/editSup', {
        suiNumber: (await world.admin.ok('GET S:/sysUserInfo/getUserInfoEdit/{id}', { id: world.ids.suId })).suiNumber,
        lisName: unique(),
        lsId: world.ids.lsId,
        lisType: 2,
        lisLevel: Number(world.level),
        lisObtainDate: '2026-01-01',
      })
    ).lisId as string
  test('is edited by the call that also deletes it', async () => {
    const lisId = await made()
    const lisName = unique()
    expect(await world.admin.ok('GET S:/lessonsInfoSup/edit', { lisId, lisName })).toEqual({ affected: 1 })
    expect(await world.admin.ok('GET S:/lessonsInfoSup/detail', { lisId })).toMatchObject({ lisName })
    // what is sent empty is emptied, also where nothing else is sent, and what is left out stays
    const detail = () => world.admin.ok('GET S:/lessonsInfoSup/editLessonsSup', { lisId })
    await world.admin.ok('GET S:/lessonsInfoSup/edit', { lisId, lisDesc: '说明', lisOrg: '团委' })
    expect(await detail()).toMatchObject({ lisName, lisDesc: '说明', lisOrg: '团委' })
    await world.admin.ok('GET S:/lessonsInfoSup/edit', { lisId, lisDesc: '' })
    expect(await detail()).toMatchObject({ lisName, lisOrg: '团委' })
    expect((await detail()).lisDesc ?? '').toBe('')
    const nothingSaid = { code: 300, msg: '请选择删除标记' }
    expect(await world.admin.ask('GET S:/lessonsInfoSup/edit', { lisId: `${lisId},${lisId}`, lisName })).toMatchObject(
      nothingSaid,
    )
    const strictly = await fetch(
      `${world.school.address}/api/schoolbase/lessonsInfoSup/edit?lisId=${lisId}&lisName=x`,
      {
        headers: { authorization: `Bearer ${world.admin.token}`, prefer: 'handling=strict' },
      },
    )
    expect(await strictly.json()).toMatchObject(nothingSaid)
    expect(await world.admin.ask('GET S:/lessonsInfoSup/edit', { lisId, lisNmae: 'x' })).toMatchObject({
      code: 300,
      msg: '不支持的字段：lisNmae',
    })
    expect(await world.admin.ask('GET S:/lessonsInfoSup/edit', { lisId })).toMatchObject({
      code: 300,
      msg: '请选择删除标记',
    })
    expect(await world.admin.ok('GET S:/lessonsInfoSup/edit', { lisId, delFlag: 1 })).toEqual({ affected: 1 })
  })
})
