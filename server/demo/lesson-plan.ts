import { lessonStatus } from '../../contract/core/codes/programme.ts'
import { addDays, addMinutes, dayEnd, dayOf, dayStart, epochOf } from '../core/base/clock.ts'
import type { Activity } from './activities.ts'
import { officeMoments, type DemoCalendar } from './demo-calendar.ts'
import type { Random } from './random.ts'

/**
 * How often each state occurs among demo courses; every state and phase occurs at least once in any school of 60
 * courses.
 */
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
export function stateAt(at: number, random: Random): string {
  const possible = states.filter(([, weight]) => weight > 0)
  return at < possible.length ? possible[at]![0] : random.weighted(possible)
}

/** The moments of a course's life, in this order; null: it has not come so far. */
export interface LessonTimes {
  createTime: string
  submitTime: string | null
  /** When the steps of the approval of its publication were decided, in their order; some more than there are steps. */
  decided: string[]
  publishTime: string | null
  applyStart: string
  applyEnd: string
  startTime: string
  endTime: string
  resultTime: string | null
  resultDecided: string[]
  /** When somebody put its result into public notice, from the next day on. */
  noticeTime: string | null
  publictyStart: string | null
  publictyEnd: string | null
  publictyDays: number
  completeTime: string | null
  /** When it was taken down, called off or ended as abnormal. */
  exitTime: string | null
}

/** Days from now to the activity (its end where that is past) for each state, so that the state is true today. */
const offsets: Record<string, readonly [number, number]> = {
  [lessonStatus.draft]: [10, 40],
  [lessonStatus.publishInReview]: [9, 40],
  [lessonStatus.publishRefused]: [8, 30],
  [lessonStatus.publishPassed]: [9, 30],
  '30.1': [14, 30],
  '30.2': [5, 20],
  '30.3': [1, 4],
  '30.5': [-9, -1],
  [lessonStatus.resultInReview]: [-16, -6],
  [lessonStatus.resultRefused]: [-18, -8],
  [lessonStatus.resultPassed]: [-22, -10],
  [lessonStatus.inNotice]: [-30, -16],
  [lessonStatus.completed]: [-700, -45],
  [lessonStatus.archived]: [-720, -400],
  [lessonStatus.unpublished]: [5, 20],
  [lessonStatus.cancelled]: [5, 20],
  [lessonStatus.abnormal]: [-200, -40],
}
const unpublished = new Set<string>([
  lessonStatus.draft,
  lessonStatus.publishInReview,
  lessonStatus.publishRefused,
  lessonStatus.publishPassed,
])
const rated = new Set<string>([
  lessonStatus.resultInReview,
  lessonStatus.resultRefused,
  lessonStatus.resultPassed,
  lessonStatus.inNotice,
  lessonStatus.completed,
  lessonStatus.archived,
])

export interface Planner {
  now: string
  random: Random
  calendar: DemoCalendar
}

/**
 * The day of an activity: on a teaching day, on a weekend where it takes all day, in a vacation where it belongs there.
 * Where the window has none such, the next one beyond it.
 */
function dayOfActivity(state: string, { now, random, calendar }: Planner, when: Activity['when'], minutes: number) {
  const fits = (day: string) => {
    const kind = calendar.kindOf(day)
    if (when === 'summer' || when === 'winter') return kind === when && day.slice(5) < '08-21'
    return kind === 'teaching' && (when === 'long' || minutes < 300 || calendar.isWeekend(day))
  }
  const [low, high] = offsets[state]!
  const today = dayOf(now)
  if (high - low > 100) {
    // more of them lately: the programme grows from term to term
    for (let tries = 0; tries < 400; tries++) {
      const day = addDays(today, random.whole(low, high))
      if (random.next() < 1 - (0.55 * epochDays(day, today)) / -low && fits(day)) return day
    }
  }
  const days: string[] = []
  for (let at = low; at <= high; at++) days.push(addDays(today, at))
  const found = days.filter(fits)
  const [edge, step] = low < 0 ? [low, -1] : [high, 1]
  for (let at = edge + step; found.length === 0 && Math.abs(at - edge) < 400; at += step)
    if (fits(addDays(today, at))) found.push(addDays(today, at))
  return random.one(found)
}
const epochDays = (day: string, today: string) => Math.round((epochOf(today) - epochOf(day)) / 86_400_000)

