import UndoOutlined from '@ant-design/icons/UndoOutlined'
import { Button } from 'antd'
import { isDefault, settingText } from '../../../contract/school/school/setting-values.ts'
import { settingOf } from '../../../contract/school/school/settings.ts'
import { StatusChip } from '../../core/parts/status-chip.tsx'
import { SettingControl } from './setting-control.tsx'
import { wireOf } from './setting-draft.ts'

interface Props {
  name: string
  value: unknown
  /** As it is stored. */
  saved: unknown
  /** Words for the school's own levels and modules. */
  names: (id: string) => string
  fault: string | undefined
  isFixed: boolean
  onChange: (value: unknown) => void
}

/** One rule: what it does, its value with unit, its default and where that comes from, and the way back to it. */
export function SettingRow({ name, value, saved, names, fault, isFixed, onChange }: Props) {
  const setting = settingOf(name)!
  const { label, help, source, control } = setting
  const isOwn = !isDefault(name, wireOf(name, value))
  const isUnsaved = JSON.stringify(wireOf(name, value)) !== JSON.stringify(saved)
  return (
    <div className={`setting${control === 'rows' ? ' setting-wide' : ''}`} id={`setting-${name}`}>
      <div className="setting-words">
        <p className="setting-label" id={`label-${name}`}>
          {label}
          {isUnsaved ? (
            <StatusChip tone="waiting">未保存</StatusChip>
          ) : (
            isOwn && <StatusChip tone="published">已修改</StatusChip>
          )}
        </p>
        {help && <p className="setting-help">{help}</p>}
      </div>
      <div className="setting-value" role="group" aria-labelledby={`label-${name}`}>
        <SettingControl
          setting={setting}
          value={value}
          isFixed={isFixed}
          hasFault={fault !== undefined}
          onChange={onChange}
        />
        {fault && (
          <p className="setting-fault" role="alert">
            {fault}
          </p>
        )}
        <p className="setting-default">
          {control === 'rows' ? '' : `默认 ${settingText(name, setting.default, names)} · `}参考：{source}
          {isOwn && !isFixed && (
            <Button
              type="link"
              size="small"
              icon={<UndoOutlined />}
              aria-label={`${label}恢复默认`}
              onClick={() => onChange(setting.default)}
            >
              恢复默认
            </Button>
          )}
        </p>
      </div>
    </div>
  )
}
