import { expect, test } from 'vitest'
import {
  answersText,
  answersTo,
  applyQuestions,
  questionsOf,
} from '../../../../contract/programme/lessons/apply-questions.ts'

const said = (question: string, answer: string) => ({ question, answer })

test.each([
  ['none', [], [said('旧问题', '答')], { answers: [] }],
  [
    'all, in the order of the questions',
    ['甲', '乙'],
    [said('乙', ' 2 '), said('甲', '1')],
    { answers: [said('甲', '1'), said('乙', '2')] },
  ],
  ['one left out', ['甲', '乙'], [said('甲', '1')], { missing: ['乙'] }],
  ['one blank', ['甲'], [said('甲', '  ')], { missing: ['甲'] }],
  ['one that was asked before', ['甲'], [said('旧', '1')], { missing: ['甲'] }],
])('answers: %s', (_, questions, given, outcome) => {
  expect(answersTo(questions, given)).toEqual(outcome)
})

test.each([
  ['one a line, blank lines left out', ' 甲 \n\n乙\r\n', true],
  ['ten', Array.from({ length: 10 }, (_, at) => `问题${at}`).join('\n'), true],
  ['eleven', Array.from({ length: 11 }, (_, at) => `问题${at}`).join('\n'), false],
  ['too long', '问'.repeat(101), false],
  ['twice the same', '甲\n甲', false],
])('questions: %s', (_, text, isFine) => {
  expect(applyQuestions.safeParse(text).success).toBe(isFine)
})

test('questions and answers as text', () => {
  expect(questionsOf(' 甲 \n\n乙')).toEqual(['甲', '乙'])
  expect(answersText([said('特长？', '摄影'), said('尺码', 'L')])).toBe('特长：摄影\n尺码：L')
})
