import type { Input } from '../../../contract/core/call.ts'
import { schoolInfoApi } from '../../../contract/school/school/school-info.calls.ts'
import { settingText } from '../../../contract/school/school/setting-values.ts'
import { settingOf } from '../../../contract/school/school/settings.ts'
import { AreaField } from '../../core/form/fields.tsx'
import { DialogForm } from '../../core/form/dialog-form.tsx'
import { useSettingNames } from './setting-names.ts'

interface Props {
  version: number
  saved: Record<string, unknown>
  /** Wire values by key. */
  changes: Record<string, unknown>
  onClose: () => void
  onDone: () => void
}

/** What is about to change, old and new side by side, with room for a reason. */
export function RulesConfirm({ version, saved, changes, onClose, onDone }: Props) {
  const names = useSettingNames()
  const keys = Object.keys(changes)
  return (
    <DialogForm
      call={schoolInfoApi.saveSettings}
      title={`确认修改 ${keys.length} 项规则？`}
      width={640}
      input={({ reason }) =>
        ({ version, values: changes, ...(reason ? { reason } : {}) }) as Input<typeof schoolInfoApi.saveSettings>
      }
      submitText="确认修改"
      doneText="规则已保存，即时生效"
      onClose={onClose}
      onDone={onDone}
    >
      <div className="rules-changes span-12">
        <table>
          <thead>
            <tr>
              <th>规则</th>
              <th>原来</th>
              <th>改为</th>
            </tr>
          </thead>
          <tbody>
            {keys.map((key) => (
              <tr key={key}>
                <td>{settingOf(key)!.label}</td>
                <td>{settingText(key, saved[key], names)}</td>
                <td>{settingText(key, changes[key], names)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p className="school-note span-12">保存后立即用于全校；已开始的公示和已入账的学时不受影响。</p>
      <AreaField name="reason" rows={2} placeholder="如：依据校团委〔2026〕3 号文件" />
    </DialogForm>
  )
}
