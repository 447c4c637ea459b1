import { Segmented, Select } from 'antd'
import { useId, useState, type CSSProperties } from 'react'
import { quoted } from '../../../contract/core/quotes.ts'
import type { Output } from '../../../contract/core/call.ts'
import { flowType } from '../../../contract/core/codes/rules.ts'
import { trialApi } from '../../../contract/rules/workflow/trial.calls.ts'
import { clearing } from '../../core/parts/clear-icon.tsx'
import { EmptyState } from '../../core/parts/empty-state.tsx'
import { FilterPlace } from '../../core/list/filters.tsx'
import { formerClass } from '../../core/parts/former.ts'
import { PageHead } from '../../core/screen/page-head.tsx'
import { useAddress, withParams } from '../../core/screen/use-address.ts'
import { useCall } from '../../core/service/use-call.ts'
import { ReadSkeleton } from '../../core/screen/read-skeleton.tsx'
import { CellDrawer, kindWords, type CellKind } from './coverage-cell.tsx'
import './coverage.css'

type Coverage = Output<typeof trialApi.coverage>
type Row = Coverage['rows'][number]

const kinds: readonly CellKind[] = ['hole', 'overlap', 'partial', 'flow', 'default']
const signs: Record<CellKind, string> = { hole: '无', overlap: '重叠', partial: '部分', flow: '', default: '默认' }

/** The whole school as a map: which flow rules which system at which level, with holes and overlaps. */
export function CoveragePage() {
  const [query, change] = useAddress()
  const [chosen, choose] = useState<{ row: Row; level: string }>()
  const get = (name: string) => query.get(name) ?? undefined
  const set = (name: string, value: string | undefined) => change(withParams({ [name]: value }), { replace: true })
  const wfType = get('wfType') === flowType.supplement ? flowType.supplement : flowType.lesson
  const only = kinds.find((kind) => kind === get('kind'))
  const {
    data,
    isPlaceholderData: isFormer,
    ...reading
  } = useCall(trialApi.coverage, { wfType, srId: get('role'), lsId: get('module') }, { keepPrevious: true })
  const rows = data?.rows.filter(({ cells }) => !only || cells.some(({ kind }) => kind === only)) ?? []
  const [roleId, moduleId] = [useId(), useId()]
  return (
    <div className="page">
      <PageHead
        title="流程覆盖图"
        facts={data ? <span className={formerClass(isFormer)}>{factsOf(data)}</span> : '每一格是一类申请由哪个流程审批'}
      />
      <div className="card coverage">
        <div className="coverage-filters">
          <Segmented
            aria-label="流程类型"
            value={wfType}
            options={[
              { value: flowType.lesson, label: '课程流程' },
              { value: flowType.supplement, label: '补录流程' },
            ]}
            onChange={(next) =>
              change(() => new URLSearchParams(next === flowType.lesson ? {} : { wfType: next }), { replace: true })
            }
          />
          {wfType === flowType.lesson && (
            <FilterPlace label="发起人的角色" htmlFor={roleId}>
              <Select
                id={roleId}
                allowClear={clearing}
                placeholder="全部角色"
                value={get('role')}
                options={data?.roles.map(({ id, name }) => ({ value: id, label: name })) ?? []}
                onChange={(next: string | undefined) => set('role', next)}
              />
            </FilterPlace>
          )}
          <FilterPlace label="课程体系" htmlFor={moduleId}>
            <Select
              id={moduleId}
              allowClear={clearing}
              placeholder="全部模块"
              value={get('module')}
              options={data?.modules.map(({ id, name }) => ({ value: id, label: name })) ?? []}
              onChange={(next: string | undefined) => set('module', next)}
            />
          </FilterPlace>
          <div className="coverage-legend" role="group" aria-label="只看">
            {kinds.map((kind) => (
              <button
                key={kind}
                type="button"
                aria-pressed={only === kind}
                className={`legend legend-${kind}`}
                onClick={() => set('kind', only === kind ? undefined : kind)}
              >
                <i aria-hidden="true" />
                {kindWords[kind]}
                <b className={formerClass(isFormer)}>{data?.counts[kind] ?? 0}</b>
              </button>
            ))}
          </div>
        </div>
        {!data && <ReadSkeleton reading={reading} paragraph={{ rows: 10 }} className="coverage-bones" />}
        {data && rows.length === 0 && (
          <div className={formerClass(isFormer)}>
            <EmptyState text={only ? `没有${quoted(kindWords[only])}的范围` : '没有启用的课程体系或级别'} />
          </div>
        )}
        {data && rows.length > 0 && (
          <Matrix
            coverage={data}
            rows={rows}
            only={only}
            isFormer={isFormer}
            onChoose={(row, level) => choose({ row, level })}
          />
        )}
      </div>
      {chosen && data && (
        <CellDrawer
          key={`${chosen.row.lsId}${chosen.level}`}
          wfType={wfType}
          srId={get('role')}
          row={chosen.row}
          level={data.levels.find(({ id }) => id === chosen.level)!}
          onClose={() => choose(undefined)}
        />
      )}
    </div>
  )
}

function factsOf({ counts }: Coverage): string {
  const bad = [
    counts.hole && `${counts.hole} 格没有流程`,
    counts.partial && `${counts.partial} 格只覆盖一部分`,
    counts.overlap && `${counts.overlap} 格重叠`,
  ].filter(Boolean)
  return bad.length > 0 ? `${bad.join('，')}；点击任意一格查看原因` : '全部范围都有流程，且没有重叠'
}

interface MatrixProps {
  coverage: Coverage
  rows: readonly Row[]
  only: CellKind | undefined
  isFormer: boolean
  onChoose: (row: Row, level: string) => void
}

function Matrix({ coverage, rows, only, isFormer, onChoose }: MatrixProps) {
  const names = new Map(coverage.flows.map(({ wfId, wfName }) => [wfId, wfName]))
  const levelNames = new Map(coverage.levels.map(({ id, name }) => [id, name]))
  return (
    // it scrolls by itself where the window is narrow, so it must take the keyboard
    <div
      className={formerClass(isFormer, 'coverage-scroll')}
      tabIndex={0}
      role="region"
      aria-label="覆盖图"
      aria-busy={isFormer}
    >
      <table style={{ '--levels': coverage.levels.length } as CSSProperties}>
        <thead>
          <tr>
            <th scope="col">课程体系</th>
            {coverage.levels.map(({ id, name }) => (
              <th key={id} scope="col" title={name}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.lsId} className={row.depth === 1 ? 'is-module' : ''}>
              <th scope="row" title={row.lsName} style={{ paddingLeft: 12 + (row.depth - 1) * 18 }}>
                {row.lsName}
              </th>
              {row.cells.map(({ level, kind, wfIds }) => {
                const flows = wfIds.map((wfId) => names.get(wfId) ?? '').join('、')
                return (
                  <td key={level}>
                    <button
                      type="button"
                      className={`map-cell cell-${kind}${only && only !== kind ? ' is-faint' : ''}`}
                      title={[kindWords[kind], flows].filter(Boolean).join('：')}
                      onClick={() => onChoose(row, level)}
                    >
                      <span className="visually-hidden">{`${row.lsName}，${levelNames.get(level) ?? ''}，${kindWords[kind]}${flows && '，'}`}</span>
                      {signs[kind] && <b aria-hidden>{signs[kind]}</b>}
                      <span>{flows}</span>
                    </button>
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
