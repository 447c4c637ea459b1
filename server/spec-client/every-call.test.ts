import { beforeAll, expect, test } from 'vitest'
import { addDays, dayOf } from '../core/base/clock.ts'
import { useOwnDatabase } from '../testing/database.ts'
import { testPassword, unique } from '../testing/school.ts'
import { mainJob, type SpecWorld } from './main-job.ts'
import { mattersUnderWay, spareRecords } from './spares.ts'
import { specifiedCalls, SpecClient, type Answer, type Fields } from './spec-client.ts'

// how often somebody at an address may ask for a password is counted for all schools
await useOwnDatabase()

let world: SpecWorld
let spare: Awaited<ReturnType<typeof spareRecords>>
let matter: Awaited<ReturnType<typeof mattersUnderWay>>
beforeAll(async () => {
  world = await mainJob()
  spare = await spareRecords(world)
  matter = await mattersUnderWay(world)
})

/** What the specification's own example of a value would be, by the name of the field. */
const values = (): Fields => ({
  ...world.ids,
  current: 1,
  currentPageNum: 1,
  pageSize: 10,
  startTime: '2025-01-01 00:00:00',
  endTime: '2026-12-31 23:59:59',
  createStartDate: '2025-01-01 00:00:00',
  createEndDate: '2026-12-31 23:59:59',
  sdtType: 'lesson_status',
  search: '安',
  numberOrName: '安',
  lsPid: '',
  lsName: '读书会',
  liName: '红楼梦',
  lsType: '1',
  llId: world.level,
  grade: '2024',
  gradeList: '2024',
  majorId: world.ids.smId,
  collegeId: world.ids.scId,
  suiName: '安',
  createName: '管理员',
  iiTitle: '开会',
  suName: '人员',
  tab: '1',
  wfType: '1',
  wfsCheckerType: '1',
  myLesson: '',
  liStatus: '',
  userId: world.people.teacher.suId,
  ids: '',
  ccIds: spare.emptyCcId,
  ciId: spare.ciId,
  ciIds: spare.ciId,
  cpiPersonIds: world.ids.suId,
  iiIds: spare.iiId,
  iurIds: spare.iurId,
  outbox: '',
})

