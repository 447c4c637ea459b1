import { sql, type Selectable } from 'kysely'
import type { Db, Tables } from '../core/database/pool.ts'

/** The raw rows of a school, as they are now. */
export interface RawSchool {
  person: Selectable<Tables['person']>[]
  lesson: Selectable<Tables['lesson']>[]
  lessonPerson: Selectable<Tables['lessonPerson']>[]
  lessonSession: Selectable<Tables['lessonSession']>[]
  registration: Selectable<Tables['registration']>[]
  supplement: Selectable<Tables['supplement']>[]
  creditLedger: Selectable<Tables['creditLedger']>[]
  approval: Selectable<Tables['approval']>[]
  loginDay: Selectable<Tables['loginDay']>[]
  curriculum: Selectable<Tables['curriculum']>[]
  circle: Selectable<Tables['circle']>[]
  circleTeacher: Selectable<Tables['circleTeacher']>[]
  circleMember: Selectable<Tables['circleMember']>[]
  circleApply: Selectable<Tables['circleApply']>[]
  circleReview: Selectable<Tables['circleReview']>[]
}

export async function readRaw(db: Db, schoolId: string): Promise<RawSchool> {
  const all = (table: keyof RawSchool) => sql`select * from ${sql.table(table)} where "schoolId" = ${schoolId}`.execute(db).then(({ rows }) => rows)
  const names = ['person', 'lesson', 'lessonPerson', 'lessonSession', 'registration', 'supplement', 'creditLedger', 'approval', 'loginDay', 'curriculum', 'circle', 'circleTeacher', 'circleMember', 'circleApply', 'circleReview'] as const
  return Object.fromEntries(await Promise.all(names.map(async (name) => [name, await all(name)]))) as unknown as RawSchool
}

export interface Wanted {
  startTime?: string
  endTime?: string
  collegeId?: string
  majorId?: string
  scClassId?: string
  grade?: string
  everybody?: '1'
  lsId?: string
  llId?: string
  ciClass?: string
  ciLevel?: '1' | '2'
}

/** What a person may see, said plainly. */
export interface Sight {
  student: (row: RawSchool['person'][number]) => boolean
  staff: (row: RawSchool['person'][number]) => boolean
  lesson: (row: RawSchool['lesson'][number]) => boolean
  sup: (row: RawSchool['supplement'][number], student: RawSchool['person'][number]) => boolean
  circle: (row: RawSchool['circle'][number]) => boolean
}

export const round = (value: number): number => Math.round((value + Number.EPSILON * Math.sign(value)) * 100) / 100
export const part = (sum: number, by: number, factor = 1): number | null => (by === 0 ? null : round((sum * factor) / by))
export const total = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0)
export function grouped<V, K>(rows: Iterable<V>, by: (row: V) => K): Map<K, V[]> {
  const groups = new Map<K, V[]>()
  for (const row of rows) groups.set(by(row), [...(groups.get(by(row)) ?? []), row])
  return groups
}
export const within = (moment: string, { startTime, endTime }: Wanted) => (!startTime || moment >= startTime) && (!endTime || moment <= endTime)

/** The school reckoned the long way: row by row, from the raw rows alone, sharing no line with what is tested. */
export class Oracle {
  constructor(readonly raw: RawSchool, readonly sight: Sight, readonly now: string, readonly totalHours: number, readonly newSince?: string) {}

  /** Those who count in means: all, or those who did not enter since a day. */
  counted<P extends { suiEnterDate: string | null }>(people: readonly P[]): P[] {
    return people.filter((p) => !this.newSince || p.suiEnterDate === null || p.suiEnterDate < this.newSince)
  }

  students(wanted: Wanted) {
    return this.raw.person.filter((p) => p.suiType === '1' && p.delFlag === '0' && this.sight.student(p) && (wanted.everybody || p.suiStatus === '1') && (!wanted.collegeId || p.suiCollegeId === wanted.collegeId)
      && (!wanted.majorId || p.majorId === wanted.majorId) && (!wanted.scClassId || p.scClassId === wanted.scClassId) && (!wanted.grade || p.suiGrade === wanted.grade))
  }

  staff(wanted: Wanted) {
    return this.raw.person.filter((p) => p.suiType !== '1' && p.delFlag === '0' && this.sight.staff(p) && (wanted.everybody || p.suiStatus === '1') && (!wanted.collegeId || p.suiCollegeId === wanted.collegeId)
      && !wanted.majorId && !wanted.scClassId && !wanted.grade)
  }

  published(wanted: Wanted) {
    return this.raw.lesson.filter((l) => l.delFlag === '0' && l.publishTime !== null && !['0', '10', '11', '20'].includes(l.liStatus) && within(l.publishTime, wanted) && this.sight.lesson(l)
      && (!wanted.collegeId || l.liCollegeId === wanted.collegeId) && (!wanted.lsId || l.lsPath.includes(wanted.lsId)) && (!wanted.llId || l.liLevel === wanted.llId))
  }

