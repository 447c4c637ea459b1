import { Segmented, Select } from 'antd'
import type { PrintLang } from '../../../contract/outcomes/transcripts/words.ts'
import { clearing } from '../../core/parts/clear-icon.tsx'
import type { Period, TranscriptHeader } from './use-transcript.ts'

const langs: { value: PrintLang; label: string }[] = [
  { value: 'zh', label: '中文' },
  { value: 'en', label: 'English' },
]

/** The language a transcript is shown and printed in. */
export const LangSwitch = ({ lang, onChange }: { lang: PrintLang; onChange: (lang: PrintLang) => void }) => (
  <Segmented value={lang} options={langs} onChange={onChange} aria-label="成绩单语言" />
)

type Term = TranscriptHeader['terms'][number]

/** The days of a term as the stretch of time it is; none for the whole transcript. */
const periodOfTerm = (term: Term | undefined): Period =>
  term ? { startTime: `${term.tmStart} 00:00:00`, endTime: `${term.tmEnd} 23:59:59` } : {}

/** The term that a stretch of time is, if it is one. */
export const termOf = (terms: readonly Term[], { startTime, endTime }: Period): Term | undefined =>
  terms.find(({ tmStart, tmEnd }) => startTime?.slice(0, 10) === tmStart && endTime?.slice(0, 10) === tmEnd)

/** The term a transcript is narrowed to. */
export function TermSelect({
  id,
  terms,
  period,
  onChange,
}: {
  id?: string
  terms: readonly Term[]
  period: Period
  onChange: (period: Period) => void
}) {
  return (
    <Select
      {...(id ? { id } : { 'aria-label': '学期' })}
      value={termOf(terms, period)?.tmStart}
      allowClear={clearing}
      placeholder="全部学期"
      options={terms.map(({ tmName, tmStart }) => ({ value: tmStart, label: tmName }))}
      onChange={(tmStart: string | undefined) => onChange(periodOfTerm(terms.find((one) => one.tmStart === tmStart)))}
      popupMatchSelectWidth={false}
      className="term-select"
    />
  )
}

const issueStates = {
  current: '与签发件一致，编号和数字签名有效。',
  changed: '内容已变化，需重新签发：上次签发之后有新的记录或更正，导出 PDF 时签发新编号，原编号显示为已被取代。',
  none: '尚未签发：导出 PDF 时生成编号与数字签名。',
} as const

/** How what is shown stands to what was issued of it. */
export const IssueStand = ({ header: { issueStand, issueTime } }: { header: TranscriptHeader }) => (
  <p className={`paper-stand is-${issueStand}`} role="status">
    {issueStand === 'current' && issueTime ? `${issueTime.slice(0, 16)} 签发，` : ''}
    {issueStates[issueStand]}
  </p>
)
