import { messageType } from '../../../contract/core/codes/platform.ts'
import { quoted } from '../../../contract/core/quotes.ts'
import { dayOf, epochOf, wallOf } from '../../core/base/clock.ts'
import { from, ofWorkingSchool } from '../../core/database/tenant.ts'
import type { Context } from '../../core/request/context.ts'
import { systemContext, type JobServices } from '../../core/request/system.ts'
import { inTransaction } from '../../core/request/transaction.ts'
import { notify } from '../../platform/notifications/notify.service.ts'
import { holdersOf } from '../roles/holders.service.ts'
import { endOfMetadata, readSamlMetadata } from './saml-metadata.ts'

/** Days before its end at which metadata are warned of, each once; 0 is when it is over. */
const warnedAt = [30, 7, 0] as const
/** The first of them: also from when a test of the provider says so. */
export const [warnDays] = warnedAt
const dayMs = 86_400_000

/**
 * The recurring job: tells who may set up sign-ins before pasted metadata of SAML end, with their last certificate or
 * by what they say of themselves. From then on nobody comes in by them, and nothing on our side will have changed. What
 * is read from an address brings new certificates by itself, and its faults are told by the test of the provider.
 * @returns how many providers were warned of
 */
export async function warnOfCertificates(services: JobServices): Promise<number> {
  const providers = await services.db
    .selectFrom('identityProvider')
    .select(['schoolId', 'providerId'])
    .where('kind', '=', 'saml')
    .where('enabled', '=', true)
    .where(ofWorkingSchool('identityProvider'))
    .execute()
  let warned = 0
  for (const { schoolId, providerId } of providers)
    try {
      if (await warnOf(systemContext(services, schoolId), providerId)) warned++
    } catch (err) {
      services.log.error({ err, schoolId, providerId }, 'the end of a certificate could not be looked at')
    }
  return warned
}

const warnOf = (ctx: Context, providerId: string): Promise<boolean> =>
  inTransaction(ctx, async (tx) => {
    const provider = await from(tx, 'identityProvider')
      .select(['name', 'settings', 'warnedOf'])
      .where('providerId', '=', providerId)
      .where('enabled', '=', true)
      .forUpdate()
      .executeTakeFirst()
    const pasted = (provider?.settings as { metadata?: string } | undefined)?.metadata
    if (!provider || !pasted) return false
    // what is over is read as well
    const end = endOfMetadata(readSamlMetadata(pasted, new Date(0)))
    if (!end) return false
    const left = Math.ceil((end.getTime() - epochOf(tx.clock.now())) / dayMs)
    const stage = warnedAt.findLast((days) => left <= days)
    const day = dayOf(wallOf(end.getTime()))
    if (stage === undefined || provider.warnedOf === `${day}/${stage}`) return false
    await tx.db
      .updateTable('identityProvider')
      .set({ warnedOf: `${day}/${stage}` })
      .where('schoolId', '=', tx.actor.schoolId)
      .where('providerId', '=', providerId)
      .execute()
    const what = `登录方式${quoted(provider.name)}的签名证书`
    const [title, effect] =
      stage === 0
        ? [`${what}已于 ${day} 到期`, '人员已不能用它登录。']
        : [`${what}将于 ${day} 到期`, '到期后人员不能再用它登录。']
    await notify(tx, {
      suIds: await holdersOf(tx, 'identity:manage'),
      title,
      content: `${effect}请向对方的管理员索取含新证书的元数据，在“统一身份认证”中编辑该登录方式，粘贴后点“测试”。`,
      type: messageType.warning,
      link: '/integration/identity',
    })
    return true
  })
