import { Form } from 'antd'
import { useMemo } from 'react'
import type { Output } from '../../../contract/core/call.ts'
import { enableStatus } from '../../../contract/core/codes/platform.ts'
import { convertMode, rounding } from '../../../contract/core/codes/rules.ts'
import { transformationApi } from '../../../contract/rules/transformation/transformation.calls.ts'
import {
  AmountField,
  AreaField,
  DictionaryField,
  SelectField,
  SwitchField,
  TextField,
} from '../../core/form/fields.tsx'
import { DialogForm } from '../../core/form/dialog-form.tsx'
import { Field } from '../../core/form/form-field.tsx'
import { NumberInput } from '../../core/parts/number-input.tsx'
import { RowEditor, type EditColumn } from '../../core/parts/row-editor.tsx'
import { TreeField } from '../../core/form/tree-fields.tsx'
import { useCall } from '../../core/service/use-call.ts'
import { useCurriculumTree } from '../../shared/curriculum/curriculum-tree.ts'
import { useGrades } from '../../shared/organisation/places.tsx'
import { RulePreview } from './rule-preview.tsx'
import './transformation.css'

interface Props {
  /** The rule to edit, or to copy. */
  trId?: string
  copy?: boolean
  onClose: () => void
}

type Segment = { min?: string; value?: string }

/** The form of a rule, with what it would make of real students beneath. */
export function TransformationDialog({ trId, copy = false, onClose }: Props) {
  const record = useCall(transformationApi.query, { trId: trId ?? '' }, { enabled: trId !== undefined, staleTime: 0 })
  const initial = useMemo(() => initialOf(record.data, copy), [record.data, copy])
  const isEdit = trId !== undefined && !copy
  return (
    <DialogForm
      call={isEdit ? transformationApi.edit : transformationApi.add}
      title={isEdit ? '编辑转换规则' : copy ? '复制转换规则' : '新增转换规则'}
      width={860}
      isLoading={trId !== undefined && !record.data}
      initial={initial}
      onClose={onClose}
    >
      <TextField name="trName" span={8} />
      <SwitchField name="enable" span={4} onText="启用" offText="停用" />
      <AreaField name="trDesc" rows={1} />
      <DictionaryField name="fromType" type="convert_from" span={4} />
      <DictionaryField name="toType" type="convert_to" span={4} />
      <DictionaryField name="mode" type="convert_mode" span={4} open />
      <ConversionFields />
      <DictionaryField name="rounding" type="rounding" span={4} />
      <SelectField
        name="decimals"
        span={4}
        options={[0, 1, 2].map((n) => ({ value: String(n), label: n === 0 ? '整数' : `${n} 位小数` }))}
      />
      <AmountField name="cap" span={4} placeholder="不限" />
      <Scope />
      <RulePreview />
    </DialogForm>
  )
}

const ways: Record<string, { title: string; start: string; value: string; help: string }> = {
  [convertMode.bands]: {
    title: '分段比例',
    start: '从',
    value: '每 1 计',
    help: '每一段内的部分按该段的比例折算，各段相加；低于第一段起点的部分不计。',
  },
  [convertMode.lookup]: {
    title: '对照表',
    start: '达到',
    value: '计为',
    help: '取已达到的最高一行；一行都没有达到时为 0。',
  },
}

/** The ratio, or the rows of the chosen way. */
function ConversionFields() {
  const mode = Form.useWatch<string | undefined>('mode') ?? convertMode.linear
  const way = ways[mode]
  if (!way) return <AmountField name="ratio" span={4} help="来源每 1 计多少，如 0.05" />
  return (
    <Field name="segments" label={way.title} help={way.help} required>
      <Segments way={way} />
    </Field>
  )
}

function Segments({
  way,
  ...props
}: {
  way: { start: string; value: string }
  value?: Segment[]
  onChange?: (rows: Segment[]) => void
  id?: string
}) {
  const cell = (field: keyof Segment, title: string): EditColumn<Segment> => ({
    title,
    cell: (row, set, at) => (
      <NumberInput
        aria-label={`第 ${at + 1} 行${title}`}
        decimals={2}
        value={row[field] ?? ''}
        onChange={(value) => set({ [field]: value || undefined })}
      />
    ),
  })
  return (
    <RowEditor
      {...props}
      columns={[cell('min', way.start), cell('value', way.value)]}
      addText="添加一段"
      blank={() => ({})}
      empty="至少添加一段，起点逐行增大"
    />
  )
}

/** What counts and for whom. */
function Scope() {
  const { tree } = useCurriculumTree()
  const grades = useGrades()
  const { data: terms = [] } = useCall(transformationApi.terms, {}, { staleTime: 300_000 })
  return (
    <>
      <TreeField name="scopeLsIds" multiple tree={tree} placeholder="全部课程体系" help="选择上级即包含其下级" />
      <SelectField name="scopeGrades" span={6} multiple options={grades} placeholder="全部年级" />
      <SelectField
        name="effectTerm"
        span={6}
        options={terms.map(({ id, name }) => ({ value: id, label: name }))}
        placeholder="不限"
        help="只折算该学期起取得的记录"
      />
    </>
  )
}

const blank = { mode: convertMode.linear, rounding: rounding.nearest, decimals: '2', segments: [] }

function initialOf(record: Output<typeof transformationApi.query> | undefined, copy: boolean): Record<string, unknown> {
  if (!record) return blank
  const values = {
    ...record,
    decimals: String(record.decimals),
    ratio: record.ratio ?? undefined,
    cap: record.cap ?? undefined,
    effectTerm: record.effectTerm ?? undefined,
  }
  return copy
    ? {
        ...values,
        trId: undefined,
        version: undefined,
        trName: `${record.trName.slice(0, 44)}（副本）`,
        enable: enableStatus.disabled,
      }
    : values
}
