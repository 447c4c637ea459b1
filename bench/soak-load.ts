import { randomUUID } from 'node:crypto'
import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { fullPath, type Call } from '../contract/core/call.ts'
import { loginStatApi } from '../contract/outcomes/statistics/login-statistics.calls.ts'
import { studentStatApi } from '../contract/outcomes/statistics/student-statistics.calls.ts'
import { transcriptApi } from '../contract/outcomes/transcripts/transcripts.calls.ts'
import { lessonApi } from '../contract/programme/lessons/lessons.calls.ts'
import { studentApi } from '../contract/school/people/students.calls.ts'
import { planCalendarApi } from '../contract/school/school/plan-calendar.calls.ts'
import { sessionApi } from '../contract/school/session/session.calls.ts'
import { demoPassword } from '../server/demo/account-list.ts'
import { signIn, type Client } from '../server/testing/client.ts'
import { clientHash } from '../server/core/secrets/passwords.ts'

/** What the balancer itself answers where no process does. */
export const ofBalancer = 'x-balancer'

/** What became of the requests of one stretch of time. */
export interface Tally {
  isFault: boolean
  good: number
  /** The connection ended before the answer was there, as it must where the process that answers is killed: when. */
  cut: Map<string, number>
  /** Told to come later, with a time: by the program, with reason and call, and how often; and by the balancer. */
  later: Map<string, number>
  laterOfBalancer: number
  /** Whatever else was answered, or nothing: what and how often. */
  wrong: Map<string, number>
  /** Milliseconds (of performance.now) of the last answer that was not good. */
  lastNotGood: number
}

export interface Load {
  /** Of the person who asks. */
  token: string
  /** From now on answers count for another stretch, and those to requests of before as well where it is a fault. */
  beginStretch(isFault: boolean): Tally
  /**
   * Names of what was acknowledged, of what the service could not say whether it was done, and of all that was tried.
   */
  acknowledged: string[]
  unsure: string[]
  tried: string[]
  stop(): Promise<void>
}

/** Milliseconds after which a request counts as not answered. */
const patienceMs = 35_000
/** Milliseconds for which an idle connection is kept: less than the balancer does, or a request meets its end. */
const idleMs = 20_000
/** Tries of one write, with the same key; each waits as long as it was told. */
const writeTries = 40
export const schoolId = 'demo'

/** Why there is no answer, or no whole one. */
type Broken = NodeJS.ErrnoException & { isWithin?: true; isReused?: boolean }

interface Answer {
  status: number
  text: string
  headers: Record<string, unknown>
}

/**
 * Sends requests at an even pace, whether or not those before have been answered: one of twenty is a write, one a
 * second a sign-in, the others are lists, details and statistics in turn. A write is sent again with the same key until
 * it is acknowledged.
 */
