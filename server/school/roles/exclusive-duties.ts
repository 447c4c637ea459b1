/**
 * Duties that one person may not have together: who runs the school's data is not the one who inspects what was done to
 * it (GB/T 22239-2019, separation of duties). Told by the codes of built-in roles.
 */
const exclusive: readonly (readonly [string, string])[] = [['SCHOOL_ADMIN', 'AUDITOR']]

/** The codes that a holder of `srCode` may not hold beside it. */
export const againstDuty = (srCode: string): string[] =>
  exclusive.flatMap(([one, other]) => (one === srCode ? [other] : other === srCode ? [one] : []))
