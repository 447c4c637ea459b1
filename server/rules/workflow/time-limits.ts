import { yesNo } from '../../../contract/core/codes/platform.ts'
import { timeoutAction } from '../../../contract/core/codes/rules.ts'
import { addSeconds } from '../../core/base/clock.ts'
import { nthWorkingDay, type SpecialDay } from '../../school/school/calendar.ts'
import type { TimeoutAction } from '../../../contract/core/codes/rules.ts'

/** What a step says of time: so many hours or so many working days, and what happens then. */
export interface TimeRule {
  timeoutHours: number | null
  timeoutDays: number | null
  timeoutAction: string
}

/**
 * What holds for steps that say nothing, settings of the school: after how many working days a task counts as overdue
 * and is reminded of, and when it is escalated.
 */
export interface TimeDefaults {
  remindDays: number
  escalateDays: number
}

/** When a task is overdue, and what happens to it next and when; `nextTime` null: nothing more. */
interface TimeLimit {
  dueTime: string
  nextTime: string | null
  nextAction: TimeoutAction
}

const saysNothing = ({ timeoutHours, timeoutDays }: TimeRule): boolean => timeoutHours === null && timeoutDays === null

/** The limit of a task that has just come. */
export function limitOf(
  rule: TimeRule,
  arriveTime: string,
  special: readonly SpecialDay[],
  defaults: TimeDefaults,
): TimeLimit {
  if (saysNothing(rule)) {
    const dueTime = addWorkingDays(arriveTime, defaults.remindDays, special)
    return { dueTime, nextTime: dueTime, nextAction: timeoutAction.remind }
  }
  const dueTime =
    rule.timeoutHours === null
      ? addWorkingDays(arriveTime, rule.timeoutDays ?? 1, special)
      : addSeconds(arriveTime, rule.timeoutHours * 3600)
  const nextAction = rule.timeoutAction as TimeoutAction
  return { dueTime, nextTime: nextAction === timeoutAction.markOnly ? null : dueTime, nextAction }
}

/**
 * What follows once an action has been carried out: after the reminder of a step that says nothing comes escalation,
 * after all others nothing.
 */
export function afterAction(
  rule: TimeRule,
  arriveTime: string,
  carriedOut: string,
  special: readonly SpecialDay[],
  defaults: TimeDefaults,
): Omit<TimeLimit, 'dueTime'> {
  if (!saysNothing(rule) || carriedOut !== yesNo.yes) return { nextTime: null, nextAction: timeoutAction.markOnly }
  return { nextTime: addWorkingDays(arriveTime, defaults.escalateDays, special), nextAction: timeoutAction.escalate }
}

/** How long a step may take, in words; nothing where it does not say. */
export const limitText = ({ timeoutHours, timeoutDays }: Pick<TimeRule, 'timeoutHours' | 'timeoutDays'>): string =>
  timeoutHours !== null ? `${timeoutHours} 小时` : timeoutDays !== null ? `${timeoutDays} 个工作日` : ''

/** The same time of day so many working days later. */
const addWorkingDays = (moment: string, days: number, special: readonly SpecialDay[]): string =>
  nthWorkingDay(moment, days, special, { after: true }) + moment.slice(10)
