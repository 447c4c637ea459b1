import { resolve } from 'node:path'
import pg from 'pg'
import { applyStatus, lessonStatus } from '../contract/core/codes/programme.ts'
import { personType } from '../contract/core/codes/school.ts'
import { parseConfig, type Config } from '../server/core/base/config.ts'
import { together } from '../server/core/base/together.ts'
import { openDatabase } from '../server/core/database/pool.ts'
import { demoSize, fullDemoSize, makeDemoSchool } from '../server/demo/demo-school.ts'
import { rebuildSchool, rollups } from '../server/outcomes/statistics/refresh.service.ts'
import { refreshBuiltInRoles } from '../server/school/roles/grants.service.ts'
import { openServices, type OpenServices } from '../server/setup/open-services.ts'
import { noRateLimits } from '../server/testing/no-rate-limits.ts'
import { addEarlierYears, yearsOfDemo } from './earlier-years.ts'
import { skewSchool, skewSupplements } from './skew.ts'

/**
 * The full size: 40,000 students, 1,000,000 participations, 300,000 supplements. `BENCH_STUDENTS` makes it smaller or
 * larger in proportion.
 */
const fullSize = 40_000
/** What `npm run bench -- quick` measures on: made in two minutes. */
const quickSize = 4000
const students = Number(process.env['BENCH_STUDENTS'] ?? (process.argv[2] === 'quick' ? quickSize : fullSize))
/** How far the school goes back: two years, or an even number of them by `BENCH_YEARS`. */
export const years = Number(process.env['BENCH_YEARS'] ?? yearsOfDemo)
if (!(years >= yearsOfDemo && years % yearsOfDemo === 0)) throw new Error('BENCH_YEARS is an even number of years')
/** Whether it is a school of many years, whose figures are kept by themselves (`growth.json`). */
export const isLong = years > yearsOfDemo
// the servers that a bench starts open the same school
process.env['BENCH_STUDENTS'] = String(students)
process.env['BENCH_YEARS'] = String(years)
/** Whether this is the school that the short bench compares on. */
export const isQuickSize = students === quickSize && !isLong
/** Whether the bars are meant for a school of this size; figures of others are not kept. */
export const isFullSize = students === fullSize && !isLong

/**
 * Where the school is kept between runs, one of another size elsewhere; `BENCH_DATA` names another place.
 */
export const benchData = resolve(
  process.env['BENCH_DATA'] ?? (isFullSize ? 'data/bench' : `data/bench-${students}${isLong ? `-${years}-years` : ''}`),
)
export const benchSchool = 'demo'

/**
 * A school of many years has ten participations a student and two years, and as many supplements as one of two years,
 * for those go back ten years there as well.
 */
export const size = isLong
  ? demoSize(students, {
      lessons: Math.round(students / 10),
      registrations: students * 10,
      supplements: Math.round(students * 7.5),
    })
  : fullDemoSize(students)

/** Participants of one course that has far more of them than any other, for pages far down its list. */
export const crowd = Math.min(20_000, size.students)

/** What a service of the benchmarks is started with. */
export const benchSettings = {
  NODE_ENV: 'production',
  DATA_DIR: benchData,
  LOG_FILE: `${benchData}/service.log`,
  ...noRateLimits,
  OUTPUT_CHECKS: '0',
  POOL_SIZE: '16',
}

/**
 * The settings of the service under measurement: those of production, without the rate limits on how much one person
 * may ask.
 */
export const benchConfig = (more: Record<string, string> = {}): Config => parseConfig({ ...benchSettings, ...more })

/** Opens the big school, making it first where it is not there yet: some minutes, once. */
export async function openBench(print: (text: string) => void): Promise<OpenServices> {
  const opened = await openServices(benchConfig({ LOG_LEVEL: 'error' }), print)
  try {
    if (!(await isPrepared(opened.pool))) await prepare(opened, print)
    await refreshBuiltInRoles(opened.services.db)
    return opened
  } catch (error) {
    await opened.close()
    throw error
  }
}

/** What a school is like that needs nothing more; one that an older version made is only made uneven. */
const prepared = isLong ? `uneven, ${years} years` : 'uneven'
const isPrepared = async (pool: pg.Pool): Promise<boolean> =>
  (await pool.query(`select 1 from "installation" where "inKey" = 'bench' and "inValue" = $1`, [prepared])).rows
    .length > 0
const origin = { requestId: 'bench', ip: '127.0.0.1', agent: 'bench' }
const seconds = (began: number): number => Math.round((Date.now() - began) / 1000)

async function prepare({ services, owner }: OpenServices, print: (text: string) => void): Promise<void> {
  const began = Date.now()
  const { db, pool, close } = openDatabase(owner, { max: 2, statementTimeout: 0 })
  try {
    if (!(await db.selectFrom('school').select('schoolId').where('schoolId', '=', benchSchool).executeTakeFirst())) {
      print(
        `making a school of ${size.students} students, ${size.registrations} participations, ${size.supplements} supplements …`,
      )
      await makeDemoSchool({ ...services, db, origin }, benchSchool, '华东示范大学', size, {
        alone: true,
        changeSupplements: skewSupplements,
        isFinal: false,
        progress: (part, at, of) => print(`${at}/${of} ${part}`),
      })
    }
    print(`made in ${seconds(began)} s; making it uneven …`)
    await skewSchool(db, benchSchool)
    await fillOneLesson(pool)
    if (isLong) await addEarlierYears(db, benchSchool, years, (what) => print(`${seconds(began)} s: making ${what} …`))
    print(`${seconds(began)} s: making statistics …`)
    // each on a core: the vacuum takes no lock that the statistics wait for
    await together(pool.query('vacuum (analyze)'), rebuildSchool({ ...services, db }, benchSchool))
    await pool.query(`vacuum (analyze) ${rollups.map((table) => pg.escapeIdentifier(table)).join(', ')}`)
    await pool.query(
      `insert into "installation" ("inKey", "inValue") values ('bench', $1) on conflict ("inKey") do update set "inValue" = excluded."inValue"`,
      [prepared],
    )
    print(`all done in ${seconds(began)} s`)
  } finally {
    await close()
  }
}

/** One running course takes {@link crowd} students. */
async function fillOneLesson(pool: pg.Pool): Promise<void> {
  const { liId } = await crowdedLesson(pool)
  await pool.query(
    `insert into "registration" ("schoolId", "laId", "liId", "suId", "laStatus", "applyTime")
     select "schoolId", gen_random_uuid(), $2, "suId", '1', now() - random() * interval '9 days' from "person" where "schoolId" = $1 and "suiType" = '${personType.student}' and "delFlag" = '0' order by "suiNumber" limit $3
     on conflict do nothing`,
    [benchSchool, liId, crowd],
  )
  await pool.query(
    `update "lesson" set "quota" = greatest("quota", passed), "applyCount" = n, "passCount" = passed
     from (
       select count(*)::int n, (count(*) filter (where "laStatus" = '${applyStatus.accepted}'))::int passed
       from "registration" where "schoolId" = $1 and "liId" = $2 and "delFlag" = '0'
     ) c
     where "schoolId" = $1 and "liId" = $2`,
    [benchSchool, liId],
  )
}

/** The course with the most participants among those that still go on. */
export async function crowdedLesson(pool: pg.Pool): Promise<{ liId: string }> {
  const { rows } = await pool.query<{ liId: string }>(
    `select "liId" from "lesson" where "schoolId" = $1 and "liStatus" = '${lessonStatus.published}' and "delFlag" = '0' order by "passCount" desc, "liId" limit 1`,
    [benchSchool],
  )
  return rows[0]!
}
