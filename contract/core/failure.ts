import { nestQuotes } from './quotes.ts'
import { refusals } from './refusals.ts'
import { figure } from './figure.ts'

/**
 * The only table of codes and statuses. `code` stands in the envelope, `status` is HTTP's. By the specification a
 * client treats 401 and 40101 as "sign in again" and shows the text of a 300, so business refusals are 200/300. What is
 * marked `isShown` is told like that too, with its `reason`, unless the caller prefers HTTP's own statuses (decision
 * 034).
 */
const kinds = {
  'token-invalid': { status: 401, code: 40101, msg: '登录凭证已过期，请重新登录' },
  'not-permitted': { status: 403, code: 403, msg: '无操作权限', isShown: true },
  'cross-site': { status: 403, code: 403, msg: '无操作权限' },
  'not-found': { status: 404, code: 404, msg: '该记录不存在或已删除', isShown: true },
  'no-such-call': { status: 404, code: 404, msg: '请求的地址不存在' },
  'stale-version': { status: 409, code: 409, msg: '数据已被他人修改，请刷新后重试', isShown: true },
  'bad-request': { status: 400, code: 400, msg: '请求格式不正确' },
  'too-large': { status: 413, code: 413, msg: '提交的内容过大' },
  'address-too-long': {
    status: 431,
    code: 431,
    msg: '请求的地址与请求头合计超过 {limit}，无法处理，请减少一次选择的条目或缩短查询内容后重试',
  },
  'too-slow-request': { status: 408, code: 408, msg: '请求没有在规定时间内送达，请检查网络后重试' },
  'wrong-type': { status: 415, code: 415, msg: '不支持的内容类型' },
  'too-often': { status: 429, code: 429, msg: '操作过于频繁，请{when}再试' },
  'school-busy': {
    status: 429,
    code: 429,
    msg: '本校此时的请求已达平台设置的上限，请{when}再试；经常出现请联系学校管理员，由其与平台运维人员商定配额',
  },
  'exports-running': { status: 429, code: 429, msg: '您已有 {n} 个导出正在进行，请等其完成后再试' },
  'disk-full': { status: 507, code: 507, msg: '服务器存储空间不足，本次操作未保存，请联系管理员' },
  unavailable: { status: 503, code: 503, msg: '服务暂时不可用，请稍后重试' },
  unexpected: { status: 500, code: 500, msg: '系统出现错误，操作未完成，请稍后重试' },
} as const satisfies Record<string, { status: number; code: number; msg: string; isShown?: true }>

export type FailureName = keyof typeof kinds | keyof typeof refusals

/** A fault of one field, shown beside it. Nested fields are written `sessions.0.startTime`. */
export interface FieldFault {
  field: string
  msg: string
}

/** What to do about a refusal, for whoever may do it: the words of a link and an address of the console. */
export interface FailureHelp {
  label: string
  link: string
}

interface More {
  errors?: FieldFault[]
  retryAfter?: number
  /** What the refusal is about, for programs: names and ids beside the text. */
  details?: Record<string, string | null>
  help?: FailureHelp
}

/**
 * A refusal that the caller is told about. Everything else that is thrown is an error of ours and answered with 500.
 */
export class Failure extends Error {
  readonly status: number
  readonly code: number
  readonly msg: string
  /** Whether it is a sentence for a person, who has to read it whatever their client makes of HTTP's statuses. */
  readonly isShown: boolean
  readonly errors: FieldFault[] | undefined
  /** Seconds after which another try makes sense. */
  readonly retryAfter: number | undefined
  readonly details: Record<string, string | null> | undefined
  readonly help: FailureHelp | undefined

  /** @param values fills the `{word}` places of the text. A number is an amount; a year comes as text. */
  constructor(
    readonly reason: FailureName,
    readonly values: Record<string, string | number> = {},
    more: More = {},
  ) {
    const known =
      reason in kinds
        ? kinds[reason as keyof typeof kinds]
        : { status: 200, code: 300, msg: refusals[reason as keyof typeof refusals] }
    const msg = nestQuotes(
      known.msg.replace(/\{(\w+)\}/g, (_, word: string) =>
        textOf(values[word] ?? (word === 'when' ? whenText(more.retryAfter) : '')),
      ),
    )
    super(`${reason}: ${msg}`)
    this.status = known.status
    this.code = known.code
    this.msg = msg
    this.isShown = known.status === 200 || 'isShown' in known
    this.errors = more.errors
    this.retryAfter = more.retryAfter
    this.details = more.details
    this.help = more.help
  }
}

const textOf = (value: string | number): string => (typeof value === 'number' ? figure(value) : value)

/** When another try makes sense, in words. */
function whenText(seconds: number | undefined): string {
  if (seconds === undefined) return '稍后'
  return seconds < 120
    ? ` ${seconds} 秒后`
    : seconds < 7200
      ? ` ${Math.ceil(seconds / 60)} 分钟后`
      : ` ${Math.ceil(seconds / 3600)} 小时后`
}

/** The answer to faulty input: the first fault as the text, all of them as a list. */
export const invalidInput = (errors: FieldFault[]) =>
  new Failure('invalid-input', { first: errors[0]?.msg ?? '提交的内容有误，请检查后重试' }, { errors })
