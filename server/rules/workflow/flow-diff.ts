import { yesNo } from '../../../contract/core/codes/platform.ts'
import { labelOf } from '../../../contract/core/dictionary.ts'
import type { NodeName } from '../../../contract/rules/workflow/workflow.schema.ts'
import { stepWords, type WordedStep } from './step-words.ts'

/** A flow as a version keeps it, with the names that its ids had when it was saved. */
export interface FlowContent {
  wfName: string
  wfDesc: string
  wfcName: string
  isDefault: string
  selfPass: string
  needCreditOnly: string
  roles: string[]
  classes: string[]
  levelNames: string[]
  steps: (WordedStep & { wfsId: string; wfsNodeName: NodeName; wfsStepName: string })[]
}

interface FlowChange {
  field: string
  before: string
  after: string
}

const all = (names: readonly string[]) => names.join('、') || '全部'
const yes = (flag: string) => (flag === yesNo.yes ? '是' : '否')

/** What a version changed against the one before it, in words: pure. */
export function diffFlows(before: FlowContent, after: FlowContent): FlowChange[] {
  const facts: [string, (flow: FlowContent) => string][] = [
    ['流程名称', ({ wfName }) => wfName],
    ['流程说明', ({ wfDesc }) => wfDesc],
    ['分类', ({ wfcName }) => wfcName],
    ['默认流程', ({ isDefault }) => yes(isDefault)],
    ['适用角色', ({ roles }) => all(roles)],
    ['适用课程体系', ({ classes }) => all(classes)],
    ['适用级别', ({ levelNames }) => all(levelNames)],
    ['仅限授予学分的', ({ needCreditOnly }) => yes(needCreditOnly)],
    ['发起人自己审批的步骤自动通过', ({ selfPass }) => yes(selfPass)],
  ]
  const changed = facts
    .map(([field, of]) => ({ field, before: of(before), after: of(after) }))
    .filter((one) => one.before !== one.after)
  return [...changed, ...stepChanges(before, after), ...orderChanges(before, after)]
}

const title = ({ wfsNodeName, wfsStepName }: FlowContent['steps'][number]) =>
  `${labelOf('wf_node', wfsNodeName)} · ${wfsStepName}`

function stepChanges(before: FlowContent, after: FlowContent): FlowChange[] {
  const old = new Map(before.steps.map((step) => [step.wfsId, step]))
  const kept = new Set(after.steps.map(({ wfsId }) => wfsId))
  const removed = before.steps
    .filter(({ wfsId }) => !kept.has(wfsId))
    .map((step) => ({ field: `删除步骤：${title(step)}`, before: stepWords(step), after: '' }))
  const others = after.steps.flatMap((step) => {
    const was = old.get(step.wfsId)
    if (!was) return [{ field: `新增步骤：${title(step)}`, before: '', after: stepWords(step) }]
    const isRenamed = title(was) !== title(step)
    const [from, to] = [stepWords(was), stepWords(step)]
    return from === to && !isRenamed
      ? []
      : [
          {
            field: `步骤：${title(step)}`,
            before: isRenamed ? `${title(was)}，${from}` : from,
            after: isRenamed ? `${title(step)}，${to}` : to,
          },
        ]
  })
  return [...removed, ...others]
}

/** Stages whose steps are the same ones in another order. */
function orderChanges(before: FlowContent, after: FlowContent): FlowChange[] {
  return [...new Set(after.steps.map(({ wfsNodeName }) => wfsNodeName))].flatMap((node) => {
    const own = ({ steps }: FlowContent) => steps.filter(({ wfsNodeName }) => wfsNodeName === node)
    const shared = new Set(
      own(before)
        .map(({ wfsId }) => wfsId)
        .filter((wfsId) => own(after).some((step) => step.wfsId === wfsId)),
    )
    const order = (flow: FlowContent) => own(flow).filter(({ wfsId }) => shared.has(wfsId))
    const [from, to] = [order(before), order(after)]
    if (from.every(({ wfsId }, at) => wfsId === to[at]!.wfsId)) return []
    return [
      {
        field: `${labelOf('wf_node', node)}环节的顺序`,
        before: from.map(({ wfsStepName }) => wfsStepName).join(' → '),
        after: to.map(({ wfsStepName }) => wfsStepName).join(' → '),
      },
    ]
  })
}
