import { Tooltip } from 'antd'
import dayjs from 'dayjs'
import { quoted } from '../../../contract/core/quotes.ts'
import { approvalActionApi } from '../../../contract/programme/approvals/actions.calls.ts'
import { approvalStatus, taskStatus as taskStatusCodes } from '../../../contract/core/codes/programme.ts'
import { hasActed, type PersonOfStep as Person } from '../../../contract/programme/approvals/people-of-step.ts'
import type { FlowProgress } from '../../../contract/programme/lessons/lessons.schema.ts'
import { actionOn } from '../../core/action/action.tsx'
import { AreaField } from '../../core/form/fields.tsx'
import { LockButton } from '../../core/parts/buttons.tsx'
import { labelOf } from '../../core/service/dictionary-store.ts'
import { fewNames, maxNamed } from '../../../contract/core/few-names.ts'
import { EmptyState } from '../../core/parts/empty-state.tsx'
import { doAction } from '../../core/action/row-actions.tsx'
import { useIsPhone } from '../../core/parts/use-width.ts'
import './flow-diagram.css'

type Step = FlowProgress['steps'][number]

const words: Record<Step['state'], string> = {
  passed: '已通过',
  refused: '已驳回',
  waiting: '待处理',
  coming: '未开始',
  skipped: '未执行',
  withdrawn: '已撤回',
}
const endWords: Record<string, string> = {
  [approvalStatus.passed]: '审批通过',
  [approvalStatus.refused]: '审批驳回',
  [approvalStatus.withdrawn]: '已撤回',
  [approvalStatus.terminated]: '已终止',
}

interface FlowDiagramProps {
  /** Newest first. */
  flows: readonly FlowProgress[]
  title?: string
  /** One below the other, for narrow places; on a phone it is always so. */
  upright?: boolean
  /** What to say while there is no flow. */
  none?: string
}

/** Every approval a matter went through, step by step: who decided, when and with what words, and who has it now. */
export function FlowDiagram({ flows, title, upright = false, none = '暂无审批记录' }: FlowDiagramProps) {
  const [newest, ...earlier] = flows
  const isPhone = useIsPhone()
  return (
    <section className={upright || isPhone ? 'flow flow-upright' : 'flow'} aria-label={title ?? '审批流程'}>
      {title && <h2>{title}</h2>}
      {newest ? <Flow flow={newest} /> : <EmptyState text={none} />}
      {earlier.length > 0 && (
        <details className="flow-earlier">
          <summary>此前 {earlier.length} 次审批</summary>
          {earlier.map((flow) => (
            <Flow key={flow.insId} flow={flow} />
          ))}
        </details>
      )}
    </section>
  )
}

const action = actionOn<FlowProgress>()
const remind = action({
  label: '催办',
  call: approvalActionApi.remind,
  question: () => '确认催办当前审批人？',
  confirm: '将给当前审批人发送提醒，同一审批每 24 小时可催办一次。',
  input: ([row]) => ({ insId: row!.insId }),
  doneText: ({ names }) => `已提醒${fewNames(names)}`,
})

const terminate = action({
  label: '终止审批',
  call: approvalActionApi.terminate,
  isDanger: true,
  question: () => '确认终止该审批？',
  confirm: '终止后不再审批，由发起人修改后重新提交或删除。终止不能撤销。',
  ask: <AreaField name="reason" rows={3} placeholder="不少于 5 个字，发起人可见" />,
  input: ([row], { reason }) => ({ insId: row!.insId, reason: reason as string }),
  doneText: () => '已终止审批',
})

interface PersonOfFlow extends Person {
  insId: string
}
const actionOnPerson = actionOn<PersonOfFlow>()
const recall = actionOnPerson({
  label: '收回委派',
  call: approvalActionApi.recall,
  question: ([row]) => `确认收回对${quoted(row!.checkerName)}的委派？`,
  confirm: '收回后由您直接审批。',
  input: ([row]) => ({ taskId: row!.taskId }),
  doneText: () => '已收回委派，重新待您审批',
})
const removeSigner = actionOnPerson({
  label: '减签',
  call: approvalActionApi.removeSigner,
  isDanger: true,
  question: ([row]) => `确认不再由${quoted(row!.checkerName)}审批？`,
  confirm: '对方将收到通知。',
  ask: <AreaField name="opinion" rows={2} placeholder="可不填" />,
  input: ([row], { opinion }) => ({
    insId: row!.insId,
    suId: row!.seatId,
    ...(opinion ? { opinion: opinion as string } : {}),
  }),
  doneText: (_, [row]) => `已减签${quoted(row!.checkerName)}`,
})
const personActions = { recall, removeSigner }

