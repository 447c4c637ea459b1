import { isOneOf } from '../../contract/core/codes/code-list.ts'
import { enableStatus, yesNo } from '../../contract/core/codes/platform.ts'
import {
  applyStatus,
  approvalStatus,
  circleAuthStatus,
  circleStatus,
  creditType,
  lessonStatus,
  resultStatus,
  signStatus,
  supplementStatus,
} from '../../contract/core/codes/programme.ts'
import { personType, studentStatus } from '../../contract/core/codes/school.ts'
import { grouped, sumOf, total } from './statistics-numbers.ts'
import type { Circle, Course, Person, RawSchool } from './statistics-raw.ts'
import type { Sees } from './statistics-visibility.ts'
import { within } from './statistics-spans.ts'

/** What statistics may be asked by; every call takes some of it. */
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

/**
 * Courses that are in no statistic yet, and those that were taken down, called off or ended badly (docs/rules.md R1).
 */
const unpublished: string[] = [
  lessonStatus.draft,
  lessonStatus.publishInReview,
  lessonStatus.publishRefused,
  lessonStatus.publishPassed,
]
export const stopped: string[] = [lessonStatus.unpublished, lessonStatus.cancelled, lessonStatus.abnormal]
/** Somebody who was there: signed in, late, left early, both, or entered afterwards. Excused ones were not. */
const wasThere = ({ laStatus, laSignStatus }: RawSchool['registration'][number]): boolean =>
  laStatus === applyStatus.accepted &&
  isOneOf(
    laSignStatus,
    signStatus.signedIn,
    signStatus.late,
    signStatus.signedOut,
    signStatus.leftEarly,
    signStatus.madeUp,
  )

export type Facts = ReturnType<typeof factsOf>

/**
 * A school calculated row by row from the raw rows alone, sharing no line with what is tested: the part that does not
 * hang on who asks.
 */
export function factsOf(raw: RawSchool, now: string, rules: { totalHours: number; newSince?: string | undefined }) {
  const records = recordsOf(raw.creditLedger)
  const colleges = new Map(raw.college.map(({ scId, scName }) => [scId, scName]))
  const nodes = new Map(raw.curriculum.map(({ lsId, lsName }) => [lsId, lsName]))
  const levels = raw.lessonLevel.toSorted((a, b) => a.llSort - b.llSort)
  const groupSort = (sqlId: string) => raw.qualityLabel.find((one) => one.sqlId === sqlId)!.sqlSort
  /** Who belonged to a circle at a moment. */
  const membersAt = (ciId: string, moment: string) =>
    raw.circleMember
      .filter((m) => m.ciId === ciId && m.joinTime <= moment && (m.quitTime === null || m.quitTime > moment))
      .map(({ suId }) => suId)

  /** What became of a course. */
  const outcome = (l: Course) => {
    const rows = raw.registration.filter((r) => r.liId === l.liId && r.delFlag === yesNo.no)
    const passed = rows.filter(({ laStatus }) => laStatus === applyStatus.accepted)
    const came = new Set(rows.filter(wasThere).map(({ suId }) => suId))
    const granted = records.filter(({ bizId }) => bizId === l.liId)
    const ended = raw.approval
      .filter(
        (a) =>
          a.bizId === l.liId &&
          a.bizType === 'publish' &&
          isOneOf(a.insStatus, approvalStatus.passed, approvalStatus.refused),
      )
      .toSorted((a, b) => (`${a.startTime}${a.insId}` < `${b.startTime}${b.insId}` ? -1 : 1))
    const members = l.liCircleId === null ? [] : membersAt(l.liCircleId, l.startTime)
    return {
      applied: rows.length,
      passed: passed.length,
      signed: came.size,
      qualified: passed.filter(({ laResult }) => isOneOf(laResult, resultStatus.passed, resultStatus.awarded)).length,
      stars: rows.flatMap(({ laStars }) => (laStars === null ? [] : [laStars])),
      granted: new Set(granted.filter(({ stands }) => stands).map(({ suId }) => suId)).size,
      hours: sumOf(granted, ({ hours }) => hours),
      sessions: raw.lessonSession.filter((one) => one.liId === l.liId).length,
      seconds: sumOf(ended, ({ startTime, endTime }) => (Date.parse(endTime!) - Date.parse(startTime)) / 1000),
      decided: ended.length,
      firstPass: ended.length === 0 ? null : ended[0]!.insStatus === approvalStatus.passed,
      members: members.length,
      membersSigned: members.filter((suId) => came.has(suId)).length,
      begun: l.startTime <= now && !stopped.includes(l.liStatus),
    }
  }

  return {
    raw,
    now,
    rules,
    records,
    colleges,
    nodes,
    levels,
    membersAt,
    persons: raw.person.filter(({ delFlag }) => delFlag === yesNo.no),
    recordsBy: grouped(records, ({ suId }) => suId),
    /** The course or supplement behind a record. */
    sourceOf: new Map([
      ...raw.lesson.map((l) => [l.liId, { path: l.lsPath, level: l.liLevel }] as const),
      ...raw.supplement.map((s) => [s.lisId, { path: s.lsPath, level: s.lisLevel }] as const),
    ]),
    classes: new Map(raw.schoolClass.map(({ scClassId, scClassName }) => [scClassId, scClassName])),
    modules: raw.curriculum
      .filter(({ lsPid, enable }) => lsPid === null && enable === enableStatus.enabled)
      .toSorted((a, b) => a.lsSort - b.lsSort || (a.lsId < b.lsId ? -1 : 1)),
    labels: raw.qualityLabel
      .filter(({ sqlPid, enable }) => sqlPid !== null && enable === enableStatus.enabled)
      .toSorted((a, b) => groupSort(a.sqlPid!) - groupSort(b.sqlPid!) || a.sqlSort - b.sqlSort),
    courses: raw.lesson.map((l) => ({ ...l, ...outcome(l) })),
    /** Published courses, which stay when they are taken down. */
    isPublished: (l: Course) => l.delFlag === yesNo.no && l.publishTime !== null && !unpublished.includes(l.liStatus),
    /** Courses that were published and not called off. */
    stands: (l: Course) => l.delFlag === yesNo.no && ![...unpublished, ...stopped].includes(l.liStatus),
    pathName: (path: readonly string[]) => path.map((lsId) => nodes.get(lsId)!).join(' / '),
    collegeName: (id: string | null, none: string) => (id === null || id === '' ? none : colleges.get(id)!),
    levelName: (llId: string) => levels.find((level) => level.llId === llId)!.llName,
    /** The end of a period, or now where that lies ahead. */
    until: (endTime: string | undefined) => (endTime === undefined || endTime > now ? now : endTime),
  }
}