export async function startSoakLoad(address: string, perSecond: number): Promise<Load> {
  const agent = new Agent({ keepAlive: true, maxSockets: 256, timeout: idleMs })
  const admin = await signIn(address, schoolId, 'admin', demoPassword)
  const reads = await readsOf(admin)
  let tally = newTally(false)
  const acknowledged: string[] = []
  const unsure: string[] = []
  const tried: string[] = []
  let signingIn = 0
  const underWay = new Set<Promise<unknown>>()
  let sent = 0

  const ask = (call: Call, input: unknown, headers: Record<string, string> = {}) => {
    const isBody = call.sends === 'body'
    const path = fullPath(call).replace('{id}', String((input as { id?: string }).id))
    const query = isBody ? '' : `?${new URLSearchParams(input as Record<string, string>).toString()}`
    const body = isBody ? JSON.stringify(input) : undefined
    return new Promise<Answer>((done, fail) => {
      const sending = request(
        `${address}${path}${query}`,
        {
          method: call.method,
          agent,
          headers: {
            authorization: `Bearer ${admin.token}`,
            ...(body ? { 'content-type': 'application/json' } : {}),
            ...headers,
          },
          timeout: patienceMs,
        },
        (answer) => {
          let text = ''
          answer.setEncoding('utf8')
          answer.on('data', (chunk: string) => (text += chunk))
          answer.on('end', () => done({ status: answer.statusCode!, text, headers: answer.headers }))
          answer.on('error', (error: NodeJS.ErrnoException) => fail(Object.assign(error, { isWithin: true })))
        },
      )
      sending.on('timeout', () => sending.destroy(new Error(`no answer within ${patienceMs / 1000} s`)))
      sending.on('error', (error) => fail(Object.assign(error, { isReused: sending.reusedSocket })))
      sending.end(body)
    })
  }

  /** Asks and counts. @returns seconds to wait before asking again; undefined where it is done, or nobody can say */
  async function counted(
    call: Call,
    input: unknown,
    headers?: Record<string, string>,
  ): Promise<number | 'unsure' | undefined> {
    const before = tally
    const answer = await ask(call, input, headers).catch((error: Broken) => error)
    const mine = tally.isFault ? tally : before
    if (!(answer instanceof Error)) {
      const isGood = answer.status === 200 && /^\{"(?:code":200|access_token)/.test(answer.text)
      if (isGood) {
        mine.good++
        return undefined
      }
      const after = Number(answer.headers['retry-after'])
      // what a fault broke off stays open for two minutes, long after all is well again
      if (answer.text.includes('"reason":"request-unsure"')) return 'unsure'
      if (answer.text.includes('"reason":"request-running"') && after > 0) return after
      mine.lastNotGood = performance.now()
      if ([429, 502, 503, 507].includes(answer.status) && after > 0) {
        if (answer.headers[ofBalancer]) mine.laterOfBalancer++
        else if (answer.status === 502) count(mine.wrong, '502 of the program')
        else count(mine.later, `${answer.status} ${/"reason":"([\w-]+)/.exec(answer.text)?.[1]}, after ${after} s`)
        return after
      }
    }
    mine.lastNotGood = performance.now()
    const isBroken = answer instanceof Error
    if (isBroken && answer.code === 'ECONNRESET')
      count(
        mine.cut,
        answer.isWithin ? 'within the answer' : answer.isReused ? 'on a used connection' : 'on a new connection',
      )
    else
      count(
        mine.wrong,
        `${call.path}: ${isBroken ? (answer.code ?? answer.message) : `${answer.status} ${answer.text.replace(/（编号.*|"requestId.*/, '').slice(0, 120)}`}`,
      )
    return 1
  }

  async function write(): Promise<void> {
    const name = `持久演练 ${tried.length}`
    tried.push(name)
    const key = { 'idempotency-key': randomUUID() }
    for (let tries = 0; tries < writeTries; tries++) {
      const after = await counted(planCalendarApi.savePlace, { plName: name, plCapacity: 30 }, key)
      if (after === undefined) return void acknowledged.push(name)
      if (after === 'unsure') return void unsure.push(name)
      await sleep(after * 1000)
    }
  }

  /** Not while several are under way: as many tries at once are taken for guesses. */
  const signInOnce = async () => {
    if (signingIn >= 3) return
    signingIn++
    await counted(sessionApi.token, {
      schoolId,
      username: 'viewer',
      password: clientHash(demoPassword),
      grant_type: 'password',
    }).finally(() => signingIn--)
  }
  const one = (): Promise<unknown> => {
    const at = sent++
    if (at % perSecond === 0) return signInOnce()
    if (at % 20 === 1) return write()
    const [call, input] = reads[at % reads.length]!
    return counted(call, input)
  }
  const began = performance.now()
  const timer = setInterval(() => {
    // a timer that comes late sends what is due
    while (sent < ((performance.now() - began) / 1000) * perSecond) {
      const asked = one().finally(() => underWay.delete(asked))
      underWay.add(asked)
    }
  }, 5)
  return {
    token: admin.token!,
    beginStretch: (isFault) => (tally = newTally(isFault)),
    acknowledged,
    unsure,
    tried,
    async stop() {
      clearInterval(timer)
      await Promise.all(underWay)
      agent.destroy()
    },
  }
}

const newTally = (isFault: boolean): Tally => ({
  isFault,
  good: 0,
  cut: new Map(),
  later: new Map(),
  laterOfBalancer: 0,
  wrong: new Map(),
  lastNotGood: 0,
})
const count = (of: Map<string, number>, what: string) => of.set(what, (of.get(what) ?? 0) + 1)

/** Calls that only read, with what they are asked. */
async function readsOf(admin: Client): Promise<[Call, unknown][]> {
  const page = { current: 1, pageSize: 10 }
  const lessons = await admin.send(lessonApi.view, page)
  const students = await admin.send(studentApi.list, page)
  const of = <C extends Call>(call: C, input: unknown): [Call, unknown] => [call, input]
  return [
    of(lessonApi.view, page),
    of(sessionApi.menuTree, {}),
    of(studentApi.list, { ...page, current: 2 }),
    of(lessonApi.details, { liId: lessons.records[0]!.liId }),
    of(studentStatApi.grades, {}),
    of(studentApi.detail, { id: students.records[0]!.suId }),
    of(transcriptApi.rows, { ...page, suId: students.records[0]!.suId }),
    of(sessionApi.menuTree, {}),
    of(planCalendarApi.places, page),
    of(transcriptApi.list, page),
    of(loginStatApi.college, {}),
  ]
}
