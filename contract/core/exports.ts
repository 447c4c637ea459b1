import { z } from 'zod'

/**
 * A list of more rows than this leaves only with a reason (docs/rules.md R42; why there is no second threshold:
 * decision 025).
 */
export const exportReasonFrom = 500

/** The right to see what leaves under a right: the same one, or that of its list (decision 133). */
export const listRightOf = <P extends string>(permit: P): P => permit.replace(/:export\w*$/, ':list') as P

/** Why a long list is taken out; kept on the audit trail. Every call that exports a list takes it. */
export const exportReason = z
  .string()
  .trim()
  .min(5, '导出原因不能少于 5 个字')
  .max(200, '导出原因不能超过 200 个字')
  .optional()
  .meta({ label: '导出原因', max: 200 })
