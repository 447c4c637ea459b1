import fc from 'fast-check'
import { resultStatus, questionOutcome, questionType, partakeMode } from '../../contract/core/codes/programme.ts'
import { overCapApi } from '../../contract/programme/credits/over-cap.calls.ts'
import { disputeApi } from '../../contract/programme/disputes/disputes.calls.ts'
import { worthOf, type CourseFacts, type RecordFacts, type Result, type SupplementFacts } from './credit-model.ts'
import type { CreditWorld } from './credits.ts'
import { unique } from './school.ts'

/** What happens to the credit of two students, through the calls of the service and to the facts of the model. */

type Rule = RecordFacts['rule']
export type CreditAction =
  | { do: 'hold'; rule: Rule; results: Result[]; isReversed: boolean }
  | { do: 'complete' }
  | { do: 'record'; rule: Rule; who: number; award: boolean; half: boolean; isNoticed?: boolean }
  | { do: 'correct'; nth: number; award: boolean; half: boolean }
  | { do: 'remove'; nth: number }
  | { do: 'question'; nth: number; way: 'refuse' | 'keep' | 'remove' | 'correct'; award: boolean; half: boolean }
  | { do: 'dispute'; nth: number; who: number; way: 'refuse' | 'keep' | 'remove' | '1' | '2' | '3' }
  | { do: 'end'; nth: number }
  | { do: 'raise'; who: number; hours: number }

const { passed, failed, awarded } = resultStatus
const who = fc.nat(1)
const nth = fc.nat(5)
const rule = fc.constantFrom<Rule>('grouped', 'grouped', 'free')
const result = fc.constantFrom<Result>(passed, passed, awarded, failed, null)

export const anyAction: fc.Arbitrary<CreditAction> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('hold' as const),
      rule,
      results: fc.array(result, { minLength: 2, maxLength: 2 }),
      isReversed: fc.boolean(),
    }),
  },
  { weight: 3, arbitrary: fc.constant({ do: 'complete' as const }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('record' as const),
      rule,
      who,
      award: fc.boolean(),
      half: fc.boolean(),
      isNoticed: fc.boolean(),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('question' as const),
      nth,
      way: fc.constantFrom(
        'refuse' as const,
        'keep' as const,
        'remove' as const,
        'correct' as const,
        'correct' as const,
      ),
      award: fc.boolean(),
      half: fc.boolean(),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('correct' as const), nth, award: fc.boolean(), half: fc.boolean() }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('remove' as const), nth }) },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('dispute' as const),
      nth,
      who,
      way: fc.constantFrom('refuse' as const, 'keep' as const, 'remove' as const, passed, failed, awarded),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('end' as const), nth }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('raise' as const), who, hours: fc.constantFrom(100, 250) }),
  },
)

/** Two students and what the facts say of them. */
export interface CreditState {
  students: { suId: string; suiNumber: string }[]
  records: RecordFacts[]
  /** Hours of the term that each may have at most. */
  caps: number[]
}

/** Carries an action out, as far as there is something to carry it out on. */
/** What a settlement told to have changed, decimal text, and what has changed, hundredths. */
export interface Settled {
  creditDelta: string
  changed: number
}

export function take(world: CreditWorld, state: CreditState, act: CreditAction): Promise<Settled | void> {
  switch (act.do) {
    case 'hold':
      return hold(world, state, act)
    case 'complete':
      return complete(world, state)
    case 'record':
      return record(world, state, act)
    case 'correct':
      return correct(world, state, act)
    case 'remove':
      return remove(world, state, act)
    case 'question':
      return question(world, state, act)
    case 'dispute':
      return dispute(world, state, act)
    case 'end':
      return end(world, state, act)
    case 'raise':
      return raise(world, state, act)
  }
}

const courses = (state: CreditState, fits: (course: CourseFacts) => boolean = () => true) =>
  state.records.filter((one): one is CourseFacts => one.kind === 'course' && one.state !== 'ended' && fits(one))
const supplements = (state: CreditState, fits: (record: SupplementFacts) => boolean = () => true) =>
  state.records.filter((one): one is SupplementFacts => one.kind === 'supplement' && !one.removed && fits(one))
const isCredited = ({ credited }: SupplementFacts) => credited
const pick = <T>(all: readonly T[], at: number): T | undefined => all[at % Math.max(1, all.length)]

/** A course up to its public notice. `isReversed`: who comes last is registered first. */
async function hold(
  world: CreditWorld,
  state: CreditState,
  { rule: of, results, isReversed }: Extract<CreditAction, { do: 'hold' }>,
) {
  const people = state.students.flatMap(({ suId }, at) =>
    results[at] ? [{ suId, result: results[at], ...(results[at] === awarded && { adId: world.awards.second }) }] : [],
  )
  if (people.length === 0) return
  const id = await world.noticed(isReversed ? people.toReversed() : people, {
    liLevel: of === 'grouped' ? '6' : '5',
    quota: 5,
  })
  state.records.push({ kind: 'course', id, rule: of, state: 'notice', results: [...results], had: new Set() })
}

async function complete(world: CreditWorld, state: CreditState) {
  for (const course of courses(state, (one) => one.state === 'notice')) {
    await world.endNotice(course.id)
    course.state = 'credited'
    for (const at of state.students.keys()) if (worthOf(course, at)) course.had.add(at)
  }
  await world.complete()
  const records = supplements(state, (one) => !one.credited)
  await world.creditSupplements(records.map(({ id }) => id))
  for (const one of records) one.credited = true
}

