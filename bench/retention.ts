import { performance } from 'node:perf_hooks'
import pg from 'pg'
import { personType } from '../contract/core/codes/school.ts'
import { messageApi } from '../contract/school/messages/messages.calls.ts'
import { recording, type Statement } from '../server/testing/recorded-statements.ts'
import { removeOldMessages } from '../server/school/messages/expiry.service.ts'
import { forgetSignInTraces } from '../server/school/session/login-days.service.ts'
import { addDays, dayOf } from '../server/core/base/clock.ts'
import type { OpenServices } from '../server/setup/open-services.ts'
import type { Clients } from './clients.ts'
import { median } from './load.ts'
import { literal } from './plans.ts'
import { benchSchool } from './prepare.ts'
import { connectionMeter, type Meter } from './processor-time.ts'
import { rounded, type Part } from './report.ts'
import { timingStatements } from './statement-times.ts'

/** Bars: milliseconds of one statement, for what it has locked; seconds of the night for what a year brings. */
const bars = { statement: 1000, year: 4 * 3600 }
/** People whose inbox is read, of whichever of the two kinds of tables. */
const readers = 60
const tables = ['information', 'informationReceiver'] as const

/**
 * What it costs that a year of messages goes: row by row in batches, as the product does, against a partition of a
 * table divided by time that is dropped; and what reading an inbox costs in the one table and in the other. It removes
 * that year from the school of the bench, and the copies that it makes.
 */
export async function retention({ services, owner }: OpenServices, clients: Clients): Promise<Part> {
  const { db } = services
  const [own, watching] = [new pg.Client(owner), new pg.Pool(owner)]
  await own.connect()
  const part: Part = {
    title: 'A year of messages that goes: deleted in batches, and dropped as a partition',
    rows: [],
    missed: [],
  }
  const add = (what: string, value: string | number, unit: string) => part.rows.push({ what, value, unit })
  const timed = async (work: () => Promise<unknown>): Promise<number> => {
    const began = performance.now()
    await work()
    return performance.now() - began
  }
  const one = async <T>(text: string, values: unknown[] = []): Promise<T> =>
    (await own.query<{ value: T }>(text, values)).rows[0]!.value
  try {
    const oldest = await one<Date>(`select min("sendTime") "value" from "information" where "schoolId" = $1`, [
      benchSchool,
    ])
    const before = addDays(`${oldest.toISOString().slice(0, 10)} 00:00:00`, 365)
    const client = await clients('admin')
    const inbox = await recording(async () => void (await client.send(messageApi.inbox, { pageSize: 20 })))
    const page = inbox.find(({ text }) => /"informationReceiver"/.test(text) && /\blimit\b/.test(text))!
    const { rows: people } = await own.query<{ suId: string }>(
      `select "suId" from "person" where "schoolId" = $1 and "suiType" = '${personType.student}' order by hashtext("suId"::text) limit $2`,
      [benchSchool, readers],
    )
    const asker = await one<string>(
      `select "suId" "value" from "account" where "schoolId" = $1 and "suLoginName" = 'admin'`,
      [benchSchool],
    )
    const meter = await connectionMeter(own)
    const inboxMs = async (): Promise<number> => {
      const times: number[] = []
      for (const { suId } of people) times.push(await costOf(own, meter, page, asker, suId))
      return median(times)
    }
    await inboxMs()
    add('an inbox page of the one table, median', rounded(await inboxMs()), 'ms')

    const copied = await timed(() => divide(own, oldest))
    add('dividing copies of both tables by year, with their indexes', rounded(copied / 1000), 's')
    await own.query(`set search_path = "divided", public`)
    await inboxMs()
    add('an inbox page of the divided table, median', rounded(await inboxMs()), 'ms')
    for (const table of tables) {
      const sizes = await one<string>(
        `select round(pg_indexes_size('public.${quoted(table)}') / 1e6) || ' / '
           || round((select sum(pg_indexes_size(inhrelid)) from pg_inherits where inhparent = 'divided.${quoted(table)}'::regclass) / 1e6) "value"`,
      )
      add(`indexes of ${table}: one table / divided`, sizes, 'MB')
    }
    const dropped = await timed(() =>
      own.query(
        tables
          .toReversed()
          .map((table) => `drop table "divided".${quoted(`${table}_0`)}`)
          .join('; '),
      ),
    )
    add('dropping the partitions of a year', rounded(dropped), 'ms')
    await own.query('reset search_path; drop schema "divided" cascade')

    const rows = async () => one<number>(`select count(*)::int "value" from "informationReceiver"`)
    const [had, wal] = [await rows(), await one<string>('select pg_current_wal_lsn()::text "value"')]
    let messages = 0
    const deletion = await timingStatements(watching, async () => {
      messages = await removeOldMessages(db, benchSchool, before)
    })
    const receivers = had - (await rows())
    add('messages deleted in batches', messages, 'rows')
    add('copies of receivers deleted with them', receivers, 'rows')
    add('deletion', deletion.seconds, 's')
    add('of that processor time of the database', deletion.databaseSeconds, 's')
    add('rows a second of processor time', Math.round((messages + receivers) / deletion.databaseSeconds), '')
    add('longest statement of it', deletion.longest, 'ms')
    add(
      'written to the log',
      Math.round((await one<number>(`select pg_wal_lsn_diff(pg_current_wal_lsn(), $1)::float8 "value"`, [wal])) / 1e6),
      'MB',
    )
    for (const table of tables)
      add(
        `vacuum of ${table} behind it`,
        rounded((await timed(() => own.query(`vacuum ${quoted(table)}`))) / 1000),
        's',
      )
    const traces = await timingStatements(watching, () =>
      forgetSignInTraces(db, benchSchool, dayOf(addDays(new Date().toISOString().slice(0, 10), -335))),
    )
    add('addresses of a month of sign-ins forgotten', traces.seconds, 's')
    add('longest statement of it', traces.longest, 'ms')
    for (const [what, ms] of [
      ['deletion of messages', deletion.longest],
      ['forgetting of addresses', traces.longest],
    ] as const)
      if (ms > bars.statement) part.missed.push(`${what}: a statement of ${ms} ms, ${bars.statement} allowed`)
    if (deletion.seconds > bars.year) part.missed.push(`a year took ${deletion.seconds} s, ${bars.year} allowed`)
    return part
  } finally {
    await own.end()
    await watching.end()
  }
}

