import type { AddressInfo } from 'node:net'
import { buildApp } from '../server/app.ts'
import type { Connection } from '../server/core/database/connection.ts'
import { startJobs } from '../server/core/jobs/job-runner.ts'
import { jobHandlers } from '../server/setup/job-handlers.ts'
import { openServices } from '../server/setup/open-services.ts'
import { benchConfig } from './prepare.ts'
import { exportRoutes } from './big-export.ts'
import { answerUsage } from './processes.ts'

/**
 * Our service as a process of its own, on a database that run.ts holds: everything as in production but the start of
 * PostgreSQL and the jobs that run by themselves. Started by run.ts: `service.ts <connection as JSON> [<settings as
 * JSON>]`.
 */
const settings = JSON.parse(process.argv[3] ?? '{}') as Record<string, string>
const { services } = await openServices(benchConfig(settings), () => {}, JSON.parse(process.argv[2]!) as Connection)
const app = await buildApp(services, exportRoutes)
const { import: imports, 'transcript:batch': batches } = jobHandlers(services)
await startJobs({ ...services, handlers: { import: imports!, 'transcript:batch': batches! } })
await app.listen({ port: 0, host: '127.0.0.1' })
answerUsage()
process.on('SIGTERM', () => process.exit(0))
process.send?.({ port: (app.server.address() as AddressInfo).port })
