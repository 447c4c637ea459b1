import { Alert, Radio } from 'antd'
import { useRef, useState } from 'react'
import { download, send } from '../service/api.ts'
import { formerClass } from '../parts/former.ts'
import { LockButton } from '../parts/buttons.tsx'
import { ImportCards, ImportTable } from './import-rows.tsx'
import {
  countOf,
  verdictOrder,
  verdictWords,
  worstOf,
  type ImportBatch,
  type ImportJob,
  type ImportRow,
  type Verdict,
} from './import-types.ts'
import { ReadFailure } from '../screen/read-failure.tsx'
import { PaginationBar } from '../parts/pagination.tsx'
import { queryClient, useCall } from '../service/use-call.ts'
import { useIsPhone } from '../parts/use-width.ts'
import { figure } from '../service/figure.ts'

interface ImportCheckProps {
  job: ImportJob
  batch: ImportBatch
  /** Leave existing records as they are. */
  newOnly: boolean
  onNewOnly: (newOnly: boolean) => void
  onBatch: (batch: ImportBatch) => void
  onCommit: (newOnly: boolean) => Promise<unknown>
  onRematch: () => void
  onAgain: () => void
  onLeave: () => void
}

const pageSize = 20

/** The step after reading: what each row would do; what is wrong stands first and is mended or left out in place. */
export function ImportCheck({
  job: { api, kind },
  batch,
  newOnly,
  onNewOnly,
  onBatch,
  onCommit,
  onRematch,
  onAgain,
  onLeave,
}: ImportCheckProps) {
  const isPhone = useIsPhone()
  const [view, setView] = useState<Verdict | 'hint'>(() => worstOf(batch))
  const [current, setCurrent] = useState(1)
  const [saving, setSaving] = useState<ReadonlySet<string>>(new Set())
  const changing = useRef(new Map<number, Promise<ImportRow>>())
  const {
    data: page,
    isPending,
    isPlaceholderData,
    error,
    refetch,
  } = useCall(
    api.preview,
    { kind, ibId: batch.ibId, ...(view === 'hint' ? { hinted: '1' } : { verdict: view }), current, pageSize },
    { keepPrevious: true, staleTime: 0 },
  )

  /**
   * Changes one row and takes over what became of it; rows that repeated it are fetched anew. Changes of a row go one
   * after the other, each from what the one before made of it: the call takes the whole row, and would put back what
   * was mended a moment ago.
   */
  const change = async (
    row: ImportRow,
    cell: string,
    work: (now: ImportRow) => Promise<{ row: ImportRow; batch: ImportBatch }>,
  ) => {
    const mark = `${row.rowNo}:${cell}`
    const before = changing.current.get(row.rowNo) ?? Promise.resolve(row)
    const working = before.then(work)
    const after = working.then(
      (changed) => changed.row,
      () => before,
    )
    changing.current.set(row.rowNo, after)
    setSaving((now) => new Set([...now, mark]))
    try {
      const changed = await working
      onBatch(changed.batch)
      queryClient.setQueriesData<typeof page>(
        { queryKey: [api.preview.path] },
        (old) => old && { ...old, records: old.records.map((one) => (one.rowNo === row.rowNo ? changed.row : one)) },
      )
    } catch {
      // the reason has been told; the cell shows what it held
    } finally {
      if (changing.current.get(row.rowNo) === after) changing.current.delete(row.rowNo)
      setSaving((now) => new Set([...now].filter((one) => one !== mark)))
    }
  }
  const mend = (row: ImportRow, key: string, text: string) => {
    if (text === (row.cells[key] ?? '')) return
    void change(row, key, (now) =>
      send(
        api.editRow,
        { kind, ibId: batch.ibId, rowNo: row.rowNo, cells: { ...now.cells, [key]: text } },
        { blocks: false },
      ),
    )
  }
  const skip = (row: ImportRow) =>
    void change(row, '', () =>
      send(api.skipRow, { kind, ibId: batch.ibId, rowNo: row.rowNo, skip: row.verdict !== 'skip' }, { blocks: false }),
    )
  const choose = (next: Verdict | 'hint') => {
    setView(next)
    setCurrent(1)
    void queryClient.invalidateQueries({ queryKey: [api.preview.path] })
  }

  // that a verdict has no rows is said once that is known, and not of the former one's
  const isLoading = isPending || (isPlaceholderData && page?.records.length === 0)
  const rows = {
    rows: page?.records ?? [],
    columns: page?.columns ?? [],
    isLoading,
    empty: error ? (
      <ReadFailure reading={{ error, refetch }} />
    ) : isLoading ? (
      '正在载入…'
    ) : view === 'hint' ? (
      '没有需要核对的行'
    ) : (
      `没有${verdictWords[view]}的行`
    ),
    saving,
    onMend: mend,
    onSkip: skip,
  }
  const wrong = batch.failCount
  const written = batch.newCount + (newOnly ? 0 : batch.updateCount)
  return (
    <div className="import-stage">
      {batch.fault && <Alert type="warning" showIcon title={batch.fault} />}
      {batch.notes.length > 0 && <Alert type="info" showIcon title={batch.notes.join('；')} />}
      {batch.matched && (
        <p className="import-note">
          已按指定的列读取。
          <button type="button" className="row-act" onClick={onRematch}>
            重新匹配列
          </button>
        </p>
      )}
      <div className="views" role="group" aria-label="结论">
        {verdictOrder
          .filter((one) => one !== 'skip' || batch.skipCount > 0)
          .map((one) => (
            <button
              key={one}
              type="button"
              aria-pressed={one === view}
              disabled={countOf(batch, one) === 0 && one !== view}
              onClick={() => choose(one)}
            >
              {verdictWords[one]}
              <small>{figure(countOf(batch, one))}</small>
            </button>
          ))}
        {(batch.hintCount > 0 || view === 'hint') && (
          <button type="button" aria-pressed={view === 'hint'} onClick={() => choose('hint')}>
            待核对<small>{figure(batch.hintCount)}</small>
          </button>
        )}
        <span className="import-file" title={batch.fileName}>
          {batch.fileName}，共 {figure(batch.rowCount)} 行
        </span>
      </div>
      {(view === 'fault' || view === 'conflict') && countOf(batch, view) > 0 && (
        <p className="form-hint import-tip">点击单元格可直接修改，改好后自动重新检查；不需要的行可以跳过。</p>
      )}
      {view === 'hint' && (
        <p className="form-hint import-tip">这些行会照常导入，请核对是否有误；不需要的行可以跳过。</p>
      )}
      <div className={formerClass(isPlaceholderData)} aria-busy={isPlaceholderData}>
        {isPhone ? <ImportCards {...rows} /> : <ImportTable {...rows} />}
      </div>
      {(page?.total ?? 0) > pageSize && (
        <PaginationBar
          className="list-pages"
          current={current}
          pageSize={pageSize}
          total={page!.total}
          showSizeChanger={false}
          onChange={setCurrent}
        />
      )}
      {batch.updateCount > 0 && (
        <Radio.Group
          className="import-policy"
          value={newOnly}
          onChange={(event) => onNewOnly(event.target.value as boolean)}
          aria-label="已有的记录"
          options={[
            { value: false, label: '新增，并更新已有的记录' },
            { value: true, label: `只新增，${figure(batch.updateCount)} 条已有的记录保持原样` },
          ]}
        />
      )}
      <div className="form-foot import-foot">
        <LockButton onClick={onLeave}>退出</LockButton>
        <LockButton onClick={onAgain}>重新上传</LockButton>
        {batch.errorId && (
          <LockButton onClick={() => download(api.errors, { kind, errorId: batch.errorId }).catch(() => undefined)}>
            下载错误明细
          </LockButton>
        )}
        <LockButton
          type="primary"
          disabled={written === 0 || saving.size > 0}
          authority-type={api.commit.permit}
          onClick={() => onCommit(newOnly)}
        >
          {wrong > 0 ? `跳过 ${figure(wrong)} 行，导入 ${figure(written)} 行` : `导入 ${figure(written)} 行`}
        </LockButton>
      </div>
    </div>
  )
}
