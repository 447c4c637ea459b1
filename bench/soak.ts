import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { endFile } from '../server/testing/file-end.ts'
import { freePort } from '../server/testing/free-port.ts'
import { badNetwork, type BadNetwork } from '../server/testing/bad-network.ts'
import { serviceConnection } from '../server/core/postgres/embedded.ts'
import { openInstallation, run, until, type Installation } from './installation.ts'
import type { Part } from './report.ts'
import { faultsAt, killed, smallDisk, steppedClock, type Fault } from './soak-faults.ts'
import { ofBalancer, schoolId, startSoakLoad, type Load, type Tally } from './soak-load.ts'

const processes = 3
const perSecond = Number(process.env['SOAK_RATE'] ?? 200)
/** Seconds from the beginning of one fault to that of the next, and before the first. */
const faultEvery = 100
const warmUp = 60
/** Seconds after a fault within which all must be well again. */
const wellWithin = 30
const sampleEvery = 5
/** Seconds that a process must have run behind its warm-up for its growth to mean anything. */
const leastWarm = 300
/** Seconds between two figures of memory that are printed. */
const markEvery = 600
/** Growth of a process that is not called flat, in MB an hour; only where it is also so many MB in all. */
const mostGrowth = { perHour: 60, inAll: 40 }

interface Sample {
  pid: number
  seconds: number
  memory: number
  handles: number
}

/** One stretch: a fault with the time in which all becomes well again, or the calm until the next. */
interface Stretch {
  name: string
  tally: Tally
  /** Moment (performance.now) at which the fault was over. */
  over?: number
}

/**
 * Three processes of the program behind HAProxy on a database that is met by faults in turn, under load: nothing that
 * was acknowledged may be lost or there twice, every answer is a success or tells when to come again, and memory,
 * handles and connections stay flat. `--minutes N` tells for how long, 60 unless given; `--logs FOLDER` where what the
 * processes tell is kept.
 */
export async function soak(): Promise<Part> {
  const { minutes: asked, logs } = parseArgs({
    args: process.argv.slice(3),
    options: { minutes: { type: 'string', default: '60' }, logs: { type: 'string' } },
  }).values
  const minutes = Number(asked)
  if (!(minutes >= 4)) throw new Error('soak: --minutes N, at least 4')
  const haproxy = ['/usr/sbin/haproxy', '/usr/local/sbin/haproxy', '/opt/homebrew/bin/haproxy'].find(existsSync)
  if (!haproxy) throw new Error('soak needs HAProxy: apt-get install haproxy (or brew install haproxy)')
  const own = mkdtempSync(join(tmpdir(), 'bench-soak-'))
  // the user that PostgreSQL runs as must get in
  chmodSync(own, 0o755)
  const disk = smallDisk(join(own, 'disk'))
  const clockFile = join(own, 'clock')
  let proxy!: BadNetwork
  const installation = await openInstallation(
    processes,
    async (database) => {
      proxy = await badNetwork(serviceConnection(database))
      const { user, database: name, port } = proxy.connection
      return {
        DATABASE_URL: `postgres://${user}@127.0.0.1:${port}/${name}`,
        NODE_ENV: 'development',
        DRAIN_SECONDS: '5',
        OUTPUT_CHECKS: '0',
        DEMO_STUDENTS: '300',
        SCHOOL_ID: '',
        SCHOOL_NAME: '',
        ADMIN_PASSWORD: '',
      }
    },
    {
      ...(disk ? { databaseDir: disk.path } : {}),
      ...(logs ? { logs } : {}),
      ofNode: (node) => (node === 1 ? steppedClock(clockFile) : {}),
    },
  )
  const port = await freePort()
  const settings = join(installation.folder, 'haproxy.cfg')
  writeFileSync(settings, haproxySettings(port, installation))
  const balancer = spawn(haproxy, ['-f', settings, '-db'], { stdio: 'ignore' })
  try {
    const address = `http://127.0.0.1:${port}`
    await until(async () => (await fetch(`${address}/readyz`)).ok, 'the balancer')
    const load = await startSoakLoad(address, perSecond)
    const { faults, lacking } = faultsAt({ installation, proxy, port, disk: disk?.path, clockFile, token: load.token })
    const part = await hold(installation, load, faults, minutes)
    return { ...part, missed: [...part.missed, ...lacking] }
  } finally {
    const ended = once(balancer, 'exit')
    balancer.kill('SIGTERM')
    await ended
    await installation.close()
    await endFile()
    disk?.end()
    rmSync(own, { recursive: true, force: true })
  }
}

