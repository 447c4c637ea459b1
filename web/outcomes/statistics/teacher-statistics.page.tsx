import { Link } from 'react-router'
import { guideKinds, teacherStatApi } from '../../../contract/outcomes/statistics/teacher-statistics.calls.ts'
import type { Column } from '../../core/list/columns.tsx'
import { DateRangeFilter } from '../../core/list/date-filters.tsx'
import { ExportButton } from '../../core/action/export.tsx'
import { DictionaryFilter, SelectFilter } from '../../core/list/filters.tsx'
import { ListTable } from '../../core/list/list-table.tsx'
import { CascadeFilter } from '../../core/list/tree-filters.tsx'
import { useCall, type Answer } from '../../core/service/use-call.ts'
import type { RowOf } from '../../core/list/use-list.ts'
import { useCurriculumTree } from '../../shared/curriculum/curriculum-tree.ts'
import { CollegeFilter } from '../../shared/organisation/places.tsx'
import { LevelFilter } from './stat-filters.tsx'
import { changeTones } from '../../shared/dashboard/change-tones.ts'
import { groupOf, largestFirst, StatCards } from '../../shared/dashboard/stat-cards.tsx'
import { firstTen, StatChart } from '../../shared/dashboard/stat-chart.tsx'
import { openingPeriod, StatPage, taken, useStatList } from '../../shared/dashboard/stat-page.tsx'
import { choicesOf } from '../../core/parts/multi-select.tsx'
import { figure } from '../../core/service/figure.ts'

const shared = ['startTime', 'endTime', 'collegeId', 'lsId', 'llId'] as const

interface Ranked {
  id: string
  opens: boolean
}
const person = ({ id, opens }: Ranked) => (opens ? `/personnelAdmin/teacherAdmin/detail?suId=${id}` : undefined)
/** The sheet of the courses that somebody guides, for those who may open it. */
const sheetOf = ({ id, opens }: Ranked) => (opens ? `/StatisticsAdmin/TeacherStatistics/sheet?suId=${id}` : undefined)

const columns: Column<RowOf<typeof teacherStatApi.detail>>[] = [
  {
    title: '教师',
    dataIndex: 'suiName',
    fixed: 'left',
    to: (row) => row.opens && `/personnelAdmin/teacherAdmin/detail?suId=${row.suId}`,
  },
  { title: '工号', dataIndex: 'suiNumber', width: 130, sorter: true },
  { title: '学院', dataIndex: 'collegeName', width: 160 },
  { title: '职称', dataIndex: 'title', width: 100 },
  {
    title: '指导课程',
    dataIndex: 'lessons',
    width: 100,
    number: true,
    sorter: true,
    render: (_, { suId, lessons, opens }) => {
      const sheet = sheetOf({ id: suId, opens })
      return sheet && lessons > 0 ? <Link to={sheet}>{figure(lessons)}</Link> : figure(lessons)
    },
  },
  { title: '指导圈子', dataIndex: 'circles', width: 100, number: true, sorter: true },
  { title: '学生人次', dataIndex: 'times', width: 100, number: true, sorter: true },
  { title: '指导学时', dataIndex: 'hours', width: 100, number: true, sorter: true },
  { title: '评分', dataIndex: 'rating', width: 70, number: true, render: (_, { rating }) => rating ?? '—' },
  { title: '审批件数', dataIndex: 'handled', width: 100, number: true, sorter: true },
  {
    title: '平均处理（小时）',
    dataIndex: 'handleHours',
    width: 120,
    number: true,
    render: (_, { handleHours }) => handleHours ?? '—',
  },
]
const guidedColumns: Column<RowOf<typeof teacherStatApi.lessons>>[] = [
  {
    title: '课程名称',
    dataIndex: 'liName',
    fixed: 'left',
    to: (row) => row.opens && `/courseManagement/detailCurriculumList?liId=${row.liId}`,
  },
  { title: '教师', dataIndex: 'suiName', width: 100 },
  { title: '工号', dataIndex: 'suiNumber', width: 120 },
  { title: '学院', dataIndex: 'collegeName', width: 150 },
  { title: '级别', dataIndex: 'levelName', width: 104 },
  { title: '状态', dataIndex: 'liStatus', width: 130, dict: 'lesson_status' },
  { title: '开始时间', dataIndex: 'startTime', width: 160, sorter: true },
  { title: '签到人次', dataIndex: 'signed', width: 104, number: true, sorter: true },
  { title: '学时', dataIndex: 'hours', width: 80, number: true, sorter: true },
  {
    title: '评分',
    dataIndex: 'rating',
    width: 80,
    number: true,
    sorter: true,
    render: (_, { rating }) => rating ?? '—',
  },
]

