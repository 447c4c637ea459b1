import PlusOutlined from '@ant-design/icons/PlusOutlined'
import { useState } from 'react'
import { quoted } from '../../../contract/core/quotes.ts'
import { identityApi, type Audience, type IdentityProvider } from '../../../contract/school/identity/identity.calls.ts'
import { actionOn } from '../../core/action/action.tsx'
import { DialogForm } from '../../core/form/dialog-form.tsx'
import { NumberField, SelectField, SwitchField, TextField } from '../../core/form/fields.tsx'
import type { Column } from '../../core/list/columns.tsx'
import { ListPage } from '../../core/list/list-page.tsx'
import { useList } from '../../core/list/use-list.ts'
import { ActionButton } from '../../core/parts/buttons.tsx'
import { StatusChip } from '../../core/parts/status-chip.tsx'
import { TestStepsDialog } from '../../shared/integration/test-steps.tsx'

const audienceNames: Record<Audience, string> = { student: '学生', teacher: '教师', administrator: '管理员' }
const audiences = Object.entries(audienceNames).map(([value, label]) => ({ value, label }))

const action = actionOn<IdentityProvider>()
const remove = action.remove({
  call: identityApi.remove,
  unit: '个登录方式',
  input: ([row]) => ({ providerId: row!.providerId }),
  confirm: '由它登录的会话立即结束；账号密码登录不受影响。',
})
const columns: Column<IdentityProvider>[] = [
  { title: '按钮名称', dataIndex: 'name', fixed: 'left' },
  { title: '协议', dataIndex: 'kind', width: 84, render: () => 'CAS' },
  { title: '服务地址', key: 'address', width: 300, render: (_, { settings }) => settings.address },
  {
    title: '学号、工号取自',
    key: 'attribute',
    width: 140,
    render: (_, { settings }) => settings.attribute || '用户名',
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
        rowActions={[test, edit, remove]}
        empty={{
          text: '暂无登录方式',
          hint: '接入学校的 CAS 后，登录页出现一个按钮，按学号、工号对应到人；账号密码登录照常可用。',
          next: add(false),
        }}
      />
      {editing && (
        <DialogForm
          call={identityApi.save}
          title={editing.providerId ? '编辑登录方式' : '新增登录方式'}
          width={640}
          initial={
            editing.providerId
              ? editing
              : { kind: 'cas', name: '统一身份认证', audience: ['student', 'teacher'], settings: { attribute: '' } }
          }
          doneText="保存成功，可先点“测试”核对"
          onClose={() => setEditing(undefined)}
        >
          <TextField name="name" span={6} />
          <SelectField name="kind" span={6} options={[{ value: 'cas', label: 'CAS 2.0、3.0' }]} />
          <TextField name={['settings', 'address']} placeholder="https://cas.example.edu.cn/cas" required />
          <TextField
            name={['settings', 'attribute']}
            span={6}
            placeholder="employeeNumber"
            help="CAS 3.0 的属性名；留空则取用户名"
          />
          <SelectField name="audience" span={6} options={audiences} multiple help="管理员另有账号密码可用" />
          <NumberField name="sort" span={6} help="按钮的先后，小的在前" />
          <SwitchField name="enabled" label="在登录页显示" />
        </DialogForm>
      )}
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
