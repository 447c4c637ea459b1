import type { FlowProgress } from '../../contract/lessons/lessons.schema.ts'
import type { Context } from '../core/context.ts'
import { progress, stepVerdict } from '../workflow/progress.ts'
import type { StepSnapshot } from './approvals.service.ts'

export { ownTask } from './approvals.queries.ts'

/** Every approval a matter has gone through, newest first, step by step: two statements however many there are. */
export async function flowsOf(ctx: Context, bizId: string): Promise<FlowProgress[]> {
  const { schoolId } = ctx.actor
  const approvals = await ctx.db.selectFrom('approval').selectAll().where('schoolId', '=', schoolId).where('bizId', '=', bizId).orderBy('startTime', 'desc').orderBy('insId', 'desc').limit(20).execute()
  if (approvals.length === 0) return []
  const all = await ctx.db
    .selectFrom('approvalTask').select(['insId', 'stepSort', 'checkerId', 'checkerName', 'taskStatus', 'opinion', 'arriveTime', 'handleTime'])
    .where('schoolId', '=', schoolId).where('insId', 'in', approvals.map(({ insId }) => insId)).orderBy('arriveTime').orderBy('taskId').execute()
  return approvals.map((approval) => {
    const steps = approval.steps as unknown as StepSnapshot[]
    const votes = all.filter(({ insId }) => insId === approval.insId)
    const plain = steps.map((step) => ({ ...step, people: step.people.map(({ suId }) => suId) }))
    const standing = progress(plain, votes)
    return {
      ...approval,
      changes: approval.changes as unknown as FlowProgress['changes'],
      steps: steps.map((step, at) => ({
        stepSort: step.stepSort,
        stepName: step.stepName,
        stepType: step.stepType,
        state: stateOf(step.stepSort, standing.stepSort, approval.insStatus, stepVerdict(plain[at]!, votes).verdict),
        people: step.people.map(({ suId, suiName }) => {
          const task = votes.findLast((vote) => vote.stepSort === step.stepSort && vote.checkerId === suId)
          return { checkerId: suId, checkerName: suiName, taskStatus: task?.taskStatus ?? '', opinion: task?.opinion ?? '', arriveTime: task?.arriveTime ?? null, handleTime: task?.handleTime ?? null }
        }),
      })),
    }
  })
}

function stateOf(stepSort: number, current: number, insStatus: string, verdict: 'passed' | 'refused' | 'open'): FlowProgress['steps'][number]['state'] {
  if (verdict !== 'open' && (stepSort <= current || insStatus === '1')) return verdict
  if (insStatus === '0') return stepSort === current ? 'waiting' : 'coming'
  return insStatus === '3' ? 'withdrawn' : 'skipped'
}