const guiding = { guides: '1' }
/** 教师统计: who guides courses, how many students came, and how much was decided. */
export function TeacherStatisticsPage() {
  const list = useStatList(teacherStatApi.detail, { initial: openingPeriod() })
  const { tree } = useCurriculumTree()
  const filters = taken(list.state.filters, shared)
  const { data: info } = useCall(teacherStatApi.total, filters, { keepPrevious: true })
  const guided = useStatList(teacherStatApi.lessons, { fixed: filters, under: 'guided' })
  return (
    <StatPage
      title="教师统计"
      list={list}
      asOf={info?.asOf}
      narrowing={['guides', 'sex', 'lacking', 'sort', 'order']}
      filters={
        <>
          <DateRangeFilter names={['startTime', 'endTime']} label="活动时间" />
          <CollegeFilter names={{ college: 'collegeId' }} />
          <CascadeFilter name="lsId" label="模块" tree={tree} />
          <LevelFilter />
        </>
      }
      exports={
        <>
          <ExportButton to={teacherStatApi.exportDetail} list={list}>
            导出教师
          </ExportButton>
          <ExportButton to={teacherStatApi.exportLessons} list={guided}>
            导出指导课程
          </ExportButton>
        </>
      }
      figures={<Figures filters={filters} info={info} />}
      detailFilters={
        <>
          <SelectFilter name="guides" label="指导情况" options={choicesOf(guideKinds)} />
          <DictionaryFilter name="sex" label="性别" type="sex" />
          <SelectFilter name="lacking" label="所属" options={[{ value: 'college', label: '没有所属学院' }]} />
        </>
      }
      details={
        <>
          <ListTable list={list} rowKey="suId" columns={columns} />
          <h2 className="stat-second">指导课程</h2>
          <ListTable list={guided} rowKey="id" columns={guidedColumns} name="guided" />
        </>
      }
    />
  )
}

function Figures({ filters, info }: { filters: Record<string, string>; info: Answer<typeof teacherStatApi.total> }) {
  const { data: activities } = useCall(teacherStatApi.activities, filters, { keepPrevious: true })
  const { data: score } = useCall(teacherStatApi.score, filters, { keepPrevious: true })
  const { data: colleges } = useCall(teacherStatApi.colleges, filters, { keepPrevious: true })
  const { data: sex } = useCall(teacherStatApi.sex, filters, { keepPrevious: true })
  const { data: political } = useCall(teacherStatApi.political, filters, { keepPrevious: true })
  return (
    <>
      <StatCards
        answer={info}
        rises={changeTones.teacher}
        leads={{
          people: guiding,
          rate: guiding,
          perTeacher: { ...guiding, ...largestFirst('lessons') },
          hours: { ...guiding, ...largestFirst('hours') },
          times: { ...guiding, ...largestFirst('times') },
          rating: { guides: 'rated' },
        }}
        others={{ rate: { name: '未指导的教师', lead: { guides: '0' } } }}
      />
      <div className="stat-charts">
        <StatChart
          title="指导课程排行"
          label="指导课程最多的教师"
          definition="时间范围内开始、已发布且未取消的课程；负责人与指导老师各计一门"
          note="取前十名，其余见表格。"
          kind="horizontalBars"
          rows={activities}
          isDrawn={firstTen}
          columns={[
            { title: '教师', value: ({ name }) => name, to: person },
            { title: '指导课程（门）', value: ({ num }) => num, series: true, to: sheetOf },
          ]}
        />
        <StatChart
          title="评分排行"
          label="学生评价最高的教师"
          definition="所指导课程的平均星级；没有评价的不列入"
          note="取前十名，其余见表格。"
          kind="horizontalBars"
          rows={score}
          isDrawn={firstTen}
          empty={{ text: '暂无评价' }}
          columns={[
            { title: '教师', value: ({ name }) => name, to: person },
            { title: '平均星级', value: ({ score: stars }) => stars, series: true, unit: '星', to: sheetOf },
            { title: '评价（人次）', value: ({ times }) => times },
          ]}
        />
        <StatChart
          title="各学院指导情况"
          label="各学院教师指导的课程数与参与率"
          definition="参与率 = 指导过课程的教职工 ÷ 在职教职工"
          isWide
          kind="bars"
          rows={colleges}
          columns={[
            { title: '学院', value: ({ name }) => name },
            {
              title: '指导课程（门）',
              value: ({ num }) => num,
              series: true,
              to: ({ id }) => ({ ...groupOf({ collegeId: id }), ...guiding, ...largestFirst('lessons') }),
            },
            {
              title: '参与人数',
              value: ({ people }) => people,
              to: ({ id }) => ({ ...groupOf({ collegeId: id }), ...guiding }),
            },
            { title: '在职人数', value: ({ total }) => total, to: ({ id }) => groupOf({ collegeId: id }) },
            {
              title: '参与率（%）',
              value: ({ rate }) => rate,
              series: true,
              to: ({ id }) => ({ ...groupOf({ collegeId: id }), ...guiding }),
            },
          ]}
        />
        <StatChart
          title="性别"
          label="男女教职工的人数"
          definition="在职教职工"
          kind="donut"
          unit="人"
          rows={sex}
          columns={[
            { title: '性别', value: ({ name }) => name },
            { title: '人数', value: ({ value }) => value, series: true, to: ({ key }) => ({ sex: key }) },
          ]}
        />
        <StatChart
          title="政治面貌"
          label="各政治面貌的教职工人数"
          definition="在职教职工，只按学院筛选；不足 5 人的面貌合并显示，为免由相减得出个人，人数相近的也可能并入，不列名单"
          kind="donut"
          unit="人"
          rows={political}
          columns={[
            { title: '政治面貌', value: ({ name }) => name },
            { title: '人数', value: ({ value }) => value, series: true, lacking: '不足 5 人' },
          ]}
        />
      </div>
    </>
  )
}
