import type { Checked } from '../../../contract/core/call.ts'
import { Failure } from '../../../contract/core/failure.ts'
import { messageType } from '../../../contract/core/codes/platform.ts'
import { accountAccessApi, type AccountAccess } from '../../../contract/school/session/account-access.calls.ts'
import { audit } from '../../core/audit/audit.ts'
import { addSeconds } from '../../core/base/clock.ts'
import { from } from '../../core/database/tenant.ts'
import { forgetActors } from '../../core/request/actor-cache.ts'
import type { Context } from '../../core/request/context.ts'
import { inTransaction } from '../../core/request/transaction.ts'
import { notify } from '../../platform/notifications/notify.service.ts'
import { removeFactor } from './factor-codes.service.ts'
import { lockedUntilOf, signInKey, unlock } from './lockout.ts'
import { endSessions, idleSeconds } from './tokens.ts'
import { accountOf, type AccountRow } from '../people/accounts.service.ts'
import { lockStudents, lockTeachers, type LockedPerson } from '../people/lock-people.service.ts'
import { assertNotOutranked } from '../people/rank-check.service.ts'
import { visibleStudents } from '../people/students.service.ts'
import { visibleTeachers } from '../people/teachers.service.ts'

type Person = Pick<Checked<typeof accountAccessApi.student>, 'suId'>
type Reason = Checked<typeof accountAccessApi.signOutStudent>
type Lock = (tx: Context, ids: readonly string[]) => Promise<LockedPerson[]>

/** Where a student is signed in, and whether their account is locked. */
export const studentAccess = (ctx: Context, { suId }: Person) => accessOf(ctx, suId, visibleStudents(ctx))
/** The same for a member of staff. */
export const teacherAccess = (ctx: Context, { suId }: Person) => accessOf(ctx, suId, visibleTeachers(ctx))

async function accessOf(
  ctx: Context,
  suId: string,
  people: ReturnType<typeof visibleStudents>,
): Promise<AccountAccess> {
  const person = await people.select('person.suId').where('person.suId', '=', suId).executeTakeFirst()
  if (!person) throw new Failure('not-found')
  const now = ctx.clock.now()
  const sessions = await from(ctx, 'session')
    .select(['agent', 'ip', 'createTime', 'lastSeen'])
    .where('suId', '=', suId)
    .where('absoluteExpiry', '>', now)
    .where('lastSeen', '>=', addSeconds(now, -idleSeconds))
    .orderBy('lastSeen', 'desc')
    .execute()
  const account = await accountOf(ctx.db, ctx.actor.schoolId, suId)
  return {
    sessions,
    lockedUntil: account ? await lockedUntilOf(ctx, keyOf(account)) : null,
    factorSince: account?.totpTime ?? null,
  }
}

/** The counter of an account's sign-in name. */
const keyOf = ({ schoolId, suLoginName }: AccountRow): string => signInKey(schoolId, suLoginName)

/** Ends every session of a student. */
export const signOutStudent = (ctx: Context, input: Reason) =>
  signOut(ctx, input, lockStudents, accountAccessApi.signOutStudent.summary)
/** Ends every session of a member of staff. */
export const signOutTeacher = (ctx: Context, input: Reason) =>
  signOut(ctx, input, lockTeachers, accountAccessApi.signOutTeacher.summary)

/** Whoever wants their own sessions ended does so among their own devices, and stays signed in. */
async function signOut(ctx: Context, { suId, reason }: Reason, lock: Lock, action: string) {
  if (suId === ctx.actor.suId) throw new Failure('own-session')
  const { schoolId } = ctx.actor
  const affected = await inTransaction(ctx, async (tx) => {
    const person = await lockedPerson(tx, lock, suId)
    const { numDeletedRows } = await tx.db
      .deleteFrom('session')
      .where('schoolId', '=', schoolId)
      .where('suId', '=', suId)
      .executeTakeFirstOrThrow()
    const ended = Number(numDeletedRows)
    await audit(tx, { action, ...asRecord(person), reason, after: { sessions: ended } })
    return ended
  })
  forgetActors(schoolId, [suId])
  return { affected }
}

