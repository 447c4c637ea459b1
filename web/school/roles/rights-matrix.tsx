import LockOutlined from '@ant-design/icons/LockOutlined'
import { Button, Checkbox, Segmented, Tooltip } from 'antd'
import { useMemo, useState } from 'react'
import { roleApi } from '../../../contract/school/roles/roles.calls.ts'
import { EmptyState } from '../../core/parts/empty-state.tsx'
import { SearchBox } from '../../core/parts/search-box.tsx'
import { useCall } from '../../core/service/use-call.ts'
import { ReadSkeleton } from '../../core/screen/read-skeleton.tsx'
import { changesOf, lackOf, shownRights, type Right, type RightsPage, type RightsSelection } from './rights-view.ts'

interface Props {
  value?: readonly string[]
  onChange?: (permits: string[]) => void
  disabled?: boolean
  /** What the role started with; what differs from it is marked. */
  base?: readonly string[] | undefined
  /** What it started with is called: 已保存的内容, or the role it is copied from. */
  baseName?: string
  id?: string
}

/**
 * Every right by menu group and page: whether the page opens, and which of its buttons may be used. A right that
 * several pages share is one.
 */
export function RightsMatrix({ value = [], onChange, disabled = false, base, baseName = '已保存的内容', id }: Props) {
  const { data: tree } = useCall(roleApi.menuTree, {}, { staleTime: 600_000 })
  const [selection, setSelection] = useState<RightsSelection>({ word: '', show: disabled ? 'chosen' : 'all' })
  const held = useMemo(() => new Set(value), [value])
  const { added, removed } = useMemo(() => changesOf(new Set(base ?? value), held), [base, value, held])
  const changed = useMemo(() => new Set([...added, ...removed]), [added, removed])
  const all = useMemo(
    () => [
      ...new Map(
        (tree ?? []).flatMap(({ pages }) =>
          pages.flatMap(({ elements }) => elements.map((element) => [element.permit, element] as const)),
        ),
      ).values(),
    ],
    [tree],
  )
  const shown = useMemo(() => shownRights(tree ?? [], selection, held, changed), [tree, selection, held, changed])
  if (!tree) return <ReadSkeleton />
  const mine = new Set(all.filter((element) => !lackOf(element)).map(({ permit }) => permit))
  const set = (permits: readonly string[], isOn: boolean) => {
    const next = new Set(held)
    for (const permit of permits.filter((one) => mine.has(one)))
      if (isOn) next.add(permit)
      else next.delete(permit)
    onChange?.([...next])
  }
  const acts: Actions = { held, changed, disabled, onSet: set }
  const onPage = shown.flatMap(({ pages }) => pages.flatMap(permitsOf))
  return (
    <div className="rights" id={id}>
      <div className="rights-bar">
        <SearchBox
          className="rights-search"
          placeholder="按页面、按钮或操作查找权限"
          aria-label="查找权限"
          value={selection.word}
          onChange={({ target }) => setSelection({ ...selection, word: target.value })}
        />
        <Segmented<RightsSelection['show']>
          aria-label="显示哪些权限"
          value={selection.show}
          onChange={(show) => setSelection({ ...selection, show })}
          options={[
            { value: 'all', label: '全部' },
            { value: 'chosen', label: `已选 ${all.filter(({ permit }) => held.has(permit)).length}` },
            ...(disabled || !base ? [] : [{ value: 'changed' as const, label: `有变化 ${changed.size}` }]),
          ]}
        />
        {!disabled && (
          <span className="rights-all">
            <Button size="small" onClick={() => set(onPage, true)}>
              全选
            </Button>
            <Button size="small" onClick={() => set(onPage, false)}>
              清空
            </Button>
          </span>
        )}
      </div>
      {!disabled && base && (
        <p className="rights-facts" role="status">
          {changed.size === 0
            ? `与${baseName}相同`
            : `与${baseName}相比：新增 ${added.length} 项，移除 ${removed.length} 项`}
        </p>
      )}
      {shown.length === 0 && (
        <EmptyState
          text="没有符合条件的权限"
          next={
            <button type="button" className="plain-button" onClick={() => setSelection({ word: '', show: 'all' })}>
              显示全部权限
            </button>
          }
        />
      )}
      {shown.map(({ title, pages }) => (
        <section key={title} className="rights-group" aria-label={title}>
          <GroupCheck label={title} permits={pages.flatMap(permitsOf)} mine={mine} {...acts} />
          {pages.map((page) => (
            <PageRow key={page.path || page.title} page={page} whole={pageOf(tree, page)} {...acts} />
          ))}
        </section>
      ))}
    </div>
  )
}

