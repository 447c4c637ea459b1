import { addDays, addSeconds, dayOf, secondsBetween, systemClock, type Clock } from '../core/base/clock.ts'
import { atFileEnd } from './file-end.ts'

/**
 * A leap year to come. Tests that want one day in all years take it from here: what the database stamps by itself, such
 * as from when a rule holds, must not lie after the moment of a school.
 */
export const leapYearToCome = Math.floor(new Date().getFullYear() / 4) * 4 + 4

/**
 * How far the tests begin ahead of the machine, in seconds: `TEST_DAYS_AHEAD` days, and then on to the time of day in
 * `TEST_TIME_OF_DAY` (`HH:mm`). So that anybody can see whether the tests hold late at night, or next month.
 */
function aheadAtStart(): number {
  const later = addSeconds(systemClock.now(), Number(process.env['TEST_DAYS_AHEAD'] ?? 0) * 86_400)
  const wanted = process.env['TEST_TIME_OF_DAY']
  const begin = wanted ? `${dayOf(later)} ${wanted}:00` : later
  return secondsBetween(systemClock.now(), begin < systemClock.now() ? addDays(begin, 1) : begin)
}

/**
 * The clock of a test process; `travel` moves it forward for everything the process serves, until the test file ends.
 */
export class TestClock implements Clock {
  private readonly start = aheadAtStart()
  private ahead = this.start
  now = (): string => addSeconds(systemClock.now(), this.ahead)
  travel(seconds: number): void {
    if (this.ahead === this.start) atFileEnd(() => (this.ahead = this.start))
    this.ahead += seconds
  }
  /** Moves the clock to a wall-clock moment. */
  travelTo(wall: string): void {
    this.travel((Date.parse(`${wall.replace(' ', 'T')}Z`) - Date.parse(`${this.now().replace(' ', 'T')}Z`)) / 1000)
  }
}
