import type { SchoolSettings } from '../school/settings.ts'

/** What a mark out of a hundred is called, from the best down. */
const names = [[90, '优', 'Excellent'], [80, '良', 'Good'], [60, '合格', 'Pass']] as const

/**
 * The grade on a transcript: the highest step of the school's table 学时换算成绩 that the hours reach, as a word.
 * @param hours whole hundredths
 * @returns null where no step is reached, or its mark has no name
 */
export function gradeOf(hours: number, steps: SchoolSettings['gradeSteps'], lang: 'zh' | 'en'): string | null {
  const mark = Math.max(-1, ...steps.filter((step) => step.hours <= hours).map(({ grade }) => grade))
  const name = names.find(([least]) => mark >= least)
  return name ? name[lang === 'en' ? 2 : 1] : null
}
