import type { Context } from '../../core/request/context.ts'
import type { PublicContext } from '../../core/request/context.ts'

/**
 * Whether somebody may know of the whole installation: where it has one school, whoever may see the state of that;
 * otherwise the accounts of `OPERATORS` (decision 054).
 */
export async function mayViewInstallation({ db, config, actor }: Context): Promise<boolean> {
  if (config.operators.includes(`${actor.schoolId}/${actor.suLoginName}`)) return true
  return hasOneSchool({ db })
}

/** Whether the database holds one school and no more. */
export async function hasOneSchool({ db }: Pick<PublicContext, 'db'>): Promise<boolean> {
  return (await db.selectFrom('school').select('schoolId').limit(2).execute()).length === 1
}