const permitsOf = ({ elements }: RightsPage) => elements.map(({ permit }) => permit)
/** The page as it is without any search: what opens it need not be in sight. */
const pageOf = (tree: readonly { pages: RightsPage[] }[], page: RightsPage): RightsPage =>
  tree.flatMap(({ pages }) => pages).find(({ path, title }) => path === page.path && title === page.title) ?? page

interface Actions {
  held: ReadonlySet<string>
  changed: ReadonlySet<string>
  disabled: boolean
  onSet: (permits: readonly string[], isOn: boolean) => void
}

function GroupCheck({
  label,
  permits,
  mine,
  held,
  disabled,
  onSet,
}: Actions & { label: string; permits: readonly string[]; mine: ReadonlySet<string> }) {
  const count = permits.filter((permit) => held.has(permit)).length
  return (
    <div className="rights-title">
      <Checkbox
        checked={count === permits.length}
        indeterminate={count > 0 && count < permits.length}
        disabled={disabled || !permits.some((permit) => mine.has(permit))}
        onChange={({ target }) => onSet(permits, target.checked)}
      >
        {label}
      </Checkbox>
    </div>
  )
}

function PageRow({ page, whole, ...acts }: Actions & { page: RightsPage; whole: RightsPage }) {
  const open = whole.elements.find(({ opens }) => opens)
  const change = (permit: string, isOn: boolean) => {
    // a button is of no use on a page that does not open, and a page that does not open has no buttons
    if (isOn) return acts.onSet(open ? [open.permit, permit] : [permit], true)
    acts.onSet(permit === open?.permit ? permitsOf(whole) : [permit], false)
  }
  const opening = page.elements.find(({ opens }) => opens)
  return (
    <div className="rights-page">
      <div className="rights-name">{page.title}</div>
      <div className="rights-open">
        {opening && <RightCheck page={page.title} right={opening} label="打开" {...acts} onChange={change} />}
      </div>
      <div className="rights-buttons">
        {page.elements
          .filter((element) => element !== opening)
          .map((right) => (
            <RightCheck
              key={right.permit}
              page={page.title}
              right={right}
              label={right.name}
              {...acts}
              onChange={change}
            />
          ))}
      </div>
    </div>
  )
}

function RightCheck({
  page,
  right,
  label,
  held,
  changed,
  disabled,
  onChange,
}: Actions & { page: string; right: Right; label: string; onChange: (permit: string, isOn: boolean) => void }) {
  const { permit, acts } = right
  const lack = disabled ? undefined : lackOf(right)
  const mark = changed.has(permit) ? (held.has(permit) ? '新增' : '移除') : undefined
  return (
    <Tooltip
      title={
        <>
          {acts.join('、')}
          {lack && (
            <>
              <br />
              {lack}
            </>
          )}
        </>
      }
      mouseEnterDelay={0.4}
    >
      <Checkbox
        className={mark === '新增' ? 'right-added' : mark === '移除' ? 'right-removed' : ''}
        checked={held.has(permit)}
        disabled={disabled || lack !== undefined}
        onChange={({ target }) => onChange(permit, target.checked)}
        aria-label={`${page}：${label}${mark ? `（${mark}）` : ''}${lack ? `，${lack}` : ''}`}
      >
        {label}
        {lack && <LockOutlined className="right-lock" />}
        {mark && <small>{mark}</small>}
      </Checkbox>
    </Tooltip>
  )
}
