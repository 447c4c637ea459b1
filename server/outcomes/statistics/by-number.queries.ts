import { sql } from 'kysely'
import type { Context } from '../../core/request/context.ts'

/**
 * So many ids go to the database as they are; of more, people are read in their order until enough of them are found.
 */
const few = 1000
/** People read beyond those that are expected to do. */
const spare = 50

/** People that were found, of whom a page is wanted. */
export interface PeopleFound {
  count: number
  has: (suId: string) => boolean
  /** All of them; asked for where they are few. */
  suIds: () => string[]
}

/**
 * A page of people by number.
 * @param after numbers above this one only
 * @param direction the highest number first where it is `desc`
 */
export async function pageByNumber(
  { db, actor: { schoolId } }: Pick<Context, 'db' | 'actor'>,
  found: PeopleFound,
  {
    offset,
    limit,
    after,
    direction = 'asc',
  }: { offset: number; limit: number; after?: string | undefined; direction?: 'asc' | 'desc' },
): Promise<string[]> {
  const order = direction === 'desc' ? sql`p."suiNumber" desc, p."suId" desc` : sql`p."suiNumber", p."suId"`
  const above = after === undefined ? sql`true` : sql`p."suiNumber" > ${after}`
  if (found.count <= few) {
    const { rows } = await sql<{ suId: string }>`
      select p."suId"
      from "person" p
      where p."schoolId" = ${schoolId} and p."suId" = any(${found.suIds()}::uuid[]) and ${above}
      order by ${order}
      limit ${limit}
      offset ${offset}`.execute(db)
    return rows.map(({ suId }) => suId)
  }
  for (let read = spare + 2 * (offset + limit); ; read *= 4) {
    const { rows } = await sql<{ suId: string }>`
      select p."suId"
      from "person" p
      where p."schoolId" = ${schoolId} and ${above}
      order by ${order}
      limit ${read}`.execute(db)
    const own = rows.flatMap(({ suId }) => (found.has(suId) ? [suId] : []))
    if (own.length >= offset + limit || rows.length < read) return own.slice(offset, offset + limit)
  }
}
