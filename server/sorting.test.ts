import { isDeepStrictEqual } from 'node:util'
import { beforeAll, expect, test } from 'vitest'
import { sql } from 'kysely'
import { z } from 'zod'
import { fullPath, type Call } from '../contract/core/call.ts'
import { isPaged, type Page } from '../contract/core/paging.ts'
import { allCalls } from '../contract/index.ts'
import {
  deliveryStatus,
  enableStatus,
  messageChannel,
  messageKind,
  outboxChannel,
} from '../contract/core/codes/platform.ts'
import { lessonStatus, questionStatus } from '../contract/core/codes/programme.ts'
import { disputeApi } from '../contract/programme/disputes/disputes.calls.ts'
import { circleApi } from '../contract/programme/circles/circles.calls.ts'
import { lessonApi } from '../contract/programme/lessons/lessons.calls.ts'
import { circleLessonApi } from '../contract/programme/lessons/circle-lessons.calls.ts'
import { personLessonApi } from '../contract/programme/lessons/person-lessons.calls.ts'
import { teamApi } from '../contract/programme/lessons/teams.calls.ts'
import { teacherStatApi } from '../contract/outcomes/statistics/teacher-statistics.calls.ts'
import { studentStatApi } from '../contract/outcomes/statistics/student-statistics.calls.ts'
import { eventKinds, pingKind } from '../contract/platform/outbox/events.ts'
import { messageApi } from '../contract/school/messages/messages.calls.ts'
import type { Db } from './core/database/pool.ts'
import { demoPassword } from './demo/account-list.ts'
import { demoSize, makeDemoSchool } from './demo/demo-school.ts'
import { testApp } from './testing/app.ts'
import { signIn, type Client } from './testing/client.ts'
import { unique } from './testing/school.ts'

/**
 * Every list that tells in its contract by which columns it may be sorted, asked by each of them in both directions, as
 * the administrator of a demo school.
 */
const schoolId = `d${unique()}`
type Row = Record<string, unknown>

/** The columns that a list may be sorted by; nothing where its contract does not name them. */
function columnsOf({ input }: Call): string[] {
  const sort = input instanceof z.ZodObject ? (input.shape as Record<string, unknown>)['sort'] : undefined
  const inner = sort instanceof z.ZodOptional ? sort.unwrap() : sort
  return inner instanceof z.ZodEnum ? inner.options.map(String) : []
}
const sorted = allCalls.flatMap(({ call }) =>
  isPaged(call) && !call.writes && columnsOf(call).length > 0
    ? columnsOf(call).map((column) => ({ path: fullPath(call), call, column }))
    : [],
)

/** Lists that a demo school leaves empty: only that they answer is seen here. */
const emptyInDemo = new Set([fullPath(teamApi.view)])
/** Lists that show nothing as zero: who has nothing comes last either way. */
const showNothingAsZero = new Set([fullPath(teacherStatApi.detail)])

/** What a row shows under a column that is not always what it holds: of a dispute that is decided no deadline. */
const shown = (path: string, column: string, row: Row): unknown =>
  path === fullPath(disputeApi.list) && column === 'deadline' && !waiting.has(row['qStatus'])
    ? null
    : (row[column] ?? null)
const waiting = new Set<unknown>([questionStatus.pending, questionStatus.overdue])

let admin: Client
/** Whoever asks, where it is not the administrator. */
let askers: Record<string, Client>
/** What lists of one record are asked with, by their path. */
let inputs: Record<string, Row>
beforeAll(async () => {
  const app = await testApp()
  await makeDemoSchool(app.ctx, schoolId, '演示大学', demoSize(300))
  admin = await signIn(app.address, schoolId, 'admin', demoPassword)
  const [receiver] = await admin.send(messageApi.receivers, {})
  for (const iiTitle of ['第二则', '第一则'])
    await admin.send(messageApi.send, { iiTitle, iiContent: '内容', suIds: [receiver!.suId] })
  askers = { [fullPath(messageApi.inbox)]: await signIn(app.address, schoolId, 'reviewer', demoPassword) }
  await storeDeliveries(app.ctx.db)
  const { records: circles } = await admin.send(circleApi.list, { pageSize: 200 })
  const { records: held } = await admin.send(lessonApi.view, { liStatus: lessonStatus.completed })
  const { records: students } = await admin.send(studentStatApi.detail, { sort: 'activities', order: 'desc' })
  const { records: teachers } = await admin.send(teacherStatApi.detail, { sort: 'lessons', order: 'desc' })
  const { ciId } = circles.toSorted((a, b) => b.memberCount - a.memberCount)[0]!
  inputs = {
    [fullPath(circleApi.members)]: { ciId },
    [fullPath(circleLessonApi.ofCircle)]: { ciId },
    [fullPath(personLessonApi.ofStudent)]: { suId: students[0]!.suId },
    [fullPath(personLessonApi.ofTeacher)]: { suId: teachers[0]!.suId },
    [fullPath(teamApi.view)]: { liId: held[0]!.liId },
  }
}, 120_000)

