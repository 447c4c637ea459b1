import cluster from 'node:cluster'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { openLog } from '../server/core/base/log.ts'
import type { Connection } from '../server/core/database/connection.ts'
import { startWebProcesses } from '../server/setup/web-processes.ts'
import { benchConfig, benchSettings } from './prepare.ts'
import type { Usage } from './processes.ts'

/** How the program starts several processes that answer requests, without its jobs. */
export interface WebStart {
  connection: Connection
  count: number
  /** Beside those of all benches. */
  settings: Record<string, string>
}

const { connection, count, settings } = JSON.parse(process.argv[2]!) as WebStart
Object.assign(process.env, benchSettings, settings)
const { port } = await startWebProcesses({
  count,
  connection,
  port: 0,
  host: '127.0.0.1',
  program: fileURLToPath(new URL('../server/main.ts', import.meta.url)),
  log: openLog(benchConfig()),
})

/** Clock ticks a second and bytes a page, as Linux counts them. */
const [ticks, pageBytes] = [100, 4096]
/** Of all processes together. */
function usage(): Usage {
  const sum = { memory: 0, cpu: 0 }
  for (const worker of Object.values(cluster.workers ?? {})) {
    const fields = readFileSync(`/proc/${worker!.process.pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
    sum.cpu += ((Number(fields[11]) + Number(fields[12])) / ticks) * 1000
    sum.memory += Number(fields[21]) * pageBytes
  }
  return sum
}
process.on('message', () => process.send?.(usage()))
process.on('SIGTERM', () => process.exit(0))
process.send?.({ port })
