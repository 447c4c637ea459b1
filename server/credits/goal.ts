/** What graduation asks for, in hundredths: so much of every required module, and so much in all. Pure. */
export interface Goal {
  modules: readonly { lsId: string; required: boolean; minHours: number }[]
  /** Of all modules together; 0 asks for no more than the modules do. */
  totalHours: number
}

/** Hours that graduation asks for in all. */
export const requiredHours = ({ modules, totalHours }: Goal): number => Math.max(totalHours, modules.reduce((sum, { required, minHours }) => sum + (required ? minHours : 0), 0))

/** Whether somebody has reached it. @param hoursOf his hours in a module @param total his hours in all */
export const reaches = ({ modules, totalHours }: Goal, hoursOf: (lsId: string) => number, total: number): boolean =>
  total >= totalHours && modules.every(({ lsId, required, minHours }) => !required || hoursOf(lsId) >= minHours)
