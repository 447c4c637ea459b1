import { describe, expect, test } from 'vitest'
import { yesNo } from '../../../contract/core/codes/platform.ts'
import { approvalStatus, taskStatus } from '../../../contract/core/codes/programme.ts'
import { flowCheckerType, timeoutAction } from '../../../contract/core/codes/rules.ts'
import { Failure } from '../../../contract/core/failure.ts'
import type { TimeoutAction } from '../../../contract/core/codes/rules.ts'
import {
  addSigners,
  backTargets,
  namesNext,
  removeSigner,
  terminate,
  timeOut,
  transfer,
  vote,
  withdraw,
} from './actions.ts'
import { advise, delegate, recallAdvice } from './advice.ts'
import { arrange, type EngineStep, type Facts, type Running } from './arrange.ts'
import { asked, begun, facts, step, taskOf, tasksText } from '../../testing/engine-cases.ts'

/**
 * One act in a line of text: `a+` passes, `a-` refuses, `a-1` sends back to step 1, `a+>b` passes and names b, `a>b`
 * hands on to b, `a&x` adds x, `a%x` takes x off, `a?b` asks b for an opinion, `b=` gives it, `a<` takes the task back,
 * `a!3` time runs out for a with action 3.
 */
function action(now: Running, line: string, world: Facts = facts()): Running {
  const [, who, sign, rest] = /^(\w)([+\->&!%?=<])(.*)$/.exec(line)! as unknown as [string, string, string, string]
  if (sign === '%') return arrange(removeSigner(now, { seatId: rest, by: who, opinion: '' }), world)
  if (sign === '<') {
    const wanting = now.tasks.findLast((task) => task.checkerId === who && task.taskStatus === taskStatus.delegated)!
    return arrange(recallAdvice(now, { taskId: wanting.taskId, by: who }, world), world)
  }
  const { taskId } = taskOf(now, who)
  if (sign === '?') return arrange(delegate(now, { taskId, by: who, to: rest, opinion: '' }, world), world)
  if (sign === '=') return arrange(advise(now, { taskId, by: who, opinion: '属实' }, world), world)
  const done =
    sign === '+'
      ? vote(now, { taskId, by: who, verdict: 'pass', opinion: '', next: [...rest.replace('>', '')] })
      : sign === '-'
        ? vote(now, { taskId, by: who, verdict: 'refuse', opinion: '', backTo: rest === '' ? undefined : Number(rest) })
        : sign === '>'
          ? transfer(now, { taskId, by: who, to: rest, opinion: '' }, world)
          : sign === '&'
            ? addSigners(now, { taskId, by: who, people: [...rest] })
            : timeOut(now, taskId, rest[0] as TimeoutAction, rest.slice(1).split(''), world)
  return arrange(done, world)
}
const play = (steps: EngineStep[], lines: string, world: Facts = facts()): Running =>
  lines
    .split(' ')
    .filter(Boolean)
    .reduce((now, line) => action(now, line, world), begun(steps, world))
const refusal = (work: () => unknown): string => {
  try {
    work()
  } catch (error) {
    if (error instanceof Failure) return error.reason
    throw error
  }
  return 'done'
}

const two = [step(1, '1', 'ab'), step(2, '1', 'c')]

