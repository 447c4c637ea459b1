import { yesNo } from '../../contract/core/codes/platform.ts'
import {
  applyStatus,
  applyWay,
  creditType,
  lessonStatus,
  partakeMode,
  resultStatus,
  signStatus,
  signType,
} from '../../contract/core/codes/programme.ts'
import { addDays, addSeconds, dayOf, secondsBetween } from '../core/base/clock.ts'
import { entriesFor, type CreditEntry, type Rated } from '../programme/credits/rules.ts'
import { bulkInsert } from './bulk.ts'
import type { DemoConfiguration } from './demo-configuration.ts'
import type { DemoStudent } from './demo-people.ts'
import type { DemoSchool } from './demo-school.ts'
import type { LessonTimes } from './lesson-plan.ts'

/** A planned course: its row and what the later makers need to know of it. */
export interface DemoLesson {
  row: Record<string, unknown> & {
    liId: string
    liName: string
    lsId: string
    liStatus: string
    quota: number
    applyWay: string
    esId: string
    startTime: string
    endTime: string
    createTime: string
    publishTime: string | null
    completeTime: string | null
    placeText: string
    liHours: number
  }
  state: string
  times: LessonTimes
  /** Who puts its result into public notice. */
  host: { suId: string; suiName: string }
  levelName: string
  levelFactor: number
  moduleId: string
  moduleCode: string
  college: number
  teacherIds: string[]
  signerIds: string[]
  principal: { suId: string; suiName: string }
  template: DemoConfiguration['awards'][number] | undefined
  /** How many take part. */
  wanted: number
}

const rated = new Set<string>([
  lessonStatus.resultInReview,
  lessonStatus.resultRefused,
  lessonStatus.resultPassed,
  lessonStatus.inNotice,
  lessonStatus.completed,
  lessonStatus.archived,
])
const taking = new Set<string>([
  '30.2',
  '30.3',
  '30.4',
  '30.5',
  ...rated,
  lessonStatus.unpublished,
  lessonStatus.cancelled,
  lessonStatus.abnormal,
])
/** Whether a course in the state has participants. */
export const takesPart = (state: string): boolean => taking.has(state)

/** Participants of every course that has any, with attendance, results and, where completed, the ledger rows. */
export async function demoRegistrations(
  school: DemoSchool,
  lessons: DemoLesson[],
  students: DemoStudent[],
  configuration: DemoConfiguration,
): Promise<void> {
  const { db, schoolId } = school
  const crowd = crowdOf(school, students)
  let registrations: Record<string, unknown>[] = []
  let ledger: Record<string, unknown>[] = []
  let writing = Promise.resolve()
  /** The rows of the next courses are made while these are written. */
  const flush = async () => {
    await writing
    const [some, earned] = [registrations, ledger]
    writing = bulkInsert(db, 'registration', some).then(() => bulkInsert(db, 'creditLedger', earned))
    // whoever waits for it next is told
    writing.catch(() => {})
    registrations = []
    ledger = []
  }
  for (const lesson of lessons.filter(({ state }) => takesPart(state))) {
    fill(school, lesson, crowd, configuration, registrations, ledger)
    if (registrations.length > 2000) await flush()
  }
  await flush()
  await writing
  await db
    .updateTable('lesson')
    .from(
      db
        .selectFrom('registration')
        .select(['schoolId', 'liId'])
        .select((eb) => [
          eb.fn.countAll<number>().as('applyCount'),
          eb.fn.countAll<number>().filterWhere('laStatus', '=', applyStatus.pending).as('pendingCount'),
          eb.fn.countAll<number>().filterWhere('laStatus', '=', applyStatus.accepted).as('passCount'),
          eb.fn
            .countAll<number>()
            .filterWhere('laSignStatus', 'in', [
              signStatus.signedIn,
              signStatus.late,
              signStatus.signedOut,
              signStatus.leftEarly,
              signStatus.exempt,
              signStatus.madeUp,
            ])
            .as('signCount'),
          eb.fn.countAll<number>().filterWhere('laResult', '<>', resultStatus.unrated).as('resultCount'),
        ])
        .where('schoolId', '=', schoolId)
        .where('delFlag', '=', yesNo.no)
        .groupBy(['schoolId', 'liId'])
        .as('r'),
    )
    .set((eb) => ({
      applyCount: eb.ref('r.applyCount'),
      pendingCount: eb.ref('r.pendingCount'),
      passCount: eb.ref('r.passCount'),
      signCount: eb.ref('r.signCount'),
      resultCount: eb.ref('r.resultCount'),
      quota: eb.fn('greatest', ['lesson.quota', 'r.passCount']),
    }))
    .whereRef('lesson.schoolId', '=', 'r.schoolId')
    .whereRef('lesson.liId', '=', 'r.liId')
    .execute()
}

