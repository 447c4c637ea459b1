import { beforeAll, describe, expect, test } from 'vitest'
import { unique } from '../testing/school.ts'
import { mainJob, passFirst, type SpecWorld } from './main-job.ts'

let world: SpecWorld
beforeAll(async () => {
  world = await mainJob()
})
/** The newest row of the trail about a record. */
const lastEntry = async (bizId: string) =>
  world.school.ctx.db
    .selectFrom('auditLog')
    .select(['action', 'before', 'after'])
    .where('schoolId', '=', world.school.schoolId)
    .where('bizId', '=', bizId)
    .orderBy('logId', 'desc')
    .executeTakeFirstOrThrow()
const nowhere = '00000000-0000-4000-8000-000000000000'

describe('what a person may meet is a sentence', () => {
  test.each([
    ['POST S:/schoolCollege/collegeDelete', { collegeIdList: nowhere }],
    ['GET S:/lessonsInfoAC/queryLessonsDetails', { liId: nowhere }],
    ['GET S:/newsInfo/getNewsDetail', { niId: nowhere }],
    ['GET S:/circleInfo/getCircleDetail', { ciId: nowhere }],
    ['GET S:/sysUserInfo/getUserInfoEdit/{id}', { id: nowhere }],
    ['POST S:/workFlow/deleteWorkInfo', { wfId: nowhere }],
  ])('%s of what is not there', async (call, fields) => {
    expect(await world.admin.ask(call, fields)).toMatchObject({
      status: 200,
      code: 300,
      reason: 'not-found',
      msg: '该记录不存在或已删除',
    })
  })
  test('without the right: told with the same status, and a row of the trail is left', async () => {
    expect(await world.teacher.ask('POST S:/sysRole/roleAddOrEdit', { srName: unique() })).toMatchObject({
      status: 200,
      code: 300,
      reason: 'not-permitted',
      msg: '无操作权限',
    })
    const rows = await world.school.ctx.db
      .selectFrom('auditLog')
      .select('result')
      .where('schoolId', '=', world.school.schoolId)
      .where('bizId', '=', 'role:edit')
      .execute()
    expect(rows).toEqual([{ result: 'refused' }])
  })
  test('with an older version: told so, and nothing is written', async () => {
    const edit = { scId: world.ids.scId, scName: '不该有的名称', scCode: unique(), version: 99 }
    expect(await world.admin.ask('POST S:/schoolCollege/collegeAddOrEdit', edit)).toMatchObject({
      status: 200,
      code: 300,
      reason: 'stale-version',
      msg: '数据已被他人修改，请刷新后重试',
    })
    const { records } = await world.admin.ok('POST S:/schoolCollege/collegeList', { current: 1, pageSize: 10 })
    expect(JSON.stringify(records)).not.toContain('不该有的名称')
  })
  test('a token that is none stays 401 and 40101, a path that is none 404, a file that is not there 404', async () => {
    const { address } = world.school
    const withToken = await fetch(`${address}/api/schoolbase/lessonsInfo/count`, {
      headers: { authorization: `Bearer ${'x'.repeat(43)}` },
    })
    expect([withToken.status, ((await withToken.json()) as { code: number }).code]).toEqual([401, 40101])
    expect(await world.admin.ask('GET S:/no/such/path')).toMatchObject({ status: 404, reason: 'no-such-call' })
    expect(await world.admin.ask('GET S:/import/nothing/template')).toMatchObject({ status: 200, code: 300 })
    expect(await world.admin.ask('GET S:/lessonsInfoAC/fileDownload', { id: nowhere, type: '1' })).toMatchObject({
      status: 404,
      bytes: undefined,
    })
  })
  test('a write by GET that another site asks for is refused whatever the caller prefers', async () => {
    const address = `${world.school.address}/api/schoolbase/lessonsClass/delLs?lsId=${world.ids.lsId}`
    const headers = { authorization: `Bearer ${world.admin.token}`, 'sec-fetch-site': 'cross-site' }
    expect((await fetch(address, { headers })).status).toBe(403)
    expect(await world.admin.ok('GET S:/lessonsClass/getEdit', { lsId: world.ids.lsId })).toMatchObject({
      lsName: '读书会',
    })
  })
})