/** Where a call asks for more than its list of fields says, or for a record that may go. */
function inputsOf(): Record<string, Fields> {
  const { ids, school, people, level } = world
  const S = (method: string, path: string) => `${method} /api/schoolbase/${path}`
  const [today, last] = [dayOf(school.clock.now()), addDays(dayOf(school.clock.now()), 7)]
  const days = { lisPublictySdate: today, lisPublictyEdate: last }
  const notice = { liPublictySdate: today, liPublictyEdate: last }
  const { passedLiId } = matter
  const circle = { ciName: unique(), ciClass: spare.ccId, cpiPersonId: ids.suId, personIds: [ids.suId], imgList: [] }
  return {
    [S('POST', 'user/login')]: { username: 'admin', password: testPassword },
    [S('POST', 'sysUser/editPassword')]: { oldPassword: testPassword, newPassword: 'Other-2027!q' },
    [S('POST', 'sysUserInfo/retrievePwd')]: { schoolId: school.schoolId, username: 'nobody' },
    [S('GET', 'sysUserInfo/getCity/{id}')]: { id: '310000' },
    [S('GET', 'sysUserInfo/getArea/{id}')]: { id: '310100' },
    [S('POST', 'sysUserInfo/teacherUserInfoAddOrEdit')]: person('teacher'),
    [S('DELETE', 'sysUserInfo/teacherUserInfoDelete')]: { ids: spare.teacherId },
    [S('GET', 'sysUserInfo/getTeacherInfoEdit/{id}')]: { id: people.teacher.suId },
    [S('POST', 'sysUserInfo/studentUserInfoAddOrEdit')]: person('student'),
    [S('DELETE', 'sysUserInfo/studentUserInfoDelete')]: { ids: [spare.studentId] },
    [S('GET', 'sysUserInfo/getUserInfoEdit/{id}')]: { id: ids.suId },
    [S('GET', 'sysUserInfo/resetPasswords/{suId}/{birth}')]: { suId: ids.suId, birth: '2005-06-07' },
    [S('POST', 'sysUserInfo/updateCredibility')]: { suId: ids.suId, change: -1, reason: '迟到三次以上' },
    [S('GET', 'schoolCollege/majorIdNameList/{id}')]: { id: ids.scId },
    [S('POST', 'sysRole/roleUserAdd')]: { srId: spare.srId, suIds: people.teacher.suId },
    [S('POST', 'sysRole/getUserControlArea')]: { srId: spare.memberRole, suId: spare.memberId },
    [S('POST', 'sysRole/userControlAreaAdd')]: { srId: spare.memberRole, suId: spare.memberId, scIds: [ids.scId] },
    [S('DELETE', 'sysRole/roleUserDelete')]: { srId: spare.srId, suIds: people.teacher.suId },
    [S('POST', 'sysRole/getRoleUserInfoList')]: { srId: spare.memberRole },
    [S('GET', 'sysRole/leagueSecretaryAdd/{srId}/{suId}')]: { srId: school.roles['LEAGUE_SEC'], suId: ids.suId },
    [S('DELETE', 'sysRole/roleDelete')]: { ids: spare.srId },
    [S('GET', 'sysRole/roleVerify/{id}')]: { id: spare.srId },
    [S('GET', 'sysRole/roleResourceData/{id}')]: { id: spare.memberRole },
    [S('POST', 'sysRole/roleAddOrEdit')]: { srName: unique() },
    [S('POST', 'sysRole/getRoleListOrUserListBySearch')]: { srId: spare.memberRole, search: '' },
    [S('POST', 'lessonsInfoAC/publicty')]: { liId: passedLiId, ...notice },
    [S('POST', 'lessonsInfoAC/unpublicty')]: { liId: passedLiId, reason: '名单有误需重来' },
    [S('POST', 'lessonsInfoAC/unpublish')]: { liId: matter.hiddenLiId, reason: '场地临时不可用' },
    [S('POST', 'lessonsInfoAC/signPrincipalAdd')]: { liId: matter.openLiId, suIds: [people.reviewer.suId] },
    [S('POST', 'lessonsInfo/exit')]: { liId: matter.openLiId },
    [S('POST', 'lessonsInfoAC/publish')]: { liId: matter.draftLiId },
    [S('POST', 'lessonsInfoAC/del')]: { liId: spare.liId },
    [S('POST', 'lessonsInfoAC/save')]: {
      liName: unique(),
      lsId: ids.lsId,
      liLevel: level,
      liIntro: '介绍',
      placeText: '教室',
      liPrincipalId: people.teacher.suId,
      applyWay: '5',
      quota: 5,
      startTime: '2030-02-01 08:00:00',
      endTime: '2030-02-01 10:00:00',
    },
    [S('GET', 'lessonsInfoAC/fileDownload')]: { id: ids.liId, type: '1' },
    [S('POST', 'lessonsInfo/delLessonJoin')]: { ids: matter.laIds[5] },
    [S('POST', 'lessonsApplyInfo/registerPass')]: { laId: matter.laIds[0] },
    [S('POST', 'lessonsApplyInfo/registerRefuse')]: { laId: matter.laIds[1], reason: '不符合报名条件' },
    [S('POST', 'lessonsApplyInfo/registerDel')]: { laId: matter.laIds[4], reason: '本人申请退出' },
    [S('POST', 'lessonsApplyInfo/registerBatchPass')]: { laIds: [matter.laIds[2], matter.laIds[4], matter.laIds[5]] },
    [S('POST', 'lessonsApplyInfo/registerBatchRefuse')]: { laIds: [matter.laIds[3]], reason: '不符合报名条件' },
    [S('POST', 'lessonsApplyInfo/setAward')]: { laIds: [ids.laId], laResult: '1' },
    [S('POST', 'lessonsApplyInfo/setQAward')]: { qId: matter.upheldQId, qOutcome: '1', opinion: '维持原来的结果' },
    [S('GET', 'lessonsApplyInfo/downloadErrorExcel')]: { errorId: 'x'.repeat(32) },
    [S('GET', 'lessonsInfoSup/downloadLessonErrorExcel')]: { errorId: 'x'.repeat(32) },
    ...Object.fromEntries(
      (['publish', 'result', 'sup', 'question'] as const).flatMap((kind) => [
        [S('POST', `lessonsApplyInfo/${kind}Pass`), { taskIds: [matter[kind][0]] }],
        [S('POST', `lessonsApplyInfo/${kind}Refuse`), { taskIds: [matter[kind][1]], opinion: '材料不全请补充' }],
      ]),
    ),
    [S('GET', 'lessonsInfoSup/editPublicty')]: { lisId: matter.passedLisId, ...days },
    [S('POST', 'lessonsInfoSup/batchEditPublicty')]: { ids: matter.passedLisId, ...days },
    [S('GET', 'lessonsInfoSup/editLessonsSup')]: { lisId: spare.lisId },
    [S('POST', 'lessonsInfoSup/editSup')]: {
      suId: ids.suId,
      lisName: unique(),
      lsId: ids.lsId,
      lisType: '2',
      lisLevel: level,
      lisPartakeMode: '1',
      lisObtainDate: '2026-02-01',
    },
    [S('GET', 'lessonsInfoSup/edit')]: { lisId: spare.lisId, delFlag: '1' },
    [S('POST', 'awardTemplate/add')]: { atName: unique(), atType: '1', details: [{ adName: '一等奖' }] },
    [S('POST', 'awardTemplate/edit')]: {
      atId: spare.atId,
      atName: unique(),
      atType: '1',
      details: [{ adName: '二等奖' }],
    },
    [S('POST', 'awardTemplate/del')]: { atId: spare.atId },
    [S('POST', 'workFlow/saveWorkType')]: { wfcId: ids.wfcId, wfcName: unique(), wfcSort: 2 },
    [S('POST', 'workFlow/deleteWorkType')]: { wfcId: spare.wfcId },
    [S('POST', 'workFlow/validateFlow')]: {
      wfId: ids.wfId,
      wfType: '1',
      roleIds: school.roles['GUIDE_TEACHER'],
      classIds: ids.lsId,
      levelIds: level,
    },
    [S('POST', 'workFlow/deleteWorkInfo')]: { wfId: spare.wfId },
    [S('POST', 'workFlow/saveWorkInfo')]: flow('1'),
    [S('POST', 'workFlow/addCloneInfo')]: { ...flow('2'), wfId: ids.wfId },
    [S('POST', 'lessonsClass/add')]: { lsName: unique(), lsType: '3' },
    [S('GET', 'lessonsClass/getEdit')]: { lsId: spare.lsId },
    [S('POST', 'lessonsClass/edit')]: { lsId: spare.lsId, lsName: unique(), lsType: '1' },
    [S('GET', 'lessonsClass/delLs')]: { lsId: spare.lsId },
    [S('DELETE', 'evaluationSystem/delete')]: { ids: spare.esId },
    [S('POST', 'evaluationSystem/add')]: { courseSystemId: spare.flowLsId, esLessonLevel: level, baseHours: '1' },
    [S('POST', 'evaluationSystem/edit')]: {
      esId: ids.esId,
      courseSystemId: ids.lsId,
      esLessonLevel: level,
      baseHours: '2',
      credit: '0.5',
    },
    [S('GET', 'schoolQualityLable/delIds')]: { sqlId: spare.sqlId },
    [S('POST', 'schoolQualityLable/saveLable')]: { ids: spare.platformId },
    [S('POST', 'schoolQualityLable/edit')]: { sqlName: unique(), sqlPid: spare.groupId },
    [S('POST', 'QualityModel/addList')]: {
      list: spare.abilityIds.map((sqlId, at) => ({ sqlId, name: `能力${at}`, max: '10' })),
    },
    [S('POST', 'circleInfo/BuildNewCircle')]: circle,
    [S('POST', 'circleInfo/updateCircleInfo')]: {
      ...circle,
      ciId: spare.ciId,
      ciName: unique(),
      teacherIds: [people.teacher.suId],
    },
    [S('POST', 'circleApplyInfo/isPass')]: { ciIds: spare.passedCiId, cpiPersonIds: ids.suId, reason: '符合成立条件' },
    [S('POST', 'circleApplyInfo/isNotPass')]: {
      ciIds: spare.refusedCiId,
      cpiPersonIds: ids.suId,
      reason: '不符合成立条件',
    },
    [S('POST', 'circleInfo/delCircleInfo')]: { ciIds: spare.ciId, cpiPersonIds: ids.suId },
    [S('POST', 'circleClass/addCircleClass')]: { ccName: unique(), ccSort: 2 },
    [S('POST', 'circleClass/upDateCircleClass')]: { ccId: spare.ccId, ccName: unique(), ccSort: 3 },
    [S('GET', 'newsInfo/getNewsDetail')]: { niId: spare.niId },
    [S('POST', 'newsInfo/newsPublish')]: { niIds: spare.niId },
    [S('POST', 'newsInfo/newsCancelPublish')]: { niIds: spare.niId },
    [S('POST', 'newsInfo/delNewsInfo')]: { niIds: spare.niId },
    [S('POST', 'newsInfo/addNewsInfo')]: {
      ntId: spare.ntId,
      niTitle: unique(),
      niDetail: '<p>正文</p>',
      imgList: [],
      relIds: [],
    },
    [S('POST', 'newsInfo/updateNewsInfo')]: {
      niId: spare.niId,
      ntId: spare.ntId,
      niTitle: unique(),
      niDetail: '<p>新</p>',
    },
    [S('GET', 'lessonsInfo/edit')]: { liId: spare.liId },
    [S('GET', 'lessonsApplyInfo/exportTemplate')]: { liId: matter.openLiId },
    [S('GET', 'lessonsInfoAC/codePakgDownload')]: { liId: matter.hiddenLiId },
    [S('GET', 'SchoolInfoT/selectSchoolInfoBySchoolId')]: { schoolId: school.schoolId },
    [S('POST', 'newsType/add')]: { ntName: unique(), ntSort: 2 },
    [S('POST', 'newsType/update')]: { ntId: spare.ntId, ntName: unique(), ntSort: 3 },
    [S('POST', 'newsType/del')]: { ntId: spare.emptyNtId },
    [S('POST', 'informationInfo/sendMessage')]: { suIds: people.teacher.suId, iiTitle: '通知', iiContent: '请查收' },
    [S('POST', 'schoolDepartment/departmentInfoAddOrEdit')]: { sdName: unique(), sdCode: unique() },
    [S('POST', 'schoolDepartment/departmentUserAdd')]: { sdId: spare.sdId, suIds: people.teacher.suId },
    [S('POST', 'schoolDepartment/departmentUserRelUpdate')]: { suId: people.teacher.suId, relations: [] },
    [S('POST', 'schoolDepartment/departmentUserDelete')]: { sdId: spare.sdId, suIds: people.teacher.suId },
    [S('POST', 'schoolDepartment/departmentUserInfoList')]: { sdId: spare.sdId },
    [S('POST', 'schoolDepartment/departmentAndUserList')]: { sdId: spare.sdId, search: '' },
    [S('GET', 'schoolDepartment/departmentUserRelget/{id}')]: { id: people.teacher.suId },
    [S('GET', 'schoolDepartment/getUserInfoList/{id}')]: { id: spare.sdId },
    [S('POST', 'schoolDepartment/departmentInfoDelete')]: { sdId: spare.sdId },
    [S('POST', 'schoolCollege/collegeAddOrEdit')]: { scName: unique(), scCode: unique() },
    [S('POST', 'schoolCollege/collegeDelete')]: { collegeIdList: spare.scId },
    [S('POST', 'schoolCollege/majorAddOrEdit')]: { smName: unique(), smCode: unique(), scId: ids.scId, scSort: 3 },
    [S('DELETE', 'schoolCollege/majorDelete')]: { ids: spare.smId },
    [S('POST', 'schoolCollege/classAddOrEdit')]: {
      scClassName: unique(),
      scId: ids.scId,
      smId: ids.smId,
      scClassSort: 3,
      scClassGrade: '2024',
    },
    [S('DELETE', 'schoolCollege/classDelete')]: { ids: spare.scClassId },
    [S('POST', 'transcript/getAchievementHeader')]: { suId: ids.suId },
    [S('POST', 'transcript/getAchievement')]: { suId: ids.suId },
    [S('POST', 'transcript/exportAchievement')]: { suIds: ids.suId },
    [S('POST', 'sysUserInfo/thresholdPrompt')]: { ids: ids.suId, content: '请尽快补足学时' },
    [S('GET', 'import/{kind}/template')]: { kind: 'college' },
    [S('GET', 'import/{kind}/errors')]: { kind: 'college', errorId: spare.errorId },
  }
}