function Flow({ flow }: { flow: FlowProgress }) {
  const { insId, nodeName, wfName, wfVersion, startName, startTime, endTime, insStatus, steps, returns, can } = flow
  return (
    <div className="flow-one">
      <p className="flow-name">
        <b>{labelOf('wf_node', nodeName)}审批</b>
        <span title={wfName}>
          {wfName} · 第 {wfVersion} 版
        </span>
        {can.includes('remind') && (
          <LockButton size="small" onClick={() => doAction(remind, [flow], () => wfName)}>
            催办
          </LockButton>
        )}
        {can.includes('terminate') && (
          <LockButton
            size="small"
            danger
            {...{ 'authority-type': approvalActionApi.terminate.permit }}
            onClick={() => doAction(terminate, [flow], () => wfName)}
          >
            终止审批
          </LockButton>
        )}
      </p>
      <ol className="flow-steps">
        <li className="flow-step flow-passed">
          <b>提交</b>
          <p className="flow-person">
            <span>{startName}</span>
            <time>{short(startTime)}</time>
          </p>
        </li>
        {steps.map((step) => (
          <FlowStep key={step.stepSort} step={step} insId={insId} />
        ))}
        <li
          className={`flow-step flow-end flow-${insStatus === approvalStatus.passed ? 'passed' : insStatus === approvalStatus.refused ? 'refused' : insStatus === approvalStatus.running ? 'coming' : 'withdrawn'}`}
        >
          <b>{endWords[insStatus] ?? '结束'}</b>
          {endTime && (
            <p className="flow-person">
              <span>{flow.endName}</span>
              <time>{short(endTime)}</time>
              {flow.endReason && <q title={flow.endReason}>{flow.endReason}</q>}
            </p>
          )}
        </li>
      </ol>
      {returns.length > 0 && (
        <ul className="flow-returns" aria-label="退回记录">
          {returns.map(({ fromStep, toStep, checkerName, opinion, handleTime }) => (
            <li key={handleTime + fromStep}>
              {short(handleTime)} {checkerName}在{quoted(fromStep)}退回到{quoted(toStep)}：{opinion}
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

/** An opinion that was asked for is read with who asked, and a button is there for whoever may press it. */
const isAlwaysShown = ({ can, askedByName, taskStatus }: Person) =>
  can.length > 0 || askedByName !== '' || taskStatus === taskStatusCodes.delegated

function FlowStep({ step: { stepName, stepType, state, people }, insId }: { step: Step; insId: string }) {
  const acted = people.filter(hasActed)
  // once decided only those who decided matter; before that everybody who may
  const listed =
    acted.length > 0 && state !== 'waiting' ? acted : [...acted, ...people.filter((person) => !hasActed(person))]
  const plain = listed.filter((person) => !isAlwaysShown(person))
  const rest = plain.slice(maxNamed)
  const shown = listed.filter((person) => !rest.includes(person))
  const arrived = state === 'waiting' ? people.find(({ arriveTime }) => arriveTime)?.arriveTime : undefined
  return (
    <li className={`flow-step flow-${state}`} aria-current={state === 'waiting' ? 'step' : undefined}>
      <b>{stepName}</b>
      <p className="flow-facts">
        <em>
          {words[state]}
          {arrived && waited(arrived)}
        </em>
        {people.length > 1 && <small>{labelOf('wf_step_type', stepType)}</small>}
      </p>
      {shown.map((person) => (
        <FlowPerson key={person.taskId + person.checkerId + person.taskStatus} person={person} insId={insId} />
      ))}
      {rest.length > 0 && (
        <Tooltip title={rest.map(({ checkerName }) => checkerName).join('、')}>
          <p className="flow-rest" tabIndex={0}>
            另有 {rest.length} 人
          </p>
        </Tooltip>
      )}
    </li>
  )
}

const marks: Record<string, string> = {
  [taskStatusCodes.transferred]: '已转办',
  [taskStatusCodes.delegated]: '已委派',
  [taskStatusCodes.advised]: '已答复',
  [taskStatusCodes.refused]: '驳回',
  [taskStatusCodes.autoPassed]: '自动通过',
  [taskStatusCodes.passed]: '通过',
}

/**
 * What became of a person's part, in a word; an opinion that is awaited and a signer taken off have words of their own.
 */
function markOf({ taskStatus, askedByName, isAdded }: Person): string {
  if (isAdded && taskStatus === taskStatusCodes.withdrawn) return '已减签'
  if (askedByName && taskStatus === taskStatusCodes.pending) return '待答复'
  return marks[taskStatus] ?? ''
}

function FlowPerson({ person, insId }: { person: Person; insId: string }) {
  const { checkerName, behalfName, askedByName, taskStatus, opinion, handleTime, can } = person
  const mark = markOf(person)
  return (
    <div className="flow-person">
      <span>
        {behalfName
          ? `由 ${checkerName} 代 ${behalfName} 审批`
          : askedByName
            ? `${checkerName}（受 ${askedByName} 委派）`
            : checkerName}
        {mark && <i className={taskStatus === taskStatusCodes.refused ? 'refused' : ''}>{mark}</i>}
      </span>
      {handleTime && taskStatus !== taskStatusCodes.lapsed && <time>{short(handleTime)}</time>}
      {opinion && <q title={opinion}>{opinion}</q>}
      {can.map((act) => (
        <LockButton
          key={act}
          size="small"
          onClick={() => doAction(personActions[act], [{ ...person, insId }], () => checkerName)}
        >
          {personActions[act].label}
        </LockButton>
      ))}
    </div>
  )
}

const short = (time: string): string => time.slice(5, 16)

function waited(since: string): string {
  const days = dayjs().diff(dayjs(since.replace(' ', 'T')), 'day')
  return days > 0 ? `，已等待 ${days} 天` : ''
}
