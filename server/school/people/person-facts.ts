import { sql } from 'kysely'
import { accountStatus } from '../../../contract/core/codes/school.ts'
import { invalidInput } from '../../../contract/core/failure.ts'
import type { Actor, Context } from '../../core/request/context.ts'
import { from } from '../../core/database/tenant.ts'
import { allowedActions, type Location } from '../../core/request/scope-check.ts'

/** The right to see what is sensitive of people. */
export const piiRight = 'pii:view'

/** The actions on a kind of people and the rights they ask for. */
const rightsOver = (kind: 'student' | 'teacher') =>
  ({
    edit: `${kind}:edit`,
    delete: `${kind}:delete`,
    resetPwd: kind === 'student' ? 'student:resetPwd' : 'teacher:edit',
    credibility: 'student:credibility',
    enable: `${kind}:edit`,
    disable: `${kind}:edit`,
    unmask: piiRight,
  }) as const

type Actions = keyof ReturnType<typeof rightsOver>

/**
 * What the asking person may do to somebody now: by their rights, and by whether the account is on. Nobody stops or
 * removes themselves; staff have no credibility.
 */
export function personCan(
  actor: Actor,
  kind: 'student' | 'teacher',
  { suId, suStatus }: { suId: string; suStatus: string },
  place: Location,
): Actions[] {
  const isOwn = suId === actor.suId
  const fits: Partial<Record<Actions, boolean>> = {
    delete: !isOwn,
    credibility: kind === 'student',
    disable: suStatus === accountStatus.active && !isOwn,
    enable: suStatus !== accountStatus.active,
  }
  return allowedActions(actor, rightsOver(kind), place).filter((act) => fits[act] ?? true)
}

/** Whether an edit touches what somebody signs in or recovers a password by: number, mail or phone. */
export const reachesAccount = (
  before: { suiNumber: string; suiEmail: string | null; suiPhoneHash: Buffer | null },
  after: typeof before,
): boolean =>
  before.suiNumber !== after.suiNumber ||
  before.suiEmail !== after.suiEmail ||
  !(before.suiPhoneHash ?? Buffer.alloc(0)).equals(after.suiPhoneHash ?? Buffer.alloc(0))

/** Refuses papers that somebody else of the school has already. */
export async function assertUniquePapers(
  ctx: Pick<Context, 'db' | 'actor'>,
  suId: string | undefined,
  { suiIdCardHash }: { suiIdCardHash: Buffer | null },
): Promise<void> {
  if (!suiIdCardHash) return
  const holders = await from(ctx, 'person').select('suId').where('suiIdCardHash', '=', suiIdCardHash).limit(2).execute()
  if (holders.some((holder) => holder.suId !== suId))
    throw invalidInput([{ field: 'suiIdCard', msg: '该证件号码已属于其他人员' }])
}

/** The names of a person's roles, as a column of a query over `person`. */
export const rolesColumn = sql<{ srId: string; srName: string; srCode: string }[]>`coalesce(
    (
      select json_agg(json_build_object('srId', r."srId", 'srName', r."srName", 'srCode', r."srCode")
        order by r."srSort")
      from "roleUser" u
      join "role" r on r."schoolId" = u."schoolId" and r."srId" = u."srId"
      where u."schoolId" = "person"."schoolId" and u."suId" = "person"."suId"
    ), '[]'
  )`
