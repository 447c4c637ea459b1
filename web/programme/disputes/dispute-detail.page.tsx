import { Link, useSearchParams } from 'react-router'
import { yesNo } from '../../../contract/core/codes/platform.ts'
import { questionStatus } from '../../../contract/core/codes/programme.ts'
import { disputeApi } from '../../../contract/programme/disputes/disputes.calls.ts'
import type { DisputeDetail } from '../../../contract/programme/disputes/disputes.schema.ts'
import { FlowDiagram } from '../../shared/flow-diagram/flow-diagram.tsx'
import { RecordTimeline } from '../../shared/record-timeline/record-timeline.tsx'
import { LockButton } from '../../core/parts/buttons.tsx'
import { usePermission } from '../../core/service/rights.ts'
import { doAction } from '../../core/action/row-actions.tsx'
import type { RowAction } from '../../core/action/action.tsx'
import { DetailPage, Facts } from '../../core/action/detail-page.tsx'
import { labelOf } from '../../core/service/dictionary-store.ts'
import { useCall } from '../../core/service/use-call.ts'
import { nameOfDispute, useDisputeActions } from './dispute-actions.tsx'
import {
  changeText,
  DisputeFacts,
  DisputeProofs,
  DisputeStatus,
  subjectName,
  outcomeText,
} from '../../shared/disputes/dispute-facts.tsx'
import { disputePaths } from '../../shared/disputes/dispute-paths.ts'

/** A dispute: what is asked, how it was decided and what came of it. */
export function DisputeDetailPage() {
  const [query] = useSearchParams()
  const { data, isPending, error, refetch } = useCall(disputeApi.detail, { qId: query.get('qId') ?? '' })
  const { row, reporter, dialogs } = useDisputeActions()
  const may = usePermission()
  return (
    <>
      <DetailPage<DisputeDetail>
        record={data}
        isLoading={isPending}
        reading={{ error, refetch }}
        noun="质疑"
        list={disputePaths.lessons}
        name={nameOfDispute}
        status={(dispute) => <DisputeStatus question={dispute} />}
        facts={({ liId, liName, lisId, lisName, createTime, deadline, qStatus, overdue }) => (
          <>
            <Link to={disputePaths.people({ liId, lisId })}>{subjectName({ liName, lisName })}</Link>
            {` · 登记于 ${createTime.slice(0, 16)}`}
            {(qStatus === questionStatus.pending || qStatus === questionStatus.overdue) &&
              ` · ${overdue ? '已超过受理期限' : '受理期限'} ${deadline.slice(0, 10)}`}
          </>
        )}
        tools={
          data &&
          may(reporter.call) &&
          reporter.fits?.(data) && (
            <LockButton authority-type={reporter.call.permit} onClick={() => doAction(reporter, [data], nameOfDispute)}>
              查看质疑人
            </LockButton>
          )
        }
        actions={row as RowAction<DisputeDetail>[]}
        tabs={(dispute) => [
          {
            key: 'info',
            title: '质疑详情',
            content: (
              <>
                <Outcome question={dispute} />
                <DisputeFacts question={dispute} />
                <section className="facts">
                  <h2>证明材料</h2>
                  <DisputeProofs question={dispute} />
                </section>
                <Others question={dispute} />
              </>
            ),
          },
          { key: 'trail', title: '动态', content: <RecordTimeline bizType="question" bizId={dispute.qId} /> },
        ]}
        side={({ flows, isQuestionedAudit, lisId, qStatus }) => (
          <FlowDiagram
            flows={flows}
            title="审批流程"
            upright
            none={
              isQuestionedAudit === yesNo.no
                ? '由课程负责人认定，不经审批'
                : qStatus === questionStatus.pending || qStatus === questionStatus.overdue
                  ? '受理后进入审批'
                  : qStatus === questionStatus.inReview
                    ? lisId
                      ? '补录的流程没有质疑审批步骤，由受理质疑的人员直接认定'
                      : '适用的流程没有质疑审批步骤，由受理质疑的人员直接认定'
                    : '未经审批'
            }
          />
        )}
      />
      {dialogs}
    </>
  )
}

/** How it was decided and what was done. */
function Outcome({ question }: { question: DisputeDetail }) {
  const {
    acceptName,
    acceptTime,
    handleName,
    handleTime,
    opinion,
    qStatus,
    qOutcome,
    beforeResult,
    afterResult,
    outcomeName,
    outcomeTime,
    outcomeOpinion,
  } = question
  if (!acceptTime && !handleTime) return null
  return (
    <Facts
      title="处理情况"
      items={[
        ...(acceptTime ? [{ label: '受理', value: `${acceptName} · ${acceptTime.slice(0, 16)}` }] : []),
        ...(handleTime
          ? [
              {
                label: qStatus === questionStatus.withdrawn ? '撤回' : '认定',
                value: `${labelOf('question_status', qStatus)} · ${handleName} · ${handleTime.slice(0, 16)}`,
              },
            ]
          : []),
        ...(opinion ? [{ label: '意见', value: opinion, isWide: true }] : []),
        ...(qOutcome
          ? [
              {
                label: '处理结果',
                value: `${outcomeText(question)} · ${outcomeName} · ${outcomeTime?.slice(0, 16) ?? ''}`,
              },
              { label: '变动', value: changeText(question) || '无' },
              ...(beforeResult !== afterResult
                ? [
                    {
                      label: '结果对比',
                      value: (
                        <>
                          <del>{beforeResult}</del> → <ins>{afterResult}</ins>
                        </>
                      ),
                      isWide: true,
                    },
                  ]
                : []),
              { label: '处理说明', value: outcomeOpinion, isWide: true },
            ]
          : []),
      ]}
    />
  )
}

function Others({ question: { others } }: { question: DisputeDetail }) {
  if (others.length === 0) return null
  return (
    <section className="facts">
      <h2>同一对象的其他质疑</h2>
      <ul className="question-others">
        {others.map((one) => (
          <li key={one.qId}>
            <Link to={disputePaths.detail(one.qId)}>{labelOf('question_type', one.qType)}</Link>
            <span>
              {labelOf('question_status', one.qStatus)} · {one.createTime.slice(0, 10)}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
