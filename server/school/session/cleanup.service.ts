import { addDays } from '../../core/base/clock.ts'
import type { PublicContext } from '../../core/request/context.ts'

/**
 * Removes what sign-in leaves behind and nothing will look at again: codes that have run out, sessions that have ended
 * by their age (each tells where somebody was), devices that were remembered long enough, requests for codes, and
 * counters of tries, of which anybody may cause any number by inventing names.
 */
export async function cleanUpSessions({ db, clock }: Pick<PublicContext, 'db' | 'clock'>): Promise<void> {
  const now = clock.now()
  const yesterday = addDays(now, -1)
  await db
    .updateTable('resetRequest')
    .set({ sealedMessage: null })
    .where('expireTime', '<=', now)
    .where('sealedMessage', 'is not', null)
    .execute()
  await db.deleteFrom('session').where('absoluteExpiry', '<=', now).execute()
  await db.deleteFrom('trustedDevice').where('expireTime', '<=', now).execute()
  await db.deleteFrom('identityTry').where('expireTime', '<=', now).execute()
  await db.deleteFrom('identityLogout').where('expireTime', '<=', now).execute()
  await db.deleteFrom('activationCode').where('expireTime', '<', yesterday).execute()
  await db.deleteFrom('resetRequest').where('expireTime', '<', yesterday).execute()
  // after a day a counter begins anew in any case, its locks forgotten
  await db
    .deleteFrom('loginCounter')
    .where('windowStart', '<', yesterday)
    .where((eb) => eb.or([eb('lockedUntil', 'is', null), eb('lockedUntil', '<', now)]))
    .execute()
}
