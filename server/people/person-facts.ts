import { sql } from 'kysely'
import { invalidInput } from '../../contract/core/failure.ts'
import { idCardFault } from '../../contract/people/id-card.ts'
import { isMasked } from '../../contract/people/people.fields.ts'
import type { Context } from '../core/context.ts'
import { masked, seal, sealedKey, unseal } from '../core/field-crypto.ts'
import type { Secrets } from '../core/secrets.ts'

/** The sealed columns of a person. */
export interface Sealed {
  suiPhone: Buffer | null
  suiPhoneHash: Buffer | null
  suiIdCard: Buffer | null
  suiIdCardHash: Buffer | null
}

type Given = { suiPhone?: string | undefined; suiIdCard?: string | undefined; suiIdType?: string | undefined; birth?: string | undefined; suiSex?: string | undefined }

/**
 * Phone and papers as they are to be stored. What comes back masked as it was shown stays as it is stored; anything else with
 * stars in it is a mistake. The papers must agree with birth and sex, also when only those were changed.
 */
export function sealedFields({ secrets }: Pick<Context, 'secrets'>, given: Given, before: Sealed | undefined): Sealed {
  const phone = plainOf(given.suiPhone, before?.suiPhone ?? null, secrets, 'suiPhone', '手机号')
  const idCard = plainOf(given.suiIdCard, before?.suiIdCard ?? null, secrets, 'suiIdCard', '证件号码')
  const fault = idCardFault({ ...given, suiIdCard: idCard })
  if (fault) throw invalidInput([{ field: 'suiIdCard', msg: fault }])
  return {
    suiPhone: phone === null ? null : isMasked(given.suiPhone ?? '') ? before!.suiPhone : seal(phone, secrets),
    suiPhoneHash: sealedKey(phone, secrets),
    suiIdCard: idCard === null ? null : isMasked(given.suiIdCard ?? '') ? before!.suiIdCard : seal(idCard, secrets),
    suiIdCardHash: sealedKey(idCard, secrets),
  }
}

function plainOf(given: string | undefined, stored: Buffer | null, secrets: Secrets, field: string, label: string): string | null {
  if (!given) return null
  if (!isMasked(given)) return given.toUpperCase() === given || field !== 'suiIdCard' ? given : given.toUpperCase()
  const plain = unseal(stored, secrets)
  if (plain === null || masked(plain) !== given) throw invalidInput([{ field, msg: `请输入完整的${label}` }])
  return plain
}

/** Whether an edit touches what somebody signs in or recovers a password by: number, mail or phone. */
export const reachesAccount = (before: { suiNumber: string; suiEmail: string | null; suiPhoneHash: Buffer | null }, after: typeof before): boolean =>
  before.suiNumber !== after.suiNumber || before.suiEmail !== after.suiEmail || !same(before.suiPhoneHash, after.suiPhoneHash)

/** Refuses papers that somebody else of the school has already. */
export async function mustBeOnlyHolder({ db, actor }: Pick<Context, 'db' | 'actor'>, suId: string | undefined, { suiIdCardHash }: Sealed): Promise<void> {
  if (!suiIdCardHash) return
  const holders = await db.selectFrom('person').select('suId').where('schoolId', '=', actor.schoolId).where('suiIdCardHash', '=', suiIdCardHash).where('delFlag', '=', '0').limit(2).execute()
  if (holders.some((holder) => holder.suId !== suId)) throw invalidInput([{ field: 'suiIdCard', msg: '该证件号码已属于其他人员' }])
}

/** Phone and papers as people see them. */
export const maskedFields = ({ suiPhone, suiIdCard }: Pick<Sealed, 'suiPhone' | 'suiIdCard'>, secrets: Secrets) => ({
  suiPhone: masked(unseal(suiPhone, secrets)),
  suiIdCard: masked(unseal(suiIdCard, secrets)),
})

const sensitive = { birth: '出生日期', suiPhone: '手机号', suiIdCard: '证件号码', suiPolitical: '政治面貌' } as const

/** The fields of a person that an audit row may hold; of the sensitive ones only the names of those that changed. */
export function auditable<T extends object>(before: { [K in keyof T]?: unknown } | undefined, after: T): { after: object; before: object | null } {
  const hidden = new Set([...Object.keys(sensitive), 'suiPhoneHash', 'suiIdCardHash'])
  const rest = Object.entries(after).filter(([name, value]) => !hidden.has(name) && (!before || JSON.stringify(before[name as keyof T] ?? null) !== JSON.stringify(value ?? null)))
  const keyed = { ...sensitive, suiPhone: undefined, suiIdCard: undefined, suiPhoneHash: '手机号', suiIdCardHash: '证件号码' }
  const changed = Object.entries(keyed).flatMap(([name, label]) => (label && !same(before?.[name as keyof T], after[name as keyof T]) ? [label] : []))
  const also = changed.length > 0 ? { 敏感信息: changed } : {}
  return { before: before ? Object.fromEntries(rest.map(([name]) => [name, before[name as keyof T] ?? null])) : null, after: { ...Object.fromEntries(rest), ...also } }
}

const same = (a: unknown, b: unknown): boolean => (Buffer.isBuffer(a) && Buffer.isBuffer(b) ? a.equals(b) : (a ?? null) === (b ?? null))

/** The names of a person's roles, as a column of a query over `person`. */
export const rolesColumn = sql<{ srId: string; srName: string; srCode: string }[]>`coalesce((select json_agg(json_build_object('srId', r."srId", 'srName', r."srName", 'srCode', r."srCode") order by r."srSort")
  from "roleUser" u join "role" r on r."schoolId" = u."schoolId" and r."srId" = u."srId" where u."schoolId" = "person"."schoolId" and u."suId" = "person"."suId"), '[]')`
