import { z } from 'zod'
import { call } from '../core/call.ts'

/** The student's own code, to be scanned by whoever looks after a sign-in. */
export const ownSigningApi = {
  code: call('GET', '/student/signCode', {
    summary: '我的签到码',
    permit: 'student:self',
    input: z.object({}),
    /** `picture` is a data address; `every` and `leftSeconds` say when the next code comes. */
    output: z.object({
      suiName: z.string(),
      suiNumber: z.string(),
      code: z.string(),
      picture: z.string(),
      every: z.number(),
      leftSeconds: z.number(),
    }),
  }),
}
