import { expect, test } from 'vitest'
import { Failure } from './failure.ts'
import { nestQuotes, quoted } from './quotes.ts'

test.each([
  ['没有引号', '没有引号'],
  ['“甲”与“乙”', '“甲”与“乙”'],
  ['确认取消“学院“每天一小时”打卡”？', '确认取消“学院‘每天一小时’打卡”？'],
  ['“甲”的“乙“丙””', '“甲”的“乙‘丙’”'],
  ['已有的‘单引号’', '已有的‘单引号’'],
  ['多余的”不算', '多余的”不算'],
])('quotation marks within others are single ones: %s', (text, nested) => {
  expect(nestQuotes(text)).toBe(nested)
})

test('a name is quoted with its own quotation marks made single ones', () => {
  expect(quoted('学院“每天一小时”打卡')).toBe('“学院‘每天一小时’打卡”')
})

test('a refusal quotes a name that has quotation marks of its own', () => {
  expect(new Failure('lesson-name-taken', { name: '学院“每天一小时”打卡' }).msg).toContain('‘每天一小时’')
})
