import { fullPath } from '../../../contract/core/call.ts'
import { verifyApi } from '../../../contract/outcomes/transcripts/verify.calls.ts'
import { publicOrigin, type Reached } from '../../core/base/public-origin.ts'

/** Where a reader checks a paper; null where the service does not know the address it is reached at. */
export function verifyAddress(config: Reached, serial: string): string | null {
  const origin = publicOrigin(config)
  return origin ? `${origin}/verify/${encodeURIComponent(serial)}` : null
}

/**
 * Where the list stands that tells of the issues of the month of `at` (wall-clock text); a path alone where the service
 * does not know the address it is reached at.
 */
export const statusListAddress = (config: Reached, schoolId: string, at: string): string =>
  `${publicOrigin(config) ?? ''}${fullPath(verifyApi.statusList).replace('{schoolId}', schoolId).replace('{month}', at.slice(0, 7))}`

/**
 * A school's profile as an issuer, with its keys; null where the service does not know the address it is reached at.
 */
export function issuerAddress(config: Reached, schoolId: string): string | null {
  const origin = publicOrigin(config)
  return origin ? `${origin}/credentials/${encodeURIComponent(schoolId)}` : null
}

/** A list of which of the school's badges and learner records were revoked; null as above. */
export function bitListAddress(config: Reached, schoolId: string, list: number): string | null {
  const issuer = issuerAddress(config, schoolId)
  return issuer && `${issuer}/status/${list}`
}
