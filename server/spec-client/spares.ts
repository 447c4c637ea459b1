import { unique } from '../testing/school.ts'
import type { SpecWorld } from './main-job.ts'

/** Records that nothing hangs on, one of each kind: for the calls that delete, refuse or leave them. */
export async function spareRecords({ admin, ids, people, school }: SpecWorld) {
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
  const levels = (await admin.ok('GET S:/homePage/selectLevel')) as { id: string }[]
  const { esIds } = await admin.ok('POST S:/evaluationSystem/add', {
    courseSystemId: ids.lsId,
    esLessonLevel: levels[1]!.id,
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
  await admin.ok('POST S:/informationInfo/sendMessage', {
    suIds: [people.teacher.suId, school.adminId],
    iiTitle: '开会',
    iiContent: '周三下午开会',
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
  const draft = () =>
    admin.ok('POST S:/lessonsInfoAC/save', {
      liName: unique(),
      lsId: ids.lsId,
      liLevel: levels[0]!.id,
      liIntro: '介绍',
      liPrincipalId: people.teacher.suId,
      placeText: '教室',
      applyWay: '5',
      quota: 5,
      startTime: '2030-01-01 08:00:00',
      endTime: '2030-01-01 10:00:00',
    })
  const record = () =>
    admin.ok('POST S:/lessonsInfoSup/editSup', {
      suId: ids.suId,
      lisName: unique(),
      lsId: ids.lsId,
      lisType: '2',
      lisLevel: levels[0]!.id,
      lisPartakeMode: '1',
      lisObtainDate: '2026-01-01',
    })
  const [lesson, supplement] = [await draft(), await record()]
  return {
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
    liId: lesson.liId as string,
    lisId: supplement.lisId as string,
  }
}
