import { expect, test } from 'vitest'
import {
  barRows,
  columnNames,
  fewLines,
  legendLines,
  scaleAt,
  scalesOf,
  standsUpright,
  textWidth,
  unitIn,
} from './chart-layout.ts'

const colleges = ['计算机科学与技术学院', '外国语学院', '电气与自动化学院', '马克思主义学院', '校级部门', '体育学院']
const abilities = ['理想信念', '道德诚信', '家国情怀', '学习研究', '批判思维', '创新创造', '数字素养', '国际视野']

test('Chinese is as wide as it is high, figures about half of that', () => {
  expect(textWidth('学院')).toBe(24)
  expect(textWidth('2028')).toBeLessThan(30)
  // a name is not broken for its dot
  expect(textWidth('买买提·其其格')).toBe(84)
})

test.each([
  ['two short names', ['人数', '人次'], 300, 1],
  ['six levels on half a screen', ['国家级', '省（部）级', '市级', '校级', '院（系）级', '社团级'], 480, 1],
  ['four colleges on a telephone', colleges.slice(0, 4), 290, 2],
] as const)('a legend of %s takes the lines it needs', (_, names, width, lines) => {
  expect(legendLines(names, width)).toBe(lines)
})

test.each([
  ['five years on half a screen', ['2025 级', '2026 级', '2027 级', '2028 级', '教职工与未登记'], 2, 480, true],
  ['six colleges on half a screen', colleges, 1, 480, true],
  ['twelve colleges on a whole one', [...colleges, ...colleges], 2, 1040, true],
  ['twelve colleges on half a screen', [...colleges, ...colleges], 1, 480, false],
  ['six colleges on a telephone', colleges, 1, 290, false],
  ['forty bars', abilities, 5, 480, false],
] as const)('bars of %s stand upright: %#', (_, labels, abreast, width, isUpright) => {
  expect(standsUpright(labels, abreast, width)).toBe(isUpright)
})

test('a row of bars is as high as the lines of its longest name, or as the bars beside each other', () => {
  expect(barRows(['张三', '李四'], 1, 480)).toEqual({ labelWidth: 26, rowHeight: 24 })
  const long = barRows(['计科2801班学风建设主题班会（第二场）'], 1, 290)
  expect(long.labelWidth).toBeLessThan(110)
  expect(long.rowHeight).toBeGreaterThanOrEqual(2 * 14 + 8)
  expect(barRows(['张三'], 4, 480).rowHeight).toBe(52)
})

test.each([
  [abilities, 60, 'flat'],
  [abilities, 40, 'broken'],
  [abilities, 16, 'turned'],
] as const)('the names of columns %# are written as there is room', (names, each, way) => {
  expect(columnNames(names, each)).toBe(way)
})

test('two quantities have two scales, people and times one', () => {
  expect(unitIn('课程（门）')).toBe('门')
  expect(unitIn('课程')).toBe('')
  expect(scalesOf(['门', '人次'])).toEqual(['门', '人'])
  expect(scalesOf(['人', '人次', '%'])).toEqual(['人', '%'])
  expect(scaleAt(['人', '%'], '人次')).toBe(0)
  expect(scaleAt(['人', '%'], '%')).toBe(1)
})

test('of many lines the highest are drawn, and the others as their mean', () => {
  const lines = Array.from({ length: 15 }, (_, at) => ({ name: `能力 ${at}`, data: [at, at * 2, null] }))
  const drawn = fewLines(lines)
  expect(drawn.map(({ name }) => name)).toEqual([
    '能力 9',
    '能力 10',
    '能力 11',
    '能力 12',
    '能力 13',
    '能力 14',
    '其他 9 项平均',
  ])
  expect(drawn.at(-1)!.data).toEqual([4, 8, null])
  expect(fewLines(lines.slice(0, 7))).toEqual(lines.slice(0, 7))
})