/** Whether an activity is held by daylight: among people, on fields and where others work. */
export const byDay = ({ place }: Activity): boolean => ['outside', 'field', 'campus', 'blood'].includes(place)

/** When an activity of so many minutes begins on a day: evenings and afternoons in the week, all day at weekends. */
const startOn = (day: string, minutes: number, isByDay: boolean, { calendar, random }: Planner): string => {
  const choices =
    minutes > 240
      ? ['08:30', '09:00']
      : calendar.isWeekend(day) || calendar.kindOf(day) !== 'teaching'
        ? ['09:00', '09:00', '14:00', '14:30', ...(minutes <= 120 && !isByDay ? ['19:00'] : [])]
        : minutes > 180 || isByDay
          ? ['13:30', '14:00']
          : ['14:00', '14:30', '18:30', '18:30', '19:00', ...(minutes <= 120 ? ['16:00', '19:00', '19:30'] : ['18:00'])]
  return `${day} ${random.one(choices)}:00`
}

/** Start and end of an activity in a state. */
export function hoursOf(
  state: string,
  planner: Planner,
  when: Activity['when'],
  minutes: number,
  isByDay = false,
): [string, string] {
  const { now, random } = planner
  if (state === '30.4') return hoursAround(planner, when)
  const day = dayOfActivity(state, planner, when, minutes)
  if (!when) {
    const startTime = startOn(day, minutes, isByDay, planner)
    return [startTime, addMinutes(startTime, minutes)]
  }
  const days = when === 'long' ? random.whole(9, 20) : random.whole(4, 8)
  const first = day < dayOf(now) ? addDays(day, -days) : day
  return [`${first} 08:30:00`, `${addDays(first, days)} ${when === 'long' ? '21:00' : '17:30'}:00`]
}

/** Days on which something began that is still running. */
function hoursAround({ now, random }: Planner, when: Activity['when']): [string, string] {
  const short = when === 'summer' || when === 'winter'
  const first = addDays(dayOf(now), -random.whole(2, short ? 4 : 9))
  return [`${first} 08:30:00`, `${addDays(dayOf(now), random.whole(2, short ? 3 : 8))} ${short ? '17:30' : '21:00'}:00`]
}

/** Hours of an activity that is running at this moment of today; none at night, on holidays and in vacations. */
export function hoursToday(
  { now, random, calendar }: Planner,
  minutes: number,
  isByDay: boolean,
): [string, string] | undefined {
  const today = dayOf(now)
  if (calendar.kindOf(today) !== 'teaching') return undefined
  const starts = ['08:30', '09:00', '10:00', '14:00', '14:30', '15:30', '16:00', '18:30', '19:00', '19:30']
    .map((start) => `${today} ${start}:00`)
    .filter((start) => start <= addMinutes(now, -15) && addMinutes(start, minutes) >= addMinutes(now, 30))
    .filter((start) => addMinutes(start, minutes) <= `${today} ${isByDay ? '18' : '21'}:59:00`)
  if (starts.length === 0) return undefined
  const startTime = random.one(starts)
  return [startTime, addMinutes(startTime, minutes)]
}

const earlier = (a: string, b: string): string => (a < b ? a : b)

