import { expect, test } from 'vitest'
import { taskStatus } from '../../../contract/core/codes/programme.ts'
import { flowStepType } from '../../../contract/core/codes/rules.ts'
import type { PersonOfStep } from '../../../contract/programme/approvals/people-of-step.ts'
import type { FlowProgress } from '../../../contract/programme/lessons/lessons.schema.ts'
import { approvalSteps } from './approval-steps.ts'

type State = FlowProgress['steps'][number]['state']

/** Somebody at a step: what became of their part, and when. */
const person = (checkerName: string, status: string, opinion = ''): PersonOfStep => ({
  checkerId: checkerName,
  checkerName,
  behalfName: '',
  taskStatus: status,
  opinion,
  arriveTime: '2026-05-01 08:00:00',
  handleTime: isOpen(status) ? null : '2026-05-02 09:30:00',
  isAdded: false,
  seatId: checkerName,
  askedByName: '',
  taskId: checkerName,
  can: [],
})
const isOpen = (status: string) => status === '' || status === taskStatus.pending
const pending = (...names: string[]) => names.map((name) => person(name, taskStatus.pending))

test.each<[string, State, PersonOfStep[], { state: string; note: string }]>([
  ['one to decide', 'waiting', pending('甲'), { state: 'now', note: '甲' }],
  ['many to decide', 'waiting', pending('甲', '乙', '丙', '丁'), { state: 'now', note: '甲、乙、丙 等 4 人' }],
  [
    'one of two has decided',
    'waiting',
    [person('甲', taskStatus.passed, '同意'), ...pending('乙')],
    { state: 'now', note: '甲 05-02 09:30 “同意”；乙' },
  ],
  [
    'handed on, and a colleague asked',
    'waiting',
    [person('甲', taskStatus.transferred), person('乙', taskStatus.delegated), ...pending('乙')],
    { state: 'now', note: '乙' },
  ],
  [
    'decided after a colleague was asked',
    'waiting',
    [person('甲', taskStatus.delegated), person('甲', taskStatus.passed), ...pending('乙')],
    { state: 'now', note: '甲 05-02 09:30；乙' },
  ],
  ['not begun', 'coming', [person('甲', ''), person('乙', '')], { state: 'ahead', note: '甲、乙' }],
  [
    'decided by one of several',
    'passed',
    [person('甲', taskStatus.passed), person('乙', taskStatus.lapsed), person('丙', taskStatus.lapsed)],
    { state: 'passed', note: '甲 05-02 09:30' },
  ],
  [
    'refused',
    'refused',
    [person('甲', taskStatus.refused, '请重拍'), person('乙', taskStatus.lapsed)],
    { state: 'failed', note: '甲 05-02 09:30 “请重拍”' },
  ],
  ['nobody needed', 'passed', [person('甲', taskStatus.autoPassed)], { state: 'passed', note: '甲 05-02 09:30' }],
  ['taken back', 'withdrawn', [person('甲', taskStatus.withdrawn)], { state: 'ended', note: '' }],
  ['ended before it', 'skipped', [person('甲', '')], { state: 'ended', note: '' }],
])('%s', (_, state, people, shown) => {
  const step = { stepSort: 1, stepName: '学院', stepType: flowStepType.anyOne, state, people }
  expect(approvalSteps({ steps: [step] })).toEqual([{ name: '学院', ...shown }])
})
