import type pg from 'pg'
import { fullPath, type Call } from '../contract/core/call.ts'
import { applyStatus } from '../contract/core/codes/programme.ts'
import { signingApi } from '../contract/programme/lessons/signing.calls.ts'
import { ownActivityApi } from '../contract/student/activities.calls.ts'
import { openDatabase } from '../server/core/database/pool.ts'
import type { OpenServices } from '../server/setup/open-services.ts'
import { Client } from '../server/testing/client.ts'
import type { BareStart } from './bare.ts'
import { copyForBare } from './bare-tables.ts'
import type { Clients } from './clients.ts'
import { crowd, told, waits, type Press, type Pressed } from './crowd.ts'
import { size } from './prepare.ts'
import { startServer, type Server } from './processes.ts'
import { rounded, type Part } from './report.ts'
import {
  admitAll,
  cleanUp,
  inOrderOfWriting,
  makeCourse,
  signedIn,
  studentsSignedIn,
  type Student,
  type Written,
} from './student-world.ts'

/** Seconds of what the crowds do in a minute; fewer make fewer of them, printed and not kept. */
const minute = Number(process.env['BENCH_MINUTE'] ?? 60)
const wanted = 2000
const pressSeconds = 5
const places = 200
const openings = Math.round((10_000 * minute) / 60)
const p99Bar = 3000
/** The bounds of an installation as it comes: a lecture hall has one address, and none of them may be sent away. */
const asItComes = {
  ADDRESS_REQUESTS_PER_MINUTE: '6000',
  REQUESTS_PER_MINUTE: '600',
  SEARCHES_PER_MINUTE: '60',
  BUSY_AFTER_MS: '5000',
}
type Row = Part['rows'][number]

/**
 * What a lecture hall does to the service, all behind one address: 2,000 students press 报名 for 200 places within five
 * seconds, sign in by the code on the screen within a minute, and open the list of activities ten thousand times in
 * another; beside the bare server where there is something to compare.
 */
export async function studentLoad({ owner }: OpenServices, clients: Clients): Promise<Part> {
  const { pool, close } = openDatabase(owner, { max: 2, statementTimeout: 0 })
  await copyForBare(pool, (text) => console.log(text))
  await cleanUp(pool)
  const students = await studentsSignedIn(pool, Math.min(wanted, size.students))
  const service = await startServer('service.ts', JSON.stringify(owner), [], asItComes)
  const bare = await startServer(
    'bare.ts',
    JSON.stringify({ connection: owner, max: 16, user: students[0]!.suId } satisfies BareStart),
  )
  const part: Part = {
    title: `${students.length} students at once, all from one address`,
    rows: [],
    missed: [],
    isPartial: minute !== 60 || students.length < wanted,
  }
  const add = (row: Row, missed: string[]) => {
    part.rows.push(row)
    part.missed.push(...missed)
  }
  try {
    const warmUp = students.slice(0, 100)
    await registering(service, pool, warmUp, await makeCourse(pool, 'public', 10, '90 days'), 1)
    const liId = await makeCourse(pool, 'public', places, '60 days')
    const pressed = await registering(service, pool, students, liId, pressSeconds)
    add(...pressed)
    const bareId = await makeCourse(pool, 'bare', places, '60 days')
    const presses = students.map(({ suId }): Press<Student> => ({
      who: { suId, token: '' },
      ...asked(ownActivityApi.join),
      body: { liId: bareId, suId },
    }))
    add(...(await timed('the same, bare server', bare, () => crowd(bare.address, presses, pressSeconds))))
    const now = await makeCourse(pool, 'public', wanted, '5 minutes')
    await admitAll(pool, now, students)
    const board = new Client(service.address, (await clients('admin')).token)
    add(...(await signing(service, pool, students, now, board)))
    const opened = Array.from({ length: openings }, (_, at) => students[at % students.length]!)
    const list = (who: Student, query: string): Press<Student> => ({
      who,
      ...asked(ownActivityApi.list, query),
      token: who.token,
    })
    const pages = opened.map((who) => list(who, '?current=1&pageSize=10'))
    add(...(await timed('list of activities opened', service, () => crowd(service.address, pages, minute))))
    const barePages = opened.map((who) => list(who, `?current=1&pageSize=10&suId=${who.suId}`))
    add(...(await timed('the same, bare server', bare, () => crowd(bare.address, barePages, minute))))
  } finally {
    await service.stop()
    await bare.stop()
    await cleanUp(pool).finally(close)
  }
  return part
}

