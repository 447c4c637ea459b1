import { expect, test } from 'vitest'
import { TraceEraser, type Plain, type Trace } from './traces.ts'

const id = (n: number) => `00000000-0000-4000-8000-00000000000${n}`
const wang: Trace = {
  suId: id(1),
  name: { old: '王伟', new: '毕业生甲' },
  tokens: [
    ['2021001', 'X1'],
    ['13900001111', '***'],
    ['wang@a.cn', '***'],
  ],
}
const record = id(8)
const eraser = new TraceEraser([wang], new Map([[record, wang.suId]]))
const other = id(2)

test.each<[string, Plain, Plain]>([
  ['a number wherever it stands alone', '学号2021001已通过', '学号X1已通过'],
  ['and the name beside it', '王伟（2021001）请假', '毕业生甲（X1）请假'],
  ['a number that is part of another stays', '12021001、2021001A', '12021001、2021001A'],
  ['a name alone may be another’s', '王伟请假', '王伟请假'],
  ['telephone and mail', '电话 13900001111，wang@a.cn', '电话 ***，***'],
  ['the person’s own object', [{ suId: id(1), suiName: '王伟' }], [{ suId: id(1), suiName: '毕业生甲' }]],
  ['somebody of the same name', [{ suId: other, suiName: '王伟' }], [{ suId: other, suiName: '王伟' }]],
  [
    'both beside each other, and a text about the person',
    {
      people: [
        { suId: other, suiName: '王伟' },
        { suId: id(1), suiName: '王伟' },
      ],
      note: '王伟缺席',
    },
    {
      people: [
        { suId: other, suiName: '王伟' },
        { suId: id(1), suiName: '毕业生甲' },
      ],
      note: '毕业生甲缺席',
    },
  ],
  ['a record of theirs', { bizId: record, text: '王伟的补录' }, { bizId: record, text: '毕业生甲的补录' }],
  ['a link to it', `王伟的补录 /supplement/${record}`, `毕业生甲的补录 /supplement/${record}`],
  ['numbers, switches and ids stay', [1, true, null, id(1)], [1, true, null, id(1)]],
])('%s', (_, before, after) => {
  expect(eraser.erased(before, eraser.about(before))).toEqual(after)
})

/** Of a school whose numbers are written with hyphens. */
const li = new TraceEraser([
  {
    suId: id(3),
    name: { old: '李雷', new: '毕业生乙' },
    tokens: [
      ['2021-1', 'X3'],
      ['2022-01', 'X4'],
      ['li@x.cn', '***'],
      ['0571-88886666', '***'],
    ],
  },
])

test.each<[string, string, string]>([
  ['a number with a hyphen', '李雷（2021-1）请假，2021-1 已销假', '毕业生乙（X3）请假，X3 已销假'],
  ['at the end of a sentence', 'No.2021-1.', 'No.X3.'],
  ['in the name of a file', '作业_2021-1.pdf、2021-1_李雷.jpg', '作业_X3.pdf、X3_毕业生乙.jpg'],
  [
    'the beginning of another number',
    '李雷 2021-12、2021-1-2、2021-1_2、2021-1A',
    '李雷 2021-12、2021-1-2、2021-1_2、2021-1A',
  ],
  [
    'the end of another number',
    '李雷 12021-1、9-2021-1、A2021-1、a_2021-1',
    '李雷 12021-1、9-2021-1、A2021-1、a_2021-1',
  ],
  ['a date', '2022-01-05 至 2022-01-31', '2022-01-05 至 2022-01-31'],
  ['a version or an amount', '3.2021-1、2021-1.5', '3.2021-1、2021-1.5'],
  ['a mail address', '邮箱li@x.cn。mailto:li@x.cn, <li@x.cn>.', '邮箱***。mailto:***, <***>.'],
  [
    'the end of another address',
    'bili@x.cn、a.li@x.cn、a-li@x.cn、a+li@x.cn',
    'bili@x.cn、a.li@x.cn、a-li@x.cn、a+li@x.cn',
  ],
  ['the beginning of another address', 'li@x.cnc、li@x.cn.org、li@x.cn-x.org', 'li@x.cnc、li@x.cn.org、li@x.cn-x.org'],
  ['a telephone with its area', '0571-88886666转5、0571-888866667', '***转5、0571-888866667'],
])('of tokens that are no single word: %s', (_, before, after) => {
  expect(li.erased(before, new Set())).toBe(after)
})

