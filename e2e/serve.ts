import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildApp } from '../server/app.ts'
import { parseConfig } from '../server/core/base/config.ts'
import { startJobs } from '../server/core/jobs/job-runner.ts'
import { ensureSchools } from '../server/demo/ensure.ts'
import { jobHandlers } from '../server/setup/job-handlers.ts'
import { openServices } from '../server/setup/open-services.ts'
import { leapYearToCome, TestClock } from '../server/testing/clock.ts'
import { noRateLimits } from '../server/testing/no-rate-limits.ts'

/**
 * The program as people start it, on a folder of its own, with the demo schools and two differences: its clock starts
 * at one moment for all (`E2E_NOW`, `yyyy-MM-dd HH:mm:ss`, for another), and a second port moves it forward, so that a
 * journey need not wait for a period of public notice to pass.
 */
const dataDir = mkdtempSync(join(tmpdir(), 'console-e2e-'))
chmodSync(dataDir, 0o755)
const config = parseConfig({
  DATA_DIR: dataDir,
  DEMO_STUDENTS: process.env['E2E_STUDENTS'] ?? '300',
  ...noRateLimits,
  // journeys play the other systems that a school is connected with
  OUTBOUND_PRIVATE: '127.0.0.0/8',
  LOG_LEVEL: 'warn',
})
const opened = await openServices(config, (text) => process.stdout.write(`${text}\n`))
const clock = new TestClock()
// what the demonstration holds depends on the day on which it is made: journeys find the same on every day
clock.travelTo(process.env['E2E_NOW'] ?? `${leapYearToCome}-11-23 11:40:00`)
const services = { ...opened.services, clock }
const say = (text: string) => process.stdout.write(`${text}\n`)
if ((await ensureSchools(services, { doing: () => {}, say })) !== 'demo') throw new Error('no demo school')
const jobs = await startJobs({ ...services, handlers: jobHandlers(services) })
const app = await buildApp(services)
await app.listen({ port: Number(process.env['E2E_PORT'] ?? 18_200), host: '127.0.0.1' })
const control = createServer((request, response) => {
  clock.travel(Number(new URL(request.url ?? '/', 'http://localhost').searchParams.get('seconds') ?? 0))
  response.end(clock.now())
}).listen(Number(process.env['E2E_CONTROL_PORT'] ?? 18_201), '127.0.0.1')

process.on('SIGTERM', () => void stop())
process.on('SIGINT', () => void stop())
async function stop(): Promise<void> {
  control.close()
  await jobs.stop()
  await app.close()
  await opened.close()
  rmSync(dataDir, { recursive: true, force: true })
  process.exit(0)
}
