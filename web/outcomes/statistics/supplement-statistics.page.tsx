import { Link } from 'react-router'
import {
  supplementStages,
  supplementStatApi,
} from '../../../contract/outcomes/statistics/supplement-statistics.calls.ts'
import { missingPlaces } from '../../../contract/outcomes/statistics/statistics.schema.ts'
import { Chart } from '../../core/chart/chart.tsx'
import type { Column } from '../../core/list/columns.tsx'
import { DateRangeFilter } from '../../core/list/date-filters.tsx'
import { ExportButton } from '../../core/action/export.tsx'
import { DictionaryFilter, SelectFilter } from '../../core/list/filters.tsx'
import { ListTable } from '../../core/list/list-table.tsx'
import { SwitchFilter } from '../../core/list/switch-filter.tsx'
import { CascadeFilter } from '../../core/list/tree-filters.tsx'
import { useCall } from '../../core/service/use-call.ts'
import { useList, type RowOf } from '../../core/list/use-list.ts'
import { useCurriculumTree } from '../../shared/curriculum/curriculum-tree.ts'
import { ClassFilter, CollegeFilter, GradeFilter, MajorFilter } from '../../shared/organisation/places.tsx'
import { supplementPaths } from '../../shared/supplements/supplement-status.tsx'
import { bars, donut, lines } from '../../shared/dashboard/chart-options.ts'
import { LevelFilter } from './level-filter.tsx'
import { groupOf, StatCards, stepOf, useDrillDown } from '../../shared/dashboard/stat-cards.tsx'
import { openingPeriod, StatPage, taken } from '../../shared/dashboard/stat-page.tsx'

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
const places = { college: 'collegeId', major: 'majorId', class: 'scClassId' }

const columns: Column<RowOf<typeof supplementStatApi.detail>>[] = [
  {
    title: '名称',
    dataIndex: 'lisName',
    fixed: 'left',
    render: (_, row) => (row.opens ? <Link to={supplementPaths.detail(row.lisId)}>{row.lisName}</Link> : row.lisName),
  },
  {
    title: '学生',
    dataIndex: 'suiName',
    width: 100,
    render: (_, row) =>
      row.opensStudent ? (
        <Link to={`/personnelAdmin/studentAdmin/detail?suId=${row.suId}`}>{row.suiName}</Link>
      ) : (
        row.suiName
      ),
  },
  { title: '学号', dataIndex: 'suiNumber', width: 130 },
  { title: '学院', dataIndex: 'collegeName', width: 140 },
  { title: '班级', dataIndex: 'className', width: 140 },
  { title: '模块', dataIndex: 'lsName', width: 160 },
  { title: '级别', dataIndex: 'levelName', width: 80 },
  { title: '类型', dataIndex: 'lisType', width: 130, dict: 'sup_type' },
  { title: '奖项', dataIndex: 'lisAward', width: 100 },
  { title: '认定学时', dataIndex: 'hours', width: 90, align: 'right' },
  { title: '状态', dataIndex: 'lisStatus', width: 130, dict: 'sup_status' },
  { title: '申请时间', dataIndex: 'createTime', width: 160 },
]

/** 补录统计: what students handed in from outside, what came of it, and where it makes up most of the hours. */
export function SupplementStatisticsPage() {
  const list = useList(supplementStatApi.detail, { initial: openingPeriod() })
  const { tree } = useCurriculumTree()
  const filters = taken(list.state.filters, shared)
  const { data: info } = useCall(supplementStatApi.info, filters, { keepPrevious: true })
  return (
    <StatPage
      title="补录统计"
      list={list as never}
      asOf={info?.asOf}
      narrowing={['stage', 'lisType', 'refuseReason', 'lacking']}
      filters={
        <>
          <DateRangeFilter names={['startTime', 'endTime']} label="申请时间" />
          <CollegeFilter names={places} />
          <GradeFilter name="grade" />
          <CascadeFilter name="lsId" label="模块" tree={tree} />
        </>
      }
      moreFilters={
        <>
          <MajorFilter names={places} />
          <ClassFilter names={places} grade="grade" />
          <LevelFilter />
          <SwitchFilter name="everybody" label="含非在读学生" />
        </>
      }
      exports={<ExportButton to={supplementStatApi.exportDetail} input={list.query} />}
      figures={<Figures filters={filters} info={info} />}
      details={
        <ListTable
          list={list}
          rowKey="lisId"
          columns={columns}
          filters={
            <>
              <SelectFilter
                name="stage"
                label="进展"
                options={supplementStages.map(([value, label]) => ({ value, label }))}
              />
              <DictionaryFilter name="lisType" label="类型" type="sup_type" />
              <SelectFilter
                name="refuseReason"
                label="驳回原因"
                options={(info?.reasons ?? []).map(({ reason }) => ({ value: reason, label: reason }))}
              />
              <SelectFilter
                name="lacking"
                label="未登记"
                options={missingPlaces.map(([value, label]) => ({ value, label }))}
              />
            </>
          }
        />
      }
    />
  )
}

