import SafetyCertificateOutlined from '@ant-design/icons/SafetyCertificateOutlined'
import { useState } from 'react'
import { auditApi } from '../../../contract/school/audit/audit.calls.ts'
import { actionOn } from '../../core/action/action.tsx'
import { ActionButton } from '../../core/parts/buttons.tsx'
import type { Column } from '../../core/list/columns.tsx'
import { DateRangeFilter } from '../../core/list/date-filters.tsx'
import { ExportButton } from '../../core/action/export.tsx'
import { DictionaryFilter, TextFilter } from '../../core/list/filters.tsx'
import { ListPage } from '../../core/list/list-page.tsx'
import { useList, type RowOf } from '../../core/list/use-list.ts'
import { usePreview } from '../../core/screen/use-address.ts'
import { resultTones } from './audit-tones.ts'
import { AuditDrawer } from './audit-drawer.tsx'
import { VerifyDrawer } from './verify-drawer.tsx'
import './audit.css'

type Row = RowOf<typeof auditApi.list>
const action = actionOn<Row>()

/** Who did what to which record, and when: the audit trail of the school, or of the people of one's own area. */
export function AuditListPage() {
  const list = useList(auditApi.list)
  const [shown, setShown] = usePreview()
  const [isVerifying, setVerifying] = useState(false)
  const view = action.open({ label: '查看', call: auditApi.detail, onOpen: ([row]) => setShown(row!.logId) })
  const columns: Column<Row>[] = [
    {
      title: '时间',
      dataIndex: 'logTime',
      width: 168,
      fixed: 'left',
      sorter: true,
      render: (time: string, row) => (
        <button
          type="button"
          className="row-act figures"
          aria-label={`${time} ${row.action}`}
          onClick={() => setShown(row.logId)}
        >
          {time}
        </button>
      ),
    },
    {
      title: '操作人',
      dataIndex: 'actorName',
      width: 152,
      render: (name: string, { actorNumber }) => (
        <span title={`${name} ${actorNumber}`}>
          {name}
          {actorNumber && <small className="actor-number">{actorNumber}</small>}
        </span>
      ),
    },
    { title: '操作内容', dataIndex: 'action', width: 150 },
    { title: '记录类型', dataIndex: 'bizType', width: 92, dict: 'audit_kind' },
    { title: '记录', dataIndex: 'bizName' },
    { title: '结果', dataIndex: 'result', width: 92, dict: 'audit_result', tones: resultTones },
    { title: '原因', dataIndex: 'reason', width: 180, hiddenAtFirst: true },
    { title: 'IP 地址', dataIndex: 'ip', width: 128 },
    { title: '请求编号', dataIndex: 'requestId', width: 310, hiddenAtFirst: true },
  ]
  return (
    <>
      <ListPage
        title="操作日志"
        facts="只增不改，每分钟封存一次"
        list={list}
        rowKey="logId"
        keepsViews
        columns={columns}
        nameOf={({ logTime, action }) => `${logTime} ${action}`}
        filters={
          <>
            <DateRangeFilter names={['logStartDate', 'logEndDate']} label="时间" />
            <TextFilter name="actor" label="操作人" placeholder="姓名或学工号" />
            <TextFilter name="action" label="操作" placeholder="如：编辑学生" />
            <DictionaryFilter name="bizType" type="audit_kind" label="记录类型" />
          </>
        }
        moreFilters={{
          names: ['bizName', 'result', 'ip', 'requestId'],
          filters: (
            <>
              <TextFilter name="bizName" label="记录名称" />
              <DictionaryFilter name="result" type="audit_result" label="结果" />
              <TextFilter name="ip" label="IP 地址" placeholder="完整的地址" />
              <TextFilter name="requestId" label="请求编号" placeholder="出错提示中的编号" />
            </>
          ),
        }}
        tools={
          <>
            <ExportButton to={auditApi.exportList} list={list} />
            <ActionButton to={auditApi.verify} icon={<SafetyCertificateOutlined />} onClick={() => setVerifying(true)}>
              校验与归档
            </ActionButton>
          </>
        }
        rowActions={[view]}
        empty={{ text: '暂无操作日志', hint: '新增、修改、审批、导出与登录等操作都会记在这里。' }}
      />
      {shown && <AuditDrawer logId={shown} onClose={() => setShown(undefined)} />}
      {isVerifying && <VerifyDrawer onClose={() => setVerifying(false)} />}
    </>
  )
}
