import { Form } from 'antd'
import { lessonApi } from '../../../contract/programme/lessons/lessons.calls.ts'
import { awardApi } from '../../../contract/rules/awards/awards.calls.ts'
import { lessonForm } from '../../../contract/core/codes/programme.ts'
import { fileApi } from '../../../contract/platform/files/files.calls.ts'
import type { LessonDetail } from '../../../contract/programme/lessons/lessons.schema.ts'
import { AmountField, AreaField, NumberField, SelectField, SwitchField } from '../../core/form/fields.tsx'
import { FileField } from '../../core/form/file-fields.tsx'
import { formerClass } from '../../core/parts/former.ts'
import { useCall } from '../../core/service/use-call.ts'
import { AwardRows } from './award-rows.tsx'
import { durationOf } from './lesson-form.ts'
import { useRules } from '../../shared/school/rules.ts'
import { amountText } from '../../core/service/figure.ts'

/** What taking part is worth. */
export function Evaluation({ lesson }: { lesson: LessonDetail | undefined }) {
  const { data: templates = [] } = useCall(awardApi.select, {}, { staleTime: 300_000 })
  const atId = Form.useWatch<string | undefined>('atId')
  const choices = templates.map((one) => ({ value: one.atId, label: one.atName }))
  // a template that has been closed since stays with the course
  if (lesson?.atId && templates.length > 0 && !templates.some((one) => one.atId === lesson.atId))
    choices.push({ value: lesson.atId, label: `${lesson.atName}（已停用）` })
  const chosen = templates.find((one) => one.atId === atId)
  return (
    <>
      <AmountField name="liHours" span={6} unit="学时" help={<HoursHint />} placeholder="留空则按评价规则认定" />
      <Worth />
      <SelectField
        name="atId"
        span={6}
        options={choices}
        placeholder="不设奖项"
        help="获奖者在课程学时之上另加奖项的学时"
      />
      {chosen && (
        <div className="span-12 award-preview">
          <AwardRows rows={chosen.details} />
        </div>
      )}
      <AreaField
        name="workRequest"
        rows={2}
        placeholder="例如：一篇 500 字以上的心得，或作品照片"
        help="填写后，已录取的学生从活动开始起可在手机上提交成果，到提交结果为止；不填则不提交"
      />
    </>
  )
}

/** What the rule of the chosen module and level gives; the credit cannot be typed. */
function Worth() {
  const form = Form.useFormInstance()
  const lsId = Form.useWatch<string | undefined>('lsId', { form, preserve: true })
  const liLevel = Form.useWatch<string | undefined>('liLevel', { form, preserve: true })
  const isReady = Boolean(lsId && liLevel)
  const { data, isPlaceholderData: isFormer } = useCall(
    lessonApi.flowPreview,
    { lsId: lsId ?? '', liLevel: liLevel ?? '' },
    { enabled: isReady, keepPrevious: true },
  )
  const worth = data?.worth
  return (
    <Form.Item className="span-6" label="学分" extra={worth ? '由评价规则计算，不能填写' : '选择课程体系与级别后显示'}>
      <output className={formerClass(isReady && isFormer, 'figures', 'worth')}>
        {!isReady || data === undefined
          ? '—'
          : worth
            ? `${worth.credit} 学分${Number(worth.points) === 0 ? '' : ` · ${amountText(worth.points)} 积分`}`
            : '没有适用的评价规则，不计学分'}
      </output>
    </Form.Item>
  )
}

/** Checks the hours typed against how long the activity lasts. */
function HoursHint() {
  const rules = useRules()
  const form = Form.useFormInstance()
  const values = Form.useWatch(
    (all: Record<string, unknown>) => ({
      startTime: all['startTime'],
      endTime: all['endTime'],
      sessions: all['sessions'],
      liHours: all['liHours'],
    }),
    { form, preserve: true },
  ) as
    | { startTime?: string; endTime?: string; sessions?: { startTime?: string; endTime?: string }[]; liHours?: string }
    | undefined
  const duration = values && durationOf(values)
  const hours = Number(values?.liHours)
  if (duration && hours > duration)
    return <span className="hint-warning">多于活动时长 {duration} 小时，审批人会看到提示</span>
  return (
    <>
      {duration ? `活动共 ${duration} 小时；` : ''}
      {rules && `同一天最多认定 ${rules.hoursPerDay} 学时，`}学分随学时自动换算
    </>
  )
}

/** How long the result is shown before it counts, and who decides doubts. */
export function Publicity() {
  const rules = useRules()
  return (
    <>
      <NumberField
        name="publictyDays"
        label="公示期"
        span={6}
        unit="个工作日"
        {...(rules && {
          placeholder: `不填则为 ${rules.publictyDefault}`,
          help: `学校规定 ${rules.publictyMin} 至 ${rules.publictyMax} 个工作日`,
        })}
      />
      <SwitchField name="isQuestionedAudit" label="质疑由审批人处理" span={6} help="关闭后由负责人自行处理" />
    </>
  )
}

/** Plan and other papers. */
export function Files({ lesson }: { lesson: LessonDetail | undefined }) {
  const form = Form.useFormInstance()
  const liForm = Form.useWatch<string | undefined>('liForm', { form, preserve: true })
  const liScheme = Form.useWatch<string | undefined>('liScheme', { form, preserve: true })
  return (
    <>
      <FileField name="liPlan" files={fileApi} known={lesson?.liPlan ? [lesson.liPlan] : []} />
      <FileField
        name="liAttachments"
        label="其他附件"
        files={fileApi}
        max={20}
        known={lesson?.liAttachments}
        help="通知等，最多 20 个"
      />
      {liForm === lessonForm.offCampus && (
        <>
          <FileField
            name={['liExt', 'safetyPlanFile']}
            span={6}
            files={fileApi}
            known={lesson?.extFiles.filter(({ id }) => id === lesson.liExt['safetyPlanFile']) ?? []}
            help="校外活动请上传：人员、交通、应急联系与处置"
          />
          {liScheme !== 'industry' && (
            <SwitchField name={['liExt', 'insurance']} label="已购买意外险" span={6} help="校外活动须购买" />
          )}
        </>
      )}
    </>
  )
}
