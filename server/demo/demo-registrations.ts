import { addDays, addMinutes } from '../core/clock.ts'
import { entriesFor, type CreditEntry, type Rated } from '../credits/rules.ts'
import { bulkInsert } from './bulk.ts'
import type { DemoConfiguration } from './demo-configuration.ts'
import type { DemoStudent } from './demo-people.ts'
import type { DemoSchool } from './demo-school.ts'

/** A planned course: its row and what the later makers need to know of it. */
export interface DemoLesson {
  row: Record<string, unknown> & {
    liId: string
    liName: string
    lsId: string
    liStatus: string
    quota: number
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
  levelName: string
  levelFactor: number
  moduleId: string
  moduleCode: string
  college: number
  teacherIds: string[]
  signerIds: string[]
  principal: { suId: string; suiName: string }
  template: DemoConfiguration['awards'][number] | undefined
  wanted: number
}

const full = new Set(['30.3', '30.4', '30.5', '40', '41', '50', '60', '70', '80', '92'])
const rated = new Set(['40', '41', '50', '60', '70', '80'])
const open = new Set(['30.2', '90', '91'])

/** Participants of every course that has any, with attendance, results and, where completed, the ledger rows. */
export async function demoRegistrations(
  school: DemoSchool,
  lessons: DemoLesson[],
  students: DemoStudent[],
  configuration: DemoConfiguration,
): Promise<void> {
  const { db, schoolId, size } = school
  const taking = lessons.filter(({ state }) => full.has(state) || open.has(state))
  const share = size.registrations / taking.length
  let registrations: Record<string, unknown>[] = []
  let ledger: Record<string, unknown>[] = []
  const flush = async () => {
    await bulkInsert(db, 'registration', registrations)
    await bulkInsert(db, 'creditLedger', ledger)
    registrations = []
    ledger = []
  }
  for (const lesson of taking) {
    fill(school, lesson, share, students, configuration, registrations, ledger)
    if (registrations.length > 10_000) await flush()
  }
  await flush()
  await db
    .updateTable('lesson')
    .from(
      db
        .selectFrom('registration')
        .select(['schoolId', 'liId'])
        .select((eb) => [
          eb.fn.countAll<number>().as('applyCount'),
          eb.fn.countAll<number>().filterWhere('laStatus', '=', '0').as('pendingCount'),
          eb.fn.countAll<number>().filterWhere('laStatus', '=', '1').as('passCount'),
          eb.fn.countAll<number>().filterWhere('laSignStatus', 'in', ['1', '2', '3', '4', '6', '7']).as('signCount'),
          eb.fn.countAll<number>().filterWhere('laResult', '<>', '0').as('resultCount'),
        ])
        .where('schoolId', '=', schoolId)
        .where('delFlag', '=', '0')
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
  { schoolId, luck, stamp, now }: DemoSchool,
  lesson: DemoLesson,
  share: number,
  students: DemoStudent[],
  configuration: DemoConfiguration,
  registrations: Record<string, unknown>[],
  ledger: Record<string, unknown>[],
): void {
  const { row, state } = lesson
  const count = Math.max(3, Math.round(share * (0.5 + luck.next())))
  const earned = new Map<string, CreditEntry[]>()
  let prizes = lesson.template
    ? lesson.template.details.flatMap((detail) => Array.from({ length: Math.min(detail.quota ?? 5, 6) }, () => detail))
    : []
  for (const student of pickStudents(lesson, count, students, luck)) {
    const pending = state === '30.2' && luck.odds(0.3)
    const laStatus = pending ? '0' : state === '91' ? '7' : luck.odds(0.03) ? '2' : '1'
    const came =
      laStatus === '1' &&
      (rated.has(state) || state === '30.5' || state === '30.4') &&
      luck.odds(state === '30.4' ? 0.6 : 0.94)
    const prize = came && rated.has(state) && luck.odds(0.2) ? prizes.shift() : undefined
    const laResult = !rated.has(state) || laStatus !== '1' ? '0' : prize ? '3' : came ? '1' : '2'
    const entries = laResult === '1' || laResult === '3' ? earnings(lesson, laResult, prize, configuration, earned) : []
    const of = (clType: string) => entries.find((entry) => entry.clType === clType)?.value ?? 0
    const late = came && luck.odds(0.05)
    const laId = luck.id()
    registrations.push({
      schoolId,
      laId,
      laStars: came && rated.has(state) ? starsOf(laId) : null,
      liId: row.liId,
      suId: student.suId,
      laStatus,
      applyTime: addMinutes(row.createTime, luck.whole(1440, 4000)),
      applyFrom: luck.odds(0.8) ? 'self' : 'import',
      refuseReason: laStatus === '2' ? '不在本次活动面向的年级范围内' : '',
      auditTime: pending ? null : row.publishTime,
      partakeMode: lesson.moduleCode === 'ZYGY' ? '4' : '1',
      laSignStatus: came ? (late ? '2' : '1') : rated.has(state) && laStatus === '1' ? '5' : '0',
      signInTime: came ? addMinutes(row.startTime, late ? 18 : -luck.whole(0, 25)) : null,
      signMethod: came ? luck.one(['1', '5', '6']) : null,
      laResult,
      adId: prize?.adId ?? null,
      awardName: prize?.adName ?? '',
      laHours: of('1'),
      laCredit: of('2'),
      laPoints: of('3'),
      updateTime: stamp.updateTime,
    })
    if (state === '70' || state === '80') {
      for (const { clType, sqlId, value, explain } of entries) {
        ledger.push({
          schoolId,
          clId: luck.id(),
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
          grantedAt: row.completeTime ?? addDays(now, -1),
        })
      }
    }
  }
}

/** What a participant thought of the course, where he said so: mostly four or five stars. */
function starsOf(laId: string): number | null {
  const mark = Number.parseInt(laId.slice(-2), 16)
  return mark >= 100 ? null : mark < 50 ? 5 : mark < 82 ? 4 : mark < 94 ? 3 : mark < 98 ? 2 : 1
}

/** Mostly students of the organising college, the rest from everywhere; the first class of the first college is always well represented. */
function pickStudents(
  lesson: DemoLesson,
  count: number,
  students: DemoStudent[],
  luck: DemoSchool['luck'],
): DemoStudent[] {
  const chosen = new Map<string, DemoStudent>()
  for (let tries = 0; chosen.size < Math.min(count, students.length) && tries < count * 4; tries++) {
    const student = luck.one(students)
    if (student.college === lesson.college || luck.odds(0.4)) chosen.set(student.suId, student)
  }
  return [...chosen.values()]
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
    partakeMode: lesson.moduleCode === 'ZYGY' ? '4' : '1',
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
