import type { Output } from '../../../contract/core/call.ts'
import { collegeParts, lessonParts, livelinessFormula } from '../../../contract/outcomes/statistics/liveliness.ts'
import {
  lessonStages,
  lessonStatApi,
  organiserKinds,
} from '../../../contract/outcomes/statistics/lesson-statistics.calls.ts'
import { useCurriculumTree } from '../../shared/curriculum/curriculum-tree.ts'
import { CollegeFilter } from '../../shared/organisation/places.tsx'
import type { Column } from '../../core/list/columns.tsx'
import { DateRangeFilter } from '../../core/list/date-filters.tsx'
import { ExportButton } from '../../core/action/export.tsx'
import { SelectFilter } from '../../core/list/filters.tsx'
import { ListTable } from '../../core/list/list-table.tsx'
import { CascadeFilter } from '../../core/list/tree-filters.tsx'
import { useCall, type Answer } from '../../core/service/use-call.ts'
import type { RowOf } from '../../core/list/use-list.ts'
import { LevelFilter } from './stat-filters.tsx'
import { ReportButton } from './report-dialog.tsx'
import { changeTones } from '../../shared/dashboard/change-tones.ts'
import { groupOf, largestFirst, StatCards, stepOf } from '../../shared/dashboard/stat-cards.tsx'
import { firstTen, StatChart, type StatColumn } from '../../shared/dashboard/stat-chart.tsx'
import { openingPeriod, StatPage, taken, useStatList } from '../../shared/dashboard/stat-page.tsx'
import { choicesOf } from '../../core/parts/multi-select.tsx'

const shared = ['startTime', 'endTime', 'collegeId', 'lsId', 'llId'] as const
type Row = RowOf<typeof lessonStatApi.detail>
type College = Output<typeof lessonStatApi.colleges>[number]
type LivelyLesson = Output<typeof lessonStatApi.activityScore>[number]

const columns: Column<Row>[] = [
  {
    title: '课程名称',
    dataIndex: 'liName',
    fixed: 'left',
    to: (row) => row.opens && `/courseManagement/detailCurriculumList?liId=${row.liId}`,
  },
  { title: '状态', dataIndex: 'liStatus', width: 130, dict: 'lesson_status' },
  { title: '报名', dataIndex: 'applied', width: 80, number: true, sorter: true },
  { title: '录取', dataIndex: 'passed', width: 80, number: true, sorter: true },
  { title: '签到', dataIndex: 'signed', width: 80, number: true, sorter: true },
  { title: '合格', dataIndex: 'qualified', width: 80, number: true, sorter: true },
  { title: '成长记录', dataIndex: 'granted', width: 100, number: true, sorter: true },
  {
    title: '签到率',
    dataIndex: 'signRate',
    width: 90,
    number: true,
    render: (_, { signRate }) => (signRate === null ? '—' : `${signRate}%`),
  },
  { title: '学时', dataIndex: 'hours', width: 90, number: true, sorter: true },
  { title: '评分', dataIndex: 'rating', width: 70, number: true, render: (_, { rating }) => rating ?? '—' },
  { title: '模块', dataIndex: 'lsName', width: 160 },
  { title: '级别', dataIndex: 'levelName', width: 104 },
  { title: '主办', dataIndex: 'liSponsorName', width: 150 },
  { title: '负责人', dataIndex: 'liPrincipalName', width: 90 },
  { title: '发布时间', dataIndex: 'publishTime', width: 160, sorter: true },
]

/** 发布统计: what was published, who came, and what became of it. */
export function LessonStatisticsPage() {
  const list = useStatList(lessonStatApi.detail, { initial: openingPeriod() })
  const { tree } = useCurriculumTree()
  const filters = taken(list.state.filters, shared)
  const { data: info } = useCall(lessonStatApi.info, filters, { keepPrevious: true })
  return (
    <StatPage
      title="发布统计"
      list={list}
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
      exports={<ExportButton to={lessonStatApi.exportDetail} list={list} />}
      figures={<Figures filters={filters} info={info} />}
      detailFilters={
        <>
          <SelectFilter name="stage" label="进展" options={choicesOf(lessonStages)} />
          <SelectFilter name="organiser" label="主办类型" options={choicesOf(Object.entries(organiserKinds))} />
          <SelectFilter
            name="star"
            label="评价星级"
            options={['1', '2', '3', '4', '5'].map((value) => ({ value, label: `有 ${value} 星评价` }))}
          />
          <SelectFilter name="lacking" label="主办学院" options={[{ value: 'college', label: '没有主办学院' }]} />
        </>
      }
      details={
        <ListTable
          list={list}
          rowKey="liId"
          columns={columns}
          empty={{ text: '暂无数据', hint: '所选时间内没有发布课程，可换一段时间再看。' }}
        />
      }
    />
  )
}

