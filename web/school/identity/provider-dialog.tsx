import { Form, Input, Typography } from 'antd'
import { useEffect } from 'react'
import {
  callbackPath,
  identityApi,
  type IdentityProvider,
  metadataPath,
  type ProviderKind,
  publishedAddresses,
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
  wecom: { address: publishedAddresses.wecom.address, attribute: '工号' },
  dingtalk: { address: publishedAddresses.dingtalk.address, attribute: 'job_number' },
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
                matchesNumber: true,
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
      <SwitchField
        name={['settings', 'matchesNumber']}
        span={6}
        help="关闭后，只有在“账号与设备”中绑定过的人能用它登录"
      />
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
  usePublishedAddress(kind)
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
      {kind === 'wecom' && (
        <>
          <TextField
            name={['settings', 'clientId']}
            span={6}
            label="企业编号（CorpId）"
            required
            help="管理后台“我的企业”的最下方"
          />
          <TextField name={['settings', 'agentId']} span={6} required help="应用详情中的 AgentId" />
          <Secret label="应用的 Secret" isKept={keepsSecret} isRequired />
          <OwnAddresses of="wecom" />
        </>
      )}
      {kind === 'dingtalk' && (
        <>
          <TextField
            name={['settings', 'clientId']}
            span={6}
            label="应用的 AppKey"
            required
            help="又称 Client ID，在“凭证与基础信息”中"
          />
          <TextField name={['settings', 'corpId']} span={6} required help="CorpId，在钉钉开放平台的首页" />
          <Secret label="应用的 AppSecret" isKept={keepsSecret} isRequired />
          <OwnAddresses of="dingtalk" />
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

/** The addresses that a private installation has of its own. */
const OwnAddresses = ({ of }: { of: keyof typeof publishedAddresses }) =>
  Object.entries(publishedAddresses[of])
    .filter(([name, published]) => name !== 'address' && published)
    .map(([name, published]) => (
      <TextField
        key={name}
        name={['settings', name]}
        span={6}
        placeholder={published}
        help="私有部署才须填写；留空则用公网地址"
      />
    ))

/** Offers the published address of a service, in place of another one's. */
function usePublishedAddress(kind: ProviderKind): void {
  const form = Form.useFormInstance()
  useEffect(() => {
    const published = Object.values(publishedAddresses).map(({ address }) => address as string)
    const current = form.getFieldValue(['settings', 'address']) as string | undefined
    if (current && !published.includes(current)) return
    form.setFieldValue(['settings', 'address'], isPublished(kind) ? publishedAddresses[kind].address : current && '')
  }, [kind, form])
}

const isPublished = (kind: ProviderKind): kind is keyof typeof publishedAddresses => kind in publishedAddresses

/** Of a directory nobody has to be signed out, and of these services nobody can be: it would have to be told whom. */
const SignsOut = () =>
  !['ldap', 'saml', 'wecom', 'dingtalk'].includes(Form.useWatch<ProviderKind | undefined>('kind') ?? 'cas') && (
    <SwitchField name={['settings', 'signsOutThere']} span={6} help="打开后，从本系统退出的人转到对方的退出页" />
  )

const addressHelps: Record<ProviderKind, string> = {
  cas: '通常以 /cas 结尾',
  oidc: '对方的 issuer，其下有 /.well-known/openid-configuration',
  saml: '对方元数据（metadata）的地址',
  ldap: 'ldaps:// 或 ldap://（一律以 StartTLS 加密）',
  wecom: '接口地址；私有部署请改为学校自己的地址',
  dingtalk: '接口地址；专有部署请改为学校自己的地址',
}
const attributeHelps: Record<ProviderKind, string> = {
  cas: `CAS 3.0 的属性名；留空则取${numberSources.cas}`,
  oidc: `声明（claim）的名称；留空则取 ${numberSources.oidc}`,
  saml: `属性的 Name 或 FriendlyName；留空则取 ${numberSources.saml}`,
  ldap: `留空则取 ${numberSources.ldap}`,
  wecom: `成员的自定义字段名；留空则取${numberSources.wecom}`,
  dingtalk: `工号填 job_number，或填自定义字段名；留空则取${numberSources.dingtalk}`,
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

const callbackHints: Record<ProviderKind, string> = {
  cas: '请在对方按前缀放行服务地址：',
  oidc: '请在对方登记回调地址，后台退出通知（back-channel logout）用同一地址：',
  saml: '请在对方导入本系统的元数据（含签名与加密证书）：',
  ldap: '',
  wecom: '请把应用的可信域名与“企业微信授权登录”的授权回调域都设为：',
  dingtalk: '请在应用的“安全设置”中登记回调地址（重定向 URL）：',
}

/** The address that the other side has to know of. */
function Callback({ providerId }: { providerId: string | undefined }) {
  const kind = Form.useWatch<ProviderKind | undefined>('kind') ?? 'cas'
  if (kind === 'ldap')
    return <p className="provider-callback">人员在本系统的登录页输入校园账号和密码，密码只转给对方核对，不保存。</p>
  const { origin, host } = window.location
  const addresses = {
    cas: origin + callbackPath,
    oidc: providerId && origin + callbackPath + providerId,
    saml: providerId && origin + metadataPath + providerId,
    wecom: host,
    dingtalk: providerId && origin + callbackPath + providerId,
  }
  const address = addresses[kind]
  return (
    <p className="provider-callback">
      {callbackHints[kind]}
      {address ? (
        <Typography.Text copyable={copyable} code>
          {address}
        </Typography.Text>
      ) : (
        '保存后再次打开可见。'
      )}
    </p>
  )
}

const hostOf = (address = ''): string => (URL.canParse(address) ? new URL(address).host : '')
