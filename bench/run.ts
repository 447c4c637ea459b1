import { spawnSync } from 'node:child_process'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { buildApp } from '../server/app.ts'
import { clientsAt } from './clients.ts'
import { dashboards } from './dashboards.ts'
import { exporting } from './exporting.ts'
import { firstLoad } from './first-load.ts'
import { keepGrowth } from './growth.ts'
import { importing } from './importing.ts'
import { lists } from './lists.ts'
import { mails } from './mails.ts'
import { isFullSize, isLong, openBench, size, years } from './prepare.ts'
import { keepResults, print, type Part } from './report.ts'
import { manySchools } from './many-schools.ts'
import { planning } from './planning.ts'
import { pooler } from './pooler.ts'
import { model } from './model.ts'
import { nightJobs } from './night-jobs.ts'
import { noisySchool } from './noisy-school.ts'
import { refreshing } from './refresh.ts'
import { retention } from './retention.ts'
import { schoolYear } from './school-year.ts'
import { storage } from './storage.ts'
import { rollingRestart } from './rolling-restart.ts'
import { quick } from './quick.ts'
import { deepPages, searching } from './search.ts'
import { soak } from './soak.ts'
import { studentLoad } from './student-load.ts'
import { startTimes } from './start-time.ts'
import { statistics } from './statistics.ts'
import { students } from './students.ts'
import { throughput } from './throughput.ts'
import { waits } from './waits.ts'
import { webProcesses } from './web-processes.ts'
import { transcripts } from './transcripts.ts'

/**
 * npm run bench [-- part …]: measures all parts or those named, prints them, and keeps them in results.json and
 * README.md.
 */
const parts = {
  throughput,
  lists,
  search: searching,
  pages: deepPages,
  statistics,
  export: exporting,
  import: importing,
  mails,
  transcripts,
  dashboards,
  firstLoad,
  students,
  start: startTimes,
  webProcesses,
  waits,
  planning,
  noisySchool,
  studentLoad,
  quick,
  storage,
  refresh: refreshing,
  schoolYear,
  nightJobs,
  retention,
} as const
type Name = keyof typeof parts
/**
 * Drills on installations of their own, which may need programs that the packages do not bring, and the model of
 * growth, which is calculated: run when named.
 */
const drills: Record<string, () => Promise<Part>> = { rollingRestart, pooler, soak, model, manySchools }
/** Asked for by name only: of schools of many years, and `retention` takes a year of messages away. */
const byName = new Set<Name>([
  'quick',
  'waits',
  'planning',
  'storage',
  'refresh',
  'schoolYear',
  'nightJobs',
  'retention',
])
/** What they find is for whoever runs them: it is printed and never kept. */
const shown = new Set<Name>(['quick', 'waits', 'planning'])
/** What they measure does not depend on how big the school is. */
const ofAnySize = new Set<Name>(['import', 'mails', 'firstLoad', 'students', 'start'])

/** The soak alone is told more: for how long. */
const names = process.argv[2] === 'soak' ? ['soak'] : process.argv.slice(2)
const unknown = names.filter((name) => !(name in parts) && !(name in drills))
if (unknown.length > 0)
  throw new Error(`no part ${unknown.join(', ')}; there are ${Object.keys({ ...parts, ...drills }).join(', ')}`)
if (names.some((name) => name in drills)) {
  if (names.length > 1) throw new Error('a drill runs by itself')
  try {
    const part = await drills[names[0]!]!()
    print(part)
    process.exit(part.missed.length > 0 ? 1 : 0)
  } catch (error) {
    console.error((error as Error).message)
    process.exit(2)
  }
}
// the short bench has a school of its own size
const wanted = (names.length > 0 ? names : (Object.keys(parts) as Name[]).filter((name) => !byName.has(name))) as Name[]
if (wanted.includes('quick') && wanted.length > 1) throw new Error('quick is measured by itself')

// what the browser loads and what npm start runs is the built product
if (
  ['dashboards', 'firstLoad', 'students', 'start'].some((name) => names.length === 0 || names.includes(name)) &&
  spawnSync(process.execPath, [fileURLToPath(new URL('../scripts/build.mjs', import.meta.url))], { stdio: 'inherit' })
    .status !== 0
)
  process.exit(1)
const opened = await openBench((text) => console.log(text))
const app = await buildApp(opened.services)
await app.listen({ port: 0, host: '127.0.0.1' })
const clients = clientsAt(`http://127.0.0.1:${(app.server.address() as AddressInfo).port}`)
const found: Record<string, Part> = {}
try {
  for (const name of wanted) {
    const part = await parts[name](opened, clients)
    print(part)
    found[name] = { ...part, isPartial: part.isPartial || !(isFullSize || ofAnySize.has(name)) }
  }
} finally {
  const isOfGrowth = (name: string) => !shown.has(name as Name) && (isLong || byName.has(name as Name))
  const some = (which: (name: string) => boolean) =>
    Object.fromEntries(Object.entries(found).filter(([name]) => which(name)))
  keepGrowth(`${size.students} students, ${years} years`, some(isOfGrowth))
  keepResults(some((name) => !isOfGrowth(name)))
  await app.close()
  await opened.close()
}
process.exit(Object.values(found).some(({ missed }) => missed.length > 0) ? 1 : 0)
