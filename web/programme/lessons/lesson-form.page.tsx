import { useEffect, useMemo } from 'react'
import { useSearchParams } from 'react-router'
import { lessonStatus } from '../../../contract/core/codes/programme.ts'
import { formOfLesson } from '../../../contract/programme/lessons/form-of-lesson.ts'
import { lessonApi } from '../../../contract/programme/lessons/lessons.calls.ts'
import { LockButton } from '../../core/parts/buttons.tsx'
import { notify } from '../../core/service/notice.tsx'
import { FormSection, FormPage } from '../../core/form/form-page.tsx'
import { useTab, useTabTitle } from '../../core/service/tab.ts'
import { useInitialData } from '../../core/service/use-initial-data.ts'
import { lessonPaths } from './lesson-actions.tsx'
import { Basics, Organisation } from './form-basics.tsx'
import { FlowPreview } from './form-flow.tsx'
import { Evaluation, Files, Publicity } from './form-result.tsx'
import { MedicalSection } from './form-medical.tsx'
import { Range, Registration, Schedule, SignIn } from './form-schedule.tsx'
import { IndustrySections } from './form-industry.tsx'
import {
  blankLesson,
  copiedValues,
  isBlank,
  lessonInput,
  noticeNames,
  paperNames,
  rangeNames,
  signNames,
} from './lesson-form.ts'
import { askFormChoices } from './form-choices.ts'
import { useOwnPerson } from './own-person.ts'
import { LessonStatus } from '../../shared/lessons/lesson-status.tsx'
import { useRules } from '../../shared/school/rules.ts'
import '../../shared/lessons/lessons.css'

/** What an edit means in states after approval. */
const hints: Record<string, string> = {
  [lessonStatus.publishPassed]: '课程已通过审批：修改课程体系、时间、名额、学时等会重新进入审批',
  [lessonStatus.published]:
    '课程已发布：修改课程体系、时间、学时、报名范围或减少名额须经变更审批，批准前课程保持原样；介绍、人员、地点等即时生效',
}

/** One form for new courses and for edits: an id in the address selects update, none create. */
export function LessonFormPage() {
  const [query] = useSearchParams()
  const liId = query.get('liId') ?? undefined
  const from = liId ? undefined : (query.get('from') ?? undefined)
  const { close, path } = useTab()
  const isIndustry = path.includes('Industry')
  const { data: lesson, ...reading } = useInitialData(lessonApi.edit, liId, (id) => ({ liId: id }))
  const { data: copied, ...copying } = useInitialData(lessonApi.details, from, (id) => ({ liId: id }))
  const self = useOwnPerson(!liId)
  const rules = useRules()
  useEffect(askFormChoices, [])
  const usual = { lateMinutes: rules?.signLateMinutes, publictyDays: rules?.publictyDefault }
  const initial = useMemo(() => {
    if (liId) return lesson && formOfLesson(lesson)
    if (from) return copied && copiedValues(copied)
    return self === undefined
      ? undefined
      : { ...blankLesson, liScheme: isIndustry ? 'industry' : 'standard', ...(self && { liPrincipalId: self.suId }) }
  }, [liId, lesson, from, copied, self, isIndustry])
  useTabTitle(lesson ? `编辑 ${lesson.liName}` : copied && `复制 ${copied.liName}`)
  const known = lesson ?? (from ? copied : undefined)
  // once approved a course is only saved; before that it may go into approval from here
  const submits = !lesson || lesson.can.includes('submit')

  return (
    <FormPage
      title={
        liId
          ? `编辑${kindOf(lesson?.liScheme, isIndustry)}${lesson ? `：${lesson.liName}` : ''}`
          : `${from ? '复制' : '新增'}${kindOf(copied?.liScheme, isIndustry)}`
      }
      status={lesson && <LessonStatus lesson={lesson} />}
      facts={hints[lesson?.liStatus ?? ''] ?? '带 * 为必填项'}
      call={lessonApi.save}
      isLoading={!initial}
      reading={liId ? reading : copying}
      noun="课程"
      list={lessonPaths.list}
      initial={initial}
      input={(values) => lessonInput({ ...values, submit: values['submit'] ?? (submits ? '1' : '0') })}
      draft={`lesson:${liId ?? (from ? `copy-${from}` : isIndustry ? 'new-industry' : 'new')}`}
      submitText={submits ? '提交审批' : '保存'}
      foot={(form) =>
        submits && (
          <LockButton
            disabled={!initial || form.isSending}
            authority-type={lessonApi.save.permit}
            onClick={() => form.submit({ submit: '0' })}
          >
            存为草稿
          </LockButton>
        )
      }
      onDone={({ liId: saved, liStatus, isChanging }, { liScheme }) => {
        notify(
          'success',
          isChanging
            ? '变更已提交审批，批准后生效'
            : liStatus === lessonStatus.publishInReview
              ? '已提交审批'
              : liId
                ? '保存成功'
                : '已存为草稿',
        )
        close(lessonPaths.detail({ liId: saved, liScheme: String(liScheme) }))
      }}
    >
      <FormSection title="基本信息">
        <Basics />
      </FormSection>
      <FormSection title="组织信息">
        <Organisation lesson={known} self={self ?? undefined} />
      </FormSection>
      <FormSection title="时间地点">
        <Schedule liId={liId} />
      </FormSection>
      <IndustrySections lesson={known} />
      <MedicalSection />
      <FormSection title="报名设置">
        <Registration />
      </FormSection>
      <FormSection title="报名范围与名额分配" hint="不设则全校可报名" isFolded={isBlank(initial, rangeNames)}>
        <Range lesson={known} />
      </FormSection>
      <FormSection title="签到设置" hint="不设则由签到负责人登记" isFolded={isBlank(initial, signNames, usual)}>
        <SignIn />
      </FormSection>
      <FormSection title="评价与奖项">
        <Evaluation lesson={known} />
      </FormSection>
      <FormSection title="公示与质疑" hint="不设则按学校规则" isFolded={isBlank(initial, noticeNames, usual)}>
        <Publicity />
      </FormSection>
      <FormSection title="附件" hint="策划书、通知与校外活动的安全预案" isFolded={isBlank(initial, paperNames)}>
        <Files lesson={known} />
      </FormSection>
      <FormSection title="流程预览" hint="按所选课程体系、级别与您的角色匹配，提交后依次审批。">
        <FlowPreview />
      </FormSection>
    </FormPage>
  )
}

const kindOf = (liScheme: string | undefined, isIndustry: boolean) =>
  (liScheme ? liScheme === 'industry' : isIndustry) ? '行业课程' : '课程'
