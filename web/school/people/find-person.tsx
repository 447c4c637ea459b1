import { useState } from 'react'
import { Link } from 'react-router'
import type { Output } from '../../../contract/core/call.ts'
import { personType } from '../../../contract/core/codes/school.ts'
import { perDay, piiApi } from '../../../contract/school/people/pii.calls.ts'
import { Dialog } from '../../core/parts/dialog.tsx'
import { SelectField, TextField } from '../../core/form/fields.tsx'
import { FormScope } from '../../core/form/form-field.tsx'
import { ScopedForm } from '../../core/form/scoped-form.tsx'
import { useRecordForm } from '../../core/form/use-record-form.ts'
import { studentPaths, teacherPaths } from './people-paths.ts'

const ways = [
  { value: 'suiPhone', label: '手机号' },
  { value: 'suiIdCard', label: '证件号码' },
]
const initial = { by: 'suiPhone' }

/**
 * Finds a person by their whole phone number or papers. What is typed is in no address and no list, and that it was
 * done is on record.
 */
export function FindPersonDialog({ onClose }: { onClose: () => void }) {
  const [isOpen, setOpen] = useState(true)
  const [found, setFound] = useState<Output<typeof piiApi.find>>()
  const { form, isSending, submit, onValuesChange } = useRecordForm({ call: piiApi.find, initial, onDone: setFound })
  return (
    <Dialog
      open={isOpen}
      title="按号码查找人员"
      width={460}
      okText="查找"
      cancelText="关闭"
      confirmLoading={isSending}
      to={piiApi.find}
      onOk={() => void submit()}
      onCancel={() => setOpen(false)}
      afterClose={onClose}
    >
      <ScopedForm
        form={form}
        layout="vertical"
        initialValues={initial}
        onValuesChange={(changed) => (setFound(undefined), onValuesChange(changed))}
        validateTrigger="onBlur"
        className="form-grid dialog-form"
        scrollToFirstError={false}
      >
        <FormScope schema={piiApi.find.input}>
          <SelectField name="by" open options={ways} />
          <TextField
            name="value"
            placeholder="请输入完整的号码"
            help={`只查找号码完全相同的人员；每次查找都会记入操作日志，每天最多 ${perDay.find} 次`}
          />
        </FormScope>
      </ScopedForm>
      <div role="status">
        {found?.length === 0 && <p className="find-none">没有找到符合的人员，或该人员不在您的管理范围内。</p>}
        {found && found.length > 0 && (
          <ul className="find-list">
            {found.map(({ suId, suiName, suiNumber, suiType, collegeName, className }) => (
              <li key={suId}>
                <Link
                  to={(suiType === personType.student ? studentPaths : teacherPaths).detail(suId)}
                  onClick={() => setOpen(false)}
                >
                  {suiName}
                </Link>
                <span>{[suiNumber, collegeName, className].filter(Boolean).join(' · ')}</span>
              </li>
            ))}
          </ul>
        )}
      </div>
    </Dialog>
  )
}
