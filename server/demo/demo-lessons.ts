import {
  itemCategory,
  lessonForm,
  lessonKind,
  lessonStatus,
  publictyStatus,
  lessonPersonRole,
} from '../../contract/core/codes/programme.ts'
import { levelSeed } from '../setup/seeds.ts'
import { addDays, dayOf } from '../core/base/clock.ts'
import { nameOf } from '../programme/lessons/planning/series.ts'
import { termByCut } from '../school/school/calendar.ts'
import { activitiesOf, introOf, moduleWeights, maxSeats, placesFor, type Activity } from './activities.ts'
import { bulkInsert } from './bulk.ts'
import { demoApprovals } from './demo-approvals.ts'
import { personas, type DemoAccounts } from './demo-accounts.ts'
import { universityCalendar } from './demo-calendar.ts'
import type { DemoConfiguration } from './demo-configuration.ts'
import { demoRegistrations, takesPart, type DemoLesson } from './demo-registrations.ts'
import type { DemoStudent, DemoTeacher } from './demo-people.ts'
import type { DemoSchool } from './demo-school.ts'
import { byDay, hoursOf, hoursToday, stateAt, timesOf, type LessonTimes, type Planner } from './lesson-plan.ts'
import { timeApprovals } from './lesson-actions.ts'

interface People {
  students: DemoStudent[]
  teachers: DemoTeacher[]
  accounts: DemoAccounts
  configuration: DemoConfiguration
  colleges: { scId: string; scName: string; scShort: string }[]
}

/** Courses in every state with their approvals, rounds of public notice, participants, results and ledger rows. */
export async function makeLessons(school: DemoSchool, people: People): Promise<void> {
  const { db, schoolId, random, size, now } = school
  const planner = { now, random, calendar: universityCalendar() }
  const states = Array.from({ length: size.lessons }, (_, at) => (at === storyAt ? '60' : stateAt(at, random)))
  const share = size.registrations / states.filter(takesPart).length
  const principals = new Map<string, { suId: string; suiName: string }>()
  const lessons = states.map((state, at) => planLesson(school, people, planner, principals, state, at, share))
  nameInTurn(lessons, people.colleges)
  numberInTurn(lessons)
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
        ...teacherIds.map((suId) => ({ schoolId, liId: row.liId, suId, lpRole: lessonPersonRole.teacher })),
        ...signerIds.map((suId) => ({ schoolId, liId: row.liId, suId, lpRole: lessonPersonRole.signer })),
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
        codeSecret: `\\x${random.id().replaceAll('-', '')}${random.id().replaceAll('-', '')}`,
      })),
    )
    await bulkInsert(
      db,
      'publictyRound',
      part.flatMap(({ row, times, host }) =>
        times.noticeTime
          ? [
              {
                schoolId,
                liId: row.liId,
                roundNo: 1,
                liPublictySdate: times.publictyStart,
                liPublictyEdate: times.publictyEnd,
                publictyStatus: times.completeTime ? publictyStatus.ended : publictyStatus.running,
                startName: host.suiName,
                startTime: times.noticeTime,
                endName: times.completeTime ? '系统' : '',
                endTime: times.completeTime,
                endReason: times.completeTime ? '公示期满' : '',
              },
            ]
          : [],
      ),
    )
    await demoApprovals(school, part, people)
    await timeApprovals(school, part)
  }
  await demoRegistrations(school, lessons, people.students, people.configuration)
}

/**
 * The course at this place is a contest of a college, in public notice: what is told of it is in demo-irregularity.ts.
 */
const storyAt = 20

/** Minutes in which so many hours (in hundredths) can be earned. */
const lengths = [90, 120, 150, 180, 240, 300, 360, 420, 480]
const quotas = [8, 10, 15, 20, 25, 30, 40, 50, 60, 80, 100, 120, 150, 200, 300, 500]

