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

/**
 * What a school with ten times the load does to another's answers, with and without a quota on it: rounds in which the
 * noisy one is silent, free and bounded follow each other. Bar: under the quota p95 at most doubles.
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
  const server = await startServer('service.ts', JSON.stringify(owner))
  const part: Part = {
    title: `A school at ${quiet} connections beside one at ${noisy} (${rounds} alternating rounds of ${seconds} s, medians; the noisy one under a quota of ${allowed} at once)`,
    rows: [],
    missed: [],
  }
  try {
    const own = await signIn(server.address, quietSchool, 'admin', password)
    const others = await clients('admin')
    const asked = requestsOf({ name: '', kind: 'list', call: teacherApi.list, inputs: [{}] }, own.token!)
    const noise = requestsOf(
      { name: '', kind: 'list', call: studentApi.list, inputs: [{ search: '王' }, {}] },
      others.token!,
    )
    const states = { silent: null, free: noQuota, bounded: { ...noQuota, maxConcurrent: allowed } }
    const found: Record<keyof typeof states, { round: Round; noise: number }[]> = { silent: [], free: [], bounded: [] }
    await loadRound(server, asked, 1, quiet)
    for (let round = 0; round < rounds; round++)
      for (const state of Object.keys(states) as (keyof typeof states)[]) {
        const quota = states[state]
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
    const of = (state: keyof typeof states, figure: 'p50' | 'p95' | 'p99' | 'rate') =>
      median(found[state].map(({ round }) => round[figure]))
    for (const state of Object.keys(states) as (keyof typeof states)[])
      part.rows.push({
        'the other school': state,
        'req/s': rounded(of(state, 'rate')),
        'p50 ms': rounded(of(state, 'p50')),
        'p95 ms': rounded(of(state, 'p95')),
        'p99 ms': rounded(of(state, 'p99')),
        'p95, times': rounded(of(state, 'p95') / of('silent', 'p95')),
        'its req/s': rounded(median(found[state].map((one) => one.noise))),
      })
    const times = of('bounded', 'p95') / of('silent', 'p95')
    if (times > 2) part.missed.push(`p95 beside a bounded noisy school is ${rounded(times)} times what it is alone`)
  } finally {
    await db.transaction().execute((tx) => setQuota(tx, benchSchool, noQuota))
    await server.stop()
  }
  return part
}
