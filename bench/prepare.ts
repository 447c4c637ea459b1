import { resolve } from 'node:path'
import type pg from 'pg'
import { lessonStatus } from '../contract/core/codes/programme.ts'
import { personType } from '../contract/core/codes/school.ts'
import { parseConfig, type Config } from '../server/core/base/config.ts'
import { openDatabase } from '../server/core/database/pool.ts'
import { demoSize, makeDemoSchool } from '../server/demo/demo-school.ts'
import { refreshBuiltInRoles } from '../server/school/roles/grants.service.ts'
import { openServices, type OpenServices } from '../server/setup/open-services.ts'
import { noRateLimits } from '../server/testing/no-rate-limits.ts'

/**
 * The full size: 40,000 students, 1,000,000 participations, 300,000 supplements. `BENCH_STUDENTS` makes it smaller in
 * proportion.
 */
const fullSize = 40_000
const students = Number(process.env['BENCH_STUDENTS'] ?? fullSize)
/** Whether the bars are meant for a school of this size; figures of others are not kept. */
export const isFullSize = students === fullSize

/**
 * Where the school is kept between runs, one of another size elsewhere; `BENCH_DATA` names another place.
 */
export const benchData = resolve(process.env['BENCH_DATA'] ?? (isFullSize ? 'data/bench' : `data/bench-${students}`))
export const benchSchool = 'demo'

export const size = demoSize(students, {
  lessons: Math.round(students / 4),
  registrations: students * 25,
  supplements: Math.round(students * 7.5),
})

/** Participants of one course that has far more of them than any other, for pages far down its list. */
export const crowd = Math.min(20_000, size.students)

/**
 * The settings of the service under measurement: those of production, without the rate limits on how much one person
 * may ask.
 */
export const benchConfig = (more: Record<string, string> = {}): Config =>
  parseConfig({
    NODE_ENV: 'production',
    DATA_DIR: benchData,
    LOG_FILE: `${benchData}/service.log`,
    ...noRateLimits,
    OUTPUT_CHECKS: '0',
    POOL_SIZE: '16',
    ...more,
  })

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

const isPrepared = async (pool: pg.Pool): Promise<boolean> =>
  (await pool.query(`select 1 from "installation" where "inKey" = 'bench'`)).rows.length > 0

async function prepare({ services, connection }: OpenServices, print: (text: string) => void): Promise<void> {
  const began = Date.now()
  const { db, pool, close } = openDatabase(connection, { max: 2, statementTimeout: 0 })
  try {
    if (!(await db.selectFrom('school').select('schoolId').where('schoolId', '=', benchSchool).executeTakeFirst())) {
      print(
        `making a school of ${size.students} students, ${size.registrations} participations, ${size.supplements} supplements …`,
      )
      await makeDemoSchool(
        { ...services, db, origin: { requestId: 'bench', ip: '127.0.0.1', agent: 'bench' } },
        benchSchool,
        '华东示范大学',
        size,
      )
    }
    await nameSupplements(pool)
    await fillOneLesson(pool)
    await pool.query('vacuum (analyze)')
    await pool.query(`insert into "installation" ("inKey", "inValue") values ('bench', 'prepared')`)
    print(`made in ${Math.round((Date.now() - began) / 1000)} s`)
  } finally {
    await close()
  }
}

/** Supplements get names as different as people write them: `2024年江苏赛区蓝桥杯程序设计大赛（王小明团队）`. */
const nameSupplements = (pool: pg.Pool) =>
  pool.query(
    `update "supplement" s set "lisName" = to_char(s."lisObtainDate", 'YYYY') || '年' || (array['江苏','浙江','上海','安徽','山东','福建','湖北','湖南','四川','广东','北京','陕西'])[1 + abs(hashtext(s."lisId"::text)) % 12]
       || '赛区' || s."lisName" || '（' || p."suiName" || '团队）'
     from "person" p where p."schoolId" = s."schoolId" and p."suId" = s."suId" and s."schoolId" = $1`,
    [benchSchool],
  )

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
    `update "lesson" set "quota" = greatest("quota", n), "applyCount" = n, "passCount" = n from (select count(*)::int n from "registration" where "schoolId" = $1 and "liId" = $2 and "delFlag" = '0') c
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
