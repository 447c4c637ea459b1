import { Form, Input, Typography } from 'antd'
import {
  callbackPath,
  identityApi,
  type IdentityProvider,
  metadataPath,
  type ProviderKind,
  usernamePlace,
} from '../../../contract/school/identity/identity.calls.ts'
import { DialogForm } from '../../core/form/dialog-form.tsx'
import { AreaField, NumberField, SelectField, SwitchField, TextField } from '../../core/form/fields.tsx'
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
  saml: { address: 'https://idp.example.edu.cn/idp/shibboleth', attribute: 'employeeNumber' },
  ldap: { address: 'ldaps://ad.example.edu.cn', attribute: 'employeeNumber' },
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
              settings: {
                attribute: '',
                clientId: '',
                scope: 'openid profile',
                signsOutThere: false,
                filter: `(uid=${usernamePlace})`,
              },
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
      <SignsOut />
      <SwitchField name="enabled" span={6} label="在登录页显示" />
      <Callback providerId={providerId} />
    </DialogForm>
  )
}

function KindFields({ hasSecret, before }: { hasSecret: boolean; before: string | undefined }) {
  const kind = Form.useWatch<ProviderKind | undefined>('kind') ?? 'cas'
  const address = Form.useWatch<string | undefined>(['settings', 'address'])
  const metadata = Form.useWatch<string | undefined>(['settings', 'metadata'])
  const keepsSecret = hasSecret && hostOf(address) === hostOf(before)
  return (
    <>
      {!(kind === 'saml' && metadata) && (
        <TextField
          name={['settings', 'address']}
          placeholder={hints[kind].address}
          required
          help={addressHelps[kind]}
        />
      )}
      {kind === 'saml' && (
        <>
          <AreaField
            name={['settings', 'metadata']}
            rows={2}
            placeholder="<EntityDescriptor …"
            help="对方不能提供元数据地址时，粘贴其内容（XML）；填写后只用它，证书更换后须重新粘贴"
          />
          <TextField
            name={['settings', 'clientId']}
            span={6}
            label="本系统的 entityID"
            help="留空则为本系统的元数据地址"
          />
        </>
      )}
      {kind === 'oidc' && (
        <>
          <TextField name={['settings', 'clientId']} span={6} required help="由对方分配的 client_id" />
          <Secret label="客户端密钥" isKept={keepsSecret} isRequired />
          <TextField name={['settings', 'scope']} span={6} help="以空格分隔，须有 openid" />
        </>
      )}
      {kind === 'ldap' && (
        <>
          <TextField name={['settings', 'baseDn']} span={6} required placeholder="ou=people,dc=example,dc=edu,dc=cn" />
          <TextField name={['settings', 'filter']} span={6} required help="AD 常用 (sAMAccountName={username})" />
          <TextField name={['settings', 'bindDn']} span={6} help="有查询权限的账号的 DN；留空则匿名查询" />
          <Secret label="查询账号的口令" isKept={keepsSecret} isRequired={false} />
          <AreaField name={['settings', 'ca']} rows={2} help="校内自行签发的证书须填写，PEM 格式；公共证书留空" />
        </>
      )}
      <TextField
        name={['settings', 'attribute']}
        span={6}
        placeholder={hints[kind].attribute}
        help={attributeHelps[kind]}
      />
    </>
  )
}

/** Of a directory nobody has to be signed out, and of SAML nobody can be: it would have to be told whom. */
function SignsOut() {
  const kind = Form.useWatch<ProviderKind | undefined>('kind')
  if (kind === 'ldap' || kind === 'saml') return null
  return <SwitchField name={['settings', 'signsOutThere']} span={6} help="打开后，从本系统退出的人转到对方的退出页" />
}

const addressHelps: Record<ProviderKind, string> = {
  cas: '通常以 /cas 结尾',
  oidc: '对方的 issuer，其下有 /.well-known/openid-configuration',
  saml: '对方元数据（metadata）的地址',
  ldap: 'ldaps:// 或 ldap://（一律以 StartTLS 加密）',
}
const attributeHelps: Record<ProviderKind, string> = {
  cas: `CAS 3.0 的属性名；留空则取${numberSources.cas}`,
  oidc: `声明（claim）的名称；留空则取 ${numberSources.oidc}`,
  saml: `属性的 Name 或 FriendlyName；留空则取 ${numberSources.saml}`,
  ldap: `留空则取 ${numberSources.ldap}`,
}

function Secret({ label, isKept, isRequired }: { label: string; isKept: boolean; isRequired: boolean }) {
  return (
    <Field
      name="clientSecret"
      label={label}
      span={6}
      required={isRequired && !isKept}
      help={isKept ? '已设置，不再显示；留空则不变' : '加密保存，保存后不再显示'}
    >
      <Input.Password autoComplete="new-password" placeholder={isKept ? '已设置' : '请输入'} />
    </Field>
  )
}

/** The address that the other side has to know of. */
function Callback({ providerId }: { providerId: string | undefined }) {
  const kind = Form.useWatch<ProviderKind | undefined>('kind')
  const isOidc = kind === 'oidc'
  const address = `${window.location.origin}${callbackPath}`
  if (kind === 'saml')
    return (
      <p className="provider-callback">
        请在对方导入本系统的元数据（含签名与加密证书）：
        {providerId ? (
          <Typography.Text copyable={copyable} code>
            {`${window.location.origin}${metadataPath}${providerId}`}
          </Typography.Text>
        ) : (
          '保存后再次打开可见。'
        )}
      </p>
    )
  if (kind === 'ldap')
    return <p className="provider-callback">人员在本系统的登录页输入校园账号和密码，密码只转给对方核对，不保存。</p>
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
