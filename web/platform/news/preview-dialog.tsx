import { Modal, Segmented } from 'antd'
import { useState } from 'react'
import { newsClass } from '../../../contract/core/codes/platform.ts'
import type { Values } from '../../core/form/use-record-form.ts'
import { NewsArticle } from './news-article.tsx'

/** What is being written, as readers would see it on a desk and on a phone. */
export function PreviewDialog({
  values,
  attachments,
  onClose,
}: {
  values: Values
  attachments: readonly { id: string; name: string }[]
  onClose: () => void
}) {
  const [width, setWidth] = useState<'desk' | 'phone'>('desk')
  const text = (name: string) => (values[name] as string | undefined) ?? ''
  const named = ((values['attachments'] as string[] | undefined) ?? []).map(
    (id) => attachments.find((file) => file.id === id) ?? { id, name: '附件' },
  )
  const news = {
    niTitle: text('niTitle') || '（未填写标题）',
    niSubtitle: text('niSubtitle'),
    niSource: text('niSource'),
    niAuthor: text('niAuthor'),
    publishTime: null,
    niDetail: text('niClass') === newsClass.link ? '' : text('niDetail'),
    niLink: text('niLink'),
    niClass: text('niClass'),
    imgList: (values['imgList'] as string[] | undefined) ?? [],
    attachments: named,
  }
  return (
    <Modal open title="预览" footer={null} width={880} style={{ top: 32 }} onCancel={onClose}>
      <div className="news-preview-head">
        <Segmented
          aria-label="预览宽度"
          value={width}
          options={[
            { value: 'desk', label: '电脑' },
            { value: 'phone', label: '手机' },
          ]}
          onChange={(chosen) => setWidth(chosen as 'desk')}
        />
      </div>
      <div className={width === 'phone' ? 'news-preview-phone' : ''}>
        <NewsArticle news={news} />
      </div>
    </Modal>
  )
}
