import { addDays, addMinutes, dayEnd, dayStart } from '../core/clock.ts'
import type { Chance } from './random.ts'

/** How often each state occurs among demo courses; every state and phase occurs at least once in any school of 60 courses. */
const states: readonly (readonly [string, number])[] = [
  ['0', 4],
  ['10', 5],
  ['11', 2],
  ['20', 3],
  ['30.1', 3],
  ['30.2', 6],
  ['30.3', 2],
  ['30.4', 2],
  ['30.5', 4],
  ['40', 4],
  ['41', 1],
  ['50', 3],
  ['60', 4],
  ['61', 0],
  ['70', 52],
  ['80', 5],
  ['90', 1],
  ['91', 2],
  ['92', 1],
]

/** The state of the `at`-th course: the first ones go through all states in turn, the rest fall as the weights say. */
export function stateAt(at: number, luck: Chance): string {
  const possible = states.filter(([, weight]) => weight > 0)
  return at < possible.length ? possible[at]![0] : luck.weighted(possible)
}

export interface LessonTimes {
  createTime: string
  applyStart: string
  applyEnd: string
  startTime: string
  endTime: string
  publishTime: string | null
  publictyStart: string | null
  publictyEnd: string | null
  completeTime: string | null
}

/** Days from now to the activity for each state, so that the state is true today. */
const offsets: Record<string, readonly [number, number]> = {
  '0': [10, 40],
  '10': [8, 40],
  '11': [8, 30],
  '20': [8, 30],
  '30.1': [14, 30],
  '30.2': [4, 20],
  '30.3': [1, 3],
  '30.4': [0, 0],
  '30.5': [-10, -1],
  '40': [-14, -4],
  '41': [-16, -6],
  '50': [-20, -8],
  '60': [-24, -12],
  '70': [-700, -30],
  '80': [-720, -400],
  '90': [5, 20],
  '91': [-60, 20],
  '92': [-200, -40],
}

/** All moments of a course in a state, relative to now. */
export function timesOf(state: string, now: string, luck: Chance): LessonTimes {
  const [low, high] = offsets[state]!
  const day = addDays(now.slice(0, 10), luck.whole(low, high))
  const running = state === '30.4'
  const startTime = running
    ? addMinutes(now, -luck.whole(20, 60))
    : `${day} ${luck.one(['09:00:00', '14:00:00', '14:30:00', '18:30:00', '19:00:00'])}`
  const endTime = addMinutes(startTime, running ? 240 : luck.one([90, 120, 120, 180, 240]))
  const applyEnd =
    state === '30.2'
      ? addDays(now, luck.whole(1, 3))
      : state === '30.1'
        ? addDays(startTime, -1)
        : addDays(startTime, -luck.whole(1, 2))
  const applyStart =
    state === '30.1' ? addDays(now, luck.whole(1, 5)) : addDays(applyEnd < now ? applyEnd : now, -luck.whole(2, 8))
  const end = applyEnd > startTime ? addMinutes(startTime, -30) : applyEnd
  const publictyStart =
    state === '60'
      ? dayStart(addDays(now, -luck.whole(0, 2)))
      : state === '70' || state === '80'
        ? dayStart(addDays(endTime, 6))
        : null
  const publictyEnd = publictyStart && dayEnd(addDays(publictyStart, state === '60' ? luck.whole(3, 6) : 5))
  return {
    createTime: addDays(applyStart < now ? applyStart : now, -luck.whole(3, 10)),
    applyStart,
    applyEnd: end > applyStart ? end : addMinutes(applyStart, 60),
    startTime,
    endTime,
    publishTime: ['0', '10', '11', '20'].includes(state) ? null : addDays(applyStart < now ? applyStart : now, -1),
    publictyStart,
    publictyEnd,
    completeTime: state === '70' || state === '80' ? addDays(publictyEnd!, 1) : null,
  }
}
