import PlusOutlined from '@ant-design/icons/PlusOutlined'
import { useState } from 'react'
import { quoted } from '../../../contract/core/quotes.ts'
import { deliveryStatus, enableStatus } from '../../../contract/core/codes/platform.ts'
import { eventLabel } from '../../../contract/platform/outbox/events.ts'
import { webhookApi } from '../../../contract/school/integration/webhooks.calls.ts'
import { actionOn } from '../../core/action/action.tsx'
import type { Column } from '../../core/list/columns.tsx'
import { DictionaryFilter, TextFilter } from '../../core/list/filters.tsx'
import { ListPage } from '../../core/list/list-page.tsx'
import { useList } from '../../core/list/use-list.ts'
import { ActionButton } from '../../core/parts/buttons.tsx'
import { enableTones, StatusChip } from '../../core/parts/status-chip.tsx'
import { notify } from '../../core/service/notice.tsx'
import { useSend } from '../../core/service/use-call.ts'
import { SecretDialog } from './secret-dialog.tsx'
import { WebhookDialog, type WebhookRow } from './webhook-dialog.tsx'

const action = actionOn<WebhookRow>()
const unit = '个事件推送'
const toggle = (enable: '0' | '1') =>
  action({
    label: enable === enableStatus.enabled ? '启用' : '停用',
    call: webhookApi.enable,
    unit,
    fits: (row) => row.enable !== enable,
    confirm: enable === enableStatus.disabled && '停用期间发生的事件不会补发；尚未送达的在启用后继续投递。',
    input: (rows) => ({ odIds: rows.map(({ odId }) => odId), enable }),
  })
const [enable, disable] = [toggle(enableStatus.enabled), toggle(enableStatus.disabled)]
const remove = action.remove({
  call: webhookApi.remove,
  unit,
  confirm: '其投递记录一并删除，不能恢复。',
  input: (rows) => ({ odIds: rows.map(({ odId }) => odId) }),
})
const deliveriesOf = (odId: string) => `/integration/deliveries?odId=${odId}`
const deliveries = action.link({
  label: '投递记录',
  call: webhookApi.deliveries,
  href: ({ odId }) => deliveriesOf(odId),
})

type Shown = { what: 'form'; row?: WebhookRow } | { what: 'secret'; secret: string }

/** Other systems that are told of events, and how they answer. */
export function WebhookListPage() {
  const list = useList(webhookApi.list)
  const [shown, setShown] = useState<Shown>()
  const test = useSend(webhookApi.test)
  const edit = action.open({
    label: '编辑',
    call: webhookApi.edit,
    onOpen: ([row]) => setShown({ what: 'form', row: row! }),
  })
  const tryIt = action.open({
    label: '发送测试',
    call: webhookApi.test,
    onOpen: ([row]) =>
      void test
        .send({ odId: row!.odId })
        .then(({ isDelivered, text }) => notify(isDelivered ? 'success' : 'warning', text))
        .catch(() => undefined),
  })
  const renew = action({
    label: '更换密钥',
    call: webhookApi.renew,
    question: ([row]) => `确认更换${quoted(row!.odName)}的签名密钥？`,
    confirm: '原密钥立即失效，接收方须改用新密钥；期间未通过验证的投递会自动重试。',
    input: ([row]) => ({ odId: row!.odId }),
    after: ({ secret }) => setShown({ what: 'secret', secret }),
  })
  const columns: Column<WebhookRow>[] = [
    { title: '名称', dataIndex: 'odName', width: 180, fixed: 'left', opens: edit },
    {
      title: '接收地址',
      dataIndex: 'address',
      render: (address: string) => <span className="wrapped">{address}</span>,
    },
    {
      title: '事件',
      dataIndex: 'eventKinds',
      width: 200,
      render: (kinds: string[]) => (
        <span title={kinds.map(eventLabel).join('、')}>
          {eventLabel(kinds[0]!)}
          {kinds.length > 1 && ` 等 ${kinds.length} 种`}
        </span>
      ),
    },
    { title: '状态', dataIndex: 'enable', width: 84, dict: 'enable_status', tones: enableTones },
    {
      title: '投递情况',
      dataIndex: 'state',
      width: 110,
      render: (state: WebhookRow['state'], row) => (
        <span title={row.stateText}>
          {state === 'failing' ? (
            <StatusChip tone="refused">未送达</StatusChip>
          ) : state === 'good' ? (
            <StatusChip tone="finished">正常</StatusChip>
          ) : (
            <StatusChip tone="draft">未投递</StatusChip>
          )}
        </span>
      ),
    },
    { title: '待投递', dataIndex: 'waiting', width: 84, number: true, to: ({ odId }) => deliveriesOf(odId) },
    {
      title: '未送达',
      dataIndex: 'dead',
      width: 84,
      number: true,
      to: ({ odId }) => `${deliveriesOf(odId)}&dlStatus=${deliveryStatus.dead}`,
    },
    { title: '更新时间', dataIndex: 'updateTime', width: 168, hiddenAtFirst: true },
  ]
  const add = (primary: boolean) => (
    <ActionButton
      to={webhookApi.add}
      primary={primary}
      icon={<PlusOutlined />}
      onClick={() => setShown({ what: 'form' })}
    >
      新增事件推送
    </ActionButton>
  )
  const close = () => setShown(undefined)
  return (
    <>
      <ListPage
        title="事件推送"
        list={list}
        rowKey="odId"
        columns={columns}
        filters={
          <>
            <TextFilter name="odName" label="名称" />
            <DictionaryFilter name="enable" type="enable_status" label="状态" />
          </>
        }
        tools={add(true)}
        rowActions={[tryIt, deliveries, edit, renew, enable, disable, remove]}
        batchActions={[enable, disable, remove]}
        empty={{
          text: '暂无事件推送',
          hint: '课程发布、报名、签到、入账等发生时，把事件发给学校的其他系统，接收方不必反复查询。',
          next: add(false),
        }}
      />
      {shown?.what === 'form' && (
        <WebhookDialog
          {...(shown.row && { row: shown.row })}
          onAdded={(secret) => setShown({ what: 'secret', secret })}
          onClose={close}
        />
      )}
      {shown?.what === 'secret' && (
        <SecretDialog
          title="签名密钥"
          secret={shown.secret}
          hint="配置到接收方，用任一 Standard Webhooks 库验证每次推送的签名，见 docs/integration.md。"
          onClose={close}
        />
      )}
    </>
  )
}
