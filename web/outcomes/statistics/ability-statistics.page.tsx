import { Link } from 'react-router'
import { abilityStatApi } from '../../../contract/outcomes/statistics/ability-statistics.calls.ts'
import type { Column } from '../../core/list/columns.tsx'
import { DateRangeFilter } from '../../core/list/date-filters.tsx'
import { ExportButton } from '../../core/action/export.tsx'
import { ListTable } from '../../core/list/list-table.tsx'
import { isScreenOpen } from '../../core/service/open-screens.ts'
import { SwitchFilter } from '../../core/list/switch-filter.tsx'
import { useCall, type Answer } from '../../core/service/use-call.ts'
import type { RowOf } from '../../core/list/use-list.ts'
import { ClassFilter, CollegeFilter, GradeFilter, MajorFilter } from '../../shared/organisation/places.tsx'
import { changeTones } from '../../shared/dashboard/change-tones.ts'
import { groupOf, StatCards } from '../../shared/dashboard/stat-cards.tsx'
import { StatChart, type StatColumn } from '../../shared/dashboard/stat-chart.tsx'
import { StatPage, taken, useShown, useStatList } from '../../shared/dashboard/stat-page.tsx'
import { figure } from '../../core/service/figure.ts'

const shared = ['startTime', 'endTime', 'collegeId', 'majorId', 'scClassId', 'grade', 'everybody'] as const
const places = { college: 'collegeId', major: 'majorId', class: 'scClassId' }
const places4 = ['collegeId', 'majorId', 'scClassId', 'everybody'] as const
type Row = RowOf<typeof abilityStatApi.colleges>

/** Those who have a score of each ability: a college, a grade, the school. */
interface Rated {
  labels: readonly Ability[]
}
interface Ability {
  sqlId: string
  sqlName: string
  score: number
}
const scoreOf = ({ labels }: Rated, ability: string): number =>
  labels.find(({ sqlId }) => sqlId === ability)?.score ?? 0

/** The address of the list of a group's students, for those who may see it. */
const listOfStudents = (
  group: { collegeId?: string; grade?: string },
  filters: Record<string, string> = {},
): string | undefined =>
  isScreenOpen('/StatisticsAdmin/StudentStatistics')
    ? `/StatisticsAdmin/StudentStatistics?${new URLSearchParams({ ...taken(filters, places4), ...groupOf(group), stage: 'counted', show: 'list' })}`
    : undefined

const columnsOf = (rows: readonly Row[]): Column<Row>[] => [
  { title: '学院', dataIndex: 'collegeName', fixed: 'left' },
  { title: '排名', dataIndex: 'rank', width: 80, number: true, sorter: true },
  {
    title: '学生人数',
    dataIndex: 'students',
    width: 104,
    number: true,
    sorter: true,
    render: (_, { students, collegeId }) => {
      const address = listOfStudents({ collegeId })
      return address && students > 0 ? <Link to={address}>{figure(students)}</Link> : figure(students)
    },
  },
  { title: '合计', dataIndex: 'total', width: 90, number: true, sorter: true },
  ...(rows[0]?.labels ?? []).map(({ sqlId, sqlName }): Column<Row> => ({
    title: sqlName,
    key: sqlId,
    width: 110,
    number: true,
    render: (_, row) => scoreOf(row, sqlId),
  })),
]

/** 能力统计: what abilities students have, where they lack, and what courses offer. */
export function AbilityStatisticsPage() {
  const list = useStatList(abilityStatApi.colleges)
  const filters = taken(list.state.filters, shared)
  const [shown] = useShown()
  const { current, pageSize } = list.state
  // the list asks the same call, page by page: beside it nothing else is asked
  const asked = shown === 'list' ? { ...list.query, current, pageSize } : filters
  const { data: colleges } = useCall(abilityStatApi.colleges, asked, { keepPrevious: true })
  return (
    <StatPage
      title="能力统计"
      covers="入学至今累计"
      list={list}
      asOf={colleges?.asOf}
      narrowing={['sort', 'order']}
      filters={
        <>
          <DateRangeFilter names={['startTime', 'endTime']} label="获得时间" />
          <CollegeFilter names={places} />
          <GradeFilter name="grade" clears={[places.class]} />
          <MajorFilter names={places} />
        </>
      }
      moreFilters={{
        names: [places.class, 'everybody'],
        filters: (
          <>
            <ClassFilter names={places} grade="grade" />
            <SwitchFilter name="everybody" label="含非在读学生" />
          </>
        ),
      }}
      exports={<ExportButton to={abilityStatApi.exportList} list={list} />}
      figures={<Figures filters={filters} colleges={colleges} />}
      details={<ListTable list={list} rowKey="collegeId" columns={columnsOf(list.rows)} />}
    />
  )
}

