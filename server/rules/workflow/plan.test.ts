import { expect, test } from 'vitest'
import { flowCheckerType, flowStepType } from '../../../contract/core/codes/rules.ts'
import { planSteps, type FoundStep } from './plan.ts'

const step = (people: string, more: Partial<FoundStep> = {}): FoundStep => ({
  stepType: flowStepType.anyOne,
  wfsCheckerType: flowCheckerType.people,
  noApproverPolicy: 'block',
  minCredit: null,
  people: [...people],
  ...more,
})
/** What becomes of each step: `ask ab`. `i` is the initiator, `z` the administrator. */
const planText = (steps: FoundStep[], more: { selfPass?: boolean; credit?: number; admins?: string[] } = {}) =>
  planSteps(steps, { initiatorId: 'i', selfPass: true, admins: ['z'], ...more }).map(({ fate, people }) =>
    `${fate} ${people.join('')}`.trim(),
  )
const later = step('', { wfsCheckerType: flowCheckerType.namedByLastStep })

test.each<[string, FoundStep[], Parameters<typeof planText>[1], string[]]>([
  ['people are asked', [step('ab')], {}, ['ask ab']],
  ['nobody found blocks', [step('')], {}, ['block']],
  ['or goes to the administrators', [step('', { noApproverPolicy: 'admin' })], {}, ['admin z']],
  ['unless there is none but the initiator', [step('', { noApproverPolicy: 'admin' })], { admins: ['i'] }, ['block']],
  ['or is left out', [step('', { noApproverPolicy: 'skip' }), step('a')], {}, ['skip', 'ask a']],
  ['the initiator’s own place passes by itself', [step('i'), step('a')], {}, ['self i', 'ask a']],
  ['with others beside them too', [step('ib'), step('a')], {}, ['self ib', 'ask a']],
  ['never at the last step', [step('a'), step('i')], {}, ['ask a', 'block']],
  ['at the last step the others decide', [step('a'), step('ib')], {}, ['ask a', 'ask b']],
  [
    'the last step is the last that asks anybody',
    [step('i'), step('i', { noApproverPolicy: 'skip' })],
    {},
    ['block', 'skip'],
  ],
  [
    'not even by leaving all out',
    [step('i', { noApproverPolicy: 'skip' }), step('i', { noApproverPolicy: 'skip' })],
    {},
    ['skip', 'skip'],
  ],
  [
    'copies and automatic steps are no last step',
    [step('i'), step('a', { stepType: flowStepType.copy }), step('', { stepType: flowStepType.autoPass })],
    {},
    ['block', 'copy a', 'auto'],
  ],
  ['never where the flow does not want it', [step('i'), step('ia')], { selfPass: false }, ['block', 'ask a']],
  ['copies leave the initiator out', [step('ia', { stepType: flowStepType.copy }), step('b')], {}, ['copy a', 'ask b']],
  [
    'a step for more credit is not asked for less',
    [step('a'), step('b', { minCredit: 100 })],
    { credit: 100 },
    ['ask a', 'unasked'],
  ],
  ['but for more', [step('a'), step('b', { minCredit: 100 })], { credit: 101 }, ['ask a', 'ask b']],
  ['and where the credit is not known', [step('a'), step('b', { minCredit: 100 })], {}, ['ask a', 'ask b']],
  ['a step not asked is not the last', [step('i'), step('b', { minCredit: 100 })], { credit: 0 }, ['block', 'unasked']],
  ['people named by the step before', [step('a'), later], {}, ['ask a', 'later']],
  ['where nobody comes before, nobody names them', [later, step('a')], {}, ['block', 'ask a']],
  ['nor where the step before is left out', [step('', { noApproverPolicy: 'skip' }), later], {}, ['skip', 'block']],
])('%s', (_, steps, more, expected) => expect(planText(steps, more)).toEqual(expected))
