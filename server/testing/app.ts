import { mkdtemp } from 'node:fs/promises'
import { randomBytes } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { buildApp } from '../app.ts'
import { parseConfig } from '../core/base/config.ts'
import type { PublicContext } from '../core/request/context.ts'
import { folderStore } from '../core/files/files.ts'
import type { AppServices } from '../core/http/http.ts'
import type { Route } from '../core/request/routes.ts'
import { openSignals } from '../core/database/signals.ts'
import { TestClock } from './clock.ts'
import { testDatabase, type TestDatabase } from './database.ts'
import { atFileEnd } from './file-end.ts'
import { noRateLimits } from './no-rate-limits.ts'

export interface TestApp {
  address: string
  services: AppServices
  clock: TestClock
  /** A context without a person, for makers and system jobs. */
  ctx: PublicContext
}

interface Running {
  database: TestDatabase
  app: Promise<TestApp & { stop: () => Promise<void> }>
}

let running: Running | undefined

/**
 * The one application of this test process: real HTTP on a free port, real PostgreSQL. A file that has routes or a
 * database of its own has an application of its own.
 */
export async function testApp(extraRoutes: Route[] = []): Promise<TestApp> {
  const database = await testDatabase()
  if (running?.database === database && extraRoutes.length === 0) return running.app
  const before = running
  const started = (running = { database, app: start(database, extraRoutes) })
  if (database.isOwn || extraRoutes.length > 0) {
    atFileEnd(async () => {
      running = before
      await (await started.app).stop()
    })
  }
  return started.app
}

async function start(
  { db, connection }: TestDatabase,
  extraRoutes: Route[],
): Promise<TestApp & { stop: () => Promise<void> }> {
  const dataDir = await mkdtemp(join(tmpdir(), 'console-test-'))
  // a test process builds its app while others take the cores: that it was slow to start is no reason to send the first
  // caller away; and tests arrange themselves who waits for whom, beside whatever other schools do
  const config = parseConfig({ DATA_DIR: dataDir, ...noRateLimits, REQUESTS_AT_ONCE: '0' })
  const clock = new TestClock()
  const secrets = { pepper: randomBytes(32), fieldKey: randomBytes(32), hashKey: randomBytes(32) }
  const log = pino({ level: process.env['LOG_LEVEL'] ?? 'silent' })
  const services: AppServices = {
    db,
    config,
    secrets,
    clock,
    files: folderStore(join(dataDir, 'files')),
    signals: openSignals(connection, log),
    log,
  }
  const app = await buildApp(services, extraRoutes)
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as { port: number }
  const stop = async () => {
    app.server.closeAllConnections()
    await app.close()
    await services.signals.close()
  }
  return {
    address: `http://127.0.0.1:${port}`,
    services,
    clock,
    ctx: { ...services, origin: { requestId: 'test', ip: '127.0.0.1', agent: 'test' } },
    stop,
  }
}
