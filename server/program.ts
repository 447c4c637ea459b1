import cluster from 'node:cluster'
import { rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import closeWithGrace from 'close-with-grace'
import type { Logger } from 'pino'
import { doing, say } from '../scripts/progress.mjs'
import { buildApp } from './app.ts'
import { bundledFile } from './core/base/bundled-file.ts'
import { parseConfig, type Config } from './core/base/config.ts'
import { instanceName, reopenLogs } from './core/base/log.ts'
import { startTemporarySweep } from './core/base/temporary-folder.ts'
import { withStartupLock, startupLocks } from './core/database/startup-lock.ts'
import { stopping } from './core/http/health.ts'
import { startTracing } from './core/watch/tracing.ts'
import { startJobs } from './core/jobs/job-runner.ts'
import { StartFault } from './core/base/start-fault.ts'
import { ensureSchools } from './demo/ensure.ts'
import { refuseOpenDemo } from './demo/refuse-in-production.ts'
import type { AppServices } from './core/http/http.ts'
import { startAlarmWatch } from './setup/alarm-watch.ts'
import { closeApp } from './setup/closing.ts'
import { storeOldArchives } from './school/audit/archiving.service.ts'
import { jobHandlers } from './setup/job-handlers.ts'
import { listeningPort, listenFault } from './setup/listening-port.ts'
import { startMetrics } from './setup/metrics.ts'
import { startLogRotation } from './setup/log-rotation.ts'
import { offeredAccounts } from './demo/offered-accounts.ts'
import { asStartFault, openServices } from './setup/open-services.ts'
import { startWebProcesses, type WebProcesses } from './setup/web-processes.ts'
import { welcomeText } from './setup/welcome.ts'

/** What has been opened and how to close it, the last first. */
const undo: (() => Promise<unknown>)[] = []

let stopped: Promise<void> | undefined

/** Closes everything, once; whoever asks again waits for the same end. */
const stop = (): Promise<void> => (stopped ??= closeAll())

/** False where nothing is left that could go on answering. */
let mayDrain = true

async function closeAll(): Promise<void> {
  for (let step = undo.pop(); step; step = undo.pop())
    await step().catch((error: unknown) => process.stderr.write(`${String(error)}\n`))
}

// Delay: requests under way, jobs and the database each have their own limits, together less than this.
const grace = closeWithGrace(
  { delay: 90_000, skip: ['SIGINT', 'SIGTERM', 'SIGHUP', 'beforeExit'], logger: false },
  async ({ err }) => {
    stopping.now = true
    if (err) mayDrain = false
    say(err ? `程序出错，正在停止：${(err as Error).stack}` : '正在停止……')
    await stop()
    say('已停止')
  },
)
// The terminal and npm may both pass on one Ctrl-C, so a second signal means impatience only when it comes later.
let askedAt = 0
const askToStop = (): void => {
  if (askedAt && Date.now() - askedAt > 2000) process.exit(1)
  if (!askedAt) grace.close()
  askedAt ||= Date.now()
}
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, askToStop)
// A terminal that is closed sends it, and so does whoever has moved the log away, as logrotate does: where there is a
// terminal it means the first.
const hasTerminal = [process.stdin, process.stdout, process.stderr].some(({ isTTY }) => isTTY)
process.on('SIGHUP', () => (hasTerminal ? askToStop() : reopenAllLogs()))

/** In this process and in those that answer requests for it. */
function reopenAllLogs(): void {
  const faults = reopenLogs()
  for (const err of faults) log?.error({ err }, 'the log was not opened anew')
  if (faults.length === 0) log?.info('log opened anew')
  for (const worker of Object.values(cluster.workers ?? {})) worker?.process.kill('SIGHUP')
}

/**
 * The log, once it is open: it takes the stack of an error that ends a start, of which the person reads the message.
 */
let log: Logger | undefined

/**
 * Starts it; a fault is told in words and ends the process.
 * @param entry the file that it was started by
 * @param isIdle whether it is to do nothing by itself; see `withoutJobs`
 */
export async function runProgram(entry: string, isIdle: boolean): Promise<void> {
  try {
    const config = parseConfig(process.env)
    await start(config, entry, isIdle).catch((error: unknown) => {
      if (stopping.now || error instanceof StartFault || !log || !config.logFile) throw error
      log.fatal({ err: error }, 'the start failed')
      throw new StartFault(`${(error as Error).message}\n详细原因见日志 ${config.logFile}`)
    })
  } catch (error) {
    // a start that was interrupted fails in odd ways; the person knows why
    if (!stopping.now) {
      process.stderr.write(`\n启动失败：${error instanceof StartFault ? error.message : (error as Error).stack}\n`)
      await stop()
      process.exit(1)
    }
  }
}