async function hold(installation: Installation, load: Load, faults: Fault[], minutes: number): Promise<Part> {
  const began = performance.now()
  const end = began + minutes * 60_000
  const samples: Sample[] = []
  const connections: number[] = []
  const sampling = setInterval(() => {
    const seconds = (performance.now() - began) / 1000
    for (const node of installation.nodes) samples.push(...sampleOf(node.pid(), seconds))
    run<{ n: number }>(
      installation.database,
      `select count(*)::int "n" from pg_stat_activity where backend_type = 'client backend'`,
    ).then(
      ([row]) => connections.push(row!.n),
      () => {},
    )
  }, sampleEvery * 1000)
  const stretches: Stretch[] = [{ name: 'calm', tally: load.beginStretch(false) }]
  await sleep(warmUp * 1000)
  for (let turn = 0; performance.now() + faultEvery * 1000 < end; turn++) {
    const next = performance.now() + faultEvery * 1000
    const fault = faults[turn % faults.length]!
    const stretch: Stretch = { name: fault.name, tally: load.beginStretch(true) }
    stretches.push(stretch)
    await fault.run()
    stretch.over = performance.now()
    console.log(`${Math.round((stretch.over - began) / 1000)} s: ${fault.name} is over`)
    await sleep(wellWithin * 1000)
    stretches.push({ name: 'calm', tally: load.beginStretch(false) })
    await sleep(Math.max(0, next - performance.now()))
  }
  await sleep(Math.max(0, end - performance.now()))
  clearInterval(sampling)
  await load.stop()
  return verdict(installation, load, stretches, samples, connections, minutes)
}

/** What was not good in some stretches, of one kind: how often, and each cause with how often, for people. */
function byCause(stretches: Stretch[], kind: 'later' | 'cut' | 'wrong'): { times: number; text: string } {
  const counts = new Map<string, number>()
  for (const { tally } of stretches)
    for (const [why, times] of tally[kind]) counts.set(why, (counts.get(why) ?? 0) + times)
  return {
    times: [...counts.values()].reduce((sum, times) => sum + times, 0),
    text: [...counts].map(([why, times]) => `${times} × ${why}`).join('; '),
  }
}

