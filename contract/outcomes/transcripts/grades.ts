import { convertTo } from '../../core/codes/rules.ts'
import type { TranscriptData } from './transcripts.schema.ts'

/** What a mark out of a hundred is called, from the best down. */
const names = [
  [90, '优', 'Excellent'],
  [80, '良', 'Good'],
  [60, '合格', 'Pass'],
] as const
/** `dictionary.convert_to`: a mark. */
const toMark = convertTo.mark

/**
 * The grade on a transcript in a word: of the best mark that the school's conversion rules make of the student's totals
 * (docs/rules.md R48).
 * @returns null where no rule gives a mark, or its mark has no name
 */
export function gradeOf(
  conversions: readonly Pick<TranscriptData['conversions'][number], 'toType' | 'value'>[],
  lang: TranscriptData['lang'],
): string | null {
  const mark = Math.max(-1, ...conversions.filter(({ toType }) => toType === toMark).map(({ value }) => Number(value)))
  return names.find(([least]) => mark >= least)?.[lang === 'en' ? 2 : 1] ?? null
}
