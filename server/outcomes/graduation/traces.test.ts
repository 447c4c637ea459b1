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

test('where the name stays only the tokens go', () => {
  const contacts = new TraceEraser([{ suId: id(1), tokens: [['13900001111', '***']] }])
  const before = { suId: id(1), suiName: '王伟', text: '王伟 13900001111' }
  expect(contacts.erased(before, contacts.about(before))).toEqual({ ...before, text: '王伟 ***' })
})

test('what was erased once has nothing left to erase', () => {
  const once = eraser.erased('王伟（2021001）', new Set())
  expect(eraser.erased(once, eraser.about(once))).toBe(once)
})
