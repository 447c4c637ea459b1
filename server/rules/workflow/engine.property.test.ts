import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isOneOf } from '../../../contract/core/codes/code-list.ts'
import { approvalStatus, taskStatus as taskStatusCodes } from '../../../contract/core/codes/programme.ts'
import { flowStepType, timeoutAction } from '../../../contract/core/codes/rules.ts'
import { Failure } from '../../../contract/core/failure.ts'
import type { TimeoutAction } from '../../../contract/core/codes/rules.ts'
import { addSigners, backTargets, removeSigner, terminate, timeOut, transfer, vote, withdraw } from './actions.ts'
import { advise, delegate, recallAdvice } from './advice.ts'
import { arrange, type EngineStep, type Facts, type Running } from './arrange.ts'
import { begun, everybody, facts, step } from '../../testing/engine-cases.ts'
import { progress, stepVerdict } from './progress.ts'

/** Anything that may happen, to the nth open task or to the world. */
const event = fc.oneof(
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('pass' as const), nth: fc.nat(9) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('refuse' as const), nth: fc.nat(9) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('back' as const), nth: fc.nat(9), to: fc.nat(3) }) },
  fc.record({ kind: fc.constant('transfer' as const), nth: fc.nat(9), person: fc.constantFrom(...everybody) }),
  fc.record({ kind: fc.constant('add' as const), nth: fc.nat(9), person: fc.constantFrom(...everybody) }),
  fc.record({
    kind: fc.constant('deputy' as const),
    person: fc.constantFrom(...'abcdef'),
    deputy: fc.option(fc.constantFrom(...'cdefghi')),
  }),
  fc.record({ kind: fc.constant('leave' as const), person: fc.constantFrom(...'abcdefgh') }),
  fc.record({ kind: fc.constant('return' as const), person: fc.constantFrom(...'abcdefgh') }),
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('time' as const),
      nth: fc.nat(9),
      action: fc.constantFrom<TimeoutAction>(
        timeoutAction.markOnly,
        timeoutAction.remind,
        timeoutAction.escalate,
        timeoutAction.autoPass,
        timeoutAction.autoRefuse,
      ),
    }),
  },
  fc.record({ kind: fc.constant('delegate' as const), nth: fc.nat(9), person: fc.constantFrom(...everybody) }),
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('advise' as const), nth: fc.nat(9) }) },
  fc.record({ kind: fc.constant('recall' as const), nth: fc.nat(9) }),
  fc.record({ kind: fc.constant('remove' as const), person: fc.constantFrom(...everybody) }),
  fc.record({ kind: fc.constant('withdraw' as const) }),
  fc.record({ kind: fc.constant('terminate' as const) }),
)
type Event = typeof event extends fc.Arbitrary<infer E> ? E : never

const anyStep = fc.record({
  stepType: fc.constantFrom(
    flowStepType.anyOne,
    flowStepType.anyOne,
    flowStepType.everyone,
    flowStepType.inTurn,
    flowStepType.vote,
    flowStepType.copy,
    flowStepType.autoPass,
  ),
  people: fc.subarray([...'abcdi']),
  noApproverPolicy: fc.constantFrom('admin', 'skip', 'block'),
  canReject: fc.constantFrom('start', 'prev', 'any'),
})
const anySteps = fc
  .array(anyStep, { minLength: 1, maxLength: 4 })
  .map((shapes) => shapes.map(({ stepType, people, ...more }, at) => step(at + 1, stepType, people.join(''), more)))

function happen(now: Running, what: Event, world: Facts): Running {
  const open = now.tasks.filter(({ taskStatus }) => taskStatus === taskStatusCodes.pending)
  const task = 'nth' in what && open.length > 0 ? open[what.nth % open.length] : undefined
  if (what.kind === 'withdraw') return withdraw(now)
  if (what.kind === 'terminate') return terminate(now)
  if (what.kind === 'remove') return removeSigner(now, { seatId: what.person, by: null, opinion: '' })
  if (!task) return now
  const { taskId, checkerId: by } = task
  const current = now.steps.find(({ stepSort }) => stepSort === task.stepSort)!
  switch (what.kind) {
    case 'pass':
      return vote(now, { taskId, by, verdict: 'pass', opinion: '' })
    case 'refuse':
      return vote(now, { taskId, by, verdict: 'refuse', opinion: '' })
    case 'back': {
      const targets = backTargets(now, current)
      return targets.length === 0
        ? now
        : vote(now, { taskId, by, verdict: 'refuse', opinion: '', backTo: targets[what.to % targets.length] })
    }
    case 'transfer':
      return transfer(now, { taskId, by, to: what.person, opinion: '' }, world)
    case 'delegate':
      return delegate(now, { taskId, by, to: what.person, opinion: '' }, world)
    case 'advise':
      return advise(now, { taskId, by, opinion: '' }, world)
    case 'recall': {
      const wanting = now.tasks.find((one) => one.taskId === task.adviceOn)
      return wanting ? recallAdvice(now, { taskId: wanting.taskId, by: wanting.checkerId }, world) : now
    }
    case 'add':
      return addSigners(now, { taskId, by, people: [what.person] })
    case 'time':
      return timeOut(now, taskId, what.action, ['x', 'y'], world)
    default:
      return now
  }
}