/** Messages to people and events for other systems that have ended one way or the other. */
async function storeDeliveries(db: Db) {
  const people = sql`(select "suId" from "person" where "schoolId" = ${schoolId} and "delFlag" = '0' order by "suId" limit 7)`
  for (const [odChannel, kinds, toPeople] of [
    [outboxChannel.webhook, [pingKind, eventKinds[0]], false],
    [messageChannel.mail, [messageKind.system, messageKind.test], true],
  ] as const)
    await sql`
      with destination as (
        insert into "outboxDestination" ("schoolId", "odId", "odChannel", "odName", "address", "enable")
        select ${schoolId}, gen_random_uuid(), ${odChannel}, '去处' || n, 'https://example.edu.cn', ${enableStatus.disabled}
        from generate_series(1, 2) n
        returning "odId", "odName"
      )
      insert into "outboxDelivery" (
        "schoolId", "dlId", "odId", "eventId", "eventKind", "eventData", "dlStatus", "attempts", "suId", "createTime"
      )
      select ${schoolId}, gen_random_uuid(), d."odId", gen_random_uuid(), (${kinds}::text[])[1 + n % 2], '{}',
        (${[deliveryStatus.delivered, deliveryStatus.dead]}::text[])[1 + n % 3 / 2], n % 4,
        case when ${toPeople}::boolean then (array${people})[1 + n % 7] end,
        timestamptz '2026-03-01' + n % 9 * interval '1 hour'
      from destination d
      cross join generate_series(1, 15) n`.execute(db)
}

/** Amounts and moments, which have one order everywhere; the order of words is the database's. */
const isMeasured = (value: unknown): value is string | number =>
  typeof value === 'number' || (typeof value === 'string' && /^(\d{4}-\d\d-\d\d|-?\d+(\.\d+)?$)/.test(value))
const inOrder = (values: (string | number)[]) =>
  values.toSorted((a, b) =>
    /^-?\d+(\.\d+)?$/.test(String(a)) ? Number(a) - Number(b) : String(a) < String(b) ? -1 : Number(a !== b),
  )

test.each(sorted)('$path by $column', async ({ path, call, column }) => {
  const ask = (order: 'asc' | 'desc', more: Row = { pageSize: 200 }) =>
    (askers[path] ?? admin).send(call, { ...inputs[path], ...more, sort: column, order }) as Promise<Page<Row>>
  const [up, down] = [await ask('asc'), await ask('desc')]
  const valuesOf = ({ records }: Page<Row>) =>
    records.flatMap((row) =>
      showNothingAsZero.has(path) && Number(row[column]) === 0 ? [] : [shown(path, column, row)],
    )
  expect(up.records.length > 1 || emptyInDemo.has(path)).toBe(true)
  // what a page shows, its first two small pages show: nobody stands on both, and nobody is left out
  const small = [await ask('asc', { pageSize: 10 }), await ask('asc', { pageSize: 10, current: 2 })]
  expect(small.flatMap(({ records }) => records)).toEqual(up.records.slice(0, 20))
  if (up.total <= 200)
    expect(valuesOf(down).filter((value) => value !== null)).toEqual(
      valuesOf(up)
        .toReversed()
        .filter((value) => value !== null),
    )
  for (const [page, way] of [
    [up, 'asc'],
    [down, 'desc'],
  ] as const) {
    const values = valuesOf(page)
    // whatever the order of words is, those that are equal stand together, and so do those who have nothing there
    const runs = values.filter((value, at) => at === 0 || !isDeepStrictEqual(value, values[at - 1]))
    expect(runs).toEqual([...new Set(values)])
    const told = values.filter((value) => value !== null)
    if (told.every(isMeasured)) expect(told).toEqual(way === 'asc' ? inOrder(told) : inOrder(told).toReversed())
  }
})
