import PlusOutlined from '@ant-design/icons/PlusOutlined'
import { useState } from 'react'
import type { Output } from '../../../contract/core/call.ts'
import { serviceKeyState } from '../../../contract/core/codes/platform.ts'
import { areaText } from '../../../contract/school/roles/area-text.ts'
import { serviceKeyApi } from '../../../contract/school/integration/keys.calls.ts'
import { actionOn } from '../../core/action/action.tsx'
import type { Column } from '../../core/list/columns.tsx'
import { DictionaryFilter, TextFilter } from '../../core/list/filters.tsx'
import { ListPage } from '../../core/list/list-page.tsx'
import { useList } from '../../core/list/use-list.ts'
import { ActionButton } from '../../core/parts/buttons.tsx'
import type { ChipTone } from '../../core/parts/status-chip.tsx'
import { KeyDialog } from './key-dialog.tsx'
import { SecretDialog } from './secret-dialog.tsx'
import './integration.css'

type Row = Output<typeof serviceKeyApi.list>['records'][number]
const action = actionOn<Row>()
const revoke = action({
  label: '撤销',
  call: serviceKeyApi.revoke,
  unit: '个程序密钥',
  isDanger: true,
  fits: (row) => row.can.includes('revoke'),
  confirm: '使用该密钥的程序立即不能再访问，且不能恢复。',
  input: (rows) => ({ keyIds: rows.map(({ keyId }) => keyId) }),
})
const tones: Record<string, ChipTone> = {
  [serviceKeyState.valid]: 'finished',
  [serviceKeyState.ended]: 'draft',
  [serviceKeyState.revoked]: 'refused',
}
const columns: Column<Row>[] = [
  { title: '名称', dataIndex: 'keyName', width: 150, fixed: 'left' },
  { title: '密钥开头', dataIndex: 'prefix', width: 120, render: (prefix: string) => <code>{prefix}…</code> },
  { title: '角色', dataIndex: 'srName', width: 120 },
  {
    title: '管理范围',
    dataIndex: 'area',
    render: (area: Row['area'], { dataScope }) => (
      <span className="wrapped">{areaText(dataScope, area.names) || '未设置'}</span>
    ),
  },
  {
    title: '允许的地址',
    dataIndex: 'networks',
    width: 150,
    hiddenAtFirst: true,
    render: (networks: string[]) => <span className="wrapped">{networks.join('、') || '不限'}</span>,
  },
  { title: '状态', dataIndex: 'keyState', width: 96, dict: 'key_state', tones },
  { title: '有效期至', dataIndex: 'endDate', width: 110 },
  {
    title: '最近使用',
    dataIndex: 'lastTime',
    width: 168,
    render: (time: string | null, { lastIp }) =>
      time ? <span title={`来自 ${lastIp}`}>{time}</span> : <span className="nothing">从未使用</span>,
  },
  { title: '来自', dataIndex: 'lastIp', width: 130, hiddenAtFirst: true },
  { title: '每分钟次数', dataIndex: 'perMinute', width: 100, number: true, hiddenAtFirst: true },
  { title: '创建人', dataIndex: 'createName', width: 100, hiddenAtFirst: true },
  { title: '创建时间', dataIndex: 'createTime', width: 168, hiddenAtFirst: true },
]

/** The keys by which programs ask. */
export function KeyListPage() {
  const list = useList(serviceKeyApi.list)
  const [shown, setShown] = useState<'form' | { key: string }>()
  const add = (primary: boolean) => (
    <ActionButton to={serviceKeyApi.add} primary={primary} icon={<PlusOutlined />} onClick={() => setShown('form')}>
      新增程序密钥
    </ActionButton>
  )
  const close = () => setShown(undefined)
  return (
    <>
      <ListPage
        title="程序密钥"
        list={list}
        rowKey="keyId"
        columns={columns}
        filters={
          <>
            <TextFilter name="keyName" label="名称" />
            <DictionaryFilter name="keyState" type="key_state" label="状态" />
          </>
        }
        tools={add(true)}
        rowActions={[revoke]}
        batchActions={[revoke]}
        empty={{
          text: '暂无程序密钥',
          hint: '其他系统用密钥调用接口，不使用个人口令；权限取自角色，可限定范围、地址与有效期。',
          next: add(false),
        }}
      />
      {shown === 'form' && <KeyDialog onAdded={(key) => setShown({ key })} onClose={close} />}
      {typeof shown === 'object' && (
        <SecretDialog
          title="程序密钥"
          secret={shown.key}
          hint="请求头 Authorization: Bearer 后接密钥即可调用接口，见接口文档 /api/docs。"
          onClose={close}
        />
      )}
    </>
  )
}
