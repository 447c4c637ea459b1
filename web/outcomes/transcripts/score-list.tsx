import { recordStatus } from '../../../contract/core/codes/outcomes.ts'
import { labelIn } from '../../../contract/core/codes/code-list.ts'
import { curriculumApi } from '../../../contract/rules/curriculum/curriculum.calls.ts'
import { transcriptApi } from '../../../contract/outcomes/transcripts/transcripts.calls.ts'
import { transcriptSources } from '../../../contract/outcomes/transcripts/transcripts.schema.ts'
import { ExportButton } from '../../core/action/export.tsx'
import type { Column } from '../../core/list/columns.tsx'
import { DateRangeFilter } from '../../core/list/date-filters.tsx'
import { SelectFilter, TextFilter } from '../../core/list/filters.tsx'
import { ListTable } from '../../core/list/list-table.tsx'
import { ListTotal } from '../../core/list/list-total.tsx'
import { StatusChip } from '../../core/parts/status-chip.tsx'
import { CascadeFilter } from '../../core/list/tree-filters.tsx'
import { useCall } from '../../core/service/use-call.ts'
import { useList, type RowOf } from '../../core/list/use-list.ts'
import { useCurriculumTree } from '../../shared/curriculum/curriculum-tree.ts'
import { ListHeader } from './list-header.tsx'
import { detailPath, recordPath } from '../../shared/transcripts/transcript-paths.ts'

type ScoreRow = RowOf<typeof transcriptApi.stuScore>

const columns: Column<ScoreRow>[] = [
  { title: '名称', dataIndex: 'name', fixed: 'left', to: recordPath },
  { title: '姓名', dataIndex: 'suiName', width: 96, to: ({ suId }) => detailPath(suId) },
  { title: '学号', dataIndex: 'suiNumber', width: 116 },
  { title: '学时', dataIndex: 'hours', width: 72, number: true },
  { title: '学分', dataIndex: 'credit', width: 72, number: true },
  { title: '积分', dataIndex: 'points', width: 72, number: true },
  { title: '模块', dataIndex: 'moduleName', width: 96 },
  { title: '课程体系', dataIndex: 'lsName', width: 120 },
  { title: '级别', dataIndex: 'levelName', width: 104 },
  { title: '参与方式', dataIndex: 'partakeMode', width: 104, dict: 'partake_mode' },
  { title: '奖项', dataIndex: 'awardName', width: 112 },
  {
    title: '来源',
    dataIndex: 'source',
    width: 116,
    render: (source: ScoreRow['source'], { status }) => (
      <>
        {transcriptSources[source]}
        {status !== recordStatus.valid && (
          <>
            {' '}
            <StatusChip tone="refused">{labelIn(recordStatus, status)}</StatusChip>
          </>
        )}
      </>
    ),
  },
  {
    title: '活动时间',
    dataIndex: 'startTime',
    width: 116,
    sorter: true,
    render: (time: string) => <span className="figures">{time.slice(0, 10)}</span>,
  },
  { title: '学院', dataIndex: 'collegeName', width: 172 },
  { title: '主办单位', dataIndex: 'org', width: 172, hiddenAtFirst: true },
  { title: '入账时间', dataIndex: 'grantTime', width: 164, hiddenAtFirst: true },
]

const minutes = 5 * 60_000
/** What every student got for every course and supplement record. */
export function ScoreList() {
  const list = useList(transcriptApi.stuScore)
  const { tree } = useCurriculumTree()
  const { data: levels = [] } = useCall(curriculumApi.levels, {}, { staleTime: minutes })
  return (
    <>
      <ListHeader
        facts={<ListTotal list={list} unit="条得分" />}
        tools={<ExportButton to={transcriptApi.exportStuScore} list={list} />}
      />
      <ListTable
        name="scores"
        list={list}
        rowKey="recId"
        keepsViews
        nameOf={({ suiName, name }) => `${suiName}的${name}`}
        filters={
          <>
            <TextFilter name="liName" label="课程或补录名称" />
            <CascadeFilter name="lsId" label="课程体系" tree={tree} />
            <DateRangeFilter names={['startTime', 'endTime']} label="活动时间" />
            <TextFilter name="search" label="姓名或学号" />
          </>
        }
        moreFilters={{
          names: ['llId'],
          filters: (
            <SelectFilter
              name="llId"
              label="级别"
              options={levels.map(({ llId, llName }) => ({ value: llId, label: llName }))}
            />
          ),
        }}
        columns={columns}
        empty={{ text: '暂无得分', hint: '课程公示结束、补录审批通过后，得分会列在这里。' }}
      />
    </>
  )
}
