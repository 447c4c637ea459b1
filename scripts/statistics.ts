import { pino } from 'pino'
import { systemClock } from '../server/core/base/clock.ts'
import { parseConfig } from '../server/core/base/config.ts'
import { joinRunning } from '../server/core/postgres/embedded.ts'
import { openServices } from '../server/setup/open-services.ts'
import { checkSchool, sumOf } from '../server/outcomes/statistics/check.service.ts'
import { rebuildSchool } from '../server/outcomes/statistics/refresh.service.ts'

/**
 * npm run statistics -- check|rebuild [school]: compares the rollups of the statistics with the raw rows, or makes them
 * anew. Ends with 1 where something differs or could not be compared.
 */
const [act = 'check', ...wanted] = process.argv.slice(2)
if (act !== 'check' && act !== 'rebuild') {
  console.error(`没有“${act}”这个操作。用法：dekt statistics check|rebuild [学校代码…]`)
  process.exit(2)
}
const config = parseConfig(process.env)
const opened = await openServices(config, console.log, joinRunning(config.dataDir) ?? undefined)
try {
  const ctx = { db: opened.services.db, clock: systemClock, log: pino() }
  const schools =
    wanted.length > 0
      ? wanted
      : (await ctx.db.selectFrom('school').select('schoolId').orderBy('schoolId').execute()).map(
          ({ schoolId }) => schoolId,
        )
  for (const schoolId of schools) {
    const began = performance.now()
    if (act === 'rebuild') await rebuildSchool(ctx, schoolId)
    const found = await checkSchool(ctx, schoolId)
    const said =
      found === null
        ? '未能比对：一直有新的变更或其他任务在汇总，请稍后再试'
        : sumOf(found) === 0
          ? '与原始记录一致'
          : `${sumOf(found)} 行不一致 ${JSON.stringify(found)}`
    console.log(`${schoolId}: ${said}（${Math.round(performance.now() - began)} 毫秒）`)
    if (found === null || sumOf(found) > 0) process.exitCode = 1
  }
} finally {
  await opened.close()
}
