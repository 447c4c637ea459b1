import { z } from 'zod'
import { call } from '../../core/call.ts'
import { done, id, nothing } from '../../core/fields.ts'

const session = z.object({
  sessionId: z.string(),
  agent: z.string(),
  ip: z.string(),
  createTime: z.string(),
  lastSeen: z.string(),
  absoluteExpiry: z.string(),
  /** The one that asks. */ isCurrent: z.boolean(),
})
export type OwnSession = z.output<typeof session>

/** Where the person themselves is signed in. */
export const ownSessionApi = {
  list: call('GET', '/sysUser/mySessions', {
    summary: '我的登录设备',
    permit: 'signed-in',
    input: nothing,
    output: z.array(session),
  }),
  /** Ends one of the others, or with no id all of them; the one that asks goes on. */
  end: call('POST', '/sysUser/endMySessions', {
    summary: '退出其他设备',
    permit: 'signed-in',
    input: z.strictObject({ sessionId: id('登录设备').optional() }),
    output: done,
  }),
}
