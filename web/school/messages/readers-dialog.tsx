import { Modal } from 'antd'
import { quoted } from '../../../contract/core/quotes.ts'
import { yesNo } from '../../../contract/core/codes/platform.ts'
import { messageApi, type SentMessage } from '../../../contract/school/messages/messages.calls.ts'
import { ExportButton } from '../../core/action/export.tsx'
import type { Column } from '../../core/list/columns.tsx'
import { TextFilter } from '../../core/list/filters.tsx'
import { useCountedViews } from '../../core/list/counted-views.ts'
import type { View } from '../../core/list/list-filters.tsx'
import { ListTable } from '../../core/list/list-table.tsx'
import { StatusChip } from '../../core/parts/status-chip.tsx'
import { useList, type RowOf } from '../../core/list/use-list.ts'

type Reader = RowOf<typeof messageApi.readers>

const views: View[] = [
  { title: '全部', filters: {} },
  { title: '未读', filters: { isRead: yesNo.no } },
  { title: '已读', filters: { isRead: yesNo.yes } },
]

/** Who has read a message that the person sent, and who has not; those first. */
export function ReadersDialog({ message, onClose }: { message: SentMessage; onClose: () => void }) {
  const { iiId, iiTitle, recalled } = message
  const list = useList(messageApi.readers, { fixed: { iiId }, keep: 'memory' })
  const columns: Column<Reader>[] = [
    { title: '姓名', dataIndex: 'suiName' },
    { title: '学工号', dataIndex: 'suiNumber', width: 140 },
    {
      title: '班级或学院',
      key: 'place',
      width: 180,
      render: (_, { className, collegeName }) => className ?? collegeName ?? '',
    },
    {
      title: '状态',
      dataIndex: 'isRead',
      width: 116,
      render: (isRead: string) => (
        <StatusChip tone={isRead === yesNo.yes ? 'finished' : recalled === yesNo.yes ? 'draft' : 'waiting'}>
          {isRead === yesNo.yes ? '已读' : recalled === yesNo.yes ? '未读已撤回' : '未读'}
        </StatusChip>
      ),
    },
    { title: '阅读时间', dataIndex: 'readTime', width: 172 },
  ]
  return (
    <Modal
      open
      title={`${quoted(iiTitle)}的阅读情况`}
      width={860}
      footer={<ExportButton to={messageApi.exportReaders} list={list} />}
      onCancel={onClose}
    >
      <ListTable
        name="readers"
        list={list}
        rowKey="suId"
        columns={columns}
        views={useCountedViews(list, views)}
        filters={<TextFilter name="suName" label="姓名或学工号" />}
      />
    </Modal>
  )
}