async function record(
  world: CreditWorld,
  state: CreditState,
  { rule: of, who: student, award, half, isNoticed = false }: Extract<CreditAction, { do: 'record' }>,
) {
  const entered = { ...levelled(of, award, half), lisName: `证书${unique()}` }
  const { suId } = state.students[student]!
  const id = isNoticed ? await world.noticedSupplement({ suId }, entered) : await world.supplement({ suId }, entered)
  state.records.push({
    kind: 'supplement',
    id,
    rule: of,
    student,
    award,
    half,
    credited: !isNoticed,
    removed: false,
  })
}
const levelled = (of: Rule, award: boolean, half: boolean) => ({
  lisLevel: of === 'grouped' ? '2' : '3',
  ...facts(of, award, half),
})
const facts = (of: Rule, award: boolean, half: boolean) => ({
  lisPartakeMode: half ? partakeMode.teamMember : partakeMode.participant,
  ...(award && of === 'grouped' && { lisAward: '一等奖' }),
})

async function correct(
  world: CreditWorld,
  state: CreditState,
  { nth: at, award, half }: Extract<CreditAction, { do: 'correct' }>,
) {
  const one = pick(supplements(state, isCredited), at)
  if (!one || isSame(one, award, half)) return
  await world.correctSupplement(one.id, levelled(one.rule, award, half))
  Object.assign(one, { award, half })
}
/** What corrects nothing is refused; of a free one no award is told. */
const isSame = (one: SupplementFacts, award: boolean, half: boolean) =>
  one.half === half && (one.rule === 'free' || one.award === award)

async function remove(world: CreditWorld, state: CreditState, { nth: at }: Extract<CreditAction, { do: 'remove' }>) {
  const one = pick(supplements(state, isCredited), at)
  if (!one) return
  await world.removeSupplement(one.id)
  one.removed = true
}

/** A question about a supplement record, in notice or credited, from asking to its settlement. */
async function question(
  world: CreditWorld,
  state: CreditState,
  { nth: at, way, award, half }: Extract<CreditAction, { do: 'question' }>,
) {
  const one = pick(supplements(state), at)
  if (!one || (way === 'correct' && isSame(one, award, half))) return
  const { suId } = state.students[one.student]!
  const qId = await world.questionedAbout({ lisId: one.id }, suId)
  if (way === 'refuse') {
    await world.refute(qId)
    return
  }
  // while it is looked into nothing is credited, and no notice ends
  if (!one.credited) await world.creditSupplements([one.id])
  await world.uphold(qId)
  const before = await world.hours(suId, one.id)
  const { creditDelta } = await world.settle(
    qId,
    way === 'correct'
      ? { qOutcome: questionOutcome.correct, ...levelled(one.rule, award, half) }
      : { qOutcome: questionOutcome[way] },
  )
  if (way === 'correct') Object.assign(one, { award, half })
  if (way === 'remove') one.removed = true
  return { creditDelta, changed: (await world.hours(suId, one.id)) - before }
}

/** A question about what one has of a course, from asking to its settlement. */
async function dispute(
  world: CreditWorld,
  state: CreditState,
  { nth: at, who: student, way }: Extract<CreditAction, { do: 'dispute' }>,
) {
  const course = pick(courses(state), at)
  if (!course) return
  const { suId } = state.students[student]!
  const now = course.results[student]
  const counts = now === passed || now === awarded
  // who has nothing of a course cannot be taken out of it, nor fail it
  if (!counts && (way === 'remove' || way === failed)) return
  const qId = await world.questioned(course.id, suId, counts ? questionType.wrong : questionType.missing)
  if (way === 'refuse') {
    await world.refute(qId)
    return
  }
  await world.uphold(qId)
  const before = await world.hours(suId, course.id)
  const { creditDelta } = await world.settle(qId, settlement(world, way))
  if (way !== 'keep') course.results[student] = way === 'remove' ? null : way
  if (course.state === 'credited' && worthOf(course, student)) course.had.add(student)
  return { creditDelta, changed: (await world.hours(suId, course.id)) - before }
}
const settlement = (world: CreditWorld, way: 'keep' | 'remove' | '1' | '2' | '3') =>
  way === 'keep' || way === 'remove'
    ? { qOutcome: questionOutcome[way] }
    : {
        qOutcome: questionOutcome.correct,
        laResult: way,
        ...(way === awarded && { adId: world.awards.second }),
      }

/** Nobody gets anything of a course any more. */
async function end(world: CreditWorld, state: CreditState, { nth: at }: Extract<CreditAction, { do: 'end' }>) {
  const course = pick(courses(state), at)
  if (!course) return
  const { admin } = world.school
  const qId = await world.questioned(course.id, state.students[0]!.suId, questionType.organiserBreach)
  await world.uphold(qId)
  await admin.send(disputeApi.abnormal, { qId, opinion: '组织方弄虚作假' })
  course.state = 'ended'
}

async function raise(
  world: CreditWorld,
  state: CreditState,
  { who: student, hours }: Extract<CreditAction, { do: 'raise' }>,
) {
  await world.school.admin.send(overCapApi.raise, {
    suId: state.students[student]!.suId,
    hours: String(hours / 100) as never,
    reason: '毕业学期补足学时',
  })
  state.caps[student]! += hours
}
