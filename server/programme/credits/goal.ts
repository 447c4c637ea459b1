/** What graduation asks for, in hundredths: so much of every required module, and so much in all. Pure. */
export interface Goal {
  modules: readonly { lsId: string; lsName: string; required: boolean; minHours: number }[]
  /** Of all modules together; 0 asks for no more than the modules do. */
  totalHours: number
}

/** What somebody is short of: a module, or (`total`) hours in all. */
export interface Shortfall {
  lsId: string
  lsName: string
  required: number
  have: number
}

/** Hours that graduation asks for in all. */
export const requiredHours = ({ modules, totalHours }: Goal): number =>
  Math.max(
    totalHours,
    modules.reduce((sum, { required, minHours }) => sum + (required ? minHours : 0), 0),
  )

/**
 * Everything that somebody has not reached; nothing where they have.
 * @param hoursOf their hours in a module @param total their hours in all
 */
export const shortOf = (
  { modules, totalHours }: Goal,
  hoursOf: (lsId: string) => number,
  total: number,
): Shortfall[] => [
  ...modules
    .filter(({ lsId, required, minHours }) => required && hoursOf(lsId) < minHours)
    .map(({ lsId, lsName, minHours }) => ({ lsId, lsName, required: minHours, have: hoursOf(lsId) })),
  ...(total < totalHours ? [{ lsId: 'total', lsName: '总学时', required: totalHours, have: total }] : []),
]

/** Whether somebody has reached it. */
export const reaches = (goal: Goal, hoursOf: (lsId: string) => number, total: number): boolean =>
  shortOf(goal, hoursOf, total).length === 0
