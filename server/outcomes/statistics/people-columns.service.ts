import { sql } from 'kysely'
import type { Db } from '../../core/database/pool.ts'
import { together } from '../../core/base/together.ts'
import { keptColumns } from './kept-columns.ts'
import type { Item } from './numbered.ts'
import { PeopleColumns, type PersonRow, type Place } from './people-columns.ts'

/** What packed records of a school name by number. */
export const itemsOf = async (db: Db, schoolId: string): Promise<Item[]> =>
  (await sql<Item>`select "itId", "item", "path", "level" from "statItem" where "schoolId" = ${schoolId}`.execute(db))
    .rows

/** The people of the own school with what they earned. */
export const peopleOf = keptColumns<PeopleColumns, PersonRow>({
  table: 'statPerson',
  owner: 'suId',
  empty: () => new PeopleColumns(),
  prepare: async (db, schoolId) => {
    const [places, items] = await together(
      sql<Place>`
        select "plId", "plKind", "enrolled", "collegeId", "majorId", "classId", "grade"
        from "statPlace"
        where "schoolId" = ${schoolId}`.execute(db),
      itemsOf(db, schoolId),
    )
    return (columns) => {
      columns.putPlaces(places.rows)
      columns.putItems(items)
    }
  },
  rowsAbove: async (db, schoolId, stamp, suId, limit) =>
    (
      await sql<PersonRow>`
        select p."suId" "id", n."suiNumber", p."plId", p."sex", p."credibility", p."blackUntil", p."enterDate", p."met", p."stamp",
          e."records", e."abilities"
        from "statPerson" p
        join "person" n on n."schoolId" = p."schoolId" and n."suId" = p."suId"
        left join "statEarned" e on e."schoolId" = p."schoolId" and e."suId" = p."suId"
        where p."schoolId" = ${schoolId} and p."stamp" > ${stamp}::bigint and p."suId" > ${suId}::uuid
        order by p."suId"
        limit ${limit}`.execute(db)
    ).rows,
  put: (columns, rows) => columns.putPeople(rows),
})