function Figures({
  filters,
  colleges,
}: {
  filters: Record<string, string>
  colleges: Answer<typeof abilityStatApi.colleges>
}) {
  const { data: labels } = useCall(abilityStatApi.labels, filters, { keepPrevious: true })
  const { data: grades } = useCall(abilityStatApi.grades, filters, { keepPrevious: true })
  const own = colleges?.school.labels ?? []
  const beside = colleges?.beside ?? []
  // those counted are drawn where they are none of these: a major, a class, or a grade of a college
  const isOwn = Boolean(filters.majorId || filters.scClassId || (filters.collegeId && filters.grade))
  const best = beside.length === 1 && !isOwn ? (colleges?.records ?? []).slice(0, 3) : []
  const compared = [
    ...beside.map(({ name, labels: means }) => ({ name, labels: means })),
    ...(isOwn && colleges ? [{ name: '所选学生平均', labels: own }] : []),
    ...best.map(({ collegeName, labels: means }) => ({ name: collegeName, labels: means })),
  ]
  const scoreColumns = own.map(({ sqlId, sqlName }): StatColumn<Rated> => ({
    title: sqlName,
    value: (one) => scoreOf(one, sqlId),
    series: true,
  }))
  const perStudent = '得分之和 ÷ 学生人数，没有得分的学生按 0 计；学校设置平均数不含本学期新生时，本学期入学的学生不计'
  const mean = `所选学生的平均分：${perStudent}`
  const all = colleges?.school.students ?? 0
  return (
    <>
      <StatCards answer={colleges} rises={changeTones.ability} leads={{ total: {}, best: {}, worst: {} }} />
      <div className="stat-charts">
        <StatChart
          title="能力雷达"
          label={`${compared.map(({ name }) => name).join('、')}的能力分`}
          definition={`${perStudent}。${beside[0]?.name ?? '全校平均'}为您数据范围内的全部学生，不随学院、年级、专业与班级变化；选择学院或年级后与其平均分并列，未选择时与得分最高的学院并列`}
          unit="分"
          kind="radar"
          rows={colleges?.school.labels}
          isEmpty={own.length < 3 || beside[0]?.students === 0}
          columns={[
            { title: '能力', value: ({ sqlName }) => sqlName },
            ...compared.map((one): StatColumn<Ability> => ({
              title: one.name,
              value: ({ sqlId }) => scoreOf(one, sqlId),
              series: true,
            })),
          ]}
        />
        <StatChart
          title="各标签得分"
          label="各能力标签的平均分与分位数"
          definition={mean}
          terms="P25、P50、P75 是分位数：四分之一、一半、四分之三的学生的得分不超过它；三者都为 0，说明多数学生还没有得分。"
          kind="horizontalBars"
          rows={labels?.records}
          isEmpty={labels?.records.length === 0 || all === 0}
          columns={[
            { title: '能力', value: ({ sqlName }) => sqlName },
            { title: '平均', value: ({ avg }) => avg, series: true, unit: '分' },
            { title: '最高', value: ({ max }) => max },
            { title: 'P25', value: ({ p25 }) => p25, series: 'P25（低）', unit: '分', isMark: true },
            { title: 'P50', value: ({ p50 }) => p50, series: 'P50（中位）', unit: '分', isMark: true },
            { title: 'P75', value: ({ p75 }) => p75, series: 'P75（高）', unit: '分', isMark: true },
          ]}
        />
        <StatChart
          title="学院与能力"
          label="各学院各能力的平均分"
          definition={mean}
          isWide
          unit="分"
          kind="heat"
          rows={colleges?.records}
          columns={[
            { title: '学院', value: ({ collegeName }) => collegeName },
            {
              title: '学生人数',
              value: ({ students }) => students,
              to: ({ collegeId }) => (collegeId ? { collegeId } : undefined),
            },
            ...scoreColumns,
            { title: '合计', value: ({ total }) => total },
            { title: '排名', value: ({ rank }) => rank },
          ]}
        />
        <StatChart
          title="年级曲线"
          label="各年级的平均能力分"
          definition={mean}
          unit="分"
          note={own.length > 7 && '画出得分最高的六项，其余以平均表示；全部见表格。'}
          kind="lines"
          // the youngest first, as they grow
          rows={grades?.records.toReversed()}
          name={({ grade }) => (grade ? `${grade} 级` : '未登记')}
          columns={[
            { title: '年级', value: ({ grade }) => grade },
            {
              title: '学生人数',
              value: ({ students }) => students,
              to: ({ grade }) => listOfStudents({ grade }, filters),
            },
            ...scoreColumns,
          ]}
        />
        <StatChart
          title="供给"
          label="已完成的课程按评价规则分到各能力的学时"
          definition="时间范围内开始并已完成课程的学时 × 评价规则中该能力的权重。计您数据范围内的课程，选择学院后只计该学院主办的课程；课程没有专业、年级与班级，这些条件不起作用。与平均分对照，可见哪些能力的活动偏少"
          kind="horizontalBars"
          rows={labels?.records}
          isEmpty={labels?.records.every(({ offered }) => offered === 0)}
          columns={[
            { title: '能力', value: ({ sqlName }) => sqlName },
            { title: '供给学时', value: ({ offered }) => offered, series: true, unit: '学时' },
            { title: '平均分', value: ({ avg }) => avg },
          ]}
        />
      </div>
    </>
  )
}
