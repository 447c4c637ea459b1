import { LockButton } from '../../core/parts/buttons.tsx'
import { Dialog } from '../../core/parts/dialog.tsx'
import { Form, Input } from 'antd'
import { linkAddress } from '../../../contract/core/rich-text.ts'

interface LinkDialogProps {
  /** Where the link leads in which the cursor stands, if it stands in one. */
  address: string | undefined
  selected: string
  onTake: (href: string, words: string) => void
  onRemove: () => void
  onClose: () => void
}

/** Asks for the address of a link and its words. */
export function LinkDialog({ address, selected, onTake, onRemove, onClose }: LinkDialogProps) {
  const [form] = Form.useForm<{ href: string; words: string }>()
  // the dialog gives the focus back first, then the text takes the link at its place
  const leave = (act: () => void) => (onClose(), void setTimeout(act))
  const take = async () => {
    const given = await form.validateFields().catch(() => undefined)
    if (given) leave(() => onTake(given.href.trim(), given.words?.trim() || given.href.trim()))
  }
  return (
    <Dialog
      open
      title={address ? '修改链接' : '插入链接'}
      okText={address ? '保存' : '插入'}
      cancelText="取消"
      width={440}
      onOk={() => void take()}
      onCancel={onClose}
      aside={
        address && (
          <LockButton danger onClick={() => leave(onRemove)}>
            移除链接
          </LockButton>
        )
      }
    >
      <Form form={form} layout="vertical" initialValues={{ href: address ?? 'https://', words: selected }}>
        <Form.Item
          name="href"
          label="链接地址"
          required
          rules={[
            {
              validator: (_, value: string) =>
                linkAddress.test((value ?? '').trim())
                  ? Promise.resolve()
                  : Promise.reject(new Error('链接须以 http://、https://、mailto: 或 tel: 开头')),
            },
          ]}
        >
          <Input autoFocus maxLength={500} />
        </Form.Item>
        <Form.Item name="words" label="显示文字">
          <Input maxLength={100} placeholder="不填则显示链接地址" />
        </Form.Item>
      </Form>
    </Dialog>
  )
}
