import { addDays, addSeconds, dayOf } from '../core/base/clock.ts'
import { unique } from '../testing/school.ts'
import { courseWithResult, newCourse, passFirst, publishedCourse, type SpecWorld } from './main-job.ts'
import type { Fields } from './spec-client.ts'

/** Records that nothing hangs on, one of each kind: for the calls that delete, refuse or leave them. */
export async function spareRecords(world: SpecWorld) {
  const { admin, reviewer, ids, people, school } = world
  const college = await admin.ok('POST S:/schoolCollege/collegeAddOrEdit', { scName: unique(), scCode: unique() })
  const major = await admin.ok('POST S:/schoolCollege/majorAddOrEdit', {
    smName: unique(),
    smCode: unique(),
    scId: ids.scId,
    scSort: 2,
  })
  const classOf = await admin.ok('POST S:/schoolCollege/classAddOrEdit', {
    scClassName: unique(),
    scId: ids.scId,
    smId: ids.smId,
    scClassSort: 2,
    scClassGrade: '2024',
  })
  const person = (kind: 'student' | 'teacher', suiName: string) =>
    admin.ok(`POST S:/sysUserInfo/${kind}UserInfoAddOrEdit`, {
      suiName,
      suiNumber: `P${unique()}`,
      suNickname: suiName,
      birth: '1990-01-02',
      suiCollegeId: ids.scId,
      ...(kind === 'student' && { majorId: ids.smId, suiGrade: '2024', scClassId: ids.scClassId }),
    })
  const [student, teacher] = [await person('student', '赵备'), await person('teacher', '钱备')]
  const { sdId } = await admin.ok('POST S:/schoolDepartment/departmentInfoAddOrEdit', {
    sdName: unique(),
    sdCode: unique(),
  })
  const { srId } = await admin.ok('POST S:/sysRole/roleAddOrEdit', { srName: unique() })
  const { wfcId } = await admin.ok('POST S:/workFlow/saveWorkType', { wfcName: unique(), wfcSort: 9 })
  const { lsId } = await admin.ok('POST S:/lessonsClass/add', { lsName: unique(), lsType: '3' })
  const levels = (await admin.ok('GET S:/homePage/selectLevel')) as { llId: string }[]
  const { esIds } = await admin.ok('POST S:/evaluationSystem/add', {
    courseSystemId: ids.lsId,
    esLessonLevel: levels[1]!.llId,
    baseHours: '1',
  })
  const { atId } = await admin.ok('POST S:/awardTemplate/add', {
    atName: unique(),
    atType: '1',
    details: [{ adName: '优秀奖' }],
  })
  const [group] = (await admin.ok('GET S:/schoolQualityLable/getAll')) as { sqlId: string }[]
  const { sqlId } = await admin.ok('POST S:/schoolQualityLable/edit', { sqlName: unique(), sqlPid: group!.sqlId })
  const { ccId } = await admin.ok('POST S:/circleClass/addCircleClass', { ccName: unique(), ccSort: 1 })
  const { ntId } = await admin.ok('POST S:/newsType/add', { ntName: unique(), ntSort: 1 })
  const { niId } = await admin.ok('POST S:/newsInfo/addNewsInfo', { ntId, niTitle: unique(), niDetail: '<p>正文</p>' })
  await reviewer.ok('POST S:/informationInfo/sendMessage', {
    suIds: [people.teacher.suId, school.adminId],
    iiTitle: '开会',
    iiContent: '周三下午开会',
  })
  await admin.ok('POST S:/informationInfo/sendMessage', {
    suIds: [people.teacher.suId],
    iiTitle: '通知',
    iiContent: '请查收',
  })
  const received = await admin.ok('GET S:/informationInfo/selectAll', { current: 1, pageSize: 10, iiTitle: '开会' })
  const { ciId } = await admin.ok('POST S:/circleInfo/BuildNewCircle', {
    ciName: unique(),
    ciClass: ccId,
    ciCollegeId: ids.scId,
    ciDesc: '读书的圈子',
    cpiPersonId: ids.suId,
    teacherIds: [people.teacher.suId],
    personIds: [ids.suId, ids.otherSuId],
    imgList: [],
  })
  const record = () =>
    admin.ok('POST S:/lessonsInfoSup/editSup', {
      suId: ids.suId,
      lisName: unique(),
      lsId: ids.lsId,
      lisType: '2',
      lisLevel: levels[0]!.llId,
      lisPartakeMode: '1',
      lisObtainDate: '2026-01-01',
    })
  const { ccId: emptyCcId } = await admin.ok('POST S:/circleClass/addCircleClass', { ccName: unique(), ccSort: 2 })
  const { ntId: emptyNtId } = await admin.ok('POST S:/newsType/add', { ntName: unique(), ntSort: 2 })
  const { lsId: flowLsId } = await admin.ok('POST S:/lessonsClass/add', { lsName: unique(), lsType: '3' })
  const { wfId } = await admin.ok('POST S:/workFlow/saveWorkInfo', {
    wfName: unique(),
    wfType: '2',
    wfcId: ids.wfcId,
    ranges: [{ lsId: flowLsId, liLevel: '3' }],
    steps: [
      {
        wfsNodeName: 'SUPPLEMENT',
        wfsStepName: '审核',
        wfsStepType: '1',
        wfsCheckerType: '1',
        wfsSort: 1,
        details: [{ wfcNodeName: 'SUPPLEMENT', wfcCheckerId: people.reviewer.suId, wfcSort: 1 }],
      },
    ],
  })
  const applied = async () =>
    (
      await world.teacher.ok('POST S:/circleInfo/BuildNewCircle', {
        ciName: unique(),
        ciClass: ccId,
        ciCollegeId: ids.scId,
        cpiPersonId: ids.suId,
        teacherIds: [people.teacher.suId],
        personIds: [ids.suId],
      })
    ).ciId as string
  const member = await school.person('COUNSELOR')
  const badSheet = await admin.upload('college', Buffer.from('学院编码,学院名称\r\n,无号学院\r\n'))
  const labels = (await admin.ok('GET S:/schoolQualityLable/getPlatformLable')) as {
    children: { platformId: string; adopted: boolean }[]
  }[]
  const abilities = (await admin.ok('GET S:/evaluationSystem/selectAbility')) as { sqlId: string }[]
  return {
    passedCiId: await applied(),
    refusedCiId: await applied(),
    emptyCcId: emptyCcId as string,
    emptyNtId: emptyNtId as string,
    flowLsId: flowLsId as string,
    memberId: member.suId,
    memberNumber: member.suiNumber,
    wfId: wfId as string,
    errorId: badSheet.data.errorId as string,
    abilityIds: abilities.flatMap((one) => (one.sqlId === sqlId ? [] : one.sqlId)).slice(0, 5),
    platformId: labels.flatMap(({ children }) => children).find(({ adopted }) => !adopted)?.platformId ?? '',
    scId: college.scId as string,
    smId: major.smId as string,
    scClassId: classOf.scClassId as string,
    studentId: student.suId as string,
    teacherId: teacher.suId as string,
    memberRole: school.roles['COUNSELOR']!,
    sdId: sdId as string,
    srId: srId as string,
    wfcId: wfcId as string,
    lsId: lsId as string,
    esId: esIds[0] as string,
    atId: atId as string,
    groupId: group!.sqlId,
    sqlId: sqlId as string,
    ccId: ccId as string,
    ciId: ciId as string,
    iiId: received.records[0].iiId as string,
    iurId: received.records[0].iurId as string,
    ntId: ntId as string,
    niId: niId as string,
    liId: await newCourse(world),
    lisId: (await record()).lisId as string,
  }
}

