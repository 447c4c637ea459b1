import type { Context } from '../../core/request/context.ts'
import { onlySchool } from '../school/school.service.ts'

/**
 * Whether somebody may know of the whole installation: where it has one school, whoever may see the state of that;
 * otherwise the accounts of `OPERATORS` (decision 054).
 */
export async function mayViewInstallation({ db, config, actor }: Context): Promise<boolean> {
  if (config.operators.includes(`${actor.schoolId}/${actor.suLoginName}`)) return true
  return (await onlySchool({ db })) !== undefined
}