describe('strict handling', () => {
  const strict = (path: string, fields: object) =>
    fetch(`${world.school.address}/api/schoolbase${path}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${world.admin.token}`,
        'content-type': 'application/json',
        prefer: 'respond-async, handling=strict',
      },
      body: JSON.stringify(fields),
    })
  test('has the statuses of HTTP, and asks an edit for its version', async () => {
    const gone = await strict('/schoolCollege/collegeDelete', { collegeIdList: [nowhere] })
    expect([gone.status, ((await gone.json()) as { code: number }).code]).toEqual([404, 404])
    const edit = await strict('/schoolCollege/collegeAddOrEdit', {
      scId: world.ids.scId,
      scName: '文学院',
      scCode: unique(),
    })
    expect(await edit.json()).toMatchObject({ code: 300, msg: '缺少数据版本，请刷新后重试' })
  })
})

describe('an edit without a version', () => {
  test('wins over what was written before, and the trail tells the difference', async () => {
    const { admin, ids } = world
    const name = `文学院${unique()}`
    await admin.ok('POST S:/schoolCollege/collegeAddOrEdit', { scId: ids.scId, scName: name, scCode: `W${unique()}` })
    const entry = await lastEntry(ids.scId)
    expect(entry).toMatchObject({ action: '编辑学院', after: { scName: name } })
    expect(entry.before).toHaveProperty('scName')
  })
  test.each([
    [
      'POST S:/awardTemplate/edit',
      () => ({
        atId: world.ids.atId,
        atName: '读书奖二',
        atType: '1',
        details: [{ adId: world.ids.adId, adName: '一等奖' }],
      }),
      'atId',
    ],
    [
      'POST S:/lessonsClass/edit',
      () => ({ lsId: world.ids.lsId, lsName: '读书会', lsType: '3', lsCode: 'DS' }),
      'lsId',
    ],
    [
      'POST S:/evaluationSystem/edit',
      () => ({
        esId: world.ids.esId,
        courseSystemId: world.ids.lsId,
        esLessonLevel: world.level,
        baseHours: '2',
        credit: '0.5',
        esName: '新名',
      }),
      'esId',
    ],
    [
      'POST S:/schoolCollege/majorAddOrEdit',
      () => ({ majorId: world.ids.smId, smName: '汉语', smCode: unique(), scId: world.ids.scId, scSort: 4 }),
      'majorId',
    ],
    [
      'POST S:/schoolCollege/classAddOrEdit',
      () => ({
        scClassId: world.ids.scClassId,
        scClassName: '文学一班',
        scId: world.ids.scId,
        smId: world.ids.smId,
        scClassSort: 2,
        scClassGrade: '2024',
      }),
      'scClassId',
    ],
    [
      'POST S:/sysUserInfo/studentUserInfoAddOrEdit',
      () => ({
        suId: world.ids.otherSuId,
        suiName: '白露',
        suiNumber: `S${unique()}`,
        suiCollegeId: world.ids.scId,
        majorId: world.ids.smId,
        suiGrade: '2024',
        scClassId: world.ids.scClassId,
      }),
      'suId',
    ],
  ])('%s leaves its difference in the trail', async (call, fields, id) => {
    const input = fields() as Record<string, unknown>
    await world.admin.ok(call, input)
    const { before, after } = await lastEntry(String(input[id]))
    expect(Object.keys(after as object).length).toBeGreaterThan(0)
    expect(before).not.toBeNull()
  })
  test.each([
    ['POST S:/schoolDepartment/departmentInfoAddOrEdit', 'sdId', () => ({ sdName: unique(), sdCode: unique() })],
    ['POST S:/sysRole/roleAddOrEdit', 'srId', () => ({ srName: unique() })],
    ['POST S:/schoolQualityLable/edit', 'sqlId', () => ({ sqlName: unique() })],
    [
      'POST S:/sysUserInfo/teacherUserInfoAddOrEdit',
      'suId',
      () => ({ suiName: unique(), suiNumber: unique(), suiCollegeId: world.ids.scId }),
    ],
    [
      'POST S:/lessonsInfoSup/editSup',
      'lisId',
      () => ({
        suId: world.ids.suId,
        lisName: unique(),
        lsId: world.ids.lsId,
        lisType: '2',
        lisLevel: world.level,
        lisObtainDate: '2026-01-01',
      }),
    ],
    [
      'POST S:/lessonsInfoAC/save',
      'liId',
      () => ({
        liName: unique(),
        lsId: world.ids.lsId,
        liLevel: world.level,
        liIntro: '介绍',
        liPrincipalId: world.people.teacher.suId,
        liCollegeId: world.ids.scId,
        placeText: '教室',
        applyWay: '5',
        quota: 5,
        startTime: '2030-04-01 08:00:00',
        endTime: '2030-04-01 10:00:00',
      }),
    ],
    [
      'POST S:/workFlow/saveWorkInfo',
      'wfId',
      () => ({ wfName: unique(), wfType: '2', wfcId: world.ids.wfcId, wfStatus: '2', steps: [] }),
    ],
  ])('%s: an id selects update, and the trail tells the difference', async (call, id, fields) => {
    const made = await world.admin.ok(call, fields())
    await world.admin.ok(call, { ...fields(), [id]: made[id] })
    const { before, after } = await lastEntry(made[id])
    expect(Object.keys(after as object).length).toBeGreaterThan(0)
    expect(before).not.toBeNull()
  })
})

