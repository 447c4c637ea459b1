import PaperClipOutlined from '@ant-design/icons/PaperClipOutlined'
import { Link } from 'react-router'
import { yesNo } from '../../../contract/core/codes/platform.ts'
import { questionOutcome, questionStatus } from '../../../contract/core/codes/programme.ts'
import { disputeApi } from '../../../contract/programme/disputes/disputes.calls.ts'
import type { DisputeDetail, DisputeRow } from '../../../contract/programme/disputes/disputes.schema.ts'
import { supplementApi } from '../../../contract/programme/supplements/supplements.calls.ts'
import { Facts } from '../../core/action/detail-page.tsx'
import { usePermission } from '../../core/service/rights.ts'
import { labelOf } from '../../core/service/dictionary-store.ts'
import { StatusChip, type ChipTone } from '../../core/parts/status-chip.tsx'
import { FileLink } from '../../core/parts/stored-file.tsx'
import { supplementPaths } from '../supplements/supplement-status.tsx'
import './disputes.css'

const tones: Record<string, ChipTone> = {
  [questionStatus.pending]: 'waiting',
  [questionStatus.inReview]: 'published',
  [questionStatus.upheld]: 'finished',
  [questionStatus.rejected]: 'refused',
  [questionStatus.withdrawn]: 'draft',
  [questionStatus.overdue]: 'refused',
}

/** Where a dispute stands: its state, or what is still to be done about one that is justified. */
export function DisputeStatus({
  question: { qStatus, qOutcome },
}: {
  question: Pick<DisputeRow, 'qStatus' | 'qOutcome'>
}) {
  if (qStatus === questionStatus.upheld && qOutcome === null) return <StatusChip tone="waiting">成立待处理</StatusChip>
  return <StatusChip tone={tones[qStatus] ?? 'draft'}>{labelOf('question_status', qStatus)}</StatusChip>
}

/** What a dispute is about, by its name. */
export const subjectName = ({ liName, lisName }: Pick<DisputeRow, 'liName' | 'lisName'>): string => liName || lisName

/** What was done about it; taken out a record leaves the notice, not a list. */
export const outcomeText = ({ qOutcome, lisId }: Pick<DisputeRow, 'qOutcome' | 'lisId'>): string =>
  qOutcome === questionOutcome.remove && lisId ? '移出公示' : labelOf('question_outcome', qOutcome ?? '')

/** Whom a dispute is about. */
export const targetText = ({ targetName, targetNumber }: Pick<DisputeRow, 'targetName' | 'targetNumber'>): string =>
  targetName ? `${targetName}（${targetNumber}）` : '整门课程'

/** `2.5` -> `+2.5 学时`; nothing where nothing changed. */
export const changeText = ({
  creditDelta,
  credibilityDelta,
}: Pick<DisputeRow, 'creditDelta' | 'credibilityDelta'>): string =>
  [
    creditDelta !== '0' && `${creditDelta.startsWith('-') ? '' : '+'}${creditDelta} 学时`,
    credibilityDelta !== 0 && `诚信分 ${credibilityDelta}`,
  ]
    .filter(Boolean)
    .join('，')

/** What is asked and about whom; never by whom. */
export function DisputeFacts({ question }: { question: DisputeDetail }) {
  const maySeeRecords = usePermission()(supplementApi.list)
  const {
    qType,
    qContent,
    qAward,
    nowResult,
    lisId,
    lsName,
    liLevelName,
    liPrincipalName,
    liPublictySdate,
    liPublictyEdate,
    isQuestionedAudit,
  } = question
  return (
    <>
      <Facts
        items={[
          { label: '质疑类型', value: labelOf('question_type', qType) },
          { label: '被质疑对象', value: targetText(question) },
          { label: '质疑内容', value: <span className="question-content">{qContent}</span>, isWide: true },
          { label: '申请奖项', value: qAward },
          { label: '现有结果', value: nowResult },
          { label: '质疑人', value: '已按规定隐去' },
        ]}
      />
      <Facts
        title={lisId ? '所属补录' : '所属课程'}
        items={[
          {
            label: lisId ? '补录名称' : '课程名称',
            value:
              lisId && maySeeRecords ? (
                <Link to={supplementPaths.detail(lisId)}>{question.lisName}</Link>
              ) : (
                subjectName(question)
              ),
          },
          { label: lisId ? '模块与级别' : '课程体系', value: `${lsName} · ${liLevelName}` },
          ...(lisId ? [] : [{ label: '负责人', value: liPrincipalName }]),
          {
            label: '公示期',
            value:
              liPublictySdate && liPublictyEdate
                ? `${liPublictySdate.slice(0, 10)} 至 ${liPublictyEdate.slice(0, 10)}`
                : '',
          },
          {
            label: '认定方式',
            value: lisId
              ? '按补录流程的公示与质疑环节'
              : isQuestionedAudit === yesNo.yes
                ? '由审批人认定'
                : '由负责人认定',
          },
        ]}
      />
    </>
  )
}

/** The proofs handed in with a dispute. */
export function DisputeProofs({ question: { qProofs } }: { question: Pick<DisputeDetail, 'qProofs'> }) {
  if (qProofs.length === 0) return <p className="nothing">没有上传证明材料</p>
  return (
    <ul className="question-proofs">
      {qProofs.map(({ id, name }) => (
        <li key={id}>
          <FileLink view={disputeApi.file} id={id} name={name} icon={<PaperClipOutlined />} />
        </li>
      ))}
    </ul>
  )
}
