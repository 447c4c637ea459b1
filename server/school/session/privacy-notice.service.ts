import { sql } from 'kysely'
import type { Checked } from '../../../contract/core/call.ts'
import { accountStatus } from '../../../contract/core/codes/school.ts'
import { Failure } from '../../../contract/core/failure.ts'
import { noticeApi, type Notice } from '../../../contract/school/session/notice.calls.ts'
import { firstNotice, firstNoticeVersion } from '../../../contract/school/session/notice-text.ts'
import { audit } from '../../core/audit/audit.ts'
import { from } from '../../core/database/tenant.ts'
import { forgetActors } from '../../core/request/actor-cache.ts'
import type { Context, PublicContext } from '../../core/request/context.ts'
import { inTransaction } from '../../core/request/transaction.ts'
import { saveSettings, schoolSettings } from '../school/settings.service.ts'

/** The notice in force, for anybody; the text of the program where the school has published none. */
export async function readPrivacyNotice(ctx: PublicContext, { schoolId }: Checked<typeof noticeApi.read>) {
  const school = await from({ db: ctx.db, schoolId }, 'school')
    .select(['schName', 'address', 'phone'])
    .executeTakeFirst()
  if (!school) throw new Failure('not-found')
  const published = await from({ db: ctx.db, schoolId }, 'privacyNotice')
    .select(['version', 'content', 'publishTime'])
    .orderBy('version', 'desc')
    .limit(1)
    .executeTakeFirst()
  const notice: Notice = published ?? { version: firstNoticeVersion, content: firstNotice(school), publishTime: null }
  return { ...notice, schName: school.schName }
}

/**
 * Notes that the person agreed to the version in force, and when.
 * @throws Failure `notice-changed` for another version: nobody agrees to what they have not read
 */
export async function acceptPrivacyNotice(ctx: Context, { version }: Checked<typeof noticeApi.accept>) {
  const { schoolId, suId } = ctx.actor
  const current = await readPrivacyNotice(ctx, { schoolId })
  if (current.version !== version) throw new Failure('notice-changed')
  await inTransaction(ctx, async (tx) => {
    await tx.db
      .updateTable('account')
      .set({ noticeVersion: version, noticeTime: tx.clock.now() })
      .where('schoolId', '=', schoolId)
      .where('suId', '=', suId)
      .execute()
    await audit(tx, { action: noticeApi.accept.summary, bizType: 'person', bizId: suId, after: { 版本: version } })
  })
  forgetActors(schoolId, [suId])
  return { affected: 1 }
}

/** The notice in force with those before it, and how many have agreed. */
export async function privacyNoticeHistory(ctx: Context) {
  const { schoolId, permits } = ctx.actor
  const { version, content, publishTime } = await readPrivacyNotice(ctx, { schoolId })
  const [{ noticeAccept }, counts, versions] = await Promise.all([
    schoolSettings(ctx, schoolId),
    from(ctx, 'account')
      .select([
        sql<number>`count(*)::int`.as('accounts'),
        sql<number>`count(*) filter (where "noticeVersion" = ${version})::int`.as('agreed'),
      ])
      .where('suStatus', '=', accountStatus.active)
      .executeTakeFirstOrThrow(),
    from(ctx, 'privacyNotice')
      .select(['version', 'publishTime', 'publishName'])
      .orderBy('version', 'desc')
      .limit(100)
      .execute(),
  ])
  return {
    current: { version, content, publishTime },
    isAsked: noticeAccept,
    ...counts,
    versions,
    can: permits.has('school:edit') ? (['edit'] as const).slice() : [],
  }
}

/** Publishes a new version and asks everybody to agree to it from now on. */
export async function publishPrivacyNotice(ctx: Context, { version, content }: Checked<typeof noticeApi.publish>) {
  const { schoolId, suId, suNickname } = ctx.actor
  const published = await inTransaction(ctx, async (tx) => {
    const school = await from(tx, 'school').select(['schName', 'settingsVersion']).forUpdate().executeTakeFirstOrThrow()
    const current = await readPrivacyNotice(tx, { schoolId })
    if (current.version !== version) throw new Failure('stale-version')
    const next = { version: version + 1, content }
    await tx.db
      .insertInto('privacyNotice')
      .values({ ...next, schoolId, publishTime: tx.clock.now(), publishBy: suId, publishName: suNickname })
      .execute()
    await saveSettings(tx, { version: school.settingsVersion, values: { noticeAccept: true } })
    await audit(tx, {
      action: noticeApi.publish.summary,
      bizType: 'school',
      bizId: schoolId,
      bizName: school.schName,
      before: { 版本: version },
      after: { 版本: next.version },
    })
    return { version: next.version }
  })
  forgetActors(schoolId)
  return published
}
