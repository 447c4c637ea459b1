import { sql } from 'kysely'
import { systemClock } from '../server/core/base/clock.ts'
import { openDatabase } from '../server/core/database/pool.ts'
import { checkSchool, sumOf } from '../server/outcomes/statistics/check.service.ts'
import { rebuildSchool, refreshSchool } from '../server/outcomes/statistics/refresh.service.ts'
import type { OpenServices } from '../server/setup/open-services.ts'
import { benchSchool } from './prepare.ts'
import type { Part } from './report.ts'
import { timingStatements } from './statement-times.ts'

/** Bar: milliseconds of a single statement of a refresh; a rebuild has the night. */
const bars = { refresh: 1000, rebuild: 4 * 3600 }
const people = [100, 1000, 5000, 20_000]
const courses = [100, 1000]

/**
 * What it takes to bring the statistics up to date: after changes of so many people and courses, as a job does it every
 * 15 seconds, and as a whole; and to compare them with the raw rows.
 */
export async function refreshing({ owner }: OpenServices): Promise<Part> {
  const { db, pool, close } = openDatabase(owner, { max: 2, statementTimeout: 0 })
  const ctx = { db, clock: systemClock }
  const part: Part = {
    title: 'Bringing the statistics up to date; processor time of the database',
    rows: [],
    missed: [],
  }
  const measure = async (what: string, bar: { statement?: number; seconds?: number }, work: () => Promise<unknown>) => {
    const { seconds, databaseSeconds, statements, longest, text } = await timingStatements(pool, work)
    part.rows.push({
      what,
      seconds,
      'of the database s': databaseSeconds,
      statements,
      'longest statement ms': longest,
      statement: longest > 100 ? text : '',
    })
    if (bar.statement && longest > bar.statement)
      part.missed.push(`${what}: a statement of ${longest} ms, ${bar.statement} allowed`)
    if (bar.seconds && databaseSeconds > bar.seconds)
      part.missed.push(`${what}: ${databaseSeconds} s, ${bar.seconds} allowed`)
  }
  /** Notes rows as changed, as triggers would. */
  const note = (kind: 'P' | 'L', count: number) =>
    (kind === 'P'
      ? sql`
          insert into "statChange" ("schoolId", "scKind", "scKey")
          select "schoolId", 'P', "suId"
          from "statPerson"
          where "schoolId" = ${benchSchool}
          order by hashtext("suId"::text)
          limit ${count}`
      : sql`
          insert into "statChange" ("schoolId", "scKind", "scKey")
          select "schoolId", 'L', "liId"
          from "statLesson"
          where "schoolId" = ${benchSchool}
          order by hashtext("liId"::text)
          limit ${count}`
    ).execute(db)
  try {
    await refreshSchool(ctx, benchSchool)
    await Promise.all([pool.query('select 1'), pool.query('select 1')])
    for (const [kind, name, counts] of [
      ['P', 'people', people],
      ['L', 'courses', courses],
    ] as const)
      for (const count of counts) {
        await note(kind, count)
        await measure(
          `refresh after changes of ${count.toLocaleString('en')} ${name}`,
          { statement: bars.refresh },
          () => refreshSchool(ctx, benchSchool),
        )
      }
    await measure('rebuild of all', { seconds: bars.rebuild }, () => rebuildSchool(ctx, benchSchool))
    await measure('comparison with the raw rows', { seconds: bars.rebuild }, async () => {
      const found = await checkSchool(ctx, benchSchool)
      if (found === null || sumOf(found) > 0) part.missed.push('the rollups differ from the raw rows')
    })
    return part
  } finally {
    await close()
  }
}
