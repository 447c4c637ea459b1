import { operatorPermit, provincePermit } from '../../../contract/school/runtime/schools.calls.ts'
import type { Config } from '../../core/base/config.ts'

/** What shows that somebody looks after statistics in their own school. */
const statisticsRight = 'studentstat:list'

/**
 * What whoever the settings name may do across schools beside their roles: operators of the installation, and those who
 * see the statistics of all schools. They must hold the right to the same of their own school as well, so that losing
 * their role there takes both (decisions 054 and 126).
 */
export function operatorPermits(
  { operators, statisticsViewers }: Pick<Config, 'operators' | 'statisticsViewers'>,
  { schoolId, suLoginName }: { schoolId: string; suLoginName: string },
  permits: Iterable<string>,
): string[] {
  const name = `${schoolId}/${suLoginName}`
  const own = new Set(permits)
  const isOperator = operators.includes(name) && own.has('runtime:view')
  const isViewer = statisticsViewers.includes(name) && own.has(statisticsRight)
  return [...(isOperator ? [operatorPermit] : []), ...(isOperator || isViewer ? [provincePermit] : [])]
}
