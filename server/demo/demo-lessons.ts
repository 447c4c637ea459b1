import { curriculumSeed, levelSeed } from '../setup/seeds.ts'
import { bulkInsert } from './bulk.ts'
import { demoApprovals } from './demo-approvals.ts'
import type { DemoAccounts } from './demo-accounts.ts'
import type { DemoConfiguration } from './demo-configuration.ts'
import { demoRegistrations, type DemoLesson } from './demo-registrations.ts'
import type { DemoStudent, DemoTeacher } from './demo-people.ts'
import type { DemoSchool } from './demo-school.ts'
import { stateAt, timesOf } from './lesson-plan.ts'
import { activityNames, places } from './names.ts'

interface People {
  students: DemoStudent[]
  teachers: DemoTeacher[]
  accounts: DemoAccounts
  configuration: DemoConfiguration
  colleges: { scId: string; scName: string; scShort: string }[]
}

/** Courses in every state with their approvals, participants, results and ledger rows. */
export async function makeLessons(school: DemoSchool, people: People): Promise<void> {
  const { db, schoolId, luck, size } = school
  const lessons = Array.from({ length: size.lessons }, (_, at) => planLesson(school, people, at))
  for (let at = 0; at < lessons.length; at += 1000) {
    const part = lessons.slice(at, at + 1000)
    await bulkInsert(
      db,
      'lesson',
      part.map(({ row }) => row),
    )
    await bulkInsert(
      db,
      'lessonPerson',
      part.flatMap(({ row, teacherIds, signerIds }) => [
        ...teacherIds.map((suId) => ({ schoolId, liId: row.liId, suId, lpRole: 'teacher' })),
        ...signerIds.map((suId) => ({ schoolId, liId: row.liId, suId, lpRole: 'signer' })),
      ]),
    )
    await bulkInsert(
      db,
      'lessonSession',
      part.map(({ row }) => ({
        schoolId,
        liId: row.liId,
        lseNo: 1,
        startTime: row.startTime,
        endTime: row.endTime,
        placeText: row.placeText,
        codeSecret: `\\x${luck.id().replaceAll('-', '')}${luck.id().replaceAll('-', '')}`,
      })),
    )
    await demoApprovals(school, part, people)
  }
  await demoRegistrations(school, lessons, people.students, people.configuration)
}

function planLesson(
  school: DemoSchool,
  { teachers, accounts, configuration, colleges }: People,
  at: number,
): DemoLesson {
  const { luck, stamp, start, now } = school
  const state = stateAt(at, luck)
  const times = timesOf(state, now, luck)
  const [code, , children] = luck.one(curriculumSeed)
  const moduleId = start.curriculum[code]!
  const lsId = start.curriculum[`${code}/${luck.one(children as readonly string[])}`]!
  const [llId, levelName, levelFactor] = luck.weighted(
    levelSeed.map((level) => [level, { '5': 40, '6': 42, '7': 8, '8': 5 }[level[0] as string] ?? 2] as const),
  )
  const college = luck.odds(0.25) || at < 20 ? 0 : luck.whole(0, colleges.length - 1)
  const own = at < 20 || (college === 0 && luck.odds(0.3))
  const principal = own
    ? { suId: accounts.teacher, suiName: '王老师' }
    : luck.one(teachers.filter((teacher) => teacher.college === college))
  const rule = configuration.rules[`${code}/${llId}`]!
  const template =
    code === 'CXCY' || code === 'WTHD'
      ? configuration.awards[luck.whole(0, 1)]!
      : luck.odds(0.3)
        ? configuration.awards[2]!
        : undefined
  const name = luck.one(activityNames[code]!).replace('#', String(luck.whole(1, 12)))
  const status = state.split('.')[0]!
  const quota = luck.one([30, 40, 60, 80, 120, 200])
  const row = {
    ...stamp,
    createTime: times.createTime,
    updateTime: times.createTime,
    createBy: principal.suId,
    createName: principal.suiName,
    liId: luck.id(),
    liNo: `EK${times.createTime.slice(0, 7).replace('-', '')}-${String(at + 1).padStart(5, '0')}`,
    liName: `${colleges[college]!.scShort}${name}${at % 7 === 0 ? `（${times.startTime.slice(0, 4)}）` : ''}`,
    lsId,
    lsPath: `{${moduleId},${lsId}}`,
    liStatus: status,
    liLevel: llId,
    liKind: luck.one(['1', '2', '3', '3', '7']),
    liIntro: `${name}由${colleges[college]!.scName}主办，面向全校学生开放，欢迎报名参加。\n活动内容包括主题讲解、分组实践与交流展示，全程参加并签到的同学可获得相应学时。`,
    liCollegeId: colleges[college]!.scId,
    liSponsorName: colleges[college]!.scName,
    liPrincipalId: principal.suId,
    liPrincipalName: principal.suiName,
    contactName: principal.suiName,
    contactPhone: '010-6278' + String(luck.whole(1000, 9999)),
    campus: luck.odds(0.8) ? '主校区' : '东校区',
    placeText: luck.one(places),
    applyWay: luck.weighted([
      ['2', 60],
      ['1', 25],
      ['5', 15],
    ]),
    quota,
    applyStart: times.applyStart,
    applyEnd: times.applyEnd,
    startTime: times.startTime,
    endTime: times.endTime,
    signType: '{5,6}',
    liHours: rule.baseHours,
    liCredit: rule.credit,
    liPoints: rule.baseHours,
    atId: template?.atId ?? null,
    esId: rule.esId,
    liPublictySdate: times.publictyStart,
    liPublictyEdate: times.publictyEnd,
    publishTime: times.publishTime,
    completeTime: times.completeTime,
    resultSummary: ['40', '50', '60', '70', '80'].includes(status)
      ? '活动按计划完成，参与同学反响良好，名单与奖项已核对。'
      : '',
    exitReason: ['90', '91', '92'].includes(status) ? '因场地调整，活动改期举行' : '',
    applyCount: 0,
    pendingCount: 0,
    passCount: 0,
    signCount: 0,
    resultCount: 0,
  }
  return {
    row,
    state,
    levelName,
    levelFactor,
    moduleId,
    moduleCode: code,
    college,
    teacherIds: [principal.suId],
    signerIds: own ? [accounts.secretary] : [],
    principal,
    template,
    wanted: 0,
  }
}