/** Courses and records in the states from which the remaining calls lead on, each with the tasks of the reviewer. */
export async function mattersUnderWay(world: SpecWorld) {
  const { admin, teacher, reviewer, school, ids } = world
  const tasks = async (queue: string) =>
    (
      (await reviewer.ok(`GET S:/lessonsApplyInfo/${queue}`, { pageSize: 50, current: 1 })).records as {
        taskId: string
      }[]
    ).map(({ taskId }) => taskId)
  const first = async (queue: string) =>
    (await reviewer.ok(`GET S:/lessonsApplyInfo/${queue}`, { pageSize: 10, current: 1 })).records[0] as Fields
  // open for registration from now on, for the form says nothing else; six students wait to be let in
  const openLiId = await newCourse(world, {
    applyWay: '2',
    startTime: '2030-01-01 08:00:00',
    endTime: '2030-01-01 10:00:00',
  })
  await publishedCourse(world, openLiId)
  const students = await school.students(6, { suiCollegeId: ids.scId, majorId: ids.smId, scClassId: ids.scClassId })
  await teacher.ok('POST S:/lessonsApplyInfo/registerAdd', { liId: openLiId, suIds: students.map(({ suId }) => suId) })
  const { records } = await teacher.ok('GET S:/lessonsApplyInfo/view', { liId: openLiId })
  const laIds = (records as { laId: string }[]).map(({ laId }) => laId)
  const soon = addSeconds(school.clock.now(), 7200)
  const hiddenLiId = await newCourse(world, { startTime: soon, endTime: addSeconds(soon, 3600) })
  await publishedCourse(world, hiddenLiId)

  const noticedLiId = await newCourse(world)
  await courseWithResult(world, noticedLiId)
  await passFirst(world, 'queryResultAudit', 'resultPass')
  const today = dayOf(school.clock.now())
  await admin.ok('POST S:/lessonsInfoAC/publicty', {
    liId: noticedLiId,
    liPublictySdate: today,
    liPublictyEdate: addDays(today, 7),
  })
  const dispute = async (reporterSuId: string) =>
    (
      await admin.ok('POST S:/lessonsQuestion/add', {
        liId: noticedLiId,
        qType: '2',
        reporterSuId,
        qContent: '结果与实际不符，请核实',
      })
    ).qId as string
  const qIds = [await dispute(ids.suId), await dispute(ids.otherSuId)]
  await admin.ok('POST S:/lessonsQuestion/accept', { qIds })

  const waiting = async () => courseWithResult(world, await newCourse(world))
  await waiting()
  await waiting()
  for (const day of ['03', '04'])
    await teacher.ok('POST S:/lessonsInfoAC/submit', {
      liId: await newCourse(world, { startTime: `2030-01-${day} 08:00:00`, endTime: `2030-01-${day} 10:00:00` }),
    })
  for (const lisName of ['证书甲', '证书乙']) {
    const { lisId } = await admin.ok('POST S:/lessonsInfoSup/editSup', {
      suId: ids.suId,
      lisName,
      lsId: ids.lsId,
      lisType: '2',
      lisLevel: world.level,
      lisPartakeMode: '1',
      lisObtainDate: '2026-01-01',
    })
    await admin.ok('POST S:/lessonsInfoSup/submit', { lisId })
  }
  return {
    draftLiId: await newCourse(world, { startTime: '2030-01-05 08:00:00', endTime: '2030-01-05 10:00:00' }),
    openLiId,
    hiddenLiId,
    noticedLiId,
    laIds,
    upheldQId: (await first('queryQuestionAudit')).qId as string,
    passedLiId: (await first('queryResultAudit')).liId as string,
    passedLisId: (await first('querySupAudit')).lisId as string,
    publish: await tasks('queryPublishAudit'),
    result: await tasks('queryResultAudit'),
    sup: await tasks('querySupAudit'),
    question: await tasks('queryQuestionAudit'),
  }
}