describe('passing and refusing', () => {
  test.each<[string, EngineStep[], string, string, string]>([
    ['the first of several decides, the others lapse', two, 'a+', '0', 'c'],
    ['the last step ends it', two, 'a+ c+', '1', ''],
    ['a refusal ends it', two, 'b-', '2', ''],
    ['in turn one after the other', [step(1, '3', 'abc')], 'a+', '0', 'b'],
    ['all at once', [step(1, '2', 'abc')], 'b+', '0', 'a c'],
    ['more than half', [step(1, '4', 'abc')], 'a+ c+', '1', ''],
    ['half refused', [step(1, '4', 'abcd')], 'a- c-', '2', ''],
    ['copies stop nothing', [step(1, '1', 'a'), step(2, '5', 'bc'), step(3, '1', 'd')], 'a+', '0', 'd'],
    ['an automatic step stops nothing', [step(1, '6', ''), step(2, '1', 'a')], '', '0', 'a'],
    ['only copies: passed at once', [step(1, '5', 'a')], '', '1', ''],
    [
      'the same person twice in line passes by itself',
      [step(1, '1', 'a'), step(2, '1', 'a'), step(3, '1', 'b')],
      'a+',
      '0',
      'b',
    ],
    ['the same person among all: the others are asked', [step(1, '1', 'a'), step(2, '2', 'ab')], 'a+', '0', 'b'],
    ['the same person, not in line', [step(1, '1', 'a'), step(2, '1', 'b'), step(3, '1', 'a')], 'a+ b+', '1', ''],
    ['the initiator’s own place passes by itself', [step(1, '1', 'i'), step(2, '1', 'a')], '', '0', 'a'],
    ['but where all must pass, the others are asked', [step(1, '2', 'ia'), step(2, '1', 'b')], '', '0', 'a'],
  ])('%s', (_, steps, lines, insStatus, waiting) => {
    const now = play(steps, lines)
    expect([now.insStatus, asked(now)]).toEqual([insStatus, waiting])
  })
  test('nobody decides twice, for somebody else, or after the end', () => {
    const now = play(two, 'a+')
    const mine = now.tasks.find(({ checkerId }) => checkerId === 'a')!.taskId
    expect(refusal(() => vote(now, { taskId: mine, by: 'a', verdict: 'refuse', opinion: '' }))).toBe('already-decided')
    expect(refusal(() => vote(now, { taskId: taskOf(now, 'c').taskId, by: 'a', verdict: 'pass', opinion: '' }))).toBe(
      'not-checker',
    )
    const lapsed = now.tasks.find(({ checkerId }) => checkerId === 'b')!
    expect([
      lapsed.taskStatus,
      refusal(() => vote(now, { taskId: lapsed.taskId, by: 'b', verdict: 'pass', opinion: '' })),
    ]).toEqual([taskStatus.lapsed, 'already-decided'])
    expect(refusal(() => vote(now, { taskId: 'none', by: 'a', verdict: 'pass', opinion: '' }))).toBe('not-found')
  })
  test('a copy is given once and to those in service', () => {
    const now = play(
      [step(1, '1', 'a'), step(2, '5', 'bx'), step(3, '1', 'c')],
      'a+ c-1 a+',
      facts({ serving: new Set('abciz') }),
    )
    expect(tasksText(now)).toBe('a1 b7 c2 a1 c0')
  })
})

describe('back to an earlier step', () => {
  const three = (canReject: string) => [step(1, '1', 'a'), step(2, '1', 'b'), step(3, '1', 'c', { canReject })]
  test.each<[string, EngineStep[], string, string, string, number]>([
    ['to the first', three('any'), 'a+ b+ c-1', '0', 'a', 1],
    ['to the step before', three('prev'), 'a+ b+ c-2', '0', 'b', 2],
    ['and on again through all', three('any'), 'a+ b+ c-1 a+ b+ c+', '1', '', 3],
    ['and refused for good the second time', three('any'), 'a+ b+ c-1 a-', '2', '', 1],
    [
      'the second time nobody passes by themselves for what they passed the first time',
      [step(1, '1', 'a'), step(2, '1', 'ab')],
      'a+',
      '1',
      '',
      2,
    ],
  ])('%s', (_, steps, lines, insStatus, waiting, at) => {
    const now = play(steps, lines)
    expect([now.insStatus, asked(now), now.stepSort]).toEqual([insStatus, waiting, at])
  })
  test.each<[string, string, number[]]>([
    ['any', 'any', [1, 2]],
    ['the one before', 'prev', [2]],
    ['only the initiator', 'start', []],
  ])('%s is offered', (_, canReject, expected) => {
    const steps = three(canReject)
    expect(backTargets(play(steps, 'a+ b+'), steps[2]!)).toEqual(expected)
  })
  test('what is not offered is refused', () => {
    expect(refusal(() => play(three('start'), 'a+ b+ c-1'))).toBe('back-not-allowed')
    expect(refusal(() => play(three('prev'), 'a+ b+ c-1'))).toBe('back-not-allowed')
    expect(refusal(() => play(three('any'), 'a-1'))).toBe('back-not-allowed')
  })
  test('a step that passed by itself is no place to go back to', () => {
    const steps = [step(1, '1', 'i'), step(2, '1', 'a'), step(3, '1', 'b')]
    expect(backTargets(play(steps, 'a+'), steps[2]!)).toEqual([2])
  })
})