/** Staff of a school with short numbers, and one who signs in by a word. */
const staff = new TraceEraser([
  { suId: id(4), name: { old: '赵一', new: '教职工甲', isUnique: true }, tokens: [['1001', 'X5']] },
  { suId: id(5), name: { old: '王伟', new: '教职工乙', isUnique: false }, tokens: [['teacher', 'X6']] },
  {
    suId: id(6),
    name: { old: '孙三', new: '教职工丙' },
    tokens: [
      ['3-1', 'X7'],
      ['4.5', 'X8'],
      ['hall_b', 'X9'],
    ],
  },
  {
    suId: id(7),
    name: { old: '周四', new: '教职工丁', nickname: '文老师' },
    tokens: [
      ['2024-2025', 'XA'],
      ['2025-03-05', 'XB'],
      ['2024.09', 'XC'],
    ],
  },
])

test.each<[string, Plain, Plain]>([
  ['a short number is a room or an amount', '教室1001，共1001人次', '教室1001，共1001人次'],
  ['but beside the name it is theirs', '赵一（1001）请假', '教职工甲（X5）请假'],
  ['so is it in a field of numbers', { suId: id(4), suiNumber: '1001' }, { suId: id(4), suiNumber: 'X5' }],
  [
    'of nobody else',
    { suId: id(2), suiNumber: '1001', role: 'teacher' },
    { suId: id(2), suiNumber: '1001', role: 'teacher' },
  ],
  [
    'a short one with a hyphen, a point or a line is a score, a version or a place',
    '3-1 获胜，4.5 版，在 hall_b 举行',
    '3-1 获胜，4.5 版，在 hall_b 举行',
  ],
  ['but beside the name it is theirs, too', '孙三（3-1、4.5、hall_b）', '教职工丙（X7、X8、X9）'],
  ['and in a field of numbers', { suId: id(6), suiNumber: '3-1' }, { suId: id(6), suiNumber: 'X7' }],
  [
    'what looks like a school year, a day or a month is one',
    ['2024-2025学年迎新', '2025-03-05 08:00:00', '自 2024.09 起'],
    ['2024-2025学年迎新', '2025-03-05 08:00:00', '自 2024.09 起'],
  ],
  ['but beside the name it is theirs as well', '周四（2024-2025）', '教职工丁（XA）'],
  ['what they alone are called is their name', `文老师（${id(7)}）发起`, `教职工丁（${id(7)}）发起`],
  ['by whatever name their id stands', { suId: id(7), suNickname: '周老师' }, { suId: id(7), suNickname: '教职工丁' }],
  ['a word is no number', { suId: id(5), role: 'teacher' }, { suId: id(5), role: 'teacher' }],
])('of staff: %s', (_, before, after) => {
  expect(staff.erased(before, staff.about(before))).toEqual(after)
})

test('a name without an id goes where nobody else has it', () => {
  expect(['赵一', '王伟', '', '文老师'].map((name) => staff.bareName(name))).toEqual([
    '教职工甲',
    '王伟',
    '',
    '教职工丁',
  ])
})

test('a text about somebody alone names them by a short number, too', () => {
  const about = (suId: string) => new Set([staff.of(suId)!])
  expect(staff.erasedOwn('1001 本人申请', about(id(4)))).toBe('X5 本人申请')
  expect(staff.erasedOwn('孙三（3-1）申请，1001 室受理', about(id(6)))).toBe('教职工丙（X7）申请，1001 室受理')
})

test('where the name stays only the tokens go', () => {
  const contacts = new TraceEraser([{ suId: id(1), tokens: [['13900001111', '***']] }])
  const before = { suId: id(1), suiName: '王伟', text: '王伟 13900001111' }
  expect(contacts.erased(before, contacts.about(before))).toEqual({ ...before, text: '王伟 ***' })
})

test('what was erased once has nothing left to erase', () => {
  const once = eraser.erased('王伟（2021001）', new Set())
  expect(eraser.erased(once, eraser.about(once))).toBe(once)
})