/**
 * A record of a ledger: entries of one person, source and module, reversals netted. They go with the day of what they
 * reverse.
 */
function recordsOf(ledger: RawSchool['creditLedger']) {
  return [...grouped(ledger, ({ suId, bizId, moduleId }) => `${suId} ${bizId} ${moduleId}`).values()].map((rows) => {
    const of = (...types: string[]) =>
      sumOf(
        rows.filter(({ clType }) => types.includes(clType)),
        ({ clValue }) => clValue,
      )
    const first = rows.find(({ reverseOf }) => reverseOf === null)!
    const abilities = [
      ...grouped(
        rows.filter(({ clType }) => clType === creditType.ability),
        ({ sqlId }) => sqlId!,
      ),
    ].map(([sqlId, own]) => [sqlId, sumOf(own, ({ clValue }) => clValue)] as const)
    return {
      suId: first.suId,
      bizId: first.bizId,
      lsId: first.lsId,
      moduleId: first.moduleId,
      kind: first.source === 'LESSON' ? 'lesson' : first.source === 'SUP' ? 'sup' : 'other',
      hours: of('1'),
      credit: of('2'),
      abilities,
      occurTime: rows.map(({ occurTime }) => occurTime).toSorted()[0]!,
      stands: rows.some(
        (entry) =>
          entry.source !== 'REVERSE' &&
          !rows.some(({ source, reverseOf }) => source === 'REVERSE' && reverseOf === entry.clId),
      ),
    }
  })
}

/** Whether a person stands where a selection asks for: those who study or work now, unless everybody is asked for. */
export const isThere = (p: Person, wanted: Wanted): boolean =>
  (wanted.everybody !== undefined || p.suiStatus === studentStatus.enrolled) &&
  (!wanted.collegeId || p.suiCollegeId === wanted.collegeId) &&
  (!wanted.majorId || p.majorId === wanted.majorId) &&
  (!wanted.scClassId || p.scClassId === wanted.scClassId) &&
  (!wanted.grade || p.suiGrade === wanted.grade)

/** Of what stands with people those who have no college, no grade, or neither. */
export const lackings = ['college', 'grade', 'both'] as const
export const lacks = (p: Person, what: (typeof lackings)[number]): boolean =>
  (what === 'grade' || p.suiCollegeId === null) && (what === 'college' || p.suiGrade === null)

/** The school as somebody sees it under one of their rights. */
export class Oracle {
  constructor(
    readonly facts: Facts,
    readonly sees: Sees,
  ) {}

  students(wanted: Wanted): Person[] {
    return this.facts.persons.filter(
      (p) =>
        p.suiType === personType.student &&
        isThere(p, wanted) &&
        this.sees({ college: p.suiCollegeId, major: p.majorId, class: p.scClassId, grade: p.suiGrade }),
    )
  }
  /** Staff have a college and no class, major or grade. */
  staff(wanted: Wanted): Person[] {
    return this.facts.persons.filter(
      (p) =>
        p.suiType !== personType.student &&
        !wanted.majorId &&
        !wanted.scClassId &&
        !wanted.grade &&
        isThere(p, wanted) &&
        this.sees({ college: p.suiCollegeId }),
    )
  }
  /** Those who count in means: all, or those who did not enter this term. */
  counted<P extends Pick<Person, 'suiEnterDate'>>(people: readonly P[]): P[] {
    const { newSince } = this.facts.rules
    return people.filter((p) => newSince === undefined || p.suiEnterDate === null || p.suiEnterDate < newSince)
  }

