import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { serviceConnection, startEmbedded } from '../server/core/postgres/embedded.ts'
import type { Connection } from '../server/core/database/connection.ts'
import { isAlive } from '../server/core/base/process.ts'
import { freePort } from '../server/testing/free-port.ts'
import { noRateLimits } from '../server/testing/no-rate-limits.ts'

export const schoolId = 'drill'
export const admin = { username: 'admin', password: 'Wander-Brise-92' }

/** One process of the program at a port of its own. */
export interface Node {
  port: number
  /** Process number of the one that runs or ran last. */
  pid(): number
  /** Ends it at once, as the kernel does when memory is short. */
  kill(): Promise<void>
  /** Stops it as its supervisor would, and waits until it has ended. */
  stop(): Promise<void>
  /** Starts it and waits until it is ready. */
  start(): Promise<void>
}

/** A PostgreSQL of its own and several processes of the program on it, in a temporary folder. */
export interface Installation {
  /** Of the owner of the database. */
  database: Connection
  nodes: Node[]
  folder: string
  /** Ends the database as a crash of its machine does. */
  crashDatabase(): Promise<void>
  /** Starts the database unless it runs; its socket stays where it was. */
  startDatabase(): Promise<void>
  close(): Promise<void>
}

interface InstallationOptions {
  /** Where the database lies; in the folder of the installation unless given. */
  databaseDir?: string
  /** Where what the processes tell is kept; with the installation it goes unless given. */
  logs?: string
  /** More settings of single processes, by their place. */
  ofNode?: (at: number) => Record<string, string>
}

/** The address of a database that is reached through a socket's folder. */
export const addressOf = ({ host, port, user, database }: Connection): string =>
  `postgres://${user}@/${database}?host=${encodeURIComponent(host!)}&port=${port}`

/** Runs one statement over a connection of its own. */
export async function run<R extends pg.QueryResultRow>(
  connection: Connection,
  text: string,
  values: unknown[] = [],
): Promise<R[]> {
  const client = new pg.Client(connection)
  await client.connect()
  const { rows } = await client.query<R>(text, values).finally(() => client.end())
  return rows
}

/** Waits until something holds. @throws when it does not within the seconds */
export async function until(holds: () => Promise<boolean>, what: string, seconds = 60): Promise<void> {
  const end = performance.now() + seconds * 1000
  while (!(await holds().catch(() => false))) {
    if (performance.now() > end) throw new Error(`${what}: not within ${seconds} s`)
    await sleep(100)
  }
}

/** Starts the database and so many processes, one after another; they share a folder for files. */
export async function openInstallation(
  count: number,
  settings: (
    database: Connection,
    /** Starts a process with more settings. @returns why it did not start; empty where it did */
    attempt: (more: Record<string, string>) => Promise<string>,
  ) => Record<string, string> | Promise<Record<string, string>> = () => ({}),
  { databaseDir, logs, ofNode = () => ({}) }: InstallationOptions = {},
): Promise<Installation> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-installation-'))
  // the user that PostgreSQL runs as must get in
  chmodSync(folder, 0o755)
  if (logs) mkdirSync(logs, { recursive: true })
  const dataDir = databaseDir ?? join(folder, 'database')
  let embedded = await startEmbedded({ dataDir })
  // each start makes its socket elsewhere
  const socket = join(folder, 'socket')
  symlinkSync(embedded.connection.host!, socket)
  const database = { ...embedded.connection, host: socket }
  const crashDatabase = async () => {
    process.kill(embedded.pid, 'SIGQUIT')
    await until(async () => !isAlive(embedded.pid), 'the end of the database')
  }
  const startDatabase = async () => {
    if (isAlive(embedded.pid)) return
    await embedded.stop()
    embedded = await startEmbedded({ dataDir })
    rmSync(socket)
    symlinkSync(embedded.connection.host!, socket)
  }
  // as with an external database, the service's role is there before it comes
  await run(database, `create role ${serviceConnection(database).user} login`)
  const env = {
    PATH: process.env['PATH'],
    NODE_ENV: 'production',
    DATABASE_URL: addressOf(serviceConnection(database)),
    MIGRATION_DATABASE_URL: addressOf(database),
    DATA_DIR: join(folder, 'data'),
    SCHOOL_ID: schoolId,
    SCHOOL_NAME: '演练学校',
    ADMIN_PASSWORD: admin.password,
    ...noRateLimits,
  }
  const attempt = async (more: Record<string, string>) => {
    const node = nodeAt(await freePort(), { ...env, ...more }, join(folder, 'attempt.log'))
    return node.start().then(
      () => node.stop().then(() => ''),
      (error: Error) => error.message,
    )
  }
  Object.assign(env, await settings(database, attempt))
  const nodes = await Promise.all(
    Array.from({ length: count }, async (_, at) =>
      nodeAt(await freePort(), { ...env, ...ofNode(at) }, join(logs ?? folder, `node-${at}.log`)),
    ),
  )
  const close = async () => {
    await Promise.all(nodes.map((node) => node.stop()))
    await embedded.stop()
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    for (const node of nodes) await node.start()
    return { database, nodes, folder, crashDatabase, startDatabase, close }
  } catch (error) {
    await close()
    throw error
  }
}

const hasEnded = (child: ChildProcess): boolean => child.exitCode !== null || child.signalCode !== null

function nodeAt(port: number, env: NodeJS.ProcessEnv, log: string): Node {
  let child: ChildProcess | undefined
  return {
    port,
    pid: () => child?.pid ?? 0,
    async kill() {
      if (!child || hasEnded(child)) return
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
    },
    async start() {
      const file = openSync(log, 'a')
      child = spawn(
        process.execPath,
        ['--import', 'tsx', fileURLToPath(new URL('../server/main.ts', import.meta.url))],
        { env: { ...env, PORT: String(port), LOG_FILE: '-' }, stdio: ['ignore', file, file] },
      )
      const ended = once(child, 'exit').then(() =>
        Promise.reject(new Error(`a process ended: ${readFileSync(log, 'utf8').slice(-2000)}`)),
      )
      await Promise.race([
        ended,
        until(async () => (await fetch(`http://127.0.0.1:${port}/readyz`)).ok, 'readiness', 300),
      ])
      ended.catch(() => {})
    },
    async stop() {
      if (!child || hasEnded(child)) return
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
    },
  }
}
