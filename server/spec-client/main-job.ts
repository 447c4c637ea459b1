import { addDays, addSeconds, dayOf } from '../core/base/clock.ts'
import { completeLessons } from '../programme/lessons/credit/completion.service.ts'
import { newSchool, testPassword, unique, type TestPerson, type TestSchool } from '../testing/school.ts'
import { SpecClient, type Fields } from './spec-client.ts'

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
    | 'laId',
    string
  >
  level: string
}

/** A school with a college in which nothing has been made yet but its people: a teacher and a reviewer. */
async function emptyCollege(): Promise<Omit<SpecWorld, 'ids' | 'level'> & { scId: string }> {
  const school = await newSchool()
  await school.rules({
    publictyMin: 1,
    clubFounders: 1,
    clubTeachers: 0,
    clubUnitNeeded: '0',
    clubCharterNeeded: '0',
  })
  const signedIn = (username: string) => SpecClient.signIn(school.address, school.schoolId, username, testPassword)
  const admin = await signedIn('admin')
  const { scId } = await admin.ok('POST S:/schoolCollege/collegeAddOrEdit', { scName: '文学院', scCode: unique() })
  const place = { suiCollegeId: scId as string }
  const [teacher, reviewer] = [
    await school.person('GUIDE_TEACHER', [], place),
    await school.person('SCHOOL_AUDIT', [], place),
  ]
  return {
    school,
    admin,
    scId: scId as string,
    people: { teacher, reviewer },
    teacher: await signedIn(teacher.suiNumber),
    reviewer: await signedIn(reviewer.suiNumber),
  }
}

/**
 * Everything from an empty college to a course whose credit stands in the ledger, by the calls of the specification.
 * Two are not among them, for students make them with their own application: to register and to sign in.
 */
export async function mainJob(): Promise<SpecWorld> {
  const { scId, ...world } = await emptyCollege()
  const { admin, school } = world
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
  const [level] = (await admin.ok('GET S:/homePage/selectLevel')) as { llId: string }[]
  const { esIds } = await admin.ok('POST S:/evaluationSystem/add', {
    courseSystemId: lsId,
    esLessonLevel: level!.llId,
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
  const flows = await makeFlows(world, { lsId, level: level!.llId })

  const ids = { scId, smId, scClassId, suId, otherSuId, lsId, esId: esIds[0] as string, atId, adId, ...flows }
  const made: SpecWorld = { ...world, level: level!.llId, ids: { ...ids, liId: '', laId: '' } }
  const liId = await newCourse(made, { liName: '《红楼梦》共读', atId })
  const laId = await courseWithResult(made, liId)
  await passFirst(made, 'queryResultAudit', 'resultPass')
  const today = dayOf(school.clock.now())
  const last = addDays(today, 6)
  await admin.ok('POST S:/lessonsInfoAC/publicty', { liId, liPublictySdate: today, liPublictyEdate: last })
  await completeLessons({ ...school.services, clock: { now: () => `${addDays(last, 1)} 00:00:00` } }, school.schoolId)
  return { ...made, ids: { ...made.ids, liId, laId } }
}

let courses = 0
/** A draft of the teacher's, of a course that was held some hours ago unless told otherwise. */
export async function newCourse(
  { teacher, people, school, ids, level }: SpecWorld,
  more: Fields = {},
): Promise<string> {
  // no two at the same time, so that the same students may be in all
  const begin = addSeconds(school.clock.now(), -7200 * ++courses)
  const { liId } = await teacher.ok('POST S:/lessonsInfoAC/save', {
    liName: unique(),
    lsId: ids.lsId,
    liLevel: level,
    liIntro: '共读前十回',
    liPrincipalId: people.teacher.suId,
    placeText: '图书馆',
    applyWay: '5',
    quota: 30,
    startTime: begin,
    endTime: addSeconds(begin, 3600),
    ...more,
  })
  return liId as string
}

/** What has waited longest in a queue of the reviewer passes. */
export async function passFirst({ reviewer }: SpecWorld, queue: string, pass: string): Promise<void> {
  const { records } = await reviewer.ok(`GET S:/lessonsApplyInfo/${queue}`, { pageSize: 10, current: 1 })
  await reviewer.ok(`POST S:/lessonsApplyInfo/${pass}`, { taskIds: [records[0].taskId] })
}

/** Puts a draft before the reviewer, who passes it, and publishes it. */
export async function publishedCourse(world: SpecWorld, liId: string): Promise<void> {
  await world.teacher.ok('POST S:/lessonsInfoAC/submit', { liId })
  await passFirst(world, 'queryPublishAudit', 'publishPass')
  await world.teacher.ok('POST S:/lessonsInfoAC/publish', { liId })
}

/**
 * From a draft to a result before the reviewer: the first student wins the award, the other one passes.
 * @returns the first student's registration
 */
export async function courseWithResult(world: SpecWorld, liId: string): Promise<string> {
  const { teacher, ids } = world
  const { suId, otherSuId, adId } = ids
  await publishedCourse(world, liId)
  await teacher.ok('POST S:/lessonsApplyInfo/registerAdd', { liId, suIds: [suId, otherSuId] })
  const { records } = await teacher.ok('GET S:/lessonsApplyInfo/view', { liId })
  const rows = records as { laId: string; suId: string }[]
  const laId = rows.find((row) => row.suId === suId)!.laId
  const laIds = rows.map((row) => row.laId)
  await teacher.ok('POST S:/lessonsApplyInfo/sign', { laIds, laSignStatus: '1' })
  await teacher.ok('POST S:/lessonsApplyInfo/setAward', { laIds, laResult: '1' })
  const { atId } = await teacher.ok('GET S:/lessonsInfoAC/queryLessonsDetails', { liId })
  if (atId) await teacher.ok('POST S:/lessonsApplyInfo/setAward', { laIds: [laId], adId })
  await teacher.ok('POST S:/lessonsInfoAC/resultAudit', { liId })
  return laId
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
    ranges: ['GUIDE_TEACHER', 'SCHOOL_ADMIN'].map((role) => ({
      srId: school.roles[role],
      lsId: range.lsId,
      liLevel: range.level,
    })),
    steps: [step('PUBLISH'), step('RESULT'), step('PUBLICITY')],
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
