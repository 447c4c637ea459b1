import {
  circleSizes,
  circleStages,
  circleStatApi,
  idleDays,
} from '../../../contract/outcomes/statistics/circle-statistics.calls.ts'
import type { Column } from '../../core/list/columns.tsx'
import { DateRangeFilter } from '../../core/list/date-filters.tsx'
import { labelOf } from '../../core/service/dictionary-store.ts'
import { ExportButton } from '../../core/action/export.tsx'
import { DictionaryFilter, SelectFilter } from '../../core/list/filters.tsx'
import { ListTable } from '../../core/list/list-table.tsx'
import { CascadeFilter } from '../../core/list/tree-filters.tsx'
import { useCall } from '../../core/service/use-call.ts'
import type { RowOf } from '../../core/list/use-list.ts'
import { useCircleClasses } from '../../shared/circles/circle-parts.tsx'
import { useCurriculumTree } from '../../shared/curriculum/curriculum-tree.ts'
import { CollegeFilter } from '../../shared/organisation/places.tsx'
import { CircleFigures } from './circle-figures.tsx'
import { LevelFilter } from './stat-filters.tsx'
import { openingPeriod, StatPage, taken, useStatList } from '../../shared/dashboard/stat-page.tsx'
import { choicesOf } from '../../core/parts/multi-select.tsx'
import { figure } from '../../core/service/figure.ts'

const shared = ['startTime', 'endTime', 'collegeId', 'ciClass', 'ciLevel', 'lsId', 'llId'] as const
const rate = (value: number | null) => (value === null ? '—' : `${value}%`)

const columns: Column<RowOf<typeof circleStatApi.detail>>[] = [
  {
    title: '圈子名称',
    dataIndex: 'ciName',
    fixed: 'left',
    to: (row) => row.opens && `/communityAdmin/communityList/detail?ciId=${row.ciId}`,
  },
  { title: '分类', dataIndex: 'ccName', width: 110 },
  { title: '挂靠学院', dataIndex: 'collegeName', width: 150, render: (_, { collegeName }) => collegeName || '全校' },
  { title: '负责人', dataIndex: 'cpiPersonName', width: 90 },
  { title: '状态', dataIndex: 'ciStatus', width: 120, dict: 'circle_status' },
  { title: '成员', dataIndex: 'members', width: 80, number: true, sorter: true },
  { title: '活动', dataIndex: 'lessons', width: 80, number: true, sorter: true },
  { title: '参与人次', dataIndex: 'people', width: 100, number: true, sorter: true },
  { title: '签到率', dataIndex: 'signRate', width: 90, number: true, render: (_, { signRate }) => rate(signRate) },
  { title: '编号', dataIndex: 'ciNo', width: 120, sorter: true },
  { title: '指导老师', key: 'teacherNames', width: 120, render: (_, { teacherNames }) => teacherNames.join('、') },
  {
    title: '成员参与',
    dataIndex: 'memberRate',
    width: 100,
    number: true,
    render: (_, { memberRate }) => rate(memberRate),
  },
  { title: '评分', dataIndex: 'rating', width: 80, number: true, render: (_, { rating }) => rating ?? '—' },
  {
    title: '年审结果',
    key: 'review',
    width: 130,
    render: (_, { crYear, crResult }) => (crYear === null ? '—' : `${crYear} ${labelOf('circle_review', crResult!)}`),
  },
  {
    title: '星级',
    dataIndex: 'crStar',
    width: 80,
    render: (_, { crStar }) => (crStar === null ? '—' : labelOf('circle_star', crStar)),
  },
  {
    title: '最近活动',
    dataIndex: 'lastTime',
    width: 170,
    sorter: true,
    render: (_, { lastTime, isIdle }) => (
      <>
        {lastTime?.slice(0, 10) ?? '—'}
        {isIdle && <span className="stat-idle">{idleDays} 天无活动</span>}
      </>
    ),
  },
]
const heldColumns: Column<RowOf<typeof circleStatApi.lessons>>[] = [
  {
    title: '活动名称',
    dataIndex: 'liName',
    fixed: 'left',
    to: (row) => row.opens && `/courseManagement/detailCurriculumList?liId=${row.liId}`,
  },
  { title: '圈子', dataIndex: 'ciName', width: 170 },
  { title: '模块', dataIndex: 'lsName', width: 160 },
  { title: '级别', dataIndex: 'levelName', width: 104 },
  { title: '状态', dataIndex: 'liStatus', width: 130, dict: 'lesson_status' },
  { title: '开始时间', dataIndex: 'startTime', width: 160, sorter: true },
  { title: '报名', dataIndex: 'applied', width: 80, number: true, sorter: true },
  { title: '录取', dataIndex: 'passed', width: 80, number: true, sorter: true },
  { title: '签到', dataIndex: 'signed', width: 80, number: true, sorter: true },
  {
    title: '成员签到',
    key: 'members',
    width: 100,
    number: true,
    render: (_, { members, membersSigned }) => `${figure(membersSigned)} / ${figure(members)}`,
  },
  {
    title: '评分',
    dataIndex: 'rating',
    width: 80,
    number: true,
    sorter: true,
    render: (_, { rating }) => rating ?? '—',
  },
]

/** 圈子统计: which circles there are, what they hold, who belongs to them, and which are lively. */
export function CircleStatisticsPage() {
  const list = useStatList(circleStatApi.detail, { initial: openingPeriod() })
  const { tree } = useCurriculumTree()
  const filters = taken(list.state.filters, shared)
  const { data: info } = useCall(circleStatApi.total, filters, { keepPrevious: true })
  const held = useStatList(circleStatApi.lessons, { fixed: filters, under: 'held' })
  return (
    <StatPage
      title="圈子统计"
      list={list}
      asOf={info?.asOf}
      narrowing={['stage', 'size', 'lacking', 'sort', 'order']}
      filters={
        <>
          <DateRangeFilter names={['startTime', 'endTime']} label="活动发布时间" />
          <CollegeFilter names={{ college: 'collegeId' }} />
          <SelectFilter name="ciClass" label="圈子分类" options={useCircleClasses()} />
          <DictionaryFilter name="ciLevel" label="圈子级别" type="circle_level" />
        </>
      }
      moreFilters={{
        names: ['lsId', 'llId'],
        filters: (
          <>
            <CascadeFilter name="lsId" label="活动模块" tree={tree} />
            <LevelFilter />
          </>
        ),
      }}
      exports={
        <>
          <ExportButton to={circleStatApi.exportList} list={list}>
            导出圈子
          </ExportButton>
          <ExportButton to={circleStatApi.exportLessons} list={held}>
            导出活动
          </ExportButton>
        </>
      }
      figures={<CircleFigures filters={filters} info={info} />}
      detailFilters={
        <>
          <SelectFilter name="stage" label="情况" options={choicesOf(circleStages)} />
          <SelectFilter name="size" label="成员数" options={choicesOf(circleSizes)} />
          <SelectFilter name="lacking" label="挂靠" options={[{ value: 'college', label: '没有挂靠学院' }]} />
        </>
      }
      details={
        <>
          <ListTable
            list={list}
            rowKey="ciId"
            columns={columns}
            empty={{ text: '暂无数据', hint: '所选时间内没有圈子，可换一段时间再看。' }}
          />
          <h2 className="stat-second">圈子活动</h2>
          <ListTable
            list={held}
            rowKey="liId"
            columns={heldColumns}
            name="held"
            empty={{ text: '暂无数据', hint: '所选时间内圈子没有发布活动，可换一段时间再看。' }}
          />
        </>
      }
    />
  )
}
