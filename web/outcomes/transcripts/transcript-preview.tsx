import DownloadOutlined from '@ant-design/icons/DownloadOutlined'
import LeftOutlined from '@ant-design/icons/LeftOutlined'
import RightOutlined from '@ant-design/icons/RightOutlined'
import { Button, Drawer } from 'antd'
import { useNavigate } from 'react-router'
import { transcriptApi, type TranscriptStudentRow } from '../../../contract/outcomes/transcripts/transcripts.calls.ts'
import type { PrintLang } from '../../../contract/outcomes/transcripts/words.ts'
import { ActionButton } from '../../core/parts/buttons.tsx'
import { formerClass } from '../../core/parts/former.ts'
import { ReadFailure } from '../../core/screen/read-failure.tsx'
import { useIsPhone } from '../../core/parts/use-width.ts'
import { useAddress, useChoice, withParams } from '../../core/screen/use-address.ts'
import { ReadSkeleton } from '../../core/screen/read-skeleton.tsx'
import { IssueStand, LangSwitch, TermSelect } from './print-tools.tsx'
import { TranscriptSheet } from './transcript-sheet.tsx'
import { detailPath } from '../../shared/transcripts/transcript-paths.ts'
import { exportTranscripts, useTranscript, type Period } from './use-transcript.ts'

/** Where the address keeps the part of a transcript that is looked at. */
const periodNames = ['preview.startTime', 'preview.endTime'] as const

const periodParams = ({ startTime, endTime }: Period): Record<string, string | undefined> => ({
  [periodNames[0]]: startTime,
  [periodNames[1]]: endTime,
})

/** In which language, and which part. */
interface Choice {
  lang: PrintLang
  period: Period
}

interface PreviewProps {
  /** The rows of the page the student stands on: one steps through them. */
  rows: readonly TranscriptStudentRow[]
  /** The one who is looked at. */
  student: TranscriptStudentRow | undefined
  onClose: () => void
}

/** A student's transcript beside the list, with the way to the one before and after. */
export function TranscriptPreview({ rows, student, onClose }: PreviewProps) {
  const isPhone = useIsPhone()
  const navigate = useNavigate()
  const at = rows.findIndex((row) => row === student)
  const [query, change] = useAddress()
  const [lang, setLang] = useChoice<PrintLang>('preview.lang', ['zh', 'en'])
  const [startTime, endTime] = periodNames.map((name) => query.get(name) ?? undefined)
  const choice: Choice = { lang, period: { ...(startTime && { startTime }), ...(endTime && { endTime }) } }
  const setPeriod = (next: Period) => change(withParams(periodParams(next)), { replace: true })
  const step = (by: number) => {
    const next = rows[at + by]
    if (!next) return
    // terms differ from student to student
    change(withParams({ preview: next.suId, ...periodParams({}) }), { replace: true })
  }
  return (
    <Drawer
      open={student !== undefined}
      onClose={onClose}
      size={isPhone ? '100%' : 'min(1040px, 88vw)'}
      className="transcript-preview"
      title={
        student && (
          <>
            {student.suiName}
            <small>
              {student.suiNumber} · {student.className}
            </small>
          </>
        )
      }
      extra={
        <div className="preview-tools">
          <Button
            icon={<LeftOutlined />}
            aria-label="上一名"
            title="上一名"
            disabled={at <= 0}
            onClick={() => step(-1)}
          />
          <Button
            icon={<RightOutlined />}
            aria-label="下一名"
            title="下一名"
            disabled={at >= rows.length - 1}
            onClick={() => step(1)}
          />
          {student && !isPhone && <Button onClick={() => void navigate(detailPath(student.suId))}>打开详情</Button>}
          {student && (
            <PreviewExport key={student.suId} suId={student.suId} choice={choice}>
              {isPhone ? '导出' : '导出 PDF'}
            </PreviewExport>
          )}
        </div>
      }
    >
      {student && (
        <PreviewBody key={student.suId} suId={student.suId} choice={choice} onLang={setLang} onPeriod={setPeriod} />
      )}
    </Drawer>
  )
}

/** Exports what is shown, once it is what was chosen; it reads the answers that the sheet below reads too. */
function PreviewExport({
  suId,
  choice: { lang, period },
  children,
}: {
  suId: string
  choice: Choice
  children: string
}) {
  const { transcript, isFormer } = useTranscript(suId, period, lang)
  return (
    <ActionButton
      to={transcriptApi.export}
      primary
      icon={<DownloadOutlined />}
      disabled={isFormer || !transcript}
      onClick={() => exportTranscripts([suId], { ...period, lang })}
    >
      {children}
    </ActionButton>
  )
}

function PreviewBody({
  suId,
  choice: { lang, period },
  onLang,
  onPeriod,
}: {
  suId: string
  choice: Choice
  onLang: (lang: PrintLang) => void
  onPeriod: (period: Period) => void
}) {
  const { transcript, isLoading, isFormer, reading } = useTranscript(suId, period, lang)
  if (isLoading) return <ReadSkeleton title paragraph={{ rows: 12 }} />
  if (!transcript)
    return (
      <>
        <div className="paper-tools">
          <LangSwitch lang={lang} onChange={onLang} />
        </div>
        <ReadFailure reading={reading} noun="学生的成绩单" />
      </>
    )
  return (
    <>
      <div className="paper-tools">
        <LangSwitch lang={lang} onChange={onLang} />
        <TermSelect terms={transcript.header.terms} period={period} onChange={onPeriod} />
      </div>
      <div className={formerClass(isFormer)} aria-busy={isFormer}>
        <IssueStand header={transcript.header} />
        <TranscriptSheet {...transcript} />
      </div>
    </>
  )
}
