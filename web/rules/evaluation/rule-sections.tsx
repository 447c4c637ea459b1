import { Button, Input, Select } from 'antd'
import { evaluationApi } from '../../../contract/rules/evaluation/evaluation.calls.ts'
import { DateField } from '../../core/form/date-fields.tsx'
import { useDictionary } from '../../core/parts/dictionary-text.tsx'
import { SwitchField } from '../../core/form/fields.tsx'
import { Field } from '../../core/form/form-field.tsx'
import { NumberInput } from '../../core/parts/number-input.tsx'
import { FormSection } from '../../core/form/form-page.tsx'
import { RowEditor, type EditColumn } from '../../core/parts/row-editor.tsx'
import { useCall } from '../../core/service/use-call.ts'

type ModeRow = { partakeMode?: string; factor?: string }
type AwardRow = { adName?: string; hours?: string; credit?: string; points?: string }
type AbilityRow = { sqlId?: string; weight?: number | string }
interface Control<R> {
  value?: R[]
  onChange?: (rows: R[]) => void
  id?: string
}

/** Factors by way of taking part. */
export function Modes() {
  return (
    <FormSection title="参与方式系数" hint="学时、学分与积分乘以系数（积分还乘级别系数）；未列出的参与方式按 1 计。">
      <Field name="modeRules" label="">
        <ModeRows />
      </Field>
    </FormSection>
  )
}

function ModeRows(props: Control<ModeRow>) {
  const modes = useDictionary('partake_mode')
  const taken = new Set(props.value?.map(({ partakeMode }) => partakeMode))
  const columns: EditColumn<ModeRow>[] = [
    {
      title: '参与方式',
      cell: (row, set, at) => (
        <Select
          aria-label={`第 ${at + 1} 行参与方式`}
          placeholder="请选择"
          options={modes.map((mode) => ({
            ...mode,
            disabled: mode.value !== row.partakeMode && taken.has(mode.value),
          }))}
          value={row.partakeMode}
          onChange={(partakeMode: string) => set({ partakeMode })}
        />
      ),
    },
    {
      title: '系数',
      width: 160,
      cell: (row, set, at) => (
        <NumberInput
          aria-label={`第 ${at + 1} 行系数`}
          decimals={2}
          placeholder="如 1.2"
          value={row.factor ?? ''}
          onChange={(factor) => set({ factor: factor || undefined })}
        />
      ),
    },
  ]
  return (
    <RowEditor
      {...props}
      columns={columns}
      addText="添加参与方式"
      blank={() => ({})}
      max={modes.length}
      empty="全部参与方式按 1 计"
    />
  )
}

/** What awards add. */
export function Awards() {
  return (
    <FormSection title="奖项加计" hint="获奖者在本级别数值之外加计；与奖励模板中同名的奖项，以此处为准。">
      <Field name="awardRules" label="">
        <AwardRows />
      </Field>
    </FormSection>
  )
}

function AwardRows(props: Control<AwardRow>) {
  const amount = (field: 'hours' | 'credit' | 'points', title: string): EditColumn<AwardRow> => ({
    title,
    width: 120,
    cell: (row, set, at) => (
      <NumberInput
        aria-label={`第 ${at + 1} 行${title}`}
        decimals={2}
        placeholder="0"
        value={row[field] ?? ''}
        onChange={(value) => set({ [field]: value || undefined })}
      />
    ),
  })
  const columns: EditColumn<AwardRow>[] = [
    {
      title: '奖项',
      cell: (row, set, at) => (
        <Input
          aria-label={`第 ${at + 1} 行奖项`}
          maxLength={30}
          placeholder="如：一等奖"
          value={row.adName ?? ''}
          onChange={(event) => set({ adName: event.target.value })}
        />
      ),
    },
    amount('hours', '学时'),
    amount('credit', '学分'),
    amount('points', '积分'),
  ]
  return <RowEditor {...props} columns={columns} addText="添加奖项" blank={() => ({})} empty="不加计" />
}

/** How the ability points are shared out: the weights make 100. */
export function Abilities() {
  return (
    <FormSection title="能力权重" hint="参与者所获学时按权重计入各能力；合计须为 100%，不设置则不计能力分。">
      <Field name="abilityRules" label="">
        <AbilityRows />
      </Field>
    </FormSection>
  )
}

function AbilityRows(props: Control<AbilityRow>) {
  const { data: abilities = [] } = useCall(evaluationApi.selectAbility, {}, { staleTime: 300_000 })
  const rows = props.value ?? []
  const sum = rows.reduce((total, { weight }) => total + Number(weight ?? 0), 0)
  const taken = new Set(rows.map(({ sqlId }) => sqlId))
  const groups = [...new Set(abilities.map(({ groupName }) => groupName))].map((groupName) => ({
    label: groupName,
    options: abilities
      .filter((one) => one.groupName === groupName)
      .map(({ sqlId, sqlName }) => ({ value: sqlId, label: sqlName })),
  }))
  const columns: EditColumn<AbilityRow>[] = [
    {
      title: '能力标签',
      cell: (row, set, at) => (
        <Select
          aria-label={`第 ${at + 1} 行能力标签`}
          placeholder="请选择"
          showSearch={{ optionFilterProp: 'label' }}
          options={groups.map((group) => ({
            ...group,
            options: group.options.map((option) => ({
              ...option,
              disabled: option.value !== row.sqlId && taken.has(option.value),
            })),
          }))}
          value={row.sqlId}
          onChange={(sqlId: string) => set({ sqlId })}
        />
      ),
    },
    {
      title: '权重',
      width: 160,
      cell: (row, set, at) => (
        <NumberInput
          aria-label={`第 ${at + 1} 行权重`}
          unit="%"
          maxLength={3}
          value={row.weight ?? ''}
          onChange={(weight) => set({ weight: weight ? Number(weight) : undefined })}
        />
      ),
    },
  ]
  const state = sum === 100 ? 'is-right' : 'is-wrong'
  return (
    <RowEditor
      {...props}
      columns={columns}

      addText="添加能力"
      max={30}
      blank={() => ({ ...(sum < 100 && { weight: 100 - sum }) })}
      empty="不计能力分"
      foot={
        rows.length > 0 && (
          <>
            {rows.length > 1 && (
              <Button size="small" type="link" onClick={() => props.onChange?.(evenly(rows))}>
                平均分配
              </Button>
            )}
            <span className={`weight-sum ${state}`} role="status">
              合计 {sum}%{sum === 100 ? '' : sum < 100 ? `，还差 ${100 - sum}%` : `，超出 ${sum - 100}%`}
            </span>
          </>
        )
      }
    />
  )
}

/** The same whole weight for all, the first ones one more until it makes 100. */
function evenly<R extends AbilityRow>(rows: readonly R[]): R[] {
  const base = Math.floor(100 / rows.length)
  const left = 100 - base * rows.length
  return rows.map((row, at) => ({ ...row, weight: base + (at < left ? 1 : 0) }))
}

/** When the rule holds. */
export function Validity({ isReadOnly = false }: { isReadOnly?: boolean }) {
  return (
    <FormSection title="生效">
      <DateField name="effectFrom" span={4} placeholder="今天" disabled={isReadOnly} />
      <DateField name="effectTo" span={4} placeholder="长期有效" disabled={isReadOnly} />
      <SwitchField name="enable" span={4} onText="启用" offText="停用" disabled={isReadOnly} />
    </FormSection>
  )
}
