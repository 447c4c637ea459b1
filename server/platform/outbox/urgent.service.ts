import { sql } from 'kysely'
import { enableStatus } from '../../../contract/core/codes/platform.ts'
import { newId } from '../../core/base/ids.ts'
import type { PublicContext } from '../../core/request/context.ts'

/** What a person is told at once, and which stands nowhere else. */
interface Urgent {
  schoolId: string
  suId: string
  eventKind: string
  sealedContent: Buffer
  /** Ways by which the person has no address. */
  without: readonly string[]
}

/**
 * Puts something urgent into the outbox, in the caller's transaction, for every channel that carries its kind and is
 * not known to fail just now. Quiet hours and the wishes of the person do not hold it.
 * @returns for how many channels
 */
export async function putUrgent(
  { db, clock }: Pick<PublicContext, 'db' | 'clock'>,
  { schoolId, suId, eventKind, sealedContent, without }: Urgent,
): Promise<number> {
  const now = clock.now()
  const channels = await db
    .selectFrom('outboxDestination')
    .select('odId')
    .where('schoolId', '=', schoolId)
    .where('enable', '=', enableStatus.enabled)
    .where('odChannel', 'not in', ['', ...without])
    .where(sql<boolean>`"messageKinds" @> array[${eventKind}]::text[]`)
    .where((or) => or.or([or('pausedUntil', 'is', null), or('pausedUntil', '<=', now)]))
    .orderBy('odId')
    .execute()
  if (channels.length === 0) return 0
  const eventId = newId()
  await db
    .insertInto('outboxDelivery')
    .values(
      channels.map(({ odId }) => ({
        schoolId,
        dlId: newId(),
        odId,
        suId,
        eventId,
        eventKind,
        eventData: '{}',
        isUrgent: true,
        sealedContent,
        createTime: now,
        queueTime: now,
      })),
    )
    .execute()
  return channels.length
}
