import { spawn, type ChildProcess } from 'node:child_process'
import { chownSync, closeSync, existsSync, fstatSync, mkdtempSync, realpathSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { systemClock } from '../base/clock.ts'
import { diskFullText, isDiskFull, StartFault } from '../base/start-fault.ts'
import { cleanEnvironment, databaseUser, ensureCluster, serverOptions, serviceUser, socketPort } from './cluster.ts'
import type { Connection } from '../database/connection.ts'
import { guardWriting, logSince, openLog, prepareFolder } from '../base/data-folder.ts'
import { lockDataFolder } from './lock.ts'
import { resolveClusterLocation, type ClusterLocation } from './cluster-location.ts'
import { disarmStalePidFile, removeSocketDir, runningPostmaster, shutDown, socketPrefix } from './postmaster.ts'
import { isAlive } from '../base/process.ts'
import { archiveSettings, handOverWal, type WalArchive } from './wal-handover.ts'

export interface EmbeddedDatabase {
  /** Of the owner, for migrations. */
  connection: Connection
  /** Process number of the postmaster. */
  pid: number
  /** True when it was already running because the service before us was killed. */
  adopted: boolean
  /** Fast shutdown; resolves when PostgreSQL has ended and the data folder is free. */
  stop(): Promise<void>
  /** Resolves if PostgreSQL ends by itself, never after `stop`. */
  ended: Promise<void>
}

interface Options {
  dataDir: string
  /** Told, in Chinese, when the person has to wait. */
  log?: (text: string) => void
  /** Trades safety against power cuts for speed; never for real data. */
  forTests?: boolean
  /** Gets every finished file of the WAL; undefined: nobody does. */
  archive?: WalArchive | undefined
  /** Settings of PostgreSQL for this start alone. */
  settings?: Record<string, string>
}

const database = 'console'

/**
 * Starts the PostgreSQL of a data folder, or takes over the one that a killed service left running. No TCP port is
 * opened; the socket lies in a folder only the running user (and root) can enter.
 * @throws StartFault when the folder is in use, the disk is full or PostgreSQL cannot run here
 */
export async function startEmbedded({
  dataDir: asked,
  log = () => {},
  forTests = false,
  archive,
  settings,
}: Options): Promise<EmbeddedDatabase> {
  const dataDir = prepareFolder(asked)
  const unlock = guardWriting(dataDir, () => lockDataFolder(dataDir, systemClock.now()))
  try {
    const location = resolveClusterLocation(dataDir)
    ensureCluster(location, forTests)
    const launchIt = (): Server => launch(location, dataDir, forTests, { isArchiving: Boolean(archive), settings })
    let server = await bringUp(location, dataDir, log, launchIt)
    if (!server.child && (await isArchiving(server.socketDir)) !== Boolean(archive)) {
      // whether files of the WAL are handed over is decided when PostgreSQL starts
      await shutDown(location.cluster, server.pid)
      removeSocketDir(server.socketDir)
      server = await bringUp(location, dataDir, log, launchIt)
    }
    const endHandover = archive && handOverWal(location.cluster, server.socketDir, archive)
    let stopping = false
    const ended = watch(server).then(() => (stopping ? new Promise<never>(() => {}) : undefined))
    const stop = async () => {
      stopping = true
      // PostgreSQL hands over the rest of its WAL before it ends
      await shutDown(location.cluster, server.pid)
      await endHandover?.()
      removeSocketDir(server.socketDir)
      unlock()
    }
    return { connection: connectionTo(server.socketDir), pid: server.pid, adopted: !server.child, stop, ended }
  } catch (error) {
    unlock()
    throw error
  }
}

/** How the service reaches an embedded database of which the owner's connection is given. */
export const serviceConnection = (owner: Connection): Connection => ({ ...owner, user: serviceUser })

/** How the owner reaches the database of a data folder that another process runs; null when none runs. */
export function joinRunning(dataDir: string): Connection | null {
  const link = join(dataDir, 'postgres')
  const running = existsSync(link) ? runningPostmaster(realpathSync(link)) : null
  return running && connectionTo(running.socketDir)
}

interface Server {
  pid: number
  socketDir: string
  child?: ChildProcess
  /** Where its own lines begin in the log file. */
  logFrom?: number
}

/**
 * Until a server answers: one that is there is waited for (it may be recovering, or on its way out), else one is
 * started. A start can fail because server processes of a killed postmaster still live; they end within moments, so it
 * is tried again.
 */
async function bringUp(
  location: ClusterLocation,
  dataDir: string,
  log: (text: string) => void,
  launchIt: () => Server,
): Promise<Server> {
  const lastLine = { at: Date.now() }
  for (let attempt = 1; ; attempt++) {
    const running = runningPostmaster(location.cluster)
    const server: Server = running ?? launchIt()
    const outcome = await untilReady(server, location, log, lastLine)
    if (outcome === 'ready') return server
    if (!running) {
      const complaint = logSince(dataDir, server.logFrom ?? 0)
      if (isDiskFull({ message: complaint })) throw new StartFault(diskFullText(location.cluster))
      if (attempt > 50 || !/pre-existing shared memory|lock file .* already exists/.test(complaint)) {
        throw new StartFault(`数据库没有启动成功，日志 ${join(dataDir, 'postgres.log')} 的末尾是：\n${complaint}`)
      }
    } else if (outcome === 'unreachable') await shutDown(location.cluster, server.pid)
    await sleep(200)
  }
}

function launch(
  location: ClusterLocation,
  dataDir: string,
  forTests: boolean,
  { isArchiving: archives, settings }: { isArchiving: boolean; settings: Record<string, string> | undefined },
): Server {
  disarmStalePidFile(location.cluster)
  const socketDir = mkdtempSync(join(location.runAs || tmpdir().length > 60 ? '/tmp' : tmpdir(), socketPrefix))
  if (location.runAs) chownSync(socketDir, location.runAs.uid, location.runAs.gid)
  const logFile = openLog(dataDir)
  const logFrom = fstatSync(logFile).size
  // In a session of its own: Ctrl-C in the terminal must reach only the service, which then finishes requests before it
  // stops this.
  const options = {
    ...location.runAs,
    cwd: '/',
    env: cleanEnvironment,
    detached: true,
    stdio: ['ignore', logFile, logFile] as ['ignore', number, number],
  }
  const more = { ...(archives ? archiveSettings(socketDir) : {}), ...settings }
  const child = spawn(
    join(location.bin, 'postgres'),
    serverOptions(location.cluster, socketDir, forTests, more),
    options,
  )
  child.on('error', () => {})
  child.unref()
  closeSync(logFile)
  return { pid: child.pid ?? 0, socketDir, child, logFrom }
}

/**
 * Patience for a server that does not answer, or says it is stopping and does not stop, in milliseconds; recovery is
 * waited for.
 */
const silence = 20_000

async function untilReady(
  server: Server,
  location: ClusterLocation,
  log: (text: string) => void,
  lastLine: { at: number },
): Promise<'ready' | 'ended' | 'unreachable'> {
  let heard = Date.now()
  for (;;) {
    const answer = await knock(server.socketDir)
    if (answer === 'ready') return 'ready'
    if (answer === 'wait') heard = Date.now()
    const alive = server.child
      ? server.child.exitCode === null && server.child.signalCode === null && server.pid > 0
      : runningPostmaster(location.cluster)?.pid === server.pid
    if (!alive) {
      removeSocketDir(server.socketDir)
      return 'ended'
    }
    if (Date.now() - heard > silence) return 'unreachable'
    if (Date.now() - lastLine.at > 5000) {
      lastLine.at = Date.now()
      log('数据库正在恢复或停止，请稍候……')
    }
    await sleep(30)
  }
}

/** Tries to open our database, making it when the cluster is new. */
async function knock(socketDir: string): Promise<'ready' | 'wait' | 'silent'> {
  for (const name of [database, databaseUser]) {
    const client = new pg.Client({ ...connectionTo(socketDir), database: name, connectionTimeoutMillis: 5000 })
    client.on('error', () => {})
    try {
      await client.connect()
      if (name !== database) await client.query(`create database ${database}`)
      return 'ready'
    } catch (error) {
      const { code = '', message = '' } = error as { code?: string; message?: string }
      // 3D000: no such database, 42P04: somebody made it meanwhile, 57P03: not taking connections now
      if (code === '42P04') return 'ready'
      if (code === '53100') throw new StartFault(diskFullText(socketDir))
      const recovering = code === '57P03' && !message.includes('shutting down')
      if (code !== '3D000') return recovering || code === '53300' ? 'wait' : 'silent'
    } finally {
      await client.end().catch(() => {})
    }
  }
  return 'wait'
}

async function isArchiving(socketDir: string): Promise<boolean> {
  const client = new pg.Client(connectionTo(socketDir))
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query<{ is: boolean }>(`select current_setting('archive_mode') <> 'off' as "is"`)
    return rows[0]!.is
  } finally {
    await client.end().catch(() => {})
  }
}

const connectionTo = (socketDir: string): Connection => ({
  host: socketDir,
  port: socketPort,
  user: databaseUser,
  password: '',
  database,
  ssl: false,
})

async function watch(server: Server): Promise<void> {
  if (server.child)
    return new Promise((done) => (server.child?.exitCode === null ? server.child.once('exit', () => done()) : done()))
  while (isAlive(server.pid)) await sleep(1000, undefined, { ref: false })
}
