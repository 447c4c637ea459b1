import { entriesOf, labelIn } from '../../../contract/core/codes/code-list.ts'
import { loginState, peopleKind } from '../../../contract/core/codes/outcomes.ts'
import type { Output } from '../../../contract/core/call.ts'
import { personType } from '../../../contract/core/codes/school.ts'
import { loginStatApi, weekdays } from '../../../contract/outcomes/statistics/login-statistics.calls.ts'
import { missingPlaces } from '../../../contract/outcomes/statistics/statistics.schema.ts'
import type { Column } from '../../core/list/columns.tsx'
import { DateRangeFilter } from '../../core/list/date-filters.tsx'
import { ExportButton } from '../../core/action/export.tsx'
import { SelectFilter } from '../../core/list/filters.tsx'
import { ListTable } from '../../core/list/list-table.tsx'
import { useCall, type Answer } from '../../core/service/use-call.ts'
import type { RowOf } from '../../core/list/use-list.ts'
import { CollegeFilter, GradeFilter } from '../../shared/organisation/places.tsx'
import { changeTones } from '../../shared/dashboard/change-tones.ts'
import { groupOf, StatCards, stepOf, type Filters } from '../../shared/dashboard/stat-cards.tsx'
import { StatChart, type StatColumn } from '../../shared/dashboard/stat-chart.tsx'
import { openingPeriod, StatPage, taken, useStatList } from '../../shared/dashboard/stat-page.tsx'
import { choicesOf } from '../../core/parts/multi-select.tsx'
import { MorePersonFilters, morePersonFilters, places } from './stat-filters.tsx'

const shared = ['startTime', 'endTime', 'tab', 'collegeId', 'majorId', 'scClassId', 'grade', 'everybody'] as const
const hours = Array.from({ length: 24 }, (_, hour) => `${hour} 时`)

const columns: Column<RowOf<typeof loginStatApi.detail>>[] = [
  {
    title: '姓名',
    dataIndex: 'suiName',
    fixed: 'left',
    to: (row) =>
      row.opens &&
      `/personnelAdmin/${row.suiType === personType.student ? 'studentAdmin' : 'teacherAdmin'}/detail?suId=${row.suId}`,
  },
  { title: '学工号', dataIndex: 'suiNumber', width: 150, sorter: true },
  {
    title: '人员',
    dataIndex: 'suiType',
    width: 90,
    render: (_, { suiType }) => (suiType === personType.student ? '学生' : '教职工'),
  },
  { title: '学院', dataIndex: 'collegeName', width: 160 },
  { title: '年级', dataIndex: 'grade', width: 80 },
  { title: '登录次数', dataIndex: 'times', width: 104, number: true, sorter: true },
  { title: '最近登录', dataIndex: 'lastTime', width: 170, render: (_, { lastTime }) => lastTime ?? '—' },
  { title: '终端', dataIndex: 'terminal', width: 100 },
  { title: 'IP', dataIndex: 'ip', width: 130 },
]

const came = { loginState: loginState.withinPeriod }

/** 登录统计: who uses the console, when, and who never did. */
export function LoginStatisticsPage() {
  const list = useStatList(loginStatApi.detail, { initial: openingPeriod() })
  const filters = taken(list.state.filters, shared)
  const { data: info } = useCall(loginStatApi.college, filters, { keepPrevious: true })
  return (
    <StatPage
      title="登录统计"
      list={list}
      asOf={info?.asOf}
      narrowing={['loginState', 'weekday', 'hour', 'lacking', 'sort', 'order']}
      filters={
        <>
          <DateRangeFilter names={['startTime', 'endTime']} label="登录时间" />
          <SelectFilter
            name="tab"
            label="人员"
            placeholder="全部"
            options={choicesOf(entriesOf(peopleKind).filter(([value]) => value !== peopleKind.all))}
          />
          <CollegeFilter names={places} />
          <GradeFilter name="grade" clears={[places.class]} />
        </>
      }
      moreFilters={{
        names: morePersonFilters,
        filters: <MorePersonFilters everybody="含非在读、离职人员" />,
      }}
      exports={<ExportButton to={loginStatApi.exportDetail} list={list} />}
      figures={<Figures filters={filters} info={info} />}
      detailFilters={
        <>
          <SelectFilter
            name="loginState"
            label="登录情况"
            placeholder={labelIn(loginState, loginState.withinPeriod)}
            options={choicesOf(entriesOf(loginState))}
          />
          <SelectFilter
            name="weekday"
            label="星期"
            options={weekdays.map((label, at) => ({ value: String(at + 1), label }))}
          />
          <SelectFilter name="hour" label="时段" options={hours.map((label, at) => ({ value: String(at), label }))} />
          <SelectFilter name="lacking" label="未登记" options={choicesOf(missingPlaces)} />
        </>
      }
      details={<ListTable list={list} rowKey="suId" columns={columns} />}
    />
  )
}

