import { z } from 'zod'
import { call } from '../../core/call.ts'
import { id } from '../../core/fields.ts'
import { paged, paging, wholeList } from '../../core/paging.ts'

/** A course that a student was admitted to and did not keep: absent, or points lost through it. */
const noShow = z.object({
  liId: z.string(),
  liName: z.string(),
  /** The node of the curriculum with those above it. */
  lsName: z.string(),
  liLevel: z.string(),
  liLevelName: z.string(),
  liStatus: z.string(),
  startTime: z.string(),
  laStatus: z.string(),
  laSignStatus: z.string(),
  /** Points the course took, negative; null while it is not completed, so that nothing has been taken yet. */
  credibilityChange: z.number().nullable(),
  /** All of it was given back. */
  restored: z.boolean(),
  reason: z.string(),
  /** The entries of the log that can still be given back. */
  cgIds: z.array(z.string()),
  /** The asking person may open the course. */
  opens: z.boolean(),
  can: z.array(z.enum(['restore'])),
})
export type NoShow = z.output<typeof noShow>

export const noShowApi = {
  list: call('GET', '/sysUserInfo/queryStudentBreakLesson', {
    summary: '学生爽约记录',
    permit: 'student:list',
    whenLeftOut: wholeList,
    input: paging.extend({ suId: id('学生') }),
    output: paged(noShow),
  }),
}
