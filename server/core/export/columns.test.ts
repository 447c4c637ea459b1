import { expect, test } from 'vitest'
import { lessonStatus } from '../../../contract/core/codes/programme.ts'
import {
  amount,
  code,
  codes,
  columnsOfSheet,
  count,
  day,
  figure,
  moment,
  range,
  text,
  texts,
  yesNo,
  yesOrEmpty,
} from './columns.ts'

const row = {
  name: '张三',
  none: null,
  empty: '',
  number: 7,
  words: ['甲', '乙'],
  noWords: [],
  yes: true,
  no: false,
  status: lessonStatus.published,
  statuses: [lessonStatus.draft, lessonStatus.published],
  hundredths: 250,
  decimal: '2.5',
  negative: '-0.05',
  mean: 3.456,
  date: '2026-03-01',
  time: '2026-03-01 08:30:00',
}

test.each([
  ['text', text('列', 'name'), '张三', 'text'],
  ['an absent text', text('列', 'none'), null, 'text'],
  ['a number as text', text('列', 'number'), 7, 'text'],
  ['what a function makes', text('列', ({ name }: { name: string }) => `${name}等`), '张三等', 'text'],
  ['several words', texts('列', 'words'), '甲、乙', 'text'],
  ['a range', range('列', 'words'), '甲、乙', 'text'],
  ['a range of all', range('列', 'noWords'), '全部', 'text'],
  ['yes', yesNo('列', 'yes'), '是', 'text'],
  ['no', yesNo('列', 'no'), '否', 'text'],
  ['yes where no is empty', yesOrEmpty('列', 'yes'), '是', 'text'],
  ['an empty no', yesOrEmpty('列', 'no'), null, 'text'],
  ['a code', code('列', 'lesson_status', 'status'), '已发布', 'text'],
  ['an unknown code', code('列', 'lesson_status', 'name'), '张三', 'text'],
  ['an empty code', code('列', 'lesson_status', 'empty'), '', 'text'],
  ['an absent code', code('列', 'lesson_status', 'none'), null, 'text'],
  ['several codes', codes('列', 'lesson_status', 'statuses'), '草稿、已发布', 'text'],
  ['a count', count('列', 'number'), 7, 'integer'],
  ['hundredths', amount('列', 'hundredths'), 250, 'amount'],
  ['decimal text', amount('列', 'decimal'), 250, 'amount'],
  ['negative decimal text', amount('列', 'negative'), -5, 'amount'],
  ['an absent amount', amount('列', 'none'), null, 'amount'],
  ['text that is no amount', amount('列', 'name'), null, 'amount'],
  ['a figure', figure('列', 'mean'), 346, 'amount'],
  ['a day', day('列', 'date'), '2026-03-01', 'date'],
  ['a moment', moment('列', 'time'), '2026-03-01 08:30:00', 'moment'],
] as const)('%s', (_, { valueOf, kind }, value, expected) => {
  expect((valueOf as (from: typeof row) => unknown)(row)).toBe(value)
  expect(kind).toBe(expected)
})

test('a column has its header and width; one of an imported sheet keeps its star', () => {
  expect(text('姓名', 'name', 12)).toMatchObject({ label: '姓名', width: 12 })
  const [column] = columnsOfSheet([{ key: 'name', label: '姓名', kind: 'choice', required: true, width: 9 }])
  expect(column).toMatchObject({ label: '姓名', kind: 'choice', required: true, width: 9 })
  expect(column!.valueOf({ name: '张三' })).toBe('张三')
  const [hours] = columnsOfSheet([{ key: 'hours', label: '学时', kind: 'amount' }])
  expect(hours!.valueOf({ hours: '2.5' })).toBe(250)
})