/**
 * Removes the folder into which versions before 0.4.0 laid recovery codes, unless one of them may have done so in the
 * ten minutes for which a code is good: such a process can still run beside this one.
 */
async function removeFormerOutbox(dataDir: string): Promise<void> {
  const folder = join(dataDir, 'outbox')
  try {
    const { mtimeMs } = await stat(folder)
    if (mtimeMs < Date.now() - 600_000) await rm(folder, { recursive: true, force: true })
  } catch (err) {
    if ((err as NodeJS.ErrnoException).code !== 'ENOENT') log?.warn({ err }, 'the former outbox was not removed')
  }
}

async function start(config: Config, entry: string, isIdle: boolean): Promise<void> {
  const began = performance.now()
  // a port that is taken is refused before anything is touched, where it is refused
  if (config.production) await listeningPort(config)
  doing('正在启动数据库……')
  const { services, owner, direct, pool, embedded, close } = await openServices(config, say)
  undo.push(close)
  log = services.log
  const tracing = await startTracing(services)
  if (tracing) undo.push(() => tracing.close())
  const endRotation = startLogRotation(config, reopenAllLogs)
  undo.push(async () => endRotation())
  await removeFormerOutbox(config.dataDir)
  const endSweep = startTemporarySweep((names) => log?.info({ names }, 'temporary folders of ended processes removed'))
  undo.push(async () => endSweep())
  const guarded = async <R>(step: () => Promise<R>): Promise<R> =>
    step().catch((error: unknown) => Promise.reject(asStartFault(error, config)))
  // a copy that is started to be looked at, as by a drill, answers nobody else
  if (config.production && !isIdle) await guarded(() => refuseOpenDemo(services))
  const schools = await guarded(() =>
    withStartupLock(direct, startupLocks.firstSchools, { what: '建立第一所学校', print: say }, () =>
      ensureSchools(services, { doing, say }),
    ),
  )
  const handlers = isIdle ? {} : jobHandlers(services, programFile(entry))
  const jobs = await guarded(() => startJobs({ ...services, handlers, instance: instanceName(config.instance) }))
  undo.push(() => jobs.stop())
  if (!isIdle) undo.push(startAlarmWatch(services))
  const wanted = await listeningPort(config)
  const web = await (config.webProcesses === 1
    ? listenHere(services, wanted.port)
    : startWebProcesses({
        count: config.webProcesses,
        connection: owner,
        port: wanted.port,
        host: config.host,
        program: fileURLToPath(entry),
        log,
      }))
  // beside each other: together they must be through before whoever stops the program loses patience
  undo.push(async () => void (await Promise.all([web.stop(mayDrain ? config.drainSeconds : 0), jobs.stop()])))
  const metrics = await startMetrics({ services, pool })
  if (metrics) undo.push(() => metrics.close())
  // an absent scanner is told at the start, not by the first person whose file is refused
  void services.scanner?.isThere()
  void storeOldArchives(services).catch((err: unknown) => services.log.error({ err }, 'archives could not be stored'))
  const ms = Math.round(performance.now() - began)
  services.log.info(
    { port: web.port, host: config.host, dataDir: config.dataDir, adopted: embedded?.adopted, ms },
    'started',
  )
  const accounts = schools === 'demo' ? await offeredAccounts(services) : []
  say(welcomeText(config, { ...wanted, port: web.port }, schools, accounts, ms))
  void embedded?.ended.then(() => {
    throw new Error('PostgreSQL ended unexpectedly')
  })
}

/** What can be run as a process: while developing, the program is TypeScript. */
const programFile = (entry: string): string =>
  fileURLToPath(entry.endsWith('.ts') ? bundledFile(new URL(entry)) : entry)

/** Answers requests in this very process. */
async function listenHere(services: AppServices, wanted: number): Promise<WebProcesses> {
  const app = await buildApp(services)
  const { host } = services.config
  await app.listen({ port: wanted, host }).catch((error: NodeJS.ErrnoException) => {
    throw listenFault(error, wanted, host)
  })
  const { port } = app.server.address() as { port: number }
  return { port, stop: (drainSeconds) => closeApp(app, drainSeconds) }
}
