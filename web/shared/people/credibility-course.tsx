import { Form } from 'antd'
import { useEffect } from 'react'
import { lessonApi } from '../../../contract/programme/lessons/lessons.calls.ts'
import { credibilityApi } from '../../../contract/school/people/credibility.calls.ts'
import { AreaField, RemoteSelectField } from '../../core/form/fields.tsx'
import { DialogForm } from '../../core/form/dialog-form.tsx'
import { useCall } from '../../core/service/use-call.ts'
import { figure } from '../../core/service/figure.ts'
import './student-actions.css'

/** So many names are shown before the action; the figures are of all. */
const shownNames = 8

/**
 * Giving back everything that one course took: which course, from how many it took how much, and why it is given back.
 */
export function CredibilityCourseDialog({
  lesson,
  onClose,
}: {
  lesson?: { liId: string; liName: string } | undefined
  onClose: () => void
}) {
  return (
    <DialogForm
      title="按课程恢复诚信分"
      call={credibilityApi.restoreByLesson}
      initial={lesson ? { liId: lesson.liId } : {}}
      input={({ liId, entries, reason }) => ({
        liId: liId as string,
        entries: (entries as number | undefined) ?? 0,
        reason: reason as string,
      })}
      submitText="恢复"
      doneText="诚信分已恢复"
      onClose={onClose}
    >
      {lesson ? (
        <p className="dialog-text">
          课程：<b>{lesson.liName}</b>
        </p>
      ) : (
        <RemoteSelectField
          name="liId"
          call={lessonApi.list}
          input={(word) => ({ current: 1, pageSize: 20, ...(word && { liName: word }) })}
          options={({ records }) =>
            records.map(({ liId, liName, liNo, startTime }) => ({
              value: liId,
              label: liName,
              hint: [liNo, startTime.slice(0, 10)].filter(Boolean).join(' · '),
            }))
          }
          placeholder="输入课程名称"
        />
      )}
      <Losses />
      <AreaField name="reason" rows={3} placeholder="不少于 5 个字，如：活动时间通知有误，学生会看到" />
    </DialogForm>
  )
}

/** What the chosen course took and nobody gave back yet. */
function Losses() {
  const form = Form.useFormInstance()
  const liId = Form.useWatch<string | undefined>('liId', { form, preserve: true })
  const { data } = useCall(
    credibilityApi.lessonLosses,
    { liId: liId ?? '', current: 1, pageSize: shownNames },
    { enabled: !!liId, staleTime: 0 },
  )
  const entries = data?.entries
  useEffect(() => form.setFieldValue('entries', entries), [form, entries])
  if (!liId) return <p className="losses nothing">选择课程后，这里列出可以恢复的扣分。</p>
  if (!data) return <p className="losses nothing">正在统计…</p>
  if (data.people === 0)
    return (
      <p className="losses">
        该课程没有可恢复的扣分{data.restored > 0 ? `，已恢复过 ${figure(data.restored)} 条` : ''}。
      </p>
    )
  return (
    <div className="losses">
      <p>
        将为 <b>{figure(data.people)}</b> 名学生恢复共 <b>{figure(data.points)}</b> 分
        {data.restored > 0 ? `，另有 ${figure(data.restored)} 条已恢复过` : ''}。每条只恢复一次，不超过最高分。
      </p>
      <ul>
        {data.records.map(({ suId, suiName, suiNumber, className, points, suiCredibility }) => (
          <li key={suId}>
            <span>
              {suiName}
              <small>{[suiNumber, className].filter(Boolean).join(' · ')}</small>
            </span>
            <span className="figures">
              {suiCredibility} 分，恢复 {figure(points)} 分
            </span>
          </li>
        ))}
      </ul>
      {data.people > data.records.length && (
        <p className="nothing">
          以上为前 {figure(data.records.length)} 名，共 {figure(data.people)} 名学生
        </p>
      )}
    </div>
  )
}
