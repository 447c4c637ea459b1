import { Button } from 'antd'
import { useState } from 'react'
import { noticeApi } from '../../../contract/school/session/notice.calls.ts'
import { Facts } from '../../core/action/detail-page.tsx'
import { DialogForm } from '../../core/form/dialog-form.tsx'
import { AreaField } from '../../core/form/fields.tsx'
import { ActionButton } from '../../core/parts/buttons.tsx'
import { useCall } from '../../core/service/use-call.ts'
import { ReadSkeleton } from '../../core/screen/read-skeleton.tsx'
import { NoticeText } from '../../shared/accounts/notice-text.tsx'
import { figure } from '../../core/service/figure.ts'

/** The school's privacy notice: its text, who agreed to it, the versions before, and a new one. */
export function NoticeTab() {
  const { data, refetch } = useCall(noticeApi.history, {}, { staleTime: 0 })
  const [isEditing, setEditing] = useState(false)
  const [hasText, setText] = useState(false)
  if (!data) return <ReadSkeleton className="school-wait" paragraph={{ rows: 8 }} />
  const { current, isAsked, accounts, agreed, versions, can } = data
  return (
    <div className="school-notice">
      <div className="school-bar">
        <p className="school-note">登录页和“账号与设备”中都可以查看；是否必须同意，在“规则设置 → 登录安全”中设定。</p>
        {can.includes('edit') && (
          <ActionButton to={noticeApi.publish} primary onClick={() => setEditing(true)}>
            编辑并发布新版
          </ActionButton>
        )}
      </div>
      <Facts
        items={[
          { label: '当前版本', value: `第 ${current.version} 版` },
          { label: '发布时间', value: current.publishTime?.slice(0, 16) ?? '系统提供的文本' },
          { label: '登录须同意', value: isAsked ? '已开启' : '未开启' },
          { label: '已同意', value: `${figure(agreed)} 人 / ${figure(accounts)} 个启用的账号` },
          ...(versions.length > 0
            ? [
                {
                  label: '历次发布',
                  value: versions
                    .map(
                      ({ version, publishTime, publishName }) =>
                        `第 ${version} 版（${publishTime.slice(0, 10)}，${publishName}）`,
                    )
                    .join('；'),
                  isWide: true,
                },
              ]
            : []),
        ]}
      />
      <Button type="link" onClick={() => setText(!hasText)} aria-expanded={hasText}>
        {hasText ? '收起全文' : '查看全文'}
      </Button>
      {hasText && <NoticeText content={current.content} />}
      {isEditing && (
        <DialogForm
          call={noticeApi.publish}
          title={`发布第 ${current.version + 1} 版隐私告知`}
          width={760}
          initial={{ content: current.content }}
          input={({ content }) => ({ version: current.version, content: content as string })}
          submitText="发布"
          doneText="隐私告知已发布，所有人登录时须重新同意"
          onClose={() => setEditing(false)}
          onDone={() => void refetch()}
        >
          <AreaField name="content" rows={14} />
          <p className="school-note span-12">
            以“一、”“二、”开头的短行显示为标题。发布后，所有人（包括您）须先同意新版才能继续使用。
          </p>
        </DialogForm>
      )}
    </div>
  )
}
