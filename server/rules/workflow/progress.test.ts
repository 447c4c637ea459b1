import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { taskStatus } from '../../../contract/core/codes/programme.ts'
import { flowStepType } from '../../../contract/core/codes/rules.ts'
import { progress, type RunningStep, type Vote } from './progress.ts'

const step = (stepSort: number, stepType: string, ...people: string[]): RunningStep => ({
  stepSort,
  stepName: `步骤${stepSort}`,
  stepType,
  people,
})
const adding = (base: RunningStep, ...added: string[]): RunningStep => ({
  ...base,
  added: added.map((seatId) => ({ seatId, since: 1 })),
})
/** `'a1'`: a passes, `'b2'`: b refuses, at the step and in the round given. */
const votes = (stepSort: number, ...cast: string[]): Vote[] =>
  cast.map((vote) => ({ stepSort, seatId: vote[0]!, taskStatus: vote.slice(1) }))
const inRound = (round: number, cast: Vote[]): Vote[] => cast.map((vote) => ({ ...vote, round }))
const back = (stepSort: number, seatId: string, backTo: number, round = 1): Vote => ({
  stepSort,
  seatId,
  taskStatus: taskStatus.refused,
  backTo,
  round,
})

describe('one step', () => {
  const cases: [string, RunningStep, Vote[], 'running' | 'passed' | 'refused', string][] = [
    ['any one: nobody yet', step(1, flowStepType.anyOne, 'a', 'b'), [], 'running', 'ab'],
    ['any one: one passes', step(1, flowStepType.anyOne, 'a', 'b'), votes(1, 'b1'), 'passed', ''],
    ['any one: one refuses', step(1, flowStepType.anyOne, 'a', 'b'), votes(1, 'a2'), 'refused', ''],
    ['all: one of two passed', step(1, flowStepType.everyone, 'a', 'b'), votes(1, 'a1'), 'running', 'b'],
    ['all: both passed', step(1, flowStepType.everyone, 'a', 'b'), votes(1, 'a1', 'b1'), 'passed', ''],
    ['all: one refuses', step(1, flowStepType.everyone, 'a', 'b'), votes(1, 'a1', 'b2'), 'refused', ''],
    ['in turn: the first is awaited', step(1, flowStepType.inTurn, 'a', 'b', 'c'), [], 'running', 'a'],
    ['in turn: then the second', step(1, flowStepType.inTurn, 'a', 'b', 'c'), votes(1, 'a1'), 'running', 'b'],
    ['in turn: all', step(1, flowStepType.inTurn, 'a', 'b'), votes(1, 'a1', 'b1'), 'passed', ''],
    ['in turn: the second refuses', step(1, flowStepType.inTurn, 'a', 'b', 'c'), votes(1, 'a1', 'b2'), 'refused', ''],
    [
      'vote: two of four is not more than half',
      step(1, flowStepType.vote, 'a', 'b', 'c', 'd'),
      votes(1, 'a1', 'b1'),
      'running',
      'cd',
    ],
    ['vote: three of four', step(1, flowStepType.vote, 'a', 'b', 'c', 'd'), votes(1, 'a1', 'b1', 'c1'), 'passed', ''],
    [
      'vote: lost when half have refused',
      step(1, flowStepType.vote, 'a', 'b', 'c', 'd'),
      votes(1, 'a2', 'b2'),
      'refused',
      '',
    ],
    ['vote: one refusal does not end it', step(1, flowStepType.vote, 'a', 'b', 'c'), votes(1, 'a2'), 'running', 'bc'],
    ['vote: the only one', step(1, flowStepType.vote, 'a'), votes(1, 'a1'), 'passed', ''],
    ['copy decides nothing', step(1, flowStepType.copy, 'a'), [], 'passed', ''],
    ['automatic', step(1, flowStepType.autoPass), [], 'passed', ''],
    ['passed by the system counts', step(1, flowStepType.anyOne, 'a'), votes(1, 'a6'), 'passed', ''],
    ['votes of strangers count for nothing', step(1, flowStepType.anyOne, 'a'), votes(1, 'x1'), 'running', 'a'],
    ['votes at another step count for nothing', step(1, flowStepType.anyOne, 'a'), votes(2, 'a1'), 'running', 'a'],
    ['a task without decision is no vote', step(1, flowStepType.anyOne, 'a'), votes(1, 'a7'), 'running', 'a'],
    [
      'nor is one handed on, withdrawn or given to a deputy',
      step(1, flowStepType.everyone, 'a', 'b', 'c'),
      votes(1, 'a3', 'b4', 'c5'),
      'running',
      'abc',
    ],
    [
      'a lapsed task does not undo the vote of the same seat',
      step(1, flowStepType.anyOne, 'a'),
      votes(1, 'a1', 'a7'),
      'passed',
      '',
    ],
    ['a step without people waits', step(1, flowStepType.anyOne), [], 'running', ''],
    [
      'added to any one: both must pass',
      adding(step(1, flowStepType.anyOne, 'a', 'b'), 'x'),
      votes(1, 'a1'),
      'running',
      'x',
    ],
    [
      'added to any one: the added alone is not enough',
      adding(step(1, flowStepType.anyOne, 'a', 'b'), 'x'),
      votes(1, 'x1'),
      'running',
      'ab',
    ],
    [
      'added to any one: both did',
      adding(step(1, flowStepType.anyOne, 'a', 'b'), 'x'),
      votes(1, 'x1', 'b1'),
      'passed',
      '',
    ],
    [
      'added to a vote: a majority without the added waits',
      adding(step(1, flowStepType.vote, 'a', 'b', 'c'), 'x'),
      votes(1, 'a1', 'b1'),
      'running',
      'x',
    ],
    ['added in turn: asked beside the first', adding(step(1, flowStepType.inTurn, 'a', 'b'), 'x'), [], 'running', 'xa'],
    ['added and refusing', adding(step(1, flowStepType.everyone, 'a'), 'x'), votes(1, 'x2', 'a1'), 'refused', ''],
    [
      'added who is there already changes nothing',
      adding(step(1, flowStepType.everyone, 'a'), 'a'),
      votes(1, 'a1'),
      'passed',
      '',
    ],
  ]
  test.each(cases)('%s', (_, only, cast, state, awaited) => {
    const stepProgress = progress([only], cast)
    expect(stepProgress.state).toBe(state)
    expect(stepProgress.awaited.join('')).toBe(awaited)
  })
})

