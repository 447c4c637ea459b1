import { recordStatus } from '../../core/codes/outcomes.ts'
import { fromHundredths, toHundredths } from '../../core/fields.ts'
import type { TranscriptData, TranscriptRow } from './transcripts.schema.ts'

/** The rows of one module (or term), by date, with what stands of them. Sums are decimal text. */
interface ModuleGroup<R> {
  moduleId: string
  name: string
  rows: R[]
  /** Rows that were not reversed. */
  count: number
  hours: string
  credit: string
}

/**
 * The rows by module in the order of the modules, within a module by date; rows of a module that the school has given
 * up follow under its name.
 */
export function groupByModule<R extends TranscriptRow>(
  modules: TranscriptData['modules'],
  rows: readonly R[],
): ModuleGroup<R>[] {
  const groups = new Map<string, { name: string; rows: R[] }>(
    modules.map(({ lsId, lsName }) => [lsId, { name: lsName, rows: [] }]),
  )
  for (const row of rows) {
    const group = groups.get(row.moduleId)
    if (group) group.rows.push(row)
    else groups.set(row.moduleId, { name: row.moduleName, rows: [row] })
  }
  return [...groups].filter(([, group]) => group.rows.length > 0).map(([moduleId, group]) => summed(moduleId, group))
}

/** The rows by term, the latest first, within a term by date. */
export function groupByTerm<R extends TranscriptRow & { termName: string }>(
  terms: readonly { tmName: string }[],
  rows: readonly R[],
): ModuleGroup<R>[] {
  const names = [...new Set([...terms.map(({ tmName }) => tmName), ...rows.map(({ termName }) => termName)])]
  return names
    .map((name) => summed(name, { name, rows: rows.filter(({ termName }) => termName === name) }))
    .filter((group) => group.rows.length > 0)
}

const summed = <R extends TranscriptRow>(moduleId: string, group: { name: string; rows: R[] }): ModuleGroup<R> => ({
  moduleId,
  name: group.name,
  rows: group.rows.toSorted((a, b) => (a.startTime < b.startTime ? -1 : a.startTime > b.startTime ? 1 : 0)),
  count: group.rows.filter(({ status }) => status !== recordStatus.reversed).length,
  hours: sumOf(group.rows.map(({ hours }) => hours)),
  credit: sumOf(group.rows.map(({ credit }) => credit)),
})

/** The sum of decimal texts, in whole hundredths on the way. Reversals are negative. */
export const sumOf = (amounts: readonly string[]): string =>
  fromHundredths(
    amounts.reduce(
      (sum, text) => sum + (text.startsWith('-') ? -(toHundredths(text.slice(1)) ?? 0) : (toHundredths(text) ?? 0)),
      0,
    ),
  )
