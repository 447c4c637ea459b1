import autocannon from 'autocannon'
import { studentApi } from '../contract/school/people/students.calls.ts'
import { teacherApi } from '../contract/school/people/teachers.calls.ts'
import { noQuota } from '../contract/school/runtime/schools.calls.ts'
import { from } from '../server/core/database/tenant.ts'
import { setQuota } from '../server/school/runtime/schools.service.ts'
import { createSchool } from '../server/setup/create-school.ts'
import type { OpenServices } from '../server/setup/open-services.ts'
import { signIn } from '../server/testing/client.ts'
import type { Clients } from './clients.ts'
import { loadRound, median, requestsOf, type Round } from './load.ts'
import { benchSchool } from './prepare.ts'
import { startServer } from './processes.ts'
import { rounded, type Part } from './report.ts'

const rounds = 3
const seconds = Number(process.env['BENCH_SECONDS'] ?? 4)
/** Connections of the school that is measured, and of the one beside it: ten times as many. */
const [quiet, noisy] = [2, 20]
/** Requests at once of the noisy school under its quota. */
const allowed = 2
const quietSchool = 'quiet'
const password = 'Bench-2026!q'

/** What is compared: whether the process gives turns (decision 117), and what the noisy school does and may. */
const states = {
  silent: { turns: true, quota: null },
  'silent, no turns': { turns: false, quota: null },
  'free, no turns': { turns: false, quota: noQuota },
  free: { turns: true, quota: noQuota },
  bounded: { turns: true, quota: { ...noQuota, maxConcurrent: allowed } },
}
type State = keyof typeof states

/**
 * What a school with ten times the load does to another's answers: rounds in which the noisy one is silent, free and
 * under a quota follow each other, with turns as an installation has them by itself and without. Bar: with turns and
 * without a quota p95 at most doubles.
 */
export async function noisySchool({ owner, services }: OpenServices, clients: Clients): Promise<Part> {
  const origin = { requestId: 'bench', ip: '', agent: '' }
  const { db } = services
  if (!(await from({ db, schoolId: quietSchool }, 'school').select('schoolId').executeTakeFirst()))
    await createSchool(
      { ...services, origin },
      {
        schoolId: quietSchool,
        schName: '安静学院',
        admin: { username: 'admin', name: '管理员', password, keepPassword: true },
      },
    )
  const fair = await startServer('service.ts', JSON.stringify(owner))
  const unfair = await startServer('service.ts', JSON.stringify(owner), [], { REQUESTS_AT_ONCE: '0' })
  const part: Part = {
    title: `A school at ${quiet} connections beside one at ${noisy} (${rounds} alternating rounds of ${seconds} s, medians; bounded: under a quota of ${allowed} at once)`,
    rows: [],
    missed: [],
  }
  try {
    const own = await signIn(fair.address, quietSchool, 'admin', password)
    const others = await clients('admin')
    const asked = requestsOf({ name: '', kind: 'list', call: teacherApi.list, inputs: [{}] }, own.token!)
    const noise = requestsOf(
      { name: '', kind: 'list', call: studentApi.list, inputs: [{ search: '王' }, {}] },
      others.token!,
    )
    const names = Object.keys(states) as State[]
    const found = Object.fromEntries(names.map((state) => [state, [] as { round: Round; noise: number }[]])) as Record<
      State,
      { round: Round; noise: number }[]
    >
    for (const server of [fair, unfair]) await loadRound(server, asked, 1, quiet)
    for (let round = 0; round < rounds; round++)
      for (const state of round % 2 ? names.toReversed() : names) {
        const { quota, turns } = states[state]
        const server = turns ? fair : unfair
        await db.transaction().execute((tx) => setQuota(tx, benchSchool, quota ?? noQuota))
        // until every process has looked its people up again
        await new Promise((looked) => setTimeout(looked, 1200))
        const beside = quota
          ? autocannon({ url: server.address, connections: noisy, duration: seconds, requests: noise })
          : undefined
        const measured = await loadRound(server, asked, seconds, quiet)
        const answered = await beside
        found[state].push({ round: measured, noise: (answered?.['2xx'] ?? 0) / seconds })
      }
    const of = (state: State, figure: 'p50' | 'p95' | 'p99' | 'rate') =>
      median(found[state].map(({ round }) => round[figure]))
    for (const state of names)
      part.rows.push({
        'the other school': state,
        'req/s': rounded(of(state, 'rate')),
        'p50 ms': rounded(of(state, 'p50')),
        'p95 ms': rounded(of(state, 'p95')),
        'p99 ms': rounded(of(state, 'p99')),
        'p95, times': rounded(of(state, 'p95') / of('silent', 'p95')),
        'its req/s': rounded(median(found[state].map((one) => one.noise))),
      })
    const times = of('free', 'p95') / of('silent', 'p95')
    if (times > 2) part.missed.push(`p95 beside a noisy school is ${rounded(times)} times what it is alone`)
  } finally {
    await db.transaction().execute((tx) => setQuota(tx, benchSchool, noQuota))
    await fair.stop()
    await unfair.stop()
  }
  return part
}
