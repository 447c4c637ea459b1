import { mkdtemp } from 'node:fs/promises'
import { randomBytes } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { buildApp } from '../app.ts'
import { parseConfig } from '../core/config.ts'
import type { PublicContext } from '../core/context.ts'
import { folderStore } from '../core/files.ts'
import type { RoadServices } from '../core/http.ts'
import type { Route } from '../core/routes.ts'
import { openSignals } from '../core/signals.ts'
import { TestClock } from './clock.ts'
import { testDatabase } from './database.ts'
import { noBrakes } from './no-brakes.ts'

export interface TestApp {
  address: string
  services: RoadServices
  clock: TestClock
  /** A context without a person, for makers and system jobs. */
  ctx: PublicContext
}

let running: Promise<TestApp> | undefined

/** The one application of this test process: real HTTP on a free port, real PostgreSQL. */
export const testApp = (extraRoutes: Route[] = []): Promise<TestApp> => (running ??= start(extraRoutes))

async function start(extraRoutes: Route[]): Promise<TestApp> {
  const { db, connection } = await testDatabase()
  const dataDir = await mkdtemp(join(tmpdir(), 'console-test-'))
  // a test process builds its app while others take the cores: that it was slow to start is no reason to send the first caller away
  const config = parseConfig({ DATA_DIR: dataDir, ...noBrakes })
  const clock = new TestClock()
  const secrets = { pepper: randomBytes(32), fieldKey: randomBytes(32), hashKey: randomBytes(32) }
  const log = pino({ level: process.env['LOG_LEVEL'] ?? 'silent' })
  const services: RoadServices = { db, config, secrets, clock, files: folderStore(join(dataDir, 'files')), signals: openSignals(connection, log), log }
  const app = await buildApp(services, extraRoutes)
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as { port: number }
  return { address: `http://127.0.0.1:${port}`, services, clock, ctx: { ...services, origin: { requestId: 'test', ip: '127.0.0.1', agent: 'test' } } }
}
