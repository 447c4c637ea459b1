import { Segmented } from 'antd'
import { useMemo, useState } from 'react'
import { quoted } from '../../../contract/core/quotes.ts'
import { recordKindNames, type HeldRight, type MembershipRow } from '../../../contract/school/roles/access.schema.ts'
import { roleApi } from '../../../contract/school/roles/roles.calls.ts'
import { EmptyState } from '../../core/parts/empty-state.tsx'
import { SearchBox } from '../../core/parts/search-box.tsx'
import { useCall } from '../../core/service/use-call.ts'
import { shownRights, type RightsPage, type RightsSelection } from './rights-view.ts'
import { figure } from '../../core/service/figure.ts'
import { ReadSkeleton } from '../../core/screen/read-skeleton.tsx'

interface Props {
  rights: readonly HeldRight[]
  memberships: readonly MembershipRow[]
  /** A right is to be tried on a record. */
  onTry: (permit: string) => void
}

const none: ReadonlySet<string> = new Set()

/**
 * Every right by menu group: the roles that give it, what it covers, how many rows that shows, and the actions it
 * opens.
 */
export function AccessRights({ rights, memberships, onTry }: Props) {
  const { data: tree } = useCall(roleApi.menuTree, {}, { staleTime: 600_000 })
  const [selection, setSelection] = useState<RightsSelection>({ word: '', show: 'chosen' })
  const held = useMemo(() => new Map(rights.map((right) => [right.permit, right])), [rights])
  const names = useMemo(() => new Map(memberships.map(({ srId, srName }) => [srId, srName])), [memberships])
  const shown = useMemo(() => shownRights(tree ?? [], selection, new Set(held.keys()), none), [tree, selection, held])
  if (!tree) return <ReadSkeleton />
  return (
    <div className="access-rights">
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
            { value: 'chosen', label: `拥有的 ${rights.length}` },
            { value: 'all', label: '全部权限' },
          ]}
        />
      </div>
      {shown.length === 0 && (
        <EmptyState text={rights.length === 0 && selection.show === 'chosen' ? '没有任何权限' : '没有符合条件的权限'} />
      )}
      {shown.map(({ title, pages }) => (
        <section key={title} className="rights-group" aria-label={title}>
          <h3 className="rights-title">{title}</h3>
          <table className="access-table">
            <thead>
              <tr>
                <th>权限</th>
                <th>来自角色</th>
                <th>管理范围</th>
                <th className="figures">可见</th>
                <th>
                  <span className="visually-hidden">操作</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {pages.flatMap((page) =>
                page.elements.map((element) => (
                  <RightRow
                    key={`${page.title} ${element.permit}`}
                    page={page}
                    element={element}
                    right={held.get(element.permit)}
                    names={names}
                    onTry={onTry}
                  />
                )),
              )}
            </tbody>
          </table>
        </section>
      ))}
    </div>
  )
}

function RightRow({
  page,
  element: { permit, name, acts },
  right,
  names,
  onTry,
}: {
  page: RightsPage
  element: RightsPage['elements'][number]
  right: HeldRight | undefined
  names: ReadonlyMap<string, string>
  onTry: (permit: string) => void
}) {
  const count = right?.count ?? null
  return (
    <tr className={right ? '' : 'access-lacking'}>
      <td data-title="权限">
        <b>
          {page.title} · {name}
        </b>
        <small title={`${permit}：${acts.join('、')}`}>{acts.join('、')}</small>
      </td>
      <td data-title="来自角色">
        {right ? right.srIds.map((srId) => names.get(srId)).join('、') : <span className="nothing">没有</span>}
      </td>
      <td data-title="管理范围">
        <span title={right?.areaText}>{right?.areaText ?? '—'}</span>
      </td>
      <td data-title="可见" className="figures">
        {right?.rows && count !== null ? `${figure(count)} ${unitOf[right.rows]}${recordKindNames[right.rows]}` : '—'}
      </td>
      <td className="access-try">
        <button
          type="button"
          className="row-act"
          aria-label={`试试${quoted(`${page.title} · ${name}`)}`}
          onClick={() => onTry(permit)}
        >
          试试
        </button>
      </td>
    </tr>
  )
}

const unitOf = {
  student: '名',
  teacher: '名',
  class: '个',
  major: '个',
  college: '个',
  department: '个',
  lesson: '门',
} as const
