import { Segmented } from 'antd'
import type { ReactNode } from 'react'
import type { Output } from '../../../contract/core/call.ts'
import { warnLevel } from '../../../contract/core/codes/outcomes.ts'
import { yesNo } from '../../../contract/core/codes/platform.ts'
import { thresholdApi } from '../../../contract/outcomes/thresholds/thresholds.calls.ts'
import { labelOf } from '../../core/service/dictionary-store.ts'
import { EmptyState } from '../../core/parts/empty-state.tsx'
import { SelectFilter } from '../../core/list/filters.tsx'
import { useChoice } from '../../core/screen/use-address.ts'
import { useCall } from '../../core/service/use-call.ts'
import type { List, RowOf } from '../../core/list/use-list.ts'
import { ClassFilter, CollegeFilter, GradeFilter, MajorFilter } from '../../shared/organisation/places.tsx'
import { changeTones } from '../../shared/dashboard/change-tones.ts'
import { StatCards, type Filters } from '../../shared/dashboard/stat-cards.tsx'
import { StatChart, type StatColumn } from '../../shared/dashboard/stat-chart.tsx'
import { StatPage, taken } from '../../shared/dashboard/stat-page.tsx'
import { figure } from '../../core/service/figure.ts'

type Overview = Output<typeof thresholdApi.overview>
type Group = Overview['colleges'][number]

const names = { college: 'collegeId', major: 'majorId', class: 'classId' }
/** The filters of figures and list alike, and those that only narrow the list. */
const shared = [
  'collegeId',
  'majorId',
  'classId',
  'grade',
  'lsId',
  'prompted',
  'helped',
  'search',
  'finalShort',
] as const
const narrowing = ['search', 'warnLevel', 'finalShort', 'all'] as const
const yesOrNo = (yes: string, no: string) => [
  { value: yesNo.yes, label: yes },
  { value: yesNo.no, label: no },
]

/** The levels of warning, the worst first, with the colours they have everywhere. */
const levels = [warnLevel.severe, warnLevel.moderate, warnLevel.mild] as const
const levelColors = ['#cf3a3a', '#b86e00', '#d9b44a']
const definition =
  '在读与延期学生。等级取各指标中最严重的一项：检查点所在学期结束后，低于相应警戒线即预警；每晚计算一次，基准值变更后立即重算'

interface WarningStatisticProps {
  list: List<RowOf<typeof thresholdApi.list>>
  tabs: ReactNode
  tools: ReactNode
  exports: ReactNode
  detailFilters: ReactNode
  details: ReactNode
}

/**
 * 阈值预警 as a statistic: how many are at which level and where, what they are short of, and the list behind every figure.
 */
export function WarningStatistic({ list, ...parts }: WarningStatisticProps) {
  const filters = taken(list.state.filters, shared)
  const { data: info } = useCall(thresholdApi.overview, filters, { keepPrevious: true })
  const { data: bases } = useCall(thresholdApi.all, {}, { staleTime: 60_000 })
  return (
    <StatPage
      title="阈值预警"
      covers="最近一次计算的结果"
      list={list}
      asOf={info?.calcTime ?? undefined}
      narrowing={narrowing}
      filters={
        <>
          <CollegeFilter names={names} under="threshold:list" />
          <MajorFilter names={names} under="threshold:list" />
          <ClassFilter names={names} grade="grade" under="threshold:list" />
          <GradeFilter name="grade" clears={[names.class]} />
        </>
      }
      moreFilters={{
        names: ['lsId', 'prompted', 'helped'],
        filters: (
          <>
            <SelectFilter
              name="lsId"
              label="缺少模块"
              options={(bases?.modules ?? []).map(({ lsId: value, name }) => ({ value, label: name }))}
            />
            <SelectFilter name="prompted" label="提醒" options={yesOrNo('已提醒', '未提醒')} />
            <SelectFilter name="helped" label="帮扶" options={yesOrNo('已帮扶', '未帮扶')} />
          </>
        ),
      }}
      figures={
        info && !info.calcTime ? (
          <div className="card">
            <EmptyState text="尚未计算预警" hint="每晚自动计算；有权限的管理员可点“重新计算”。" />
          </div>
        ) : (
          <Figures
            info={info}
            placesOnly={Object.keys(filters).every((name) =>
              ['collegeId', 'majorId', 'classId', 'grade'].includes(name),
            )}
          />
        )
      }
      {...parts}
    />
  )
}

