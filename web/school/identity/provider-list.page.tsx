import PlusOutlined from '@ant-design/icons/PlusOutlined'
import { useState } from 'react'
import { quoted } from '../../../contract/core/quotes.ts'
import {
  identityApi,
  type Audience,
  type IdentityProvider,
  type ProviderKind,
} from '../../../contract/school/identity/identity.calls.ts'
import { audienceNames, kindNames, numberSources } from './provider-names.ts'
import { ProviderDialog } from './provider-dialog.tsx'
import { WaysPanel } from './ways-panel.tsx'
import { actionOn } from '../../core/action/action.tsx'
import type { Column } from '../../core/list/columns.tsx'
import { ListPage } from '../../core/list/list-page.tsx'
import { useList } from '../../core/list/use-list.ts'
import { ActionButton } from '../../core/parts/buttons.tsx'
import { StatusChip } from '../../core/parts/status-chip.tsx'
import { TestStepsDialog } from '../../shared/integration/test-steps.tsx'

const action = actionOn<IdentityProvider>()
const remove = action.remove({
  call: identityApi.remove,
  unit: '个登录方式',
  input: ([row]) => ({ providerId: row!.providerId }),
  confirm: '由它登录的会话立即结束；账号密码登录不受影响。',
})
const columns: Column<IdentityProvider>[] = [
  { title: '按钮名称', dataIndex: 'name', fixed: 'left' },
  { title: '协议', dataIndex: 'kind', width: 140, render: (kind: ProviderKind) => kindNames[kind] },
  {
    title: '服务地址',
    key: 'address',
    width: 240,
    render: (_, { settings }) => (settings.metadata ? '粘贴的元数据' : settings.address),
  },
  {
    title: '学工号取自',
    key: 'attribute',
    width: 140,
    render: (_, { kind, settings }) => settings.attribute || numberSources[kind],
  },
  {
    title: '谁可以使用',
    dataIndex: 'audience',
    width: 150,
    render: (audience: Audience[]) => audience.map((one) => audienceNames[one]).join('、'),
  },
  {
    title: '状态',
    dataIndex: 'enabled',
    width: 96,
    render: (isEnabled: boolean) => (
      <StatusChip tone={isEnabled ? 'finished' : 'draft'}>{isEnabled ? '已启用' : '未启用'}</StatusChip>
    ),
  },
]

/** By which services of the campus people sign in beside their passwords. */
export function ProviderListPage() {
  const list = useList(identityApi.list)
  const [editing, setEditing] = useState<Partial<IdentityProvider>>()
  const [tested, setTested] = useState<IdentityProvider>()
  const edit = action.open({
    label: '编辑',
    call: identityApi.save,
    fits: ({ can }) => can.includes('edit'),
    onOpen: ([row]) => setEditing(row),
  })
  const test = action.open({
    label: '测试',
    call: identityApi.test,
    fits: ({ can }) => can.includes('test'),
    onOpen: ([row]) => setTested(row),
  })
  const add = (primary: boolean) => (
    <ActionButton to={identityApi.save} primary={primary} icon={<PlusOutlined />} onClick={() => setEditing({})}>
      新增登录方式
    </ActionButton>
  )
  return (
    <>
      <ListPage
        title="统一身份认证"
        list={list}
        rowKey="providerId"
        columns={columns}
        tools={add(true)}
        before={<WaysPanel />}
        rowActions={[test, edit, remove]}
        empty={{
          text: '暂无登录方式',
          hint: '接入学校的 CAS、OpenID Connect、SAML、LDAP、企业微信或钉钉后，登录页出现一个按钮，按学工号对应到人；账号密码登录照常可用。',
          next: add(false),
        }}
      />
      {editing && <ProviderDialog editing={editing} onClose={() => setEditing(undefined)} />}
      {tested && (
        <TestStepsDialog
          title={`测试${quoted(tested.name)}`}
          call={identityApi.test}
          input={{ providerId: tested.providerId }}
          onClose={() => setTested(undefined)}
        />
      )}
    </>
  )
}