function planLesson(
  { random, stamp, start }: DemoSchool,
  { teachers, accounts, configuration, colleges }: People,
  planner: Planner,
  principals: Map<string, { suId: string; suiName: string }>,
  wanted: string,
  at: number,
  share: number,
): DemoLesson {
  const isStory = at === storyAt
  const [llId, levelName, levelFactor] = random.weighted(
    levelSeed.map(
      (level) =>
        [
          level,
          isStory ? Number(level[0] === '6') : ({ '5': 40, '6': 42, '7': 8, '8': 5 }[level[0] as string] ?? 1),
        ] as const,
    ),
  )
  const { code, activity, times, state } = planTimes(planner, configuration, wanted, llId, at)
  const moduleId = start.curriculum[code]!
  const lsId = start.curriculum[`${code}/${activity.node}`]!
  const college = isStory
    ? colleges.length - 1
    : random.odds(0.25) || at < 20
      ? 0
      : random.whole(0, colleges.length - 1)
  const own = at < 20 || (college === 0 && random.odds(0.3))
  const key = `${college} ${activity.name}`
  const staff = teachers.filter((teacher) => teacher.college === college)
  // whoever decides about the story's course is not its principal
  const chosen = isStory ? (staff[1] ?? staff[0]!) : (principals.get(key) ?? random.one(staff))
  principals.set(key, chosen)
  const principal = own ? { suId: accounts.teacher, suiName: personas.teacher } : chosen
  const host = college === 0 ? { suId: accounts.college, suiName: personas.college } : staff[0]!
  const rule = configuration.rules[`${code}/${llId}`]!
  const template =
    activity.liKind === lessonKind.competition || activity.liKind === lessonKind.performance
      ? configuration.awards[activity.place === 'sport' ? 1 : 0]!
      : random.odds(0.25)
        ? configuration.awards[2]!
        : undefined
  const status = state.split('.')[0]!
  const room = maxSeats(activity.place)
  const count = Math.min(room, Math.max(isStory ? 10 : 3, Math.round(share * (0.4 + 1.2 * random.next()))))
  const quota = random.one(quotas.filter((one) => one >= count && one <= Math.max(count * 1.6, 8)).slice(0, 3)) ?? count
  const applyWay = random.weighted([
    ['2', 60],
    ['1', 25],
    ['5', 15],
  ])
  const isPublished = times.publishTime !== null
  const lastAct =
    [times.completeTime, times.exitTime, times.noticeTime, times.resultDecided[0], times.resultTime].find(Boolean) ??
    times.publishTime ??
    times.decided[0] ??
    times.submitTime ??
    times.createTime
  const row = {
    ...stamp,
    createTime: times.createTime,
    updateTime: lastAct,
    updateBy: state === lessonStatus.draft || times.completeTime ? null : principal.suId,
    createBy: principal.suId,
    createName: principal.suiName,
    liId: random.id(),
    liNo: '',
    liName: activity.name,
    lsId,
    lsPath: `{${moduleId},${lsId}}`,
    liStatus: status,
    liLevel: llId,
    liKind: activity.liKind,
    liForm: ['outside', 'field'].includes(activity.place) ? lessonForm.offCampus : lessonForm.onSite,
    itemCategory: itemCategory.single,
    parentLiId: null as string | null,
    liIntro: introOf(activity, colleges[college]!.scName, applyWay, random.whole(0, 3)),
    liCollegeId: colleges[college]!.scId,
    liSponsorName: colleges[college]!.scName,
    liPrincipalId: principal.suId,
    liPrincipalName: principal.suiName,
    contactName: principal.suiName,
    contactPhone: '010-6278' + String(random.whole(1000, 9999)),
    campus: random.odds(0.8) ? '主校区' : '东校区',
    placeText: activity.at ?? random.one(placesFor(activity.place, quota)),
    applyWay,
    quota,
    applyStart: times.applyStart,
    applyEnd: times.applyEnd,
    startTime: times.startTime,
    endTime: times.endTime,
    signType: random.one(['{1,5}', '{1,5,6}', '{3,5}']),
    liHours: rule.baseHours,
    liCredit: rule.credit,
    liPoints: rule.baseHours,
    atId: template?.atId ?? null,
    esId: rule.esId,
    publictyDays: times.publictyDays,
    liPublictySdate: times.publictyStart,
    liPublictyEdate: times.publictyEnd,
    publishTime: times.publishTime,
    publishBy: isPublished ? principal.suId : null,
    completeTime: times.completeTime,
    resultSummary: times.resultTime
      ? random.one([
          '活动按计划完成，参与同学反响良好，名单与奖项已核对。',
          '到场情况正常，签到与名单一致，按评价规则认定学时。',
          '活动顺利结束，缺席同学已逐一核实，请审核。',
        ])
      : '',
    exitReason: times.exitTime
      ? random.one(['因场地调整，活动改期举行', '主讲人临时有公务，无法到场', '天气预报有暴雨，为安全起见'])
      : '',
    applyCount: 0,
    pendingCount: 0,
    passCount: 0,
    signCount: 0,
    resultCount: 0,
  }
  return {
    row,
    state,
    times,
    host,
    levelName,
    levelFactor,
    moduleId,
    moduleCode: code,
    college,
    teacherIds: [principal.suId],
    signerIds: own ? [accounts.secretary] : [],
    principal,
    template,
    wanted: count,
  }
}

