import { lessonLevel } from '../../../../contract/core/codes/rules.ts'
import { lessonKind } from '../../../../contract/core/codes/programme.ts'
import type { LedgerRow } from '../../credits/ledger.service.ts'
import { entriesFor, type CappedKind, type Limits } from '../../credits/rules.ts'
import { ratedBy, type Rating } from '../model/rating.queries.ts'

/** What of a course its entries in the ledger speak of. */
/** The columns of a {@link CreditedLesson}. */
export const creditedLessonColumns = [
  'schoolId',
  'liId',
  'liName',
  'lsId',
  'lsPath',
  'liLevel',
  'liKind',
  'liCircleId',
  'liHours',
  'esId',
  'atId',
  'startTime',
] as const

export interface CreditedLesson {
  schoolId: string
  liId: string
  liName: string
  lsId: string
  lsPath: string[]
  liLevel: string
  liKind: string
  liCircleId: string | null
  liHours: number
  esId: string | null
  atId: string | null
  startTime: string
}

/** A participation as its result was approved. */
interface CreditedRow {
  suId: string
  partakeMode: string
  laResult: string
  adId: string | null
  teamRank: number | null
  teamSize: number | null
  laHours: number
  laCredit: number
  laPoints: number
}

/**
 * Of whose activities the course is, as far as the school caps them (docs/rules.md R25): a circle's or one of circle
 * level, a lecture, a post held.
 */
export function cappedKinds({
  liKind,
  liCircleId,
  liLevel,
}: Pick<CreditedLesson, 'liKind' | 'liCircleId' | 'liLevel'>): CappedKind[] {
  return [
    ...(liCircleId !== null || liLevel === lessonLevel.club ? ['club' as const] : []),
    ...(liKind === lessonKind.lecture ? ['lecture' as const] : []),
    ...(liKind === lessonKind.office ? ['office' as const] : []),
  ]
}

/** What one participation gives, as entries of the ledger: pure. */
export function ledgerRows(
  lesson: CreditedLesson,
  rating: Rating,
  row: CreditedRow,
  limits: Limits | undefined,
): LedgerRow[] {
  const approved = { hours: row.laHours, credit: row.laCredit, points: row.laPoints }
  return entriesFor(ratedBy(rating, lesson, row), approved, limits).map(({ clType, sqlId, value, explain }) => ({
    suId: row.suId,
    clType,
    sqlId,
    clValue: value,
    explain,
    lsId: lesson.lsId,
    moduleId: lesson.lsPath[0]!,
    source: 'LESSON',
    bizId: lesson.liId,
    bizName: lesson.liName,
    ruleVersion: rating.rule?.versionNo ?? 1,
    occurTime: lesson.startTime,
  }))
}