function Figures({ info, placesOnly }: { info: Overview | undefined; placesOnly: boolean }) {
  return (
    <>
      <StatCards
        answer={info}
        rises={changeTones.threshold}
        leads={{
          level3: { warnLevel: warnLevel.severe },
          level2: { warnLevel: warnLevel.moderate },
          level1: { warnLevel: warnLevel.mild },
          level0: { warnLevel: warnLevel.normal },
          rate: {},
          finalShort: { finalShort: yesNo.yes },
        }}
      />
      <div className="stat-charts">
        <Gaps info={info} />
        <Levels
          title="各学院预警人数"
          head="学院"
          groups={info?.colleges}
          definition={definition}
          leadOf={({ id }) => id && { collegeId: id }}
          horizontal
        />
        <Levels
          title="各年级预警人数"
          head="年级"
          groups={info?.grades}
          definition={definition}
          leadOf={({ id }) => id && { grade: id }}
        />
        <Levels
          title="各学期预警人数"
          head="学期"
          groups={info?.terms}
          definition="每学期末的预警人数，本学期为最近一次计算的结果；自启用预警的学期起。学生按当时所在的学院与班级计，只随学院、专业、班级、年级筛选"
          empty="每次计算后记下本学期的预警人数，逐学期累积。"
          leadOf={({ id }) => placesOnly && info?.terms.some((term) => term.id === id && term.isNow) && {}}
          isWide
        />
      </div>
    </>
  )
}

interface LevelsProps {
  title: string
  /** What the rows of the table are. */
  head: string
  groups: readonly Group[] | undefined
  definition: string
  empty?: string
  horizontal?: boolean
  isWide?: boolean
  /** The filters of a group's own list; nothing where there is none. */
  leadOf: (group: Group) => Record<string, string> | '' | false | undefined
}

/** Stacked bars, the worst level first. */
function Levels({ head, groups, leadOf, empty, horizontal = false, ...card }: LevelsProps) {
  const of = (group: Group, level: (typeof levels)[number]): number => group[`level${level}`]
  /** The way to a group's own list, with more filters; none where it has no list. */
  const to = (more: Filters) => (group: Group) => {
    const openList = leadOf(group)
    return openList ? { ...openList, ...more } : undefined
  }
  const columns: StatColumn<Group>[] = [
    { title: head, value: ({ name }) => name },
    ...levels.map((level): StatColumn<Group> => ({
      title: labelOf('warn_level', level),
      value: (group) => of(group, level),
      series: true,
      to: to({ warnLevel: level }),
      toLabel: (group) => `${group.name} ${of(group, level)} 人，查看名单`,
    })),
    {
      title: '学生人数',
      value: ({ total }) => total,
      to: to({ all: yesNo.yes }),
      toLabel: ({ name, total }) => `${name} ${figure(total)} 人，查看名单`,
    },
  ]
  return (
    <StatChart
      {...card}
      label={card.title}
      unit="人"
      empty={{ text: '暂无数据', ...(empty && { hint: empty }) }}
      rows={groups}
      columns={columns}
      kind={horizontal ? 'stackedHorizontalBars' : 'stackedBars'}
      colors={levelColors}
    />
  )
}

/** Who is short of which module, college by college or year by year. */
function Gaps({ info }: { info: Overview | undefined }) {
  const [by, setBy] = useChoice('gaps', ['collegeId', 'grade'])
  const { modules = [], gaps = [] } = info ?? {}
  const groups = (by === 'grade' ? info?.grades : info?.colleges) ?? []
  const count = (row: string, lsId: string) =>
    gaps.reduce((sum, gap) => sum + (gap[by] === row && gap.lsId === lsId ? gap.count : 0), 0)
  const all = { id: undefined, name: '合计' }
  const rows: { id: string | undefined; name: string }[] = [...groups, all]
  const columns: StatColumn<(typeof rows)[number]>[] = [
    { title: by === 'grade' ? '年级' : '学院', value: ({ name }) => name },
    ...modules.map(({ lsId, name, count: n }): StatColumn<(typeof rows)[number]> => ({
      title: name,
      value: ({ id }) => (id === undefined ? n : count(id, lsId)),
      series: true,
      to: ({ id }) => (id === undefined ? { lsId } : id ? { [by]: id, lsId } : undefined),
    })),
  ]
  return (
    <StatChart
      isWide
      controls={
        <Segmented
          size="small"
          aria-label="按学院或年级"
          value={by}
          onChange={setBy}
          options={[
            { value: 'collegeId', label: '按学院' },
            { value: 'grade', label: '按年级' },
          ]}
        />
      }
      title="模块缺口人数"
      label={`对照下一个检查点还差学时的人数：${modules.map(({ name, count: n }) => `${name} ${n} 人`).join('，')}`}
      definition="对照各自的下一个检查点，该模块还差学时的学生人数；一名学生可缺多个模块"
      isEmpty={modules.length === 0}
      empty={{ text: '没有缺口', hint: '各模块都达到了下一个检查点的要求，或没有对模块设置要求。' }}
      unit="人"
      rows={info && rows}
      columns={columns}
      kind="heat"
      isDrawn={(row) => row !== all}
    />
  )
}
