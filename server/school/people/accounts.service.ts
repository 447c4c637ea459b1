import { yesNo } from '../../../contract/core/codes/platform.ts'
import { sql } from 'kysely'
import { accountStatus } from '../../../contract/core/codes/school.ts'
import { anyOf } from '../../core/database/any-of.ts'
import type { PublicContext } from '../../core/request/context.ts'
import type { Db } from '../../core/database/pool.ts'
import { from, withinSchool } from '../../core/database/tenant.ts'
import { addDays } from '../../core/base/clock.ts'
import { takeQuota } from '../../core/request/quotas.ts'
import { noPassword, storedHash } from '../../core/secrets/passwords.ts'

/** A name as accounts are found by it: width, case and outer blanks make no difference. */
export const foldLoginName = (name: string): string => name.normalize('NFKC').trim().toLowerCase()

export type AccountRow = NonNullable<Awaited<ReturnType<typeof findAccount>>>

/** The account of a login name, with its person's name and birth; undefined where there is none. */
export const findAccount = (db: Db, schoolId: string, loginName: string) =>
  accounts(db)
    .where('account.schoolId', '=', schoolId)
    .where('account.suLoginName', '=', foldLoginName(loginName))
    .executeTakeFirst()

/** The account of whoever has a number (学工号) in a school; undefined where nobody or more than one has. */
export async function accountOfNumber(db: Db, schoolId: string, suiNumber: string): Promise<AccountRow | undefined> {
  const found = await accounts(db)
    .where('account.schoolId', '=', schoolId)
    .where('person.suiNumber', '=', suiNumber)
    .where('person.delFlag', '=', sql.lit(yesNo.no))
    .limit(2)
    .execute()
  return found.length === 1 ? found[0] : undefined
}

/** The account of a person. */
export const accountOf = (db: Db, schoolId: string, suId: string) =>
  accounts(db).where('account.schoolId', '=', schoolId).where('account.suId', '=', suId).executeTakeFirst()

const accounts = (db: Db) =>
  db
    .selectFrom('account')
    .innerJoin('person', withinSchool('person.suId', 'account.suId'))
    .select([
      'account.schoolId',
      'account.suId',
      'suLoginName',
      'suNickname',
      'account.suType',
      'account.suStatus',
      'passwordHash',
      'mustChangePwd',
      'initialUntil',
      'lastLoginTime',
      'previousLoginTime',
      'totpTime',
    ])
    .select([
      'suiName',
      'suiNumber',
      'birth',
      'suiEmail',
      'suiPhone',
      'suiCollegeId',
      'contactsErased',
      'suiType',
      'suiStatus',
      'person.delFlag',
    ])

/**
 * Opens accounts for people, in a transaction. Without a password nobody can sign in until one is set for them.
 * @throws Failure where the school's quota does not allow so many
 */
export async function openAccounts(
  ctx: PublicContext,
  schoolId: string,
  people: { suId: string; suiNumber: string; suiName: string; suType: string }[],
): Promise<void> {
  const now = ctx.clock.now()
  for (let at = 0; at < people.length; at += 1000) {
    const rows = people.slice(at, at + 1000).map(({ suId, suiNumber, suiName, suType }) => ({
      schoolId,
      suId,
      suLoginName: foldLoginName(suiNumber),
      suNickname: suiName,
      suType,
      passwordHash: noPassword,
      createTime: now,
      updateTime: now,
    }))
    await ctx.db.insertInto('account').values(rows).execute()
  }
  await takeQuota(ctx, schoolId, 'people', people.length)
}

/**
 * Sets a password and remembers the old one; devices that were not asked for a code are asked again. An initial
 * password (given by somebody else) must be changed at first use and runs out after `days`.
 */