function Figures({ filters, info }: { filters: Record<string, string>; info: Answer<typeof loginStatApi.college> }) {
  const { data: grade } = useCall(loginStatApi.grade, filters, { keepPrevious: true })
  return (
    <>
      <StatCards
        answer={info}
        rises={changeTones.login}
        leads={{
          people: came,
          students: { ...came, tab: peopleKind.students },
          staff: { ...came, tab: peopleKind.staff },
          times: came,
          day: came,
          week: { loginState: loginState.last7Days },
          month: { loginState: loginState.last30Days },
          activated: { loginState: 'ever' },
          never: { loginState: loginState.never },
        }}
      />
      <div className="stat-charts">
        <StatChart
          title="登录趋势"
          label="各时段登录的人数与人次"
          definition="人数：当天（或当月）登录过的人，每人计一次；人次：登录次数。超过三个月按月显示"
          isWide
          height={260}
          kind="lines"
          rows={info?.trend}
          isEmpty={info?.trend.every(({ times }) => times === 0)}
          columns={[
            { title: '时间', value: ({ date }) => date },
            {
              title: '人数',
              value: ({ people }) => people,
              series: true,
              unit: '人',
              to: ({ date }) => ({ ...came, ...stepOf(date, filters) }),
            },
            {
              title: '人次',
              value: ({ times }) => times,
              series: true,
              unit: '人次',
              to: ({ date }) => ({ ...came, ...stepOf(date, filters) }),
            },
          ]}
        />
        <StatChart
          title="各学院登录"
          label="各学院登录人数与登录率"
          definition="登录率 = 登录人数 ÷ 该学院应有人数"
          kind="horizontalBars"
          rows={info?.rows}
          columns={groupColumns('学院', ({ id }) => groupOf({ collegeId: id }))}
        />
        <StatChart
          title="各年级登录"
          label="各年级登录人数与登录率"
          definition="登录率 = 登录人数 ÷ 该年级应有人数；教职工单列"
          kind="bars"
          rows={grade?.rows}
          columns={groupColumns('年级', ({ id }) => groupOf({ grade: id }))}
        />
        <StatChart
          title="登录时段"
          label="一周各时段的登录人次"
          definition="登录人次按星期与小时分布"
          isWide
          unit="人次"
          kind="heat"
          rows={info?.heat.map((counts, day) => ({ counts, day }))}
          isEmpty={info?.heat.every((counts) => counts.every((times) => times === 0))}
          columns={[
            { title: '星期', value: ({ day }) => weekdays[day]! },
            ...hours.map((title, hour): StatColumn<{ counts: readonly number[]; day: number }> => ({
              title,
              value: ({ counts }) => counts[hour]!,
              series: true,
              to: ({ day }) => ({ ...came, weekday: String(day + 1), hour: String(hour) }),
            })),
          ]}
        />
      </div>
    </>
  )
}

type Group = Output<typeof loginStatApi.college>['rows'][number]
/** How many of each group signed in; `filtersOf` gives the filters of the list for a group. */
const groupColumns = (title: string, filtersOf: (group: Group) => Filters): StatColumn<Group>[] => {
  const those = (group: Group) => ({ ...came, ...filtersOf(group) })
  return [
    { title, value: ({ name }) => name },
    { title: '登录人数', value: ({ people }) => people, series: '登录人数（人）', unit: '人', to: those },
    { title: '登录人次', value: ({ times }) => times, to: those },
    { title: '应有人数', value: ({ total }) => total, to: (group) => ({ loginState: 'all', ...filtersOf(group) }) },
    { title: '登录率（%）', value: ({ rate }) => rate, series: true, to: those },
  ]
}
