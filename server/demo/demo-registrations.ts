import { sql } from 'kysely'
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
import { epochOf, secondsBetween, wallOf } from '../core/base/clock.ts'
import { together } from '../core/base/together.ts'
import { recordset } from '../core/database/bulk.ts'
import { entriesFor, type CreditEntry, type Rated } from '../programme/credits/rules.ts'
import { bulkInsert, writeBehind } from './bulk.ts'
import { crowdOf, type Crowd } from './crowd.ts'
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

/** Registrations that are written while the next ones are made. */
const atOnce = 4000

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
  let ledger: Credited[] = []
  const writer = writeBehind()
  const flush = async () => {
    const [some, earned] = [registrations, ledger]
    registrations = []
    ledger = []
    await writer.write(() => together(bulkInsert(db, 'registration', some), writeLedger(school, earned)))
  }
  for (const lesson of lessons.filter(({ state }) => takesPart(state))) {
    fill(school, lesson, crowd, configuration, registrations, ledger)
    if (registrations.length > atOnce) await flush()
  }
  await flush()
  await writer.end()
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
  ledger: Credited[],
): void {
  const { row, state, times, principal } = lesson
  const earned = new Map<string, CreditEntry[]>()
  const alike = new Map<CreditEntry[], Credited>()
  let prizes = lesson.template
    ? lesson.template.details.flatMap((detail) => Array.from({ length: Math.min(detail.quota ?? 5, 6) }, () => detail))
    : []
  const until = times.applyEnd < now ? times.applyEnd : now
  const open = Math.max(60, secondsBetween(times.applyStart, until))
  const begins = { apply: epochOf(times.applyStart), until: epochOf(until), course: epochOf(row.startTime) }
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
    const applied = begins.apply + 1000 * Math.floor(open * 0.9 * random.next() ** 2)
    const applyTime = wallOf(applied)
    const decidedTime = wallOf(applied + 1000 * Math.floor(((begins.until - applied) / 1000 || 1) * random.next()))
    const late = came && random.odds(0.05)
    const arrived = wallOf(begins.course + 1000 * (late ? random.whole(960, 1700) : -random.whole(10, 1500)))
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
    if (entries.length > 0 && (state === lessonStatus.completed || state === lessonStatus.archived)) {
      let credited = alike.get(entries)
      if (!credited) {
        credited = { lesson, entries, people: [], ids: [] }
        alike.set(entries, credited)
        ledger.push(credited)
      }
      credited.people.push(student.suId)
      for (let at = 0; at < entries.length; at++) credited.ids.push(random.id())
    }
  }
}

/** Participants of a completed course who are credited the same. */
interface Credited {
  lesson: DemoLesson
  entries: CreditEntry[]
  people: string[]
  /** Of the rows of the ledger: all of the first person, then all of the second one. */
  ids: string[]
}

/**
 * Has the database make the rows of the ledger, of which there are several for each participant and which are alike but
 * for the person: they are not sent one by one.
 */
async function writeLedger({ db, schoolId }: DemoSchool, credited: readonly Credited[]): Promise<void> {
  if (credited.length === 0) return
  const groups = recordset(
    credited.map(({ lesson: { row, times, moduleId }, entries, people, ids }) => ({
      liId: row.liId,
      liName: row.liName,
      lsId: row.lsId,
      moduleId,
      startTime: row.startTime,
      completeTime: times.completeTime,
      entries,
      people: `{${people.join(',')}}`,
      ids: `{${ids.join(',')}}`,
    })),
    {
      liId: 'uuid',
      liName: 'text',
      lsId: 'uuid',
      moduleId: 'uuid',
      startTime: 'timestamptz',
      completeTime: 'timestamptz',
      entries: 'jsonb',
      people: 'uuid[]',
      ids: 'uuid[]',
    },
  )
  await sql`
    insert into "creditLedger" ("schoolId", "clId", "suId", "clType", "lsId", "moduleId", "sqlId", "clValue", "source",
      "bizId", "bizName", "ruleVersion", "explain", "occurTime", "grantedAt")
    select ${schoolId}, r."ids"[(p."no" - 1) * jsonb_array_length(r."entries") + e."no"], p."suId", e."clType", r."lsId",
      r."moduleId", e."sqlId", e."value", 'LESSON', r."liId", r."liName", 1, e."explain", r."startTime",
      r."completeTime"
    from ${groups}
    cross join lateral rows from (
      jsonb_to_recordset(r."entries") as ("clType" text, "sqlId" uuid, "value" int, "explain" jsonb)
    ) with ordinality e("clType", "sqlId", "value", "explain", "no")
    cross join lateral unnest(r."people") with ordinality p("suId", "no")`.execute(db)
}

/** What a participant thought of the course, where they said so: mostly four or five stars. */
function starsOf(laId: string): number | null {
  const mark = Number.parseInt(laId.slice(-2), 16)
  return mark >= 100 ? null : mark < 50 ? 5 : mark < 82 ? 4 : mark < 94 ? 3 : mark < 98 ? 2 : 1
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
