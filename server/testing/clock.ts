import { addSeconds, systemClock, type Clock } from '../core/base/clock.ts'
import { atFileEnd } from './file-end.ts'

/**
 * A leap year to come. Tests that want one day in all years take it from here: what the database stamps by itself, such
 * as from when a rule holds, must not lie after the moment of a school.
 */
export const leapYearToCome = Math.floor(new Date().getFullYear() / 4) * 4 + 4

/**
 * The clock of a test process; `travel` moves it forward for everything the process serves, until the test file ends.
 */
export class TestClock implements Clock {
  private ahead = 0
  now = (): string => addSeconds(systemClock.now(), this.ahead)
  travel(seconds: number): void {
    if (this.ahead === 0) atFileEnd(() => (this.ahead = 0))
    this.ahead += seconds
  }
  /** Moves the clock to a wall-clock moment. */
  travelTo(wall: string): void {
    this.travel((Date.parse(`${wall.replace(' ', 'T')}Z`) - Date.parse(`${this.now().replace(' ', 'T')}Z`)) / 1000)
  }
}