describe('several steps', () => {
  const steps = [
    step(1, flowStepType.anyOne, 'a'),
    step(2, flowStepType.everyone, 'b', 'c'),
    step(3, flowStepType.copy, 'd'),
    step(4, flowStepType.anyOne, 'e'),
  ]
  const cases: [string, Vote[], 'running' | 'passed' | 'refused', number][] = [
    ['nothing yet', [], 'running', 1],
    ['first passed', votes(1, 'a1'), 'running', 2],
    ['a later vote without the first does not help', votes(2, 'b1', 'c1'), 'running', 1],
    ['copy is passed over', [...votes(1, 'a1'), ...votes(2, 'b1', 'c1')], 'running', 4],
    ['all passed', [...votes(1, 'a1'), ...votes(2, 'b1', 'c1'), ...votes(4, 'e1')], 'passed', 4],
    ['refused in the middle', [...votes(1, 'a1'), ...votes(2, 'c2')], 'refused', 2],
    ['back to the first: it is open again', [...votes(1, 'a1'), back(2, 'b', 1)], 'running', 1],
    [
      'back and passed again: the second is open again',
      [...votes(1, 'a1'), ...votes(2, 'c1'), back(2, 'b', 1), ...inRound(2, votes(1, 'a1'))],
      'running',
      2,
    ],
    [
      'votes of the first round do not count in the second',
      [...votes(1, 'a1'), ...votes(2, 'c1'), back(2, 'b', 1), ...inRound(2, [...votes(1, 'a1'), ...votes(2, 'b1')])],
      'running',
      2,
    ],
    [
      'passed in the second round',
      [
        ...votes(1, 'a1'),
        back(2, 'b', 1),
        ...inRound(2, [...votes(1, 'a1'), ...votes(2, 'b1', 'c1'), ...votes(4, 'e1')]),
      ],
      'passed',
      4,
    ],
    ['back to the second keeps the first', [...votes(1, 'a1'), ...votes(2, 'b1', 'c1'), back(4, 'e', 2)], 'running', 2],
    [
      'refused for good in the second round',
      [...votes(1, 'a1'), back(2, 'b', 1), ...inRound(2, votes(1, 'a2'))],
      'refused',
      1,
    ],
    [
      'back twice',
      [
        ...votes(1, 'a1'),
        back(2, 'b', 1),
        ...inRound(2, votes(1, 'a1')),
        back(2, 'c', 1, 2),
        ...inRound(3, votes(1, 'a1')),
      ],
      'running',
      2,
    ],
    ['back to a later step is no way back', [...votes(1, 'a1'), back(2, 'b', 4)], 'refused', 2],
  ]
  test.each(cases)('%s', (_, cast, state, at) => {
    expect(progress(steps, cast)).toMatchObject({ state, stepSort: at })
  })
  test('whoever is added in a later round was not missing in the one before', () => {
    const late = [
      { ...step(1, flowStepType.anyOne, 'a'), added: [{ seatId: 'x', since: 2 }] },
      step(2, flowStepType.anyOne, 'b'),
    ]
    const cast = [...votes(1, 'a1'), back(2, 'b', 1)]
    expect(progress(late, [...cast, ...inRound(2, votes(1, 'a1'))])).toMatchObject({
      state: 'running',
      stepSort: 1,
      awaited: ['x'],
    })
    expect(progress(late, [...cast, ...inRound(2, votes(1, 'a1', 'x1'))])).toMatchObject({
      state: 'running',
      stepSort: 2,
    })
  })
  test('no steps: nothing to decide', () => expect(progress([], []).state).toBe('passed'))
  test('of several who send it back, the furthest place counts; the initiator is furthest', () => {
    const three = [
      step(1, flowStepType.anyOne, 'a'),
      step(2, flowStepType.anyOne, 'b'),
      step(3, flowStepType.vote, 'c', 'd'),
    ]
    const begun = [...votes(1, 'a1'), ...votes(2, 'b1')]
    expect(progress(three, [...begun, back(3, 'c', 2), back(3, 'd', 1)])).toMatchObject({
      state: 'running',
      stepSort: 1,
    })
    expect(progress(three, [...begun, back(3, 'c', 2), ...votes(3, 'd2')]).state).toBe('refused')
  })
})

