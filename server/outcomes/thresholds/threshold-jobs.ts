import { dayOf } from '../../core/base/clock.ts'
import type { AppServices } from '../../core/http/http.ts'
import type { JobHandlers } from '../../core/jobs/job-runner.ts'
import { systemContext } from '../../core/request/system.ts'
import { askForCalc, calcJob } from './bases.service.ts'
import { recalculateSchool } from './recalculate.service.ts'

/** From this hour of the day on, schools are checked for the night. */
const nightHour = 2

/** Weighing: every school once a night, and one of them whenever its expectations change. */
export const thresholdJobs = (services: AppServices): JobHandlers => ({
  [calcJob]: { attempts: 3, atOnce: 1, run: (job) => recalculateSchool(systemContext(services, job.schoolId)) },
  'threshold:nightly': { every: 1800, run: () => startNight(services) },
})

/** Asks for the checking of the schools that have not been checked today. @returns how many */
export async function startNight(services: AppServices): Promise<number> {
  const now = services.clock.now()
  if (Number(now.slice(11, 13)) < nightHour) return 0
  const schools = await services.db
    .selectFrom('school as s')
    .leftJoin('thresholdRun as r', 'r.schoolId', 's.schoolId')
    .select('s.schoolId')
    .where((or) => or.or([or('r.runTime', 'is', null), or('r.runTime', '<', `${dayOf(now)} 00:00:00`)]))
    .execute()
  for (const { schoolId } of schools) await askForCalc(systemContext(services, schoolId))
  return schools.length
}