describe('handing on', () => {
  test('the other decides in their own name, and whoever handed on no more', () => {
    const now = play(two, 'a>d')
    expect([asked(now), tasksText(now)]).toEqual(['b d', 'a3 b0 d0'])
    expect(asked(action(now, 'd+'))).toBe('c')
  })
  test.each<[string, string, string]>([
    ['to the initiator', 'a>i', 'own-matter'],
    ['to one of the same step', 'a>b', 'already-on-step'],
    ['where the step does not allow it', 'c>d', 'transfer-not-allowed'],
  ])('%s is refused', (_, line, reason) => {
    const steps = [step(1, '1', 'ab'), step(2, '1', 'c', { allowTransfer: yesNo.no })]
    expect(refusal(() => action(play(steps, line.startsWith('c') ? 'a+' : ''), line))).toBe(reason)
  })
  test('in all-must-pass the place is kept', () => {
    const now = play([step(1, '2', 'ab')], 'a>d d+')
    expect(asked(now)).toBe('b')
    expect(action(now, 'b+').insStatus).toBe(approvalStatus.passed)
  })
  test('whoever was handed a task and passed it is not asked again later', () =>
    expect(play([step(1, '1', 'a'), step(2, '1', 'd')], 'a>d d+').insStatus).toBe(approvalStatus.passed))
})

describe('adding', () => {
  test.each<[string, EngineStep[], string, string, string]>([
    ['both must pass', two, 'a&x a+', '0', 'x'],
    ['in any order', two, 'a&x x+ a+', '0', 'c'],
    ['the added may refuse', two, 'a&x x-', '2', ''],
    ['several at once', two, 'a&xy x+ a+', '0', 'y'],
  ])('%s', (_, steps, lines, insStatus, waiting) => {
    const now = play(steps, lines)
    expect([now.insStatus, asked(now)]).toEqual([insStatus, waiting])
  })
  test('not the initiator, nobody who is there already, and only where allowed', () => {
    expect(refusal(() => play(two, 'a&i'))).toBe('own-matter')
    expect(refusal(() => play(two, 'a&b'))).toBe('already-on-step')
    expect(refusal(() => play([step(1, '1', 'a', { allowAdd: yesNo.no })], 'a&x'))).toBe('add-not-allowed')
  })
})

