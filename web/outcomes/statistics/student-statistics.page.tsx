import { Switch } from 'antd'
import { yesNo } from '../../../contract/core/codes/platform.ts'
import type { Output } from '../../../contract/core/call.ts'
import { personSex } from '../../../contract/core/codes/school.ts'
import {
  creditBands,
  credibilityBands,
  sexChoices,
  studentStages,
  studentStatApi,
} from '../../../contract/outcomes/statistics/student-statistics.calls.ts'
import { coarsePoliticalStatus, missingPlaces } from '../../../contract/outcomes/statistics/statistics.schema.ts'
import type { Column } from '../../core/list/columns.tsx'
import { amountText } from '../../core/service/figure.ts'
import { DateRangeFilter } from '../../core/list/date-filters.tsx'
import { ExportButton } from '../../core/action/export.tsx'
import { SelectFilter } from '../../core/list/filters.tsx'
import { ListTable } from '../../core/list/list-table.tsx'
import { CascadeFilter } from '../../core/list/tree-filters.tsx'
import { useAddress, withParams } from '../../core/screen/use-address.ts'
import { useCall, type Answer } from '../../core/service/use-call.ts'
import type { RowOf } from '../../core/list/use-list.ts'
import { useCurriculumTree } from '../../shared/curriculum/curriculum-tree.ts'
import { heat } from '../../shared/dashboard/chart-options.ts'
import { changeTones } from '../../shared/dashboard/change-tones.ts'
import { groupOf, largestFirst, StatCards } from '../../shared/dashboard/stat-cards.tsx'
import { firstTen, StatChart, type StatColumn } from '../../shared/dashboard/stat-chart.tsx'
import { StatPage, taken, useStatList } from '../../shared/dashboard/stat-page.tsx'
import { choicesOf } from '../../core/parts/multi-select.tsx'
import { LevelFilter, MorePersonFilters, morePersonFilters, places } from './stat-filters.tsx'

const todayFields = ['collegeId', 'majorId', 'scClassId', 'grade', 'everybody'] as const
/** Of what students have, which part. */
const narrowing = ['startTime', 'endTime', 'lsId', 'llId'] as const
const isNarrowed = (filters: Record<string, string>): boolean => narrowing.some((name) => filters[name] !== undefined)
type Row = RowOf<typeof studentStatApi.detail>

const columnsOf = (rows: readonly Row[], narrowed: boolean): Column<Row>[] => [
  {
    title: '姓名',
    dataIndex: 'suiName',
    fixed: 'left',
    to: (row) => row.opens && `/personnelAdmin/studentAdmin/detail?suId=${row.suId}`,
  },
  { title: '学号', dataIndex: 'suiNumber', width: 130, sorter: true },
  { title: '班级', dataIndex: 'className', width: 140 },
  { title: narrowed ? '所选学时' : '总学时', dataIndex: 'hours', width: 100, number: true, sorter: true },
  { title: '学分', dataIndex: 'credit', width: 80, number: true, sorter: true },
  { title: '距总学时', dataIndex: 'gap', width: 90, number: true },
  { title: '达标', dataIndex: 'met', width: 70, render: (_, { met }) => (met ? '是' : '否') },
  { title: '预警等级', dataIndex: 'warnLevel', width: 100, dict: 'warn_level' },
  { title: '学院', dataIndex: 'collegeName', width: 140 },
  { title: '年级', dataIndex: 'grade', width: 80 },
  ...(rows[0]?.modules ?? []).map(({ lsId, lsName }): Column<Row> => ({
    title: lsName,
    key: lsId,
    width: 110,
    number: true,
    render: (_, row) => amountText(row.modules.find((one) => one.lsId === lsId)?.hours ?? '0'),
  })),
  { title: '活动', dataIndex: 'activities', width: 80, number: true, sorter: true },
  { title: '诚信分', dataIndex: 'suiCredibility', width: 90, number: true, sorter: true },
  { title: '缺席', dataIndex: 'absences', width: 70, number: true },
  {
    title: '最近记录',
    dataIndex: 'lastTime',
    width: 120,
    sorter: true,
    render: (_, { lastTime }) => lastTime?.slice(0, 10) ?? '—',
  },
]