function fill(
  { schoolId, random, now }: DemoSchool,
  lesson: DemoLesson,
  crowd: Crowd,
  configuration: DemoConfiguration,
  registrations: Record<string, unknown>[],
  ledger: Record<string, unknown>[],
): void {
  const { row, state, times, principal } = lesson
  const earned = new Map<string, CreditEntry[]>()
  let prizes = lesson.template
    ? lesson.template.details.flatMap((detail) => Array.from({ length: Math.min(detail.quota ?? 5, 6) }, () => detail))
    : []
  const until = times.applyEnd < now ? times.applyEnd : now
  const open = Math.max(60, secondsBetween(times.applyStart, until))
  const isChosen = row.applyWay === applyWay.review
  for (const student of crowd(lesson, lesson.wanted)) {
    const pending = state === '30.2' && isChosen && random.odds(0.4)
    const laStatus = pending
      ? applyStatus.pending
      : state === lessonStatus.cancelled
        ? applyStatus.activityCancelled
        : isChosen && random.odds(0.04)
          ? applyStatus.refused
          : applyStatus.accepted
    const came =
      laStatus === applyStatus.accepted &&
      (rated.has(state) || state === '30.5' || state === '30.4') &&
      random.odds(state === '30.4' ? 0.6 : 0.94)
    const prize = came && rated.has(state) && random.odds(0.2) ? prizes.shift() : undefined
    const laResult =
      !rated.has(state) || laStatus !== applyStatus.accepted
        ? resultStatus.unrated
        : prize
          ? resultStatus.awarded
          : came
            ? resultStatus.passed
            : resultStatus.failed
    const entries =
      laResult === resultStatus.passed || laResult === resultStatus.awarded
        ? earnings(lesson, laResult, prize, configuration, earned)
        : []
    const of = (clType: string) => entries.find((entry) => entry.clType === clType)?.value ?? 0
    // most register in the first hours
    const applyTime = addSeconds(times.applyStart, Math.floor(open * 0.9 * random.next() ** 2))
    const decidedTime = addSeconds(applyTime, Math.floor((secondsBetween(applyTime, until) || 1) * random.next()))
    const late = came && random.odds(0.05)
    const arrived = addSeconds(row.startTime, late ? random.whole(960, 1700) : -random.whole(10, 1500))
    const signMethod = came ? random.one(['1', '1', '1', '5', '6']) : null
    const updateTime =
      times.resultTime ?? times.exitTime ?? (came ? (arrived < now ? arrived : now) : pending ? applyTime : decidedTime)
    const laId = random.id()
    registrations.push({
      schoolId,
      laId,
      laStars: came && rated.has(state) ? starsOf(laId) : null,
      liId: row.liId,
      suId: student.suId,
      laStatus,
      applyTime,
      applyFrom: row.applyWay === applyWay.importedList ? 'import' : 'self',
      refuseReason:
        laStatus === applyStatus.refused
          ? random.one(['名额已满', '不在本次活动面向的年级范围内', '与本人课程时间冲突'])
          : '',
      auditBy: pending || row.applyWay === applyWay.firstCome ? null : principal.suId,
      auditTime: pending ? null : isChosen ? decidedTime : applyTime,
      partakeMode: lesson.moduleCode === 'ZYGY' ? partakeMode.volunteer : partakeMode.participant,
      laSignStatus: came
        ? late
          ? signStatus.late
          : signStatus.signedIn
        : rated.has(state) && laStatus === applyStatus.accepted
          ? signStatus.absent
          : signStatus.notSigned,
      signInTime: came ? (arrived < now ? arrived : now) : null,
      signMethod,
      signBy: signMethod === signType.manual || signMethod === signType.imported ? principal.suId : null,
      laResult,
      adId: prize?.adId ?? null,
      awardName: prize?.adName ?? '',
      laHours: of(creditType.hours),
      laCredit: of(creditType.credit),
      laPoints: of(creditType.points),
      updateTime,
    })
    if (state === lessonStatus.completed || state === lessonStatus.archived) {
      for (const { clType, sqlId, value, explain } of entries) {
        ledger.push({
          schoolId,
          clId: random.id(),
          suId: student.suId,
          clType,
          lsId: row.lsId,
          moduleId: lesson.moduleId,
          sqlId,
          clValue: value,
          source: 'LESSON',
          bizId: row.liId,
          bizName: row.liName,
          ruleVersion: 1,
          explain,
          occurTime: row.startTime,
          grantedAt: times.completeTime,
        })
      }
    }
  }
}