describe('asking for an opinion', () => {
  test.each<[string, EngineStep[], string, string, string, string]>([
    ['the colleague is asked instead', two, 'a?d', '0', 'b d', 'a4 b0 d0'],
    ['their opinion decides nothing: the task comes back', two, 'a?d d=', '0', 'b a', 'a4 b0 d8 a0'],
    ['and is decided then', two, 'a?d d= a+', '0', 'c', 'a4 b7 d8 a1 c0'],
    ['or by a colleague of the step meanwhile', two, 'a?d b+', '0', 'c', 'a4 b1 d7 c0'],
    ['taken back before the answer', two, 'a?d a<', '0', 'b a', 'a4 b0 d5 a0'],
    ['asked again, of somebody else', two, 'a?d d= a?e e= a+', '0', 'c', 'a4 b7 d8 a4 e8 a1 c0'],
    [
      'where all must pass the seat stays that of the first',
      [step(1, '2', 'ab')],
      'a?d d= a+ b+',
      '1',
      '',
      'a4 b1 d8 a1',
    ],
    ['in turn nobody else is asked meanwhile', [step(1, '3', 'ab')], 'a?d', '0', 'd', 'a4 d0'],
    ['time passes: the step passes, not the colleague', two, 'a?d d!3', '0', 'c', 'a4 b7 d7 a6 c0'],
    ['time passes: the step refuses', two, 'a?d d!4', '2', '', 'a4 b7 d7 a2'],
    ['others are asked as well: they decide', two, 'a?d d!2x x+', '0', 'c', 'a4 b7 d7 x1 c0'],
    ['who was asked as well is not asked twice', two, 'a?d d!2a d=', '0', 'b a', 'a4 b0 d8 a0'],
    ['who gave an opinion may be handed the task', two, 'a?d d= a>d', '0', 'b d', 'a4 b0 d8 a3 d0'],
  ])('%s', (_, steps, lines, insStatus, waiting, tasks) => {
    const now = play(steps, lines)
    expect([now.insStatus, asked(now), tasksText(now)]).toEqual([insStatus, waiting, tasks])
  })
  test.each<[string, string, string]>([
    ['of the initiator', 'a?i', 'own-matter'],
    ['of one who is asked already', 'a?b', 'already-on-step'],
    ['by passing', 'a?d d+', 'opinion-only'],
    ['by refusing', 'a?d d-', 'opinion-only'],
    ['by handing on', 'a?d d>e', 'opinion-only'],
    ['by adding', 'a?d d&e', 'opinion-only'],
    ['by asking on', 'a?d d?e', 'opinion-only'],
    ['where none is wanted', 'b=', 'no-opinion-wanted'],
    ['back after the answer', 'a?d d= a<', 'already-advised'],
    ['back once a colleague has decided', 'a?d b+ a<', 'already-advised'],
  ])('%s is refused', (_, lines, reason) => expect(refusal(() => play(two, lines))).toBe(reason))
  test('only where the step allows it, and taken back only by who asked', () => {
    expect(refusal(() => play([step(1, '1', 'a', { allowTransfer: yesNo.no })], 'a?d'))).toBe('delegate-not-allowed')
    const now = play(two, 'a?d')
    const wanting = now.tasks.find(({ checkerId }) => checkerId === 'a')!.taskId
    expect(refusal(() => recallAdvice(now, { taskId: wanting, by: 'b' }, facts()))).toBe('not-checker')
  })
  test('who leaves gives none, and whoever stands in for them is not asked', () => {
    const now = play(two, 'a?d')
    const gone = arrange(now, facts({ serving: new Set('abciz') }))
    expect([asked(gone), tasksText(gone)]).toEqual(['b a', 'a4 b0 d7 a0'])
    expect(arrange(now, facts({ deputies: new Map([['d', 'e']]) }))).toEqual(now)
    const back = action(now, 'd=', facts({ deputies: new Map([['a', 'e']]) }))
    expect(asked(back)).toBe('b e代a')
  })
})

describe('taking an added signer off', () => {
  test.each<[string, EngineStep[], string, string, string]>([
    ['by who added them: they are asked no longer', two, 'a&x a%x', 'a b', 'a0 b0 x5'],
    ['by another of the step', two, 'a&x b%x', 'a b', 'a0 b0 x5'],
    ['after their own decision: the step is over', two, 'a&x a+ a%x', 'c', 'a1 b7 x5 c0'],
    ['one of several', two, 'a&xy a+ a%x', 'y', 'a1 b7 x5 y0'],
    ['and added again', two, 'a&x a%x a&x', 'a b x', 'a0 b0 x5 x0'],
    ['whoever they handed it to as well', two, 'a&x x>e a%x', 'a b', 'a0 b0 x3 e5'],
    ['and whoever they asked for an opinion', two, 'a&x x?e a%x', 'a b', 'a0 b0 x4 e5'],
  ])('%s', (_, steps, lines, waiting, tasks) => {
    const now = play(steps, lines)
    expect([asked(now), tasksText(now)]).toEqual([waiting, tasks])
  })
  test.each<[string, string, string]>([
    ['one who has decided', 'a&x x+ a%x', 'signer-not-removable'],
    ['one who was not added', 'a%b', 'signer-not-removable'],
    ['by somebody who was added', 'a&xy x%y', 'not-permitted'],
    ['by somebody who only gives an opinion', 'a&x a?d d%x', 'not-permitted'],
    ['once the step is over', 'a&x x+ a+ a%x', 'signer-not-removable'],
    ['once all is over', 'a&x a- a%x', 'approval-ended'],
  ])('%s is refused', (_, lines, reason) => expect(refusal(() => play(two, lines))).toBe(reason))
  test('what they decided in an earlier round stays decided', () => {
    const steps = [step(1, '1', 'a'), step(2, '1', 'b')]
    const now = play(steps, 'a&x a+ x+ b-1 a%x a+ b+')
    expect([now.insStatus, tasksText(now)]).toEqual([approvalStatus.passed, 'a1 x1 b2 x5 a1 b1'])
  })
})

