import { dayFigure } from '../../../contract/core/codes/outcomes.ts'

/**
 * How `statEarned` packs what a person earned: 32-bit numbers, the highest byte first. A record is its second since
 * 2000 (wall-clock), the number of its item with kind and whether it stands, hours and credit in hundredths; an ability
 * of a record is its second, the number of its label and the score; a supplement in `statSupplement` is the second it
 * was handed in, the number of its item, its status and kind, its hours, a number that alike ones share, and seconds
 * and number of its decided approvals. All are in the order of time.
 */

/** Where a record came from, as it is packed. */
export const earnedKind = { [dayFigure.lesson]: 0, [dayFigure.supplement]: 1, [dayFigure.other]: 2 } as const

export const recordBytes = 16
export const abilityBytes = 12
export const supplementBytes = 28

/** The status and the kind of a supplement, of its packed codes. */
export const statusOf = (codes: number): number => codes >> 8
export const typeOf = (codes: number): number => codes & 255

/** The parts of a packed item. */
export const itemOf = (what: number): number => what >> 3
export const kindOf = (what: number): number => what & 3
export const standsIn = (what: number): boolean => (what & 4) !== 0

/** Seconds from 1970 to 2000. */
const before2000 = 946_684_800
/** Wall-clock text as the second since 2000. */
export const secondOf = (wall: string): number => Date.parse(`${wall.replace(' ', 'T')}Z`) / 1000 - before2000
/** The wall-clock text of such a second. */
export const wallOfSecond = (second: number): string =>
  new Date((second + before2000) * 1000).toISOString().slice(0, 19).replace('T', ' ')