test('any order of the same votes gives one outcome, and a refused application never passes', () => {
  const people = ['a', 'b', 'c', 'd']
  const anyStep = fc.record({
    stepType: fc.constantFrom(flowStepType.anyOne, flowStepType.everyone, flowStepType.inTurn, flowStepType.vote),
    people: fc.subarray(people, { minLength: 1 }),
  })
  const anyVotes = fc.uniqueArray(
    fc.record({
      stepSort: fc.integer({ min: 1, max: 3 }),
      seatId: fc.constantFrom(...people),
      taskStatus: fc.constantFrom(taskStatus.passed, taskStatus.refused, taskStatus.autoPassed),
      round: fc.integer({ min: 1, max: 2 }),
      backTo: fc.constantFrom(null, null, 1, 2),
    }),
    { selector: (vote) => `${vote.stepSort}${vote.seatId}${vote.round}`, maxLength: 16 },
  )
  fc.assert(
    fc.property(
      fc.array(anyStep, { minLength: 1, maxLength: 3 }),
      anyVotes,
      fc.func(fc.nat()),
      (shapes, cast, order) => {
        const steps = shapes.map((shape, at) => ({ ...shape, stepSort: at + 1, stepName: '' }))
        const shuffled = cast.toSorted(
          (a, b) => order(a.seatId + a.stepSort + a.round) - order(b.seatId + b.stepSort + b.round),
        )
        const stepProgress = progress(steps, cast)
        expect(progress(steps, shuffled)).toEqual(stepProgress)
        if (stepProgress.state === 'refused')
          for (const person of people)
            expect(
              progress(steps, [...cast, { stepSort: 9, seatId: person, taskStatus: taskStatus.passed }]).state,
            ).toBe('refused')
        if (stepProgress.state === 'passed')
          for (const { stepType, people: deciders, stepSort } of steps) {
            const passes = cast.filter(
              (vote) =>
                vote.stepSort === stepSort &&
                vote.round === stepProgress.rounds.get(stepSort) &&
                deciders.includes(vote.seatId) &&
                vote.taskStatus !== taskStatus.refused,
            ).length
            expect(passes).toBeGreaterThanOrEqual(
              stepType === flowStepType.anyOne
                ? 1
                : stepType === flowStepType.vote
                  ? Math.floor(deciders.length / 2) + 1
                  : deciders.length,
            )
          }
      },
    ),
    { numRuns: 500 },
  )
})
