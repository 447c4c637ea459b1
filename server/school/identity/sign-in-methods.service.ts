import { sql } from 'kysely'
import type { Checked } from '../../../contract/core/call.ts'
import { enableStatus, yesNo } from '../../../contract/core/codes/platform.ts'
import { accountStatus, personType } from '../../../contract/core/codes/school.ts'
import { Failure } from '../../../contract/core/failure.ts'
import { audiences, type Audience, type identityApi } from '../../../contract/school/identity/identity.calls.ts'
import type { SettingKey } from '../../../contract/school/school/settings.ts'
import { dayOf } from '../../core/base/clock.ts'
import { from, withinSchool } from '../../core/database/tenant.ts'
import type { Context, PublicContext } from '../../core/request/context.ts'
import { noPassword } from '../../core/secrets/passwords.ts'
import type { AccountRow } from '../people/accounts.service.ts'
import { grantsOf } from '../roles/grants.service.ts'
import { schoolSettings } from '../school/settings.service.ts'
import { providersInUse } from './providers.service.ts'

const administrator = 'SCHOOL_ADMIN'
/** The setting that says whether people of a kind may use their passwords. */
const passwordSettings = {
  student: 'passwordStudents',
  teacher: 'passwordTeachers',
  administrator: 'passwordAdministrators',
} as const satisfies Record<Audience, SettingKey>

/** What somebody counts as where ways of signing in are opened to people. */
export async function audienceOf(
  ctx: PublicContext,
  { schoolId, suId, suType }: Pick<AccountRow, 'schoolId' | 'suId' | 'suType'>,
): Promise<Audience> {
  const grants = await grantsOf(ctx, schoolId, suId)
  if (grants.some(({ srCode }) => srCode === administrator)) return 'administrator'
  return suType === personType.student ? 'student' : 'teacher'
}

/**
 * Refuses the password of somebody whose kind has to use a provider, once it has turned out right. It is never refused
 * where no provider is left, and not to the administrator for emergencies.
 */
export async function assertMayUsePassword(ctx: PublicContext, account: AccountRow): Promise<void> {
  const { schoolId, suId } = account
  const settings = await schoolSettings(ctx, schoolId)
  if (audiences.every((kind) => settings[passwordSettings[kind]])) return
  const kind = await audienceOf(ctx, account)
  if (settings[passwordSettings[kind]]) return
  const ways = (await providersInUse(ctx, schoolId)).filter(({ audience }) => audience.includes(kind))
  if (ways.length === 0) return
  if (kind === 'administrator' && (await emergencyAdministrator(ctx, schoolId))?.suId === suId) return
  throw new Failure('password-not-for-you', { ways: ways.map(({ name }) => name).join('”或“') })
}

/**
 * The administrator who can always sign in by a password: of those whose role does not end by itself and who have
 * chosen a password, the one with the oldest account. Nobody has to name them, so that nobody can forget to.
 */
const emergencyAdministrator = (ctx: Pick<PublicContext, 'db' | 'clock'>, schoolId: string) =>
  from({ db: ctx.db, schoolId }, 'account')
    .innerJoin('person', withinSchool('person.suId', 'account.suId'))
    .innerJoin('roleUser', withinSchool('roleUser.suId', 'account.suId'))
    .innerJoin('role', withinSchool('role.srId', 'roleUser.srId'))
    .select(['account.suId', 'account.suLoginName', 'account.suNickname'])
    .where('role.srCode', '=', administrator)
    .where('role.enable', '=', enableStatus.enabled)
    .where((or) => or.or([or('roleUser.endDate', 'is', null), or('roleUser.endDate', '>=', dayOf(ctx.clock.now()))]))
    .where('account.suStatus', '=', accountStatus.active)
    .where('person.delFlag', '=', sql.lit(yesNo.no))
    .where('account.passwordHash', '!=', noPassword)
    .where((or) => or.or([or('account.initialUntil', 'is', null), or('account.initialUntil', '>=', ctx.clock.now())]))
    .orderBy(sql`"roleUser"."endDate" is not null`)
    // who has never chosen a password may not know the one they were given
    .orderBy('account.mustChangePwd')
    .orderBy('account.createTime')
    .orderBy('account.suId')
    .executeTakeFirst()

/** Who may sign in by what, as it holds now. */
export async function listSignInMethods(ctx: Context, _: Checked<typeof identityApi.ways>) {
  const { schoolId } = ctx.actor
  const [settings, emergency, inUse] = await Promise.all([
    schoolSettings(ctx, schoolId),
    emergencyAdministrator(ctx, schoolId),
    providersInUse(ctx, schoolId),
  ])
  const kinds = audiences.map((kind) => {
    const names = inUse.filter(({ audience }) => audience.includes(kind)).map(({ name }) => name)
    const password = settings[passwordSettings[kind]] ? 'on' : names.length === 0 ? 'fallback' : 'off'
    return { kind, password, providers: names } as const
  })
  return { kinds: [...kinds], emergency: emergency ?? null }
}
