import { invalidInput, type FieldFault } from '../../../contract/core/failure.ts'
import { idCardFault } from '../../../contract/school/people/id-card.ts'
import { isMasked, sensitiveLabels, type SensitiveField } from '../../../contract/school/people/people.fields.ts'
import { dayOf } from '../../core/base/clock.ts'
import type { Context } from '../../core/request/context.ts'
import { seal, sealedKey, unseal } from '../../core/secrets/field-crypto.ts'
import { maskedContact, maskedEmail } from '../../core/secrets/masks.ts'
import type { Secrets } from '../../core/secrets/secrets.ts'
import { birthFault } from './import-words.ts'

/** The sensitive facts of a person as they are stored: phone and papers sealed. */
export interface Stored {
  suiPhone: Buffer | null
  suiIdCard: Buffer | null
  birth: string | null
  suiPolitical: string | null
  suiEmail: string | null
  suiAddress: string | null
  leagueJoinDate: string | null
  partyJoinDate: string | null
}

/** The same with the keyed hashes by which sealed fields are compared. */
export interface Settled extends Stored {
  suiPhoneHash: Buffer | null
  suiIdCardHash: Buffer | null
}

/** The columns to read for {@link opened} and {@link maskedFields}. */
export const sensitiveColumns = [
  'person.suiPhone',
  'person.suiIdCard',
  'person.birth',
  'person.suiPolitical',
  'person.suiEmail',
  'person.suiAddress',
  'person.leagueJoinDate',
  'person.partyJoinDate',
] as const
const fields = Object.keys(sensitiveLabels) as SensitiveField[]

type Plain = Record<SensitiveField, string | null>

/** The sensitive facts of a person in plain text. */
export const opened = (
  { suiPhone, suiIdCard, birth, suiPolitical, suiEmail, suiAddress, leagueJoinDate, partyJoinDate }: Stored,
  secrets: Secrets,
): Plain => ({
  suiPhone: unseal(suiPhone, secrets),
  suiIdCard: unseal(suiIdCard, secrets),
  birth,
  suiPolitical,
  suiEmail,
  suiAddress,
  leagueJoinDate,
  partyJoinDate,
})

/** How each of them looks to people: of what could be guessed from a part nothing is left. */
const masks: Record<SensitiveField, (plain: string) => string> = {
  suiPhone: maskedContact,
  suiIdCard: maskedContact,
  suiEmail: maskedEmail,
  birth: () => '****-**-**',
  suiPolitical: () => '**',
  suiAddress: () => '******',
  leagueJoinDate: () => '****-**-**',
  partyJoinDate: () => '****-**-**',
}
const maskOf = (field: SensitiveField, plain: string | null): string | null => (plain ? masks[field](plain) : null)

/** A day of birth as lists show it. */
export const maskedBirth = (birth: string | null): string | null => maskOf('birth', birth)

/** The number of an identity paper, as it is stored, as details show it. */
export const maskedIdCard = (stored: Buffer | null, secrets: Secrets): string | null =>
  maskOf('suiIdCard', unseal(stored, secrets))

/**
 * The sensitive facts as details and forms show them. Who may see them (`mayView`) is told the political status; the
 * rest is opened with a reason.
 */
export function maskedFields(row: Stored, secrets: Secrets, mayView: boolean): Plain {
  const plain = opened(row, secrets)
  const shown = Object.fromEntries(fields.map((field) => [field, maskOf(field, plain[field])])) as Plain
  return mayView ? { ...shown, suiPolitical: plain.suiPolitical } : shown
}

type Given = { [field in SensitiveField]?: string | undefined } & {
  suiIdType?: string | undefined
  suiSex?: string | undefined
}

/**
 * The sensitive facts of a form as they are to be stored. What comes back masked as it was shown stays as it is stored;
 * anything else with stars in it is a mistake. The papers must agree with birth and sex, also when only those were
 * changed.
 */
export function settled(
  { secrets, clock }: Pick<Context, 'secrets' | 'clock'>,
  given: Given,
  before: Stored | undefined,
): Settled {
  const was = before && opened(before, secrets)
  const faults: FieldFault[] = []
  const plain = Object.fromEntries(
    fields.map((field) => {
      const value = given[field]
      if (!value) return [field, null]
      if (!isMasked(value)) return [field, field === 'suiIdCard' ? value.toUpperCase() : value]
      const stored = was?.[field] ?? null
      if (maskOf(field, stored) !== value) faults.push({ field, msg: `请输入完整的${sensitiveLabels[field]}` })
      return [field, stored]
    }),
  ) as Plain
  const paperFault = idCardFault({ ...given, ...plain })
  if (paperFault) faults.push({ field: 'suiIdCard', msg: paperFault })
  const dayFault = birthFault(plain.birth ?? '', dayOf(clock.now()))
  if (dayFault && plain.birth !== was?.birth) faults.push({ field: 'birth', msg: dayFault })
  if (faults.length > 0) throw invalidInput(faults)
  const sealed = (field: 'suiPhone' | 'suiIdCard') =>
    isMasked(given[field] ?? '') ? before![field] : seal(plain[field], secrets)
  return {
    ...plain,
    suiPhone: sealed('suiPhone'),
    suiPhoneHash: sealedKey(plain.suiPhone, secrets),
    suiIdCard: sealed('suiIdCard'),
    suiIdCardHash: sealedKey(plain.suiIdCard, secrets),
  }
}

/** What an audit row only names where it changed: what is sensitive, and the photo, whose id says nothing. */
const namedOnly = { ...sensitiveLabels, suiPhoto: '照片' }

/** The fields of a person that an audit row may hold; of the sensitive ones only the names of those that changed. */
export function auditable<T extends object>(
  before: { [K in keyof T]?: unknown } | undefined,
  after: T,
): { after: object; before: object | null } {
  const hidden = new Set<string>([...Object.keys(namedOnly), 'suiPhoneHash', 'suiIdCardHash'])
  const rest = Object.entries(after).filter(
    ([name, value]) =>
      !hidden.has(name) &&
      (!before || JSON.stringify(before[name as keyof T] ?? null) !== JSON.stringify(value ?? null)),
  )
  // sealed anew, the same text has other bytes: phone and papers are compared by their hashes
  const compared = (field: keyof typeof namedOnly) =>
    (field === 'suiPhone' || field === 'suiIdCard' ? `${field}Hash` : field) as keyof T
  const changed = (Object.keys(namedOnly) as (keyof typeof namedOnly)[])
    .filter((field) => compared(field) in after && !same(before?.[compared(field)], after[compared(field)]))
    .map((field) => namedOnly[field])
  return {
    before: before ? Object.fromEntries(rest.map(([name]) => [name, before[name as keyof T] ?? null])) : null,
    after: { ...Object.fromEntries(rest), ...(changed.length > 0 ? { 敏感信息: changed } : {}) },
  }
}

const same = (a: unknown, b: unknown): boolean =>
  Buffer.isBuffer(a) && Buffer.isBuffer(b) ? a.equals(b) : (a ?? null) === (b ?? null)
