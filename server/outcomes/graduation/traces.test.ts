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

test('where the name stays only the tokens go', () => {
  const contacts = new TraceEraser([{ suId: id(1), tokens: [['13900001111', '***']] }])
  const before = { suId: id(1), suiName: '王伟', text: '王伟 13900001111' }
  expect(contacts.erased(before, contacts.about(before))).toEqual({ ...before, text: '王伟 ***' })
})

test('what was erased once has nothing left to erase', () => {
  const once = eraser.erased('王伟（2021001）', new Set())
  expect(eraser.erased(once, eraser.about(once))).toBe(once)
})
