import { performance } from 'node:perf_hooks'
import { sql } from 'kysely'
import { fullPath, type Call } from '../contract/core/call.ts'
import { abilityStatApi } from '../contract/outcomes/statistics/ability-statistics.calls.ts'
import { circleStatApi } from '../contract/outcomes/statistics/circle-statistics.calls.ts'
import { lessonStatApi } from '../contract/outcomes/statistics/lesson-statistics.calls.ts'
import { activeApi, loginStatApi } from '../contract/outcomes/statistics/login-statistics.calls.ts'
import { studentStatApi } from '../contract/outcomes/statistics/student-statistics.calls.ts'
import { supplementStatApi } from '../contract/outcomes/statistics/supplement-statistics.calls.ts'
import { teacherStatApi } from '../contract/outcomes/statistics/teacher-statistics.calls.ts'
import { systemClock } from '../server/core/base/clock.ts'
import type { OpenServices } from '../server/setup/open-services.ts'
import { checkSchool, sumOf } from '../server/outcomes/statistics/check.service.ts'
import { refreshSchool } from '../server/outcomes/statistics/refresh.service.ts'
import type { Clients } from './clients.ts'
import { eachTimeNew, loadRound, median, type Changing } from './load.ts'
import { newFilters } from './new-filters.ts'
import { benchSchool } from './prepare.ts'
import { startServer } from './processes.ts'
import { rounded, type Part } from './report.ts'

/**
 * Bars, in milliseconds: within which 95 of a hundred requests are answered at 16 connections, every first answer of a
 * process (docs/security.md S20), and the first answer after something has changed.
 */
const bars = { p95: 100, first: 2000, changed: 300 }
const seconds = 4
/** Questions that one person asks one after another, before and after a change. */
const alone = 12
/** Students whose records change before the first answer after a change is measured. */
const changedStudents = 100

/** Every call of statistics that answers data, by its name. */
export const statisticsCalls: [string, Call][] = Object.entries({
  login: loginStatApi,
  active: activeApi,
  lesson: lessonStatApi,
  sup: supplementStatApi,
  ability: abilityStatApi,
  student: studentStatApi,
  teacher: teacherStatApi,
  circle: circleStatApi,
}).flatMap(([domain, api]) =>
  Object.entries(api as Record<string, Call>)
    // what leaves as a file is the matter of another part
    .filter(([, { gives }]) => gives === 'data')
    .map(([name, call]): [string, Call] => [`${domain} ${name}`, call]),
)

/** Notes that students changed, as triggers would, and works them off; milliseconds that takes. */
async function changeSome(ctx: Parameters<typeof refreshSchool>[0]): Promise<number> {
  await sql`
    insert into "statChange" ("schoolId", "scKind", "scKey")
    select "schoolId", 'P', "suId"
    from "statPerson"
    where "schoolId" = ${benchSchool}
    order by random()
    limit ${changedStudents}`.execute(ctx.db)
  const began = performance.now()
  await refreshSchool(ctx, benchSchool)
  return performance.now() - began
}

/**
 * Every statistics call with filters that nobody has asked before, so that no kept answer serves: one person alone, the
 * first answer after a change, and latencies at 16 connections. `BENCH_CALLS` names the calls to look at closer.
 */
export async function statistics(opened: OpenServices, clients: Clients): Promise<Part> {
  const ctx = { db: opened.services.db, clock: systemClock }
  await refreshSchool(ctx, benchSchool)
  const filterFor = await newFilters(opened.services.db)
  const wanted = process.env['BENCH_CALLS']?.split(',')
  const part: Part = {
    title: 'Statistics with filters that are new each time, milliseconds',
    rows: [],
    missed: [],
    isPartial: wanted !== undefined,
  }
  const { token } = await clients('admin')
  const server = await startServer('service.ts', JSON.stringify(opened.owner))
  const refreshes: number[] = []
  try {
    const ask = async (call: Call): Promise<number> => {
      const { path, method, body } = requestOf(call, filterFor(call))
      const began = performance.now()
      const answer = await fetch(server.address + path, {
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        ...(body && { body }),
      })
      const text = await answer.text()
      if (!text.startsWith('{"code":200')) throw new Error(`${path} was refused: ${text.slice(0, 300)}`)
      return performance.now() - began
    }
    for (const [name, call] of statisticsCalls) {
      if (wanted && !wanted.some((one) => name.startsWith(one))) continue
      const first = await ask(call)
      const one: number[] = []
      for (let at = 0; at < alone; at++) one.push(await ask(call))
      refreshes.push(await changeSome(ctx))
      const changed = await ask(call)
      const changing: Changing = {
        method: call.method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        next: () => requestOf(call, filterFor(call)),
      }
      const round = await loadRound(server, [eachTimeNew(changing)], seconds)
      part.rows.push({
        call: name,
        first: rounded(first),
        'one person, median': rounded(median(one)),
        'one person, longest': rounded(Math.max(...one)),
        'after a change': rounded(changed),
        'p50 at 16': rounded(round.p50),
        'p95 at 16': rounded(round.p95),
        'requests a second': Math.round(round.rate),
        'CPU ms': rounded(round.cpu),
      })
      if (round.p95 > bars.p95) part.missed.push(`${name}: p95 ${rounded(round.p95)} ms, ${bars.p95} allowed`)
      if (changed > bars.changed)
        part.missed.push(`${name}: ${rounded(changed)} ms after a change, ${bars.changed} allowed`)
      if (first > bars.first)
        part.missed.push(`${name}: the first answer took ${rounded(first)} ms, ${bars.first} allowed`)
    }
  } finally {
    await server.stop()
  }
  part.rows.push({ call: `refresh of ${changedStudents} changed students, median`, first: rounded(median(refreshes)) })
  if (wanted) return part
  const began = performance.now()
  const found = await checkSchool(ctx, benchSchool)
  part.rows.push({ call: 'check against the raw rows', first: rounded(performance.now() - began) })
  if (found === null) part.missed.push('the rollups could not be compared with the raw rows')
  else if (sumOf(found) > 0) part.missed.push(`${sumOf(found)} rows of the rollups differ from the raw rows`)
  return part
}

/** A request as the wire takes it. */
export function requestOf(call: Call, filter: Record<string, string>) {
  const [path, query] = [fullPath(call), new URLSearchParams(filter).toString()]
  return call.sends === 'query'
    ? { method: call.method, path: query ? `${path}?${query}` : path, body: undefined }
    : { method: call.method, path, body: JSON.stringify(filter) }
}