/** 学生统计: what students have, to this day or of a period, and who has little. */
export function StudentStatisticsPage() {
  const list = useStatList(studentStatApi.detail)
  const filters = taken(list.state.filters, [...todayFields, ...narrowing])
  const { tree } = useCurriculumTree()
  const { data: info } = useCall(studentStatApi.total, filters, { keepPrevious: true })
  const asChoices = (rows: readonly { id: string; name: string }[] | undefined) =>
    (rows ?? []).map(({ id, name }) => ({ value: id, label: name }))
  const colleges = asChoices(useCall(studentStatApi.colleges, {}, { staleTime: 300_000 }).data)
  const grades = asChoices(useCall(studentStatApi.grades, {}, { staleTime: 300_000 }).data)
  return (
    <StatPage
      title="学生统计"
      covers="入学至今累计"
      list={list}
      asOf={info?.asOf}
      narrowing={['stage', 'band', 'creditBand', 'sex', 'lacking', 'sort', 'order']}
      filters={
        <>
          <DateRangeFilter names={['startTime', 'endTime']} label="获得时间" />
          <SelectFilter name="collegeId" label="学院" options={colleges} clears={[places.major, places.class]} />
          <SelectFilter name="grade" label="年级" options={grades} clears={[places.class]} />
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
      exports={<ExportButton to={studentStatApi.exportDetail} list={list} />}
      figures={<Figures filters={filters} info={info} />}
      detailFilters={
        <>
          <SelectFilter name="stage" label="情况" options={choicesOf(studentStages)} />
          <SelectFilter name="band" label="诚信分" options={choicesOf(credibilityBands)} />
          <SelectFilter name="creditBand" label="学分" options={choicesOf(creditBands)} />
          <SelectFilter name="sex" label="性别" options={choicesOf(sexChoices)} />
          <SelectFilter name="lacking" label="未登记" options={choicesOf(missingPlaces)} />
        </>
      }
      details={<ListTable list={list} rowKey="suId" columns={columnsOf(list.rows, isNarrowed(filters))} />}
    />
  )
}

function Figures({ filters, info }: { filters: Record<string, string>; info: Answer<typeof studentStatApi.total> }) {
  const [query, change] = useAddress()
  const anonymous = query.get('anonymous') === yesNo.yes
  const { data: score } = useCall(studentStatApi.score, filters, { keepPrevious: true })
  const { data: activity } = useCall(studentStatApi.activity, filters, { keepPrevious: true })
  const { data: credit } = useCall(studentStatApi.credit, filters, { keepPrevious: true })
  const { data: gradeSex } = useCall(studentStatApi.gradeSex, taken(filters, todayFields), { keepPrevious: true })
  const { data: ranking } = useCall(
    studentStatApi.ranking,
    { ...filters, ...(anonymous && { anonymous: yesNo.yes }) },
    { keepPrevious: true },
  )
  const { data: political } = useCall(studentStatApi.political, taken(filters, todayFields), { keepPrevious: true })
  const { data: sex } = useCall(studentStatApi.sex, filters, { keepPrevious: true })
  const of = isNarrowed(filters) ? '只计所选时间、模块与级别的记录' : '入学至今累计'
  const credibility = credit?.filter(({ series }) => series === 'credibility')
  const credits = credit?.filter(({ series }) => series === 'credit')
  const colleges = [...new Map((score ?? []).map((one) => [one.collegeId, one.collegeName]))]
  const grades = [...new Set((score ?? []).map(({ grade }) => grade))].toSorted()
  const isCoarse = political?.[0]?.key === coarsePoliticalStatus
  return (
    <>
      <StatCards
        answer={info}
        rises={changeTones.student}
        leads={{
          people: {},
          recorded: { stage: 'recorded' },
          coverage: { stage: 'recorded' },
          avgHours: { stage: 'counted', ...largestFirst('hours') },
          avgActivities: { stage: 'counted', ...largestFirst('activities') },
          metRate: { stage: 'met' },
          zero: { stage: 'zero' },
          black: { stage: 'black' },
        }}
        others={{
          coverage: { name: '没有记录的学生', lead: { stage: 'none' } },
          metRate: { name: '未达标的学生', lead: { stage: 'unmet' } },
        }}
      />
      <div className="stat-charts">
        <StatChart
          title="人均学时（学院 × 年级）"
          label="各学院各年级的人均学时"
          definition={`已入账学时 ÷ 学生人数，按学生现在的学院与年级计；${of}`}
          isWide
          unit="学时"
          kind={heat(
            grades.map(gradeName),
            colleges.map(([, name]) => name),
            (score ?? []).map((one) => [
              grades.indexOf(one.grade),
              colleges.findIndex(([id]) => id === one.collegeId),
              one.avgHours,
            ]),
          )}
          rows={score}
          columns={[
            { title: '学院', value: ({ collegeName }) => collegeName },
            { title: '年级', value: ({ grade }) => grade },
            { title: '学生人数', value: ({ students }) => students, to: counted },
            { title: '人均学时', value: ({ avgHours }) => avgHours, to: counted },
            { title: '人均学分', value: ({ avgCredit }) => avgCredit, to: counted },
          ]}
        />
        <StatChart
          title="参与指数"
          label="各学院各年级的人均活动次数"
          definition={`已入账的活动次数 ÷ 学生人数；${of}`}
          unit="次"
          kind={heat(
            grades.map(gradeName),
            colleges.map(([, name]) => name),
            (activity ?? []).map((one) => [
              grades.indexOf(one.grade),
              colleges.findIndex(([id]) => id === one.collegeId),
              one.score,
            ]),
          )}
          rows={activity}
          columns={[
            { title: '学院', value: ({ collegeName }) => collegeName },
            { title: '年级', value: ({ grade }) => grade },
            { title: '学生人数', value: ({ students }) => students, to: counted },
            {
              title: '人均活动（次）',
              value: ({ score: times }) => times,
              to: (one) => ({ ...counted(one), ...largestFirst('activities') }),
            },
          ]}
        />
        <StatChart
          title="年级与性别"
          label="各年级的男女人数"
          definition="学生人数；未知与未说明合并"
          unit="人"
          kind="stackedBars"
          rows={gradeSex}
          name={({ grade }) => gradeName(grade)}
          columns={[
            { title: '年级', value: ({ grade }) => grade },
            {
              title: '男',
              value: ({ male }) => male,
              series: true,
              to: ({ grade }) => ({ ...groupOf({ grade }), sex: personSex.male }),
            },
            {
              title: '女',
              value: ({ female }) => female,
              series: true,
              to: ({ grade }) => ({ ...groupOf({ grade }), sex: personSex.female }),
            },
            {
              title: '未知',
              value: ({ unknown }) => unknown,
              series: true,
              to: ({ grade }) => ({ ...groupOf({ grade }), sex: 'unknown' }),
            },
          ]}
        />
        <StatChart
          title="诚信分分布"
          label="各诚信分段的人数与人均学时"
          definition={`学生现在的诚信分；人均学时与人均学分按该分段的学生计，${of}`}
          kind="bars"
          rows={credibility}
          isEmpty={credibility?.every(({ count }) => count === 0)}
          columns={bandColumns('诚信分', 'band')}
        />
        <StatChart
          title="学分分布"
          label="各学分段的人数与人均学时"
          definition={`学生已入账的学分，冲正的已扣除；人均学时与人均学分按该分段的学生计，${of}`}
          kind="horizontalBars"
          rows={credits}
          isEmpty={credits?.every(({ count }) => count === 0)}
          columns={bandColumns('学分', 'creditBand')}
        />
        <StatChart
          title="政治面貌"
          label="各政治面貌的人数"
          definition="不足 5 人的面貌合并显示，为免由相减得出个人，人数相近的也可能并入，也不列名单；人均学时按该组学生入学至今的学时计"
          kind="donut"
          unit="人"
          rows={political}
          isEmpty={isCoarse || political?.length === 0}
          {...(isCoarse && {
            empty: { text: '政治面貌只按学院或年级统计', hint: '请只选学院或年级之一，并关闭“含非在读学生”' },
          })}
          columns={[
            { title: '政治面貌', value: ({ name }) => name },
            { title: '人数', value: ({ value }) => value, series: true, lacking: '不足 5 人' },
            { title: '人均学时', value: ({ avgHours }) => avgHours },
          ]}
        />
        <StatChart
          title="性别"
          label="男女学生的人数"
          definition={`人均学时按该组学生计，${of}`}
          kind="donut"
          unit="人"
          rows={sex}
          columns={[
            { title: '性别', value: ({ name }) => name },
            { title: '人数', value: ({ value }) => value, series: true, to: ({ key }) => ({ sex: key }) },
            { title: '人均学时', value: ({ avgHours }) => avgHours, to: ({ key }) => ({ sex: key, stage: 'counted' }) },
          ]}
        />
        <StatChart
          title="学时排行"
          label="学时最多的学生"
          definition={`已入账的学时，${of}；学时相同，名次相同`}
          note="取前十名，前五十名见表格。"
          controls={
            <label>
              隐去姓名{' '}
              <Switch
                size="small"
                checked={anonymous}
                onChange={(isOn) => change(withParams({ anonymous: isOn ? yesNo.yes : undefined }))}
                aria-label="隐去姓名"
              />
            </label>
          }
          kind="horizontalBars"
          rows={ranking}
          isDrawn={firstTen}
          name={({ rank, suiName }) => `${rank} ${suiName}`}
          columns={[
            { title: '名次', value: ({ rank }) => rank },
            {
              title: '姓名',
              value: ({ suiName }) => suiName,
              to: ({ suId, opens }) => (opens ? `/personnelAdmin/studentAdmin/detail?suId=${suId}` : undefined),
            },
            { title: '学号', value: ({ suiNumber }) => suiNumber },
            { title: '学院', value: ({ collegeName }) => collegeName },
            { title: '学时', value: ({ total }) => total, series: true, unit: '学时' },
          ]}
        />
      </div>
    </>
  )
}

const gradeName = (grade: string): string => (grade ? `${grade} 级` : '未登记')
/** Those over whom the mean of a group is calculated. */
const counted = ({ collegeId, grade }: { collegeId: string; grade: string }) => ({
  ...groupOf({ collegeId, grade }),
  stage: 'counted',
})
/** How many students are in each band, and their means; `filter` is the one of the list by that band. */
const bandColumns = (
  title: string,
  filter: 'band' | 'creditBand',
): StatColumn<Output<typeof studentStatApi.credit>[number]>[] => [
  { title, value: ({ range }) => range },
  { title: '人数', value: ({ count }) => count, series: true, unit: '人', to: ({ key }) => ({ [filter]: key }) },
  { title: '人均学时', value: ({ avgHours }) => avgHours, to: ({ key }) => ({ [filter]: key, stage: 'counted' }) },
  { title: '人均学分', value: ({ avgCredit }) => avgCredit, to: ({ key }) => ({ [filter]: key, stage: 'counted' }) },
]
