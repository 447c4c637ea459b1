import { Checkbox, Input, Select } from 'antd'
import { quoted } from '../../../contract/core/quotes.ts'
import { yesNo } from '../../../contract/core/codes/platform.ts'
import { awardTier, quotaType as quotaTypeCodes } from '../../../contract/core/codes/rules.ts'
import { useDictionary } from '../../core/parts/dictionary-text.tsx'
import { NumberInput } from '../../core/parts/number-input.tsx'
import { RowEditor, type EditColumn } from '../../core/parts/row-editor.tsx'

/** An award as it is typed: amounts are decimal text, what is empty is left out. */
export interface AwardRow {
  adId?: string
  adName?: string
  adLevel?: string
  hours?: string
  credit?: string
  points?: string
  abilityFactor?: string
  quotaType?: string
  quota?: number | string
  needProof?: string
}

interface AwardRowsEditorProps {
  /** How many hold each award, by its id. */
  given: ReadonlyMap<string, number>
  value?: AwardRow[]
  onChange?: (rows: AwardRow[]) => void
  id?: string
}

/** The awards of a template in their order; those that somebody holds stay. */
export function AwardRowsEditor({ given, ...props }: AwardRowsEditorProps) {
  const quotaTypes = useDictionary('quota_type')
  const tiers = useDictionary('award_tier')
  const amount = (
    field: 'hours' | 'credit' | 'points' | 'abilityFactor',
    title: string,
    width: number,
    placeholder = '0',
  ): EditColumn<AwardRow> => ({
    title,
    width,
    cell: (row, set, at) => (
      <NumberInput
        aria-label={`第 ${at + 1} 行${title}`}
        decimals={2}
        placeholder={placeholder}
        value={row[field] ?? ''}
        onChange={(value) => set({ [field]: value || undefined })}
      />
    ),
  })
  const columns: EditColumn<AwardRow>[] = [
    {
      title: '奖项名称',
      cell: (row, set, at) => (
        <Input
          aria-label={`第 ${at + 1} 行奖项名称`}
          maxLength={30}
          placeholder="如：一等奖"
          value={row.adName ?? ''}
          onChange={(event) => set({ adName: event.target.value })}
        />
      ),
    },
    {
      title: '等级',
      width: 116,
      cell: (row, set, at) => (
        <Select
          aria-label={`第 ${at + 1} 行等级`}
          options={[...tiers]}
          value={row.adLevel ?? awardTier.ungraded}
          onChange={(adLevel: string) => set({ adLevel })}
        />
      ),
    },
    amount('hours', '学时', 76),
    amount('credit', '学分', 76),
    amount('points', '积分', 76),
    amount('abilityFactor', '能力系数', 84, '1'),
    {
      title: '名额',
      width: 108,
      cell: (row, set, at) => (
        <Select
          aria-label={`第 ${at + 1} 行名额类型`}
          options={[...quotaTypes]}
          value={row.quotaType ?? quotaTypeCodes.unlimited}
          onChange={(quotaType: string) =>
            set({ quotaType, ...(quotaType === quotaTypeCodes.unlimited && { quota: undefined }) })
          }
        />
      ),
    },
    {
      title: '数量',
      width: 84,
      cell: (row, set, at) => (
        <NumberInput
          aria-label={`第 ${at + 1} 行名额数量`}
          disabled={(row.quotaType ?? quotaTypeCodes.unlimited) === quotaTypeCodes.unlimited}
          unit={row.quotaType === quotaTypeCodes.percent ? '%' : '人'}
          value={row.quota ?? ''}
          onChange={(quota) => set({ quota: quota || undefined })}
        />
      ),
    },
    {
      title: '需证明',
      width: 58,
      cell: (row, set, at) => (
        <Checkbox
          aria-label={`第 ${at + 1} 行需要证明`}
          checked={row.needProof === yesNo.yes}
          onChange={(event) => set({ needProof: event.target.checked ? yesNo.yes : yesNo.no })}
        />
      ),
    },
  ]
  return (
    <RowEditor
      {...props}
      columns={columns}
      addText="添加奖项"
      canSort
      mustStay={({ adId, adName }) =>
        adId && given.get(adId) ? `${quoted(adName)}已颁发给 ${given.get(adId)} 人，不能删除` : undefined
      }
      blank={() => ({ quotaType: quotaTypeCodes.unlimited, needProof: yesNo.no, adLevel: awardTier.ungraded })}
      empty="还没有奖项，至少添加一个"
    />
  )
}
