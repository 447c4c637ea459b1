import {
  supplementStages,
  supplementStatApi,
} from '../../../contract/outcomes/statistics/supplement-statistics.calls.ts'
import { missingPlaces } from '../../../contract/outcomes/statistics/statistics.schema.ts'
import type { Column } from '../../core/list/columns.tsx'
import { DateRangeFilter } from '../../core/list/date-filters.tsx'
import { ExportButton } from '../../core/action/export.tsx'
import { DictionaryFilter, SelectFilter } from '../../core/list/filters.tsx'
import { ListTable } from '../../core/list/list-table.tsx'
import { CascadeFilter } from '../../core/list/tree-filters.tsx'
import { useCall, type Answer } from '../../core/service/use-call.ts'
import type { RowOf } from '../../core/list/use-list.ts'
import { useCurriculumTree } from '../../shared/curriculum/curriculum-tree.ts'
import { CollegeFilter, GradeFilter } from '../../shared/organisation/places.tsx'
import { supplementPaths } from '../../shared/supplements/supplement-status.tsx'
import { changeTones } from '../../shared/dashboard/change-tones.ts'
import { groupOf, StatCards, stepOf } from '../../shared/dashboard/stat-cards.tsx'
import { StatChart, type StatColumn } from '../../shared/dashboard/stat-chart.tsx'
import { openingPeriod, StatPage, taken, useStatList } from '../../shared/dashboard/stat-page.tsx'
import { choicesOf } from '../../core/parts/multi-select.tsx'
import { LevelFilter, MorePersonFilters, morePersonFilters, places } from './stat-filters.tsx'

const shared = [
  'startTime',
  'endTime',
  'collegeId',
  'majorId',
  'scClassId',
  'grade',
  'lsId',
  'llId',
  'everybody',
] as const

const columns: Column<RowOf<typeof supplementStatApi.detail>>[] = [
  { title: '名称', dataIndex: 'lisName', fixed: 'left', to: (row) => row.opens && supplementPaths.detail(row.lisId) },
  {
    title: '学生',
    dataIndex: 'suiName',
    width: 100,
    to: (row) => row.opensStudent && `/personnelAdmin/studentAdmin/detail?suId=${row.suId}`,
  },
  { title: '学号', dataIndex: 'suiNumber', width: 130 },
  { title: '状态', dataIndex: 'lisStatus', width: 130, dict: 'sup_status' },
  { title: '类型', dataIndex: 'lisType', width: 130, dict: 'sup_type' },
  { title: '级别', dataIndex: 'levelName', width: 104 },
  { title: '认定学时', dataIndex: 'hours', width: 90, number: true },
  { title: '模块', dataIndex: 'lsName', width: 160 },
  { title: '学院', dataIndex: 'collegeName', width: 140 },
  { title: '班级', dataIndex: 'className', width: 140 },
  { title: '奖项', dataIndex: 'lisAward', width: 100 },
  { title: '录入时间', dataIndex: 'createTime', width: 160, sorter: true },
]

/** 补录统计: what students handed in from outside, what came of it, and where it makes up most of the hours. */
export function SupplementStatisticsPage() {
  const list = useStatList(supplementStatApi.detail, { initial: openingPeriod() })
  const { tree } = useCurriculumTree()
  const filters = taken(list.state.filters, shared)
  const { data: info } = useCall(supplementStatApi.info, filters, { keepPrevious: true })
  return (
    <StatPage
      title="补录统计"
      list={list}
      asOf={info?.asOf}
      narrowing={['stage', 'lisType', 'refuseReason', 'lacking', 'sort', 'order']}
      filters={
        <>
          <DateRangeFilter names={['startTime', 'endTime']} label="录入时间" />
          <CollegeFilter names={places} />
          <GradeFilter name="grade" clears={[places.class]} />
          <CascadeFilter name="lsId" label="模块" tree={tree} />
        </>
      }
      moreFilters={{
        names: [...morePersonFilters, 'llId'],
        filters: (
          <MorePersonFilters everybody="含非在读学生">
            <LevelFilter />
          </MorePersonFilters>
        ),
      }}
      exports={<ExportButton to={supplementStatApi.exportDetail} list={list} />}
      figures={<Figures filters={filters} info={info} />}
      detailFilters={
        <>
          <SelectFilter name="stage" label="进展" options={choicesOf(supplementStages)} />
          <DictionaryFilter name="lisType" label="类型" type="sup_type" />
          <SelectFilter
            name="refuseReason"
            label="驳回原因"
            options={(info?.reasons ?? []).map(({ reason }) => ({ value: reason, label: reason }))}
          />
          <SelectFilter name="lacking" label="未登记" options={choicesOf(missingPlaces)} />
        </>
      }
      details={<ListTable list={list} rowKey="lisId" columns={columns} />}
    />
  )
}

