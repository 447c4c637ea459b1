import { groupByModule } from '../../../contract/outcomes/transcripts/groups.ts'
import { moduleColumns, recordColumns, type PrintColumn } from '../../../contract/outcomes/transcripts/print-layout.ts'
import type { TranscriptData, TranscriptRow } from '../../../contract/outcomes/transcripts/transcripts.schema.ts'
import { printName, printWords } from '../../../contract/outcomes/transcripts/words.ts'
import { Stars } from './stars.tsx'

/** The modules as the paper prints them. */
export function PrintModules({ modules, lang }: Pick<TranscriptData, 'modules' | 'lang'>) {
  const { before, stars, after } = moduleColumns(lang)
  return (
    <table className="sheet-table paper-table paper-modules">
      <thead>
        <tr>
          {before.map((column) => (
            <HeaderRow key={column.title} {...column} />
          ))}
          <HeaderRow title={stars} align="center" />
          <HeaderRow {...after} />
        </tr>
      </thead>
      <tbody>
        {modules.map((module) => (
          <tr key={module.lsId}>
            {before.map((column, at) => (
              <Cell key={column.title} column={column} row={module} isHead={at === 0} />
            ))}
            <td className="is-center" data-label={stars}>
              <Stars count={module.stars} />
            </td>
            <Cell column={after} row={module} />
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** The records as the paper prints them: its eight columns, by module and date. */
export function PrintRecords({
  modules,
  rows,
  lang,
}: Pick<TranscriptData, 'modules' | 'lang'> & { rows: readonly TranscriptRow[] }) {
  const words = printWords(lang)
  const columns = recordColumns(lang)
  if (rows.length === 0) return <p className="sheet-none">{words.none}</p>
  return (
    <table className="sheet-table paper-table paper-records">
      <thead>
        <tr>
          {columns.map((column) => (
            <HeaderRow key={column.title} {...column} />
          ))}
        </tr>
      </thead>
      {groupByModule(modules, rows).map(({ moduleId, name, count, hours, credit, rows: own }) => (
        <tbody key={moduleId}>
          <tr className="paper-group">
            <th colSpan={columns.length} scope="rowgroup">
              {words.group(printName(lang, name), count, hours, credit)}
            </th>
          </tr>
          {own.map((row) => (
            <tr key={row.recId}>
              {columns.map((column, at) => (
                <Cell key={column.title} column={column} row={row} isHead={at === 0} />
              ))}
            </tr>
          ))}
        </tbody>
      ))}
    </table>
  )
}

const HeaderRow = ({ title, align }: { title: string; align?: 'center' | undefined }) => (
  <th scope="col" className={align ? 'is-center' : ''}>
    {title}
  </th>
)

function Cell<R>({
  column: { title, align, cell },
  row,
  isHead = false,
}: {
  column: PrintColumn<R>
  row: R
  isHead?: boolean
}) {
  const text = cell(row)
  return isHead ? (
    <th scope="row">{text}</th>
  ) : (
    <td className={align ? 'is-center' : ''} data-label={title}>
      {text}
    </td>
  )
}