const quoted = pg.escapeIdentifier

/**
 * Milliseconds of processor time for the inbox page with another reader than the one who asked for it, planned anew, as
 * prepared texts are.
 */
async function costOf(
  own: pg.Client,
  meter: Meter,
  { text, values }: Statement,
  asker: string,
  suId: string,
): Promise<number> {
  const given = values.map((value) => literal(value === asker ? suId : value))
  await own.query(`prepare inbox as ${text}`)
  try {
    const before = meter()
    await own.query(`execute inbox(${given.join(', ')})`)
    return meter() - before
  } finally {
    await own.query('deallocate inbox')
  }
}

/**
 * Copies of the two tables of messages, divided by year: ids begin with the time, so that their ranges are years and
 * every key that the tables have can stay a key.
 */
async function divide(own: pg.Client, oldest: Date): Promise<void> {
  const from = oldest.getUTCFullYear()
  const years = new Date().getUTCFullYear() - from + 1
  const start = (year: number): string => {
    const ms = Date.UTC(from + year, oldest.getUTCMonth(), oldest.getUTCDate())
      .toString(16)
      .padStart(12, '0')
    return year === 0 ? 'minvalue' : `'${ms.slice(0, 8)}-${ms.slice(8)}-0000-0000-000000000000'`
  }
  await own.query(`set statement_timeout = 0; set maintenance_work_mem = '256MB'; create schema "divided"`)
  for (const table of tables) {
    await own.query(
      `create table "divided".${quoted(table)} (like public.${quoted(table)} including defaults) partition by range ("iiId")`,
    )
    for (let year = 0; year <= years; year++)
      await own.query(
        `create table "divided".${quoted(`${table}_${year}`)} partition of "divided".${quoted(table)}
         for values from (${start(year)}) to (${year === years ? 'maxvalue' : start(year + 1)})`,
      )
    await own.query(`insert into "divided".${quoted(table)} select * from public.${quoted(table)}`)
  }
  await own.query(`
    alter table "divided"."information" add primary key ("schoolId", "iiId");
    create index on "divided"."information" ("schoolId", "createBy", "sendTime")
      where "createBy" is not null and "outboxDeleted" = '0';
    create index on "divided"."information" ("schoolId", "sendTime");
    alter table "divided"."informationReceiver" add primary key ("schoolId", "iurId", "iiId");
    alter table "divided"."informationReceiver" add unique ("schoolId", "iiId", "suId");
    create index on "divided"."informationReceiver" ("schoolId", "suId", "isRead") where "inboxDeleted" = '0';
    analyze "divided"."information";
    analyze "divided"."informationReceiver"`)
  for (const table of tables)
    for (let year = 0; year <= years; year++)
      await own.query(`vacuum (analyze) "divided".${quoted(`${table}_${year}`)}`)
}
