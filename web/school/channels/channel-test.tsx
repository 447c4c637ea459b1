import { Alert, Input } from 'antd'
import { useState } from 'react'
import { messageChannel } from '../../../contract/core/codes/platform.ts'
import { quoted } from '../../../contract/core/quotes.ts'
import { channelApi, type ChannelRow } from '../../../contract/school/channels/channels.calls.ts'
import { Dialog } from '../../core/parts/dialog.tsx'
import { useSend } from '../../core/service/use-call.ts'
import './channels.css'

const addressNames: Record<ChannelRow['odChannel'], string> = {
  [messageChannel.mail]: '邮箱地址',
  [messageChannel.wecom]: '企业微信账号',
  [messageChannel.dingtalk]: '钉钉 userid',
  [messageChannel.sms]: '手机号',
}

/** Sends one test message and says there how it went. */
export function ChannelTest({ row, onClose }: { row: ChannelRow; onClose: () => void }) {
  const [isOpen, setOpen] = useState(true)
  const [target, setTarget] = useState('')
  const [result, setResult] = useState<{ isDelivered: boolean; text: string }>()
  const test = useSend(channelApi.test)
  const send = () =>
    void test
      .send({ odId: row.odId, ...(target.trim() && { target: target.trim() }) })
      .then(setResult)
      .catch(() => undefined)
  const name = addressNames[row.odChannel]
  return (
    <Dialog
      open={isOpen}
      title={`测试${quoted(row.odName)}`}
      okText="发送测试消息"
      cancelText="关闭"
      confirmLoading={test.isSending}
      to={channelApi.test}
      onOk={send}
      onCancel={() => setOpen(false)}
      afterClose={onClose}
    >
      <label className="channel-test">
        发往
        <Input
          aria-label={name}
          value={target}
          maxLength={100}
          placeholder={`${name}；留空则发给自己`}
          onChange={({ target: { value } }) => setTarget(value)}
          onPressEnter={send}
        />
      </label>
      <div aria-live="polite">
        {result && !test.isSending && (
          <Alert type={result.isDelivered ? 'success' : 'error'} showIcon title={result.text} />
        )}
      </div>
    </Dialog>
  )
}