  /**
   * Students with what they have to this day; with what they earned in the period, of the node and of the level where
   * these are asked for, though what graduation wants of them is said of all they have.
   */
  withTotals(people: readonly Person[], wanted: Wanted = {}) {
    const { records, sourceOf, recordsBy } = this.facts
    const isWanted = (r: (typeof records)[number]) =>
      within(r.occurTime, wanted) &&
      ((!wanted.lsId && !wanted.llId) || ofSubject(sourceOf.get(r.bizId)!.path, sourceOf.get(r.bizId)!.level, wanted))
    const byModule = (rows: typeof records) =>
      new Map(
        [...grouped(rows, ({ moduleId }) => moduleId)].map(([moduleId, of]) => [
          moduleId,
          sumOf(of, ({ hours }) => hours),
        ]),
      )
    const joined = new Set(
      this.facts.raw.circle
        .filter((c) => isOfKind(c, {}) && c.ciStatus !== circleStatus.dissolved)
        .flatMap(({ ciId }) =>
          this.facts.raw.circleMember.filter((m) => m.ciId === ciId && m.quitTime === null).map(({ suId }) => suId),
        ),
    )
    return people.map((p) => {
      const all = recordsBy.get(p.suId) ?? []
      const own = all.filter(isWanted)
      const notReversed = own.filter(({ stands }) => stands)
      const [modules, everything] = [byModule(own), byModule(all)]
      const allHours = total(everything.values())
      const required = this.facts.modules.filter((one) => one.required === yesNo.yes)
      return {
        ...p,
        modules,
        hours: total(modules.values()),
        credit: sumOf(own, (r) => r.credit),
        activities: notReversed.filter(({ kind }) => kind === 'lesson').length,
        isRecorded: notReversed.some(({ kind }) => kind !== 'other'),
        isJoined: joined.has(p.suId),
        lastTime:
          all
            .filter(({ stands }) => stands)
            .map(({ occurTime }) => occurTime)
            .toSorted()
            .at(-1) ?? null,
        met:
          allHours >= this.facts.rules.totalHours &&
          required.every(({ lsId, minHours }) => (everything.get(lsId) ?? 0) >= minHours),
        gap: Math.max(
          0,
          Math.max(
            this.facts.rules.totalHours,
            sumOf(required, ({ minHours }) => minHours),
          ) - allHours,
        ),
        isBlack: p.blackUntil !== null && p.blackUntil > this.facts.now,
        absences: this.facts.raw.registration.filter(
          (r) => r.suId === p.suId && r.delFlag === yesNo.no && r.laSignStatus === signStatus.absent,
        ).length,
      }
    })
  }

  courses(wanted: Wanted) {
    return this.facts.courses.filter(
      (l) =>
        this.facts.isPublished(l) &&
        within(l.publishTime!, wanted) &&
        (!wanted.collegeId || l.liCollegeId === wanted.collegeId) &&
        ofSubject(l.lsPath, l.liLevel, wanted) &&
        this.sees({ college: l.liCollegeId, department: l.liDepartmentId, path: l.lsPath }),
    )
  }

  /** Records that were handed in and stand, with their students. */
  sups(wanted: Wanted) {
    const students = new Map(
      this.facts.persons.filter((p) => p.suiType === personType.student && isThere(p, wanted)).map((p) => [p.suId, p]),
    )
    return this.facts.raw.supplement.flatMap((s) => {
      const student = students.get(s.suId)
      const isMine =
        student !== undefined &&
        this.sees({
          college: student.suiCollegeId,
          major: student.majorId,
          class: student.scClassId,
          grade: student.suiGrade,
          path: s.lsPath,
        })
      return isMine &&
        s.delFlag === yesNo.no &&
        isOneOf(
          s.lisStatus,
          supplementStatus.inReview,
          supplementStatus.passed,
          supplementStatus.refused,
          supplementStatus.inNotice,
          supplementStatus.credited,
        ) &&
        within(s.createTime, wanted) &&
        ofSubject(s.lsPath, s.lisLevel, wanted)
        ? [{ ...s, student }]
        : []
    })
  }

  circles(wanted: Wanted): Circle[] {
    return this.facts.raw.circle.filter(
      (c) =>
        isOfKind(c, wanted) &&
        (!wanted.collegeId || c.ciCollegeId === wanted.collegeId) &&
        this.sees({ college: c.ciCollegeId, department: c.guideUnitId }),
    )
  }
}

export const ofSubject = (path: readonly string[], level: string, { lsId, llId }: Wanted): boolean =>
  (!lsId || path.includes(lsId)) && (!llId || level === llId)
/** Founded circles of the wanted category and level. */
export const isOfKind = (c: Circle, { ciClass, ciLevel }: Wanted): boolean =>
  c.delFlag === yesNo.no &&
  c.ciAuthStatus === circleAuthStatus.passed &&
  (!ciClass || c.ciClass === ciClass) &&
  (!ciLevel || c.ciLevel === ciLevel)