describe('ending without a decision', () => {
  test('what is open lapses, and nothing goes on', () => {
    const now = terminate(play(two, 'a+'))
    expect([now.insStatus, tasksText(now), arrange(now, facts())]).toEqual([approvalStatus.terminated, 'a1 b7 c7', now])
  })
  test('not after the end', () => {
    expect(refusal(() => terminate(play(two, 'a-')))).toBe('approval-ended')
    expect(refusal(() => terminate(play(two, 'a+ c+')))).toBe('approval-ended')
    expect(refusal(() => terminate(withdraw(begun(two))))).toBe('approval-ended')
  })
})

describe('standing in', () => {
  const deputies = new Map([['a', 'd']])
  test('the deputy is asked in the name of the other', () =>
    expect(asked(begun(two, facts({ deputies })))).toBe('d代a b'))
  test('what they pass counts as passed by the other', () => {
    const now = play([step(1, '1', 'a'), step(2, '1', 'a'), step(3, '1', 'c')], 'd+', facts({ deputies }))
    expect(asked(now)).toBe('c')
    expect(play([step(1, '1', 'a'), step(2, '1', 'd')], 'd+', facts({ deputies })).insStatus).toBe(
      approvalStatus.running,
    )
  })
  test('never the initiator, and nobody who has left', () => {
    expect(asked(begun(two, facts({ deputies: new Map([['a', 'i']]) })))).toBe('a b')
    expect(asked(begun(two, facts({ deputies, serving: new Set('abciz') })))).toBe('a b')
  })
  test('open tasks go to the deputy when their time begins and come back when it ends', () => {
    const start = begun(two)
    const during = arrange(start, facts({ deputies }))
    expect([asked(during), tasksText(during)]).toEqual(['d代a b', 'a4 d0 b0'])
    const after = arrange(during, facts())
    expect([asked(after), tasksText(after)]).toEqual(['a b', 'a4 d5 a0 b0'])
  })
  test('a deputy who has a place of their own votes for both', () => {
    const now = play([step(1, '2', 'ad')], 'd+', facts({ deputies }))
    expect([now.insStatus, asked(now)]).toEqual([approvalStatus.running, 'd'])
    expect(action(now, 'd+', facts({ deputies })).insStatus).toBe(approvalStatus.passed)
  })
})

describe('people who left', () => {
  const without = (gone: string, more: Partial<Facts> = {}) =>
    facts({ serving: new Set([...'abcdefixyz'].filter((one) => !gone.includes(one))), ...more })
  test.each<[string, EngineStep[], string, string]>([
    ['one of several where one is enough: nothing is missing', [step(1, '1', 'ab')], 'a', 'b'],
    ['all where one is enough: the administrator, once', [step(1, '1', 'ab')], 'ab', 'z'],
    ['one where all must pass: the administrator in their place', [step(1, '2', 'ab')], 'a', 'b z'],
    ['the next in turn', [step(1, '3', 'ab')], 'a', 'z'],
    ['left out where the flow says so', [step(1, '1', 'a', { noApproverPolicy: 'skip' }), step(2, '1', 'b')], 'a', 'b'],
    ['a flow that blocks can only do so at the start', [step(1, '1', 'a', { noApproverPolicy: 'block' })], 'a', 'z'],
  ])('%s', (_, steps, gone, waiting) => expect(asked(begun(steps, without(gone)))).toBe(waiting))
  test('who leaves while they are asked is replaced', () => {
    const now = arrange(begun([step(1, '2', 'ab')]), without('a'))
    expect([asked(now), tasksText(now)]).toEqual(['b z', 'a7 b0 z0'])
  })
  test('who was handed a task and left is replaced too', () =>
    expect(asked(arrange(play([step(1, '1', 'a')], 'a>d'), without('d')))).toBe('z'))
  test('who is one of several where one is enough is asked no more, and again when they are back', () => {
    const gone = arrange(begun([step(1, '1', 'ab')]), without('a'))
    expect([asked(gone), tasksText(gone)]).toEqual(['b', 'a7 b0'])
    expect(asked(arrange(gone, facts()))).toBe('b a')
  })
  test('what they decided before stays', () =>
    expect(asked(arrange(play([step(1, '2', 'ab')], 'a+'), without('a')))).toBe('b'))
  test('without an administrator it waits', () => {
    const now = begun([step(1, '1', 'a')], without('a', { admins: [] }))
    expect([now.insStatus, asked(now)]).toEqual([approvalStatus.running, ''])
    expect(begun([step(1, '1', 'a')], without('a', { admins: ['i'] })).insStatus).toBe(approvalStatus.running)
  })
})

