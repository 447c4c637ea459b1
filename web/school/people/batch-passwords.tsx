import { maxResets, passwordApi } from '../../../contract/school/people/passwords.calls.ts'
import { AreaField } from '../../core/form/fields.tsx'
import { figure } from '../../core/service/figure.ts'
import { DialogForm } from '../../core/form/dialog-form.tsx'

/** Resetting the passwords of several students: why, then the workbook to hand out, this once. */
export function BatchPasswordDialog({
  suIds,
  skipped,
  onClose,
}: {
  suIds: readonly string[]
  /** How many were chosen whose passwords the person may not reset: their right does not reach them. */
  skipped: number
  onClose: () => void
}) {
  return (
    <DialogForm
      title="批量重置密码"
      call={passwordApi.resetMany}
      input={({ reason }) => ({ suIds: [...suIds], reason: reason as string })}
      submitText="重置并下载"
      doneText="密码已重置，请妥善保管下载的文件"
      width={460}
      onClose={onClose}
    >
      <p className="dialog-warning">
        确认重置所选 {suIds.length}{' '}
        名学生的密码？原密码立即失效，已登录的设备将退出。一次性密码只在下载的表格中出现这一次，3
        天内有效，首次登录时须修改；表格发放后请删除。
        {suIds.length > maxResets && <> 一次最多 {maxResets} 名，请分批办理。</>}
      </p>
      {skipped > 0 && <p className="ask-skipped">另有 {figure(skipped)} 名不在您可重置密码的范围内，不处理。</p>}
      <AreaField name="reason" rows={3} placeholder="不少于 5 个字，写入操作日志" />
    </DialogForm>
  )
}
