import { z } from 'zod'
import { call } from '../../core/call.ts'
import { codesOf } from '../../core/codes/code-list.ts'
import { messageChannel, messageKind, messageMode, messageType } from '../../core/codes/platform.ts'
import { paged, paging } from '../../core/paging.ts'
import { done, nothing, pick, text, version } from '../../core/fields.ts'
import { unknownPlaceholders, unknownPlaceholderText } from '../../core/placeholders.ts'
import { placeholdersOf } from './message-texts.ts'

/** The kinds that a school may have its own words for. */
export const wordedKinds = [...codesOf(messageType), messageKind.recovery, messageKind.digest] as const

const kind = pick('类型', wordedKinds)

const template = z.object({
  messageKind: z.enum(wordedKinds),
  subject: z.string(),
  content: z.string(),
  /** False where they are the words of the product. */
  isOwn: z.boolean(),
  updateName: z.string(),
  updateTime: z.string().nullable(),
  version: z.number(),
  can: z.array(z.enum(['edit', 'reset'])),
})
export type MessageTemplate = z.output<typeof template>

/** The words in which messages go outside. */
export const messageTextApi = {
  list: call('GET', '/integration/templates', {
    summary: '消息模板',
    permit: 'integration:manage',
    input: paging,
    output: paged(template),
  }),
  save: call('POST', '/integration/templates/save', {
    summary: '保存消息模板',
    permit: 'integration:manage',
    input: z
      .strictObject({
        messageKind: kind,
        version,
        subject: text('标题', 100),
        content: text('正文', 2000),
      })
      .check(({ value, issues }) => {
        for (const field of ['subject', 'content'] as const) {
          const [unknown] = unknownPlaceholders(placeholdersOf(value.messageKind), value[field])
          if (unknown !== undefined)
            issues.push({
              code: 'custom',
              path: [field],
              message: unknownPlaceholderText(unknown),
              input: value,
            })
        }
        if (value.messageKind === messageKind.recovery && !value.content.includes('{验证码}'))
          issues.push({ code: 'custom', path: ['content'], message: '正文中必须有 {验证码}', input: value })
      }),
    output: done,
  }),
  reset: call('POST', '/integration/templates/reset', {
    summary: '恢复默认消息模板',
    permit: 'integration:manage',
    input: z.strictObject({ messageKind: kind }),
    output: done,
  }),
}

/** What a person wants by which channel; also for the pages of students. */
export const messagePreferenceApi = {
  /** By channel that the school has switched on and kind that it lets out. */
  list: call('GET', '/preference/messages', {
    summary: '我的消息接收方式',
    permit: 'signed-in',
    input: nothing,
    output: z.array(
      z.object({
        odChannel: z.enum(codesOf(messageChannel)),
        /** Where it goes, masked; '' where there is no address yet. */
        target: z.string(),
        messageKind: z.enum(codesOf(messageType)),
        mpMode: z.enum(codesOf(messageMode)),
        /** The modes to choose from. */
        modes: z.array(z.enum(codesOf(messageMode))),
      }),
    ),
  }),
  save: call('POST', '/preference/saveMessages', {
    summary: '保存消息接收方式',
    permit: 'signed-in',
    input: z.strictObject({
      odChannel: pick('通道', codesOf(messageChannel)),
      messageKind: pick('类型', codesOf(messageType)),
      mpMode: pick('接收方式', codesOf(messageMode)),
    }),
    output: done,
  }),
}
