import { performance } from 'node:perf_hooks'
import { sql } from 'kysely'
import type { Call } from '../contract/core/call.ts'
import { abilityStatApi } from '../contract/outcomes/statistics/ability-statistics.calls.ts'
import { circleStatApi } from '../contract/outcomes/statistics/circle-statistics.calls.ts'
import { lessonStatApi } from '../contract/outcomes/statistics/lesson-statistics.calls.ts'
import { activeApi, loginStatApi } from '../contract/outcomes/statistics/login-statistics.calls.ts'
import { studentStatApi } from '../contract/outcomes/statistics/student-statistics.calls.ts'
import { supplementStatApi } from '../contract/outcomes/statistics/supplement-statistics.calls.ts'
import { teacherStatApi } from '../contract/outcomes/statistics/teacher-statistics.calls.ts'
import { addDays, systemClock } from '../server/core/base/clock.ts'
import type { OpenServices } from '../server/setup/open-services.ts'
import { checkSchool, sumOf } from '../server/outcomes/statistics/check.service.ts'
import { refreshSchool } from '../server/outcomes/statistics/refresh.service.ts'
import type { Clients } from './clients.ts'
import { loadRound, requestsOf } from './load.ts'
import { benchSchool } from './prepare.ts'
import { startServer } from './processes.ts'
import { rounded, type Part } from './report.ts'

/**
 * Bars, in milliseconds: within which 95 of a hundred requests are answered at 16 connections, and every first answer
 * (docs/security.md S20).
 */
const bars = { p95: 100, first: 2000 }
const seconds = 4

/**
 * Every statistics call with the inputs that take turns: without a period, a month, a term and a year, and colleges.
 * Unchanging ones are asked as they are.
 */
async function inputsOf({ services }: OpenServices): Promise<{ timed: object[]; standing: object[]; open: object[] }> {
  const now = systemClock.now()
  const colleges = await services.db
    .selectFrom('college')
    .select('scId')
    .where('schoolId', '=', benchSchool)
    .orderBy('scId')
    .limit(4)
    .execute()
  const span = (days: number) => ({
    startTime: `${addDays(now, -days).slice(0, 10)} 00:00:00`,
    endTime: `${now.slice(0, 10)} 23:59:59`,
  })
  const spans = [span(30), span(183), span(365)]
  const places = [{}, ...colleges.map(({ scId }) => ({ collegeId: scId })), { grade: now.slice(0, 4) }]
  return {
    timed: spans.flatMap((one) => places.filter((place) => !('grade' in place)).map((place) => ({ ...one, ...place }))),
    standing: places,
    open: spans,
  }
}

/**
 * First answers (nothing kept yet) and latencies at 16 connections of every statistics call, while an answer may be
 * kept for others.
 */
export async function statistics(opened: OpenServices, clients: Clients): Promise<Part> {
  const ctx = { db: opened.services.db, clock: systemClock }
  await refreshSchool(ctx, benchSchool)
  const { timed, standing, open } = await inputsOf(opened)
  const all: [string, Call, object[]][] = [
    ...Object.entries(loginStatApi).map(([name, call]): [string, Call, object[]] => [`login ${name}`, call, timed]),
    ['active', activeApi.info, open],
    ...Object.entries(lessonStatApi).map(([name, call]): [string, Call, object[]] => [`lesson ${name}`, call, timed]),
    ...Object.entries(supplementStatApi).map(([name, call]): [string, Call, object[]] => [`sup ${name}`, call, timed]),
    ...Object.entries(abilityStatApi).map(([name, call]): [string, Call, object[]] => [
      `ability ${name}`,
      call,
      [...standing, ...timed.slice(0, 3)],
    ]),
    ...Object.entries(studentStatApi).map(([name, call]): [string, Call, object[]] => [
      `student ${name}`,
      call,
      name === 'colleges' || name === 'grades'
        ? [{}]
        : name === 'gradeSex' || name === 'political'
          ? standing
          : [...standing, ...timed.slice(0, 3)],
    ]),
    ...Object.entries(teacherStatApi).map(([name, call]): [string, Call, object[]] => [`teacher ${name}`, call, timed]),
    ...Object.entries(circleStatApi).map(([name, call]): [string, Call, object[]] => [`circle ${name}`, call, timed]),
  ]
  // what leaves as a file is the matter of another part
  const calls = all.filter(([, { gives }]) => gives === 'data')
  const part: Part = { title: `Statistics at 16 connections, milliseconds; filters take turns`, rows: [], missed: [] }
  const { token } = await clients('admin')
  const server = await startServer('service.ts', JSON.stringify(opened.connection))
  try {
    for (const [name, call, inputs] of calls) {
      const client = (await clients('admin')) as unknown as { send: (call: Call, input: object) => Promise<unknown> }
      const first: number[] = []
      for (const input of inputs) {
        const began = performance.now()
        await client.send(call, input)
        first.push(performance.now() - began)
      }
      const requests = requestsOf({ name, call, inputs } as never, token!)
      await loadRound(server, requests, 1)
      // the rollups change once while it is measured: every answer kept so far is worth nothing then
      await sql`update "statState" set "statVersion" = "statVersion" + 1`.execute(opened.services.db)
      const round = await loadRound(server, requests, seconds)
      part.rows.push({
        call: name,
        'longest first answer': rounded(Math.max(...first)),
        p50: rounded(round.p50),
        p95: rounded(round.p95),
        p99: rounded(round.p99),
        'requests a second': Math.round(round.rate),
      })
      if (round.p95 > bars.p95) part.missed.push(`${name}: p95 ${rounded(round.p95)} ms, ${bars.p95} allowed`)
      if (Math.max(...first) > bars.first)
        part.missed.push(`${name}: a first answer took ${rounded(Math.max(...first))} ms, ${bars.first} allowed`)
    }
  } finally {
    await server.stop()
  }
  const began = performance.now()
  const found = await checkSchool(ctx, benchSchool)
  part.rows.push({
    call: 'check against the raw rows',
    'longest first answer': rounded(performance.now() - began),
    p50: '',
    p95: '',
    p99: '',
    'requests a second': '',
  })
  if (found === null) part.missed.push('the rollups could not be compared with the raw rows')
  else if (sumOf(found) > 0) part.missed.push(`${sumOf(found)} rows of the rollups differ from the raw rows`)
  return part
}