export async function setPassword(
  ctx: PublicContext,
  schoolId: string,
  suId: string,
  password: string,
  initial?: { days: number },
): Promise<void> {
  const now = ctx.clock.now()
  const passwordHash = await storedHash(password, ctx.secrets.pepper)
  await ctx.db.insertInto('passwordHistory').values({ schoolId, suId, passwordHash, setTime: now }).execute()
  await ctx.db
    .updateTable('account')
    .set({
      passwordHash,
      mustChangePwd: initial !== undefined,
      initialUntil: initial ? addDays(now, initial.days) : null,
      pwdUpdateTime: now,
      updateTime: now,
    })
    .where('schoolId', '=', schoolId)
    .where('suId', '=', suId)
    .execute()
  await ctx.db.deleteFrom('trustedDevice').where('schoolId', '=', schoolId).where('suId', '=', suId).execute()
}

/** The hashes of the last five passwords, which may not be used again. */
export async function lastPasswords(db: Db, schoolId: string, suId: string): Promise<string[]> {
  const rows = await from({ db, schoolId }, 'passwordHistory')
    .select('passwordHash')
    .where('suId', '=', suId)
    .orderBy('setTime', 'desc')
    .limit(5)
    .execute()
  return rows.map((row) => row.passwordHash)
}

/**
 * Whether an account of a query with `account` has been activated: it has a password, or somebody has signed in to it.
 */
export const isActivated = sql<boolean>`("account"."passwordHash" <> ${sql.lit(noPassword)} or "account"."lastLoginTime" is not null)`

/** Whether the sign-in name that a number makes is still free, or the own one of the person who is to have it. */
export async function loginNameFree(db: Db, schoolId: string, suiNumber: string, suId?: string): Promise<boolean> {
  const holder = await from({ db, schoolId }, 'account')
    .select('suId')
    .where('suLoginName', '=', foldLoginName(suiNumber))
    .executeTakeFirst()
  return !holder || holder.suId === suId
}

/**
 * Keeps an account in step with its person's number and name, and switches it on or off.
 * @param formerName the person's name before: an account that goes by another one keeps it unless it is told anew
 */
export async function updateAccount(
  ctx: PublicContext,
  schoolId: string,
  suId: string,
  account: { suiNumber: string; suiName: string; suNickname?: string | undefined; suStatus: string },
  formerName = account.suiName,
): Promise<void> {
  const { suiName, suNickname } = account
  await ctx.db
    .updateTable('account')
    .set({
      suLoginName: foldLoginName(account.suiNumber),
      suNickname:
        suNickname ?? sql<string>`case when "suNickname" = ${formerName} then ${suiName} else "suNickname" end`,
      updateTime: ctx.clock.now(),
    })
    .where('schoolId', '=', schoolId)
    .where('suId', '=', suId)
    .execute()
  await switchAccounts(ctx, schoolId, [suId], account.suStatus)
}

/** Switches accounts on or off and ends the sessions of those switched off. @returns whose account was not so before */
export async function switchAccounts(
  { db, clock }: Pick<PublicContext, 'db' | 'clock'>,
  schoolId: string,
  suIds: readonly string[],
  suStatus: string,
): Promise<string[]> {
  const rows = await db
    .updateTable('account')
    .set({ suStatus, updateTime: clock.now() })
    .where('schoolId', '=', schoolId)
    .where(anyOf('suId', suIds))
    .where('suStatus', '<>', suStatus)
    .returning('suId')
    .execute()
  if (suStatus !== accountStatus.active)
    await db.deleteFrom('session').where('schoolId', '=', schoolId).where(anyOf('suId', suIds)).execute()
  else await takeQuota({ db, clock }, schoolId, 'people', rows.length)
  return rows.map(({ suId }) => suId)
}

/** Takes accounts away, with their sessions, passwords and roles; the sign-in names become free. */
export async function closeAccounts(db: Db, schoolId: string, suIds: readonly string[]): Promise<void> {
  for (const table of ['account', 'session', 'resetRequest'] as const)
    await db.deleteFrom(table).where('schoolId', '=', schoolId).where(anyOf('suId', suIds)).execute()
}
