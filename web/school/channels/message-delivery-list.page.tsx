import { deliveryStatus } from '../../../contract/core/codes/platform.ts'
import { quoted } from '../../../contract/core/quotes.ts'
import { channelApi, type MessageDelivery } from '../../../contract/school/channels/channels.calls.ts'
import { actionOn } from '../../core/action/action.tsx'
import { ExportButton } from '../../core/action/export.tsx'
import type { Column } from '../../core/list/columns.tsx'
import { DictionaryFilter, TextFilter } from '../../core/list/filters.tsx'
import { ListPage } from '../../core/list/list-page.tsx'
import { useList } from '../../core/list/use-list.ts'
import type { ChipTone } from '../../core/parts/status-chip.tsx'
import './channels.css'

const action = actionOn<MessageDelivery>()
const resend = action({
  label: '重新发送',
  call: channelApi.resend,
  unit: '条消息',
  fits: ({ can }) => can.includes('resend'),
  question: (rows) =>
    rows.length > 1 ? `确认重新发送这 ${rows.length} 条？` : `确认重新发送给${quoted(rows[0]!.suiName)}？`,
  confirm: '“结果不明”的可能已经送达，重新发送后本人可能收到两次。',
  input: (rows) => ({ dlIds: rows.map(({ dlId }) => dlId) }),
  doneText: () => '已重新排队，稍后发送',
})
const tones: Record<string, ChipTone> = {
  [deliveryStatus.waiting]: 'waiting',
  [deliveryStatus.sending]: 'publicity',
  [deliveryStatus.delivered]: 'finished',
  [deliveryStatus.dead]: 'refused',
  [deliveryStatus.unknown]: 'refused',
  [deliveryStatus.dropped]: 'draft',
  [deliveryStatus.gathering]: 'waiting',
  [deliveryStatus.gathered]: 'finished',
}

/** What went outside to whom, and what did not arrive and why. */
export function MessageDeliveryListPage() {
  const list = useList(channelApi.deliveries)
  const columns: Column<MessageDelivery>[] = [
    { title: '姓名', dataIndex: 'suiName', width: 110, fixed: 'left' },
    { title: '学工号', dataIndex: 'suiNumber', width: 130, sorter: true },
    { title: '通道', dataIndex: 'odName', width: 110, sorter: true },
    { title: '状态', dataIndex: 'dlStatus', width: 100, sorter: true, dict: 'delivery_status', tones },
    {
      title: '原因',
      dataIndex: 'answerText',
      render: (text: string, { dlStatus }) => (
        <span className="message-text">{dlStatus === deliveryStatus.delivered ? '' : text}</span>
      ),
    },
    { title: '标题', dataIndex: 'title', width: 180 },
    { title: '类型', dataIndex: 'messageKind', width: 90, sorter: true, dict: 'message_kind' },
    { title: '发往', dataIndex: 'target', width: 170 },
    { title: '时间', dataIndex: 'createTime', width: 168, sorter: true },
    { title: '最近发送', dataIndex: 'lastTime', width: 168, hiddenAtFirst: true },
    { title: '下次发送', dataIndex: 'nextTime', width: 168, hiddenAtFirst: true },
    { title: '次数', dataIndex: 'attempts', width: 70, number: true, hiddenAtFirst: true },
  ]
  return (
    <ListPage
      title="消息发送记录"
      list={list}
      rowKey="dlId"
      columns={columns}
      filters={
        <>
          <TextFilter name="suiName" label="姓名" />
          <DictionaryFilter name="odChannel" type="message_channel" label="通道" />
          <DictionaryFilter name="messageKind" type="message_kind" label="类型" />
          <DictionaryFilter name="dlStatus" type="delivery_status" label="状态" />
        </>
      }
      tools={<ExportButton to={channelApi.exportDeliveries} list={list} />}
      rowActions={[resend]}
      batchActions={[resend]}
      empty={{ text: '暂无发送记录', hint: '启用消息通道后，平台内的消息几秒内发出；已结束的记录保留 30 天。' }}
    />
  )
}
