import { Link } from 'react-router'
import { personType } from '../../../contract/core/codes/school.ts'
import {
  loginStates,
  loginStatApi,
  loginTabs,
  weekdays,
} from '../../../contract/outcomes/statistics/login-statistics.calls.ts'
import { missingPlaces } from '../../../contract/outcomes/statistics/statistics.schema.ts'
import { Chart } from '../../core/chart/chart.tsx'
import type { Column } from '../../core/list/columns.tsx'
import { DateRangeFilter } from '../../core/list/date-filters.tsx'
import { ExportButton } from '../../core/action/export.tsx'
import { SelectFilter } from '../../core/list/filters.tsx'
import { ListTable } from '../../core/list/list-table.tsx'
import { SwitchFilter } from '../../core/list/switch-filter.tsx'
import { useCall } from '../../core/service/use-call.ts'
import { useList, type RowOf } from '../../core/list/use-list.ts'
import { ClassFilter, CollegeFilter, GradeFilter, MajorFilter } from '../../shared/organisation/places.tsx'
import { bars, heat, lines } from '../../shared/dashboard/chart-options.ts'
import { groupOf, StatCards, stepOf, useDrillDown } from '../../shared/dashboard/stat-cards.tsx'
import { openingPeriod, StatPage, taken } from '../../shared/dashboard/stat-page.tsx'

const shared = ['startTime', 'endTime', 'tab', 'collegeId', 'majorId', 'scClassId', 'grade', 'everybody'] as const
const places = { college: 'collegeId', major: 'majorId', class: 'scClassId' }
const hours = Array.from({ length: 24 }, (_, hour) => `${hour} 时`)

const columns: Column<RowOf<typeof loginStatApi.detail>>[] = [
  {
    title: '姓名',
    dataIndex: 'suiName',
    fixed: 'left',
    render: (_, row) =>
      row.opens ? (
        <Link
          to={`/personnelAdmin/${row.suiType === personType.student ? 'studentAdmin' : 'teacherAdmin'}/detail?suId=${row.suId}`}
        >
          {row.suiName}
        </Link>
      ) : (
        row.suiName
      ),
  },
  { title: '学号或工号', dataIndex: 'suiNumber', width: 150 },
  {
    title: '人员',
    dataIndex: 'suiType',
    width: 90,
    render: (_, { suiType }) => (suiType === personType.student ? '学生' : '教职工'),
  },
  { title: '学院', dataIndex: 'collegeName', width: 160 },
  { title: '年级', dataIndex: 'grade', width: 80 },
  { title: '登录次数', dataIndex: 'times', width: 90, align: 'right' },
  { title: '最近登录', dataIndex: 'lastTime', width: 170, render: (_, { lastTime }) => lastTime ?? '—' },
  { title: '终端', dataIndex: 'terminal', width: 100 },
  { title: 'IP', dataIndex: 'ip', width: 130 },
]

const came = { loginState: '1' }