describe('a flow', () => {
  const stored = () => world.admin.ok('POST S:/workFlow/editWorkInfoInit', { wfId: world.ids.wfId })
  test('answers ranges and details as they were told', async () => {
    const { flow } = await stored()
    const { roles } = world.school
    expect(flow.ranges).toEqual([
      { srId: `${roles['GUIDE_TEACHER']},${roles['SCHOOL_ADMIN']}`, lsId: world.ids.lsId, liLevel: world.level },
    ])
    expect(flow.steps[0]).toMatchObject({
      wfsNodeName: 'PUBLISH',
      details: [{ wfcNodeName: 'PUBLISH', wfcCheckerId: world.people.reviewer.suId, wfcSort: 0 }],
    })
  })
  const form = (more: object) => ({
    wfName: unique(),
    wfType: '2',
    wfcId: world.ids.wfcId,
    wfStatus: '2',
    steps: [],
    ...more,
  })
  test('takes rows that are all combinations of what they name, and no others', async () => {
    const { roles } = world.school
    const [a, b] = [roles['GUIDE_TEACHER'], roles['COUNSELOR']]
    const row = (srId: string | undefined, liLevel: string) => ({ srId, liLevel })
    const { wfId } = await world.admin.ok('POST S:/workFlow/saveWorkInfo', {
      ...form({ ranges: [row(a, '1'), row(a, '2'), row(b, '1'), row(b, '2')] }),
    })
    const { flow } = await world.admin.ok('POST S:/workFlow/editWorkInfoInit', { wfId })
    expect(flow).toMatchObject({ roleIds: [a, b], lsIds: [], levels: ['1', '2'] })
    expect(
      await world.admin.ask('POST S:/workFlow/saveWorkInfo', form({ ranges: [row(a, '1'), row(b, '2')] })),
    ).toMatchObject({ code: 300, msg: '适用范围须是所填角色、课程体系、级别的全部组合，请拆分为多个流程' })
  })
  test('is asked for once: told twice and differently it is refused', async () => {
    const input = form({ ranges: [{ liLevel: '1' }], levels: ['2'] })
    expect((await world.admin.ask('POST S:/workFlow/saveWorkInfo', input)).msg).toBe(
      '适用范围填写了两次且不一致，请只填一处',
    )
  })
})

