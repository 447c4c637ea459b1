import { messageKind, type MessageKind } from '../../core/codes/platform.ts'
import { fillPlaceholders } from '../../core/placeholders.ts'

/** Subject and text of a message that goes outside, with places such as `{姓名}`. */
export interface MessageText {
  subject: string
  content: string
}

const ofPeople = ['姓名', '学校']

/** What may stand in braces, by kind. */
export const placeholdersOf = (kind: MessageKind): readonly string[] =>
  kind === messageKind.recovery
    ? [...ofPeople, '验证码', '有效期至']
    : kind === messageKind.digest
      ? [...ofPeople, '条数', '列表', '链接']
      : [...ofPeople, '标题', '正文', '时间', '链接']

const message: MessageText = {
  subject: '{标题}',
  content: '{姓名}，您好：\n\n{正文}\n\n{链接}\n\n{学校}第二课堂 {时间}',
}

/** The words of the product, by kind; a school may have its own. */
export const messageTexts: Readonly<Record<MessageKind, MessageText>> = {
  [messageKind.system]: message,
  [messageKind.approval]: message,
  [messageKind.reminder]: message,
  [messageKind.warning]: message,
  [messageKind.manual]: message,
  [messageKind.recovery]: {
    subject: '找回密码的验证码',
    content:
      '{姓名}，您好：\n\n您的验证码是 {验证码}，{有效期至} 前有效，只能使用一次。\n\n如果不是您本人在找回密码，请不要理会这条消息，也不要把验证码告诉任何人。',
  },
  [messageKind.digest]: {
    subject: '您有 {条数} 条未读消息',
    content: '{姓名}，您好：\n\n{列表}\n\n{链接}\n\n{学校}第二课堂',
  },
  [messageKind.test]: {
    subject: '{学校}第二课堂：测试消息',
    content: '这是一条测试消息，收到即表示该消息通道可用，不必回复。',
  },
}

/** Fills the places of a message. What has nothing to fill it goes, with the empty lines that this would leave. */
export const fillMessage = (text: string, values: Readonly<Record<string, string>>): string =>
  fillPlaceholders(text, values)
    .replace(/\n{3,}/g, '\n\n')
    .trim()
