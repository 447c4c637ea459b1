import { useState } from 'react'
import { yesNo } from '../../../contract/core/codes/platform.ts'
import { messageApi, type ReceivedMessage } from '../../../contract/school/messages/messages.calls.ts'
import { actionOn } from '../../core/action/action.tsx'
import { ExportButton } from '../../core/action/export.tsx'
import type { Column } from '../../core/list/columns.tsx'
import { DictionaryFilter, TextFilter } from '../../core/list/filters.tsx'
import { useCountedViews } from '../../core/list/counted-views.ts'
import type { View } from '../../core/list/list-filters.tsx'
import { ListTable } from '../../core/list/list-table.tsx'
import { StatusChip } from '../../core/parts/status-chip.tsx'
import { useList } from '../../core/list/use-list.ts'
import { MessageDialog } from './message-dialog.tsx'
import { figure } from '../../core/service/figure.ts'

const action = actionOn<ReceivedMessage>()
const read = action({
  label: '标为已读',
  call: messageApi.read,
  unit: '条消息',
  confirm: false,
  fits: (row) => row.can.includes('read'),
  input: (rows) => ({ iiIds: rows.map(({ iiId }) => iiId) }),
  doneText: ({ affected }) => `已将 ${figure(affected)} 条标为已读`,
})
const remove = action.remove({
  call: messageApi.remove,
  unit: '条消息',
  confirm: '只从您的收件箱中删除，不能恢复。',
  input: (rows) => ({ iurIds: rows.map(({ iurId }) => iurId) }),
})

const views: View[] = [
  { title: '全部', filters: {} },
  { title: '未读', filters: { isRead: yesNo.no } },
]

/** The export of what the inbox shows; it stands in the head of the page, which stays when the tab changes. */
export function InboxExport() {
  return <ExportButton to={messageApi.exportInbox} list={useList(messageApi.inbox)} />
}

/** What came in, newest first; opening a message marks it as read. */
export function Inbox() {
  const list = useList(messageApi.inbox)
  const [open, setOpen] = useState<ReceivedMessage>()
  const view = action.open({ label: '查看', call: messageApi.inbox, onOpen: ([row]) => setOpen(row) })
  const columns: Column<ReceivedMessage>[] = [
    {
      title: '标题',
      dataIndex: 'iiTitle',
      fixed: 'left',
      sorter: true,
      render: (title: string, row) => (
        <button
          type="button"
          className={`row-act message-title${row.isRead === yesNo.no ? ' is-unread' : ''}`}
          title={title}
          onClick={() => setOpen(row)}
        >
          {title}
        </button>
      ),
    },
    {
      title: '状态',
      dataIndex: 'isRead',
      width: 100,
      sorter: true,
      render: (isRead: string, { recalled }) => (
        <StatusChip tone={isRead === yesNo.no ? 'waiting' : 'draft'}>
          {recalled === yesNo.yes ? '已撤回' : isRead === yesNo.no ? '未读' : '已读'}
        </StatusChip>
      ),
    },
    { title: '类型', dataIndex: 'iiType', width: 84, sorter: true, dict: 'msg_type' },
    { title: '发送人', dataIndex: 'createName', width: 120, sorter: true },
    { title: '发送时间', dataIndex: 'sendTime', width: 172, sorter: true },
    { title: '阅读时间', dataIndex: 'readTime', width: 172, hiddenAtFirst: true },
  ]
  return (
    <>
      <ListTable
        name="inbox"
        list={list}
        rowKey="iurId"
        nameOf={({ iiTitle }) => iiTitle}
        columns={columns}
        views={useCountedViews(list, views)}
        filters={
          <>
            <TextFilter name="iiTitle" label="标题" />
            <TextFilter name="createName" label="发送人" />
            <DictionaryFilter name="iiType" type="msg_type" label="类型" />
          </>
        }
        rowActions={[view, read, remove]}
        batchActions={[read, remove]}
        empty={{ text: '暂无消息', hint: '待您审批的事项、审批结果与他人发来的消息会出现在这里。' }}
      />
      {open && <MessageDialog message={open} onClose={() => setOpen(undefined)} />}
    </>
  )
}
