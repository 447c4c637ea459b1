import { Failure } from '../../../contract/core/failure.ts'
import { audit } from '../../core/audit/audit.ts'
import { from } from '../../core/database/tenant.ts'
import type { Context } from '../../core/request/context.ts'
import { ownActs } from '../../core/request/own-acts.ts'
import { assertVersion } from '../../core/request/scope-check.ts'
import { updatedColumns } from '../../core/request/stamp-columns.ts'
import { inTransaction } from '../../core/request/transaction.ts'
import { schoolSettings } from '../school/settings.service.ts'
import { auditName } from './person-write.service.ts'
import { auditable, maskedFields, settled } from './sensitive.ts'

interface Contact {
  suiPhone?: string | undefined
  suiEmail?: string | undefined
  suiDorm?: string | undefined
  version?: number | undefined
}

/** How the person who asks is reached, masked, and whether the school lets them change it. */
export async function readOwnContact(ctx: Context) {
  const [person, { contactSelf }] = await Promise.all([
    from(ctx, 'person').selectAll().where('suId', '=', ctx.actor.suId).executeTakeFirstOrThrow(),
    schoolSettings(ctx, ctx.actor.schoolId),
  ])
  const { suiPhone, suiEmail } = maskedFields(person, ctx.secrets, false)
  const can = ownActs(ctx.actor, contactSelf ? ['edit' as const] : [])
  return { suiPhone, suiEmail, suiDorm: person.suiDorm, version: person.version, can }
}

/**
 * Changes how the person who asks is reached, where the school lets them. What comes back masked stays as it is.
 * @throws Failure `contact-off`
 */
export function saveOwnContact(ctx: Context, action: string, { version, suiDorm, ...given }: Contact) {
  return inTransaction(ctx, async (tx) => {
    const { schoolId, suId } = tx.actor
    if (!(await schoolSettings(tx, schoolId)).contactSelf) throw new Failure('contact-off')
    const before = await from(tx, 'person').selectAll().where('suId', '=', suId).forUpdate().executeTakeFirst()
    assertVersion(tx, before, version)
    const shown = Object.entries(maskedFields(before, tx.secrets, false)).map(([name, value]) => [name, value ?? ''])
    const { suiIdType, suiSex } = before
    const { suiPhone, suiPhoneHash, suiEmail } = settled(
      tx,
      { ...Object.fromEntries(shown), ...(suiIdType && { suiIdType }), suiSex, suiPhone: '', suiEmail: '', ...given },
      before,
    )
    const row = { suiPhone, suiPhoneHash, suiEmail, suiDorm: suiDorm ?? null }
    await tx.db
      .updateTable('person')
      .set({ ...row, ...updatedColumns(tx) })
      .where('schoolId', '=', schoolId)
      .where('suId', '=', suId)
      .execute()
    const bizName = auditName(before)
    await audit(tx, { action, bizType: 'person', bizId: suId, bizName, ...auditable(before, row) })
    return { affected: 1 }
  })
}
