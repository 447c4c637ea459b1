import cluster, { type Worker } from 'node:cluster'
import type { Logger } from 'pino'
import { atMost } from '../core/base/at-most.ts'
import { Acknowledgements } from './acknowledgements.ts'
import { forgetHere, shareForgetting, type ForgottenActors } from '../core/request/actor-cache.ts'
import type { Connection } from '../core/database/connection.ts'
import { listenFault } from './listening-port.ts'

/**
 * Several processes that answer requests at one port, so that requests use several cores. The process that started them
 * holds the database and runs the jobs; it answers no requests.
 */
export interface WebProcesses {
  /** Where they listen. */
  port: number
  /** Goes on answering for so many seconds, lets requests under way come to an end, and ends the processes. */
  stop(drainSeconds: number): Promise<void>
}

/** What a web process is told. */
export type ToWebProcess =
  | { kind: 'start'; connection: Connection; port: number }
  | { kind: 'forget'; id: number; change: ForgottenActors }
  | { kind: 'forgotten'; id: number }
  | { kind: 'stop'; drainSeconds: number }

/** What a web process tells. */
export type FromWebProcess =
  /** It hears what it is told: earlier words would be lost. */
  | { kind: 'ready' }
  | { kind: 'listening'; port: number }
  | { kind: 'refused'; code?: string | undefined; message: string }
  | { kind: 'forget'; id: number; change: ForgottenActors }
  | { kind: 'forgotten'; id: number }

/** Milliseconds before one that ended by itself is replaced; and how many may end before any of them served so long. */
const replaceAfterMs = 1000
const maxEarlyEnds = 5
const earlyMs = 60_000

/**
 * Milliseconds in which one ends that has drained: longer than requests under way get. One that is busy beyond that
 * does not even hear that it is to stop.
 */
const endMs = 8000
/** The same for one that was killed. */
const killedMs = 1000

interface Options {
  count: number
  connection: Connection
  port: number
  host: string
  /** The program that they run: it calls `serveRequests`. */
  program: string
  log: Logger
}

/**
 * Starts them and waits until all of them listen.
 * @throws StartFault where the port cannot be listened at
 */
export async function startWebProcesses(options: Options): Promise<WebProcesses> {
  const { count, log } = options
  cluster.setupPrimary({ exec: options.program, args: [] })
  let isStopping = false
  const early: number[] = []
  const open = async (): Promise<number> => {
    const worker = cluster.fork()
    const began = performance.now()
    worker.on('message', (message: FromWebProcess) => {
      if (message.kind === 'forget')
        void tellAll(message.change, worker).then(() => send(worker, { kind: 'forgotten', id: message.id }))
    })
    worker.on('exit', (code, signal) => {
      if (isStopping) return
      log.error({ pid: worker.process.pid, code, signal }, 'a web process ended by itself')
      if (performance.now() - began < earlyMs) early.push(began)
      if (early.length > maxEarlyEnds) throw new Error('web processes end as soon as they are started')
      setTimeout(() => {
        if (!isStopping) void open().catch((error: unknown) => log.error({ err: error }, 'a web process did not start'))
      }, replaceAfterMs)
    })
    return begin(worker, options)
  }
  shareForgetting((change) => tellAll(change))
  const [listening] = await Promise.all(Array.from({ length: count }, open))
  return {
    port: listening!,
    async stop(drainSeconds) {
      isStopping = true
      const asked = alive()
      const ended = Promise.all(asked.map((worker) => new Promise((done) => worker.once('exit', done))))
      for (const worker of asked) send(worker, { kind: 'stop', drainSeconds })
      await atMost(drainSeconds * 1000 + endMs, ended)
      const left = asked.filter((worker) => !worker.isDead())
      if (left.length === 0) return
      log.warn({ pids: left.map(({ process: { pid } }) => pid) }, 'web processes that did not end were killed')
      for (const worker of left) worker.process.kill('SIGKILL')
      await atMost(killedMs, ended)
    },
  }
}

const alive = (): Worker[] => Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined)

const send = (worker: Worker, message: ToWebProcess): void => {
  if (worker.isConnected()) worker.send(message)
}

/** Has a process begin. @returns the port once it listens */
function begin(worker: Worker, { connection, port, host }: Options): Promise<number> {
  return new Promise((done, fail) => {
    worker.on('message', (message: FromWebProcess) => {
      if (message.kind === 'ready') send(worker, { kind: 'start', connection, port })
      if (message.kind === 'listening') done(message.port)
      if (message.kind === 'refused')
        fail(listenFault(Object.assign(new Error(message.message), { code: message.code }), port, host) as Error)
    })
    worker.once('exit', (code) => fail(new Error(`a web process ended with ${code} before it listened`)))
  })
}

const acknowledgements = new Acknowledgements()

/** Has everybody but the one who tells forget people. */
async function tellAll(change: ForgottenActors, teller?: Worker): Promise<void> {
  if (teller) forgetHere(change)
  const others = alive().filter((worker) => worker !== teller)
  await Promise.all(others.map((worker) => acknowledgements.ask((id) => send(worker, { kind: 'forget', id, change }))))
}
