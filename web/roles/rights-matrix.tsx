import { Button, Checkbox, Skeleton, Tooltip } from 'antd'
import { useMemo } from 'react'
import { roleApi } from '../../contract/roles/roles.calls.ts'
import type { RightsTree } from '../../contract/roles/roles.schema.ts'
import { useCall } from '../core/use-call.ts'

interface Props {
  value?: readonly string[]
  onChange?: (permits: string[]) => void
  disabled?: boolean
  id?: string
}

type Page = RightsTree[number]['pages'][number]

/** Every right by menu group and page: whether the page opens, and which of its buttons may be used. A right that several pages share is one. */
export function RightsMatrix({ value = [], onChange, disabled = false, id }: Props) {
  const { data: tree } = useCall(roleApi.menuTree, {}, { fresh: 600_000 })
  const held = useMemo(() => new Set(value), [value])
  const all = useMemo(() => [...new Set((tree ?? []).flatMap(({ pages }) => pages.flatMap(permitsOf)))], [tree])
  if (!tree) return <Skeleton active />
  const set = (permits: readonly string[], isOn: boolean) => {
    const next = new Set(held)
    for (const permit of permits) if (isOn) next.add(permit)
    else next.delete(permit)
    onChange?.([...next])
  }
  return (
    <div className="rights" id={id}>
      <div className="rights-bar">
        <span>已选 <b>{all.filter((permit) => held.has(permit)).length}</b> / {all.length} 项权限</span>
        {!disabled && <span><Button size="small" onClick={() => set(all, true)}>全选</Button> <Button size="small" onClick={() => set(all, false)}>清空</Button></span>}
      </div>
      {tree.map(({ title, pages }) => (
        <section key={title} className="rights-group" aria-label={title}>
          <GroupCheck label={title} permits={pages.flatMap(permitsOf)} held={held} disabled={disabled} onSet={set} />
          {pages.map((page) => <PageRow key={page.path || page.title} page={page} held={held} disabled={disabled} onSet={set} />)}
        </section>
      ))}
    </div>
  )
}

const permitsOf = ({ elements }: Page) => elements.map(({ permit }) => permit)

interface Acts {
  held: ReadonlySet<string>
  disabled: boolean
  onSet: (permits: readonly string[], isOn: boolean) => void
}

function GroupCheck({ label, permits, held, disabled, onSet }: Acts & { label: string; permits: readonly string[] }) {
  const count = permits.filter((permit) => held.has(permit)).length
  return (
    <div className="rights-title">
      <Checkbox checked={count === permits.length} indeterminate={count > 0 && count < permits.length} disabled={disabled} onChange={({ target }) => onSet(permits, target.checked)}>{label}</Checkbox>
    </div>
  )
}

function PageRow({ page, held, disabled, onSet }: Acts & { page: Page }) {
  const open = page.elements.find(({ opens }) => opens)
  const buttons = page.elements.filter((element) => element !== open)
  const change = (permit: string, isOn: boolean) => {
    // a button is of no use on a page that does not open, and a page that does not open has no buttons
    if (isOn) return onSet(open ? [open.permit, permit] : [permit], true)
    onSet(permit === open?.permit ? permitsOf(page) : [permit], false)
  }
  const check = (permit: string, label: string, acts: readonly string[]) => (
    <Tooltip key={permit} title={acts.join('、')} mouseEnterDelay={0.4}>
      <Checkbox checked={held.has(permit)} disabled={disabled} onChange={({ target }) => change(permit, target.checked)} aria-label={`${page.title}：${label}`}>{label}</Checkbox>
    </Tooltip>
  )
  return (
    <div className="rights-page">
      <div className="rights-name">{page.title}</div>
      <div className="rights-open">{open && check(open.permit, '打开', open.acts)}</div>
      <div className="rights-buttons">{buttons.map(({ permit, name, acts }) => check(permit, name, acts))}</div>
    </div>
  )
}
