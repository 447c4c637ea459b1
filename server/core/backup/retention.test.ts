import { describe, expect, test } from 'vitest'
import { StartFault } from '../base/start-fault.ts'
import { addDays } from '../base/clock.ts'
import { backupName } from './manifest.ts'
import { keptBackups, parseKeep } from './retention.ts'

const now = '2026-11-23 12:00:00'
/** A backup every night for so many days up to Monday 2026-11-23. */
const nights = (count: number): string[] =>
  Array.from({ length: count }, (_, at) => backupName(addDays('2026-11-23 02:30:00', -at))).toReversed()
const days = (names: Iterable<string>): string[] => [...names].map((name) => name.slice(0, 10)).toSorted()

describe('which backups stay', () => {
  test.each([
    ['the last days', '3d', ['2026-11-21', '2026-11-22', '2026-11-23']],
    ['the last of each week, from Monday', '3w', ['2026-11-15', '2026-11-22', '2026-11-23']],
    ['the last of each month', '3m', ['2026-09-30', '2026-10-31', '2026-11-23']],
    ['all of them together', '2d, 2w,2m', ['2026-10-31', '2026-11-22', '2026-11-23']],
    ['the newest, come what may', '0d', ['2026-11-23']],
  ])('%s: %s', (_, keep, kept) => {
    expect(days(keptBackups(nights(90), parseKeep(keep), now))).toEqual(kept)
  })

  test('of a day with several, the last; days without any do not count', () => {
    const names = ['2026-11-01_02-30-00', '2026-11-01_12-00-00', '2026-11-20_02-30-00', '2026-11-20_09-00-00']
    expect([...keptBackups(names, parseKeep('2d'), now)].toSorted()).toEqual([
      '2026-11-01_12-00-00',
      '2026-11-20_09-00-00',
    ])
  })

  test('those that a wrong clock has dated in the future stay, and take nobody’s day', () => {
    const future = ['2026-11-24_02-30-00', '2036-01-01_02-30-00', '2036-01-02_02-30-00']
    const kept = keptBackups([...nights(5), ...future], parseKeep('2d'), now)
    expect(days(kept)).toEqual(['2026-11-22', '2026-11-23', '2026-11-24', '2036-01-01', '2036-01-02'])
  })

  test.each(['7', '7d;4w', 'd', '7 days', '1000d'])('%s is refused in words', (text) => {
    expect(() => parseKeep(text)).toThrow(StartFault)
    expect(() => parseKeep(text)).toThrow(/BACKUP_KEEP 须写作 7d,4w,12m/)
  })
})
