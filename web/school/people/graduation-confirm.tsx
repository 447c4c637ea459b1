import { Form, Radio } from 'antd'
import { quoted } from '../../../contract/core/quotes.ts'
import type { Output } from '../../../contract/core/call.ts'
import { graduateAllWord, graduationApi } from '../../../contract/outcomes/graduation/graduation.calls.ts'
import { LockButton } from '../../core/parts/buttons.tsx'
import { AreaField, TextField } from '../../core/form/fields.tsx'
import { FormScope } from '../../core/form/form-field.tsx'
import { ScopedForm } from '../../core/form/scoped-form.tsx'
import { useRecordForm, type Values } from '../../core/form/use-record-form.ts'
import type { GraduationPreview } from './graduation-wizard.tsx'
import { figure } from '../../core/service/figure.ts'

/**
 * What was decided so far in the last step. The confirming word is none of it: it is given to the numbers that stand
 * above it.
 */
export interface GraduationChoice {
  unmet: 'delay' | 'graduate'
  reason?: string
}

interface ConfirmProps {
  preview: GraduationPreview
  choice: GraduationChoice
  onChoice: (changed: Partial<GraduationChoice>) => void
  isCounting: boolean
  onBack: () => void
  /** Counts anew, where the preview no longer holds. */
  onAgain: () => void
  onDone: (answer: Output<typeof graduationApi.graduate>) => void
}

/** What becomes of those below the requirement, and the last word before the action. */
export function GraduationConfirm({
  preview: { previewToken, gradeList, total, met, unmet },
  choice,
  onChoice,
  isCounting,
  onBack,
  onAgain,
  onDone,
}: ConfirmProps) {
  const { form, submit, isSending, onValuesChange } = useRecordForm({
    call: graduationApi.graduate,
    input: ({ unmet: choice, confirmText, reason }) => ({
      gradeList,
      previewToken,
      unmet: choice as 'delay' | 'graduate',
      confirmText: confirmText as string,
      reason: reason as string,
    }),
    onDone,
  })
  const isAll = Form.useWatch('unmet', form) === 'graduate'
  const graduates = isAll ? total : met
  const changed = (values: Values) => {
    onValuesChange(values)
    if (!('confirmText' in values)) onChoice(values)
  }
  return (
    <ScopedForm
      form={form}
      layout="vertical"
      initialValues={{ ...choice, ...(unmet === 0 && { unmet: 'delay' }) }}
      onValuesChange={changed}
      validateTrigger="onBlur"
      className="graduation-confirm"
    >
      <FormScope schema={graduationApi.graduate.input}>
        {unmet > 0 && (
          <Form.Item name="unmet" label={`未达标的 ${figure(unmet)} 名学生`}>
            <Radio.Group
              className="graduation-choice"
              options={[
                {
                  value: 'delay',
                  label: (
                    <span>
                      转为延期<small>账号保留，补足学时后可再次办理毕业</small>
                    </span>
                  ),
                },
                {
                  value: 'graduate',
                  label: (
                    <span>
                      一并毕业<small>不论是否达标，须输入确认文字</small>
                    </span>
                  ),
                },
              ]}
            />
          </Form.Item>
        )}
        {isAll && unmet > 0 && (
          <TextField
            name="confirmText"
            placeholder={graduateAllWord}
            help={`请输入${quoted(graduateAllWord)}四个字`}
            required
          />
        )}
        <AreaField name="reason" rows={2} placeholder="选填，如：2026 届毕业生" />
        <p className="graduation-words">
          将为 {gradeList.map((grade) => `${grade}级`).join('、')} <b>{figure(graduates)}</b> 名学生办理毕业
          {total > graduates ? (
            <>
              ，<b>{figure(total - graduates)}</b> 名转为延期
            </>
          ) : (
            ''
          )}
          。毕业学生的账号立即转为只读：仍可登录查看记录、申请和下载成绩单，担任的角色不再有权限；成绩单永久保留；30
          天内可以整批撤销。
        </p>
        <div className="graduation-foot">
          <LockButton onClick={onBack}>上一步</LockButton>
          <LockButton loading={isCounting} onClick={onAgain}>
            重新预览
          </LockButton>
          <LockButton
            type="primary"
            danger
            loading={isSending}
            authority-type={graduationApi.graduate.permit}
            onClick={() => submit()}
          >
            办理毕业
          </LockButton>
        </div>
      </FormScope>
    </ScopedForm>
  )
}
