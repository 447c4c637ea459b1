import { Switch } from 'antd'
import { Link } from 'react-router'
import { personSex } from '../../../contract/core/codes/school.ts'
import {
  creditBands,
  credibilityBands,
  sexChoices,
  studentStages,
  studentStatApi,
} from '../../../contract/outcomes/statistics/student-statistics.calls.ts'
import { coarsePoliticalStatus, missingPlaces } from '../../../contract/outcomes/statistics/statistics.schema.ts'
import { Chart } from '../../core/chart/chart.tsx'
import type { Column } from '../../core/list/columns.tsx'
import { DateRangeFilter } from '../../core/list/date-filters.tsx'
import { ExportButton } from '../../core/action/export.tsx'
import { SelectFilter } from '../../core/list/filters.tsx'
import { ListTable } from '../../core/list/list-table.tsx'
import { SwitchFilter } from '../../core/list/switch-filter.tsx'
import { CascadeFilter } from '../../core/list/tree-filters.tsx'
import { useAddress, withParams } from '../../core/screen/use-address.ts'
import { useCall } from '../../core/service/use-call.ts'
import { useList, type RowOf } from '../../core/list/use-list.ts'
import { useCurriculumTree } from '../../shared/curriculum/curriculum-tree.ts'
import { ClassFilter, MajorFilter } from '../../shared/organisation/places.tsx'
import { bars, donut, heat } from '../../shared/dashboard/chart-options.ts'
import { LevelFilter } from './level-filter.tsx'
import { groupOf, StatCards, useDrillDown } from '../../shared/dashboard/stat-cards.tsx'
import { StatPage, taken } from '../../shared/dashboard/stat-page.tsx'

const todayFields = ['collegeId', 'majorId', 'scClassId', 'grade', 'everybody'] as const
/** Of what students have, which part. */
const narrowing = ['startTime', 'endTime', 'lsId', 'llId'] as const
const isNarrowed = (filters: Record<string, string>): boolean => narrowing.some((name) => filters[name] !== undefined)
const places = { college: 'collegeId', major: 'majorId', class: 'scClassId' }
type Row = RowOf<typeof studentStatApi.detail>

