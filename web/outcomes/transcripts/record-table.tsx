import DownOutlined from '@ant-design/icons/DownOutlined'
import { Checkbox, Segmented } from 'antd'
import { Fragment, useState } from 'react'
import { recordStatus } from '../../../contract/core/codes/outcomes.ts'
import { labelIn } from '../../../contract/core/codes/code-list.ts'
import { groupByModule, groupByTerm } from '../../../contract/outcomes/transcripts/groups.ts'
import { transcriptSources } from '../../../contract/outcomes/transcripts/transcripts.schema.ts'
import { DictionaryText } from '../../core/parts/dictionary-text.tsx'
import { useChoice } from '../../core/screen/use-address.ts'
import { StatusChip } from '../../core/parts/status-chip.tsx'
import type { TranscriptHeader, TranscriptRecord } from './use-transcript.ts'
import { amountText, figure } from '../../core/service/figure.ts'

interface RecordTableProps {
  header: Pick<TranscriptHeader, 'modules' | 'terms'>
  rows: readonly TranscriptRecord[]
  /** Records ticked for printing; left out where none can be. */
  ticked?: readonly string[] | undefined
  onTick?: ((recIds: string[]) => void) | undefined
}

/** Everything done, by module or term and date; each row tells on demand how its values came about. */
export function RecordTable({ header: { modules, terms }, rows, ticked = [], onTick }: RecordTableProps) {
  const [by, setBy] = useChoice('by', ['module', 'term'])
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set())
  const isAllOpen = rows.length > 0 && rows.every(({ recId }) => open.has(recId))
  const toggle = (recId: string) =>
    setOpen((now) => new Set(now.has(recId) ? [...now].filter((one) => one !== recId) : [...now, recId]))
  if (rows.length === 0) return <p className="sheet-none">暂无记录</p>
  const columns = onTick ? 12 : 11
  const tick = (recIds: readonly string[], isOn: boolean) =>
    onTick?.(isOn ? [...new Set([...ticked, ...recIds])] : ticked.filter((one) => !recIds.includes(one)))
  return (
    <>
      <div className="record-tools">
        <Segmented
          value={by}
          onChange={setBy}
          options={[
            { value: 'module', label: '按模块' },
            { value: 'term', label: '按学期' },
          ]}
          aria-label="分组方式"
        />
        {onTick && (
          <span>
            {ticked.length > 0 ? `已选 ${ticked.length} 项，导出时只打印所选记录` : '勾选记录可只打印所选部分'}
          </span>
        )}
      </div>
      <table className="sheet-table record-table">
        <thead>
          <tr>
            {onTick && (
              <th scope="col" className="record-tick">
                <Checkbox
                  aria-label="选择全部记录"
                  checked={ticked.length === rows.length}
                  indeterminate={ticked.length > 0 && ticked.length < rows.length}
                  onChange={({ target }) =>
                    tick(
                      rows.map(({ recId }) => recId),
                      target.checked,
                    )
                  }
                />
              </th>
            )}
            <th scope="col">名称</th>
            <th scope="col">级别</th>
            <th scope="col">参与方式</th>
            <th scope="col">奖项</th>
            <th scope="col">主办单位</th>
            <th scope="col">时间</th>
            <th scope="col" className="number">
              学时
            </th>
            <th scope="col" className="number">
              学分
            </th>
            <th scope="col" className="number">
              积分
            </th>
            <th scope="col">来源</th>
            <th scope="col" className="record-how">
              <button
                type="button"
                className="row-act"
                onClick={() => setOpen(isAllOpen ? new Set() : new Set(rows.map(({ recId }) => recId)))}
              >
                {isAllOpen ? '全部收起' : '全部展开'}
              </button>
            </th>
          </tr>
        </thead>
        {(by === 'term' ? groupByTerm(terms, rows) : groupByModule(modules, rows)).map((group) => (
          <tbody key={group.moduleId}>
            <tr className="record-group">
              <th colSpan={columns} scope="rowgroup">
                {group.name}
                <small>
                  {figure(group.count)} 项，{group.hours} 学时，{group.credit} 学分
                </small>
              </th>
            </tr>
            {group.rows.map((row) => (
              <Fragment key={row.recId}>
                <RecordRow
                  row={row}
                  isTicked={onTick && ticked.includes(row.recId)}
                  onTick={(isOn) => tick([row.recId], isOn)}
                  isOpen={open.has(row.recId)}
                  onToggle={() => toggle(row.recId)}
                />
                {open.has(row.recId) && (
                  <tr className="record-explain" id={`explain-${row.recId}`}>
                    <td colSpan={columns}>
                      <ul>
                        {(row.explain || '该记录没有计算说明。').split('；').map((line) => (
                          <li key={line}>{line}</li>
                        ))}
                      </ul>
                      <p>
                        归入 {row.moduleName}
                        {row.lsName !== row.moduleName && ` / ${row.lsName}`}，入账时间 {row.grantTime.slice(0, 16)}
                        {row.honesty !== '0' && `，附诚信积分 ${row.honesty}`}
                      </p>
                    </td>
                  </tr>
                )}
              </Fragment>
            ))}
          </tbody>
        ))}
      </table>
    </>
  )
}

function RecordRow({
  row,
  isTicked,
  onTick,
  isOpen,
  onToggle,
}: {
  row: TranscriptRecord
  isTicked: boolean | undefined
  onTick: (isOn: boolean) => void
  isOpen: boolean
  onToggle: () => void
}) {
  return (
    <tr className={row.status === recordStatus.reversed ? 'record-undone' : ''}>
      {isTicked !== undefined && (
        <td className="record-tick">
          <Checkbox
            aria-label={`选择${row.name}`}
            checked={isTicked}
            onChange={({ target }) => onTick(target.checked)}
          />
        </td>
      )}
      <th scope="row">{row.name}</th>
      <td data-label="级别">{row.levelName}</td>
      <td data-label="参与方式">
        <DictionaryText type="partake_mode" value={row.partakeMode} />
      </td>
      <td data-label="奖项" className="record-award">
        {row.awardName}
      </td>
      <td data-label="主办单位">{row.org}</td>
      <td data-label="时间" className="figures record-when">
        {row.startTime.slice(0, 10)}
      </td>
      <td data-label="学时" className="number">
        {amountText(row.hours)}
      </td>
      <td data-label="学分" className="number">
        {row.credit}
      </td>
      <td data-label="积分" className="number">
        {amountText(row.points)}
      </td>
      <td data-label="来源">
        {transcriptSources[row.source]}
        {row.status !== recordStatus.valid && (
          <>
            {' '}
            <StatusChip tone={row.status === recordStatus.disputed ? 'waiting' : 'refused'}>
              {labelIn(recordStatus, row.status)}
            </StatusChip>
          </>
        )}
      </td>
      <td className="record-how">
        <button
          type="button"
          className="row-act"
          aria-expanded={isOpen}
          aria-controls={`explain-${row.recId}`}
          aria-label={`${row.name}的计算说明`}
          onClick={onToggle}
        >
          计算
          <DownOutlined rotate={isOpen ? 180 : 0} />
        </button>
      </td>
    </tr>
  )
}
