import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test, vi } from 'vitest'
import { sessionApi } from '../contract/school/session/session.calls.ts'
import { fullPath, type Call } from '../contract/core/call.ts'
import { isAlive } from './core/base/process.ts'
import { runningPostmaster } from './core/postgres/postmaster.ts'
import { signIn } from './testing/client.ts'
import { addressOf, programs, stopped, type Program } from './testing/program.ts'

vi.setConfig({ testTimeout: 120_000 })

const { cluster, launch } = programs({
  DEMO_STUDENTS: '0',
  SCHOOL_ID: 's1',
  SCHOOL_NAME: '测试学校',
  ADMIN_PASSWORD: 'Start-Test-92',
  LOG_FILE: '-',
  WEB_CONCURRENCY: '2',
})

/** The processes that a program has started to answer requests, as its log tells, and that are there. */
const webProcesses = ({ output }: Program): number[] =>
  [...output().matchAll(/"pid":(\d+),"msg":"web process started"/g)].map(([, pid]) => Number(pid)).filter(isAlive)

/** Asks over a connection of its own, so that another process may answer than the time before. */
const statusOf = async (address: string, call: Call, token: string | undefined): Promise<number> => {
  const headers = { authorization: `Bearer ${token}`, connection: 'close', prefer: 'handling=strict' }
  return (await fetch(address + fullPath(call), { method: call.method, headers })).status
}

test('two processes answer at one port, one that dies is replaced, and all end with the program', async () => {
  const program = launch()
  const address = await addressOf(program)
  await expect.poll(() => webProcesses(program)).toHaveLength(2)
  const first = webProcesses(program)
  expect(first).toHaveLength(2)
  process.kill(first[0]!, 'SIGKILL')
  await expect
    .poll(() => webProcesses(program).filter((one) => !first.includes(one)), { timeout: 20_000 })
    .toHaveLength(1)
  await expect.poll(async () => (await fetch(`${address}/readyz`)).status, { timeout: 20_000 }).toBe(200)
  await expect.poll(() => webProcesses(program)).toHaveLength(2)
  const all = webProcesses(program)
  const postmaster = runningPostmaster(cluster)!
  await stopped(program)
  expect([...all, postmaster.pid].filter(isAlive)).toEqual([])
})

test('one that no longer does anything, not even hear that it is to stop, keeps the program from nothing', async () => {
  const program = launch({ DRAIN_SECONDS: '0' })
  await addressOf(program)
  await expect.poll(() => webProcesses(program)).toHaveLength(2)
  const all = webProcesses(program)
  process.kill(all[0]!, 'SIGSTOP')
  await stopped(program)
  expect(program.output()).toContain(`"pids":[${all[0]}],"msg":"web processes that did not end were killed"`)
  expect(all.filter(isAlive)).toEqual([])
})

test('metrics of all processes are offered at one place', async () => {
  const program = launch({ METRICS_PORT: '0' })
  const address = await addressOf(program)
  await expect.poll(() => webProcesses(program)).toHaveLength(2)
  const ports = () => /"port":(\d+),"host":"127.0.0.1","msg":"metrics offered"/.exec(program.output())
  await expect.poll(ports).not.toBeNull()
  await fetch(`${address}/healthz`)
  const page = await (await fetch(`http://127.0.0.1:${ports()![1]}/metrics`)).text()
  const processes = [...page.matchAll(/^process_resident_memory_bytes\{process="(.+)"\}/gm)].map(([, name]) => name)
  expect(processes.toSorted()).toEqual(['main', 'web-1', 'web-2'])
  expect(page).toMatch(/^dekt_http_request_duration_seconds_count\{call="\/healthz",status="2xx"\} 1$/m)
  await stopped(program)
})

test('with the program killed, nobody goes on answering', async () => {
  const program = launch()
  await addressOf(program)
  await expect.poll(() => webProcesses(program)).toHaveLength(2)
  const all = webProcesses(program)
  program.child.kill('SIGKILL')
  await program.ended
  await expect.poll(() => all.filter(isAlive), { timeout: 20_000 }).toEqual([])
})

test('who has signed out at one process is refused by the others at once', async () => {
  const program = launch()
  const address = await addressOf(program)
  for (let round = 0; round < 5; round++) {
    const { token } = await signIn(address, 's1', 'admin', 'Start-Test-92')
    // each process has looked the token up and keeps the answer for a second
    const before = await Promise.all(Array.from({ length: 8 }, () => statusOf(address, sessionApi.menuTree, token)))
    expect(new Set(before)).toEqual(new Set([200]))
    expect(await statusOf(address, sessionApi.logout, token)).toBe(200)
    const after = await Promise.all(Array.from({ length: 8 }, () => statusOf(address, sessionApi.menuTree, token)))
    expect(new Set(after)).toEqual(new Set([401]))
  }
  await stopped(program)
})

test('a taken port is told in words', async () => {
  const other = createServer()
  await new Promise<void>((done) => other.listen(0, '127.0.0.1', done))
  const { port } = other.address() as AddressInfo
  const running = launch({ PORT: String(port) })
  expect(Number(new URL(await addressOf(running)).port)).toBeGreaterThan(port)
  await stopped(running)
  other.close()
})