function Figures({ filters, info }: { filters: Record<string, string>; info: Answer<typeof lessonStatApi.info> }) {
  const { data: colleges } = useCall(lessonStatApi.colleges, filters, { keepPrevious: true })
  const { data: level } = useCall(lessonStatApi.level, filters, { keepPrevious: true })
  const { data: evaluate } = useCall(lessonStatApi.evaluate, filters, { keepPrevious: true })
  const { data: lively } = useCall(lessonStatApi.activityScore, filters, { keepPrevious: true })
  const livelyColleges = colleges?.filter(({ score }) => score > 0).toSorted((a, b) => b.score - a.score)
  const levels = [
    ...new Map((colleges ?? []).flatMap((one) => one.levels.map(({ llId, name }) => [llId, name] as const))),
  ]
  return (
    <>
      <StatCards
        answer={info}
        rises={changeTones.lesson}
        leads={{
          count: {},
          running: { stage: 'running' },
          done: { stage: 'done' },
          stopped: { stage: 'stopped' },
          applied: largestFirst('applied'),
          signRate: { stage: 'begun' },
          perLesson: { stage: 'begun', ...largestFirst('signed') },
          hours: largestFirst('hours'),
          granted: { stage: 'granted', ...largestFirst('granted') },
          rating: { stage: 'rated' },
          decideHours: { stage: 'decided' },
          firstPass: { stage: 'first' },
        }}
        others={{ firstPass: { name: '首次被驳回的课程', lead: { stage: 'again' } } }}
      />
      <div className="stat-charts">
        <StatChart
          title="发布趋势"
          label="各时段发布的课程数与报名人次"
          definition="按发布时间计；左轴为课程数，右轴为报名人次。超过三个月按月显示"
          isWide
          height={260}
          kind="lines"
          rows={info?.trend}
          columns={[
            { title: '时间', value: ({ date }) => date },
            { title: '课程（门）', value: ({ count }) => count, series: true, to: ({ date }) => stepOf(date, filters) },
            {
              title: '报名（人次）',
              value: ({ times }) => times,
              series: true,
              to: ({ date }) => ({ ...stepOf(date, filters), ...largestFirst('applied') }),
            },
          ]}
        />
        <StatChart
          title="各学院课程"
          label="各学院发布的课程数，按级别分层"
          definition="按主办学院计；没有学院的归入校级部门"
          unit="门"
          kind="stackedHorizontalBars"
          rows={colleges}
          columns={[
            { title: '学院', value: ({ name }) => name },
            { title: '课程（门）', value: ({ count }) => count, to: ({ id }) => groupOf({ collegeId: id }) },
            { title: '占比（%）', value: ({ rate }) => rate },
            {
              title: '报名（人次）',
              value: ({ times }) => times,
              to: ({ id }) => ({ ...groupOf({ collegeId: id }), ...largestFirst('applied') }),
            },
            ...levels.map(([llId, name]): StatColumn<College> => ({
              title: name,
              value: (one) => one.levels.find((each) => each.llId === llId)?.count ?? 0,
              series: true,
              to: ({ id }) => ({ ...groupOf({ collegeId: id }), llId }),
            })),
          ]}
        />
        <StatChart
          title="参与漏斗"
          label="从报名到入账的人次"
          definition="发布为课程数，其余为人次；录取起只计仍然有效的报名"
          unit="人次"
          kind="funnel"
          rows={info?.funnel}
          isDrawn={({ key }) => key !== 'count'}
          isEmpty={info?.funnel[0]?.value === 0}
          columns={[
            { title: '环节', value: ({ name }) => name },
            {
              title: '数量',
              value: ({ value }) => value,
              series: true,
              to: ({ key }) => (key === 'count' ? {} : largestFirst(key)),
            },
            { title: '单位', value: ({ unit }) => unit },
          ]}
        />
        <StatChart
          title="模块分布"
          label="各模块的课程数"
          definition="按课程所属的一级模块计"
          kind="donut"
          unit="门"
          rows={info?.modules}
          columns={[
            { title: '模块', value: ({ name }) => name },
            { title: '课程（门）', value: ({ count }) => count, series: true, to: ({ id }) => ({ lsId: id }) },
            { title: '占比（%）', value: ({ rate }) => rate },
            {
              title: '报名（人次）',
              value: ({ times }) => times,
              to: ({ id }) => ({ lsId: id, ...largestFirst('applied') }),
            },
            { title: '学时', value: ({ hours }) => hours, to: ({ id }) => ({ lsId: id, ...largestFirst('hours') }) },
          ]}
        />
        <StatChart
          title="级别分布"
          label="各级别的课程数"
          definition="按课程级别计"
          kind="donut"
          unit="门"
          rows={level}
          columns={[
            { title: '级别', value: ({ name }) => name },
            { title: '课程（门）', value: ({ count }) => count, series: true, to: ({ llId }) => ({ llId }) },
            { title: '占比（%）', value: ({ rate }) => rate },
          ]}
        />
        <StatChart
          title="主办类型"
          label="社团、院系与校级组织主办的课程数"
          definition="由圈子发起的计为社团与圈子；其余按主办学院计为院系，没有主办学院的计为校级组织"
          kind="donut"
          unit="门"
          rows={info?.organisers}
          columns={[
            { title: '主办类型', value: ({ name }) => name },
            { title: '课程（门）', value: ({ count }) => count, series: true, to: ({ key }) => ({ organiser: key }) },
            { title: '占比（%）', value: ({ rate }) => rate },
            {
              title: '报名（人次）',
              value: ({ times }) => times,
              to: ({ key }) => ({ organiser: key, ...largestFirst('applied') }),
            },
          ]}
        />
        <StatChart
          title="学生评价"
          label={`平均 ${evaluate?.avg ?? '—'} 星，${evaluate?.times ?? 0} 人次评价`}
          definition="参与学生给出的一至五星；没有评价的课程不计"
          kind="bars"
          rows={evaluate?.dist.map((times, at) => ({ star: at + 1, times }))}
          isEmpty={evaluate?.times === 0}
          empty={{ text: '暂无评价' }}
          columns={[
            { title: '星级', value: ({ star }) => `${star} 星` },
            {
              title: '人次',
              value: ({ times }) => times,
              series: true,
              unit: '人次',
              to: ({ star }) => ({ star: String(star) }),
            },
          ]}
        />
        <StatChart
          title="各模块平均评分"
          label="各模块的平均星级"
          definition="一至五星的平均值"
          kind="horizontalBars"
          rows={evaluate?.byClass}
          empty={{ text: '暂无评价' }}
          columns={[
            { title: '模块', value: ({ name }) => name },
            {
              title: '平均星级',
              value: ({ avg }) => avg,
              series: true,
              unit: '星',
              to: ({ id }) => ({ lsId: id, stage: 'rated' }),
            },
            { title: '人次', value: ({ times }) => times, to: ({ id }) => ({ lsId: id, stage: 'rated' }) },
          ]}
        />
        <StatChart
          title="课程活跃度"
          label="活跃度最高的课程"
          definition={`${livelinessFormula(lessonParts, lively?.[0]?.weights)}。只计已开始且未取消的课程`}
          isWide
          unit="分"
          note="取活跃度最高的十门，全部见表格。"
          kind="stackedHorizontalBars"
          rows={lively}
          isDrawn={firstTen}
          columns={[
            {
              title: '课程',
              value: ({ liName }) => liName,
              to: ({ liId, opens }) => (opens ? `/courseManagement/detailCurriculumList?liId=${liId}` : undefined),
            },
            { title: '排名', value: ({ rank }) => rank },
            { title: '主办', value: ({ collegeName }) => collegeName },
            { title: '活跃度', value: ({ score }) => score },
            ...lessonParts.map(([part, name]): StatColumn<LivelyLesson> => ({
              title: name,
              value: ({ parts }) => parts[part],
              series: true,
            })),
          ]}
        />
        <StatChart
          title="学院活跃度"
          label="各学院的课程活跃度"
          definition={`${livelinessFormula(collegeParts, colleges?.[0]?.weights)}。只计已开始且未取消的课程，按主办学院计`}
          isWide
          unit="分"
          kind="stackedHorizontalBars"
          rows={livelyColleges}
          columns={[
            { title: '学院', value: ({ name }) => name },
            { title: '课程（门）', value: ({ count }) => count, to: ({ id }) => groupOf({ collegeId: id }) },
            {
              title: '活跃度',
              value: ({ score }) => score,
              to: ({ id }) => ({ ...groupOf({ collegeId: id }), stage: 'begun' }),
            },
            ...collegeParts.map(([part, name]): StatColumn<College> => ({
              title: `${name}得分`,
              value: ({ parts }) => parts[part],
              series: name,
            })),
          ]}
        />
      </div>
    </>
  )
}
