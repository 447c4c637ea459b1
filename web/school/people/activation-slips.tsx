import { activationApi, maxSlips } from '../../../contract/school/session/activation.calls.ts'
import { studentApi } from '../../../contract/school/people/students.calls.ts'
import { yesNo } from '../../../contract/core/codes/platform.ts'
import type { Input } from '../../../contract/core/call.ts'
import { AreaField } from '../../core/form/fields.tsx'
import { DialogForm } from '../../core/form/dialog-form.tsx'
import { figure } from '../../core/service/figure.ts'
import { useCall } from '../../core/service/use-call.ts'

/** Printing the slips by which students activate their accounts: of those ticked, or of all that the filters find. */
export function ActivationSlipsDialog({
  filter,
  whose,
  onClose,
}: {
  filter: Record<string, unknown>
  /** `所选 3 名学生`. */
  whose: string
  onClose: () => void
}) {
  const isOfFilter = !('suIds' in filter)
  const { current: _, pageSize: __, ...filters } = filter
  const waiting = useCall(
    studentApi.list,
    { ...filters, activated: yesNo.no, pageSize: 1 } as Input<typeof studentApi.list>,
    { enabled: isOfFilter },
  )
  const total = waiting.data?.total
  return (
    <DialogForm
      title="打印账号激活单"
      call={activationApi.slips}
      input={({ reason }) => ({ ...filters, reason: reason as string })}
      submitText="生成并下载"
      doneText="激活单已下载，请打印后裁开发放"
      width={480}
      onClose={onClose}
    >
      <p className="dialog-warning">
        为{whose}中账号未激活的{isOfFilter && total !== undefined && ` ${figure(total)} 名`}
        生成激活码，每页 8
        张，学生扫码或输入学号与激活码后自己设置密码。激活码只在这一份文件中出现；之前打印的立即失效。
        {isOfFilter && total !== undefined && total > maxSlips && ` 一次最多 ${maxSlips} 名，请先按学院或班级筛选。`}
      </p>
      <AreaField name="reason" rows={3} placeholder="不少于 5 个字，写入操作日志" />
    </DialogForm>
  )
}
