import type { Call, ForAll } from '../../../contract/core/call.ts'
import { Failure } from '../../../contract/core/failure.ts'
import type { Page } from '../../../contract/core/paging.ts'
import { maxForAll } from '../../../contract/platform/background/background.calls.ts'
import type { Context } from '../../core/request/context.ts'
import { checkInput, mergeInput } from '../../core/request/input.ts'
import type { Route } from '../../core/request/routes.ts'
import { inTransaction } from '../../core/request/transaction.ts'
import { asCaller } from './registry.ts'

/** A record that an action is to be done to. */
export interface FoundRow {
  itemId: string
  itemName: string
  groupId: string | null
  pairId: string | null
}

type Row = Record<string, unknown>
type ListPage = Page<Row> & { isCapped?: boolean }
type Filter = Readonly<Record<string, unknown>>

/** Rows of one page; a page for people has 200 at most, this one nobody sees. */
const pageSize = 1000

/** One page of a list as the person who asks sees it; the filter is checked as that of any request. */
async function pageOf(ctx: Context, list: Route, filter: Filter, current: number, size: number): Promise<ListPage> {
  const given = mergeInput(list.call.alsoNamed, filter as Record<string, unknown>)
  const input = checkInput(list.call.input, { ...given, current: 1, pageSize: 1 }) as Row
  const page = (await list.handle(asCaller(ctx, list), { ...input, current, pageSize: size } as never)) as ListPage
  if (page.isCapped || page.total > maxForAll) throw new Failure('all-too-many', { n: maxForAll })
  return page
}

/** How many rows of a list fit a filter, for the person who asks. */
export const countRows = async (ctx: Context, list: Route, filter: Filter): Promise<number> =>
  (await pageOf(ctx, list, filter, 1, 1)).total

/**
 * All rows of a list that fit a filter, as they are at one moment and in the order of the list.
 * @param expected the number that the person has confirmed
 * @throws Failure `all-changed` with the number as it is now, before any more than the first rows are read
 */
export function findRows(
  ctx: Context,
  { list, filter, how, expected }: { list: Route; filter: Filter; how: ForAll; expected: number },
): Promise<FoundRow[]> {
  return inTransaction(
    ctx,
    async (tx) => {
      const found = new Map<string, FoundRow>()
      for (let current = 1, pages = 1; current <= pages; current++) {
        const page = await pageOf(tx, list, filter, current, pageSize)
        if (page.total !== expected) throw new Failure('all-changed', { n: page.total, was: expected })
        pages = Math.ceil(page.total / pageSize)
        for (const row of page.records) {
          const itemId = String(row[how.row])
          const group = how.together ? row[how.together] : null
          found.set(itemId, {
            itemId,
            itemName:
              how.name
                .map((field) => String(row[field] ?? ''))
                .join(' ')
                .trim() || itemId,
            groupId: typeof group === 'string' && group !== '' ? group : null,
            pairId: how.pair ? String(row[how.pair.row]) : null,
          })
        }
      }
      return inGroups([...found.values()])
    },
    'repeatable read',
  )
}

/** The rows with those of a group beside each other, at the place of its first one. */
function inGroups(rows: readonly FoundRow[]): FoundRow[] {
  const groups = new Map<string, FoundRow[]>()
  for (const row of rows) {
    const key = row.groupId ?? row.itemId
    const group = groups.get(key)
    if (group) group.push(row)
    else groups.set(key, [row])
  }
  return [...groups.values()].flat()
}

/**
 * What of an input its call knows: whatever else a caller sends along is neither kept nor told in the trail. Calls that
 * refuse other fields, or take any, are given what came.
 */
export function knownFields(call: Call, given: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const named = mergeInput(call.alsoNamed, given as Record<string, unknown>)
  const { shape } = call.input as { shape?: object }
  return shape ? Object.fromEntries(Object.entries(named).filter(([field]) => field in shape)) : named
}

/** The input of a call for some rows: what is the same for all of them, and their ids. */
export function inputFor(
  how: ForAll,
  given: Readonly<Record<string, unknown>>,
  rows: readonly Pick<FoundRow, 'itemId' | 'pairId'>[],
): Record<string, unknown> {
  const ids = rows.map(({ itemId }) => itemId)
  return {
    ...given,
    [how.ids]: ids,
    ...(how.pair && { [how.pair.field]: rows.map(({ pairId }) => pairId) }),
  }
}
