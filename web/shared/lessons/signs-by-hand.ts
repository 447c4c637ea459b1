import { signStatus } from '../../../contract/core/codes/programme.ts'
import { labelOf } from '../../core/service/dictionary-store.ts'

/** What may be entered by hand; that somebody was absent is set by the system when the result is submitted. */
const signsByHand = [
  signStatus.signedIn,
  signStatus.late,
  signStatus.signedOut,
  signStatus.leftEarly,
  signStatus.exempt,
  signStatus.madeUp,
  signStatus.notSigned,
] as const
export type SignByHand = (typeof signsByHand)[number]

/** The same to choose from, in the school's words. */
export const signChoices = (): { value: SignByHand; label: string }[] =>
  signsByHand.map((value) => ({ value, label: labelOf('sign_status', value) }))

/** Whether what is entered needs a reason that tells how it came about. */
export const needsSignReason = (status: string | undefined): boolean => status === signStatus.madeUp
