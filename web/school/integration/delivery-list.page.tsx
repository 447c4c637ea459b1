import { Modal } from 'antd'
import { quoted } from '../../../contract/core/quotes.ts'
import type { Output } from '../../../contract/core/call.ts'
import { deliveryStatus } from '../../../contract/core/codes/platform.ts'
import { eventKinds, eventLabel, pingKind } from '../../../contract/platform/outbox/events.ts'
import { webhookApi } from '../../../contract/school/integration/webhooks.calls.ts'
import { actionOn } from '../../core/action/action.tsx'
import { Facts } from '../../core/action/detail-page.tsx'
import { ExportButton } from '../../core/action/export.tsx'
import type { Column } from '../../core/list/columns.tsx'
import { DictionaryFilter, SelectFilter, TextFilter } from '../../core/list/filters.tsx'
import { ListPage } from '../../core/list/list-page.tsx'
import { useList } from '../../core/list/use-list.ts'
import { DictionaryChip, type ChipTone } from '../../core/parts/status-chip.tsx'
import { usePreview } from '../../core/screen/use-address.ts'
import { useCall } from '../../core/service/use-call.ts'
import { ReadSkeleton } from '../../core/screen/read-skeleton.tsx'
import './integration.css'

type Row = Output<typeof webhookApi.deliveries>['records'][number]
const action = actionOn<Row>()
const redeliver = action({
  label: '重新投递',
  call: webhookApi.redeliver,
  unit: '条投递',
  fits: (row) => row.can.includes('redeliver'),
  question: (rows) =>
    rows.length > 1 ? `确认重新投递这 ${rows.length} 条？` : `确认重新投递${quoted(rows[0]!.kindName)}？`,
  confirm: '接收方会再次收到编号相同的事件。',
  input: (rows) => ({ dlIds: rows.map(({ dlId }) => dlId) }),
  doneText: () => '已重新排队，稍后投递',
})
const tones: Record<string, ChipTone> = {
  [deliveryStatus.waiting]: 'waiting',
  [deliveryStatus.sending]: 'publicity',
  [deliveryStatus.delivered]: 'finished',
  [deliveryStatus.dead]: 'refused',
}
const kinds = [...eventKinds, pingKind].map((value) => ({ value, label: eventLabel(value) }))
const answerOf = ({ answerCode, answerText }: Pick<Row, 'answerCode' | 'answerText'>): string =>
  answerCode === null ? answerText : `HTTP ${answerCode}`

/** What was and will be sent to other systems, and what they answered. */
export function DeliveryListPage() {
  const list = useList(webhookApi.deliveries)
  const [shown, setShown] = usePreview()
  const details = action.open({
    label: '查看',
    call: webhookApi.delivery,
    onOpen: ([row]) => setShown(row!.dlId),
  })
  const columns: Column<Row>[] = [
    { title: '事件', dataIndex: 'kindName', width: 150, fixed: 'left', opens: details },
    { title: '推送', dataIndex: 'odName', width: 160, sorter: true },
    { title: '发生时间', dataIndex: 'createTime', width: 168, sorter: true },
    { title: '状态', dataIndex: 'dlStatus', width: 96, sorter: true, dict: 'delivery_status', tones },
    { title: '次数', dataIndex: 'attempts', width: 80, number: true, sorter: true },
    { title: '答复', key: 'answer', render: (_: never, row) => <span className="wrapped">{answerOf(row)}</span> },
    { title: '最近投递', dataIndex: 'lastTime', width: 168, hiddenAtFirst: true },
    { title: '下次投递', dataIndex: 'nextTime', width: 168, hiddenAtFirst: true },
  ]
  return (
    <>
      <ListPage
        title="投递记录"
        list={list}
        rowKey="dlId"
        columns={columns}
        filters={
          <>
            <TextFilter name="odName" label="推送" />
            <SelectFilter name="eventKind" label="事件" options={kinds} />
            <DictionaryFilter name="dlStatus" type="delivery_status" label="状态" />
          </>
        }
        tools={<ExportButton to={webhookApi.exportDeliveries} list={list} />}
        rowActions={[details, redeliver]}
        batchActions={[redeliver]}
        empty={{ text: '暂无投递记录', hint: '事件发生后几秒内投递；已结束的记录保留 30 天。' }}
      />
      {shown && <DeliveryDialog dlId={shown} onClose={() => setShown(undefined)} />}
    </>
  )
}

function DeliveryDialog({ dlId, onClose }: { dlId: string; onClose: () => void }) {
  const { data, ...reading } = useCall(webhookApi.delivery, { dlId }, { staleTime: 0 })
  return (
    <Modal open title="投递详情" width={720} footer={null} onCancel={onClose}>
      {data ? (
        <>
          <Facts
            items={[
              { label: '事件', value: data.kindName },
              {
                label: '状态',
                value: <DictionaryChip type="delivery_status" value={data.dlStatus} tones={tones} />,
              },
              { label: '推送', value: data.odName },
              { label: '次数', value: data.attempts },
              { label: '最近投递', value: data.lastTime },
              { label: '下次投递', value: data.nextTime },
              { label: '接收地址', value: <span className="wrapped">{data.address}</span>, isWide: true },
              { label: '编号', value: data.eventId, isWide: true },
              { label: '答复', value: answerOf(data), isWide: true },
            ]}
          />
          {data.answerCode !== null && data.answerText && (
            <pre className="delivery-body" aria-label="答复内容">
              {data.answerText}
            </pre>
          )}
          <h3 className="delivery-head">发送内容</h3>
          <pre className="delivery-body" aria-label="发送内容">
            {JSON.stringify(JSON.parse(data.body), null, 2)}
          </pre>
        </>
      ) : (
        <ReadSkeleton reading={reading} />
      )}
    </Modal>
  )
}
