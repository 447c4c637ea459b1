import { sql } from 'kysely'
import type { Db } from '../../core/database/pool.ts'

/**
 * Messages looked at in one go, and rows of receivers that go with one statement: one message may have all students.
 */
const batch = { messages: 500, receivers: 10_000 }

/**
 * Removes one school's messages that were sent before a moment, with what their receivers did with them. Receivers go
 * first, so that no statement takes long; one that was interrupted is taken up where it was.
 * @returns how many messages
 */
export async function removeOldMessages(db: Db, schoolId: string, before: string): Promise<number> {
  let removed = 0
  for (let ids = await oldest(db, schoolId, before); ids.length > 0; ids = await oldest(db, schoolId, before)) {
    for (let rows = batch.receivers; rows === batch.receivers;) {
      const { numAffectedRows } = await sql`
        delete from "informationReceiver"
        where "schoolId" = ${schoolId}
          and "iurId" in (
            select "iurId"
            from "informationReceiver"
            where "schoolId" = ${schoolId} and "iiId" = any(${ids}::uuid[])
            limit ${batch.receivers}
          )`.execute(db)
      rows = Number(numAffectedRows)
    }
    await sql`delete from "information" where "schoolId" = ${schoolId} and "iiId" = any(${ids}::uuid[])`.execute(db)
    removed += ids.length
  }
  return removed
}

async function oldest(db: Db, schoolId: string, before: string): Promise<string[]> {
  const rows = await db
    .selectFrom('information')
    .select('iiId')
    .where('schoolId', '=', schoolId)
    .where('sendTime', '<', before)
    .orderBy('sendTime')
    .limit(batch.messages)
    .execute()
  return rows.map(({ iiId }) => iiId)
}
