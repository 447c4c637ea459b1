import { z } from 'zod'
import { optionalText } from '../../core/fields.ts'

/** What an organiser asks whoever registers, and what a student answers. */
export const maxQuestions = 10
const maxQuestion = 100
export const maxAnswer = 500

/** The questions of a course, one a line. */
export const questionsOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')

/** The field of the course's form: one question a line. */
export const applyQuestions = optionalText('报名附加问题', 1200)
  .refine((text) => questionsOf(text ?? '').length <= maxQuestions, `附加问题最多 ${maxQuestions} 个，每行一个`)
  .refine(
    (text) => questionsOf(text ?? '').every((question) => [...question].length <= maxQuestion),
    `每个附加问题不能超过 ${maxQuestion} 个字`,
  )
  .refine((text) => {
    const questions = questionsOf(text ?? '')
    return new Set(questions).size === questions.length
  }, '附加问题不能重复')
  .meta({ label: '报名附加问题' })

/** An answer beside its question as it was asked then. */
export const applyAnswer = z.object({ question: z.string(), answer: z.string() })
export type ApplyAnswer = z.output<typeof applyAnswer>

/** Answers as one text, a line each: `专业特长：摄影`. */
export const answersText = (answers: readonly ApplyAnswer[]): string =>
  answers.map(({ question, answer }) => `${question.replace(/[？?：:]$/, '')}：${answer}`).join('\n')

/**
 * The answers to the questions of a course in their order; what else was sent is left out.
 * @returns the answers, or the questions that are not answered
 */
export function answersTo(
  questions: readonly string[],
  given: readonly ApplyAnswer[],
): { answers: ApplyAnswer[] } | { missing: string[] } {
  const known = new Map(given.map(({ question, answer }) => [question, answer.trim()]))
  const missing = questions.filter((question) => !known.get(question))
  return missing.length > 0
    ? { missing }
    : { answers: questions.map((question) => ({ question, answer: known.get(question)! })) }
}