/** What is done and when: some activity that fits the state and the season. */
function planTimes(
  planner: Planner,
  configuration: DemoConfiguration,
  wanted: string,
  llId: string,
  at: number,
): { code: string; activity: Activity; times: LessonTimes; state: string } {
  const { random, now, calendar } = planner
  const season = calendar.kindOf(dayOf(now))
  const inVacation = season === 'summer' || season === 'winter' ? season : undefined
  const isPast = wanted === '70' || wanted === '80'
  const pick = (fits: (activity: Activity) => boolean) => {
    const open = moduleWeights.filter(([code]) => activitiesOf[code]!.some(fits))
    const code = random.weighted(open)
    return { code, activity: random.one(activitiesOf[code]!.filter(fits)) }
  }
  const lengthOf = (code: string) => {
    const need = configuration.rules[`${code}/${llId}`]!.baseHours * 0.6
    const enough = lengths.filter((one) => one >= need)
    return random.one(enough.slice(0, 2)) ?? lengths.at(-1)!
  }
  const isNow = (activity: Activity) => inVacation !== undefined && activity.when === inVacation
  let chosen = pick(({ when, liKind, place }) =>
    at === storyAt
      ? liKind === lessonKind.competition && place !== 'sport' && when === undefined
      : isPast || when === undefined,
  )
  let hours: [string, string] | undefined
  if (wanted === '30.4') {
    const today = random.odds(0.7) ? hoursToday(planner, lengthOf(chosen.code), byDay(chosen.activity)) : undefined
    if (!today) chosen = pick((activity) => (inVacation ? isNow(activity) : activity.when === 'long'))
    hours = today ?? hoursOf(wanted, planner, chosen.activity.when, 0)
  }
  // the first completed one is of these weeks, so that the list is never without one that is not archived
  const isFirst = wanted === '70' && at < 20
  hours ??= hoursOf(
    isFirst ? '60' : wanted,
    planner,
    isFirst ? undefined : chosen.activity.when,
    lengthOf(chosen.code),
    byDay(chosen.activity),
  )
  if (isFirst && chosen.activity.when) chosen = pick(({ when }) => when === undefined)
  const [startTime, endTime] = hours
  const lately = addDays(now, -28)
  const times = timesOf(wanted, planner, startTime, endTime, isFirst && endTime < lately ? lately : endTime)
  const term = termByCut(dayOf(now), { springStart: '02-15', autumnStart: '08-16' })
  const isArchived =
    wanted === '70' && startTime < term.tmStart && times.completeTime! < `${addDays(dayOf(now), -30)} 00:00:00`
  return { ...chosen, times, state: isArchived ? lessonStatus.archived : wanted }
}

/**
 * Names courses after their host; those that are held again and again by the same person are a series, and contests
 * bear their year.
 */
function nameInTurn(lessons: readonly DemoLesson[], colleges: People['colleges']): void {
  const groups = new Map<string, DemoLesson[]>()
  for (const lesson of lessons.toSorted((a, b) => (a.row.startTime < b.row.startTime ? -1 : 1))) {
    const { row, college } = lesson
    const short = colleges[college]!.scShort
    const yearly =
      row['liKind'] === lessonKind.competition || row['liKind'] === lessonKind.performance
        ? `${row.startTime.slice(0, 4)}年`
        : ''
    row.liName = `${short}${short.endsWith('院') ? '' : '学院'}${yearly}${row.liName}`
    const group = groups.get(row.liName) ?? []
    groups.set(row.liName, [...group, lesson])
  }
  for (const [base, group] of groups) {
    if (group.length === 1) continue
    const heads = new Map<string, string>()
    for (const [at, { row, principal }] of group.entries()) {
      row.liName = nameOf(base, at + 1)
      const head = heads.get(principal.suId)
      row['itemCategory'] = head
        ? itemCategory.seriesItem
        : group.some((one) => one.row !== row && one.principal.suId === principal.suId)
          ? itemCategory.seriesFirst
          : itemCategory.single
      row['parentLiId'] = head ?? null
      heads.set(principal.suId, head ?? row.liId)
    }
  }
}

/** Numbers as the service gives them: month by month, in the order of their making. */
function numberInTurn(lessons: readonly DemoLesson[]): void {
  const last = new Map<string, number>()
  for (const { row } of lessons.toSorted((a, b) => (a.row.createTime < b.row.createTime ? -1 : 1))) {
    const head = `EK${row.createTime.slice(0, 4)}${row.createTime.slice(5, 7)}-`
    const number = (last.get(head) ?? 0) + 1
    last.set(head, number)
    row['liNo'] = head + String(number).padStart(4, '0')
  }
}
