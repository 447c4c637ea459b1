import { text } from '../../core/fields.ts'
import { unknownPlaceholders, unknownPlaceholderText } from '../../core/placeholders.ts'

/** The places of a reminder. */
export const promptPlaceholders = ['姓名', '预警等级', '学时缺口'] as const

/** How places were written before, and by programs that still write them so. */
const formerPlaceholders: Readonly<Record<string, (typeof promptPlaceholders)[number]>> = {
  '【姓名】': '姓名',
  '【预警等级】': '预警等级',
  '【学时缺口】': '学时缺口',
  '{name}': '姓名',
  '{level}': '预警等级',
  '{gap}': '学时缺口',
}

/** The text of a reminder with its places as they are written now. */
export const withPromptPlaceholders = (content: string): string =>
  Object.entries(formerPlaceholders).reduce((text, [former, name]) => text.replaceAll(former, `{${name}}`), content)

/** What a reminder says unless the person writes otherwise. */
export const defaultPrompt =
  '{姓名}同学：您的第二课堂学时进度目前为“{预警等级}”，{学时缺口}。请尽快报名参加相应模块的活动；如有困难，请联系辅导员。'

/** What a reminder says, with places that there are. */
export const promptContent = text('提醒内容', 500)
  .min(5, '提醒内容不能少于 5 个字')
  .check(({ value, issues }) => {
    const [unknown] = unknownPlaceholders(promptPlaceholders, withPromptPlaceholders(value))
    if (unknown !== undefined) issues.push({ code: 'custom', message: unknownPlaceholderText(unknown), input: value })
  })