const person = (kind: 'student' | 'teacher'): Fields => ({
  suiName: '孙新',
  suiNumber: `N${unique()}`,
  suNickname: '小孙',
  birth: '1995-03-04',
  suiCollegeId: world.ids.scId,
  ...(kind === 'student' && { majorId: world.ids.smId, suiGrade: '2024', scClassId: world.ids.scClassId }),
})
const flow = (liLevel: string): Fields => ({
  wfName: unique(),
  wfType: '2',
  wfIcon: 'flow',
  wfDesc: '说明',
  wfcId: world.ids.wfcId,
  ranges: [{ lsId: spare.flowLsId, liLevel }],
  steps: [
    {
      wfsNodeName: 'SUPPLEMENT',
      wfsStepName: '审核',
      wfsStepType: '1',
      wfsCheckerType: '1',
      wfsSort: 1,
      details: [{ wfcNodeName: 'SUPPLEMENT', wfcCheckerId: world.people.reviewer.suId, wfcSort: 1 }],
    },
  ],
})

/** Calls that take something away or end it, after all that needs it, in this order. */
const lastly = [
  'lessonsApplyInfo/setQAward',
  'lessonsInfoAC/publicty',
  'lessonsInfoAC/unpublicty',
  'lessonsInfoAC/unpublish',
  'lessonsApplyInfo/registerDel',
  'lessonsInfo/delLessonJoin',
  'lessonsInfo/exit',
  'circleInfo/exit',
  'circleInfo/delCircleInfo',
  'circleClass/delCircleClass',
  'newsInfo/delNewsInfo',
  'newsType/del',
  'informationInfo/delete',
  'sysRole/roleUserDelete',
  'sysRole/roleDelete',
  'schoolDepartment/departmentUserDelete',
  'schoolDepartment/departmentInfoDelete',
  'sysUserInfo/studentUserInfoDelete',
  'sysUserInfo/teacherUserInfoDelete',
  'schoolCollege/classDelete',
  'schoolCollege/majorDelete',
  'schoolCollege/collegeDelete',
  'awardTemplate/del',
  'workFlow/deleteWorkInfo',
  'workFlow/deleteWorkType',
  'evaluationSystem/delete',
  'schoolQualityLable/delIds',
  'lessonsClass/delLs',
  'lessonsInfoAC/del',
  'lessonsInfoSup/edit',
  'sysUserInfo/graduationByGrade',
].map((path) => `/api/schoolbase/${path}`)
const inOrder = specifiedCalls.toSorted((a, b) => lastly.indexOf(a.path) - lastly.indexOf(b.path))

