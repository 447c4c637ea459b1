import type { Socket } from 'node:net'
import { Writable } from 'node:stream'
import pg from 'pg'
import { telemetry } from '../base/telemetry.ts'
import type { Connection } from './connection.ts'

/**
 * Connections that have fallen silent. Where a host is lost, an address moves or a firewall forgets a connection,
 * nothing tells this side: no end, no error, and the system's own keepalive may go on being answered by a kernel whose
 * PostgreSQL is gone. So whoever waits asks, and what does not answer is cut; where its process still sits at the other
 * end, in the midst of a transaction that nobody will end, it is ended.
 */

/** In milliseconds. */
export interface Patience {
  /** How long an answer is awaited without any sign of life before the server is asked, over a new connection. */
  silentMs: number
  /** How long it is awaited where the server cannot be asked; longer than any statement may take. */
  lostMs: number
  /**
   * The same for statements without a limit of their time, where a pooler stands between, which hides what the server
   * is at.
   */
  unlimitedMs: number
  /** After how long without use a connection is asked whether it still answers, before it is used. */
  restMs: number
  /** How long the answer to that may take, and to opening a connection that asks about another one. */
  answerMs: number
}

export const defaultPatience: Patience = {
  silentMs: 5000,
  lostMs: 20_000,
  unlimitedMs: 120_000,
  restMs: 5000,
  answerMs: 2000,
}

interface Life {
  /** Statements whose end is awaited. */
  awaited: number
  /** When the first of them was sent, and when it last gave an answer, by `performance.now()`. */
  sentAt: number
  heardAt: number
  /** Who answers at the other end; undefined where a pooler stands between. */
  process: ServerProcess | undefined
  /** Its statements may take as long as they need. */
  isUnlimited: boolean
}

/** A process of the server, whose number may be given to another one later. */
export interface ServerProcess {
  pid: number
  /** As PostgreSQL writes the moment at which it began to serve the connection. */
  startedAt: string
}

/** Asks a connection for the process that serves it. */
export const ownProcess = `
  select pid, backend_start::text "startedAt"
  from pg_stat_activity
  where pid = pg_backend_pid()`

/** The connections of a pool, and what is known of their lives. */
export class SilenceWatch {
  readonly #lives = new WeakMap<pg.ClientBase, Life>()
  readonly #connection: Connection
  readonly #patience: Patience
  /** Connections that were last heard before this moment are not to be trusted: one of them had fallen silent. */
  #foundAt = -Infinity
  /** Processes whose connections were cut, and that have not been ended yet. */
  readonly #orphans: ServerProcess[] = []
  #isEnding = false

  constructor(connection: Connection, patience: Patience) {
    this.#connection = connection
    this.#patience = patience
  }

