import { Form } from 'antd'
import { useState } from 'react'
import { messageKind, type MessageKind } from '../../../contract/core/codes/platform.ts'
import { placeholdersText } from '../../../contract/core/placeholders.ts'
import { quoted } from '../../../contract/core/quotes.ts'
import { labelOf } from '../../../contract/core/dictionary.ts'
import { messageTextApi, type MessageTemplate } from '../../../contract/school/channels/message-texts.calls.ts'
import { fillMessage, placeholdersOf } from '../../../contract/school/channels/message-texts.ts'
import { actionOn } from '../../core/action/action.tsx'
import { DialogForm } from '../../core/form/dialog-form.tsx'
import { AreaField, TextField } from '../../core/form/fields.tsx'
import type { Column } from '../../core/list/columns.tsx'
import { ListPage } from '../../core/list/list-page.tsx'
import { useList } from '../../core/list/use-list.ts'
import { StatusChip } from '../../core/parts/status-chip.tsx'
import './channels.css'

const action = actionOn<MessageTemplate>()
const reset = action({
  label: '恢复默认',
  call: messageTextApi.reset,
  unit: '个模板',
  fits: ({ can }) => can.includes('reset'),
  question: ([row]) => `确认恢复${quoted(labelOf('message_kind', row!.messageKind))}的默认文字？`,
  confirm: '本校的文字会被删除，不能恢复。',
  input: ([row]) => ({ messageKind: row!.messageKind }),
  doneText: () => '已恢复默认',
})

/** The words in which messages go outside. */
export function TemplateListPage() {
  const list = useList(messageTextApi.list)
  const [editing, setEditing] = useState<MessageTemplate>()
  const edit = action.open({ label: '编辑', call: messageTextApi.save, onOpen: ([row]) => setEditing(row) })
  const columns: Column<MessageTemplate>[] = [
    { title: '类型', dataIndex: 'messageKind', width: 110, fixed: 'left', dict: 'message_kind', opens: edit },
    { title: '标题', dataIndex: 'subject', width: 220 },
    { title: '正文', dataIndex: 'content' },
    {
      title: '来源',
      dataIndex: 'isOwn',
      width: 96,
      render: (isOwn: boolean) => (
        <StatusChip tone={isOwn ? 'finished' : 'draft'}>{isOwn ? '本校' : '默认'}</StatusChip>
      ),
    },
    { title: '修改人', dataIndex: 'updateName', width: 110 },
    { title: '修改时间', dataIndex: 'updateTime', width: 168 },
  ]
  return (
    <>
      <ListPage title="消息模板" list={list} rowKey="messageKind" columns={columns} rowActions={[edit, reset]} />
      {editing && (
        <DialogForm
          call={messageTextApi.save}
          title={`编辑模板：${labelOf('message_kind', editing.messageKind)}`}
          width={720}
          initial={editing}
          onClose={() => setEditing(undefined)}
        >
          <TextField name="subject" help={placeholdersText(placeholdersOf(editing.messageKind))} />
          <AreaField name="content" rows={8} help="没有内容可填的占位及其空行会自动去掉" />
          <Preview kind={editing.messageKind} />
        </DialogForm>
      )}
    </>
  )
}

const samples: Record<string, string> = {
  姓名: '王小明',
  学校: '示例大学',
  标题: '《志愿服务实践》的审批结果',
  正文: '您提交的课程已通过审批，请按时发布。',
  时间: '2026-09-01 10:30',
  链接: 'https://dekt.example.edu.cn/personalCenter/message',
  验证码: 'K7M2Q9XA',
  有效期至: '2026-09-01 10:40',
  条数: '2',
  列表: '· 《志愿服务实践》报名成功（09-01 09:12）\n· 《读书分享》明天开始（09-01 10:30）',
}

/** How a message would look, with people and things that there are not. */
function Preview({ kind }: { kind: MessageKind }) {
  const [subject, content] = [Form.useWatch<string>('subject') ?? '', Form.useWatch<string>('content') ?? '']
  return (
    <section className="template-preview" aria-label="预览">
      <small>预览{kind === messageKind.digest && '（内容为示例）'}</small>
      <b>{fillMessage(subject, samples)}</b>
      <p>{fillMessage(content, samples)}</p>
    </section>
  )
}