/** Whose business a call is, where it is not the administrator's. */
function clientFor(path: string): SpecClient {
  if (/(publish|result|sup|question)(Pass|Refuse)$/.test(path)) return world.reviewer
  if (path.endsWith('lessonsInfo/exit')) return world.reviewer
  return path.endsWith('circleInfo/exit') ? world.teacher : world.admin
}

/**
 * What is refused, and why that is right: these calls were carried out on the way to here, and the records are beyond
 * them; or nobody could know what is meant.
 */
const refused: Record<string, string> = {
  // files that are not there, and a refusal is no file
  'GET lessonsInfoAC/fileDownload': '404/404 not-found 该记录不存在或已删除',
  'GET lessonsApplyInfo/downloadErrorExcel': '404/404 not-found 该记录不存在或已删除',
  'GET lessonsInfoSup/downloadLessonErrorExcel': '404/404 not-found 该记录不存在或已删除',
  // done with this course in the main job
  'POST lessonsInfoAC/resultAudit': '200/300 wrong-state 当前状态不可提交结果，请刷新后查看',
  'POST lessonsApplyInfo/setAward': '200/300 wrong-state 当前状态不可评定结果，请刷新后查看',
  // nobody is warned yet: warnings are calculated at night
  'POST sysUserInfo/thresholdPrompt': '200/300 not-found 该记录不存在或已删除',
  // told first, done when asked again
  'POST sysUserInfo/graduationByGrade': expect.stringMatching(/^200\/300 graduation-confirm 2024 级将有/) as string,
}

