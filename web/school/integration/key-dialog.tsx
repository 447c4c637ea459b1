import { Alert, Form } from 'antd'
import { dataScope } from '../../../contract/core/codes/school.ts'
import { keyRates, serviceKeyApi } from '../../../contract/school/integration/keys.calls.ts'
import { DateField } from '../../core/form/date-fields.tsx'
import { DialogForm } from '../../core/form/dialog-form.tsx'
import { SelectField, TextField } from '../../core/form/fields.tsx'
import { TagsField } from '../../core/form/tags-field.tsx'
import { useCall } from '../../core/service/use-call.ts'
import { useColleges, useGrades } from '../../shared/organisation/places.tsx'

/** A new key: its role, area, addresses, rate and end. */
export function KeyDialog({ onAdded, onClose }: { onAdded: (key: string) => void; onClose: () => void }) {
  const { data: roles } = useCall(serviceKeyApi.roles, {}, { staleTime: 60_000 })
  return (
    <DialogForm
      call={serviceKeyApi.add}
      title="新增程序密钥"
      width={720}
      isLoading={!roles}
      doneText=""
      onClose={onClose}
      onDone={({ key }) => onAdded(key)}
    >
      <TextField name="keyName" span={6} placeholder="如：教务系统" help="操作日志中显示为“程序 名称”" />
      <SelectField
        name="srId"
        span={6}
        options={(roles ?? []).map(({ srId, srName }) => ({ value: srId, label: srName }))}
        help="只列出权限不超过本人的角色"
      />
      <Area roles={roles ?? []} />
      <TagsField
        name="networks"
        placeholder="输入地址后回车；不填表示不限"
        help="只接受来自这些地址或网段的请求，如 10.1.2.3、10.1.0.0/16"
      />
      <DateField name="endDate" span={6} />
      <SelectField name="perMinute" span={6} options={keyRates.map((value) => ({ value, label: `${value} 次` }))} />
    </DialogForm>
  )
}

/** Colleges and years, where the role's data scope takes any. */
function Area({ roles }: { roles: readonly { srId: string; dataScope: string }[] }) {
  const colleges = useColleges('role:grant')
  const grades = useGrades()
  const srId = Form.useWatch<string | undefined>('srId')
  const role = roles.find((one) => one.srId === srId)
  if (!role) return null
  if (role.dataScope === dataScope.self)
    return (
      <Alert className="span-12" type="warning" showIcon title="该角色只管理本人的记录，用作密钥时查不到任何数据。" />
    )
  return (
    <>
      <SelectField
        name="scIds"
        multiple
        span={6}
        options={colleges}
        placeholder={role.dataScope === dataScope.school ? '不选表示全校' : '请选择'}
        help="密钥可见的学院"
      />
      <SelectField name="grades" multiple span={6} options={grades} placeholder="不限" />
    </>
  )
}
