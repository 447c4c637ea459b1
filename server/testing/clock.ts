import { addSeconds, systemClock, type Clock } from '../core/base/clock.ts'
import { atFileEnd } from './file-end.ts'

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
