import { z } from 'zod'
import { call } from '../../core/call.ts'
import { nothing } from '../../core/fields.ts'

const demoAccount = z.object({
  schoolId: z.string(),
  username: z.string(),
  password: z.string(),
  role: z.string(),
  /** What one can try with it. */
  purpose: z.string(),
  /** Where: the console, or the students' pages under `/m`. */
  page: z.enum(['console', 'phone']),
})
export type DemoAccount = z.output<typeof demoAccount>

export const demoApi = {
  /**
   * Accounts that anybody may try, with all that signing in takes. Empty in production, and where there is no demo
   * school.
   */
  accounts: call('GET', '/demo/accounts', {
    summary: '演示账号',
    permit: 'public',
    input: nothing,
    output: z.array(demoAccount),
  }),
}
