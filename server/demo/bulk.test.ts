import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { newSchool } from '../testing/school.ts'
import { bulkInsert } from './bulk.ts'

const { ctx, schoolId } = await newSchool()
const { db } = ctx
const idOf = (place: number) => `01900000-0000-7000-8000-${String(place).padStart(12, '0')}`

/** Texts in which every character means something to COPY, to arrays or to JSON. */
const texts = ['', ' ', '\\N', '\\.', 'a\tb', 'a\nb\r\nc', '\\', '"', "'", 'null', '{a,b}', '“高数”，甲\\t乙', '😀']

test('texts, JSON and lists arrive as they were sent', async () => {
  const rows = texts.map((text, at) => ({
    schoolId,
    logId: idOf(at),
    actorName: text,
    action: text,
    before: at % 2 === 0 ? null : { [text]: [text, 1, null, { text }] },
    after: text,
    requestId: '',
    ip: '',
    agent: text,
    logTime: '2026-11-22 08:30:00',
  }))
  await bulkInsert(db, 'auditLog', rows)
  const stored = await db
    .selectFrom('auditLog')
    .select(['actorName', 'action', 'before', 'after', 'agent', 'result', 'logTime'])
    .where('schoolId', '=', schoolId)
    .where('logTime', '=', '2026-11-22 08:30:00')
    .orderBy('logId')
    .execute()
  expect(stored).toEqual(
    rows.map(({ actorName, action, before, after, agent, logTime }) => ({
      actorName,
      action,
      before,
      after,
      agent,
      result: 'ok',
      logTime,
    })),
  )
  const role = { schoolId, srId: idOf(0), srName: '列表', srCode: 'LIST', permits: [...texts, null] }
  await bulkInsert(db, 'role', [role])
  const { permits } = await db
    .selectFrom('role')
    .select('permits')
    .where('schoolId', '=', schoolId)
    .where('srId', '=', role.srId)
    .executeTakeFirstOrThrow()
  expect(permits).toEqual(role.permits)
})

test('many rows are written within a transaction, all or none', async () => {
  const colleges = Array.from({ length: 12_000 }, (_, at) => ({
    schoolId,
    scId: idOf(at),
    scName: `学院 ${at}`,
    scCode: `X${at}`,
  }))
  const count = sql<{ n: number }>`select count(*)::int n from "college" where "schoolId" = ${schoolId}`
  const [before] = (await count.execute(db)).rows
  const counts = await db.transaction().execute(async (tx) => {
    await bulkInsert(tx, 'college', colleges)
    return (await count.execute(tx)).rows[0]!.n
  })
  expect(counts).toBe(before!.n + colleges.length)
  // the second 5,000 hold one that is there
  const again = colleges.map((college, at) => ({
    ...college,
    scId: idOf(20_000 + at),
    scName: `另 ${at}`,
    scCode: at === 7000 ? 'X0' : `Y${at}`,
  }))
  await expect(db.transaction().execute((tx) => bulkInsert(tx, 'college', again))).rejects.toMatchObject({
    code: '23505',
  })
  expect((await count.execute(db)).rows[0]!.n).toBe(counts)
})
