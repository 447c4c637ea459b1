import { isOneOf } from '../../contract/core/codes/code-list.ts'
import { yesNo } from '../../contract/core/codes/platform.ts'
import {
  applyStatus,
  lessonStatus,
  resultStatus,
  signStatus,
  supplementStatus,
} from '../../contract/core/codes/programme.ts'
import { personType, studentStatus } from '../../contract/core/codes/school.ts'
import { addDays, addMinutes } from '../core/base/clock.ts'
import { bulkInsert } from '../demo/bulk.ts'
import { createRandom, type Random } from '../demo/random.ts'
import { newId } from '../core/base/ids.ts'
import { newSchool, unique, type TestSchool } from './school.ts'
import { addApprovals } from './statistics-approvals.ts'
import { addCircles } from './statistics-circles.ts'

const { accepted } = applyStatus
const { completed, archived } = lessonStatus
const { unrated, passed, awarded } = resultStatus
const attended = [signStatus.signedIn, signStatus.late, signStatus.signedOut, signStatus.madeUp]

/**
 * A generated school of a size at which every row can be looked at: people of every standing, courses in every state,
 * records and reversals.
 */
export interface StatisticsWorld {
  school: TestSchool
  colleges: string[]
  majors: string[]
  classes: { scClassId: string; scId: string; smId: string; grade: string }[]
  students: string[]
  staff: string[]
  lessons: string[]
  /** Circles and their categories; a department guides some of the circles. */
  circles: string[]
  circleClasses: string[]
  sdId: string
  random: Random
}

const levels = ['2', '3', '5', '6'] as const
const statuses = ['0', '10', '20', '30', '40', '50', '60', '61', '70', '70', '70', '80', '90', '91', '92'] as const

