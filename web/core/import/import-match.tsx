import { Alert, Select } from 'antd'
import { useState } from 'react'
import { quoted } from '../../../contract/core/quotes.ts'
import { LockButton } from '../parts/buttons.tsx'
import type { FileColumns, ImportBatch, ImportJob } from './import-types.ts'
import { useCall } from '../service/use-call.ts'

/** What the person has chosen for the columns of a file. */
export interface ColumnMatch {
  ibId: string
  /** The row of the heads; undefined leaves it to the service. */
  headNo: number | undefined
  /** The field's key by column, by the row of the heads they were chosen under. */
  chosen: ReadonlyMap<number, ReadonlyMap<number, string>>
}

interface ImportMatchProps {
  job: ImportJob
  batch: ImportBatch
  match: ColumnMatch
  onMatch: (match: ColumnMatch) => void
  onMatched: (match: { headNo: number; columns: { at: number; key: string }[] }) => Promise<unknown>
  onAgain: () => void
}

const ignore = ''

/**
 * The step for files that are not made from the template: which column means which field. Remembered for files with the
 * same heads.
 */
export function ImportMatch({ job: { api, kind }, batch, match, onMatch, onMatched, onAgain }: ImportMatchProps) {
  const { headNo } = match
  const { data } = useCall(
    api.columns,
    { kind, ibId: batch.ibId, ...(headNo ? { headNo } : {}) },
    { keepPrevious: true, staleTime: 0 },
  )
  const [isSending, setSending] = useState(false)
  if (!data) return <div className="import-stage" />
  // what the service suggests for these heads is what the person begins with
  const chosen = match.chosen.get(data.headNo) ?? new Map(data.columns.map(({ at, key }) => [at, key]))
  const used = new Set([...chosen.values()].filter(Boolean))
  const missing = data.fields.filter(({ key, required }) => required && !used.has(key))
  const choose = (at: number, key: string) => {
    const now = new Map(
      [...chosen].map(([other, before]) => [
        other,
        other === at ? key : before === key && key !== ignore ? ignore : before,
      ]),
    )
    onMatch({ ...match, chosen: new Map([...match.chosen, [data.headNo, now]]) })
  }
  const go = async () => {
    setSending(true)
    await onMatched({
      headNo: data.headNo,
      columns: [...chosen].flatMap(([at, key]) => (key === ignore ? [] : [{ at, key }])),
    })
    setSending(false)
  }
  return (
    <div className="import-stage">
      <p className="import-note">
        {quoted(batch.fileName)}
        的表头与模板不同，请指定各列的含义；不需要的列选“不导入”。下次上传表头相同的文件时自动沿用。
      </p>
      {batch.fault && <Alert type="warning" showIcon title={batch.fault} />}
      <p className="import-head-row">
        <label htmlFor="import-head-no">表头所在行</label>
        <Select
          id="import-head-no"
          value={data.headNo}
          options={data.headNos.map((no) => ({ value: no, label: `第 ${no} 行` }))}
          onChange={(no) => onMatch({ ...match, headNo: no })}
        />
      </p>
      <table className="import-match">
        <thead>
          <tr>
            <th scope="col">列</th>
            <th scope="col">表头</th>
            <th scope="col">内容示例</th>
            <th scope="col">对应字段</th>
          </tr>
        </thead>
        <tbody>
          {data.columns.map((column) => (
            <MatchRow
              key={column.at}
              column={column}
              fields={data.fields}
              value={chosen.get(column.at) ?? ignore}
              onChange={(key) => choose(column.at, key)}
            />
          ))}
        </tbody>
      </table>
      <div className="form-foot import-foot">
        {missing.length > 0 && (
          <span className="import-missing" role="status">
            还有必填字段没有对应的列：{missing.map(({ label }) => label).join('、')}
          </span>
        )}
        <LockButton onClick={onAgain}>重新上传</LockButton>
        <LockButton type="primary" loading={isSending} disabled={missing.length > 0} onClick={go}>
          开始检查
        </LockButton>
      </div>
    </div>
  )
}

interface MatchRowProps {
  column: FileColumns['columns'][number]
  fields: FileColumns['fields']
  value: string
  onChange: (key: string) => void
}

function MatchRow({ column: { letter, head, samples }, fields, value, onChange }: MatchRowProps) {
  const options = [
    { value: ignore, label: '不导入', hint: '' },
    ...fields.map(({ key, label, required, hint }) => ({ value: key, label: required ? `${label} *` : label, hint })),
  ]
  return (
    <tr>
      <td className="import-letter">{letter}</td>
      <th scope="row">{head || '（无表头）'}</th>
      <td className="import-samples">{samples.join('、') || '（空）'}</td>
      <td>
        <Select<string>
          aria-label={`${letter} 列${quoted(head)}对应字段`}
          value={value}
          options={options}
          onChange={onChange}
          showSearch={{ optionFilterProp: 'label' }}
          className={value === ignore ? 'import-ignored' : ''}
          popupMatchSelectWidth={false}
          optionRender={({ data }) => (
            <span className="import-field">
              {data.label}
              {data.hint && <small>{data.hint}</small>}
            </span>
          )}
        />
      </td>
    </tr>
  )
}
