import { createServer } from 'node:net'
import closeWithGrace from 'close-with-grace'
import { buildApp } from './app.ts'
import { parseConfig, type Config } from './core/config.ts'
import { inTurn, startLocks } from './core/database/turns.ts'
import { stopping } from './core/health.ts'
import { startJobs } from './core/job-runner.ts'
import { StartFault } from './core/start-fault.ts'
import { demoText, ensureSchools } from './demo/ensure.ts'
import { jobHandlers } from './setup/job-handlers.ts'
import { asStartFault, openServices } from './setup/open-services.ts'

/** Milliseconds that requests under way get when the program is asked to stop. */
const patience = 10_000

const tell = (text: string): void => void process.stdout.write(`${text}\n`)

/** What has been opened and how to close it, the last first. */
const undo: (() => Promise<unknown>)[] = []

let stopped: Promise<void> | undefined

/** Closes everything, once; whoever asks again waits for the same end. */
const stop = (): Promise<void> => (stopped ??= closeAll())

async function closeAll(): Promise<void> {
  for (let step = undo.pop(); step; step = undo.pop())
    await step().catch((error: unknown) => process.stderr.write(`${String(error)}\n`))
}

// Delay: requests under way, jobs and the database each have their own limits, together less than this.
const grace = closeWithGrace(
  { delay: 90_000, skip: ['SIGINT', 'SIGTERM', 'SIGHUP', 'beforeExit'], logger: false },
  async ({ err }) => {
    stopping.now = true
    tell(err ? `程序出错，正在停止：${(err as Error).stack}` : '正在停止……')
    await stop()
    tell('已停止')
  },
)
// The terminal and npm may both pass on one Ctrl-C, so a second signal means impatience only when it comes later.
let askedAt = 0
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    if (askedAt && Date.now() - askedAt > 2000) process.exit(1)
    if (!askedAt) grace.close()
    askedAt ||= Date.now()
  })
}

try {
  await start(parseConfig(process.env))
} catch (error) {
  // a start that was interrupted fails in odd ways; the person knows why
  if (!stopping.now) {
    process.stderr.write(`\n启动失败：${error instanceof StartFault ? error.message : (error as Error).stack}\n`)
    await stop()
    process.exit(1)
  }
}

async function start(config: Config): Promise<void> {
  const began = performance.now()
  const { services, pool, embedded, close } = await openServices(config, tell)
  undo.push(close)
  const guarded = async <R>(step: () => Promise<R>): Promise<R> =>
    step().catch((error: unknown) => Promise.reject(asStartFault(error, config)))
  const hasDemo = await guarded(() => inTurn(pool, startLocks.firstSchools, () => ensureSchools(services, tell)))
  const jobs = await guarded(() => startJobs({ ...services, handlers: jobHandlers(services) }))
  undo.push(() => jobs.stop())
  const app = await buildApp(services)
  undo.push(async () => {
    const late = setTimeout(() => app.server.closeAllConnections(), patience)
    await app.close()
    clearTimeout(late)
  })
  await app.listen({ port: await freePort(config), host: config.host })
  const { port } = app.server.address() as { port: number }
  const ms = Math.round(performance.now() - began)
  services.log.info({ port, host: config.host, dataDir: config.dataDir, adopted: embedded?.adopted, ms }, 'started')
  welcome(config, port, hasDemo, ms)
  void embedded?.ended.then(() => {
    throw new Error('PostgreSQL ended unexpectedly')
  })
}

/** The wanted port, or the next one that is free. */
async function freePort({ port, host }: Config): Promise<number> {
  if (port === 0) return 0
  for (let next = port; next < Math.min(port + 50, 65_536); next++) {
    const fault = await new Promise<string | undefined>((answer) => {
      const probe = createServer().once('error', (error: NodeJS.ErrnoException) => answer(error.code ?? 'error'))
      probe.listen({ port: next, host, exclusive: true }, () => probe.close(() => answer(undefined)))
    })
    if (!fault) return next
    if (fault === 'EACCES') throw new StartFault(`没有权限使用端口 ${next}，请用 PORT 指定 1024 以上的端口。`)
    if (fault === 'EADDRNOTAVAIL' || fault === 'ENOTFOUND') throw new StartFault(`本机没有地址 ${host}，请检查 HOST。`)
    tell(`端口 ${next} 已被占用，改用 ${next + 1}`)
  }
  throw new StartFault(`端口 ${port} 及其后 50 个端口都被占用，请用 PORT 指定别的端口。`)
}

function welcome({ host, dataDir, logFile }: Config, port: number, hasDemo: boolean, ms: number): void {
  const name = host === '0.0.0.0' || host === '::' ? 'localhost' : host.includes(':') ? `[${host}]` : host
  const lines = [
    `第二课堂 Console 已启动：http://${name}:${port}（${(ms / 1000).toFixed(1)} 秒）`,
    ...(hasDemo ? [demoText()] : []),
    `数据目录 ${dataDir}${logFile ? `，日志 ${logFile}` : ''}`,
    '按 Ctrl-C 停止',
  ]
  tell(`\n${lines.map((line) => `  ${line}`).join('\n')}\n`)
}
