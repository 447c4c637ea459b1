import { Link } from 'react-router'
import { collegeParts, lessonParts, livelinessFormula } from '../../../contract/outcomes/statistics/liveliness.ts'
import {
  lessonStages,
  lessonStatApi,
  organiserKinds,
} from '../../../contract/outcomes/statistics/lesson-statistics.calls.ts'
import { useCurriculumTree } from '../../shared/curriculum/curriculum-tree.ts'
import { CollegeFilter } from '../../shared/organisation/places.tsx'
import { Chart } from '../../core/chart/chart.tsx'
import type { Column } from '../../core/list/columns.tsx'
import { DateRangeFilter } from '../../core/list/date-filters.tsx'
import { ExportButton } from '../../core/action/export.tsx'
import { SelectFilter } from '../../core/list/filters.tsx'
import { ListTable } from '../../core/list/list-table.tsx'
import { CascadeFilter } from '../../core/list/tree-filters.tsx'
import { useCall } from '../../core/service/use-call.ts'
import { useList, type RowOf } from '../../core/list/use-list.ts'
import { bars, donut, funnel, lines } from '../../shared/dashboard/chart-options.ts'
import { LevelFilter } from './level-filter.tsx'
import { ReportButton } from './report-dialog.tsx'
import { groupOf, StatCards, stepOf, useDrillDown } from '../../shared/dashboard/stat-cards.tsx'
import { openingPeriod, StatPage, taken } from '../../shared/dashboard/stat-page.tsx'

const shared = ['startTime', 'endTime', 'collegeId', 'lsId', 'llId'] as const
type Row = RowOf<typeof lessonStatApi.detail>

const columns: Column<Row>[] = [
  {
    title: '课程名称',
    dataIndex: 'liName',
    fixed: 'left',
    render: (_, row) =>
      row.opens ? <Link to={`/courseManagement/detailCurriculumList?liId=${row.liId}`}>{row.liName}</Link> : row.liName,
  },
  { title: '模块', dataIndex: 'lsName', width: 160 },
  { title: '级别', dataIndex: 'levelName', width: 80 },
  { title: '主办', dataIndex: 'liSponsorName', width: 150 },
  { title: '负责人', dataIndex: 'liPrincipalName', width: 90 },
  { title: '状态', dataIndex: 'liStatus', width: 130, dict: 'lesson_status' },
  { title: '报名', dataIndex: 'applied', width: 80, align: 'right', sorter: true },
  { title: '录取', dataIndex: 'passed', width: 80, align: 'right', sorter: true },
  { title: '签到', dataIndex: 'signed', width: 80, align: 'right', sorter: true },
  { title: '合格', dataIndex: 'qualified', width: 80, align: 'right', sorter: true },
  { title: '成长记录', dataIndex: 'granted', width: 100, align: 'right', sorter: true },
  {
    title: '签到率',
    dataIndex: 'signRate',
    width: 90,
    align: 'right',
    render: (_, { signRate }) => (signRate === null ? '—' : `${signRate}%`),
  },
  { title: '学时', dataIndex: 'hours', width: 90, align: 'right', sorter: true },
  { title: '评分', dataIndex: 'rating', width: 70, align: 'right', render: (_, { rating }) => rating ?? '—' },
  { title: '发布时间', dataIndex: 'publishTime', width: 160, sorter: true },
]

/** The largest of a column first: where a sum comes from. */
const maxRows = (sort: string) => ({ sort, order: 'desc' })

