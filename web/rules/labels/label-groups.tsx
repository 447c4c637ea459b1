import { enableStatus } from '../../../contract/core/codes/platform.ts'
import type { RowAction } from '../../core/action/action.tsx'
import { formerClass } from '../../core/parts/former.ts'
import { ColorDot } from '../../core/form/color-field.tsx'
import { RowActions } from '../../core/action/row-actions.tsx'
import { Sortable, type SortableRow } from '../../core/parts/sortable.tsx'
import { StatusChip } from '../../core/parts/status-chip.tsx'
import { figure } from '../../core/service/figure.ts'
import type { Label, LabelGroup } from './labels.page.tsx'

interface LabelGroupsProps {
  groups: readonly LabelGroup[]
  /** The groups are still those of former filters. */
  isFormer: boolean
  acts: readonly RowAction<Label>[]
  /** False while a filter hides neighbours, and for those who may only look. */
  canMove: boolean
  onMove: (label: Label, row: readonly Label[], to: number) => Promise<unknown>
  onEdit: ((label: Label) => void) | undefined
  onUses: (label: Label) => void
}

const idOf = ({ sqlId }: Label) => sqlId
const nameOf = ({ sqlName }: Label) => sqlName

/** Groups with their labels, both in an order that is changed by dragging. */
export function LabelGroups({ groups, isFormer, canMove, onMove, ...parts }: LabelGroupsProps) {
  return (
    <div className={formerClass(isFormer, 'label-groups')} aria-busy={isFormer}>
      <Sortable
        items={groups}
        keyOf={idOf}
        nameOf={({ sqlName }) => `分组${sqlName}`}
        disabled={!canMove}
        onMove={(from, to) => onMove(groups[from]!, groups, to)}
      >
        {(group, _, row) => (
          <Group key={group.sqlId} group={group} row={row} canMove={canMove} onMove={onMove} {...parts} />
        )}
      </Sortable>
    </div>
  )
}

function Group({
  group,
  row,
  acts,
  canMove,
  onMove,
  onEdit,
  onUses,
}: Omit<LabelGroupsProps, 'groups' | 'isFormer'> & { group: LabelGroup; row: SortableRow }) {
  return (
    <section
      ref={row.ref}
      className={`card label-group${row.isDragging ? ' is-dragging' : ''}`}
      aria-label={`分组：${group.sqlName}`}
    >
      <header>
        {row.handle}
        <h2>
          <ColorDot color={group.sqlColor} />
          {group.sqlName}
        </h2>
        {group.enable !== enableStatus.enabled && <StatusChip tone="draft">停用</StatusChip>}
        <small>
          {figure(group.children.length)} 个标签{group.sqlDesc && ` · ${group.sqlDesc}`}
        </small>
        <RowActions row={group as Label} actions={acts} nameOf={nameOf} open={1} />
      </header>
      {group.children.length === 0 && <p className="label-none">分组下还没有标签</p>}
      <ul>
        <Sortable
          items={group.children}
          keyOf={idOf}
          nameOf={nameOf}
          disabled={!canMove}
          onMove={(from, to) => onMove(group.children[from]!, group.children, to)}
        >
          {(label, __, own) => (
            <LabelRow key={label.sqlId} label={label} row={own} acts={acts} onEdit={onEdit} onUses={onUses} />
          )}
        </Sortable>
      </ul>
    </section>
  )
}

function LabelRow({
  label,
  row,
  acts,
  onEdit,
  onUses,
}: { label: Label; row: SortableRow } & Pick<LabelGroupsProps, 'acts' | 'onEdit' | 'onUses'>) {
  const { sqlName, sqlColor, sqlDesc, fullScore, levels, usedCount, inModel, enable } = label
  const describedLevels = levels.filter((text) => text !== '').length
  return (
    <li ref={row.ref} className={row.isDragging ? 'is-dragging' : ''}>
      {row.handle}
      <span className="label-name">
        <ColorDot color={sqlColor} />
        {onEdit ? (
          <button type="button" className="row-act" onClick={() => onEdit(label)}>
            {sqlName}
          </button>
        ) : (
          sqlName
        )}
      </span>
      <span className="label-desc" title={sqlDesc}>
        {sqlDesc || <span className="nothing">—</span>}
      </span>
      <span className="label-figures figures">满分 {fullScore}</span>
      <span className="label-figures">
        {describedLevels > 0 ? `${describedLevels} 级说明` : <span className="nothing">未设等级</span>}
      </span>
      <span className="label-used">
        {usedCount > 0 ? (
          <button type="button" className="row-act" onClick={() => onUses(label)}>
            {figure(usedCount)} 条评价规则
          </button>
        ) : (
          <span className="nothing">未被采用</span>
        )}
      </span>
      <span className="label-chips">
        {inModel && <StatusChip tone="published">素质模型</StatusChip>}
        {enable !== enableStatus.enabled && <StatusChip tone="draft">停用</StatusChip>}
      </span>
      <RowActions row={label} actions={acts} nameOf={nameOf} open={1} />
    </li>
  )
}
