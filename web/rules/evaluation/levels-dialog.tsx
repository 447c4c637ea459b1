import { Input, Switch } from 'antd'
import { useMemo } from 'react'
import { enableStatus } from '../../../contract/core/codes/platform.ts'
import { evaluationApi } from '../../../contract/rules/evaluation/evaluation.calls.ts'
import { Field } from '../../core/form/form-field.tsx'
import { DialogForm } from '../../core/form/dialog-form.tsx'
import { NumberInput } from '../../core/parts/number-input.tsx'
import { RowEditor, type EditColumn } from '../../core/parts/row-editor.tsx'
import { useCall } from '../../core/service/use-call.ts'

type LevelRow = { llId?: string; llName?: string; llFactor?: string | undefined; enable?: string }

/** The school's course levels: order, names, factors and state, saved together. */
export function LevelsDialog({ onClose }: { onClose: () => void }) {
  const { data } = useCall(evaluationApi.levels, {}, { staleTime: 0 })
  const initial = useMemo(
    () => data && { version: data.version, levels: data.levels.map(({ usedBy: _, ...level }) => level) },
    [data],
  )
  const uses = useMemo(() => new Map(data?.levels.map(({ llId, usedBy }) => [llId, usedBy])), [data])
  return (
    <DialogForm
      call={evaluationApi.saveLevels}
      title="级别设置"
      width={720}
      isLoading={!data}
      initial={initial}
      onClose={onClose}
    >
      <Field
        name="levels"
        label=""
        help="积分乘以级别系数；停用的级别不能用于新课程，已有课程不受影响。已被使用的级别只能停用。"
      >
        <LevelRows uses={uses} />
      </Field>
    </DialogForm>
  )
}

function LevelRows({
  uses,
  ...props
}: {
  uses: ReadonlyMap<string, string>
  value?: LevelRow[]
  onChange?: (rows: LevelRow[]) => void
  id?: string
}) {
  const columns: EditColumn<LevelRow>[] = [
    {
      title: '级别名称',
      cell: (row, set, at) => (
        <Input
          aria-label={`第 ${at + 1} 行级别名称`}
          maxLength={20}
          value={row.llName ?? ''}
          onChange={({ target }) => set({ llName: target.value })}
        />
      ),
    },
    {
      title: '系数',
      width: 100,
      cell: (row, set, at) => (
        <NumberInput
          aria-label={`第 ${at + 1} 行系数`}
          decimals={2}
          value={row.llFactor ?? ''}
          onChange={(llFactor) => set({ llFactor: llFactor || undefined })}
        />
      ),
    },
    {
      title: '启用',
      width: 72,
      cell: (row, set, at) => (
        <Switch
          aria-label={`第 ${at + 1} 行启用`}
          checked={row.enable !== enableStatus.disabled}
          onChange={(isOn) => set({ enable: isOn ? enableStatus.enabled : enableStatus.disabled })}
        />
      ),
    },
    {
      title: '使用情况',
      width: 190,
      cell: ({ llId }) => <small>{(llId && uses.get(llId)?.trim()) || '未使用'}</small>,
    },
  ]
  return (
    <RowEditor
      {...props}
      columns={columns}
      addText="添加级别"
      canSort
      max={30}
      blank={() => ({ llFactor: '1', enable: enableStatus.enabled })}
    />
  )
}
