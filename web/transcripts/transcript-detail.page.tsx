import DownloadOutlined from '@ant-design/icons/DownloadOutlined'
import EllipsisOutlined from '@ant-design/icons/EllipsisOutlined'
import PrinterOutlined from '@ant-design/icons/PrinterOutlined'
import { Button, Dropdown, Select, Skeleton } from 'antd'
import { useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { transcriptApi } from '../../contract/transcripts/transcripts.calls.ts'
import { clearing } from '../core/clearing.tsx'
import { ActButton, LockButton } from '../core/buttons.tsx'
import { DateRangeFilter } from '../core/date-filters.tsx'
import { EmptyState } from '../core/empty-state.tsx'
import { FilterPlace } from '../core/filters.tsx'
import { ListContext } from '../core/list-context.ts'
import { PageHead } from '../core/page-head.tsx'
import { useMay } from '../core/rights.ts'
import { StatusChip } from '../core/status-chip.tsx'
import { useTabTitle } from '../core/tab.ts'
import { useList, type List } from '../core/use-list.ts'
import { OverCap } from './over-cap.tsx'
import { TranscriptSheet } from './transcript-sheet.tsx'
import { exportTranscripts, useTranscript, type Period } from './use-transcript.ts'

/** One student's transcript as it is printed, whole or for a period. */
export function TranscriptDetailPage() {
  const [query] = useSearchParams()
  const suId = query.get('suId') ?? ''
  const may = useMay()
  // the rows are read whole below; this list only keeps the period in the address
  const list = useList(transcriptApi.rows, { fixed: { suId }, enabled: false })
  const { startTime, endTime } = list.state.filters
  const period: Period = { ...(startTime && { startTime }), ...(endTime && { endTime }) }
  const { transcript, isLoading, isFetching } = useTranscript(suId, period)
  const [ticked, setTicked] = useState<string[]>([])
  useTabTitle(transcript && `${transcript.header.student.suiName}的成绩单`)
  if (isLoading) return <div className="page"><Skeleton active title paragraph={{ rows: 14 }} /></div>
  if (!transcript) {
    return <div className="page"><div className="card"><EmptyState text="没有这名学生的成绩单" hint="学生不存在，或不在您的管理范围内。" next={<Link to="/transcript/transcriptList">返回成绩单查看</Link>} /></div></div>
  }
  const { student, summary, terms } = transcript.header
  const recIds = ticked.filter((recId) => transcript.rows.some((row) => row.recId === recId))
  const print = (lang: 'zh' | 'en') => exportTranscripts([suId], { ...period, lang, ...(recIds.length > 0 && { recIds }) }, () => setTicked([]))
  const term = terms.find(({ tmStart, tmEnd }) => startTime?.slice(0, 10) === tmStart && endTime?.slice(0, 10) === tmEnd)
  const chooseTerm = (tmStart: string | undefined) => {
    const chosen = terms.find((one) => one.tmStart === tmStart)
    list.setFilters({ startTime: chosen && `${chosen.tmStart} 00:00:00`, endTime: chosen && `${chosen.tmEnd} 23:59:59` })
  }
  return (
    <div className="page transcript-page">
      <PageHead
        title={student.suiName}
        status={<StatusChip tone={summary.pass ? 'finished' : 'waiting'}>{summary.pass ? '达标' : '未达标'}</StatusChip>}
        facts={[student.suiNumber, student.suiCollegeName, student.majorName, student.scClassName].filter(Boolean).join(' · ')}
        tools={
          <>
            <LockButton icon={<PrinterOutlined />} onClick={() => window.print()}>打印</LockButton>
            {may(transcriptApi.export) && <Dropdown trigger={['click']} menu={{ items: [{ key: 'en', label: '导出英文 PDF' }], onClick: () => void print('en') }}><Button icon={<EllipsisOutlined />} aria-label="更多导出方式" /></Dropdown>}
            <ActButton to={transcriptApi.export} icon={<DownloadOutlined />} onClick={() => print('zh')} primary>{recIds.length > 0 ? `导出所选 ${recIds.length} 项` : '导出 PDF'}</ActButton>
          </>
        }
      />
      <OverCap suId={suId} suiName={student.suiName} />
      <ListContext value={list as List<unknown>}>
        <form className="card filters transcript-period" role="search" aria-label="时间范围" onSubmit={(event) => event.preventDefault()}>
          <FilterPlace label="学期" htmlFor="transcript-term">
            <Select id="transcript-term" value={term?.tmStart} allowClear={clearing} placeholder="全部学期" options={terms.map(({ tmName, tmStart }) => ({ value: tmStart, label: tmName }))} onChange={chooseTerm} popupMatchSelectWidth={false} />
          </FilterPlace>
          <DateRangeFilter names={['startTime', 'endTime']} label="活动时间" />
          <div className="filter-buttons">
            <Button disabled={!list.hasFilters} onClick={list.reset}>重置</Button>
          </div>
          {list.hasFilters && <p>以下为所选时间内的部分，合计、星级与达标只按这部分计算；导出的 PDF 相同。</p>}
        </form>
      </ListContext>
      <div className={isFetching ? 'transcript-body is-fetching' : 'transcript-body'}><TranscriptSheet {...transcript} {...(may(transcriptApi.export) && { ticked: recIds, onTick: setTicked })} /></div>
    </div>
  )
}
