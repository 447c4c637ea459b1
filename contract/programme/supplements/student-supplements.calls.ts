import { z } from 'zod'
import { call } from '../../core/call.ts'
import { valuesOf } from '../../core/dictionary.ts'
import { id, pick, search } from '../../core/fields.ts'
import { paged, paging } from '../../core/paging.ts'

/** A supplement record as the page of its student shows it. Amounts are decimal text. */
const studentSupplement = z.object({
  lisId: z.string(),
  lisName: z.string(),
  lsName: z.string(),
  lisType: z.string(),
  lisLevelName: z.string(),
  lisPartakeMode: z.string(),
  lisAward: z.string(),
  lisOrg: z.string(),
  lisObtainDate: z.string(),
  lisHours: z.string(),
  lisCredit: z.string(),
  lisStatus: z.string(),
  refuseReason: z.string(),
  createTime: z.string(),
  /** The asking person may open the record itself. */
  opens: z.boolean(),
})
export type StudentSupplement = z.output<typeof studentSupplement>

export const studentSupplementApi = {
  list: call('GET', '/lessonsInfoSup/studentSups', {
    summary: '学生的补录记录',
    permit: 'student:list',
    input: paging.extend({
      suId: id('学生'),
      lisName: search('名称').optional(),
      lisType: pick('类型', valuesOf('sup_type')).optional(),
      lisStatus: pick('状态', valuesOf('sup_status')).optional(),
    }),
    output: paged(studentSupplement),
  }),
}
