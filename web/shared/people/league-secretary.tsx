import { Alert, Form } from 'antd'
import { isInSchool } from '../../../contract/core/codes/in-school.ts'
import { yesNo } from '../../../contract/core/codes/platform.ts'
import { studentApi } from '../../../contract/school/people/students.calls.ts'
import { memberApi } from '../../../contract/school/roles/members.calls.ts'
import { roleApi } from '../../../contract/school/roles/roles.calls.ts'
import { RemoteSelectField, SwitchField } from '../../core/form/fields.tsx'
import { DialogForm } from '../../core/form/dialog-form.tsx'
import { usePermission } from '../../core/service/rights.ts'
import { useCall } from '../../core/service/use-call.ts'
import './roles.css'

interface ClassWithSecretary {
  scClassId: string
  scClassName: string
  leagueSecretaryId: string | null
  leagueSecretaryName: string | null
}

/** The school's role of league secretaries, for somebody who may give it. */
export function useSecretaryRole(): { srId: string } | undefined {
  const isAllowed = usePermission()(memberApi.appointSecretary)
  const { data: roles = [] } = useCall(roleApi.options, {}, { enabled: isAllowed, staleTime: 300_000 })
  return isAllowed ? roles.find(({ srCode }) => srCode === 'LEAGUE_SEC') : undefined
}

/**
 * Chooses a student of a class as its league secretary. Where there is one, they are shown, and replacing them must be
 * wanted.
 */
export function SecretaryDialog({
  row,
  srId,
  onClose,
}: {
  row: ClassWithSecretary
  srId: string
  onClose: () => void
}) {
  const { scClassId, scClassName, leagueSecretaryId, leagueSecretaryName } = row
  return (
    <DialogForm
      call={memberApi.appointSecretary}
      title={`设置团支书 · ${scClassName}`}
      initial={leagueSecretaryId ? { srId, replace: yesNo.no } : { srId }}
      submitText="设为团支书"
      doneText={leagueSecretaryName ? '团支书已更换' : '已设为团支书'}
      onClose={onClose}
    >
      {leagueSecretaryName && (
        <div className="area-hint">
          <Alert type="info" showIcon title={`现任团支书：${leagueSecretaryName}`} />
        </div>
      )}
      <RemoteSelectField
        name="suId"
        label="学生"
        placeholder="输入姓名或学号"
        help="只能选择本班在读或延期的学生；设置后立即获得该班级的团支书权限"
        call={studentApi.list}
        input={(word) => ({
          scClassId,
          current: 1,
          pageSize: 50,
          ...(word && { search: word }),
        })}
        options={({ records }) =>
          records
            .filter(({ suId, suiStatus }) => suId !== leagueSecretaryId && isInSchool(suiStatus))
            .map(({ suId, suiName, suiNumber }) => ({ value: suId, label: suiName, hint: suiNumber }))
        }
      />
      {leagueSecretaryName && <Replace name={leagueSecretaryName} />}
    </DialogForm>
  )
}

function Replace({ name }: { name: string }) {
  const isWanted = Form.useWatch<string | undefined>('replace', Form.useFormInstance()) === yesNo.yes
  return (
    <SwitchField
      name="replace"
      label={`由所选学生接替 ${name}`}
      onText="接替"
      offText="不接替"
      help={isWanted ? `${name} 将立即失去该班级的团支书权限` : '一个班级只有一名团支书，须打开后才能更换'}
    />
  )
}
