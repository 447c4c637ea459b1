import { Button, Form } from 'antd'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { newsClass, yesNo } from '../../../contract/core/codes/platform.ts'
import { fileApi } from '../../../contract/platform/files/files.calls.ts'
import { newsApi } from '../../../contract/platform/news/news.calls.ts'
import { DictionaryField, RemoteSelectField, SelectField, SwitchField, TextField } from '../../core/form/fields.tsx'
import { FileField } from '../../core/form/file-fields.tsx'
import { ImageField } from '../../core/form/image-field.tsx'
import { notify } from '../../core/service/notice.tsx'
import { FormSection, FormPage } from '../../core/form/form-page.tsx'
import { DictionaryChip } from '../../core/parts/status-chip.tsx'
import { useTab, useTabTitle } from '../../core/service/tab.ts'
import { useInitialData } from '../../core/service/use-initial-data.ts'
import type { RecordFormState, Values } from '../../core/form/use-record-form.ts'
import { RichField } from '../../shared/rich-text/rich-field.tsx'
import { newsPaths, newsTones, useNewsTypes } from './news-parts.tsx'
import { PreviewDialog } from './preview-dialog.tsx'

const blank: Values = {
  niClass: newsClass.article,
  niIsShow: yesNo.yes,
  niTop: yesNo.no,
  imgList: [],
  attachments: [],
  relIds: [],
}

/** One form for new items and for edits: an id in the address selects update, none create. */
export function NewsFormPage() {
  const [query] = useSearchParams()
  const niId = query.get('niId') ?? undefined
  const { close } = useTab()
  const { data: news, ...reading } = useInitialData(newsApi.detail, niId, (id) => ({ niId: id }))
  const types = useNewsTypes()
  const [preview, setPreview] = useState<Values>()
  useTabTitle(news && `编辑 ${news.niTitle}`)
  const common = {
    title: niId ? '编辑新闻' : '新增新闻',
    status: news && <DictionaryChip type="news_status" value={news.niStatus} tones={newsTones} />,
    isLoading: niId !== undefined && !news,
    reading,
    noun: '新闻',
    list: newsPaths.list,
    initial: news ? { ...news, attachments: news.attachments.map(({ id }) => id) } : niId ? undefined : blank,
    draft: `news:${niId ?? 'new'}`,
    back: niId ? newsPaths.detail(niId) : newsPaths.list,
    submitText: niId ? '保存' : '存为草稿',
    foot: ({ form }: RecordFormState) => (
      <Button onClick={() => setPreview({ ...form.getFieldsValue(true) })}>预览</Button>
    ),
    children: (
      <>
        <FormSection title="内容">
          <TextField name="niTitle" />
          <TextField name="niSubtitle" />
          <SelectField
            name="ntId"
            span={6}
            options={types}
            help={types.length === 0 ? '还没有分类，请先在“新闻分类”中添加' : undefined}
          />
          <DictionaryField name="niClass" span={6} type="news_class" open />
          <ContentFields />
          <TextField name="niSource" span={6} placeholder="例如：校团委" />
          <TextField name="niAuthor" span={6} />
        </FormSection>
        <FormSection title="图片与附件">
          <ImageField
            name="niCover"
            files={fileApi}
            aspect={16 / 9}
            help="在首页与列表中展示，16:9，JPG、PNG 或 WebP，不超过 10 MB"
          />
          <ImageField name="imgList" files={fileApi} max={9} />
          <FileField name="attachments" files={fileApi} max={10} known={news?.attachments ?? []} />
        </FormSection>
        <FormSection title="展示与推荐">
          <SwitchField name="niIsShow" span={6} help="发布后是否展示在首页" />
          <SwitchField name="niTop" span={6} help="排在其他新闻之前" />
          <RemoteSelectField
            name="relIds"
            multiple
            max={10}
            placeholder="输入标题搜索已发布的新闻"
            call={newsApi.options}
            input={(word) => (word ? { niTitle: word } : {})}
            options={(found) =>
              found
                .filter((one) => one.niId !== niId)
                .map((one) => ({ value: one.niId, label: one.niTitle, hint: one.publishTime?.slice(0, 10) }))
            }
            known={(news?.related ?? []).map((one) => ({ value: one.niId, label: one.niTitle, hint: undefined }))}
          />
        </FormSection>
      </>
    ),
  }
  const done = (saved: string) => {
    notify('success', niId ? '保存成功' : '已存为草稿，发布后可供阅读')
    close(newsPaths.detail(saved))
  }
  return (
    <>
      {niId ? (
        <FormPage {...common} call={newsApi.update} onDone={() => done(niId)} />
      ) : (
        <FormPage {...common} call={newsApi.add} onDone={({ niId: saved }) => done(saved)} />
      )}
      {preview && (
        <PreviewDialog values={preview} attachments={news?.attachments ?? []} onClose={() => setPreview(undefined)} />
      )}
    </>
  )
}

/** The text, or for what only points elsewhere its address. */
function ContentFields() {
  const niClass = Form.useWatch<string | undefined>('niClass') ?? newsClass.article
  const pointsAway = niClass === newsClass.link || niClass === newsClass.video
  return (
    <>
      {pointsAway && (
        <TextField
          name="niLink"
          required
          placeholder="https://"
          help={niClass === newsClass.video ? '视频所在页面的地址，点击后在新窗口打开' : '点击后在新窗口打开'}
        />
      )}
      {niClass !== newsClass.link && (
        <RichField
          name="niDetail"
          required={!pointsAway}
          help="从 Word、WPS 粘贴时自动清除多余格式；图片请用“插入图片”上传"
        />
      )}
    </>
  )
}
