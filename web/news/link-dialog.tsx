import { Form, Input, Modal } from 'antd'
import { linkAddress } from '../../contract/news/rich-text.ts'

/** Asks for the address of a link and its words. */
export function LinkDialog({ selected, onTake, onClose }: { selected: string; onTake: (href: string, words: string) => void; onClose: () => void }) {
  const [form] = Form.useForm<{ href: string; words: string }>()
  const take = async () => {
    const given = await form.validateFields().catch(() => undefined)
    if (!given) return
    onClose()
    // the dialog gives the focus back first, then the text takes the link at its place
    setTimeout(() => onTake(given.href.trim(), given.words?.trim() || given.href.trim()))
  }
  return (
    <Modal open title="插入链接" okText="插入" cancelText="取消" width={440} onOk={() => void take()} onCancel={onClose}>
      <Form form={form} layout="vertical" initialValues={{ href: 'https://', words: selected }}>
        <Form.Item name="href" label="链接地址" required rules={[{ validator: (_, value: string) => (linkAddress.test((value ?? '').trim()) ? Promise.resolve() : Promise.reject(new Error('链接须以 http://、https://、mailto: 或 tel: 开头'))) }]}><Input autoFocus maxLength={500} /></Form.Item>
        <Form.Item name="words" label="显示文字"><Input maxLength={100} placeholder="不填则显示链接地址" /></Form.Item>
      </Form>
    </Modal>
  )
}
