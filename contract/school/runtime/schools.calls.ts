import { z } from 'zod'
import { call } from '../../core/call.ts'
import { done, integer, reason, search, text } from '../../core/fields.ts'
import { paged, paging } from '../../core/paging.ts'

/** The right of whoever the installation's settings name as its operator; no role gives it (decision 098). */
export const operatorPermit = 'operator:schools'
/**
 * The right to the statistics of all schools: of the operator, and of whom the installation's settings name for them
 * alone. No role gives it either (decision 126).
 */
export const provincePermit = 'operator:statistics'
/** Rights that no role gives. */
export const installationPermits: readonly string[] = [operatorPermit, provincePermit]

/** Left out or null: no bound. */
const bound = (label: string, max: number) => integer(label, 1, max).nullable().default(null)

/** What a school may use; null for no bound. */
const quotaFields = {
  maxPeople: bound('可用账号数', 10_000_000),
  maxMegabytes: bound('文件（MB）', 1_000_000_000),
  maxConcurrent: bound('同时处理的请求数', 10_000),
  maxPerMinute: bound('每分钟请求数', 10_000_000),
  maxTasks: bound('同时进行的后台任务数', 1000),
  maxMessages: bound('每天站内消息份数', 1_000_000_000),
}
const quota = z.object(quotaFields)
/** Bounds of a school by name. */
export type Quota = z.output<typeof quota>

/** Nothing is bounded. */
export const noQuota: Quota = {
  maxPeople: null,
  maxMegabytes: null,
  maxConcurrent: null,
  maxPerMinute: null,
  maxTasks: null,
  maxMessages: null,
}

const schoolId = z
  .string('请填写学校代码')
  .trim()
  .regex(/^[a-zA-Z0-9_-]{1,32}$/, '学校代码由 1 至 32 个字母、数字、_ 或 - 组成')
  .meta({ label: '学校代码', max: 32 })

const school = z.object({
  schoolId: z.string(),
  schName: z.string(),
  createTime: z.string(),
  /** Accounts in use, and bytes of files. */
  people: z.number(),
  storage: z.number(),
  /** Copies of messages that its people have sent today; counted only where there is a quota. */
  messages: z.number(),
  /** The latest sign-in; null where nobody has signed in. */
  lastLogin: z.string().nullable(),
  suspendedTime: z.string().nullable(),
  suspendedWhy: z.string(),
  /** Its removal has begun. */
  isGoing: z.boolean(),
  quota,
  can: z.array(z.enum(['suspend', 'resume', 'quota'])),
})

/** The schools of an installation, for its operator alone. */
export const operatorApi = {
  schools: call('GET', '/operator/schools', {
    summary: '学校列表',
    permit: operatorPermit,
    input: paging.extend({
      search: search('学校名称或代码').optional(),
      state: z.enum(['working', 'suspended'], '请选择状态').optional(),
    }),
    output: paged(school),
  }),
  suspend: call('POST', '/operator/suspend', {
    summary: '暂停学校',
    permit: operatorPermit,
    needsFreshCode: true,
    input: z.strictObject({
      schoolId,
      /** Typed once more by whoever suspends it. */
      confirm: text('学校名称', 200),
      reason: reason('暂停原因'),
    }),
    output: done,
  }),
  resume: call('POST', '/operator/resume', {
    summary: '恢复学校',
    permit: operatorPermit,
    needsFreshCode: true,
    input: z.strictObject({ schoolId }),
    output: done,
  }),
  quota: call('POST', '/operator/quota', {
    summary: '设置学校配额',
    permit: operatorPermit,
    input: z.strictObject({ schoolId, ...quotaFields }),
    output: done,
  }),
  add: call('POST', '/operator/add', {
    summary: '新建学校',
    permit: operatorPermit,
    needsFreshCode: true,
    input: z.strictObject({
      schoolId,
      schName: text('学校名称', 60),
      adminName: text('管理员姓名', 30),
      username: text('管理员账号', 40),
      password: z.string('请填写初始密码').min(1, '请填写初始密码').max(128).meta({ label: '初始密码' }),
    }),
    output: z.object({ schoolId: z.string() }),
  }),
}