describe('a flow made from another one', () => {
  /** The source, with a step, of levels that no other flow is about. */
  const source = (liLevel: string) => ({
    wfName: unique(),
    wfType: '2',
    wfcId: world.ids.wfcId,
    ranges: [{ lsId: world.ids.lsId, liLevel }],
    steps: [
      {
        wfsNodeName: 'SUPPLEMENT',
        wfsStepName: '审核',
        wfsStepType: '1',
        wfsCheckerType: '1',
        details: [{ wfcCheckerId: world.people.reviewer.suId }],
      },
    ],
  })
  const flowOf = async (wfId: string) => (await world.admin.ok('POST S:/workFlow/editWorkInfoInit', { wfId })).flow
  test('is enabled, as a new one is, and conflicts with it unless its ranges differ', async () => {
    const { admin } = world
    const { wfId } = await admin.ok('POST S:/workFlow/saveWorkInfo', source('1'))
    // sample cases are ours: a clone that leads one elsewhere is meant as well
    const { suId, lsId } = world.ids
    await admin.ok('POST S:/workFlow/saveSample', { wsName: unique(), wfType: '2', suId, lsId, liLevel: '2' })
    const clone = { wfId, wfName: unique() }
    expect(await admin.ask('POST S:/workFlow/addCloneInfo', clone)).toMatchObject({ reason: 'workflow-conflict' })
    const made = await admin.ok('POST S:/workFlow/addCloneInfo', { ...clone, levels: '2' })
    expect(await flowOf(made.wfId)).toMatchObject({
      wfStatus: '1',
      levels: ['2'],
      lsIds: [world.ids.lsId],
      steps: [{ wfsStepName: '审核', checkers: [world.people.reviewer.suId] }],
    })
    const draft = await admin.ok('POST S:/workFlow/addCloneInfo', { wfId, wfName: unique(), wfStatus: '2' })
    expect(await flowOf(draft.wfId)).toMatchObject({ wfStatus: '2', levels: ['1'] })
  })
  test('may come under the names of the specification, or as its start was answered', async () => {
    const { admin, ids } = world
    const { wfId } = await admin.ok('POST S:/workFlow/saveWorkInfo', source('3'))
    const { flow } = await admin.ok('POST S:/workFlow/cloneFlowInit', { wfId, wfType: '2' })
    const [first, second, third] = [unique(), unique(), unique()]
    const made = await admin.ok('POST S:/workFlow/addCloneInfo', {
      id: wfId,
      addType: 'clone',
      name: first,
      desc: '说明',
      type: 2,
      icon: '',
      selectedRole: [],
      selectedCourse: ids.lsId,
      selectedCourseLevel: [4],
      stepsList: flow.steps,
    })
    const clone = { wfName: first, wfDesc: '说明', wfStatus: '1', lsIds: [ids.lsId], levels: ['4'] }
    expect(await flowOf(made.wfId)).toMatchObject({ ...clone, steps: [{ checkers: [world.people.reviewer.suId] }] })
    // whether or not it says of which flow it is one
    for (const [more, wfName, level] of [[{ wfId }, second, '5'] as const, [{}, third, '6'] as const]) {
      const answered = { ...flow, ...more, wfName, levels: [level], ranges: undefined }
      const again = await admin.ok('POST S:/workFlow/addCloneInfo', answered)
      expect(await flowOf(again.wfId)).toMatchObject({ wfName, wfStatus: '1', levels: [level] })
    }
  })
  test('and a new one as its start was answered', async () => {
    const { admin, ids } = world
    const { flow } = await admin.ok('POST S:/workFlow/addWorkInfoInit', { wfType: '2' })
    const { wfName, wfcId, ranges, steps } = source('7')
    const form = { ...flow, wfName, wfcId, ranges, steps }
    const { wfId } = await admin.ok('POST S:/workFlow/saveWorkInfo', form)
    expect(await flowOf(wfId)).toMatchObject({ wfStatus: '1', lsIds: [ids.lsId], levels: ['7'] })
  })
})

