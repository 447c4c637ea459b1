import { operatorApi, type Quota } from '../../../contract/school/runtime/schools.calls.ts'
import { DialogForm } from '../../core/form/dialog-form.tsx'
import { NumberField, TextField } from '../../core/form/fields.tsx'

/** What a school may use; an empty field bounds nothing. */
export function QuotaDialog({
  schoolId,
  schName,
  quota,
  onClose,
}: {
  schoolId: string
  schName: string
  quota: Quota
  onClose: () => void
}) {
  return (
    <DialogForm
      call={operatorApi.quota}
      title={`设置配额：${schName}`}
      width={720}
      initial={{ schoolId, ...quota }}
      onClose={onClose}
    >
      <p className="span-12 quota-hint">
        留空表示不限。用到 90% 时该校管理员和运维人员各收到一次站内消息；用完后新增会被拒绝，已有的不受影响。
      </p>
      <NumberField
        name="maxPeople"
        span={6}
        placeholder="不限"
        unit="个"
        help="启用中的账号，含学生与教师；导入时预检会提示还可新增多少"
      />
      <NumberField name="maxMegabytes" span={6} placeholder="不限" unit="MB" help="上传的材料、图片与附件" />
      <NumberField
        name="maxConcurrent"
        span={6}
        placeholder="不限"
        unit="个"
        help="每个进程；超出的排队，过多时请其稍后再试"
      />
      <NumberField name="maxPerMinute" span={6} placeholder="不限" unit="次" help="全校合计，含程序密钥" />
      <NumberField name="maxTasks" span={6} placeholder="不限" unit="项" help="批量操作与后台导出" />
      <NumberField
        name="maxMessages"
        span={6}
        placeholder="不限"
        unit="份"
        help="人工发送的消息，按接收人计；系统提醒不计"
      />
    </DialogForm>
  )
}

/** A new school and its first administrator. */
export function AddSchoolDialog({ onClose }: { onClose: () => void }) {
  return (
    <DialogForm
      call={operatorApi.add}
      title="新建学校"
      width={720}
      submitText="新建"
      doneText="学校已建立，请把账号和初始密码交给其管理员"
      onClose={onClose}
    >
      <TextField name="schName" span={6} />
      <TextField name="schoolId" span={6} help="登录和对接时使用，建立后不能更改" autoComplete="off" />
      <TextField name="adminName" span={6} />
      <TextField name="username" span={6} autoComplete="off" />
      <TextField name="password" span={6} help="首次登录须修改" autoComplete="new-password" />
    </DialogForm>
  )
}