/** Lets a student whose account is locked after wrong passwords try again at once. */
export const unlockStudent = (ctx: Context, input: Person) =>
  unlockAccount(ctx, input, lockStudents, accountAccessApi.unlockStudent.summary)
/** The same for a member of staff. */
export const unlockTeacher = (ctx: Context, input: Person) =>
  unlockAccount(ctx, input, lockTeachers, accountAccessApi.unlockTeacher.summary)

const unlockAccount = (ctx: Context, { suId }: Person, lock: Lock, action: string) =>
  inTransaction(ctx, async (tx) => {
    const person = await lockedPerson(tx, lock, suId)
    const account = await accountOf(tx.db, tx.actor.schoolId, suId)
    if (!account || !(await unlock(tx, keyOf(account)))) return { affected: 0 }
    await audit(tx, { action, ...asRecord(person) })
    return { affected: 1 }
  })

/** Takes the second factor of a student away, who has lost phone and recovery codes. */
export const resetStudentFactor = (ctx: Context, input: Reason) =>
  resetFactor(ctx, input, lockStudents, accountAccessApi.resetStudentFactor.summary)
/** The same for a member of staff. */
export const resetTeacherFactor = (ctx: Context, input: Reason) =>
  resetFactor(ctx, input, lockTeachers, accountAccessApi.resetTeacherFactor.summary)

/** Their sessions end, and they are told: whoever did not ask for it should know at the next sign-in. */
async function resetFactor(ctx: Context, { suId, reason }: Reason, lock: Lock, action: string) {
  if (suId === ctx.actor.suId) throw new Failure('own-factor')
  const { schoolId } = ctx.actor
  const affected = await inTransaction(ctx, async (tx) => {
    const person = await lockedPerson(tx, lock, suId)
    const account = await accountOf(tx.db, schoolId, suId)
    if (!account?.totpTime) return 0
    await removeFactor(tx, { schoolId, suId })
    await endSessions(tx, schoolId, suId)
    await audit(tx, { action, ...asRecord(person), reason })
    await notify(tx, {
      suIds: [suId],
      title: '动态口令已重置',
      content: `您的动态口令已由管理员重置，原因：${reason}。如非您本人申请，请立即修改密码并联系学校。`,
      type: messageType.system,
      link: '/personalCenter/account',
    })
    return 1
  })
  forgetActors(schoolId, [suId])
  return { affected }
}

/** Ends every session of the school but the one that asks. */
export async function signOutEverybody(ctx: Context, { reason }: Checked<typeof accountAccessApi.signOutEverybody>) {
  // whoever looks after a part of the school cannot empty the whole of it
  if (!ctx.scope.whole) throw new Failure('not-permitted')
  const { schoolId, sessionId } = ctx.actor
  const affected = await inTransaction(ctx, async (tx) => {
    const { numDeletedRows } = await tx.db
      .deleteFrom('session')
      .where('schoolId', '=', schoolId)
      .where('sessionId', '<>', sessionId)
      .executeTakeFirstOrThrow()
    const ended = Number(numDeletedRows)
    const { summary } = accountAccessApi.signOutEverybody
    await audit(tx, { action: summary, bizType: 'session', reason, after: { sessions: ended } })
    return ended
  })
  forgetActors(schoolId)
  return { affected }
}

async function lockedPerson(tx: Context, lock: Lock, suId: string): Promise<LockedPerson> {
  const [person] = await lock(tx, [suId])
  await assertNotOutranked(tx, [suId])
  return person!
}

const asRecord = ({ suId, suiName, suiNumber }: LockedPerson) => ({
  bizType: 'person' as const,
  bizId: suId,
  bizName: `${suiName}（${suiNumber}）`,
})
