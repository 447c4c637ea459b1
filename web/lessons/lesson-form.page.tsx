import { useMemo, useState } from 'react'
import { useSearchParams } from 'react-router'
import { lessonApi } from '../../contract/lessons/lessons.calls.ts'
import type { LessonDetail } from '../../contract/lessons/lessons.schema.ts'
import { LockButton } from '../core/buttons.tsx'
import { notify } from '../core/notice.tsx'
import { FormSection, RecordForm } from '../core/record-form.tsx'
import { useTab, useTabTitle } from '../core/tab.ts'
import { useCall } from '../core/use-call.ts'
import { lessonPaths } from './lesson-acts.tsx'
import { Basics, Organisation } from './form-basics.tsx'
import { FlowPreview } from './form-flow.tsx'
import { Evaluation, Files, Publicity } from './form-result.tsx'
import { Registration, Schedule, SignIn } from './form-schedule.tsx'
import { blankLesson, lessonInput, lessonValues } from './lesson-form.ts'
import { useOwnPerson } from './own-person.ts'
import { LessonStatus } from './lesson-status.part.tsx'
import '../styles/lessons.css'

/** What an edit means in states after approval. */
const hints: Record<string, string> = {
  '20': '课程已通过审批：修改课程体系、时间、名额、学时等会重新进入审批',
  '30': '课程已发布：只能修改介绍、人员、地点、签到方式等不影响审批的内容，名额只能增加',
}

/** One form for new courses and for edits: an id in the address selects update, none create. */
export function LessonFormPage() {
  const [query] = useSearchParams()
  const liId = query.get('liId') ?? undefined
  const { close } = useTab()
  const lesson = useFirstRead(liId)
  const self = useOwnPerson(!liId)
  const initial = useMemo(() => {
    if (liId) return lesson && lessonValues(lesson)
    return self === undefined ? undefined : { ...blankLesson, ...(self && { liPrincipalId: self.suId }) }
  }, [liId, lesson, self])
  useTabTitle(lesson && `编辑 ${lesson.liName}`)
  const isPublished = lesson?.liStatus === '30'
  // once approved a course is only saved; before that it may go into approval from here
  const submits = !lesson || lesson.can.includes('submit')

  return (
    <RecordForm
      title={liId ? `编辑课程${lesson ? `：${lesson.liName}` : ''}` : '新增课程'}
      status={lesson && <LessonStatus lesson={lesson} />}
      facts={hints[lesson?.liStatus ?? ''] ?? '带 * 为必填项'}
      call={lessonApi.save}
      isLoading={!initial}
      initial={initial}
      input={(values) => lessonInput({ ...values, submit: values['submit'] ?? (submits ? '1' : '0') })}
      draft={`lesson:${liId ?? 'new'}`}
      submitText={submits ? '提交审批' : '保存'}
      foot={(form) => submits && <LockButton disabled={!initial || form.isSending} onClick={() => form.submit({ submit: '0' })}>存为草稿</LockButton>}
      onDone={({ liId: saved, liStatus }) => {
        notify('success', liStatus === '10' ? '已提交审批' : liId ? '保存成功' : '已存为草稿')
        close(lessonPaths.detail(saved))
      }}
    >
      <FormSection title="基本信息"><Basics isFixed={isPublished} /></FormSection>
      <FormSection title="组织信息"><Organisation lesson={lesson} self={self ?? undefined} isFixed={isPublished} /></FormSection>
      <FormSection title="时间地点"><Schedule isFixed={isPublished} /></FormSection>
      <FormSection title="报名设置"><Registration isFixed={isPublished} /></FormSection>
      <FormSection title="签到设置"><SignIn /></FormSection>
      <FormSection title="评价与奖项"><Evaluation lesson={lesson} isFixed={isPublished} /></FormSection>
      <FormSection title="公示与质疑"><Publicity isFixed={isPublished} /></FormSection>
      <FormSection title="附件"><Files lesson={lesson} /></FormSection>
      {!isPublished && <FormSection title="流程预览" hint="按所选课程体系、级别与您的角色匹配，提交后依次审批。"><FlowPreview /></FormSection>}
    </RecordForm>
  )
}

/** The course as it was first read fresh: what others change meanwhile must not overwrite what is being typed. */
function useFirstRead(liId: string | undefined): LessonDetail | undefined {
  const [kept, setKept] = useState<LessonDetail>()
  // once read it is not asked for again: after submitting, the course may no longer be edited at all
  const { data, isFetching } = useCall(lessonApi.edit, { liId: liId ?? '' }, { enabled: liId !== undefined && kept?.liId !== liId })
  if (data && !isFetching && kept?.liId !== data.liId) setKept(data)
  return kept?.liId === liId ? kept : undefined
}
