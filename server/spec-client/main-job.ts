import { addDays, addSeconds, dayOf } from '../core/base/clock.ts'
import { completeLessons } from '../programme/lessons/credit/completion.service.ts'
import { newSchool, testPassword, unique, type TestPerson, type TestSchool } from '../testing/school.ts'
import { SpecClient } from './spec-client.ts'

/** Whom the client acts for, and the ids of what it has made by the names of the specification. */
export interface SpecWorld {
  school: TestSchool
  admin: SpecClient
  teacher: SpecClient
  reviewer: SpecClient
  people: { teacher: TestPerson; reviewer: TestPerson }
  ids: Record<
    | 'scId'
    | 'smId'
    | 'scClassId'
    | 'suId'
    | 'otherSuId'
    | 'lsId'
    | 'esId'
    | 'atId'
    | 'adId'
    | 'wfcId'
    | 'wfId'
    | 'supFlowId'
    | 'liId'
    | 'laId'
    | 'lisId',
    string
  >
  level: string
}

/** A school in which nothing has been made yet but its people: an administrator, a teacher and a reviewer. */
async function emptyWorld(): Promise<Omit<SpecWorld, 'ids' | 'level'>> {
  const school = await newSchool()
  await school.rules({
    publictyMin: 1,
    clubFounders: 1,
    clubTeachers: 0,
    clubUnitNeeded: false,
    clubCharterNeeded: false,
  })
  const signedIn = (username: string) => SpecClient.signIn(school.address, school.schoolId, username, testPassword)
  const [teacher, reviewer] = [await school.person('GUIDE_TEACHER'), await school.person('SCHOOL_AUDIT')]
  return {
    school,
    people: { teacher, reviewer },
    admin: await signedIn('admin'),
    teacher: await signedIn(teacher.suiNumber),
    reviewer: await signedIn(reviewer.suiNumber),
  }
}

/**
 * Everything from an empty college to a course whose credit stands in the ledger, by the calls of the specification. Two
 * are not among them, for students make them with their own application: to register and to sign in.
 */
export async function mainJob(): Promise<SpecWorld> {
  const world = await emptyWorld()
  const { admin, school, people } = world
  const { scId } = await admin.ok('POST S:/schoolCollege/collegeAddOrEdit', { scName: '文学院', scCode: unique() })
  const { smId } = await admin.ok('POST S:/schoolCollege/majorAddOrEdit', {
    smName: '汉语言文学',
    smCode: unique(),
    scId,
    scSort: 1,
  })
  const { scClassId } = await admin.ok('POST S:/schoolCollege/classAddOrEdit', {
    scClassName: '文学 2024 一班',
    scId,
    smId,
    scClassSort: 1,
    scClassGrade: '2024',
  })
  const student = (suiName: string) =>
    admin.ok('POST S:/sysUserInfo/studentUserInfoAddOrEdit', {
      suiName,
      suiNumber: `S${unique()}`,
      suNickname: `${suiName}同学`,
      birth: '2005-06-07',
      suiCollegeId: scId,
      majorId: smId,
      suiGrade: '2024',
      scClassId,
    })
  const [{ suId }, { suId: otherSuId }] = [await student('安然'), await student('白露')]

  const { lsId } = await admin.ok('POST S:/lessonsClass/add', { lsName: '读书会', lsType: '3' })
  const [level] = (await admin.ok('GET S:/homePage/selectLevel')) as { id: string }[]
  const { esIds } = await admin.ok('POST S:/evaluationSystem/add', {
    courseSystemId: lsId,
    esLessonLevel: level!.id,
    baseHours: '2',
    credit: '0.5',
  })
  const { atId } = await admin.ok('POST S:/awardTemplate/add', {
    atName: '读书奖',
    atType: '1',
    details: [{ adName: '一等奖', hours: '1' }],
  })
  const { details } = await admin.ok('GET S:/awardTemplate/selectAwardTemplateDetail', { atId })
  const adId = details[0].adId as string
  const flows = await makeFlows(world, { lsId, level: level!.id })

  const now = school.clock.now()
  const { liId } = await world.teacher.ok('POST S:/lessonsInfoAC/save', {
    liName: '《红楼梦》共读',
    lsId,
    liLevel: level!.id,
    liIntro: '共读前十回',
    liPrincipalId: people.teacher.suId,
    placeText: '图书馆',
    applyWay: '5',
    quota: 30,
    startTime: addSeconds(now, -7200),
    endTime: addSeconds(now, -3600),
    atId,
  })
  const ids = { scId, smId, scClassId, suId, otherSuId, lsId, esId: esIds[0] as string, atId, adId, ...flows, liId }
  return holdCourse({ ...world, level: level!.id, ids: { ...ids, laId: '', lisId: '' } })
}