const asked = (call: Call, query = '') => ({
  method: call.method as 'GET' | 'POST',
  path: fullPath(call) + query,
})

/** A row of the table, and what of it misses a bar. Only refusals and p99 of ours are held to one. */
async function timed(
  what: string,
  server: Server,
  work: () => Promise<Pressed<Student>[]>,
  faultsOf: (pressed: Pressed<Student>[]) => Promise<string[]> = () => Promise.resolve([]),
): Promise<[Row, string[]]> {
  const before = (await server.usage()).cpu
  const pressed = await work()
  const cpu = (await server.usage()).cpu - before
  const { p50, p99, longest } = waits(pressed)
  const words = told(pressed)
  const well = words.get('') ?? 0
  words.delete('')
  const missed = [...words].map(([word, count]) => `${what}: ${count} were told ${word}`)
  if (p99 > p99Bar && !what.includes('bare')) missed.push(`${what}: p99 ${rounded(p99)} ms, ${p99Bar} allowed`)
  return [
    {
      what,
      presses: pressed.length,
      'over s': rounded(pressed.at(-1)!.at / 1000),
      'done well': well,
      'p50 ms': rounded(p50),
      'p99 ms': rounded(p99),
      'longest ms': rounded(longest),
      'CPU ms each': rounded(cpu / pressed.length),
    },
    [...missed, ...(await faultsOf(pressed))],
  ]
}

/** Everybody presses 报名, and what the database holds then is compared with the rules and with what each was told. */
const registering = (service: Server, pool: pg.Pool, students: readonly Student[], liId: string, seconds: number) =>
  timed(
    `报名 for ${places} places`,
    service,
    () =>
      crowd(
        service.address,
        students.map((who) => ({ who, ...asked(ownActivityApi.join), token: who.token, body: { liId } })),
        seconds,
      ),
    async (pressed) => orderFaults(await inOrderOfWriting(pool, liId), pressed),
  )

/**
 * Whether exactly as many are in as there are places, the rest on the list without gap or double, both in the order in
 * which their transactions held the course, and everybody was told what is written.
 */
export function orderFaults(written: readonly Written[], pressed: readonly Pressed<Student>[]): string[] {
  const faults: string[] = []
  const isIn = (one: Written) => one.laStatus === applyStatus.accepted
  const quota = Math.min(written.filter(isIn).length, places)
  if (written.length !== pressed.length) faults.push(`${written.length} registrations of ${pressed.length} students`)
  if (written.filter(isIn).length > places) faults.push(`${written.filter(isIn).length} are in, ${places} places`)
  const early = written.findIndex((one) => !isIn(one))
  if (early >= 0 && early < quota) faults.push(`number ${early + 1} waits although there was a place`)
  const wrong = written.slice(quota).findIndex(({ waitNo }, at) => waitNo !== at + 1)
  if (wrong >= 0) faults.push(`place ${wrong + 1} of the list was given as ${written[quota + wrong]!.waitNo}`)
  const byId = new Map(written.map((one) => [one.suId, one]))
  const misled = pressed.filter(({ who, answer }) => {
    const row = byId.get(who.suId)
    const said = answer.data as Pick<Written, 'laStatus' | 'waitNo'> | null
    return answer.code === 200 && (row?.laStatus !== said?.laStatus || row?.waitNo !== said?.waitNo)
  })
  if (misled.length > 0) faults.push(`${misled.length} were told something else than what is written`)
  return faults
}

/** Everybody scans the code that the screen shows at that moment. */
async function signing(
  service: Server,
  pool: pg.Pool,
  students: readonly Student[],
  liId: string,
  board: Client,
): Promise<[Row, string[]]> {
  let { code } = await board.send(signingApi.board, { liId })
  const screen = setInterval(() => {
    void board.send(signingApi.board, { liId }).then((shown) => (code = shown.code))
  }, 5000)
  try {
    return await timed(
      'signed in by QR code',
      service,
      () =>
        crowd(
          service.address,
          students.map((who) => ({ who, ...asked(ownActivityApi.sign), token: who.token, body: () => ({ code }) })),
          minute,
        ),
      async () => {
        const { counted, rows } = await signedIn(pool, liId)
        return counted === students.length && rows === students.length
          ? []
          : [`${counted} are counted as signed in and ${rows} are, of ${students.length}`]
      },
    )
  } finally {
    clearInterval(screen)
  }
}
