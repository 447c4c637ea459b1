import { beforeAll, expect, test } from 'vitest'
import { mainJob, newCourse, type SpecWorld } from './main-job.ts'
import { spareRecords } from './spares.ts'
import type { Fields } from './spec-client.ts'

let world: SpecWorld
let spare: Awaited<ReturnType<typeof spareRecords>>
beforeAll(async () => {
  world = await mainJob()
  spare = await spareRecords(world)
  const { lisId } = await world.admin.ok('POST S:/lessonsInfoSup/editSup', {
    suId: world.ids.suId,
    lisName: '普通话证书',
    lsId: world.ids.lsId,
    lisType: '2',
    lisLevel: world.level,
    lisPartakeMode: '1',
    lisObtainDate: '2026-01-01',
  })
  await world.admin.ok('POST S:/lessonsInfoSup/submit', { lisId })
  const liId = await newCourse(world, { liName: '诗词朗诵' })
  await world.teacher.ok('POST S:/lessonsInfoAC/submit', { liId })
})

/** Lists, with the fields of chapter 3 of the specification that their rows must have; names as they stand there. */
const lists: [call: string, fields: string, input?: Fields][] = [
  [
    'GET S:/lessonsInfoAC/view',
    'liId liName lsId liStatus isQuestionedAudit liLevel liPublictySdate liPublictyEdate startTime endTime',
  ],
  [
    'GET S:/lessonsInfo/selectList',
    'liId liName lsId liStatus isQuestionedAudit liLevel liPublictySdate liPublictyEdate startTime endTime',
  ],
  [
    'POST S:/lessonsInfo/list',
    'liId liName lsId liStatus isQuestionedAudit liLevel liPublictySdate liPublictyEdate startTime endTime',
  ],
  [
    'GET S:/lessonsInfoSup/list',
    'lisId lisName lsId lisType lisLevel lisPartakeMode lisAward lisPublictySdate lisPublictyEdate lisPublictyStatus delFlag suiName suiNumber',
  ],
  ['GET S:/evaluationSystem/getAll', 'esId esLessonLevel courseSystemId lsId'],
  ['POST S:/workFlow/getWorkInfo', 'wfId wfName wfType wfIcon wfDesc wfcId ranges steps'],
  ['GET S:/circleInfo/queryCircleInfoList', 'ciId ciName ciClass ciCollegeId cpiPersonId ciStatus ciAuthStatus'],
  ['GET S:/circleClass/queryCircleClassList', 'ccId ccName ccSort'],
  ['GET S:/newsInfo/queryNewsList', 'niId ntId niTitle niClass niIsShow'],
  ['GET S:/newsType/queryNewsTypeList', 'ntId ntName ntSort'],
  ['GET S:/informationInfo/selectAll', 'iiId iurId iiTitle iiContent createName'],
  ['GET S:/informationInfo/queryInformationInfoList', 'iiId iurId iiTitle iiContent suName'],
  ['GET S:/awardTemplate/selectAwardTemplate', 'atId atName'],
  ['POST S:/sysUserInfo/studentUserInfoList', 'suId suNickname birth suiCollegeId suiGrade suiName suiNumber'],
  ['POST S:/sysUserInfo/teacherUserInfoList', 'suId suNickname birth suiCollegeId suiName suiNumber'],
  ['POST S:/schoolCollege/collegeList', 'scId scName'],
  ['POST S:/schoolCollege/majorList', 'smId smName scSort'],
  ['POST S:/schoolCollege/classList', 'scId scClassId smId scClassName scClassSort scClassGrade'],
  ['POST S:/schoolDepartment/departmentInfoList', 'sdId sdName'],
  ['POST S:/sysRole/roleInfoList', 'srId'],
  ['POST S:/transcript/getStuScore', 'suiName suiNumber'],
]
test.each(lists)('the rows of %s carry %s', async (call, fields, input = {}) => {
  const { records } = await world.admin.ok(call, { current: 1, pageSize: 50, ...input })
  expect(records.length).toBeGreaterThan(0)
  for (const row of records as Fields[]) expect(missing(row, fields)).toEqual([])
})