/** A flow for courses with a step each for plan and result, one for supplements: all before the reviewer. */
async function makeFlows(
  { admin, people, school }: Omit<SpecWorld, 'ids' | 'level'>,
  range: { lsId: string; level: string },
) {
  const { wfcId } = await admin.ok('POST S:/workFlow/saveWorkType', { wfcName: '读书会流程', wfcSort: 1 })
  const step = (wfsNodeName: string) => ({
    wfsNodeName,
    wfsStepName: '校级审核',
    wfsStepType: '1',
    wfsCheckerType: '1',
    wfsSort: 1,
    details: [{ wfcNodeName: wfsNodeName, wfcCheckerId: people.reviewer.suId, wfcSort: 1 }],
  })
  const { wfId } = await admin.ok('POST S:/workFlow/saveWorkInfo', {
    wfName: '读书会审批',
    wfType: '1',
    wfIcon: 'flow',
    wfDesc: '读书会的课程',
    wfcId,
    ranges: [{ srId: school.roles['GUIDE_TEACHER'], lsId: range.lsId, liLevel: range.level }],
    steps: [step('PUBLISH'), step('RESULT')],
  })
  const { wfId: supFlowId } = await admin.ok('POST S:/workFlow/saveWorkInfo', {
    wfName: '读书会补录',
    wfType: '2',
    wfIcon: 'flow',
    wfcId,
    ranges: [{ lsId: range.lsId }],
    steps: [step('SUPPLEMENT')],
  })
  return { wfcId: wfcId as string, wfId: wfId as string, supFlowId: supFlowId as string }
}

/** Approval, publication, people, result, public notice and completion of a course. */
async function holdCourse(world: SpecWorld): Promise<SpecWorld> {
  const { teacher, reviewer, admin, school, ids } = world
  const { liId, suId, otherSuId, adId } = ids
  const passFirst = async (queue: string, pass: string) => {
    const { records } = await reviewer.ok(`GET S:/lessonsApplyInfo/${queue}`, { pageSize: 10, current: 1 })
    await reviewer.ok(`POST S:/lessonsApplyInfo/${pass}`, { taskIds: [records[0].taskId] })
  }
  await teacher.ok('POST S:/lessonsInfoAC/submit', { liId })
  await passFirst('queryPublishAudit', 'publishPass')
  await teacher.ok('POST S:/lessonsInfoAC/publish', { liId })
  await teacher.ok('POST S:/lessonsApplyInfo/registerAdd', { liId, suIds: [suId, otherSuId] })
  const { records } = await teacher.ok('GET S:/lessonsApplyInfo/view', { liId })
  const laIds = (records as { laId: string; suId: string }[])
    .toSorted((a) => (a.suId === suId ? -1 : 1))
    .map((row) => row.laId)
  await teacher.ok('POST S:/lessonsApplyInfo/sign', { laIds, laSignStatus: '1' })
  await teacher.ok('POST S:/lessonsApplyInfo/setAward', { laIds: laIds.slice(0, 1), laResult: '3', adId })
  await teacher.ok('POST S:/lessonsApplyInfo/setAward', { laIds: laIds.slice(1), laResult: '1' })
  await teacher.ok('POST S:/lessonsInfoAC/resultAudit', { liId })
  await passFirst('queryResultAudit', 'resultPass')
  const today = dayOf(school.clock.now())
  const last = addDays(today, 6)
  await admin.ok('POST S:/lessonsInfoAC/publicty', { liId, liPublictySdate: today, liPublictyEdate: last })
  await completeLessons({ ...school.services, clock: { now: () => `${addDays(last, 1)} 00:00:00` } }, school.schoolId)
  return { ...world, ids: { ...ids, laId: laIds[0]! } }
}
