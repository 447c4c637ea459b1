import { Form, Input } from 'antd'
import { mailSecurity, messageChannel, messageKind, smsMethod } from '../../../contract/core/codes/platform.ts'
import { labelOf } from '../../../contract/core/dictionary.ts'
import { channelApi, outgoingKinds, type ChannelRow } from '../../../contract/school/channels/channels.calls.ts'
import { DialogForm } from '../../core/form/dialog-form.tsx'
import { AreaField, DictionaryField, NumberField, SelectField, TextField } from '../../core/form/fields.tsx'
import { Field } from '../../core/form/form-field.tsx'

const kinds = outgoingKinds.map((value) => ({ value, label: labelOf('message_kind', value) }))

/** A channel's settings; which of them are asked depends on the way. */
export function ChannelDialog({ row, onClose }: { row: Partial<ChannelRow>; onClose: () => void }) {
  const isNew = !row.odId
  return (
    <DialogForm
      call={channelApi.save}
      title={isNew ? '新增消息通道' : '编辑消息通道'}
      width={720}
      initial={
        isNew
          ? {
              odChannel: messageChannel.mail,
              odName: '学校邮箱',
              messageKinds: [...outgoingKinds],
              settings: { port: 465, security: mailSecurity.tls },
            }
          : row
      }
      doneText={isNew ? '保存成功，尚未启用，可先点“测试”核对' : '保存成功，可点“测试”核对'}
      onClose={onClose}
    >
      <TextField name="odName" span={6} />
      <DictionaryField name="odChannel" type="message_channel" span={6} disabled={!isNew} />
      <WayFields hasSecret={row.hasSecret === true} />
      <SelectField name="messageKinds" options={kinds} multiple open help={kindsHint} />
      <DigestFields />
      <TextField name="quietFrom" span={6} placeholder="22:30" help="免打扰期间的消息到结束时再发；留空则不设" />
      <TextField name="quietTo" span={6} placeholder="07:00" />
    </DialogForm>
  )
}

const kindsHint = `没有选中的只在平台内提示。${labelOf('message_kind', messageKind.recovery)}的验证码不受免打扰和个人设置影响`

/** Only mail is gathered. */
function DigestFields() {
  if (Form.useWatch<string | undefined>('odChannel') !== messageChannel.mail) return null
  return (
    <>
      <SelectField
        name="digestKinds"
        options={kinds.filter(({ value }) => value !== messageKind.recovery)}
        multiple
        span={6}
        help="这些消息每人每天合为一封；本人可以改"
      />
      <TextField name="digestAt" span={6} placeholder="18:00" />
    </>
  )
}

function WayFields({ hasSecret }: { hasSecret: boolean }) {
  const way = Form.useWatch<string | undefined>('odChannel')
  if (way === messageChannel.mail) return <MailFields hasSecret={hasSecret} />
  if (way === messageChannel.sms) return <SmsFields hasSecret={hasSecret} />
  if (way === messageChannel.wecom || way === messageChannel.dingtalk)
    return <AppFields key={way} isWecom={way === messageChannel.wecom} hasSecret={hasSecret} />
  return null
}

const AppFields = ({ isWecom, hasSecret }: { isWecom: boolean; hasSecret: boolean }) => (
  <>
    <TextField
      name={['settings', 'address']}
      placeholder={isWecom ? 'https://qyapi.weixin.qq.com' : 'https://oapi.dingtalk.com'}
      help={`填 ${isWecom ? 'https://qyapi.weixin.qq.com' : 'https://oapi.dingtalk.com'}，私有部署或经代理时改为其地址`}
      required
    />
    <TextField name={['settings', 'appKey']} label={isWecom ? '企业 ID' : 'AppKey'} span={6} required />
    <SecretField label={isWecom ? '应用 Secret' : 'AppSecret'} hasSecret={hasSecret} />
    <TextField name={['settings', 'agentId']} span={6} required />
    <DictionaryField
      name={['settings', 'userBy']}
      type="user_by"
      span={6}
      help={`${isWecom ? '企业微信的账号' : '钉钉的 userid'}须与之相同`}
    />
  </>
)

const SmsFields = ({ hasSecret }: { hasSecret: boolean }) => {
  const isPost = Form.useWatch<string | undefined>(['settings', 'method']) !== smsMethod.GET
  return (
    <>
      <TextField name={['settings', 'address']} placeholder="https://sms.example.edu.cn/send" required />
      <DictionaryField name={['settings', 'method']} type="sms_method" span={6} />
      <SecretField label="密钥" hasSecret={hasSecret} />
      <AreaField
        name={['settings', 'headers']}
        rows={2}
        placeholder="Authorization: Bearer {密钥}"
        help="每行一个，没有则留空"
      />
      {isPost && (
        <>
          <DictionaryField name={['settings', 'bodyKind']} type="sms_body" span={6} />
          <TextField name={['settings', 'okText']} span={6} placeholder={'"code":"0"'} help="应答中有它才算成功" />
          <AreaField
            name={['settings', 'body']}
            rows={3}
            placeholder={'{"mobile": "{手机号}", "content": "{内容}"}'}
            help="可用 {手机号} {内容} {标题} {姓名} {验证码} {编号} {密钥}，按内容格式自动转义"
          />
        </>
      )}
    </>
  )
}

const MailFields = ({ hasSecret }: { hasSecret: boolean }) => (
  <>
    <TextField name={['settings', 'host']} span={6} placeholder="smtp.example.edu.cn" required />
    <NumberField name={['settings', 'port']} span={3} required />
    <DictionaryField name={['settings', 'security']} type="mail_security" span={3} />
    <TextField name={['settings', 'user']} span={6} help="服务器不要求登录时留空" autoComplete="off" />
    <SecretField label="口令" hasSecret={hasSecret} />
    <TextField name={['settings', 'fromAddress']} span={6} placeholder="dekt@example.edu.cn" required />
    <TextField name={['settings', 'fromName']} span={6} placeholder="第二课堂" />
  </>
)

const SecretField = ({ label, hasSecret }: { label: string; hasSecret: boolean }) => (
  <Field
    name="secret"
    label={label}
    span={6}
    help={hasSecret ? '已设置，不再显示；留空则不变，换服务器须重填' : '加密保存，保存后不再显示'}
  >
    <Input.Password autoComplete="new-password" placeholder={hasSecret ? '已设置' : '没有则留空'} />
  </Field>
)
