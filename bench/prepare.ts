import { resolve } from 'node:path'
import { parseConfig } from '../server/core/config.ts'
import { demoSize, makeDemoSchool } from '../server/demo/demo-school.ts'
import { openServices, type OpenServices } from '../server/setup/open-services.ts'

/** Where the big school is kept between runs; `BENCH_DATA` names another place. */
export const benchData = resolve(process.env['BENCH_DATA'] ?? 'data/bench')
export const benchSchool = 'demo'

/** The full size: 40,000 students, 1,000,000 participations, 300,000 supplements. `BENCH_STUDENTS` makes it smaller in proportion. */
const students = Number(process.env['BENCH_STUDENTS'] ?? 40_000)
export const size = demoSize(students, { lessons: Math.round(students / 4), registrations: students * 25, supplements: Math.round(students * 7.5) })

/** Opens the big school, making it first where it is not there yet. */
export async function openBench(): Promise<OpenServices> {
  const config = parseConfig({ DATA_DIR: benchData, DEMO_STUDENTS: String(students), LOG_LEVEL: 'error', REQUESTS_PER_MINUTE: '0', EXPORTS_PER_MINUTE: '0', OUTPUT_CHECKS: '0', POOL_SIZE: '16' })
  const opened = await openServices(config, (text) => console.log(text))
  const { services } = opened
  const made = await services.db.selectFrom('school').select('schoolId').where('schoolId', '=', benchSchool).executeTakeFirst()
  if (!made) {
    const start = Date.now()
    console.log(`making a school of ${size.students} students, ${size.registrations} participations, ${size.supplements} supplements …`)
    await makeDemoSchool({ ...services, origin: { requestId: 'bench', ip: '127.0.0.1', agent: 'bench' } }, benchSchool, '华东示范大学', size)
    await opened.pool.query('vacuum analyze')
    console.log(`made in ${Math.round((Date.now() - start) / 1000)} s`)
  }
  return opened
}
