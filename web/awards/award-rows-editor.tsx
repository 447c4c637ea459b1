import { Checkbox, Input, Select } from 'antd'
import { useDict } from '../core/dict.tsx'
import { NumberInput } from '../core/number-input.tsx'
import { RowEditor, type EditColumn } from '../core/row-editor.tsx'

/** An award as it is typed: amounts are decimal text, what is empty is left out. */
export interface AwardRow {
  adId?: string
  adName?: string
  hours?: string
  credit?: string
  points?: string
  quotaType?: string
  quota?: number | string
  needProof?: string
}

/** The awards of a template in their order. */
export function AwardRowsEditor(props: { value?: AwardRow[]; onChange?: (rows: AwardRow[]) => void; id?: string }) {
  const quotaTypes = useDict('quota_type')
  const amount = (field: 'hours' | 'credit' | 'points', title: string, width: number): EditColumn<AwardRow> => ({
    title,
    width,
    cell: (row, set, at) => <NumberInput aria-label={`第 ${at + 1} 行${title}`} decimals={2} placeholder="0" value={row[field] ?? ''} onChange={(value) => set({ [field]: value || undefined })} />,
  })
  const columns: EditColumn<AwardRow>[] = [
    { title: '奖项名称', cell: (row, set, at) => <Input aria-label={`第 ${at + 1} 行奖项名称`} maxLength={30} placeholder="如：一等奖" value={row.adName ?? ''} onChange={(event) => set({ adName: event.target.value })} /> },
    amount('hours', '学时', 84),
    amount('credit', '学分', 84),
    amount('points', '积分', 84),
    { title: '名额', width: 116, cell: (row, set, at) => <Select aria-label={`第 ${at + 1} 行名额类型`} options={[...quotaTypes]} value={row.quotaType ?? '0'} onChange={(quotaType: string) => set({ quotaType, ...(quotaType === '0' && { quota: undefined }) })} /> },
    { title: '数量', width: 92, cell: (row, set, at) => <NumberInput aria-label={`第 ${at + 1} 行名额数量`} disabled={(row.quotaType ?? '0') === '0'} unit={row.quotaType === '2' ? '%' : '人'} value={row.quota ?? ''} onChange={(quota) => set({ quota: quota || undefined })} /> },
    { title: '需证明', width: 64, cell: (row, set, at) => <Checkbox aria-label={`第 ${at + 1} 行需要证明`} checked={row.needProof === '1'} onChange={(event) => set({ needProof: event.target.checked ? '1' : '0' })} /> },
  ]
  return <RowEditor {...props} columns={columns} addText="添加奖项" canSort blank={() => ({ quotaType: '0', needProof: '0' })} empty="还没有奖项，至少添加一个" />
}
