import PlusOutlined from '@ant-design/icons/PlusOutlined'
import { useState } from 'react'
import { enableStatus } from '../../../contract/core/codes/platform.ts'
import { labelOf } from '../../../contract/core/dictionary.ts'
import { channelApi, type ChannelRow } from '../../../contract/school/channels/channels.calls.ts'
import { actionOn } from '../../core/action/action.tsx'
import type { Column } from '../../core/list/columns.tsx'
import { ListPage } from '../../core/list/list-page.tsx'
import { useList } from '../../core/list/use-list.ts'
import { ActionButton } from '../../core/parts/buttons.tsx'
import { enableTones, StatusChip } from '../../core/parts/status-chip.tsx'
import { ChannelDialog } from './channel-dialog.tsx'
import { ChannelTest } from './channel-test.tsx'
import './channels.css'

const action = actionOn<ChannelRow>()
const unit = '个消息通道'
const toggle = (enable: '0' | '1') =>
  action({
    label: enable === enableStatus.enabled ? '启用' : '停用',
    call: channelApi.enable,
    unit,
    fits: (row) => row.enable !== enable,
    confirm:
      enable === enableStatus.enabled
        ? '此后的消息会发给校外可收到的地址，之前的不补发。'
        : '停用期间的消息只在平台内提示，之后不补发。',
    input: (rows) => ({ odIds: rows.map(({ odId }) => odId), enable }),
  })
const [enable, disable] = [toggle(enableStatus.enabled), toggle(enableStatus.disabled)]
const remove = action.remove({
  call: channelApi.remove,
  unit,
  confirm: '其发送记录一并删除，不能恢复；平台内的消息不受影响。',
  input: (rows) => ({ odIds: rows.map(({ odId }) => odId) }),
})
const deliveriesOf = (odId: string) => `/integration/messages?odId=${odId}`
const deliveries = action.link({
  label: '发送记录',
  call: channelApi.deliveries,
  href: ({ odId }) => deliveriesOf(odId),
})

/** The ways by which messages reach people outside of the product. */
export function ChannelListPage() {
  const list = useList(channelApi.list)
  const [editing, setEditing] = useState<Partial<ChannelRow>>()
  const [tested, setTested] = useState<ChannelRow>()
  const edit = action.open({ label: '编辑', call: channelApi.save, onOpen: ([row]) => setEditing(row) })
  const test = action.open({ label: '测试', call: channelApi.test, onOpen: ([row]) => setTested(row) })
  const columns: Column<ChannelRow>[] = [
    { title: '名称', dataIndex: 'odName', width: 160, fixed: 'left', opens: edit },
    { title: '通道', dataIndex: 'odChannel', width: 110, dict: 'message_channel' },
    {
      title: '发送哪些消息',
      dataIndex: 'messageKinds',
      render: (kinds: ChannelRow['messageKinds']) => (
        <span className="message-text">{kinds.map((kind) => labelOf('message_kind', kind)).join('、') || '无'}</span>
      ),
    },
    { title: '状态', dataIndex: 'enable', width: 84, dict: 'enable_status', tones: enableTones },
    {
      title: '发送情况',
      dataIndex: 'state',
      width: 110,
      render: (state: ChannelRow['state'], { stateText }) => (
        <span title={stateText}>
          {state === 'failing' ? (
            <StatusChip tone="refused">发不出去</StatusChip>
          ) : state === 'good' ? (
            <StatusChip tone="finished">正常</StatusChip>
          ) : (
            <StatusChip tone="draft">未发送</StatusChip>
          )}
        </span>
      ),
    },
    { title: '待发送', dataIndex: 'waiting', width: 84, number: true, to: ({ odId }) => deliveriesOf(odId) },
    {
      title: '未送达',
      dataIndex: 'dead',
      width: 84,
      number: true,
      to: ({ odId }) => deliveriesOf(odId),
    },
    { title: '更新时间', dataIndex: 'updateTime', width: 168, hiddenAtFirst: true },
  ]
  const add = (primary: boolean) => (
    <ActionButton to={channelApi.save} primary={primary} icon={<PlusOutlined />} onClick={() => setEditing({})}>
      新增消息通道
    </ActionButton>
  )
  return (
    <>
      <ListPage
        title="消息通道"
        list={list}
        rowKey="odId"
        columns={columns}
        tools={add(true)}
        rowActions={[test, edit, deliveries, enable, disable, remove]}
        batchActions={[enable, disable, remove]}
        empty={{
          text: '暂无消息通道',
          hint: '设置后，平台内的消息同时发到邮箱等处，师生不登录也能收到；默认关闭，启用前可先测试。',
          next: add(false),
        }}
      />
      {editing && <ChannelDialog row={editing} onClose={() => setEditing(undefined)} />}
      {tested && <ChannelTest row={tested} onClose={() => setTested(undefined)} />}
    </>
  )
}
