import { operatorPermit } from '../../../contract/school/runtime/schools.calls.ts'
import type { Config } from '../../core/base/config.ts'

/**
 * What whoever the settings name as an operator of the installation may do beside their roles. As with 运行状态 they
 * must hold the right to see that as well, so that losing their role in the school takes both (decision 054).
 */
export const operatorPermits = (
  { operators }: Pick<Config, 'operators'>,
  { schoolId, suLoginName }: { schoolId: string; suLoginName: string },
  permits: Iterable<string>,
): string[] =>
  operators.includes(`${schoolId}/${suLoginName}`) && new Set(permits).has('runtime:view') ? [operatorPermit] : []
