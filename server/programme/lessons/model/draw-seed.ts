import { from } from '../../../core/database/tenant.ts'
import type { Context } from '../../../core/request/context.ts'
import { digestOf, newSeed } from './draw.ts'

/**
 * Promises a course's draw: a seed is kept and its digest can be read from then on. Done once, however often it is
 * asked for.
 */
export async function promiseSeed(
  { db, actor, clock }: Pick<Context, 'db' | 'actor' | 'clock'>,
  liId: string,
): Promise<void> {
  const seed = newSeed()
  await db
    .insertInto('lessonDraw')
    .values({ schoolId: actor.schoolId, liId, seed, digest: digestOf(seed), committedTime: clock.now() })
    .onConflict((taken) => taken.doNothing())
    .execute()
}

/** Whether a course's lots have been drawn. */
export const hasDrawn = async (ctx: Pick<Context, 'db' | 'actor'>, liId: string): Promise<boolean> =>
  (await from(ctx, 'lessonDraw')
    .select('liId')
    .where('liId', '=', liId)
    .where('drawnTime', 'is not', null)
    .executeTakeFirst()) !== undefined