test('every call is answered with what this client can read, and does what it asks or says why not', async () => {
  const inputs = inputsOf()
  const told: Record<string, string> = {}
  const sizes: Record<string, number> = {}
  for (const { name, method, path, fields } of inOrder) {
    const known = values()
    const fallback = Object.fromEntries(fields.map((field) => [field, known[field] ?? '']))
    const client = /logout|editPassword/.test(path) ? await newSignIn(spare.memberNumber) : clientFor(path)
    const answer: Answer =
      path === '/api/schoolbase/import/{kind}'
        ? await client.upload('college', Buffer.from('学院编码,学院名称\r\nZ9,新学院\r\n'))
        : path === '/api/auth2/oauth/token'
          ? { ...nothingTold, data: (await newSignIn(spare.memberNumber)).token }
          : await client.ask(`${method} ${path}`, inputs[name] ?? fallback)
    if (answer.status !== 200 || answer.code !== 200)
      told[name.replace('/api/schoolbase/', '')] =
        `${answer.status}/${answer.code} ${answer.reason ?? ''} ${answer.msg}`
    if (answer.data?.size !== undefined && !fields.includes('pageSize')) sizes[name] = answer.data.size
  }
  expect(told).toEqual(refused)
  // who is told of no pages takes the first for the whole list
  expect(Object.keys(sizes).length).toBeGreaterThan(10)
  expect(Object.entries(sizes).filter(([, size]) => size !== 200)).toEqual([])
})

const newSignIn = (username: string) =>
  SpecClient.signIn(world.school.address, world.school.schoolId, username, testPassword)
const nothingTold = { status: 200, code: 200, msg: '', reason: undefined, errors: undefined, bytes: undefined }
