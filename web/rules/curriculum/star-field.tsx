import { Radio, Switch } from 'antd'
import { starUnit } from '../../../contract/core/codes/rules.ts'
import { starNames } from '../../../contract/rules/curriculum/star-rule.ts'
import { Field, type FieldProps } from '../../core/form/form-field.tsx'
import { NumberInput } from '../../core/parts/number-input.tsx'
import { OwnStatus } from '../../core/parts/row-editor.tsx'

interface Stars {
  unit: string
  steps: string[]
}

/** What a rule of its own begins with, in per cent. */
const atFirst = ['0', '50', '100', '150', '200']

/** What the stars of a module ask for: the usual steps, or the school's own in per cent or hours. */
export function StarField(props: FieldProps) {
  return (
    <Field {...props}>
      <StarControl />
    </Field>
  )
}

function StarControl({
  value,
  onChange,
  id,
}: {
  value?: Stars | null
  onChange?: (value: Stars | undefined) => void
  id?: string
}) {
  if (!value) {
    return (
      <div className="star-field" id={id} tabIndex={-1}>
        <Switch
          aria-label="另定星级标准"
          checked={false}
          onChange={() => onChange?.({ unit: starUnit.share, steps: [...atFirst] })}
        />{' '}
        <span className="star-usual">按学校信息中的星级设置</span>
      </div>
    )
  }
  const { unit, steps } = value
  const set = (at: number, step: string) => onChange?.({ unit, steps: steps.with(at, step) })
  return (
    <div className="star-field" id={id} tabIndex={-1}>
      <Switch aria-label="另定星级标准" checked onChange={() => onChange?.(undefined)} />
      <Radio.Group
        value={unit}
        onChange={(event) => onChange?.({ unit: event.target.value as string, steps })}
        options={[
          { value: starUnit.share, label: '占要求学时的比例' },
          { value: starUnit.hours, label: '学时数' },
        ]}
      />
      <div className="star-steps">
        <OwnStatus>
          {steps.map((step, at) => (
            <label key={starNames[at]}>
              <span>{starNames[at]}</span>
              <NumberInput
                aria-label={`${starNames[at]}标准`}
                decimals={2}
                unit={unit === starUnit.share ? '%' : '学时'}
                value={step}
                onChange={(text) => set(at, text)}
              />
            </label>
          ))}
        </OwnStatus>
      </div>
    </div>
  )
}