  /** What became of a course. */
  outcome(liId: string) {
    const rows = this.raw.registration.filter((r) => r.liId === liId && r.delFlag === '0')
    const passed = rows.filter(({ laStatus }) => laStatus === '1')
    const records = this.records((row) => row.bizId === liId)
    const stars = [1, 2, 3, 4, 5].map((star) => rows.filter(({ laStars }) => laStars === star).length)
    const ended = this.raw.approval.filter((a) => a.bizId === liId && a.bizType === 'publish' && ['1', '2'].includes(a.insStatus)).toSorted((a, b) => (a.startTime === b.startTime ? (a.insId < b.insId ? -1 : 1) : a.startTime < b.startTime ? -1 : 1))
    return {
      applied: rows.length, passed: passed.length, signed: passed.filter(({ laSignStatus }) => ['1', '2', '3', '4', '7'].includes(laSignStatus)).length, qualified: passed.filter(({ laResult }) => ['1', '3'].includes(laResult)).length,
      granted: new Set(records.filter(({ stands }) => stands).map(({ suId }) => suId)).size, hours: total(records.map(({ hours }) => hours)), stars, sessions: this.raw.lessonSession.filter((one) => one.liId === liId).length,
      seconds: total(ended.map(({ startTime, endTime }) => (Date.parse(endTime!) - Date.parse(startTime)) / 1000)), decided: ended.length, firstPass: ended.length === 0 ? null : ended[0]!.insStatus === '1',
    }
  }

  /** The records of the ledger: entries of one person, source and module netted. */
  records(which: (row: RawSchool['creditLedger'][number]) => boolean = () => true) {
    const groups = grouped(this.raw.creditLedger.filter(which), ({ suId, bizId, moduleId }) => `${suId} ${bizId} ${moduleId}`)
    return [...groups.values()].map((rows) => {
      const of = (...types: string[]) => total(rows.filter(({ clType }) => types.includes(clType)).map(({ clValue }) => clValue))
      const first = rows.find(({ reverseOf }) => reverseOf === null)!
      const sources: Record<string, string> = { LESSON: 'L', SUP: 'S' }
      return {
        suId: first.suId, moduleId: first.moduleId, kind: sources[first.source] ?? 'O', hours: of('1'), credit: of('2'), occurTime: rows.map(({ occurTime }) => occurTime).toSorted()[0]!,
        stands: !(rows.some(({ reverseOf }) => reverseOf !== null) && of('1', '2', '3') === 0), abilities: rows.filter(({ clType }) => clType === '5').map(({ sqlId, clValue }) => [sqlId!, clValue] as const),
      }
    })
  }

  /** Abilities of people: what occurred in a period, or all. */
  abilities(people: ReadonlySet<string>, wanted: Wanted): Map<string, Map<string, number>> {
    const scores = new Map<string, Map<string, number>>()
    for (const { suId, occurTime, abilities } of this.records()) {
      if (!people.has(suId) || !within(occurTime, wanted)) continue
      for (const [sqlId, value] of abilities) {
        const own = scores.get(sqlId) ?? new Map<string, number>()
        scores.set(sqlId, own.set(suId, (own.get(suId) ?? 0) + value))
      }
    }
    return scores
  }

  /** Whether a student has what graduation asks for. */
  met(own: { moduleId: string; hours: number }[]): boolean {
    const modules = this.raw.curriculum.filter(({ lsPid, enable, required }) => lsPid === null && enable === '1' && required === '1')
    return total(own.map(({ hours }) => hours)) >= this.totalHours && modules.every(({ lsId, minHours }) => total(own.filter(({ moduleId }) => moduleId === lsId).map(({ hours }) => hours)) >= minHours)
  }

  sups(wanted: Wanted) {
    const people = new Map(this.students(wanted).map((p) => [p.suId, p]))
    const anybody = new Map(this.raw.person.filter((p) => p.suiType === '1' && p.delFlag === '0').map((p) => [p.suId, p]))
    const fits = (p: RawSchool['person'][number]) => (wanted.everybody || p.suiStatus === '1') && (!wanted.collegeId || p.suiCollegeId === wanted.collegeId) && (!wanted.majorId || p.majorId === wanted.majorId) && (!wanted.scClassId || p.scClassId === wanted.scClassId) && (!wanted.grade || p.suiGrade === wanted.grade)
    return this.raw.supplement.filter((s) => {
      const student = people.get(s.suId) ?? anybody.get(s.suId)
      return student !== undefined && fits(student) && this.sight.sup(s, student) && s.delFlag === '0' && !['0', '4', '9'].includes(s.lisStatus) && within(s.createTime, wanted) && (!wanted.lsId || s.lsPath.includes(wanted.lsId)) && (!wanted.llId || s.lisLevel === wanted.llId)
    })
  }

  logins(people: ReadonlySet<string>, wanted: Wanted) {
    return this.raw.loginDay.filter((d) => people.has(d.suId) && within(`${d.logDay} 12:00:00`, { ...(wanted.startTime && { startTime: `${wanted.startTime.slice(0, 10)} 00:00:00` }), ...(wanted.endTime && { endTime: `${wanted.endTime.slice(0, 10)} 23:59:59` }) }))
  }
}
