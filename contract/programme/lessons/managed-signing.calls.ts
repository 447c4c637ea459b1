import { z } from 'zod'
import { call } from '../../core/call.ts'
import { codesOf } from '../../core/codes/code-list.ts'
import { signStatus } from '../../core/codes/programme.ts'
import { done, id, pick, search, text } from '../../core/fields.ts'
import { paged, paging } from '../../core/paging.ts'
import { registrationApi } from './registration.calls.ts'
import { signingApi } from './signing.calls.ts'

const liId = id('活动')

/** A course at whose sign-in somebody helps. */
const managedActivity = z.object({
  liId: z.string(),
  liName: z.string(),
  placeText: z.string(),
  startTime: z.string(),
  endTime: z.string(),
  passCount: z.number(),
  signCount: z.number(),
  /** Why nobody can be signed in now, and from when they can; '' where they can. */
  verdict: z.string(),
})

/** A participant of such an activity. */
const managedPerson = z.object({
  laId: z.string(),
  suiName: z.string(),
  suiNumber: z.string(),
  className: z.string(),
  laSignStatus: z.enum(codesOf(signStatus)),
  signInTime: z.string().nullable(),
  signOutTime: z.string().nullable(),
  /** What was noticed at their sign-in, a sentence each; nothing is decided by it. */
  hints: z.array(z.string()),
})
export type ManagedPerson = z.output<typeof managedPerson>

/**
 * What somebody does on their phone at the sign-in of a course that names them: a student with the right over
 * attendance lent for it, staff with the right of their own roles (decision 111). Nobody's area counts here.
 */
export const managedSigningApi = {
  managed: call('GET', '/signing/managed', {
    summary: '我负责签到的活动',
    permit: 'signed-in',
    input: z.object({}),
    output: z.array(managedActivity),
  }),
  board: call('GET', '/signing/board', {
    summary: '活动签到码',
    permit: 'signed-in',
    input: signingApi.board.input,
    output: signingApi.board.output,
  }),
  people: call('GET', '/signing/people', {
    summary: '活动签到名单',
    permit: 'signed-in',
    input: paging.extend({
      liId,
      /** Part of a name or of a number. */
      search: search('姓名或学号').optional(),
      laSignStatus: pick('签到状态', codesOf(signStatus)).optional(),
    }),
    output: paged(managedPerson),
  }),
  /** The code that a participant shows, or their number as it was typed; for the session whose time it is. */
  scan: call('POST', '/signing/scan', {
    summary: '登记到场学生',
    permit: 'signed-in',
    input: z.strictObject({
      liId,
      lseNo: signingApi.board.input.shape.lseNo,
      direction: signingApi.board.input.shape.direction,
      scanned: text('学生签到码或学号', 500),
    }),
    output: signingApi.scan.output,
  }),
  correct: call('POST', '/signing/correct', {
    summary: '更正签到',
    permit: 'signed-in',
    input: z.strictObject({
      laId: id('报名记录'),
      laSignStatus: registrationApi.sign.input.shape.laSignStatus,
      reason: text('原因', 200),
    }),
    output: done,
  }),
}