function Figures({ filters, info }: { filters: Record<string, string>; info: Answer<typeof supplementStatApi.info> }) {
  const { data: classes } = useCall(supplementStatApi.classes, filters, { keepPrevious: true })
  const { data: levels } = useCall(supplementStatApi.levels, filters, { keepPrevious: true })
  const { data: months } = useCall(supplementStatApi.months, filters, { keepPrevious: true })
  return (
    <>
      <StatCards
        answer={info}
        leads={{
          apply: {},
          pass: { stage: 'pass' },
          refuse: { stage: 'refuse' },
          pending: { stage: 'pending' },
          publicty: { stage: 'publicty' },
          hours: { stage: 'granted' },
          passRate: { stage: 'pass' },
          decideHours: { stage: 'decided' },
          twice: { stage: 'twice' },
        }}
        rises={changeTones.supplement}
        others={{ passRate: { name: '被驳回的补录', lead: { stage: 'refuse' } } }}
      />
      <div className="stat-charts">
        <StatChart
          title="各月补录"
          label="各月申请与通过的补录"
          definition="按录入时间所在的月计；通过指待公示、公示中与已入账"
          isWide
          height={260}
          kind="lines"
          rows={months}
          columns={[
            { title: '月份', value: ({ month }) => month },
            {
              title: '申请（条）',
              value: ({ apply }) => apply,
              series: '申请',
              to: ({ month }) => stepOf(month, filters),
            },
            {
              title: '通过（条）',
              value: ({ pass }) => pass,
              series: '通过',
              to: ({ month }) => ({ ...stepOf(month, filters), stage: 'pass' }),
            },
          ]}
        />
        <StatChart
          title="模块分布"
          label="各模块的补录数"
          definition="按补录所属的一级模块计；学时只计已入账的"
          kind="donut"
          unit="条"
          rows={classes}
          columns={kindColumns('模块', 'lsId')}
        />
        <StatChart
          title="级别分布"
          label="各级别的补录数"
          definition="按补录的级别计"
          kind="donut"
          unit="条"
          rows={levels}
          columns={kindColumns('级别', 'llId')}
        />
        <StatChart
          title="类型分布"
          label="各类型的补录数"
          definition="按补录的类型计"
          kind="horizontalBars"
          rows={info?.types}
          columns={kindColumns('类型', 'lisType')}
        />
        <StatChart
          title="补录占总学时"
          label="各学院补录学时占总学时的比例"
          definition="已入账的补录学时 ÷（补录学时 ＋ 时间范围内获得的课程学时），按学生所在学院计。比例高，说明活动较少在系统内开展。选择模块或级别后不计算比例"
          kind="horizontalBars"
          rows={info?.colleges}
          isEmpty={info?.colleges.every(({ rate }) => rate === null)}
          columns={[
            { title: '学院', value: ({ name }) => name },
            { title: '补录（条）', value: ({ count }) => count, to: ({ id }) => groupOf({ collegeId: id }) },
            {
              title: '补录学时',
              value: ({ hours }) => hours,
              to: ({ id }) => ({ ...groupOf({ collegeId: id }), stage: 'granted' }),
            },
            { title: '全部学时', value: ({ total }) => total },
            {
              title: '占比（%）',
              value: ({ rate }) => rate,
              series: '补录占比（%）',
              to: ({ id }) => ({ ...groupOf({ collegeId: id }), stage: 'granted' }),
            },
          ]}
        />
        <StatChart
          title="驳回原因"
          label="最常见的驳回原因"
          definition="所选范围内被驳回的补录，按原因合并，取前十"
          isWide
          kind="horizontalBars"
          rows={info?.reasons}
          empty={{ text: '没有被驳回的补录' }}
          columns={[
            { title: '驳回原因', value: ({ reason }) => reason },
            {
              title: '补录（条）',
              value: ({ count }) => count,
              series: true,
              to: ({ reason }) => ({ refuseReason: reason }),
            },
          ]}
        />
      </div>
    </>
  )
}

/** How many supplements are of each kind; `filter` is the one of the list by that kind. */
const kindColumns = (
  title: string,
  filter: 'lsId' | 'llId' | 'lisType',
): StatColumn<{ id: string; name: string; count: number; hours: number }>[] => [
  { title, value: ({ name }) => name },
  { title: '补录（条）', value: ({ count }) => count, series: true, to: ({ id }) => ({ [filter]: id }) },
  { title: '入账学时', value: ({ hours }) => hours, to: ({ id }) => ({ [filter]: id, stage: 'granted' }) },
]