test('whatever happens: no step is decided twice, nobody decides their own matter, what has ended stays ended, and what runs waits for somebody', () => {
  let ends = 0
  fc.assert(
    fc.property(anySteps, fc.array(event, { maxLength: 40 }), (steps, events) => {
      const serving = new Set(everybody)
      const deputies = new Map<string, string>()
      const world = facts({ serving, deputies })
      const verdicts = new Map<string, string>()
      let now = begun(steps, world)
      checkInvariants(now, verdicts, world)
      for (const what of events) {
        if (what.kind === 'leave') serving.delete(what.person)
        if (what.kind === 'return') serving.add(what.person)
        if (what.kind === 'deputy' && what.deputy && what.deputy !== what.person) deputies.set(what.person, what.deputy)
        if (what.kind === 'deputy' && !what.deputy) deputies.delete(what.person)
        const before = now
        try {
          now = arrange(happen(now, what, world), world)
        } catch (error) {
          if (!(error instanceof Failure)) throw error
        }
        if (before.insStatus !== approvalStatus.running) expect(now).toEqual(before)
        checkInvariants(now, verdicts, world)
        expect(arrange(now, world)).toEqual(now)
      }
      if (now.insStatus !== approvalStatus.running) ends++
    }),
    { numRuns: 400 },
  )
  expect(ends).toBeGreaterThan(50)
})

function checkInvariants(now: Running, verdicts: Map<string, string>, { serving }: Facts): void {
  const { insStatus, tasks, steps, initiatorId } = now
  const open = tasks.filter(({ taskStatus }) => taskStatus === taskStatusCodes.pending)
  const decided = tasks.filter(({ taskStatus }) =>
    isOneOf(taskStatus, taskStatusCodes.passed, taskStatusCodes.refused, taskStatusCodes.autoPassed),
  )
  // an opinion decides nothing, and is awaited only for whoever gave their task for it
  for (const { adviceOn, taskStatus, round, stepSort, seatId } of tasks.filter((task) => task.adviceOn !== null)) {
    expect(taskStatus).toBeOneOf([
      taskStatusCodes.pending,
      taskStatusCodes.withdrawn,
      taskStatusCodes.lapsed,
      taskStatusCodes.advised,
    ])
    const wanting = tasks.find(({ taskId }) => taskId === adviceOn)
    expect(wanting).toMatchObject({ taskStatus: taskStatusCodes.delegated, round, stepSort, seatId, adviceOn: null })
  }
  const seats = decided.map(({ round, stepSort, seatId }) => `${round} ${stepSort} ${seatId}`)
  const places = open.map(({ round, stepSort, seatId, checkerId }) => `${round} ${stepSort} ${seatId} ${checkerId}`)
  expect([seats.length, places.length]).toEqual([new Set(seats).size, new Set(places).size])
  expect(
    tasks.filter(({ checkerId, taskStatus }) => checkerId === initiatorId && taskStatus !== taskStatusCodes.autoPassed),
  ).toEqual([])
  for (const one of steps) {
    for (const round of new Set(tasks.map((task) => task.round))) {
      const { verdict } = stepVerdict(one, tasks, round)
      const key = `${round} ${one.stepSort}`
      if (one.stepType !== flowStepType.copy && one.stepType !== flowStepType.autoPass && verdicts.has(key))
        expect(verdict).toBe(verdicts.get(key))
      else if (verdict !== 'open') verdicts.set(key, verdict)
    }
  }
  const { state, stepSort } = progress(steps, tasks)
  if (insStatus === approvalStatus.running) {
    expect(state).toBe('running')
    expect(open.length).toBeGreaterThan(0)
    expect(open.every((task) => task.stepSort === stepSort)).toBe(true)
    expect(open.some(({ checkerId }) => serving.has(checkerId))).toBe(true)
  } else {
    expect(open).toEqual([])
    expect(state === 'passed').toBe(insStatus === approvalStatus.passed)
  }
}

test('where more than one must decide, any order of the same votes gives one outcome', () => {
  // people of their own at each step: whoever is asked twice passes by themselves the second time, if they were asked
  // the first time
  const shapeOf = (people: string) =>
    fc.record({
      stepType: fc.constantFrom(flowStepType.everyone, flowStepType.inTurn, flowStepType.vote),
      people: fc.subarray([...people], { minLength: 1 }),
    })
  fc.assert(
    fc.property(
      fc.tuple(shapeOf('abcd'), shapeOf('efghx')),
      fc.func(fc.integer({ min: 0, max: 3 })),
      fc.func(fc.nat()),
      fc.func(fc.nat()),
      (shapes, refuses, one, other) => {
        const steps = shapes.map(({ stepType, people }, at) => step(at + 1, stepType, people.join('')))
        const outcome = (order: (key: string) => number) => {
          let now = begun(steps)
          while (now.insStatus === approvalStatus.running) {
            const [task] = now.tasks
              .filter(({ taskStatus }) => taskStatus === taskStatusCodes.pending)
              .toSorted((a, b) => order(a.checkerId + a.stepSort) - order(b.checkerId + b.stepSort))
            now = arrange(
              vote(now, {
                taskId: task!.taskId,
                by: task!.checkerId,
                verdict: refuses(task!.checkerId + String(task!.stepSort)) === 0 ? 'refuse' : 'pass',
                opinion: '',
              }),
              facts(),
            )
          }
          return now.insStatus
        }
        expect(outcome(one)).toBe(outcome(other))
      },
    ),
    { numRuns: 200 },
  )
})

const withoutVotes = (steps: EngineStep[]) => begun(steps).insStatus
test('nothing passes without anybody unless the flow asks nobody', () => {
  fc.assert(
    fc.property(anySteps, (steps) => {
      if (withoutVotes(steps) !== '1') return
      const asking = steps.filter(
        ({ stepType }) => stepType !== flowStepType.copy && stepType !== flowStepType.autoPass,
      )
      expect(
        asking.every(({ people, noApproverPolicy }) =>
          people.length === 0 ? noApproverPolicy === 'skip' : people.includes('i'),
        ),
      ).toBe(true)
    }),
    { numRuns: 300 },
  )
})
