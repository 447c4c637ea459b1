import { z } from 'zod'
import { call } from '../../core/call.ts'
import { amount, done, id, reason } from '../../core/fields.ts'

const suId = id('学生')

/**
 * Hours above the term's cap that a student of a late term was granted on request (docs/rules.md R25). Amounts are
 * decimal text.
 */
export const overCapApi = {
  list: call('GET', '/creditLimit/overCapList', {
    summary: '学期超限记录',
    permit: 'transcript:list',
    input: z.object({ suId }),
    output: z.object({
      /** The running term and the student's number of it; 0 where their entry is not known. */
      tmName: z.string(),
      termNo: z.number(),
      /** From which term on the school grants any; its cap, '0' where it has none. */
      overCapTerm: z.number(),
      termCapHours: z.string(),
      can: z.array(z.enum(['raise'])),
      raises: z.array(
        z.object({
          ocId: z.string(),
          tmName: z.string(),
          hours: z.string(),
          reason: z.string(),
          createName: z.string(),
          createTime: z.string(),
        }),
      ),
    }),
  }),
  raise: call('POST', '/creditLimit/overCap', {
    summary: '批准学期超限',
    permit: 'credit:overCap',
    input: z.strictObject({
      suId,
      hours: amount('增加学时', 100).refine((hours) => hours > 0, '增加学时须大于 0'),
      reason: reason('申请理由'),
    }),
    output: done,
  }),
}
