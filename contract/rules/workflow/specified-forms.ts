import { z } from 'zod'
import { id, textOfList } from '../../core/fields.ts'

/**
 * The forms in which the specification tells a flow's ranges and a step's checkers, beside the shorter ones of the
 * console (decision 034). What is told here is put into those before anything else looks at it.
 */

/** The names that a flow has on the form of the specification. */
export const specifiedFlowFields: Readonly<Record<string, string>> = {
  id: 'wfId',
  name: 'wfName',
  desc: 'wfDesc',
  type: 'wfType',
  icon: 'wfIcon',
  selectedRole: 'roleIds',
  selectedCourse: 'lsIds',
  selectedCourseLevel: 'levels',
  stepsList: 'steps',
}

/** One value, several parted by commas, or a list of them. */
const several = <S extends z.ZodType<string, string>>(one: S) =>
  z
    .union([z.array(z.string()), textOfList])
    .pipe(z.array(one).max(500))
    .optional()

const rangeRow = z.strictObject({
  srId: several(id('适用角色')),
  lsId: several(id('适用课程体系')),
  liLevel: several(z.string().max(8)),
})
type RangeRow = z.output<typeof rangeRow>

/** A flow's ranges by the specification: rows of role, curriculum node and level; what a row leaves out is "all". */
export const specifiedRanges = z
  .union([z.array(rangeRow).max(1000), rangeRow.transform((row) => [row])])
  .optional()
  .meta({ label: '适用范围' })

/** A checker of a step by the specification; `wfcNodeName` says the stage once more, and the step's own counts. */
const detailRow = z.strictObject({
  wfcNodeName: z.string().max(20).optional(),
  wfcCheckerId: id('审批人'),
  wfcSort: z.coerce.number().int().min(0).max(999).optional(),
})
export const specifiedDetails = z
  .array(detailRow)
  .max(100, '一个步骤最多选择 100 个审批人')
  .optional()
  .meta({ label: '审批人' })
type Details = z.output<typeof specifiedDetails>

/** The ranges of a flow as lists, each empty for "all". */
interface FlowRanges {
  roleIds: string[]
  lsIds: string[]
  levels: string[]
}

/** How many combinations of several rows are looked at; more than any school draws. */
const maxCombinations = 100_000

/**
 * Rows as lists. A flow holds for every combination of its lists, so rows must be all combinations of what they name,
 * or each add to one list only.
 * @returns undefined where no lists say the same as the rows
 */
export function listsOfRanges(rows: RangeRow[]): FlowRanges | undefined {
  const all = (key: keyof RangeRow) => [...new Set(rows.flatMap((row) => row[key] ?? []))]
  const lists = { roleIds: all('srId'), lsIds: all('lsId'), levels: all('liLevel') }
  const named = rows.map((row) => rangeKeys.filter((key) => (row[key] ?? []).length > 0))
  if (rows.length < 2 || named.every((keys) => keys.length < 2)) return lists
  if (named.some((keys) => keys.join() !== named[0]!.join())) return undefined
  const seen = new Set<string>()
  for (const { srId = [''], lsId = [''], liLevel = [''] } of rows) {
    if (seen.size + srId.length * lsId.length * liLevel.length > maxCombinations) return undefined
    for (const role of srId) for (const node of lsId) for (const level of liLevel) seen.add(`${role} ${node} ${level}`)
  }
  const combinations = Object.values(lists).reduce((count, list) => count * Math.max(1, list.length), 1)
  return seen.size === combinations ? lists : undefined
}
const rangeKeys = ['srId', 'lsId', 'liLevel'] as const

/** The ranges of a flow as one row of the specification, several values parted by commas; empty text means "all". */
export const rangesOf = ({ roleIds, lsIds, levels }: FlowRanges) => [
  { srId: roleIds.join(','), lsId: lsIds.join(','), liLevel: levels.join(',') },
]

/** A step's checkers as rows of the specification. */
export const detailsOf = ({ wfsNodeName, checkers }: { wfsNodeName: string; checkers: readonly string[] }) =>
  checkers.map((wfcCheckerId, wfcSort) => ({ wfcNodeName: wfsNodeName, wfcCheckerId, wfcSort }))

/** The checkers of a step, in whichever form they were told. */
export const checkersOf = ({ checkers, details }: { checkers: string[]; details?: Details }): string[] =>
  details?.toSorted((a, b) => (a.wfcSort ?? 0) - (b.wfcSort ?? 0)).map(({ wfcCheckerId }) => wfcCheckerId) ?? checkers

/** What was told twice and differently: nobody can know which is meant. */
export const areToldDifferently = (ours: readonly string[], specified: readonly string[]): boolean =>
  ours.length > 0 && ours.toSorted().join() !== specified.toSorted().join()
