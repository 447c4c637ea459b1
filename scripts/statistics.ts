import { pino } from 'pino'
import { systemClock } from '../server/core/clock.ts'
import { parseConfig } from '../server/core/config.ts'
import { joinRunning } from '../server/core/database/embedded.ts'
import { openServices } from '../server/setup/open-services.ts'
import { checkSchool, rebuildSchool } from '../server/statistics/refresh.service.ts'

/** npm run statistics -- check|rebuild [school]: compares the rollups of the statistics with the raw rows, or makes them anew. Ends with 1 where something differs. */
const [act = 'check', ...wanted] = process.argv.slice(2)
if (act !== 'check' && act !== 'rebuild') {
  console.error(`没有“${act}”这个操作。用法：npm run statistics -- check|rebuild [学校代码…]`)
  process.exit(2)
}
const config = parseConfig(process.env)
const opened = await openServices(config, console.log, joinRunning(config.dataDir) ?? undefined)
try {
  const ctx = { db: opened.services.db, clock: systemClock, log: pino() }
  const schools = wanted.length > 0 ? wanted : (await ctx.db.selectFrom('school').select('schoolId').orderBy('schoolId').execute()).map(({ schoolId }) => schoolId)
  for (const schoolId of schools) {
    const began = performance.now()
    if (act === 'rebuild') await rebuildSchool(ctx, schoolId)
    const found = await checkSchool(ctx, schoolId)
    const wrong = Object.values(found).reduce((sum, one) => sum + one, 0)
    console.log(`${schoolId}: ${wrong === 0 ? '与原始记录一致' : `${wrong} 行不一致 ${JSON.stringify(found)}`}（${Math.round(performance.now() - began)} 毫秒）`)
    if (wrong > 0) process.exitCode = 1
  }
} finally {
  await opened.close()
}
