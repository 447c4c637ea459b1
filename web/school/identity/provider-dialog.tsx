import { Form, Input, Typography } from 'antd'
import {
  callbackPath,
  identityApi,
  type IdentityProvider,
  type ProviderKind,
} from '../../../contract/school/identity/identity.calls.ts'
import { DialogForm } from '../../core/form/dialog-form.tsx'
import { NumberField, SelectField, SwitchField, TextField } from '../../core/form/fields.tsx'
import { Field } from '../../core/form/form-field.tsx'
import { audienceNames, kindNames, numberSources } from './provider-names.ts'
import './identity.css'

const audiences = Object.entries(audienceNames).map(([value, label]) => ({ value, label }))
const kinds = Object.entries(kindNames).map(([value, label]) => ({ value, label }))
const copyable = { tooltips: ['复制', '已复制'] }

/** Where each kind is, and what its number is called. */
const hints: Record<ProviderKind, { address: string; attribute: string }> = {
  cas: { address: 'https://cas.example.edu.cn/cas', attribute: 'employeeNumber' },
  oidc: { address: 'https://sso.example.edu.cn', attribute: 'employee_number' },
}

/** A service of the campus by which people sign in, added or edited. */
export function ProviderDialog({ editing, onClose }: { editing: Partial<IdentityProvider>; onClose: () => void }) {
  const { providerId, settings } = editing
  return (
    <DialogForm
      call={identityApi.save}
      title={providerId ? '编辑登录方式' : '新增登录方式'}
      width={640}
      initial={
        providerId
          ? editing
          : {
              kind: 'cas',
              name: '统一身份认证',
              audience: ['student', 'teacher'],
              settings: { attribute: '', clientId: '', scope: 'openid profile', signsOutThere: false },
            }
      }
      doneText="保存成功，可先点“测试”核对"
      onClose={onClose}
    >
      <TextField name="name" span={6} />
      <SelectField name="kind" span={6} options={kinds} />
      <KindFields hasSecret={editing.hasSecret === true} before={settings?.address} />
      <SelectField name="audience" span={6} options={audiences} multiple help="管理员另有账号密码可用" />
      <NumberField name="sort" span={6} help="按钮的先后，小的在前" />
      <SwitchField name={['settings', 'signsOutThere']} span={6} help="打开后，从本系统退出的人转到对方的退出页" />
      <SwitchField name="enabled" span={6} label="在登录页显示" />
      <Callback providerId={providerId} />
    </DialogForm>
  )
}

function KindFields({ hasSecret, before }: { hasSecret: boolean; before: string | undefined }) {
  const kind = Form.useWatch<ProviderKind | undefined>('kind') ?? 'cas'
  const address = Form.useWatch<string | undefined>(['settings', 'address'])
  const keepsSecret = hasSecret && hostOf(address) === hostOf(before)
  const isOidc = kind === 'oidc'
  return (
    <>
      <TextField
        name={['settings', 'address']}
        placeholder={hints[kind].address}
        required
        {...(isOidc && { help: '对方的 issuer，其下有 /.well-known/openid-configuration' })}
      />
      {isOidc && (
        <>
          <TextField name={['settings', 'clientId']} span={6} required help="由对方分配的 client_id" />
          <Field
            name="clientSecret"
            span={6}
            required={!keepsSecret}
            help={keepsSecret ? '已设置，不再显示；留空则不变' : '加密保存，保存后不再显示'}
          >
            <Input.Password autoComplete="new-password" placeholder={keepsSecret ? '已设置' : '请输入'} />
          </Field>
          <TextField name={['settings', 'scope']} span={6} help="以空格分隔，须有 openid" />
        </>
      )}
      <TextField
        name={['settings', 'attribute']}
        span={6}
        placeholder={hints[kind].attribute}
        help={
          isOidc
            ? `声明（claim）的名称；留空则取 ${numberSources.oidc}`
            : `CAS 3.0 的属性名；留空则取${numberSources.cas}`
        }
      />
    </>
  )
}

/** The address that the other side has to know of. */
function Callback({ providerId }: { providerId: string | undefined }) {
  const isOidc = Form.useWatch<string | undefined>('kind') === 'oidc'
  const address = `${window.location.origin}${callbackPath}`
  return (
    <p className="provider-callback">
      {isOidc
        ? '请在对方登记回调地址，后台退出通知（back-channel logout）用同一地址：'
        : '请在对方按前缀放行服务地址：'}
      {isOidc && !providerId ? (
        '保存后再次打开可见。'
      ) : (
        <Typography.Text copyable={copyable} code>
          {isOidc ? `${address}${providerId}` : address}
        </Typography.Text>
      )}
    </p>
  )
}

const hostOf = (address = ''): string => (URL.canParse(address) ? new URL(address).host : '')
