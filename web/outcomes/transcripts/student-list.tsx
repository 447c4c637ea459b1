import ApartmentOutlined from '@ant-design/icons/ApartmentOutlined'
import DownloadOutlined from '@ant-design/icons/DownloadOutlined'
import PrinterOutlined from '@ant-design/icons/PrinterOutlined'
import { Button, Drawer } from 'antd'
import { useState } from 'react'
import { scoreExportApi } from '../../../contract/outcomes/transcripts/score-export.calls.ts'
import { transcriptBatchApi } from '../../../contract/outcomes/transcripts/batches.calls.ts'
import { transcriptApi, type TranscriptStudentRow } from '../../../contract/outcomes/transcripts/transcripts.calls.ts'
import { actionOn } from '../../core/action/action.tsx'
import { ActionButton } from '../../core/parts/buttons.tsx'
import type { Column } from '../../core/list/columns.tsx'
import { SelectFilter, TextFilter } from '../../core/list/filters.tsx'
import { ListTable } from '../../core/list/list-table.tsx'
import { usePreviewedRow } from '../../core/list/use-previewed-row.ts'
import { ListTotal } from '../../core/list/list-total.tsx'
import { StatusChip } from '../../core/parts/status-chip.tsx'
import { useList } from '../../core/list/use-list.ts'
import { useIsPhone } from '../../core/parts/use-width.ts'
import { BatchDialog, BatchDrawer, type BatchOptions } from './batch-print.tsx'
import { ListHeader } from './list-header.tsx'
import { flat, PlaceTree, usePlaces, type Place } from './place-tree.tsx'
import { ScoreExportDialog, type ScoreExport } from '../../shared/transcripts/score-export.tsx'
import { TranscriptPreview } from './transcript-preview.tsx'
import { detailPath } from '../../shared/transcripts/transcript-paths.ts'
import { exportTranscripts } from './use-transcript.ts'
import { amountText, figure } from '../../core/service/figure.ts'

const columns: Column<TranscriptStudentRow>[] = [
  { title: '姓名', dataIndex: 'suiName', width: 96, fixed: 'left', to: ({ suId }) => detailPath(suId) },
  { title: '学号', dataIndex: 'suiNumber', width: 120, sorter: true },
  {
    title: '学时',
    dataIndex: 'totalHours',
    width: 96,
    number: true,
    render: (hours: string, { requiredHours }) => (
      <>
        <b>{amountText(hours)}</b> / {amountText(requiredHours)}
      </>
    ),
  },
  { title: '学分', dataIndex: 'totalCredit', width: 68, number: true },
  {
    title: '达标',
    dataIndex: 'pass',
    width: 92,
    render: (pass: boolean) => <StatusChip tone={pass ? 'finished' : 'waiting'}>{pass ? '达标' : '未达标'}</StatusChip>,
  },
  { title: '班级', dataIndex: 'className', width: 156 },
  { title: '学院', dataIndex: 'collegeName' },
  { title: '专业', dataIndex: 'majorName', width: 168 },
  { title: '年级', dataIndex: 'suiGrade', width: 80, sorter: true },
  { title: '记录数', dataIndex: 'rowCount', width: 80, number: true, hiddenAtFirst: true },
]

const action = actionOn<TranscriptStudentRow>()
const look = action.link({ label: '查看', call: transcriptApi.header, href: ({ suId }) => detailPath(suId) })
const exportOne = action.open({
  label: '导出',
  call: transcriptApi.export,
  onOpen: ([row]) => void exportTranscripts([row!.suId]),
})

const exportTicked = action.open({
  label: '导出 PDF',
  call: transcriptApi.export,
  onOpen: (rows) => void exportTranscripts(rows.map(({ suId }) => suId)),
})

