import type { Insertable, Selectable } from 'kysely'
import { accountStatus } from '../../../contract/core/codes/school.ts'
import { audit } from '../../core/audit/audit.ts'
import { newId } from '../../core/base/ids.ts'
import type { DB } from '../../core/database/tables.ts'
import type { Context } from '../../core/request/context.ts'
import { takeQuota } from '../../core/request/quotas.ts'
import { createdColumns, updatedColumns } from '../../core/request/stamp-columns.ts'
import { replaceFiles, useFiles } from '../../platform/files/file-use.service.ts'
import { accountOf, openAccounts } from './accounts.service.ts'
import { hasGraduated } from './may-act.ts'
import { assertUniquePapers, reachesAccount } from './person-facts.ts'
import { assertNotOutranked } from './rank-check.service.ts'
import { auditable, type Settled } from './sensitive.ts'

type StoredPerson = Selectable<DB['person']>
type PersonRow = Omit<Insertable<DB['person']>, keyof ReturnType<typeof createdColumns> | 'suId' | 'suiType'> &
  Pick<Settled, 'suiPhoneHash' | 'suiIdCardHash' | 'suiEmail'> & { suiPhoto: string | null }

interface PersonForm {
  suiName: string
  suiNumber: string
  suiSex: string
  suiNation?: string | null | undefined
  suiIdType?: string | null | undefined
  suiPhoto?: string | null | undefined
  suiStatus: string
  specialty?: string | null | undefined
  remark?: string | null | undefined
}

/** The columns that students and staff have in common, but for the sensitive ones; what the form left out is empty. */
export const commonColumns = (form: PersonForm) => ({
  suiName: form.suiName,
  suiNumber: form.suiNumber,
  suiSex: form.suiSex,
  suiNation: form.suiNation ?? null,
  suiIdType: form.suiIdType ?? null,
  suiPhoto: form.suiPhoto ?? null,
  suiStatus: form.suiStatus,
  specialty: form.specialty ?? null,
  remark: form.remark ?? null,
})

/** What an audit row calls a person. */
export const auditName = ({ suiName, suiNumber }: { suiName: string; suiNumber: string }): string =>
  `${suiName}（${suiNumber}）`

/** Adds a person with an account that has no password yet. @param more columns that no form names */
export async function insertPerson(
  tx: Context,
  suiType: string,
  row: PersonRow,
  more: { suiCredibility?: number } = {},
): Promise<string> {
  const suId = newId()
  await assertUniquePapers(tx, undefined, row)
  await useFiles(tx, [row.suiPhoto], { isPrivate: true })
  await tx.db
    .insertInto('person')
    .values({ ...createdColumns(tx), suId, suiType, ...more, ...row })
    .execute()
  await openAccounts(tx, tx.actor.schoolId, [{ suId, suiNumber: row.suiNumber, suiName: row.suiName, suType: suiType }])
  return suId
}

/**
 * Writes a changed person, with a row of the trail. Who signs in under that name, or no longer, and whose account reads
 * only, or again does more, only those may decide whom the person does not outrank.
 * @param suNickname the name the account is to go by, where one is told; the trail tells it beside the rest
 */
export async function updatePerson(
  tx: Context,
  action: string,
  before: StoredPerson,
  row: PersonRow,
  suStatus: string,
  suNickname?: string,
): Promise<void> {
  const { suId } = before
  const wasGraduate = hasGraduated(before)
  const isGraduate = hasGraduated({ ...before, suiStatus: row.suiStatus ?? before.suiStatus })
  const account = suNickname === undefined ? undefined : await accountOf(tx.db, tx.actor.schoolId, suId)
  const isRenamed = account !== undefined && account.suNickname !== suNickname
  if (suStatus === accountStatus.disabled || isRenamed || reachesAccount(before, row) || wasGraduate !== isGraduate)
    await assertNotOutranked(tx, [suId])
  await assertUniquePapers(tx, suId, row)
  await replaceFiles(tx, [before.suiPhoto], [row.suiPhoto], { isPrivate: true })
  await tx.db
    .updateTable('person')
    .set({ ...row, ...updatedColumns(tx) })
    .where('schoolId', '=', tx.actor.schoolId)
    .where('suId', '=', suId)
    .execute()
  // one that is switched on with it is taken by that: what is taken twice is found before anybody is refused
  if (wasGraduate && !isGraduate && suStatus === accountStatus.active)
    await takeQuota(tx, tx.actor.schoolId, 'people', 1)
  const { before: was, after } = auditable(before, row)
  await audit(tx, {
    action,
    bizType: 'person',
    bizId: suId,
    bizName: auditName(row),
    before: isRenamed ? { ...was, suNickname: account.suNickname } : was,
    after: isRenamed ? { ...after, suNickname } : after,
  })
}
