import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, writeFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fullPath } from '../contract/core/call.ts'
import { collegeApi } from '../contract/school/organisation/colleges.calls.ts'
import { sessionApi } from '../contract/school/session/session.calls.ts'
import { signIn } from '../server/testing/client.ts'
import { freePort } from '../server/testing/free-port.ts'
import { admin, openInstallation, run, schoolId, until, type Installation } from './installation.ts'
import type { Part } from './report.ts'

const processes = 3
const restarts = 2
const perSecond = 150
/** Of so many requests one is a write. */
const writeEvery = 5
const leastRequests = 10_000
/** The drill ends at the latest after so many seconds. */
const mostSeconds = 240

/**
 * Restarts three processes on one database one after another, twice, behind HAProxy without retries and under load:
 * every request must be answered with a success, and every write that was acknowledged must be there once.
 */
export async function rollingRestart(): Promise<Part> {
  const haproxy = ['/usr/sbin/haproxy', '/usr/local/sbin/haproxy', '/opt/homebrew/bin/haproxy'].find(existsSync)
  if (!haproxy) throw new Error('rollingRestart needs HAProxy: apt-get install haproxy (or brew install haproxy)')
  const installation = await openInstallation(processes)
  const port = await freePort()
  const settings = join(installation.folder, 'haproxy.cfg')
  writeFileSync(settings, haproxySettings(port, installation))
  const balancer = spawn(haproxy, ['-f', settings, '-db'], { stdio: 'ignore' })
  try {
    const address = `http://127.0.0.1:${port}`
    await until(async () => (await fetch(`${address}/readyz`)).ok, 'the balancer')
    return await drill(address, installation)
  } finally {
    const ended = once(balancer, 'exit')
    balancer.kill('SIGTERM')
    await ended
    await installation.close()
  }
}

async function drill(address: string, { nodes, database }: Installation): Promise<Part> {
  const { token } = await signIn(address, schoolId, admin.username, admin.password)
  const load = startLoad(address, token!)
  const longest = sleep(mostSeconds * 1000, 'late' as const, { ref: false })
  const rolled = (async () => {
    await sleep(5000)
    for (let round = 0; round < restarts; round++)
      for (const node of nodes) {
        await node.stop()
        await node.start()
        // until the balancer has seen it, and some load has gone there
        await sleep(4000)
      }
    await until(async () => load.sent() >= leastRequests, 'the load', mostSeconds)
  })()
  const isLate = (await Promise.race([rolled, longest])) === 'late'
  const { answered, bad, acknowledged } = await load.stop()
  const { lost, doubled } = await compare(database, acknowledged)
  const found = [...bad].map(([what, count]) => `${count} × ${what}`).join(', ')
  const badCount = [...bad.values()].reduce((sum, count) => sum + count, 0)
  const missed = [
    ...(isLate ? [`not through within ${mostSeconds} s`] : []),
    ...(badCount > 0 ? [`${badCount} bad answers: ${found}`] : []),
    ...(lost + doubled > 0 ? [`${lost} acknowledged writes lost, ${doubled} doubled`] : []),
  ]
  return {
    title: `${processes} processes restarted one after another, ${restarts} times, behind HAProxy without retries, at ${perSecond} requests a second`,
    rows: [
      {
        requests: answered + badCount,
        bad: badCount,
        'acknowledged writes': acknowledged.length,
        lost,
        doubled,
      },
    ],
    missed,
  }
}

/** No retries and no second server for a request that fails: the balancer must hide nothing. */
const haproxySettings = (port: number, { nodes }: Installation): string => `
defaults
  mode http
  timeout connect 2s
  timeout client 30s
  timeout server 30s
  retries 0
frontend console
  bind 127.0.0.1:${port}
  default_backend console
backend console
  option httpchk GET /readyz
  http-check expect status 200
  default-server check inter 1s fall 2 rise 1
${nodes.map((node, at) => `  server node${at} 127.0.0.1:${node.port}`).join('\n')}
`

async function compare(database: Installation['database'], acknowledged: string[]) {
  const rows = await run<{ name: string; count: number }>(
    database,
    `select "scName" "name", count(*)::int "count" from "college" where "schoolId" = $1 group by 1`,
    [schoolId],
  )
  const counts = new Map(rows.map(({ name, count }) => [name, count]))
  return {
    lost: acknowledged.filter((name) => !counts.has(name)).length,
    doubled: acknowledged.filter((name) => (counts.get(name) ?? 0) > 1).length,
  }
}

/** Sends requests at an even pace, whether or not those before have been answered. */
function startLoad(address: string, token: string) {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 })
  const bad = new Map<string, number>()
  const acknowledged: string[] = []
  const underWay = new Set<Promise<void>>()
  let sent = 0
  let answered = 0

  const ask = (method: string, path: string, body?: string) =>
    new Promise<{ status: number; text: string }>((done, fail) => {
      const headers = {
        authorization: `Bearer ${token}`,
        ...(body ? { 'content-type': 'application/json', 'idempotency-key': randomUUID() } : {}),
      }
      const sending = request(`${address}${path}`, { method, agent, headers, timeout: 20_000 }, (answer) => {
        let text = ''
        answer.setEncoding('utf8')
        answer.on('data', (chunk: string) => (text += chunk))
        answer.on('end', () => done({ status: answer.statusCode!, text }))
        answer.on('error', fail)
      })
      sending.on('timeout', () => sending.destroy(new Error('no answer within 20 s')))
      sending.on('error', fail)
      sending.end(body)
    })
  const one = async (): Promise<void> => {
    const isWrite = sent++ % writeEvery === 0
    const name = isWrite ? `演练学院 ${sent}` : ''
    const call = isWrite ? collegeApi.save : sessionApi.menuTree
    const body = isWrite ? JSON.stringify({ scName: name, scCode: `D${sent}` }) : undefined
    const what = await ask(call.method, fullPath(call), body).then(
      ({ status, text }) => (status === 200 && text.startsWith('{"code":200') ? '' : `${status} ${text.slice(0, 80)}`),
      (error: NodeJS.ErrnoException) => error.code ?? error.message,
    )
    if (what) bad.set(what, (bad.get(what) ?? 0) + 1)
    else {
      answered++
      if (isWrite) acknowledged.push(name)
    }
  }
  const timer = setInterval(() => {
    const asked = one().finally(() => underWay.delete(asked))
    underWay.add(asked)
  }, 1000 / perSecond)
  return {
    sent: () => sent,
    async stop() {
      clearInterval(timer)
      await Promise.all(underWay)
      agent.destroy()
      return { answered, bad, acknowledged }
    },
  }
}