/** What a participant thought of the course, where they said so: mostly four or five stars. */
function starsOf(laId: string): number | null {
  const mark = Number.parseInt(laId.slice(-2), 16)
  return mark >= 100 ? null : mark < 50 ? 5 : mark < 82 ? 4 : mark < 94 ? 3 : mark < 98 ? 2 : 1
}

type Crowd = (lesson: DemoLesson, count: number) => DemoStudent[]

/**
 * Who takes part: those who have come to the school by then and study there still, mostly of the organising college and
 * only of it where the course is its own; some students are keen, some never come, and nobody is in two places on one
 * day.
 */
function crowdOf({ random }: DemoSchool, students: readonly DemoStudent[]): Crowd {
  const keen = new Map<string, number>()
  const pools = new Map<string, DemoStudent[]>()
  for (const student of students) {
    if (!student.enrolled) continue
    keen.set(student.suId, random.odds(0.03) ? 0.02 : 0.3 + 0.7 * random.next())
    for (const key of [`${student.college} ${student.grade}`, student.grade])
      pools.set(key, [...(pools.get(key) ?? []), student])
  }
  const grades = [...new Set(students.map(({ grade }) => grade))].toSorted()
  const busy = new Set<string>()
  const been = new Map<string, number>()
  const eagerness = ({ suId }: DemoStudent) => ((been.get(suId) ?? 0) + 0.5) / keen.get(suId)!
  return ({ row, college }, count) => {
    const first = dayOf(row.startTime)
    const here = grades.filter((grade) => `${grade}-09-04` <= first)
    const own = here.flatMap((grade) => pools.get(`${college} ${grade}`) ?? [])
    const all =
      row['liLevel'] === '5' || Number(row['liLevel']) < 5 || college === 0
        ? here.flatMap((grade) => pools.get(grade) ?? [])
        : own
    const chosen = new Map<string, DemoStudent>()
    for (let tries = 0; chosen.size < count && tries < count * 8; tries++) {
      // the largest host, that of the demo's accounts, asks the whole school
      const from = own.length > 0 && random.odds(college === 0 ? 0.4 : 0.75) ? own : all
      if (from.length === 0) break
      // of two who might come, the one who has not been anywhere lately
      const [one, other] = [random.one(from), random.one(from)]
      const student = eagerness(one) <= eagerness(other) ? one : other
      if (chosen.has(student.suId) || busy.has(`${student.suId} ${first}`) || !random.odds(keen.get(student.suId)!))
        continue
      chosen.set(student.suId, student)
    }
    for (const suId of chosen.keys()) been.set(suId, (been.get(suId) ?? 0) + 1)
    for (const suId of chosen.keys())
      for (let day = first; day <= dayOf(row.endTime); day = addDays(day, 1)) busy.add(`${suId} ${day}`)
    return [...chosen.values()]
  }
}

function earnings(
  lesson: DemoLesson,
  laResult: string,
  prize: { adName: string; hours: number; credit: number; points: number } | undefined,
  configuration: DemoConfiguration,
  known: Map<string, CreditEntry[]>,
): CreditEntry[] {
  const key = `${laResult}${prize?.adName ?? ''}`
  const before = known.get(key)
  if (before) return before
  const rule = Object.values(configuration.rules).find(({ esId }) => esId === lesson.row.esId)!
  const input: Rated = {
    declaredHours: lesson.row.liHours,
    levelName: lesson.levelName,
    levelFactor: lesson.levelFactor,
    partakeMode: lesson.moduleCode === 'ZYGY' ? partakeMode.volunteer : partakeMode.participant,
    laResult,
    award: prize ?? null,
    volunteer: lesson.moduleCode === 'ZYGY',
    rule: {
      versionNo: 1,
      hourCap: null,
      credit: rule.credit,
      points: rule.baseHours,
      modeRules: [],
      awardRules: [],
      teamRules: [],
      bestOnlyGroup: '',
      yearCap: null,
      abilityRules: rule.abilityRules,
    },
  }
  const entries = entriesFor(input)
  known.set(key, entries)
  return entries
}