describe('other names and forms', () => {
  test('courseSystemId is lsId: for a new rule, as a filter, and refused where both differ', async () => {
    const { admin, ids } = world
    const { records } = await admin.ok('GET S:/evaluationSystem/getAll', { courseSystemId: ids.lsId })
    expect(records).toMatchObject([
      { esId: ids.esId, courseSystemId: ids.lsId, esLessonLevel: world.level, baseHours: '2' },
    ])
    expect(
      await admin.ask('GET S:/evaluationSystem/getAll', { courseSystemId: ids.lsId, lsId: nowhere }),
    ).toMatchObject({
      status: 400,
    })
    expect(
      await admin.ask('POST S:/evaluationSystem/add', { courseSystemId: ids.lsId, esLessonLevel: '2' }),
    ).toMatchObject({ code: 300, msg: '请输入学时' })
    expect(
      await admin.ask('POST S:/evaluationSystem/edit', { esId: ids.esId, courseSystemId: nowhere, baseHours: '2' }),
    ).toMatchObject({ code: 300, msg: '课程体系不能修改，请为另一课程体系新增评价规则' })
  })
  test('a person goes by suNickname until it is told anew; the trail tells it', async () => {
    const { admin, ids } = world
    const known = { suiCollegeId: ids.scId, majorId: ids.smId, suiGrade: '2024', scClassId: ids.scClassId }
    const number = `S${unique()}`
    const save = (more: object) =>
      admin.ok('POST S:/sysUserInfo/studentUserInfoAddOrEdit', {
        suiName: '丁一',
        suiNumber: number,
        ...known,
        ...more,
      })
    const { suId } = await save({})
    const nickname = async () => (await admin.ok('GET S:/sysUserInfo/getUserInfoEdit/{id}', { id: suId })).suNickname
    expect(await nickname()).toBe('丁一')
    await save({ suId, suiName: '丁乙' })
    expect(await nickname()).toBe('丁乙')
    await save({ suId, suiName: '丁乙', suNickname: '小丁' })
    expect(await nickname()).toBe('小丁')
    expect(await lastEntry(suId)).toMatchObject({ before: { suNickname: '丁乙' }, after: { suNickname: '小丁' } })
    await save({ suId, suiName: '丁丙' })
    expect(await nickname()).toBe('小丁')
  })
  test('lists may be parted by commas, and a record named by its own id', async () => {
    const { admin } = world
    const template = async () =>
      (await admin.ok('POST S:/awardTemplate/add', { atName: unique(), atType: '1', details: [{ adName: '奖' }] })).atId
    const [first, second] = [await template(), await template()]
    expect(await admin.ok('POST S:/awardTemplate/del', { atId: `${first},${second}` })).toEqual({ affected: 2 })
    const { ntId } = await admin.ok('POST S:/newsType/add', { ntName: unique(), ntSort: 1 })
    expect(await admin.ok('POST S:/newsType/del', { ntId })).toEqual({ affected: 1 })
    const tree = await admin.ok('POST S:/schoolCollege/collegeMajorClassTree', { gradeList: '2023,2024' })
    expect(JSON.stringify(tree)).toContain(world.ids.scClassId)
    const labels = (await admin.ok('GET S:/schoolQualityLable/getPlatformLable')) as {
      children: { taken?: boolean; adopted?: boolean }[]
    }[]
    expect(labels.length).toBeGreaterThan(0)
  })
  test('a sent message is deleted from the outbox by its id, and stays with who received it', async () => {
    const { admin, reviewer, people } = world
    const iiTitle = unique()
    await admin.ok('POST S:/informationInfo/sendMessage', { suIds: people.reviewer.suId, iiTitle, iiContent: '内容' })
    const { records } = await admin.ok('GET S:/informationInfo/queryInformationInfoList', { iiTitle })
    expect(records[0].iurId).toBe(records[0].iiId)
    await admin.ok('POST S:/informationInfo/delete', { iurIds: records[0].iurId, outbox: '1' })
    expect((await admin.ok('GET S:/informationInfo/queryInformationInfoList', { iiTitle })).total).toBe(0)
    expect((await reviewer.ok('GET S:/informationInfo/selectAll', { iiTitle })).total).toBe(1)
  })
})

