import { z } from 'zod'
import { call } from '../../core/call.ts'
import { done, integer, nothing, text } from '../../core/fields.ts'

const versionNumber = integer('版本', 1, 1_000_000)

const notice = z.object({
  version: z.number(),
  /** Paragraphs between line ends. */
  content: z.string(),
  /** Null for the text of the program, which nobody published. */
  publishTime: z.string().nullable(),
})
export type Notice = z.output<typeof notice>

/** What a school tells people about their data, and their agreement to it. */
export const noticeApi = {
  /** The version in force, for anybody. */
  read: call('GET', '/SchoolInfoT/privacyNotice', {
    summary: '隐私告知',
    permit: 'public',
    input: z.object({ schoolId: text('学校代码', 32) }),
    output: notice.extend({ schName: z.string() }),
  }),
  accept: call('POST', '/sysUser/acceptNotice', {
    summary: '同意隐私告知',
    permit: 'signed-in',
    /** The version that was read. */
    input: z.strictObject({ version: versionNumber }),
    output: done,
  }),
  history: call('GET', '/SchoolInfoT/privacyNoticeHistory', {
    summary: '隐私告知的版本',
    permit: 'school:list',
    input: nothing,
    output: z.object({
      current: notice,
      /** Whether people are asked to agree to it. */
      isAsked: z.boolean(),
      /** Accounts that are on, and those of them that agreed to the version in force. */
      accounts: z.number(),
      agreed: z.number(),
      versions: z.array(z.object({ version: z.number(), publishTime: z.string(), publishName: z.string() })),
      can: z.array(z.enum(['edit'])),
    }),
  }),
  /** A new version, to which everybody is asked to agree from now on. */
  publish: call('POST', '/SchoolInfoT/publishPrivacyNotice', {
    summary: '发布隐私告知',
    permit: 'school:edit',
    input: z.strictObject({
      /** The version in force that was edited. */
      version: versionNumber,
      content: text('告知内容', 20_000, false)
        .refine((value) => value.length >= 50, '告知内容不能少于 50 个字')
        .meta({ label: '告知内容', max: 20_000, area: true }),
    }),
    output: z.object({ version: z.number() }),
  }),
}
