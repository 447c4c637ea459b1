import type { Context } from '../core/context.ts'
import { notify } from '../messages/notify.service.ts'
import type { ApprovalRow } from './approvals.queries.ts'

/** Where a kind's checkers decide, its matter's id at the end, and what the kind is called. Kinds without a screen lead nowhere. */
const kinds: Record<string, { name: string; queue: string; record: string }> = {
  publish: { name: '发布', queue: '/checkAdmin/publishCheck?case=', record: '/courseManagement/detailCurriculumList?liId=' },
  result: { name: '结果', queue: '/checkAdmin/resultCheck?case=', record: '/courseManagement/detailCurriculumList?liId=' },
}
const kindOf = ({ bizType }: ApprovalRow) => kinds[bizType] ?? { name: '', queue: '', record: '' }
const linkTo = (screen: string, { bizId }: ApprovalRow) => screen && screen + encodeURIComponent(bizId)

/** Tells people that a step of an approval waits for them. */
export async function tellCheckers(ctx: Context, approval: ApprovalRow, stepName: string, suIds: readonly string[]): Promise<void> {
  const { bizName, bizType, bizId, startName, startTime } = approval
  const { name, queue } = kindOf(approval)
  await notify(ctx, { suIds, type: '2', title: `《${bizName}》待您审批：${stepName}`, content: `${startName}于 ${startTime} 提交《${bizName}》的${name}审批，请您在“${stepName}”步骤中处理。`, bizType, bizId, link: linkTo(queue, approval) })
}

/** Tells the initiator how his approval ended, with the last opinion. */
export async function tellInitiator(ctx: Context, approval: ApprovalRow, state: 'passed' | 'refused', opinion: string): Promise<void> {
  const { bizName, bizType, bizId, startBy } = approval
  const { name, record } = kindOf(approval)
  const verdict = state === 'passed' ? '已通过' : '被驳回'
  const said = opinion && `${state === 'passed' ? '审批意见' : '驳回原因'}：${opinion}`
  await notify(ctx, { suIds: [startBy], type: '2', title: `《${bizName}》${name}审批${verdict}`, content: [`您提交的《${bizName}》${name}审批${verdict}。`, said].filter(Boolean).join('\n'), bizType, bizId, link: linkTo(record, approval) })
}
