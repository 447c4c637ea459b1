import { useState } from 'react'
import { quoted } from '../../../contract/core/quotes.ts'
import { yesNo } from '../../../contract/core/codes/platform.ts'
import { messageApi } from '../../../contract/school/messages/messages.calls.ts'
import { actionOn } from '../../core/action/action.tsx'
import { ExportButton } from '../../core/action/export.tsx'
import type { Column } from '../../core/list/columns.tsx'
import { TextFilter } from '../../core/list/filters.tsx'
import { ListTable } from '../../core/list/list-table.tsx'
import { StatusChip } from '../../core/parts/status-chip.tsx'
import { useList, type RowOf } from '../../core/list/use-list.ts'
import { MessageDialog } from './message-dialog.tsx'
import { ReadersDialog } from './readers-dialog.tsx'
import { figure } from '../../core/service/figure.ts'

type Row = RowOf<typeof messageApi.outbox>
const action = actionOn<Row>()
const recall = action({
  label: '撤回',
  call: messageApi.recall,
  isDanger: true,
  fits: ({ can }) => can.includes('recall'),
  input: ([row]) => ({ iiId: row!.iiId }),
  confirm: ([row]) =>
    `${figure(row!.receiverCount - row!.readCount)} 人尚未阅读，消息将从其收件箱中消失；已读的 ${figure(row!.readCount)} 人会看到“已撤回”。`,
  doneText: () => '消息已撤回',
})
const remove = action.remove({
  call: messageApi.remove,
  unit: '条消息',
  confirm: '只从您的发件箱中删除，收件人仍保留。',
  input: (rows) => ({ iurIds: rows.map(({ iiId }) => iiId), outbox: '1' }),
})

/** The export of what the outbox shows; it stands in the head of the page, which stays when the tab changes. */
export function OutboxExport() {
  return <ExportButton to={messageApi.exportOutbox} list={useList(messageApi.outbox)} />
}

/** What the person sent, newest first, and how many have read it. */
export function Outbox() {
  const list = useList(messageApi.outbox)
  const [open, setOpen] = useState<Row>()
  const [readersOf, setReadersOf] = useState<Row>()
  const readers = action.open({ label: '阅读情况', call: messageApi.outbox, onOpen: ([row]) => setReadersOf(row) })
  const view = action.open({ label: '查看', call: messageApi.outbox, onOpen: ([row]) => setOpen(row) })
  const columns: Column<Row>[] = [
    {
      title: '标题',
      dataIndex: 'iiTitle',
      fixed: 'left',
      sorter: true,
      render: (title: string, row) => (
        <button type="button" className="row-act message-title" title={title} onClick={() => setOpen(row)}>
          {title}
        </button>
      ),
    },
    { title: '收件人', dataIndex: 'suName', width: 260 },
    {
      title: '已读',
      key: 'read',
      width: 96,
      number: true,
      render: (_, row) => (
        <button
          type="button"
          className="row-act figures"
          aria-label={`${quoted(row.iiTitle)}的阅读情况：${figure(row.readCount)} 人已读，共 ${figure(row.receiverCount)} 人`}
          onClick={() => setReadersOf(row)}
        >
          {figure(row.readCount)}/{figure(row.receiverCount)}
        </button>
      ),
    },
    {
      title: '状态',
      dataIndex: 'recalled',
      width: 96,
      sorter: true,
      render: (recalled: string) => (
        <StatusChip tone={recalled === yesNo.yes ? 'draft' : 'finished'}>
          {recalled === yesNo.yes ? '已撤回' : '已发送'}
        </StatusChip>
      ),
    },
    { title: '发送时间', dataIndex: 'sendTime', width: 172, sorter: true },
  ]
  return (
    <>
      <ListTable
        name="outbox"
        list={list}
        rowKey="iiId"
        columns={columns}
        filters={
          <>
            <TextFilter name="iiTitle" label="标题" />
            <TextFilter name="suName" label="收件人" />
          </>
        }
        rowActions={[view, readers, recall, remove]}
        batchActions={[remove]}
        empty={{ text: '暂无已发送的消息' }}
      />
      {open && <MessageDialog message={open} onClose={() => setOpen(undefined)} />}
      {readersOf && <ReadersDialog message={readersOf} onClose={() => setReadersOf(undefined)} />}
    </>
  )
}
