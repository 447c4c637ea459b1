import { expect, test } from 'vitest'
import { applyUnit, applyWay, lessonStatus } from '../../../../contract/core/codes/programme.ts'
import { selfRegistrationFault } from './self-registration.ts'

const course = {
  liStatus: lessonStatus.published as string,
  applyWay: applyWay.firstCome as string,
  applyUnit: applyUnit.individual as string,
  applyStart: '2026-11-01 08:00:00',
  applyEnd: '2026-11-10 18:00:00',
  startTime: '2026-11-12 14:00:00',
}

type Change = { [Field in keyof typeof course]?: string | null }

test.each<[why: string, change: Change, now: string, fault: string | undefined]>([
  ['in its time', {}, '2026-11-05 09:00:00', undefined],
  ['at the first second', {}, '2026-11-01 08:00:00', undefined],
  ['before it', {}, '2026-11-01 07:59:59', 'apply-not-begun'],
  ['at the last second', {}, '2026-11-10 18:00:00', undefined],
  ['after it', {}, '2026-11-10 18:00:01', 'apply-over'],
  ['without an end until it begins', { applyEnd: null }, '2026-11-12 13:59:59', undefined],
  [
    'an end beyond the beginning means the beginning',
    { applyEnd: '2026-11-20 00:00:00' },
    '2026-11-12 14:00:01',
    'apply-over',
  ],
  ['an imported list', { applyWay: applyWay.importedList }, '2026-11-05 09:00:00', 'apply-by-list'],
  ['without registration', { applyWay: applyWay.noRegistration }, '2026-11-05 09:00:00', 'apply-not-needed'],
  ['by teams', { applyUnit: applyUnit.team }, '2026-11-05 09:00:00', 'apply-by-team'],
  ['not published yet', { liStatus: lessonStatus.publishPassed }, '2026-11-05 09:00:00', 'apply-not-open'],
])('%s', (_, change, now, fault) => {
  expect(selfRegistrationFault({ ...course, ...change } as never, now)?.reason).toBe(fault)
})

test('a team registers where teams do, in the same time', () => {
  const team = { ...course, applyUnit: applyUnit.team } as never
  const at = (now: string, lesson = team) => selfRegistrationFault(lesson, now, { asTeam: true })?.reason
  expect(at('2026-11-05 09:00:00')).toBeUndefined()
  expect(at('2026-11-10 18:00:01')).toBe('apply-over')
  expect(at('2026-11-05 09:00:00', course as never)).toBe('not-a-team-course')
})
