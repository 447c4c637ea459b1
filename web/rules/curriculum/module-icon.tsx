import AudioOutlined from '@ant-design/icons/AudioOutlined'
import BookOutlined from '@ant-design/icons/BookOutlined'
import BuildOutlined from '@ant-design/icons/BuildOutlined'
import BulbOutlined from '@ant-design/icons/BulbOutlined'
import CompassOutlined from '@ant-design/icons/CompassOutlined'
import CrownOutlined from '@ant-design/icons/CrownOutlined'
import ExperimentOutlined from '@ant-design/icons/ExperimentOutlined'
import FlagOutlined from '@ant-design/icons/FlagOutlined'
import GlobalOutlined from '@ant-design/icons/GlobalOutlined'
import HeartOutlined from '@ant-design/icons/HeartOutlined'
import IdcardOutlined from '@ant-design/icons/IdcardOutlined'
import SmileOutlined from '@ant-design/icons/SmileOutlined'
import StarOutlined from '@ant-design/icons/StarOutlined'
import TeamOutlined from '@ant-design/icons/TeamOutlined'
import ToolOutlined from '@ant-design/icons/ToolOutlined'
import TrophyOutlined from '@ant-design/icons/TrophyOutlined'
import type { ComponentType } from 'react'
import { useDictionary } from '../../core/parts/dictionary-text.tsx'
import { Field, type FieldProps } from '../../core/form/form-field.tsx'

/** The icons of `dictionary.curriculum_icon`. */
const icons: Record<string, ComponentType> = {
  flag: FlagOutlined,
  compass: CompassOutlined,
  heart: HeartOutlined,
  bulb: BulbOutlined,
  trophy: TrophyOutlined,
  idcard: IdcardOutlined,
  tool: ToolOutlined,
  build: BuildOutlined,
  book: BookOutlined,
  experiment: ExperimentOutlined,
  team: TeamOutlined,
  star: StarOutlined,
  smile: SmileOutlined,
  global: GlobalOutlined,
  crown: CrownOutlined,
  audio: AudioOutlined,
}

/** The sign of a node in its colour: its icon, or a dot where it has none; nothing where it has neither. */
export function NodeIcon({ icon, color }: { icon: string; color: string }) {
  const Icon = icons[icon]
  if (!Icon) return color ? <span className="color-dot" style={{ background: color }} aria-hidden="true" /> : null
  return (
    <span className="node-icon" style={color ? { color } : undefined} aria-hidden="true">
      <Icon />
    </span>
  )
}

/** One icon of all, or none. */
export function IconField(props: FieldProps) {
  return (
    <Field {...props}>
      <IconControl />
    </Field>
  )
}

function IconControl({
  value,
  onChange,
  id,
}: {
  value?: string | null
  onChange?: (value: string | undefined) => void
  id?: string
}) {
  const choices = useDictionary('curriculum_icon')
  return (
    <div className="icon-field" id={id} tabIndex={-1}>
      {choices.map((choice) => {
        const Icon = icons[choice.value]
        return (
          Icon && (
            <button
              key={choice.value}
              type="button"
              aria-label={choice.label}
              title={choice.label}
              aria-pressed={value === choice.value}
              onClick={() => onChange?.(value === choice.value ? undefined : choice.value)}
            >
              <Icon />
            </button>
          )
        )
      })}
    </div>
  )
}
