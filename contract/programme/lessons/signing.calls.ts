import { z } from 'zod'
import { call } from '../../core/call.ts'
import { codesOf } from '../../core/codes/code-list.ts'
import { signHint } from '../../core/codes/signing.ts'
import { id, pick, text, integer } from '../../core/fields.ts'

const liId = id('课程')
const direction = pick('方向', ['in', 'out'])

/** Signing in and out with codes: a screen shows one that changes, and clients of staff send what was scanned. */
export const signingApi = {
  board: call('GET', '/lessonsApplyInfo/signBoard', {
    summary: '动态签到码',
    permit: 'lesson:sign',
    input: z.object({ liId, lseNo: integer('场次', 1, 60).optional(), direction: direction.optional() }),
    output: z.object({
      liName: z.string(),
      signOutOn: z.string(),
      now: z.string(),
      sessions: z.array(
        z.object({
          lseNo: z.number(),
          startTime: z.string(),
          endTime: z.string(),
          placeText: z.string(),
          /** How many signed in and out there. */ came: z.number(),
          left: z.number(),
        }),
      ),
      passCount: z.number(),
      signCount: z.number(),
      /** The session and direction the code is for: the ones asked for, or those whose time it is. */
      lseNo: z.number(),
      direction,
      opens: z.string(),
      closes: z.string(),
      open: z.boolean(),
      /**
       * The text of the code and its picture (a data address); null while it is not open. `every`: seconds between two
       * codes, `left` until the next one.
       */
      /** Six digits to be typed instead, where the course takes them. */
      typed: z.string().nullable(),
      code: z.string().nullable(),
      picture: z.string().nullable(),
      every: z.number(),
      leftSeconds: z.number(),
      last: z.array(z.object({ suiName: z.string(), time: z.string() })),
    }),
  }),
  hints: call('GET', '/lessonsApplyInfo/signHints', {
    summary: '签到异常提示',
    permit: 'lesson:sign',
    input: z.object({ liId }),
    /** `text` says what was noticed; nothing is decided by it. */
    output: z.array(
      z.object({
        laId: z.string(),
        suiName: z.string(),
        suiNumber: z.string(),
        lseNo: z.number(),
        kind: z.enum(codesOf(signHint)),
        text: z.string(),
        hintTime: z.string(),
      }),
    ),
  }),
  scan: call('POST', '/lessonsApplyInfo/signByCode', {
    summary: '扫码签到',
    permit: 'lesson:sign',
    /** `code`: what was scanned, or six digits as they were typed. */
    input: z.strictObject({
      liId,
      code: text('签到码', 500),
      suiNumber: text('学号', 50),
      lng: z.coerce.number('经度不正确').min(-180).max(180).optional(),
      lat: z.coerce.number('纬度不正确').min(-90).max(90).optional(),
    }),
    output: z.object({
      suiName: z.string(),
      suiNumber: z.string(),
      lseNo: z.number(),
      direction,
      laSignStatus: z.string(),
      time: z.string(),
    }),
  }),
}
