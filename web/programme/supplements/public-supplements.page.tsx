import { useState } from 'react'
import { Link } from 'react-router'
import { disputeApi } from '../../../contract/programme/disputes/disputes.calls.ts'
import { supplementStatus } from '../../../contract/core/codes/programme.ts'
import { supplementApi } from '../../../contract/programme/supplements/supplements.calls.ts'
import type { NoticedSupplement } from '../../../contract/programme/supplements/supplements.schema.ts'
import { actionOn } from '../../core/action/action.tsx'
import type { Column } from '../../core/list/columns.tsx'
import { isCounted, ListTotal } from '../../core/list/list-total.tsx'
import { useList } from '../../core/list/use-list.ts'
import { PageHead } from '../../core/screen/page-head.tsx'
import { AddDisputeDialog } from '../../shared/disputes/add-dispute.tsx'
import { PublicNames } from '../../shared/notice/public-names.tsx'
import { publicityText, supplementPaths, SupplementStatus } from '../../shared/supplements/supplement-status.tsx'

const columns: Column<NoticedSupplement>[] = [
  { title: '补录名称', dataIndex: 'lisName', fixed: 'left' },
  {
    title: '状态',
    dataIndex: 'lisPublictyStatus',
    width: 100,
    render: (_, row) => <SupplementStatus sup={{ ...row, lisStatus: supplementStatus.inNotice }} />,
  },
  { title: '姓名', dataIndex: 'suiName', width: 80 },
  { title: '学号', dataIndex: 'suiNumber', width: 118 },
  { title: '学院', dataIndex: 'collegeName', width: 152 },
  { title: '级别', dataIndex: 'lisLevelName', width: 104 },
  { title: '奖项', dataIndex: 'lisAward', width: 80 },
  { title: '学时', dataIndex: 'hours', width: 66, number: true },
  {
    title: '公示',
    dataIndex: 'lisPublictyEdate',
    width: 190,
    render: (_, row) => publicityText({ ...row, lisStatus: supplementStatus.inNotice }),
  },
  { title: '类型', dataIndex: 'lisType', width: 120, dict: 'sup_type', hiddenAtFirst: true },
]
const nameOf = ({ suiName, lisName }: NoticedSupplement) => `${suiName} · ${lisName}`

/** Supplement records in public notice, as the public sees them, and the way to question one. */
export function PublicSupplementsPage() {
  const list = useList(supplementApi.publictyList)
  const [questioned, setQuestioned] = useState<NoticedSupplement>()
  const question = actionOn<NoticedSupplement>().open({
    label: '登记质疑',
    call: disputeApi.add,
    onOpen: ([row]) => setQuestioned(row),
  })
  return (
    <div className="page list-page">
      <PageHead
        title="补录公示名单"
        facts={
          <>
            <ListTotal list={list} />
            {isCounted(list) && '，'}
            <Link to={supplementPaths.list}>返回补录课程</Link>
          </>
        }
      />
      <p className="tab-note">
        公示期间公开，期满入账后不再显示。姓名与学号按公示要求脱敏，查看会留下记录；输入完整学号可查到本人。
      </p>
      <PublicNames
        list={list}
        rowKey="lisId"
        columns={columns}
        rowActions={[question]}
        nameOf={nameOf}
        empty="没有正在公示的补录"
      />
      {questioned && (
        <AddDisputeDialog
          subject={{ lisId: questioned.lisId, name: questioned.lisName }}
          onClose={() => setQuestioned(undefined)}
        />
      )}
    </div>
  )
}