export async function statisticsWorld(
  seed: number,
  size = { students: 70, staff: 9, lessons: 45, supplements: 60, logins: 160, circles: 9 },
): Promise<StatisticsWorld> {
  const random = createRandom(seed)
  const school = await newSchool()
  const {
    ctx: { db, clock },
    schoolId,
    curriculum,
    labels,
  } = school
  const now = clock.now()
  const stamp = { schoolId, createTime: now, updateTime: now }
  const ago = (days: number) => addMinutes(addDays(now, -random.whole(0, days)), -random.whole(0, 1400))
  const colleges = [await school.college(), await school.college(), await school.college()]
  // the first college has two majors
  const homes = [0, 0, 1, 2].map((at) => colleges[at]!)
  const majors = await Promise.all(homes.map((scId) => school.major(scId)))
  const classes = await Promise.all(
    [0, 0, 1, 2, 2, 3].map(async (at, nth) => {
      const grade = ['2023', '2024'][nth % 2]!
      return {
        scClassId: await school.schoolClass(majors[at]!, homes[at]!, { scClassGrade: grade }),
        scId: homes[at]!,
        smId: majors[at]!,
        grade,
      }
    }),
  )
  let numbers = 1000
  const person = (suiType: string, more: Record<string, unknown>) => ({
    ...stamp,
    suId: newId(),
    suiType,
    suiName: `人${unique()}`,
    suiNumber: String(++numbers),
    suiSex: random.one(['0', '1', '2', '2', '9']),
    suiPolitical: random.weighted([
      ['03', 50],
      ['13', 30],
      ['01', 4],
      [null, 3],
    ] as const),
    suiEnterDate: null as string | null,
    title: null as string | null,
    ...more,
  })
  const students = Array.from({ length: size.students }, () => {
    const at = random.one(classes)
    const placed = random.odds(0.95)
      ? { suiCollegeId: at.scId, majorId: at.smId, scClassId: at.scClassId, suiGrade: at.grade }
      : {
          suiCollegeId: random.one([...colleges, null]),
          majorId: null,
          scClassId: null,
          suiGrade: random.one(['2023', null]),
        }
    return person(personType.student, {
      ...placed,
      suiStatus: random.weighted([
        ['1', 85],
        ['2', 5],
        ['4', 10],
      ] as const),
      suiCredibility: random.one([100, 100, 95, 83, 70, 40, 112]),
      blackUntil: random.odds(0.1) ? addDays(now, random.one([-3, 5])) : null,
      suiEnterDate: random.one([null, '2023-09-01', now.slice(0, 10)]),
      delFlag: random.odds(0.04) ? yesNo.yes : yesNo.no,
    })
  })
  const staff = Array.from({ length: size.staff }, () =>
    person(personType.teacher, {
      suiCollegeId: random.odds(0.8) ? random.one(colleges) : null,
      suiStatus: random.odds(0.85) ? studentStatus.enrolled : studentStatus.suspended,
      title: random.one([null, '1', '3']),
    }),
  )
  await bulkInsert(
    db,
    'person',
    students.map((row) => ({ ...row })),
  )
  await bulkInsert(
    db,
    'person',
    staff.map((row) => ({ ...row })),
  )

  const nodes = ['SXCL', 'CXCY', 'WTHD'].flatMap((code) =>
    Object.keys(curriculum)
      .filter((key) => key.startsWith(`${code}/`))
      .slice(0, 2)
      .map((key) => ({ moduleId: curriculum[code]!, lsId: curriculum[key]! })),
  )
  const sqlIds = Object.values(labels).slice(1, 4)
  const plans = nodes.map(({ lsId }, at) => ({
    schoolId,
    esId: newId(),
    lsId,
    esName: `规则${at}`,
    esLessonLevel: '3',
    abilityRules: random
      .some(sqlIds, random.whole(0, 2))
      .map((sqlId) => ({ sqlId, weight: random.one([33, 50, 100]) })),
  }))
  await bulkInsert(db, 'evaluation', plans)
  const lessons = Array.from({ length: size.lessons }, (_, at) => {
    const node = random.one(nodes)
    const startTime = ago(500)
    const liStatus = random.one(statuses)
    const published =
      !isOneOf(liStatus, lessonStatus.draft, lessonStatus.publishInReview, lessonStatus.publishPassed) ||
      random.odds(0.1)
    return {
      ...stamp,
      liId: newId(),
      liNo: `W${at}`,
      liName: `课程${at}`,
      lsId: node.lsId,
      lsPath: `{${node.moduleId},${node.lsId}}`,
      liStatus,
      liLevel: random.one(levels),
      liCollegeId: random.odds(0.85) ? random.one(colleges) : null,
      liPrincipalId: random.one(staff).suId,
      quota: 100,
      startTime,
      endTime: addMinutes(startTime, 120),
      publishTime: published ? addDays(startTime, -random.whole(1, 20)) : null,
      liHours: random.one([100, 150, 200]),
      delFlag: random.odds(0.05) ? yesNo.yes : yesNo.no,
      moduleId: node.moduleId,
      esId: random.odds(0.8) ? plans.find(({ lsId }) => lsId === node.lsId)!.esId : null,
      liSponsorName: random.one(['校团委', '学生会']),
      liPrincipalName: '负责人',
    }
  })
  await bulkInsert(
    db,
    'lesson',
    lessons.map(({ moduleId: _, ...row }) => row),
  )
  await bulkInsert(
    db,
    'lessonPerson',
    lessons.flatMap(({ liId }) =>
      random
        .some(staff, random.whole(0, 2))
        .map(({ suId }) => ({ schoolId, liId, suId, lpRole: random.one(['teacher', 'signer']) })),
    ),
  )
  await bulkInsert(
    db,
    'lessonSession',
    lessons.flatMap(({ liId, startTime, endTime }) =>
      Array.from({ length: random.whole(0, 3) }, (_, at) => ({
        schoolId,
        liId,
        lseNo: at + 1,
        startTime,
        endTime,
        codeSecret: '\\x00',
      })),
    ),
  )

  const ledger: Record<string, unknown>[] = []
  const grant = (row: {
    suId: string
    bizId: string
    lsId: string
    moduleId: string
    source: string
    occurTime: string
  }) => {
    const entries = [
      ['1', null, random.one([100, 150, 200])],
      ['2', null, random.one([0, 10, 20])],
      ...random.some(sqlIds, random.whole(0, 2)).map((sqlId) => ['5', sqlId, random.one([50, 100, 175])]),
    ] as [string, string | null, number][]
    const reversed = random.odds(0.12)
    for (const [clType, sqlId, clValue] of entries) {
      const first = {
        schoolId,
        clId: newId(),
        ...row,
        clType,
        sqlId,
        clValue,
        bizName: '记录',
        explain: {},
        grantedAt: addDays(row.occurTime, 5),
        reverseOf: null as string | null,
      }
      ledger.push(first)
      if (reversed)
        ledger.push({
          ...first,
          clId: newId(),
          clValue: -clValue,
          source: 'REVERSE',
          reverseOf: first.clId,
          occurTime: addDays(row.occurTime, random.one([0, 40])),
          grantedAt: addDays(row.occurTime, 40),
        })
    }
  }
  const registrations = lessons.flatMap((lesson) =>
    random.some(students, random.whole(0, 12)).map(({ suId }) => {
      const laStatus = random.weighted([
        ['1', 80],
        ['0', 5],
        ['2', 5],
        ['4', 5],
        ['7', 5],
      ] as const)
      const { lsId, moduleId } = lesson
      const laSignStatus =
        laStatus === accepted ? random.one(['0', '1', '1', '2', '3', '4', '5', '6', '7']) : signStatus.notSigned
      const laResult = isOneOf(laSignStatus, ...attended) ? random.one(['0', '1', '2', '3']) : unrated
      if (isOneOf(laResult, passed, awarded) && isOneOf(lesson.liStatus, completed, archived))
        grant({ suId, bizId: lesson.liId, lsId, moduleId, source: 'LESSON', occurTime: lesson.startTime })
      return {
        schoolId,
        laId: newId(),
        liId: lesson.liId,
        suId,
        laStatus,
        laSignStatus,
        laResult,
        applyTime: now,
        updateTime: now,
        delFlag: random.odds(0.05) ? yesNo.yes : yesNo.no,
        laStars: random.odds(0.3) ? random.whole(1, 5) : null,
      }
    }),
  )
  await bulkInsert(db, 'registration', registrations)
  const supplements = Array.from({ length: size.supplements }, () => {
    const node = random.one(nodes)
    const row = {
      ...stamp,
      lisId: newId(),
      lisName: random.one(['竞赛', '证书', '志愿服务']),
      suId: random.one(students).suId,
      lsId: node.lsId,
      lsPath: `{${node.moduleId},${node.lsId}}`,
      lisType: random.one(['1', '2', '6']),
      lisLevel: random.one(levels),
      lisObtainDate: addDays(now, -30).slice(0, 10),
      createTime: ago(500),
      lisHours: random.one([100, 250]),
      lisStatus: random.one(['0', '1', '2', '3', '4', '5', '6', '6']),
      lisAward: random.one(['', '一等奖']),
      lisOrg: random.one(['', '市团委']),
      refuseReason: '',
      delFlag: random.odds(0.05) ? yesNo.yes : yesNo.no,
    }
    if (row.lisStatus === supplementStatus.refused) row.refuseReason = random.one(['材料不全', '时间不符', ''])
    if (row.lisStatus === supplementStatus.credited)
      grant({
        suId: row.suId,
        bizId: row.lisId,
        lsId: node.lsId,
        moduleId: node.moduleId,
        source: 'SUP',
        occurTime: row.createTime,
      })
    return row
  })
  await bulkInsert(db, 'supplement', supplements)
  await bulkInsert(db, 'creditLedger', ledger)
  await addApprovals(
    {
      school,
      staff: staff.map(({ suId }) => suId),
      lessons: lessons.map(({ liId }) => liId),
      random,
    },
    supplements.map(({ lisId }) => lisId),
  )
  const days = new Map<string, Record<string, unknown>>()
  for (let made = 0; made < size.logins; made++) {
    const [suId, at] = [random.one([...students, ...staff]).suId, ago(random.one([6, 40, 420]))]
    const hours = Array.from({ length: 24 }, () => 0)
    for (let more = random.whole(1, 3); more > 0; more--) hours[random.whole(7, 22)]! += 1
    days.set(`${suId}${at.slice(0, 10)}`, {
      schoolId,
      suId,
      logDay: at.slice(0, 10),
      times: hours.reduce((sum, n) => sum + n, 0),
      hours: `{${hours.join(',')}}`,
      lastTime: at,
      ip: random.one(['10.1.2.3', '2001:db8:1:2::7', '']),
      agent: random.one(['Mozilla/5.0 (Windows NT 10.0)', 'Mozilla/5.0 (iPhone)', 'MicroMessenger Android', '']),
    })
  }
  await bulkInsert(db, 'loginDay', [...days.values()])
  const made = await addCircles(
    {
      school,
      colleges,
      students: students.map(({ suId }) => suId),
      staff: staff.map(({ suId }) => suId),
      lessons: lessons.map(({ liId }) => liId),
      random,
    },
    size.circles,
  )
  return {
    school,
    ...made,
    colleges,
    majors,
    classes,
    students: students.map(({ suId }) => suId),
    staff: staff.map(({ suId }) => suId),
    lessons: lessons.map(({ liId }) => liId),
    random,
  }
}