/** From when to when one can register, so that the state is true now. */
function registrationOf(state: string, startTime: string, { now, random }: Planner): [string, string] {
  const at = (day: string, hours: readonly string[]) => `${dayOf(day)} ${random.one(hours)}:00`
  const opening = ['08:00', '09:00', '12:00', '18:00']
  const closing = ['12:00', '18:00', '22:00', '22:00']
  const before = at(addDays(startTime, -random.whole(1, 3)), closing)
  switch (state) {
    case '30.1':
      return [at(addDays(now, random.whole(1, 5)), opening), before]
    case '30.2':
    case lessonStatus.unpublished:
    case lessonStatus.cancelled:
      return [at(addDays(now, -random.whole(1, 5)), opening), at(addDays(now, random.whole(1, 3)), closing)]
    case '30.3': {
      const end = at(addDays(now, -1), closing)
      return [at(addDays(end, -random.whole(4, 9)), opening), end]
    }
    default:
      return unpublished.has(state)
        ? [at(addDays(startTime, -random.whole(5, 6)), opening), before]
        : [at(addDays(before, -random.whole(4, 9)), opening), before]
  }
}

/**
 * Every moment of a course in a state, given its hours; all acts lie in office hours and before now.
 * @param resultAfter the day from which its result was dealt with, where that is not its end
 */
export function timesOf(
  state: string,
  planner: Planner,
  startTime: string,
  endTime: string,
  resultAfter = endTime,
): LessonTimes {
  const { now, random, calendar } = planner
  const moments = (count: number, after: string, before: string, near: 'after' | 'before') =>
    officeMoments(calendar, random.whole, count, after, before, near)
  const [applyStart, applyEnd] = registrationOf(state, startTime, planner)
  const until = earlier(applyStart, now)
  // created, submitted, three decisions, published
  const begun = moments(
    {
      [lessonStatus.draft]: 1,
      [lessonStatus.publishInReview]: 4,
      [lessonStatus.publishRefused]: 5,
      [lessonStatus.publishPassed]: 5,
    }[state] ?? 6,
    addDays(until, -40),
    until,
    'before',
  )
  const times: LessonTimes = {
    createTime: begun[0]!,
    submitTime: begun[1] ?? null,
    decided: begun.slice(2, 5),
    publishTime: begun[5] ?? null,
    applyStart,
    applyEnd,
    startTime,
    endTime,
    resultTime: null,
    resultDecided: [],
    noticeTime: null,
    publictyStart: null,
    publictyEnd: null,
    publictyDays: state === lessonStatus.inNotice ? 5 : promisedDays(state, random.whole(3, 5)),
    completeTime: null,
    exitTime: null,
  }
  if (state === lessonStatus.unpublished || state === lessonStatus.cancelled)
    times.exitTime = moments(1, begun[5]!, now, 'before')[0]!
  if (state === lessonStatus.abnormal)
    times.exitTime = moments(2, endTime, earlier(addDays(endTime, 25), now), 'after')[1]!
  if (!rated.has(state)) return times
  // the notice began yesterday at the latest
  const morning = dayStart(addDays(now, -1))
  if (state === lessonStatus.inNotice) times.noticeTime = moments(2, addDays(now, -20), morning, 'before')[0]!
  const isOver = state === lessonStatus.completed || state === lessonStatus.archived
  const known = times.noticeTime ?? (isOver ? addDays(resultAfter, 30) : now)
  const ended = moments(isOver ? 5 : 4, resultAfter, earlier(known, now), 'after')
  times.resultTime = ended[0]!
  times.resultDecided = ended.slice(1, 4)
  times.noticeTime ??= ended[4] ?? null
  if (!times.noticeTime) return times
  const first = addDays(dayOf(times.noticeTime), 1)
  let last = first
  for (let left = times.publictyDays; ; last = addDays(last, 1)) if (calendar.isWorked(last) && --left <= 0) break
  times.publictyStart = dayStart(first)
  times.publictyEnd = dayEnd(last)
  // the service looks for courses whose notice is over every minute
  if (state !== lessonStatus.inNotice) times.completeTime = `${addDays(last, 1)} 00:01:${String(random.whole(10, 59))}`
  return times
}

/** Those that await their notice promise no more than the school asks for by itself, so that any period fits. */
const promisedDays = (state: string, days: number): number => (state === lessonStatus.resultPassed ? 3 : days)