  /** Begins to watch a connection that has just been opened. */
  watch(client: pg.ClientBase): void {
    const now = performance.now()
    this.#lives.set(client, { awaited: 0, sentAt: now, heardAt: now, process: undefined, isUnlimited: false })
    const socket = socketOf(client)
    // handed to `setTimeout`, it would hear of the first silence only
    socket.on('timeout', () => void this.#questioned(client, socket))
    socket.setTimeout(this.#patience.silentMs)
  }

  /** Learns which process of the server is behind a connection. */
  know(client: pg.ClientBase, process: ServerProcess): void {
    const life = this.#lives.get(client)
    if (life && isServedBy(client, process)) life.process = process
  }

  /** Learns whether the statements of a connection may take as long as they need, from now on. */
  lift(client: pg.ClientBase, isUnlimited: boolean): void {
    const life = this.#lives.get(client)
    if (life) life.isUnlimited = isUnlimited
  }

  /** Runs a statement on a connection; its answer, also a refusal, is a sign of life. */
  async heard<R>(client: pg.ClientBase, run: () => Promise<R>): Promise<R> {
    const life = this.#lives.get(client)
    if (!life) return run()
    if (life.awaited++ === 0) life.sentAt = performance.now()
    try {
      return await run()
    } finally {
      life.awaited--
      life.heardAt = performance.now()
    }
  }

  /**
   * Whether a connection that comes out of the pool still answers; one that does not is cut. Once one is found silent,
   * those that were last heard before are taken for silent too: a look at each of them would take its time each time.
   */
  async isAlive(client: pg.ClientBase): Promise<boolean> {
    const life = this.#lives.get(client)
    if (!life) return true
    if (life.heardAt < this.#foundAt) return this.#cut(client)
    if (performance.now() - life.heardAt < this.#patience.restMs) return true
    const asked = this.heard(client, () => client.query(';')).then(
      () => true,
      () => false,
    )
    if (await within(asked, this.#patience.answerMs, false)) return true
    this.#foundAt = performance.now()
    return this.#cut(client)
  }

  /** Its process may not know, and hold the locks of its transaction until the server gives it up. */
  #cut(client: pg.ClientBase): false {
    cut(client)
    const orphan = this.#lives.get(client)?.process
    if (orphan) this.#orphans.push(orphan)
    void this.#endOrphans()
    return false
  }

  async #endOrphans(): Promise<void> {
    if (this.#isEnding) return
    this.#isEnding = true
    while (this.#orphans.length > 0)
      await endProcesses(this.#connection, this.#orphans.splice(0), this.#patience.answerMs)
    this.#isEnding = false
  }

  /** Nothing has come for long: a statement may take so long, so the server is asked whether it is still at work. */
  async #questioned(client: pg.ClientBase, socket: Socket): Promise<void> {
    const life = this.#lives.get(client)!
    if (!life.awaited) return
    const { silentMs, lostMs, unlimitedMs, answerMs } = this.#patience
    const { process, heardAt, isUnlimited } = life
    const { bytesRead } = socket
    const isAtWork = process && (await askWork(this.#connection, process, answerMs))
    // it may have answered meanwhile, or begun to: a process that was busy elsewhere reads late what has long been sent
    if (!life.awaited || life.heardAt > heardAt || socket.bytesRead > bytesRead) return
    const maxWaitMs = isUnlimited && !process ? unlimitedMs : lostMs
    const mayWait = performance.now() - Math.max(life.sentAt, heardAt) < maxWaitMs
    if (isAtWork ?? mayWait) {
      socket.setTimeout(silentMs)
      return
    }
    this.#foundAt = performance.now()
    this.#cut(client)
  }
}

/**
 * Asks a connection that mostly listens whether it still answers; one that does not is cut.
 * @param onAnswer told of each answer
 * @returns how to stop asking
 */
export function keepAsking(client: pg.ClientBase, everyMs: number, onAnswer: () => void): () => void {
  const ask = async () => {
    const asked = client.query(';').then(
      () => true,
      () => false,
    )
    if (await within(asked, defaultPatience.answerMs, false)) onAnswer()
    else cut(client)
  }
  const timer = setInterval(() => void ask(), everyMs).unref()
  return () => clearInterval(timer)
}

/**
 * Watches a connection whose statements may take as long as they like, also while they copy rows from or to the
 * server. Where it falls silent while an answer of the server is awaited, it is cut, and its process at the other end,
 * which would hold its snapshot and its locks, is ended. Where the server cannot be asked, it is waited for: until the
 * kernel gives the connection up.
 */
export async function watchLongWork(
  client: pg.ClientBase,
  connection: Connection,
  { silentMs, answerMs }: Pick<Patience, 'silentMs' | 'answerMs'> = defaultPatience,
): Promise<void> {
  const socket = socketOf(client)
  const timer = setTimeout(() => cut(client), defaultPatience.lostMs)
  const { rows } = await client.query<ServerProcess>(ownProcess).finally(() => clearTimeout(timer))
  const process = rows[0]!
  if (!isServedBy(client, process)) return
  let silences = 0
  const question = async (): Promise<void> => {
    if (socket.destroyed) return
    const { bytesRead, bytesWritten } = socket
    const isSilent = isAwaited(client) && (await askWork(connection, process, answerMs)) === false
    const isStill = socket.bytesRead === bytesRead && socket.bytesWritten === bytesWritten && isAwaited(client)
    // what the server has just begun to send may be on its way, so it is asked twice
    silences = isSilent && isStill ? silences + 1 : 0
    if (silences < 2) return void socket.setTimeout(silentMs)
    cut(client)
    await endProcesses(connection, [process], answerMs)
  }
  socket.on('timeout', () => void question())
  socket.setTimeout(silentMs)
}

/** Whether an error is the end of its connection, by whichever side: class 08, and what the server ends sessions by. */
export const isBroken = (client: pg.ClientBase, error: unknown): boolean =>
  socketOf(client).destroyed || /^(08|57P0)/.test((error as { code?: string }).code ?? '')

/**
 * Whether the next word is the server's: a statement is under way, all that has come from it was read, and it is not
 * rows for it that are still to be made.
 */
function isAwaited(client: pg.ClientBase): boolean {
  const active = (client as unknown as { _getActiveQuery(): unknown })._getActiveQuery()
  const socket = socketOf(client)
  if (!active || socket.readableLength > 0) return false
  return !(active instanceof Writable) || active.writableEnded || socket.writableLength > 0
}

/**
 * Whether the server says, over a new connection, that the process behind another one is running a statement; undefined
 * where it cannot be asked. One that waits for this side, which waits for it, is not: what either sends is lost.
 */
const askWork = (connection: Connection, process: ServerProcess, answerMs: number): Promise<boolean | undefined> =>
  besides(connection, answerMs, async (other) => {
    const { rowCount } = await other.query(
      `select from pg_stat_activity
      where pid = $1 and backend_start = $2 and state = 'active' and wait_event_type is distinct from 'Client'`,
      [process.pid, process.startedAt],
    )
    return rowCount === 1
  })

/** Ends processes that nobody listens to any more; one that is at work is left to the limits of its session. */
const endProcesses = (connection: Connection, processes: ServerProcess[], answerMs: number): Promise<unknown> =>
  besides(connection, answerMs, (other) =>
    other.query(
      `select pg_terminate_backend(pid)
      from pg_stat_activity
      where (state <> 'active' or wait_event_type = 'Client')
        and (pid, backend_start) in (select * from unnest($1::int[], $2::timestamptz[]))`,
      [processes.map(({ pid }) => pid), processes.map(({ startedAt }) => startedAt)],
    ),
  )

/** Asks over a connection of its own; undefined where the server does not answer. */
async function besides<R>(
  connection: Connection,
  answerMs: number,
  ask: (other: pg.Client) => Promise<R>,
): Promise<R | undefined> {
  const other = new pg.Client({ ...connection, connectionTimeoutMillis: answerMs, query_timeout: answerMs })
  other.on('error', () => {})
  try {
    await other.connect()
    return await ask(other)
  } catch {
    return undefined
  } finally {
    void other.end().catch(() => {})
  }
}

/** An answer, or what counts as one when it takes longer than so many milliseconds. */
async function within<R>(answer: Promise<R>, ms: number, late: R): Promise<R> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const end = new Promise<R>((resolve) => (timer = setTimeout(resolve, ms, late)))
  return Promise.race([answer, end]).finally(() => clearTimeout(timer))
}

/** Whether that process serves a connection. A pooler tells its clients a number of its own, and hands processes on. */
const isServedBy = (client: pg.ClientBase, { pid }: ServerProcess): boolean =>
  (client as unknown as { processID: number }).processID === pid

/** The socket of a connection. */
export const socketOf = (client: pg.ClientBase): Socket =>
  (client as unknown as { connection: { stream: Socket } }).connection.stream

/** Ends a connection that does not answer: who waits on it is refused as PostgreSQL's class 08 has it. */
function cut(client: pg.ClientBase): void {
  const socket = socketOf(client)
  if (socket.destroyed) return
  const error = new Error('Connection terminated: it did not answer')
  socket.destroy(Object.assign(error, { code: '08006' }))
  telemetry.connectionCut.publish({ host: (client as pg.Client).host })
}
