import DownloadOutlined from '@ant-design/icons/DownloadOutlined'
import PrinterOutlined from '@ant-design/icons/PrinterOutlined'
import { Button } from 'antd'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { transcriptApi } from '../../../contract/outcomes/transcripts/transcripts.calls.ts'
import { overCapApi } from '../../../contract/programme/credits/over-cap.calls.ts'
import type { PrintLang } from '../../../contract/outcomes/transcripts/words.ts'
import { ActionButton, LockButton } from '../../core/parts/buttons.tsx'
import { DateRangeFilter } from '../../core/list/date-filters.tsx'
import { FilterPlace } from '../../core/list/filters.tsx'
import { ListContext } from '../../core/list/list-context.ts'
import { PageHead } from '../../core/screen/page-head.tsx'
import { formerClass } from '../../core/parts/former.ts'
import { ReadFailurePage } from '../../core/screen/read-failure.tsx'
import { useChoice } from '../../core/screen/use-address.ts'
import { usePermission } from '../../core/service/rights.ts'
import { StatusChip } from '../../core/parts/status-chip.tsx'
import { useCall } from '../../core/service/use-call.ts'
import { useTabTitle } from '../../core/service/tab.ts'
import { useList, type List } from '../../core/list/use-list.ts'
import { Tabs } from '../../core/parts/tabs.tsx'
import { ReadSkeleton } from '../../core/screen/read-skeleton.tsx'
import { OverCap } from './over-cap.tsx'
import { IssueStand, LangSwitch, TermSelect } from './print-tools.tsx'
import { StudentDesk } from './student-desk.tsx'
import { TranscriptSheet } from './transcript-sheet.tsx'
import { exportTranscripts, useTranscript, type Period } from './use-transcript.ts'

/**
 * One student's transcript as it is printed, whole or for a period, in either language; behind it their records with
 * their calculation, which no paper shows.
 */
export function TranscriptDetailPage() {
  const [query] = useSearchParams()
  const suId = query.get('suId') ?? ''
  const may = usePermission()
  // the rows are read whole below; this list only keeps the period in the address
  const list = useList(transcriptApi.rows, { fixed: { suId }, enabled: false })
  const { startTime, endTime } = list.state.filters
  const period: Period = { ...(startTime && { startTime }), ...(endTime && { endTime }) }
  const [lang, setLang] = useChoice<PrintLang>('lang', ['zh', 'en'])
  const [view, setView] = useChoice('view', ['paper', 'desk'])
  const { transcript, isLoading, isFetching, isFormer, reading } = useTranscript(suId, period, lang)
  // for `OverCap`: asked for beside the transcript, not after it
  useCall(overCapApi.list, { suId }, { enabled: suId !== '' })
  const [ticked, setTicked] = useState<string[]>([])
  useTabTitle(transcript && `${transcript.header.student.suiName}的成绩单`)
  if (isLoading)
    return (
      <div className="page">
        <ReadSkeleton title paragraph={{ rows: 14 }} />
      </div>
    )
  if (!transcript)
    return (
      <ReadFailurePage
        head={<PageHead title="成绩单" tools={<LangSwitch lang={lang} onChange={setLang} />} />}
        reading={reading}
        noun="学生的成绩单"
        list="/transcript/transcriptList"
      />
    )
  const { student, summary, terms } = transcript.header
  const recIds = ticked.filter((recId) => transcript.rows.some((row) => row.recId === recId))
  const print = () =>
    exportTranscripts([suId], { ...period, lang, ...(recIds.length > 0 && { recIds }) }, () => setTicked([]))
  return (
    <div className="page transcript-page">
      <PageHead
        title={student.suiName}
        status={
          <span className={formerClass(isFormer)}>
            <StatusChip tone={summary.pass ? 'finished' : 'waiting'}>{summary.pass ? '达标' : '未达标'}</StatusChip>
          </span>
        }
        facts={[student.suiNumber, student.suiCollegeName, student.majorName, student.scClassName]
          .filter(Boolean)
          .join(' · ')}
        tools={
          <>
            {view === 'paper' && (
              <LockButton icon={<PrinterOutlined />} disabled={isFetching} onClick={() => window.print()}>
                打印
              </LockButton>
            )}
            {/* the records that are ticked are still those of the former period */}
            <ActionButton
              to={transcriptApi.export}
              icon={<DownloadOutlined />}
              disabled={isFormer}
              onClick={print}
              primary
            >
              {recIds.length > 0 ? `导出所选 ${recIds.length} 项` : lang === 'en' ? '导出英文 PDF' : '导出 PDF'}
            </ActionButton>
          </>
        }
      />
      <OverCap suId={suId} suiName={student.suiName} />
      <ListContext value={list as List<unknown>}>
        <form
          className="card filters transcript-period"
          role="search"
          aria-label="时间范围"
          onSubmit={(event) => event.preventDefault()}
        >
          <FilterPlace label="学期" htmlFor="transcript-term">
            <TermSelect
              id="transcript-term"
              terms={terms}
              period={period}
              onChange={({ startTime: from, endTime: to }) => list.setFilters({ startTime: from, endTime: to })}
            />
          </FilterPlace>
          <DateRangeFilter names={['startTime', 'endTime']} label="活动时间" />
          <div className="filter-buttons">
            <Button disabled={!list.hasFilters} onClick={list.reset}>
              重置
            </Button>
          </div>
          {list.hasFilters && <p>以下为所选时间内的部分，合计、星级与达标只按这部分计算；导出的 PDF 相同。</p>}
        </form>
      </ListContext>
      <div className="paper-bar">
        <Tabs
          activeKey={view}
          onChange={(key) => setView(key as typeof view)}
          items={[
            { key: 'paper', label: '成绩单' },
            { key: 'desk', label: '记录与进度' },
          ]}
        />
        {view === 'paper' && <LangSwitch lang={lang} onChange={setLang} />}
      </div>
      <div className={formerClass(isFormer)} aria-busy={isFormer}>
        {view === 'paper' && <IssueStand header={transcript.header} />}
        {view === 'paper' ? (
          <TranscriptSheet {...transcript} />
        ) : (
          <StudentDesk {...transcript} {...(may(transcriptApi.export) && { ticked: recIds, onTick: setTicked })} />
        )}
      </div>
    </div>
  )
}