/** 发布统计: what was published, who came, and what became of it. */
export function LessonStatisticsPage() {
  const list = useList(lessonStatApi.detail, { initial: openingPeriod() })
  const { tree } = useCurriculumTree()
  const filters = taken(list.state.filters, shared)
  const { data: info } = useCall(lessonStatApi.info, filters, { keepPrevious: true })
  return (
    <StatPage
      title="发布统计"
      list={list as never}
      asOf={info?.asOf}
      narrowing={['stage', 'organiser', 'star', 'lacking', 'sort', 'order']}
      tools={<ReportButton />}
      filters={
        <>
          <DateRangeFilter names={['startTime', 'endTime']} label="发布时间" />
          <CollegeFilter names={{ college: 'collegeId' }} />
          <CascadeFilter name="lsId" label="模块" tree={tree} />
          <LevelFilter />
        </>
      }
      exports={<ExportButton to={lessonStatApi.exportDetail} input={list.query} />}
      figures={<Figures filters={filters} info={info} />}
      details={
        <ListTable
          list={list}
          rowKey="liId"
          columns={columns}
          filters={
            <>
              <SelectFilter
                name="stage"
                label="进展"
                options={lessonStages.map(([value, label]) => ({ value, label }))}
              />
              <SelectFilter
                name="organiser"
                label="主办类型"
                options={Object.entries(organiserKinds).map(([value, label]) => ({ value, label }))}
              />
              <SelectFilter
                name="star"
                label="评价星级"
                options={['1', '2', '3', '4', '5'].map((value) => ({ value, label: `有 ${value} 星评价` }))}
              />
              <SelectFilter name="lacking" label="主办学院" options={[{ value: 'college', label: '没有主办学院' }]} />
            </>
          }
          empty={{ text: '暂无数据', hint: '所选时间内没有发布课程，可换一段时间再看。' }}
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
  info: ReturnType<typeof useCall<typeof lessonStatApi.info>>['data']
}) {
  const to = useDrillDown()
  const { data: colleges } = useCall(lessonStatApi.colleges, filters, { keepPrevious: true })
  const { data: level } = useCall(lessonStatApi.level, filters, { keepPrevious: true })
  const { data: evaluate } = useCall(lessonStatApi.evaluate, filters, { keepPrevious: true })
  const { data: lively } = useCall(lessonStatApi.activityScore, filters, { keepPrevious: true })
  const first = (lively ?? []).slice(0, 10)
  const livelyColleges = (colleges ?? []).filter(({ score }) => score > 0).toSorted((a, b) => b.score - a.score)
  const levels = [
    ...new Map((colleges ?? []).flatMap((one) => one.levels.map(({ llId, name }) => [llId, name] as const))),
  ]
  return (
    <>
      <StatCards
        cards={info?.cards}
        previous={info?.previous}
        lastYear={info?.lastYear}
        leads={{
          count: {},
          running: { stage: 'running' },
          done: { stage: 'done' },
          stopped: { stage: 'stopped' },
          applied: maxRows('applied'),
          signRate: { stage: 'begun' },
          perLesson: { stage: 'begun', ...maxRows('signed') },
          hours: maxRows('hours'),
          granted: { stage: 'granted', ...maxRows('granted') },
          rating: { stage: 'rated' },
          decideHours: { stage: 'decided' },
          firstPass: { stage: 'first' },
        }}
        others={{ firstPass: { name: '首次被驳回的课程', lead: { stage: 'again' } } }}
      />
      <div className="stat-charts">
        <div className="card is-wide" data-keep>
          <Chart
            title="发布趋势"
            label="各时段发布的课程数与报名人次"
            definition="按发布时间计；左轴为课程数与报名人次。超过三个月按月显示"
            isLoading={!info}
            isEmpty={info?.trend.length === 0}
            height={260}
            option={lines(
              (info?.trend ?? []).map(({ date }) => date),
              [
                { name: '课程（门）', data: (info?.trend ?? []).map(({ count }) => count) },
                { name: '报名（人次）', data: (info?.trend ?? []).map(({ times }) => times) },
              ],
            )}
            table={{
              heads: ['时间', '课程（门）', '报名（人次）'],
              rows: (info?.trend ?? []).map(({ date, count, times }) => [
                date,
                to(count, stepOf(date, filters)),
                to(times, { ...stepOf(date, filters), ...maxRows('applied') }),
              ]),
            }}
          />
        </div>
        <div className="card" data-keep>
          <Chart
            title="各学院课程"
            label="各学院发布的课程数，按级别分层"
            definition="按主办学院计；没有学院的归入校级部门"
            isLoading={!colleges}
            isEmpty={colleges?.length === 0}
            option={bars(
              (colleges ?? []).map(({ name }) => name),
              levels.map(([llId, name]) => ({
                name,
                data: (colleges ?? []).map((one) => one.levels.find((each) => each.llId === llId)?.count ?? 0),
              })),
              { stacked: true, horizontal: true },
            )}
            table={{
              heads: ['学院', '课程（门）', '占比（%）', '报名（人次）', ...levels.map(([, name]) => name)],
              rows: (colleges ?? []).map((one) => [
                one.name,
                to(one.count, groupOf({ collegeId: one.id })),
                one.rate,
                to(one.times, { ...groupOf({ collegeId: one.id }), ...maxRows('applied') }),
                ...levels.map(([llId]) =>
                  to(one.levels.find((each) => each.llId === llId)?.count ?? 0, {
                    ...groupOf({ collegeId: one.id }),
                    llId,
                  }),
                ),
              ]),
            }}
          />
        </div>
        <div className="card" data-keep>
          <Chart
            title="参与漏斗"
            label={(info?.funnel ?? []).map(({ name, value, unit }) => `${name} ${value} ${unit}`).join('，')}
            definition="发布为课程数，其余为人次；录取起只计仍然有效的报名"
            isLoading={!info}
            isEmpty={info?.funnel[0]?.value === 0}
            option={funnel((info?.funnel ?? []).filter(({ key }) => key !== 'count'))}
            table={{
              heads: ['环节', '数量', '单位'],
              rows: (info?.funnel ?? []).map(({ key, name, value, unit }) => [
                name,
                to(value, key === 'count' ? {} : maxRows(key)),
                unit,
              ]),
            }}
          />
        </div>
        <div className="card" data-keep>
          <Chart
            title="模块分布"
            label="各模块的课程数"
            definition="按课程所属的一级模块计"
            isLoading={!info}
            isEmpty={info?.modules.length === 0}
            option={donut(
              (info?.modules ?? []).map(({ name, count }) => ({ name, value: count })),
              '门',
            )}
            table={{
              heads: ['模块', '课程（门）', '占比（%）', '报名（人次）', '学时'],
              rows: (info?.modules ?? []).map((one) => [
                one.name,
                to(one.count, { lsId: one.id }),
                one.rate,
                to(one.times, { lsId: one.id, ...maxRows('applied') }),
                to(one.hours, { lsId: one.id, ...maxRows('hours') }),
              ]),
            }}
          />
        </div>
        <div className="card" data-keep>
          <Chart
            title="级别分布"
            label="各级别的课程数"
            definition="按课程级别计"
            isLoading={!level}
            isEmpty={level?.length === 0}
            option={donut(
              (level ?? []).map(({ name, count }) => ({ name, value: count })),
              '门',
            )}
            table={{
              heads: ['级别', '课程（门）', '占比（%）'],
              rows: (level ?? []).map((one) => [one.name, to(one.count, { llId: one.llId }), one.rate]),
            }}
          />
        </div>
        <div className="card" data-keep>
          <Chart
            title="主办类型"
            label="社团、院系与校级组织主办的课程数"
            definition="由圈子发起的计为社团与圈子；其余按主办学院计为院系，没有主办学院的计为校级组织"
            isLoading={!info}
            isEmpty={info?.organisers.length === 0}
            option={donut(
              (info?.organisers ?? []).map(({ name, count }) => ({ name, value: count })),
              '门',
            )}
            table={{
              heads: ['主办类型', '课程（门）', '占比（%）', '报名（人次）'],
              rows: (info?.organisers ?? []).map((one) => [
                one.name,
                to(one.count, { organiser: one.key }),
                one.rate,
                to(one.times, { organiser: one.key, ...maxRows('applied') }),
              ]),
            }}
          />
        </div>
        <div className="card" data-keep>
          <Chart
            title="学生评价"
            label={`平均 ${evaluate?.avg ?? '—'} 星，${evaluate?.times ?? 0} 人次评价`}
            definition="参与学生给出的一至五星；没有评价的课程不计"
            isLoading={!evaluate}
            isEmpty={evaluate?.times === 0}
            empty={{ text: '暂无评价' }}
            option={bars(['1 星', '2 星', '3 星', '4 星', '5 星'], [{ name: '人次', data: evaluate?.dist ?? [] }])}
            table={{
              heads: ['星级', '人次'],
              rows: (evaluate?.dist ?? []).map((times, at) => [`${at + 1} 星`, to(times, { star: String(at + 1) })]),
            }}
          />
        </div>
        <div className="card" data-keep>
          <Chart
            title="各模块平均评分"
            label="各模块的平均星级"
            definition="一至五星的平均值"
            isLoading={!evaluate}
            isEmpty={evaluate?.byClass.length === 0}
            empty={{ text: '暂无评价' }}
            option={bars(
              (evaluate?.byClass ?? []).map(({ name }) => name),
              [{ name: '平均星级', data: (evaluate?.byClass ?? []).map(({ avg }) => avg) }],
              { horizontal: true },
            )}
            table={{
              heads: ['模块', '平均星级', '人次'],
              rows: (evaluate?.byClass ?? []).map(({ id, name, avg, times }) => [
                name,
                to(avg, { lsId: id, stage: 'rated' }),
                to(times, { lsId: id, stage: 'rated' }),
              ]),
            }}
          />
        </div>
        <div className="card is-wide" data-keep>
          <Chart
            title="课程活跃度"
            label="活跃度最高的课程"
            definition={`${livelinessFormula(lessonParts, lively?.[0]?.weights)}。只计已开始且未取消的课程`}
            isLoading={!lively}
            isEmpty={lively?.length === 0}
            height={340}
            option={bars(
              first.map(({ liName }) => liName),
              lessonParts.map(([part, name]) => ({ name, data: first.map(({ parts }) => parts[part]) })),
              { stacked: true, horizontal: true },
            )}
            table={{
              heads: ['课程', '排名', '主办', '活跃度', ...lessonParts.map(([, name]) => name)],
              rows: (lively ?? []).map((one) => [
                one.opens ? (
                  <Link key={one.liId} to={`/courseManagement/detailCurriculumList?liId=${one.liId}`}>
                    {one.liName}
                  </Link>
                ) : (
                  one.liName
                ),
                one.rank,
                one.collegeName,
                one.score,
                ...lessonParts.map(([part]) => one.parts[part]),
              ]),
            }}
          />
        </div>
        <div className="card is-wide" data-keep>
          <Chart
            title="学院活跃度"
            label="各学院的课程活跃度"
            definition={`${livelinessFormula(collegeParts, colleges?.[0]?.weights)}。只计已开始且未取消的课程，按主办学院计`}
            isLoading={!colleges}
            isEmpty={livelyColleges.length === 0}
            option={bars(
              livelyColleges.map(({ name }) => name),
              collegeParts.map(([part, name]) => ({ name, data: livelyColleges.map(({ parts }) => parts[part]) })),
              { stacked: true, horizontal: true },
            )}
            table={{
              heads: ['学院', '课程（门）', '活跃度', ...collegeParts.map(([, name]) => `${name}得分`)],
              rows: livelyColleges.map((one) => [
                one.name,
                to(one.count, groupOf({ collegeId: one.id })),
                to(one.score, { ...groupOf({ collegeId: one.id }), stage: 'begun' }),
                ...collegeParts.map(([part]) => one.parts[part]),
              ]),
            }}
          />
        </div>
      </div>
    </>
  )
}
