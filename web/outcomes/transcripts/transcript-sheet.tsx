import { QRCode } from 'antd'
import { Link } from 'react-router'
import { fileApi } from '../../../contract/platform/files/files.calls.ts'
import { piiApi } from '../../../contract/school/people/pii.calls.ts'
import { printNotes, studentPairs, summaryFigures } from '../../../contract/outcomes/transcripts/print-layout.ts'
import { printWords } from '../../../contract/outcomes/transcripts/words.ts'
import { StoredImage } from '../../core/parts/stored-file.tsx'
import { PrintModules, PrintRecords } from './print-tables.tsx'
import { Radar } from './radar.tsx'
import { verifyPath } from '../../shared/transcripts/transcript-paths.ts'
import type { TranscriptHeader, TranscriptRecord } from './use-transcript.ts'
import './transcripts.css'

/**
 * A transcript as it is printed (docs/rules.md R47): the sections, columns and words of the PDF, in its order and
 * language. What is not word for word an issue that stands says so, on screen and on every page that a browser prints
 * of it.
 */
export function TranscriptSheet({ header, rows }: { header: TranscriptHeader; rows: readonly TranscriptRecord[] }) {
  const { student, modules, ability, lang, verifyUrl, serial, issueStand } = header
  const words = printWords(lang)
  const isIssued = issueStand === 'current'
  return (
    <article
      className="card sheet paper"
      lang={lang === 'en' ? 'en' : 'zh-CN'}
      aria-label={`${student.suiName}的第二课堂成绩单`}
    >
      {!isIssued && (
        <p className="paper-mark" aria-hidden="true">
          {words.preview}
        </p>
      )}
      <header className="sheet-head">
        <div className="paper-badge">
          {header.badge && <StoredImage view={fileApi.view} id={header.badge} name="校徽" />}
        </div>
        <div>
          <p>{header.schName}</p>
          <h2>{words.title}</h2>
          <small>
            {words.serial}{' '}
            {isIssued ? (
              <Link to={verifyPath(serial)} target="_blank" title="打开核验页">
                {serial}
              </Link>
            ) : issueStand === 'changed' ? (
              words.stale
            ) : (
              words.unissued
            )}
          </small>
          {header.extract && <em>{words.part(header.extract)}</em>}
        </div>
        <div className="paper-code">
          {verifyUrl && (
            <>
              <QRCode
                aria-label={words.scan}
                value={verifyUrl}
                type="svg"
                size={84}
                bordered={false}
                errorLevel="M"
                color="#000000"
                bgColor="#ffffff"
              />
              <small>{words.scan}</small>
            </>
          )}
        </div>
      </header>
      <div className="paper-student">
        <dl className="sheet-student">
          {studentPairs(header).map(([name, text]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{text || <span className="nothing">—</span>}</dd>
            </div>
          ))}
        </dl>
        {student.suiPhoto && (
          <StoredImage view={piiApi.photo} id={student.suiPhoto} name={words.photo(student.suiName)} />
        )}
      </div>
      <dl className="sheet-summary">
        {summaryFigures(header).map(([name, value, note]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <b>{value}</b>
              <small>{note}</small>
            </dd>
          </div>
        ))}
      </dl>
      {modules.length > 0 && (
        <div className={ability.length >= 3 ? 'sheet-columns' : ''}>
          <section>
            <h3>{words.modules}</h3>
            <PrintModules modules={modules} lang={lang} />
          </section>
          {ability.length >= 3 && (
            <section>
              <h3>{words.ability}</h3>
              <Radar ability={ability} modelled={header.modelled} lang={lang} />
            </section>
          )}
        </div>
      )}
      <section>
        <h3>{words.records}</h3>
        <PrintRecords modules={modules} rows={rows} lang={lang} />
      </section>
      <section className="sheet-notes">
        <h3>{words.notes}</h3>
        <ol>
          {printNotes(header).map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ol>
      </section>
      <Seals lang={lang} />
      <footer className="paper-foot">
        {words.serial} {isIssued ? serial : words.preview}
      </footer>
    </article>
  )
}

/** The places for seals and signature; the seal itself is set only into what is issued. */
function Seals({ lang }: Pick<TranscriptHeader, 'lang'>) {
  const words = printWords(lang)
  const [year, month, day] = new Date()
    .toLocaleDateString('sv-SE', { timeZone: 'Asia/Shanghai' })
    .split('-')
    .map(Number)
  return (
    <section className="paper-seals" aria-label={lang === 'en' ? 'Seals' : '盖章处'}>
      <p>{words.collegeSeal}</p>
      <p>{words.schoolSeal}</p>
      <p className="paper-sign">
        {words.handler}
        <i />
      </p>
      <p>{words.printed(year!, month!, day!)}</p>
    </section>
  )
}
