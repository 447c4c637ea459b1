import { useSearchParams } from 'react-router'
import { isOneOf } from '../../../contract/core/codes/code-list.ts'
import { supplementStatus } from '../../../contract/core/codes/programme.ts'
import { supplementApi } from '../../../contract/programme/supplements/supplements.calls.ts'
import { FlowDiagram } from '../../shared/flow-diagram/flow-diagram.tsx'
import { RecordTimeline } from '../../shared/record-timeline/record-timeline.tsx'
import { DetailPage } from '../../core/action/detail-page.tsx'
import { useCall } from '../../core/service/use-call.ts'
import { useSupplementActions } from './supplement-actions.tsx'
import { SupplementCredit, SupplementFacts, SupplementProofs } from '../../shared/supplements/supplement-facts.tsx'
import { supplementPaths, SupplementStatus } from '../../shared/supplements/supplement-status.tsx'
import '../../shared/lessons/lessons.css'

/** A supplement record: what it is, its proofs, where its hours are, and everything that happened to it. */
export function SupplementDetailPage() {
  const [query] = useSearchParams()
  const {
    data: supplement,
    isPending,
    error,
    refetch,
  } = useCall(supplementApi.detail, { lisId: query.get('lisId') ?? '' })
  const { acts, dialogs } = useSupplementActions('detail')
  return (
    <>
      <DetailPage
        record={supplement}
        isLoading={isPending}
        reading={{ error, refetch }}
        noun="补录"
        list={supplementPaths.list}
        name={({ lisName }) => lisName}
        status={(record) => <SupplementStatus sup={record} />}
        facts={({ suiName, suiNumber, lsName, lisLevelName, lisAward, lisObtainDate }) =>
          [`${suiName}（${suiNumber}）`, lsName, lisLevelName, lisAward, `获得于 ${lisObtainDate}`]
            .filter(Boolean)
            .join(' · ')
        }
        actions={acts}
        tabs={(record) => [
          { key: 'info', title: '基本信息', content: <SupplementFacts sup={record} /> },
          {
            key: 'proofs',
            title: record.proofs.length > 0 ? `证明材料 ${record.proofs.length}` : '证明材料',
            content: <SupplementProofs sup={record} />,
          },
          { key: 'credit', title: '学时与台账', content: <SupplementCredit sup={record} /> },
          { key: 'history', title: '动态', content: <RecordTimeline bizType="supplement" bizId={record.lisId} /> },
        ]}
        side={(record) => (
          <FlowDiagram
            flows={record.flows}
            upright
            title="审批进度"
            none={
              isOneOf(record.lisStatus, supplementStatus.draft, supplementStatus.withdrawn)
                ? '尚未提交审批'
                : '没有审批记录'
            }
          />
        )}
      />
      {dialogs}
    </>
  )
}