describe('named by the step before', () => {
  const steps = [
    step(1, '1', 'ab'),
    step(2, '1', '', { wfsCheckerType: flowCheckerType.namedByLastStep }),
    step(3, '1', 'c'),
  ]
  test('whoever passes names them', () => {
    expect(namesNext({ steps }, 1)).toBe(true)
    expect(namesNext({ steps }, 2)).toBe(false)
    expect(asked(play(steps, 'a+>xy'))).toBe('x y')
    expect(asked(play(steps, 'a+>x x+'))).toBe('c')
  })
  test('they must, and not the initiator', () => {
    expect(refusal(() => play(steps, 'a+'))).toBe('next-checker-needed')
    expect(refusal(() => play(steps, 'a+>i'))).toBe('next-checker-needed')
  })
  test('where the step before passed by itself, the administrator decides', () =>
    expect(
      asked(begun([step(1, '6', ''), step(2, '1', '', { wfsCheckerType: flowCheckerType.namedByLastStep })])),
    ).toBe('z'))
  test('named once, kept when it comes back', () => expect(asked(play(steps, 'a+>x x+ c-1 a+'))).toBe('x'))
})

describe('withdrawing', () => {
  test('while nobody has decided', () => {
    const now = withdraw(begun([step(1, '6', ''), step(2, '1', 'ab')]))
    expect([now.insStatus, tasksText(now), arrange(now, facts())]).toEqual([approvalStatus.withdrawn, 'a5 b5', now])
  })
  test('not after a decision', () => {
    expect(refusal(() => withdraw(play(two, 'a+')))).toBe('already-decided')
    expect(refusal(() => withdraw(play([step(1, '4', 'abc')], 'a-')))).toBe('already-decided')
    expect(refusal(() => withdraw(play(two, 'a-')))).toBe('already-decided')
  })
})

describe('time running out', () => {
  test.each<[string, string, string, string]>([
    ['nothing', 'a!0', '0', 'a b'],
    ['a reminder changes nothing', 'a!1', '0', 'a b'],
    ['others are asked as well', 'a!2xy', '0', 'a b x y'],
    ['one of them decides for all', 'a!2xy y+', '0', 'c'],
    ['not the initiator', 'a!2ix', '0', 'a b x'],
    ['it passes by itself', 'a!3', '0', 'c'],
    ['it is refused by itself', 'a!4', '2', ''],
  ])('%s', (_, lines, insStatus, waiting) => {
    const now = play(two, lines)
    expect([now.insStatus, asked(now)]).toEqual([insStatus, waiting])
  })
  test('an escalated place is decided once', () => {
    const now = play([step(1, '2', 'ab')], 'a!2x x+')
    expect(asked(now)).toBe('b')
    expect(tasksText(now)).toBe('a7 b0 x1')
  })
  test('a task that has been decided meanwhile stays as it is', () => {
    const now = play(two, 'a+')
    expect(timeOut(now, now.tasks[0]!.taskId, timeoutAction.autoRefuse, [], facts())).toBe(now)
  })
})

test('arranging twice changes nothing', () => {
  const now = play([step(1, '2', 'ab'), step(2, '5', 'x'), step(3, '4', 'acd')], 'a+ b+')
  expect(arrange(now, facts())).toEqual(now)
})
