import { fromHundredths, toHundredths } from '../core/fields.ts'
import type { TranscriptData, TranscriptRow } from './transcripts.schema.ts'

/** The rows of one module, by date, with what stands of them. Sums are decimal text. */
export interface ModuleGroup<R> {
  moduleId: string
  name: string
  rows: R[]
  /** Rows that were not reversed. */
  count: number
  hours: string
  credit: string
}

/** The rows by module in the order of the modules, within a module by date; rows of a module that the school has given up follow under its name. */
export function groupByModule<R extends TranscriptRow>(modules: TranscriptData['modules'], rows: readonly R[]): ModuleGroup<R>[] {
  const groups = new Map<string, { name: string; rows: R[] }>(modules.map(({ lsId, lsName }) => [lsId, { name: lsName, rows: [] }]))
  for (const row of rows) {
    const group = groups.get(row.moduleId)
    if (group) group.rows.push(row)
    else groups.set(row.moduleId, { name: row.moduleName, rows: [row] })
  }
  return [...groups]
    .filter(([, group]) => group.rows.length > 0)
    .map(([moduleId, group]) => ({
      moduleId,
      name: group.name,
      rows: group.rows.toSorted((a, b) => (a.startTime < b.startTime ? -1 : a.startTime > b.startTime ? 1 : 0)),
      count: group.rows.filter(({ status }) => status !== '3').length,
      hours: sumOf(group.rows.map(({ hours }) => hours)),
      credit: sumOf(group.rows.map(({ credit }) => credit)),
    }))
}

/** The sum of decimal texts, in whole hundredths on the way. Reversals are negative. */
export const sumOf = (amounts: readonly string[]): string =>
  fromHundredths(amounts.reduce((sum, text) => sum + (text.startsWith('-') ? -(toHundredths(text.slice(1)) ?? 0) : (toHundredths(text) ?? 0)), 0))