async function verdict(
  { database, nodes }: Installation,
  { acknowledged, unsure, tried }: Load,
  stretches: Stretch[],
  samples: Sample[],
  connections: number[],
  minutes: number,
): Promise<Part> {
  const missed: string[] = []
  const rows: Part['rows'] = [...new Set(stretches.map(({ name }) => name))].map((name) => {
    const of = stretches.filter((each) => each.name === name)
    const sum = (figure: 'good' | 'laterOfBalancer') => of.reduce((all, { tally }) => all + tally[figure], 0)
    const [later, cut, wrong] = [byCause(of, 'later'), byCause(of, 'cut'), byCause(of, 'wrong')]
    if (wrong.times > 0) missed.push(`${name}: ${wrong.text}`)
    const well = Math.max(0, ...of.map(({ over, tally }) => (over ? (tally.lastNotGood - over) / 1000 : 0)))
    if (cut.times > 0 && name !== killed) missed.push(`${name}: cut off ${cut.text}`)
    if (name === 'calm' && later.times + sum('laterOfBalancer') > 0)
      missed.push(`calm: ${later.times} told to come later, ${sum('laterOfBalancer')} by the balancer`)
    return {
      stretch: name,
      times: of.length,
      good: sum('good'),
      later: later.times,
      'later (balancer)': sum('laterOfBalancer'),
      'cut off': cut.times,
      wrong: wrong.times,
      'well after s': name === 'calm' ? '' : Math.round(well * 10) / 10,
      'later by cause': later.text,
    }
  })
  const stored = await run<{ name: string; count: number }>(
    database,
    `select "plName" "name", count(*)::int "count" from "place" where "schoolId" = $1 group by 1`,
    [schoolId],
  )
  const counts = new Map(stored.map(({ name, count }) => [name, count]))
  const lost = acknowledged.filter((name) => !counts.has(name)).length
  const doubled = tried.filter((name) => (counts.get(name) ?? 0) > 1).length
  const open = tried.length - acknowledged.length - unsure.length
  if (open > 0) missed.push(`${open} writes without an answer`)
  if (lost + doubled > 0) missed.push(`${lost} acknowledged writes lost, ${doubled} doubled`)
  rows.push({
    stretch: `writes: ${acknowledged.length} of ${tried.length} acknowledged, ${unsure.length} told to be unsure, ${lost} lost, ${doubled} doubled`,
  })
  for (const [at, node] of nodes.entries()) {
    const own = samples.filter((sample) => sample.pid === node.pid())
    const from = own[0] ? own[0].seconds + Math.min(600, (own.at(-1)!.seconds - own[0].seconds) / 4) : 0
    const warm = own.filter(({ seconds }) => seconds >= from)
    if (warm.length * sampleEvery < leastWarm) continue
    const perHour = slope(warm) * 3600
    const inAll = (perHour / 3600) * (warm.at(-1)!.seconds - warm[0]!.seconds)
    const handles = warm.map((sample) => sample.handles)
    if (perHour > mostGrowth.perHour && inAll > mostGrowth.inAll)
      missed.push(`process ${at} grows by ${Math.round(perHour)} MB an hour`)
    if (handles.at(-1)! > Math.max(...handles.slice(0, handles.length / 2)) + 20)
      missed.push(`process ${at} has ${handles.at(-1)} handles open at the end`)
    const marks = own.filter((sample, index) => {
      const mark = Math.floor(sample.seconds / markEvery)
      return mark > 0 && mark > Math.floor((own[index - 1]?.seconds ?? 0) / markEvery)
    })
    if (marks.length > 0)
      rows.push({
        stretch: `process ${at}, MB every ${markEvery / 60} minutes: ${marks.map(({ memory }) => Math.round(memory)).join(', ')}`,
      })
    rows.push({
      stretch: `process ${at}: ${Math.round(warm[0]!.memory)} to ${Math.round(warm.at(-1)!.memory)} MB, ${Math.round(perHour)} MB/h; handles ${handles[0]} to ${handles.at(-1)}`,
    })
  }
  rows.push({ stretch: `database connections: ${connections[12] ?? connections[0]} to ${connections.at(-1)}` })
  if (connections.at(-1)! > Math.max(...connections.slice(0, connections.length / 2)) + 10)
    missed.push(`${connections.at(-1)} connections to the database at the end`)
  return {
    title: `${minutes} minutes at ${perSecond} requests a second, ${processes} processes behind HAProxy, faults in turn`,
    rows,
    missed,
  }
}

/** Resident memory in MB and open files of a process; nothing where it does not run. */
function sampleOf(pid: number, seconds: number): Sample[] {
  try {
    const memory = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1024
    return [{ pid, seconds, memory, handles: readdirSync(`/proc/${pid}/fd`).length }]
  } catch {
    return []
  }
}

/** MB a second, by the method of least squares. */
function slope(samples: Sample[]): number {
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  const [x, y] = [mean(samples.map(({ seconds }) => seconds)), mean(samples.map(({ memory }) => memory))]
  const above = samples.reduce((sum, { seconds, memory }) => sum + (seconds - x) * (memory - y), 0)
  return above / samples.reduce((sum, { seconds }) => sum + (seconds - x) ** 2, 0)
}

/** It goes to another process where one lets nobody in, and tells when to come again where none answers. */
const haproxySettings = (port: number, { nodes }: Installation): string => `
defaults
  mode http
  timeout connect 2s
  timeout client 40s
  timeout server 40s
  timeout http-request 40s
  retries 2
  option redispatch 1
  retry-on conn-failure
${[502, 503].map((status) => `  http-error status ${status} content-type application/json string '{"code":${status},"msg":"later"}' hdr retry-after 2 hdr ${ofBalancer} 1`).join('\n')}
frontend console
  bind 127.0.0.1:${port}
  default_backend console
backend console
  option httpchk GET /readyz
  http-check expect status 200
  default-server check inter 1s fall 2 rise 1
${nodes.map((node, at) => `  server node${at} 127.0.0.1:${node.port}`).join('\n')}
`
