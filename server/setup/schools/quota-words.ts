import type { Quota } from '../../../contract/school/runtime/schools.calls.ts'
import { StartFault } from '../../core/base/start-fault.ts'

/** The options of `npm run schools -- quota`, with what each bounds. */
const words = {
  people: ['maxPeople', '可用账号', '个'],
  files: ['maxMegabytes', '文件', 'MB'],
  requests: ['maxConcurrent', '每个进程同时处理的请求', '个'],
  'per-minute': ['maxPerMinute', '每分钟请求', '次'],
  tasks: ['maxTasks', '同时进行的后台任务', '项'],
  messages: ['maxMessages', '每天站内消息', '份'],
} as const satisfies Record<string, readonly [keyof Quota, string, string]>

type Word = keyof typeof words
/** The options as they were given. */
export type QuotaWords = Partial<Record<Word, string | undefined>>

/** For `parseArgs`. */
export const quotaOptions = Object.fromEntries(Object.keys(words).map((word) => [word, { type: 'string' }])) as Record<
  Word,
  { type: 'string' }
>

/** The bounds that somebody has given; `none` takes one away. @throws StartFault */
export function boundsIn(given: QuotaWords): Partial<Quota> {
  const bounds: Partial<Quota> = {}
  for (const word of Object.keys(words) as Word[]) {
    const value = given[word]
    if (value === undefined) continue
    if (value !== 'none' && !/^[1-9]\d{0,8}$/.test(value))
      throw new StartFault(`--${word} 须为正整数，或写 none 取消这一项。`)
    bounds[words[word][0]] = value === 'none' ? null : Number(value)
  }
  return bounds
}

/** The bounds of a school in words, a line each. */
export const quotaLines = (quota: Quota): string[] =>
  Object.values(words).map(([name, label, unit]) => {
    const bound = quota[name]
    return `${label}：${bound === null ? '不限' : `${bound} ${unit}`}`
  })
