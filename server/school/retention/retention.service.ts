import { sql } from 'kysely'
import { audit } from '../../core/audit/audit.ts'
import { dayOf } from '../../core/base/clock.ts'
import type { Db } from '../../core/database/pool.ts'
import type { Context } from '../../core/request/context.ts'
import { systemContext, type JobServices } from '../../core/request/system.ts'
import { inTransaction } from '../../core/request/transaction.ts'
import { removeOldImports } from '../../platform/imports/ending.service.ts'
import { startOfMonthBefore } from '../audit/archiving.service.ts'
import { removeOldMessages } from '../messages/expiry.service.ts'
import { schoolSettings } from '../school/settings.service.ts'
import { forgetSignInTraces } from '../session/login-days.service.ts'

/** Hours of the night in which what has had its time goes. */
const night = { from: 1, to: 5 }

/** Forgets on which devices and where people signed in to courses before a moment; handed in by what knows courses. */
type ForgetSignPlaces = (db: Db, schoolId: string, before: string) => Promise<number>

/** The recurring job: by night, what each school keeps no longer. The fault of one school keeps no other from it. */
export async function removeExpiredByNight(services: JobServices, forgetSignPlaces: ForgetSignPlaces): Promise<void> {
  const hour = Number(services.clock.now().slice(11, 13))
  if (hour < night.from || hour >= night.to) return
  const schools = await services.db.selectFrom('school').select('schoolId').orderBy('schoolId').execute()
  for (const { schoolId } of schools)
    try {
      await removeExpired(systemContext(services, schoolId), forgetSignPlaces)
    } catch (err) {
      services.log.error({ err, schoolId }, 'what a school keeps no longer could not be removed')
    }
}

/** How many went, of each kind. */
export interface Removed {
  messages: number
  signIns: number
  signPlaces: number
  imports: number
  passwords: number
}

/**
 * Removes what one school keeps no longer by its terms (保存期限), in whole months: messages, addresses and browsers of
 * sign-ins, devices and places of signing in to courses, imports; and passwords before the last five, which nothing
 * asks for. On record is how many.
 */
export async function removeExpired(ctx: Context, forgetSignPlaces: ForgetSignPlaces): Promise<Removed> {
  const { db, actor, clock } = ctx
  const { schoolId } = actor
  const { messageMonths, signInTraceMonths, importMonths } = await schoolSettings(ctx, schoolId)
  const before = (months: number) => startOfMonthBefore(clock.now(), months)
  const removed = {
    messages: messageMonths === 0 ? 0 : await removeOldMessages(db, schoolId, before(messageMonths)),
    signIns: await forgetSignInTraces(db, schoolId, dayOf(before(signInTraceMonths))),
    signPlaces: await forgetSignPlaces(db, schoolId, before(signInTraceMonths)),
    imports: importMonths === 0 ? 0 : await removeOldImports(db, schoolId, before(importMonths)),
    passwords: await removeOldPasswords(db, schoolId),
  }
  if (Object.values(removed).some((count) => count > 0))
    await inTransaction(ctx, (tx) => audit(tx, { action: '按保存期限清理', bizType: 'school', after: removed }))
  return removed
}

/** Passwords that nobody is kept from using again, for five newer ones stand before them. */
async function removeOldPasswords(db: Db, schoolId: string): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from "passwordHistory" old
    where "schoolId" = ${schoolId}
      and "setTime" < (
        select "setTime"
        from "passwordHistory" newer
        where newer."schoolId" = ${schoolId} and newer."suId" = old."suId"
        order by "setTime" desc
        offset 4
        limit 1
      )`.execute(db)
  return Number(numAffectedRows)
}