const columnsOf = (rows: readonly Row[], narrowed: boolean): Column<Row>[] => [
  {
    title: '姓名',
    dataIndex: 'suiName',
    fixed: 'left',
    render: (_, row) =>
      row.opens ? <Link to={`/personnelAdmin/studentAdmin/detail?suId=${row.suId}`}>{row.suiName}</Link> : row.suiName,
  },
  { title: '学号', dataIndex: 'suiNumber', width: 130, sorter: true },
  { title: '学院', dataIndex: 'collegeName', width: 140 },
  { title: '班级', dataIndex: 'className', width: 140 },
  { title: '年级', dataIndex: 'grade', width: 80 },
  { title: narrowed ? '所选学时' : '总学时', dataIndex: 'hours', width: 100, align: 'right', sorter: true },
  { title: '学分', dataIndex: 'credit', width: 80, align: 'right', sorter: true },
  ...(rows[0]?.modules ?? []).map(({ lsId, lsName }): Column<Row> => ({
    title: lsName,
    key: lsId,
    width: 110,
    align: 'right',
    render: (_, row) => row.modules.find((one) => one.lsId === lsId)?.hours ?? '0',
  })),
  { title: '活动', dataIndex: 'activities', width: 80, align: 'right', sorter: true },
  { title: '距总学时', dataIndex: 'gap', width: 90, align: 'right' },
  { title: '达标', dataIndex: 'met', width: 70, render: (_, { met }) => (met ? '是' : '否') },
  { title: '诚信分', dataIndex: 'suiCredibility', width: 90, align: 'right', sorter: true },
  { title: '缺席', dataIndex: 'absences', width: 70, align: 'right' },
  { title: '预警等级', dataIndex: 'warnLevel', width: 100, dict: 'warn_level' },
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
  const list = useList(studentStatApi.detail)
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
      list={list as never}
      asOf={info?.asOf}
      narrowing={['stage', 'band', 'creditBand', 'sex', 'lacking', 'sort', 'order']}
      filters={
        <>
          <DateRangeFilter names={['startTime', 'endTime']} label="获得时间" />
          <SelectFilter name="collegeId" label="学院" options={colleges} />
          <SelectFilter name="grade" label="年级" options={grades} />
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
      exports={<ExportButton to={studentStatApi.exportDetail} input={list.query} />}
      figures={<Figures filters={filters} info={info} />}
      details={
        <ListTable
          list={list}
          rowKey="suId"
          columns={columnsOf(list.rows, isNarrowed(filters))}
          filters={
            <>
              <SelectFilter
                name="stage"
                label="情况"
                options={studentStages.map(([value, label]) => ({ value, label }))}
              />
              <SelectFilter
                name="band"
                label="诚信分"
                options={credibilityBands.map(([value, label]) => ({ value, label }))}
              />
              <SelectFilter
                name="creditBand"
                label="学分"
                options={creditBands.map(([value, label]) => ({ value, label }))}
              />
              <SelectFilter name="sex" label="性别" options={sexChoices.map(([value, label]) => ({ value, label }))} />
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
  info: ReturnType<typeof useCall<typeof studentStatApi.total>>['data']
}) {
  const to = useDrillDown()
  const [query, change] = useAddress()
  const anonymous = query.get('anonymous') === '1'
  const { data: score } = useCall(studentStatApi.score, filters, { keepPrevious: true })
  const { data: activity } = useCall(studentStatApi.activity, filters, { keepPrevious: true })
  const { data: credit } = useCall(studentStatApi.credit, filters, { keepPrevious: true })
  const { data: gradeSex } = useCall(studentStatApi.gradeSex, taken(filters, todayFields), { keepPrevious: true })
  const { data: ranking } = useCall(
    studentStatApi.ranking,
    { ...filters, ...(anonymous && { anonymous: '1' }) },
    { keepPrevious: true },
  )
  const { data: political } = useCall(studentStatApi.political, taken(filters, todayFields), { keepPrevious: true })
  const { data: sex } = useCall(studentStatApi.sex, filters, { keepPrevious: true })
  const of = isNarrowed(filters) ? '只计所选时间、模块与级别的记录' : '入学至今累计'
  const [credibility, credits] = (['credibility', 'credit'] as const).map((series) =>
    (credit ?? []).filter((row) => row.series === series),
  ) as [NonNullable<typeof credit>, NonNullable<typeof credit>]
  const colleges = [...new Map((score ?? []).map((one) => [one.collegeId, one.collegeName]))]
  const grades = [...new Set((score ?? []).map(({ grade }) => grade))].toSorted()
  const cells = (score ?? []).map(
    (one) => [grades.indexOf(one.grade), colleges.findIndex(([id]) => id === one.collegeId), one.avgHours] as const,
  )
  /** Those over whom the mean of a group is calculated. */
  const counted = (group: { collegeId: string; grade: string }) => ({ ...groupOf(group), stage: 'counted' })
  const shown = (list: typeof political) =>
    (list ?? []).map(({ name, value, avgHours }) => [name, value ?? '不足 5 人', avgHours ?? '—'])
  const isCoarse = political?.[0]?.key === coarsePoliticalStatus
  return (
    <>
      <StatCards
        cards={info?.cards}
        previous={info?.previous}
        lastYear={info?.lastYear}
        leads={{
          people: {},
          recorded: { stage: 'recorded' },
          coverage: { stage: 'recorded' },
          avgHours: { stage: 'counted', sort: 'hours', order: 'desc' },
          avgActivities: { stage: 'counted', sort: 'activities', order: 'desc' },
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
        <div className="card is-wide" data-keep>
          <Chart
            title="人均学时（学院 × 年级）"
            label="各学院各年级的人均学时"
            definition={`已入账学时 ÷ 学生人数，按学生现在的学院与年级计；${of}`}
            isLoading={!score}
            isEmpty={score?.length === 0}
            height={Math.max(240, 60 + colleges.length * 28)}
            option={heat(
              grades.map((grade) => (grade ? `${grade} 级` : '未登记')),
              colleges.map(([, name]) => name),
              cells,
            )}
            table={{
              heads: ['学院', '年级', '学生人数', '人均学时', '人均学分'],
              rows: (score ?? []).map((one) => [
                one.collegeName,
                one.grade,
                ...[one.students, one.avgHours, one.avgCredit].map((figure) => to(figure, counted(one))),
              ]),
            }}
          />
        </div>
        <div className="card" data-keep>
          <Chart
            title="参与指数"
            label="各学院各年级的人均活动次数"
            definition={`已入账的活动次数 ÷ 学生人数；${of}`}
            isLoading={!activity}
            isEmpty={activity?.length === 0}
            option={bars(
              colleges.map(([, name]) => name),
              grades.map((grade) => ({
                name: grade ? `${grade} 级` : '未登记',
                data: colleges.map(
                  ([id]) => activity?.find((one) => one.collegeId === id && one.grade === grade)?.score ?? null,
                ),
              })),
            )}
            table={{
              heads: ['学院', '年级', '学生人数', '人均活动（次）'],
              rows: (activity ?? []).map((one) => [
                one.collegeName,
                one.grade,
                to(one.students, counted(one)),
                to(one.score, { ...counted(one), sort: 'activities', order: 'desc' }),
              ]),
            }}
          />
        </div>
        <div className="card" data-keep>
          <Chart
            title="年级与性别"
            label="各年级的男女人数"
            definition="学生人数；未知与未说明合并"
            isLoading={!gradeSex}
            isEmpty={gradeSex?.length === 0}
            option={bars(
              (gradeSex ?? []).map(({ grade }) => (grade ? `${grade} 级` : '未登记')),
              [
                { name: '男', data: (gradeSex ?? []).map(({ male }) => male) },
                { name: '女', data: (gradeSex ?? []).map(({ female }) => female) },
                { name: '未知', data: (gradeSex ?? []).map(({ unknown }) => unknown) },
              ],
              { stacked: true },
            )}
            table={{
              heads: ['年级', '男', '女', '未知'],
              rows: (gradeSex ?? []).map(({ grade, male, female, unknown }) => [
                grade,
                to(male, { ...groupOf({ grade }), sex: personSex.male }),
                to(female, { ...groupOf({ grade }), sex: personSex.female }),
                to(unknown, { ...groupOf({ grade }), sex: 'unknown' }),
              ]),
            }}
          />
        </div>
        <div className="card" data-keep>
          <Chart
            title="诚信分分布"
            label="各诚信分段的人数与人均学时"
            definition={`学生现在的诚信分；人均学时与人均学分按该分段的学生计，${of}`}
            isLoading={!credit}
            isEmpty={credibility.every(({ count }) => count === 0)}
            option={bars(
              credibility.map(({ range }) => range),
              [{ name: '人数', data: credibility.map(({ count }) => count) }],
            )}
            table={{
              heads: ['诚信分', '人数', '人均学时', '人均学分'],
              rows: credibility.map(({ key, range, count, avgHours, avgCredit }) => [
                range,
                to(count, { band: key }),
                to(avgHours, { band: key, stage: 'counted' }),
                to(avgCredit, { band: key, stage: 'counted' }),
              ]),
            }}
          />
        </div>
        <div className="card" data-keep>
          <Chart
            title="学分分布"
            label="各学分段的人数与人均学时"
            definition={`学生已入账的学分，冲正的已扣除；人均学时与人均学分按该分段的学生计，${of}`}
            isLoading={!credit}
            isEmpty={credits.every(({ count }) => count === 0)}
            option={bars(
              credits.map(({ range }) => range),
              [{ name: '人数', data: credits.map(({ count }) => count) }],
              { horizontal: true },
            )}
            table={{
              heads: ['学分', '人数', '人均学时', '人均学分'],
              rows: credits.map(({ key, range, count, avgHours, avgCredit }) => [
                range,
                to(count, { creditBand: key }),
                to(avgHours, { creditBand: key, stage: 'counted' }),
                to(avgCredit, { creditBand: key, stage: 'counted' }),
              ]),
            }}
          />
        </div>
        <div className="card" data-keep>
          <Chart
            title="政治面貌"
            label="各政治面貌的人数"
            definition="不足 5 人的面貌合并显示，为免由相减得出个人，人数相近的也可能并入，也不列名单；人均学时按该组学生入学至今的学时计"
            isLoading={!political}
            isEmpty={isCoarse || political?.length === 0}
            {...(isCoarse && {
              empty: { text: '政治面貌只按学院或年级统计', hint: '请只选学院或年级之一，并关闭“含非在读学生”' },
            })}
            option={donut(
              (political ?? []).flatMap(({ name, value }) => (value === null ? [] : [{ name, value }])),
              '人',
            )}
            table={{ heads: ['政治面貌', '人数', '人均学时'], rows: shown(political) }}
          />
        </div>
        <div className="card" data-keep>
          <Chart
            title="性别"
            label="男女学生的人数"
            definition={`人均学时按该组学生计，${of}`}
            isLoading={!sex}
            isEmpty={sex?.length === 0}
            option={donut(
              (sex ?? []).flatMap(({ name, value }) => (value === null ? [] : [{ name, value }])),
              '人',
            )}
            table={{
              heads: ['性别', '人数', '人均学时'],
              rows: (sex ?? []).map(({ key, name, value, avgHours }) => [
                name,
                to(value ?? 0, { sex: key }),
                to(avgHours, { sex: key, stage: 'counted' }),
              ]),
            }}
          />
        </div>
        <div className="card" data-keep>
          <div className="stat-switch" data-no-picture>
            <label>
              隐去姓名{' '}
              <Switch
                size="small"
                checked={anonymous}
                onChange={(isOn) => change(withParams({ anonymous: isOn ? '1' : undefined }))}
                aria-label="隐去姓名"
              />
            </label>
          </div>
          <Chart
            title="学时排行"
            label="学时最多的五十名学生"
            definition={`已入账的学时，${of}；学时相同，名次相同`}
            isLoading={!ranking}
            isEmpty={ranking?.length === 0}
            height={340}
            option={bars(
              (ranking ?? []).slice(0, 10).map(({ suiName, rank }) => `${rank} ${suiName}`),
              [{ name: '学时', data: (ranking ?? []).slice(0, 10).map(({ total }) => total) }],
              { horizontal: true },
            )}
            table={{
              heads: ['名次', '姓名', '学号', '学院', '学时'],
              rows: (ranking ?? []).map((one) => [
                one.rank,
                one.opens ? (
                  <Link key={one.suId} to={`/personnelAdmin/studentAdmin/detail?suId=${one.suId}`}>
                    {one.suiName}
                  </Link>
                ) : (
                  one.suiName
                ),
                one.suiNumber,
                one.collegeName,
                one.total,
              ]),
            }}
          />
        </div>
      </div>
    </>
  )
}