test.each([
  ['queryPublishAudit', 'liId liName taskId', '诗词朗诵'],
  ['querySupAudit', 'lisId lisName suiName suiNumber taskId', '安然'],
])('the rows of the queue %s carry %s', async (queue, fields, known) => {
  const { records } = await world.reviewer.ok(`GET S:/lessonsApplyInfo/${queue}`, { current: 1, pageSize: 10 })
  expect(records).toHaveLength(1)
  expect(missing(records[0], fields)).toEqual([])
  expect(Object.values(records[0] as Fields)).toContain(known)
})

test('the steps of a flow carry their fields and those of their detail rows', async () => {
  const { records } = await world.admin.ok('POST S:/workFlow/getWorkInfo', { wfcId: world.ids.wfcId })
  const steps = (records as { steps: Fields[] }[]).flatMap((row) => row.steps)
  expect(steps.length).toBeGreaterThan(3)
  for (const step of steps) {
    expect(missing(step, 'wfsNodeName wfsStepName wfsStepType wfsCheckerType wfsSort details')).toEqual([])
    expect(missing((step['details'] as Fields[])[0]!, 'wfcNodeName wfcCheckerId wfcSort')).toEqual([])
  }
})

test('what was decided is told under the same names', async () => {
  const { records } = await world.reviewer.ok('GET S:/lessonsApplyInfo/queryResultAudit', { tab: 'done' })
  expect(records).toMatchObject([{ liId: world.ids.liId, liName: '《红楼梦》共读' }])
})

test.each([
  [
    'GET S:/lessonsInfoAC/queryLessonsDetails',
    'liId liName lsId liStatus isQuestionedAudit liLevel',
    () => ({ liId: world.ids.liId }),
  ],
  [
    'GET S:/circleInfo/getCircleDetail',
    'ciId ciName ciClass ciCollegeId ciDesc imgList cpiPersonId teacherIds personIds ciStatus ciAuthStatus',
    () => ({ ciId: spare.ciId }),
  ],
  [
    'GET S:/newsInfo/getNewsDetail',
    'niId ntId niTitle niDetail niClass niIsShow imgList relIds',
    () => ({ niId: spare.niId }),
  ],
  [
    'GET S:/sysUserInfo/getUserInfoEdit/{id}',
    'suId suNickname birth suiCollegeId suiGrade suiName suiNumber',
    () => ({ id: world.ids.suId }),
  ],
  [
    'GET S:/sysUserInfo/getTeacherInfoEdit/{id}',
    'suId suNickname birth suiCollegeId suiName suiNumber',
    () => ({ id: world.people.teacher.suId }),
  ],
  [
    'GET S:/lessonsInfoSup/editLessonsSup',
    'lisId lisName lsId lisType lisLevel lisPartakeMode lisAward',
    () => ({ lisId: spare.lisId }),
  ],
  ['GET S:/evaluationSystem/query', 'esId esLessonLevel courseSystemId', () => ({ esId: world.ids.esId })],
  ['GET S:/lessonsClass/getEdit', 'lsId lsPid lsName lsType', () => ({ lsId: world.ids.lsId })],
  ['GET S:/awardTemplate/selectAwardTemplateDetail', 'atId atName details', () => ({ atId: world.ids.atId })],
])('the detail of %s carries %s', async (call, fields, input) => {
  expect(missing(await world.admin.ok(call, input()), fields)).toEqual([])
})

test('a circle names its teachers and members as its form takes them', async () => {
  expect(await world.admin.ok('GET S:/circleInfo/getCircleDetail', { ciId: spare.ciId })).toMatchObject({
    teacherIds: [world.people.teacher.suId],
    personIds: expect.arrayContaining([world.ids.suId, world.ids.otherSuId]) as string[],
  })
})

test('a day of birth is not told in a list: it shows that it is known', async () => {
  const { records } = await world.admin.ok('POST S:/sysUserInfo/studentUserInfoList', { suiName: '安然' })
  expect(records).toMatchObject([{ birth: '****-**-**', suNickname: '安然同学' }])
})

const missing = (row: Fields, fields: string) => fields.split(' ').filter((field) => !(field in row))