describe('in one step', () => {
  test('a plain import writes the faultless rows and says so; the others are in the workbook', async () => {
    const { admin } = world
    const [good, better] = [unique(), unique()]
    const sheet = Buffer.from(`学院编码,学院名称\r\n${good},${good}学院\r\n${better},${better}学院\r\n,无号学院\r\n`)
    const { data, code } = await admin.upload('college', sheet)
    expect(code).toBe(200)
    expect(data).toMatchObject({ successCount: 2, failCount: 1, errorId: expect.stringMatching(/.{20}/) as string })
    const { total } = await admin.ok('POST S:/schoolCollege/collegeList', { scName: good, current: 1, pageSize: 10 })
    expect(total).toBe(1)
    expect(await admin.ok('GET S:/import/{kind}/errors', { kind: 'college', errorId: data.errorId })).toBeInstanceOf(
      Buffer,
    )
    const checked = await admin.upload('college', Buffer.from(`学院编码,学院名称\r\nQ1,只看学院\r\n`), 'a.csv', {
      commit: '0',
    })
    expect(checked.data).toMatchObject({ ibStatus: '0' })
    expect((await admin.ok('POST S:/schoolCollege/collegeList', { scName: '只看学院' })).total).toBe(0)
  })
  test('an import that is not done yet tells so instead of numbers that are not true', async () => {
    const rows = Array.from({ length: 2001 }, (_, at) => `G${at},第 ${at} 学院`)
    const sheet = Buffer.from(['学院编码,学院名称', ...rows].join('\r\n'))
    expect(await world.admin.upload('college', sheet, 'many.csv', { wait: '1' })).toMatchObject({
      status: 200,
      code: 300,
      reason: 'import-goes-on',
    })
  })
  test('graduation tells what would happen, and happens when it is asked for again within minutes', async () => {
    const { admin, school, ids } = world
    const asked = () => admin.ask('POST S:/sysUserInfo/graduationByGrade', { gradeList: '2024' })
    const told = await asked()
    expect(told).toMatchObject({ status: 200, code: 300, reason: 'graduation-confirm' })
    expect(told.msg).toMatch(/^2024 级将有 \d+ 人毕业、\d+ 人因未达标延期毕业；确认无误请在 10 分钟内再次提交$/)
    school.clock.travel(11 * 60)
    expect(await asked()).toMatchObject({ reason: 'graduation-confirm' })
    // what was told of delaying some says nothing of graduating all
    const all = await admin.ask('POST S:/sysUserInfo/graduationByGrade', {
      gradeList: '2024',
      unmet: 'graduate',
      confirmText: '全部毕业',
    })
    expect(all).toMatchObject({ code: 300, reason: 'graduation-confirm' })
    expect(all.msg).toMatch(/^2024 级将有 \d+ 人毕业、0 人因未达标延期毕业/)
    expect(await asked(), 'nor the other way round').toMatchObject({ reason: 'graduation-confirm' })
    const done = await asked()
    expect(done).toMatchObject({ code: 200, data: { graduated: expect.any(Number) as number } })
    const { suiStatus } = await admin.ok('GET S:/sysUserInfo/getUserInfoEdit/{id}', { id: ids.suId })
    expect(suiStatus).not.toBe('1')
    expect((await asked()).code).toBe(300)
  })
  test('publishing a draft puts it before its reviewers', async () => {
    const { teacher } = world
    // without principal and registration: it is the maker's own, and open from now until it begins
    const { liId } = await teacher.ok('POST S:/lessonsInfoAC/save', {
      liName: unique(),
      lsId: world.ids.lsId,
      liLevel: world.level,
      liIntro: '介绍',
      placeText: '教室',
      quota: 5,
      startTime: '2030-03-01 08:00:00',
      endTime: '2030-03-01 10:00:00',
    })
    expect(await teacher.ok('GET S:/lessonsInfoAC/queryLessonsDetails', { liId })).toMatchObject({
      liPrincipalId: world.people.teacher.suId,
      applyStart: expect.stringMatching(/^20/) as string,
      applyEnd: '2030-03-01 08:00:00',
    })
    const state = async () => (await teacher.ok('GET S:/lessonsInfoAC/queryLessonsDetails', { liId })).liStatus
    await teacher.ok('POST S:/lessonsInfoAC/publish', { liId })
    expect(await state()).toBe('10')
    expect(await teacher.ask('POST S:/lessonsInfoAC/publish', { liId })).toMatchObject({ msg: '请先通过发布审批' })
    await passFirst(world, 'queryPublishAudit', 'publishPass')
    await teacher.ok('POST S:/lessonsInfoAC/publish', { liId })
    expect(await state()).toBe('30')
  })
})
