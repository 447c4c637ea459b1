import { z } from 'zod'
import { call } from '../../core/call.ts'
import { batchResult } from '../../core/batch-result.ts'
import { choice, done, id, dateTime, option, optionalText, reason, search, text, version } from '../../core/fields.ts'

const taskId = id('审批任务')

/** Seconds in which a reviewer may take their own decision back, as long as nobody has acted on it. */
export const takeBackSeconds = 30
/** How many phrases a reviewer may keep, and how long each may be. */
export const maxPhrases = 12
const phrase = text('常用意见', 60)

/** Somebody stands in for somebody else. `dgStatus`: 0 not begun, 1 in force, 2 over. */
const delegationRow = z.object({
  dgId: z.string(),
  suId: z.string(),
  suiName: z.string(),
  agentId: z.string(),
  agentName: z.string(),
  startTime: z.string(),
  endTime: z.string(),
  reason: z.string(),
  dgStatus: z.string(),
  version: z.number(),
  can: z.array(z.enum(['end'])),
})

/**
 * What else may be done with a running approval, besides passing and refusing. Whether one may is a matter of the task,
 * not of a right.
 */
export const approvalActionApi = {
  transfer: call('POST', '/lessonsApplyInfo/transferAudit', {
    summary: '转办审批',
    permit: 'signed-in',
    input: z.strictObject({ taskId, toSuId: id('转办给'), opinion: optionalText('转办说明', 500) }),
    output: done,
  }),
  addSigners: call('POST', '/lessonsApplyInfo/addSignerAudit', {
    summary: '加签',
    permit: 'signed-in',
    input: z.strictObject({
      taskId,
      suIds: z.array(id('加签人')).min(1, '请选择加签人').max(10, '一次最多加签 10 人').meta({ label: '加签人' }),
      opinion: optionalText('加签说明', 500),
    }),
    output: done,
  }),
  /** Takes off a signer who was added and has not decided: who added them, who decides the step, who manages. */
  removeSigner: call('POST', '/lessonsApplyInfo/removeSignerAudit', {
    summary: '减签',
    permit: 'signed-in',
    input: z.strictObject({
      insId: id('审批'),
      suId: id('加签人'),
      opinion: optionalText('减签说明', 500),
    }),
    output: done,
  }),
  /** Asks a colleague for an opinion; the task comes back to who asked. */
  delegate: call('POST', '/lessonsApplyInfo/delegateAudit', {
    summary: '委派审批',
    permit: 'signed-in',
    input: z.strictObject({ taskId, toSuId: id('委派给'), opinion: optionalText('委派说明', 500) }),
    output: done,
  }),
  /** The opinion that was asked for. */
  advise: call('POST', '/lessonsApplyInfo/adviseAudit', {
    summary: '答复委派',
    permit: 'signed-in',
    input: z.strictObject({ taskId, opinion: text('意见', 500) }),
    output: done,
  }),
  /** Takes one's own task, given by its id, back from a colleague who has not answered yet. */
  recall: call('POST', '/lessonsApplyInfo/recallDelegateAudit', {
    summary: '收回委派',
    permit: 'signed-in',
    input: z.strictObject({ taskId }),
    output: done,
  }),
  /** Ends a running approval without a decision; its record goes back to where its owner can mend or remove it. */
  terminate: call('POST', '/lessonsApplyInfo/terminateAudit', {
    summary: '终止审批',
    permit: 'approval:manage',
    input: z.strictObject({ insId: id('审批'), reason: reason('终止原因') }),
    output: done,
  }),
  remind: call('POST', '/lessonsApplyInfo/remindAudit', {
    summary: '催办审批',
    permit: 'signed-in',
    input: z.strictObject({ insId: id('审批') }),
    output: z.object({ affected: z.number(), names: z.array(z.string()) }),
  }),
  /** Only for {@link takeBackSeconds}; what the decision led to is undone with it. Per task what came of it. */
  takeBack: call('POST', '/lessonsApplyInfo/takeBackAudit', {
    summary: '撤销审批决定',
    permit: 'signed-in',
    input: z.strictObject({
      taskIds: z.array(taskId).min(1, '请至少选择一条记录').max(200, '一次最多处理 200 条记录'),
    }),
    output: batchResult,
  }),
  /** Takes one's own application back while nobody has decided, whatever it is about. */
  withdraw: call('POST', '/lessonsApplyInfo/withdrawAudit', {
    summary: '撤回审批申请',
    permit: 'signed-in',
    input: z.strictObject({ insId: id('审批') }),
    output: done,
  }),
  opinions: call('GET', '/lessonsApplyInfo/queryOpinions', {
    summary: '我的常用意见',
    permit: 'signed-in',
    input: z.object({}),
    output: z.object({ phrases: z.array(z.string()) }),
  }),
  saveOpinions: call('POST', '/lessonsApplyInfo/saveOpinions', {
    summary: '保存常用意见',
    permit: 'signed-in',
    input: z.strictObject({ phrases: z.array(phrase).max(maxPhrases, `常用意见最多 ${maxPhrases} 条`) }),
    output: z.object({ phrases: z.array(z.string()) }),
  }),
  /** Who could decide such a matter: people in service with the right to, not oneself. */
  candidates: call('GET', '/lessonsApplyInfo/queryAuditCandidates', {
    summary: '可选的审批人',
    permit: 'signed-in',
    cost: 'search',
    input: z.object({
      bizType: z.enum(['publish', 'result', 'supplement', 'question']).optional(),
      search: search('姓名或工号').optional(),
    }),
    output: z.array(option.extend({ note: z.string() })),
  }),
  delegations: call('GET', '/lessonsApplyInfo/queryDelegation', {
    summary: '我的审批代理',
    permit: 'signed-in',
    input: z.object({}),
    output: z.array(delegationRow),
  }),
  addDelegation: call('POST', '/lessonsApplyInfo/addDelegation', {
    summary: '设置审批代理',
    permit: 'signed-in',
    input: z.strictObject({
      agentId: choice('代理人'),
      startTime: dateTime('开始时间'),
      endTime: dateTime('结束时间'),
      reason: optionalText('原因', 200),
    }),
    output: z.object({ dgId: z.string() }),
  }),
  endDelegation: call('POST', '/lessonsApplyInfo/endDelegation', {
    summary: '结束审批代理',
    permit: 'signed-in',
    input: z.strictObject({ dgId: id('代理'), version: version.optional() }),
    output: done,
  }),
}