function Figures({
  filters,
  info,
}: {
  filters: Record<string, string>
  info: ReturnType<typeof useCall<typeof supplementStatApi.info>>['data']
}) {
  const to = useDrillDown()
  const { data: classes } = useCall(supplementStatApi.classes, filters, { keepPrevious: true })
  const { data: levels } = useCall(supplementStatApi.levels, filters, { keepPrevious: true })
  const { data: months } = useCall(supplementStatApi.months, filters, { keepPrevious: true })
  return (
    <>
      <StatCards
        cards={info?.cards}
        previous={info?.previous}
        lastYear={info?.lastYear}
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
        others={{ passRate: { name: '被驳回的补录', lead: { stage: 'refuse' } } }}
      />
      <div className="stat-charts">
        <div className="card is-wide" data-keep>
          <Chart
            title="各月补录"
            label="各月申请与通过的补录"
            definition="按申请时间所在的月计；通过指待公示、公示中与已入账"
            isLoading={!months}
            isEmpty={months?.length === 0}
            height={260}
            option={lines(
              (months ?? []).map(({ month }) => month),
              [
                { name: '申请', data: (months ?? []).map(({ apply }) => apply) },
                { name: '通过', data: (months ?? []).map(({ pass }) => pass) },
              ],
            )}
            table={{
              heads: ['月份', '申请（条）', '通过（条）'],
              rows: (months ?? []).map(({ month, apply, pass }) => [
                month,
                to(apply, stepOf(month, filters)),
                to(pass, { ...stepOf(month, filters), stage: 'pass' }),
              ]),
            }}
          />
        </div>
        <div className="card" data-keep>
          <Chart
            title="模块分布"
            label="各模块的补录数"
            definition="按补录所属的一级模块计；学时只计已入账的"
            isLoading={!classes}
            isEmpty={classes?.length === 0}
            option={donut(
              (classes ?? []).map(({ name, count }) => ({ name, value: count })),
              '条',
            )}
            table={{
              heads: ['模块', '补录（条）', '入账学时'],
              rows: (classes ?? []).map(({ id, name, count, hours }) => [
                name,
                to(count, { lsId: id }),
                to(hours, { lsId: id, stage: 'granted' }),
              ]),
            }}
          />
        </div>
        <div className="card" data-keep>
          <Chart
            title="级别分布"
            label="各级别的补录数"
            definition="按补录的级别计"
            isLoading={!levels}
            isEmpty={levels?.length === 0}
            option={donut(
              (levels ?? []).map(({ name, count }) => ({ name, value: count })),
              '条',
            )}
            table={{
              heads: ['级别', '补录（条）', '入账学时'],
              rows: (levels ?? []).map(({ id, name, count, hours }) => [
                name,
                to(count, { llId: id }),
                to(hours, { llId: id, stage: 'granted' }),
              ]),
            }}
          />
        </div>
        <div className="card" data-keep>
          <Chart
            title="类型分布"
            label="各类型的补录数"
            definition="按补录的类型计"
            isLoading={!info}
            isEmpty={info?.types.length === 0}
            option={bars(
              (info?.types ?? []).map(({ name }) => name),
              [{ name: '条', data: (info?.types ?? []).map(({ count }) => count) }],
              { horizontal: true },
            )}
            table={{
              heads: ['类型', '补录（条）', '入账学时'],
              rows: (info?.types ?? []).map(({ id, name, count, hours }) => [
                name,
                to(count, { lisType: id }),
                to(hours, { lisType: id, stage: 'granted' }),
              ]),
            }}
          />
        </div>
        <div className="card" data-keep>
          <Chart
            title="补录占总学时"
            label="各学院补录学时占总学时的比例"
            definition="补录学时 ÷ 时间范围内获得的全部学时（含课程），按获得时间与学生所在学院计。比例高，说明活动较少在系统内开展。选择模块或级别后不计算比例"
            isLoading={!info}
            isEmpty={info?.colleges.every(({ rate }) => rate === null)}
            option={bars(
              (info?.colleges ?? []).map(({ name }) => name),
              [{ name: '补录占比（%）', data: (info?.colleges ?? []).map(({ rate }) => rate), isRate: true }],
              { horizontal: true },
            )}
            table={{
              heads: ['学院', '补录（条）', '补录学时', '全部学时', '占比（%）'],
              rows: (info?.colleges ?? []).map(({ id, name, count, hours, total, rate }) => [
                name,
                to(count, groupOf({ collegeId: id })),
                to(hours, { ...groupOf({ collegeId: id }), stage: 'granted' }),
                total ?? '—',
                to(rate, { ...groupOf({ collegeId: id }), stage: 'granted' }),
              ]),
            }}
          />
        </div>
        <div className="card is-wide" data-keep>
          <Chart
            title="驳回原因"
            label="最常见的驳回原因"
            definition="所选范围内被驳回的补录，按原因合并，取前十"
            isLoading={!info}
            isEmpty={info?.reasons.length === 0}
            empty={{ text: '没有被驳回的补录' }}
            option={bars(
              (info?.reasons ?? []).map(({ reason }) => reason),
              [{ name: '条', data: (info?.reasons ?? []).map(({ count }) => count) }],
              { horizontal: true },
            )}
            table={{
              heads: ['驳回原因', '补录（条）'],
              rows: (info?.reasons ?? []).map(({ reason, count }) => [reason, to(count, { refuseReason: reason })]),
            }}
          />
        </div>
      </div>
    </>
  )
}
