import { Input, Select } from 'antd'
import type { Output } from '../../../contract/core/call.ts'
import { modelLabels, type modelApi, type modelPreviewApi } from '../../../contract/rules/labels/model.calls.ts'
import { rimOf } from '../../../contract/outcomes/transcripts/radar.ts'
import { NumberInput } from '../../core/parts/number-input.tsx'
import { RowEditor, type EditColumn } from '../../core/parts/row-editor.tsx'
import type { ModelRow } from './model-radar.tsx'

type Labels = Output<typeof modelApi.list>['labels']
type Scores = Output<typeof modelPreviewApi.preview>['scores']

interface ModelRowsProps {
  labels: Labels
  scores: Scores | undefined
  canEdit: boolean
  value?: ModelRow[]
  onChange?: (rows: ModelRow[]) => void
  id?: string
}

/** The labels of the model in the order of the radar: which, under what name, up to what score, in what colour. */
export function ModelRows({ labels, scores, canEdit, ...props }: ModelRowsProps) {
  const { value = [] } = props
  const chosen = new Set(value.map(({ sqlId }) => sqlId))
  const groups = [...new Set(labels.map(({ groupName }) => groupName))]
  const options = (own: string | undefined) =>
    groups
      .map((group) => ({
        label: group,
        options: labels
          .filter((one) => one.groupName === group && (one.sqlId === own || !chosen.has(one.sqlId)))
          .map((one) => ({ value: one.sqlId, label: one.sqlName })),
      }))
      .filter((group) => group.options.length > 0)
  const columns: EditColumn<ModelRow>[] = [
    {
      title: '标签',
      width: 128,
      cell: (row, set, at) => (
        <Select
          aria-label={`第 ${at + 1} 行标签`}
          disabled={!canEdit}
          showSearch={{ optionFilterProp: 'label' }}
          placeholder="请选择"
          value={row.sqlId ?? null}
          options={options(row.sqlId)}
          onChange={(sqlId: string) => set(rowFor(labels, scores, sqlId))}
        />
      ),
    },
    {
      title: '显示名称',
      cell: (row, set, at) => (
        <Input
          aria-label={`第 ${at + 1} 行显示名称`}
          disabled={!canEdit}
          maxLength={12}
          value={row.name ?? ''}
          onChange={(event) => set({ name: event.target.value })}
        />
      ),
    },
    {
      title: '满分',
      width: 80,
      cell: (row, set, at) => (
        <NumberInput
          aria-label={`第 ${at + 1} 行满分`}
          disabled={!canEdit}
          decimals={2}
          value={row.max ?? ''}
          onChange={(max) => set({ max })}
        />
      ),
    },
    {
      title: '颜色',
      width: 56,
      cell: (row, set, at) => (
        <input
          type="color"
          className="model-color"
          aria-label={`第 ${at + 1} 行颜色`}
          disabled={!canEdit}
          value={row.color || '#6b7a90'}
          onChange={(event) => set({ color: event.target.value })}
        />
      ),
    },
    {
      title: '平均 / 前 10%',
      width: 104,
      cell: (row) => <span className="figures model-means">{meansOf(scores, row.sqlId)}</span>,
    },
  ]
  return (
    <RowEditor
      {...props}
      columns={columns}
      addText="添加标签"
      max={modelLabels.max}
      canSort
      isFixed={!canEdit}
      blank={() => ({})}
      empty="还没有选择标签"
    />
  )
}

/** A row as a label begins with: its own name and colour, and a score that few of the school exceed. */
function rowFor(labels: Labels, scores: Scores | undefined, sqlId: string): ModelRow {
  const label = labels.find((one) => one.sqlId === sqlId)
  if (!label) return { sqlId }
  return {
    sqlId,
    name: label.sqlName.slice(0, 12),
    max: maxFitting(scores, sqlId) ?? label.fullScore,
    color: label.sqlColor,
  }
}

/** A round score that nine of ten students do not exceed; nothing where nobody has any. */
export function maxFitting(scores: Scores | undefined, sqlId: string | undefined): string | undefined {
  const high = scores?.find((one) => one.sqlId === sqlId)?.high ?? '0'
  return Number(high) > 0 ? String(rimOf([high])) : undefined
}

/** Labels to begin with: those in which the school has most, in the order of the school. */
export function suggested(labels: Labels, scores: Scores | undefined, count: number): ModelRow[] {
  const mean = (sqlId: string) => Number(scores?.find((one) => one.sqlId === sqlId)?.avgSchool ?? 0)
  const best = new Set(
    labels
      .toSorted((a, b) => mean(b.sqlId) - mean(a.sqlId))
      .slice(0, count)
      .map(({ sqlId }) => sqlId),
  )
  return labels.filter(({ sqlId }) => best.has(sqlId)).map(({ sqlId }) => rowFor(labels, scores, sqlId))
}

const meansOf = (scores: Scores | undefined, sqlId: string | undefined): string => {
  const of = scores?.find((one) => one.sqlId === sqlId)
  return of ? `${of.avgSchool ?? '—'} / ${of.high ?? '—'}` : '—'
}