/** Class tree, students, and the transcript of one of them beside the list. */
export function StudentList() {
  const list = useList(transcriptApi.list)
  const { tree, grades, isMissing } = usePlaces()
  const isPhone = useIsPhone()
  const [isTreeOpen, setTreeOpen] = useState(false)
  const [preview, show] = usePreviewedRow(list, ({ suId }) => suId)
  const [scores, setScores] = useState<ScoreExport>()
  const [batch, setBatch] = useState<BatchOptions>()
  const [isBatchOpen, setBatchOpen] = useState(false)
  const openPreview = action.open({ label: '预览', call: transcriptApi.header, onOpen: ([row]) => show(row!.suId) })
  const { collegeId, majorId, classId, grade, search } = list.state.filters
  const allScores: ScoreExport = {
    filter: { suiCollegeId: collegeId, majorId, scClassId: classId, suiGrade: grade, search },
    whose: `当前列表的 ${figure(list.total)} 名学生`,
    rows: list.total,
  }
  const chosen = flat(tree).find(({ place }) => place.id === (classId ?? majorId ?? collegeId))?.place
  const choose = (place: Place | undefined) => {
    list.setFilters({
      collegeId: undefined,
      majorId: undefined,
      classId: undefined,
      ...(place && { [place.kind]: place.id }),
    })
    setTreeOpen(false)
  }
  const allShown: BatchOptions = {
    filter: { collegeId, majorId, classId, grade, search },
    count: list.total,
    whose: `${chosen ? `${chosen.path.at(-1)}的 ` : '当前列表的 '}${figure(list.total)} 名学生`,
    ...(chosen && { title: `${chosen.path.at(-1)}${grade ? ` ${grade} 级` : ''}成绩单` }),
  }
  const exportScores = action.open({
    label: '导出学生成绩',
    call: scoreExportApi.export,
    onOpen: (rows) =>
      setScores({ filter: { suIds: rows.map(({ suId }) => suId) }, whose: `所选 ${rows.length} 名学生` }),
    onFilter: () => setScores(allScores),
  })
  const printTicked = action.open({
    label: '批量打印',
    call: transcriptBatchApi.start,
    onOpen: (rows) =>
      setBatch({
        filter: { suIds: rows.map(({ suId }) => suId) },
        count: rows.length,
        whose: `所选 ${rows.length} 名学生`,
      }),
    onFilter: () => setBatch(allShown),
  })
  const placeTree = <PlaceTree tree={tree} isMissing={isMissing} chosen={chosen} onChoose={choose} />
  return (
    <>
      <ListHeader
        facts={
          <>
            {chosen ? `${chosen.path.join(' / ')}，` : ''}
            <ListTotal list={list} unit="名学生" />
          </>
        }
        tools={
          <>
            {isPhone && (
              <Button icon={<ApartmentOutlined />} onClick={() => setTreeOpen(true)}>
                {chosen ? chosen.path.at(-1) : '选择班级'}
              </Button>
            )}
            <ActionButton
              to={scoreExportApi.export}
              icon={<DownloadOutlined />}
              disabled={list.total === 0 || list.isFormer}
              onClick={() => setScores(allScores)}
            >
              导出学生成绩
            </ActionButton>
            <ActionButton to={transcriptBatchApi.list} onClick={() => setBatchOpen(true)}>
              打印任务
            </ActionButton>
            <ActionButton
              to={transcriptBatchApi.start}
              primary
              icon={<PrinterOutlined />}
              disabled={list.total === 0 || list.isFormer}
              onClick={() => setBatch(allShown)}
            >
              {classId ? '打印本班' : '批量打印'}
            </ActionButton>
          </>
        }
      />
      <div className="transcript-columns">
        {!isPhone && (
          <aside className="card place-side" aria-label="学院、专业与班级">
            {placeTree}
          </aside>
        )}
        <ListTable
          name="students"
          list={list}
          rowKey="suId"
          filters={
            <>
              <TextFilter name="search" label="姓名或学号" />
              <SelectFilter
                name="grade"
                label="年级"
                options={grades.map((grade) => ({ value: grade, label: `${grade} 级` }))}
              />
            </>
          }
          columns={columns}
          rowActions={[openPreview, look, exportOne]}
          batchActions={[exportTicked, printTicked, exportScores]}
          empty={{ text: '暂无学生', hint: '导入学生后，这里按班级列出他们的成绩单。' }}
        />
      </div>
      {isPhone && (
        <Drawer
          open={isTreeOpen}
          onClose={() => setTreeOpen(false)}
          placement="left"
          size={320}
          title="选择班级"
          className="place-drawer"
        >
          {placeTree}
        </Drawer>
      )}
      {batch && <BatchDialog {...batch} onClose={() => setBatch(undefined)} onStarted={() => setBatchOpen(true)} />}
      {isBatchOpen && <BatchDrawer onClose={() => setBatchOpen(false)} />}
      {scores && <ScoreExportDialog {...scores} onClose={() => setScores(undefined)} />}
      <TranscriptPreview rows={list.rows} student={preview} onClose={() => show(undefined)} />
    </>
  )
}
