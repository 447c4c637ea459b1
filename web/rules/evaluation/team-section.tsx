import { Input } from 'antd'
import { AmountField, TextField } from '../../core/form/fields.tsx'
import { Field } from '../../core/form/form-field.tsx'
import { NumberInput } from '../../core/parts/number-input.tsx'
import { FormSection } from '../../core/form/form-page.tsx'
import { RowEditor, type EditColumn } from '../../core/parts/row-editor.tsx'

export type TeamRow = { size?: number | undefined; ratios?: string[] }

/** Shares within a team, by rank. */
export function Teams() {
  return (
    <FormSection title="团队分配" hint="团队成员按名次分得的比例；没有列出的人数，每名成员都按全额计。">
      <Field name="teamRules" label="">
        <TeamRows />
      </Field>
    </FormSection>
  )
}

function TeamRows(props: { value?: TeamRow[]; onChange?: (rows: TeamRow[]) => void; id?: string }) {
  const columns: EditColumn<TeamRow>[] = [
    {
      title: '团队人数',
      width: 160,
      cell: (row, set, at) => (
        <NumberInput
          aria-label={`第 ${at + 1} 行团队人数`}
          unit="人"
          maxLength={2}
          value={row.size ?? ''}
          onChange={(size) => set({ size: size ? Number(size) : undefined })}
        />
      ),
    },
    {
      title: '各名次的比例（从第 1 位起，用 / 分隔）',
      cell: (row, set, at) => (
        <Input
          aria-label={`第 ${at + 1} 行各名次的比例`}
          placeholder="如：0.6/0.3/0.2"
          maxLength={120}
          value={row.ratios?.join('/') ?? ''}
          onChange={({ target }) => set({ ratios: ratiosOf(target.value) })}
        />
      ),
    },
  ]
  return (
    <RowEditor
      {...props}
      columns={columns}
      addText="添加团队人数"
      max={19}
      blank={() => ({})}
      empty="不分配，每名成员都按全额计"
    />
  )
}

/** Full-width signs and commas are taken too; an end that is being typed stays. */
const ratiosOf = (text: string): string[] =>
  text.trim() === ''
    ? []
    : text
        .normalize('NFKC')
        .split(/[/、,，;；]/)
        .map((part) => part.trim())

/** What counts once, and how much in a school year. */
export function Limits() {
  return (
    <FormSection title="就高与上限" hint="入账时与学生已有的记录合并计算；课程体系设置的每学期上限与累计上限同时有效。">
      <TextField
        name="bestOnlyGroup"
        span={6}
        placeholder="不填则每次都计"
        help="填写同一组名的规则只计最高的一次，后得的更高时补差，如“英语等级考试”"
      />
      <AmountField
        name="yearCap"
        span={6}
        unit="学时"
        placeholder="不限"
        help="每名学生每学年在本体系按本规则最多计入的学时"
      />
    </FormSection>
  )
}