/** 登录统计: who uses the console, when, and who never did. */
export function LoginStatisticsPage() {
  const list = useList(loginStatApi.detail, { initial: openingPeriod() })
  const filters = taken(list.state.filters, shared)
  const { data: info } = useCall(loginStatApi.college, filters, { keepPrevious: true })
  return (
    <StatPage
      title="登录统计"
      list={list as never}
      asOf={info?.asOf}
      narrowing={['loginState', 'weekday', 'hour', 'lacking']}
      filters={
        <>
          <DateRangeFilter names={['startTime', 'endTime']} label="登录时间" />
          <SelectFilter
            name="tab"
            label="人员"
            placeholder="全部"
            options={loginTabs.filter(([value]) => value !== '3').map(([value, label]) => ({ value, label }))}
          />
          <CollegeFilter names={places} />
          <GradeFilter name="grade" />
        </>
      }
      moreFilters={
        <>
          <MajorFilter names={places} />
          <ClassFilter names={places} grade="grade" />
          <SwitchFilter name="everybody" label="含非在读、离职人员" />
        </>
      }
      exports={<ExportButton to={loginStatApi.exportDetail} input={list.query} />}
      figures={<Figures filters={filters} info={info} />}
      details={
        <ListTable
          list={list}
          rowKey="suId"
          columns={columns}
          filters={
            <>
              <SelectFilter
                name="loginState"
                label="登录情况"
                placeholder="时间范围内登录过"
                options={loginStates.map(([value, label]) => ({ value, label }))}
              />
              <SelectFilter
                name="weekday"
                label="星期"
                options={weekdays.map((label, at) => ({ value: String(at + 1), label }))}
              />
              <SelectFilter
                name="hour"
                label="时段"
                options={hours.map((label, at) => ({ value: String(at), label }))}
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
  info: ReturnType<typeof useCall<typeof loginStatApi.college>>['data']
}) {
  const to = useDrillDown()
  const { data: grade } = useCall(loginStatApi.grade, filters, { keepPrevious: true })
  const rowOf = (
    group: Record<string, string>,
    name: string,
    people: number,
    times: number,
    all: number,
    rate: number | null,
  ) => [
    name,
    to(people, { ...came, ...group }),
    to(times, { ...came, ...group }),
    to(all, { loginState: 'all', ...group }),
    to(rate, { ...came, ...group }),
  ]
  const cells = (info?.heat ?? []).flatMap((counts, day) => counts.map((times, hour) => [hour, day, times] as const))
  return (
    <>
      <StatCards
        cards={info?.cards}
        previous={info?.previous}
        lastYear={info?.lastYear}
        leads={{
          people: came,
          students: { ...came, tab: '1' },
          staff: { ...came, tab: '2' },
          times: came,
          day: came,
          week: { loginState: '7' },
          month: { loginState: '30' },
          activated: { loginState: 'ever' },
          never: { loginState: '0' },
        }}
      />
      <div className="stat-charts">
        <div className="card is-wide" data-keep>
          <Chart
            title="登录趋势"
            label="各时段登录的人数与人次"
            definition="人数：当天（或当月）登录过的人，每人计一次；人次：登录次数。超过三个月按月显示"
            isLoading={!info}
            isEmpty={info?.trend.every(({ times }) => times === 0)}
            height={260}
            option={lines(
              (info?.trend ?? []).map(({ date }) => date),
              [
                { name: '人数', data: (info?.trend ?? []).map(({ people }) => people) },
                { name: '人次', data: (info?.trend ?? []).map(({ times }) => times) },
              ],
            )}
            table={{
              heads: ['时间', '人数', '人次'],
              rows: (info?.trend ?? []).map(({ date, people, times }) => [
                date,
                to(people, { ...came, ...stepOf(date, filters) }),
                to(times, { ...came, ...stepOf(date, filters) }),
              ]),
            }}
          />
        </div>
        <div className="card" data-keep>
          <Chart
            title="各学院登录"
            label="各学院登录人数与登录率"
            definition="登录率 = 登录人数 ÷ 该学院应有人数"
            isLoading={!info}
            isEmpty={info?.rows.length === 0}
            option={bars(
              (info?.rows ?? []).map(({ name }) => name),
              [
                { name: '登录人数', data: (info?.rows ?? []).map(({ people }) => people) },
                { name: '登录率（%）', data: (info?.rows ?? []).map(({ rate }) => rate), isRate: true },
              ],
              { horizontal: true },
            )}
            table={{
              heads: ['学院', '登录人数', '登录人次', '应有人数', '登录率（%）'],
              rows: (info?.rows ?? []).map(({ id, name, people, times, total, rate }) =>
                rowOf(groupOf({ collegeId: id }), name, people, times, total, rate),
              ),
            }}
          />
        </div>
        <div className="card" data-keep>
          <Chart
            title="各年级登录"
            label="各年级登录人数与登录率"
            definition="登录率 = 登录人数 ÷ 该年级应有人数；教职工单列"
            isLoading={!grade}
            isEmpty={grade?.rows.length === 0}
            option={bars(
              (grade?.rows ?? []).map(({ name }) => name),
              [
                { name: '登录人数', data: (grade?.rows ?? []).map(({ people }) => people) },
                { name: '登录率（%）', data: (grade?.rows ?? []).map(({ rate }) => rate), isRate: true },
              ],
            )}
            table={{
              heads: ['年级', '登录人数', '登录人次', '应有人数', '登录率（%）'],
              rows: (grade?.rows ?? []).map(({ id, name, people, times, total, rate }) =>
                rowOf(groupOf({ grade: id }), name, people, times, total, rate),
              ),
            }}
          />
        </div>
        <div className="card is-wide" data-keep>
          <Chart
            title="登录时段"
            label="一周各时段的登录人次"
            definition="登录人次按星期与小时分布"
            isLoading={!info}
            isEmpty={cells.every(([, , times]) => times === 0)}
            option={heat(hours, [...weekdays], cells)}
            table={{
              heads: ['星期', ...hours],
              rows: (info?.heat ?? []).map((counts, day) => [
                weekdays[day],
                ...counts.map((times, hour) => to(times, { ...came, weekday: String(day + 1), hour: String(hour) })),
              ]),
            }}
          />
        </div>
      </div>
    </>
  )
}
