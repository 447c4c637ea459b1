import { Segmented } from 'antd'
import { useState, type ReactNode } from 'react'
import { Link } from 'react-router'
import type { Output } from '../../../contract/core/call.ts'
import { warnLevel } from '../../../contract/core/codes/outcomes.ts'
import { yesNo as yesNoCodes } from '../../../contract/core/codes/platform.ts'
import { thresholdApi } from '../../../contract/outcomes/thresholds/thresholds.calls.ts'
import { Chart } from '../../core/chart/chart.tsx'
import { labelOf } from '../../core/service/dictionary-store.ts'
import { EmptyState } from '../../core/parts/empty-state.tsx'
import { SelectFilter } from '../../core/list/filters.tsx'
import { useCall } from '../../core/service/use-call.ts'
import type { List, RowOf } from '../../core/list/use-list.ts'
import { ClassFilter, CollegeFilter, GradeFilter, MajorFilter } from '../../shared/organisation/places.tsx'
import { bars, heat } from '../../shared/dashboard/chart-options.ts'
import { StatCards, useListAddress } from '../../shared/dashboard/stat-cards.tsx'
import { StatPage, taken } from '../../shared/dashboard/stat-page.tsx'

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
const yesNo = (yes: string, no: string) => [
  { value: '1', label: yes },
  { value: '0', label: no },
]

/** The levels of warning, the worst first, with the colours they have everywhere. */
const levels = ['3', '2', '1'] as const
const levelColors = ['#cf3a3a', '#b86e00', '#d9b44a']
const definition =
  '在读与延期学生。等级取各指标中最严重的一项：检查点所在学期结束后，低于相应警戒线即预警；每晚计算一次，基准值变更后立即重算'

interface WarningStatisticProps {
  list: List<RowOf<typeof thresholdApi.list>>
  tabs: ReactNode
  tools: ReactNode
  exports: ReactNode
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
          <GradeFilter name="grade" />
        </>
      }
      moreFilters={
        <>
          <SelectFilter
            name="lsId"
            label="缺少模块"
            options={(bases?.modules ?? []).map(({ lsId: value, name }) => ({ value, label: name }))}
          />
          <SelectFilter name="prompted" label="提醒" options={yesNo('已提醒', '未提醒')} />
          <SelectFilter name="helped" label="帮扶" options={yesNo('已帮扶', '未帮扶')} />
        </>
      }
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
        unwelcome={['level3', 'level2', 'level1', 'rate']}
        leads={{
          level3: { warnLevel: warnLevel.severe },
          level2: { warnLevel: warnLevel.moderate },
          level1: { warnLevel: warnLevel.mild },
          level0: { warnLevel: warnLevel.normal },
          rate: {},
          finalShort: { finalShort: yesNoCodes.yes },
        }}
      />
      <div className="stat-charts">
        <div className="card is-wide" data-keep>
          <Gaps info={info} />
        </div>
        <div className="card" data-keep>
          <Levels
            title="各学院预警人数"
            head="学院"
            groups={info?.colleges}
            definition={definition}
            leadOf={({ id }) => id && { collegeId: id }}
            horizontal
          />
        </div>
        <div className="card" data-keep>
          <Levels
            title="各年级预警人数"
            head="年级"
            groups={info?.grades}
            definition={definition}
            leadOf={({ id }) => id && { grade: id }}
          />
        </div>
        <div className="card is-wide" data-keep>
          <Levels
            title="各学期预警人数"
            head="学期"
            groups={info?.terms}
            definition="每学期末的预警人数，本学期为最近一次计算的结果；自启用预警的学期起。学生按当时所在的学院与班级计，只随学院、专业、班级、年级筛选"
            empty="每次计算后记下本学期的预警人数，逐学期累积。"
            leadOf={({ id }) => placesOnly && info?.terms.some((term) => term.id === id && term.isNow) && {}}
          />
        </div>
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
  /** The filters of a group's own list; nothing where there is none. */
  leadOf: (group: Group) => Record<string, string> | '' | false | undefined
}

/** Stacked bars, the worst level first. */
function Levels({ title, head, groups, definition: counts, empty, horizontal = false, leadOf }: LevelsProps) {
  const address = useListAddress()
  const all = groups ?? []
  const of = (group: Group, level: (typeof levels)[number]): number => group[`level${level}`]
  const to = (count: number, group: Group, more: Record<string, string>) => {
    const openList = leadOf(group)
    return count > 0 && openList ? (
      <Link to={address({ ...openList, ...more })} aria-label={`${group.name} ${count} 人，查看名单`}>
        {count}
      </Link>
    ) : (
      count
    )
  }
  const option = bars(
    all.map(({ name }) => name),
    levels.map((level) => ({ name: labelOf('warn_level', level), data: all.map((group) => of(group, level)) })),
    { stacked: true, horizontal },
  )
  return (
    <Chart
      title={title}
      definition={counts}
      label={`${title}：${all.map((group) => `${group.name} ${levels.map((level) => `${labelOf('warn_level', level)} ${of(group, level)} 人`).join('、')}`).join('；')}`}
      isLoading={!groups}
      isEmpty={all.length === 0}
      empty={{ text: '暂无数据', ...(empty && { hint: empty }) }}
      height={horizontal ? Math.max(240, 60 + all.length * 30) : 260}
      option={(look) => ({ ...option(look), color: levelColors })}
      table={{
        heads: [head, ...levels.map((level) => labelOf('warn_level', level)), '学生人数'],
        rows: all.map((group) => [
          group.name,
          ...levels.map((level) => to(of(group, level), group, { warnLevel: level })),
          to(group.total, group, { all: '1' }),
        ]),
      }}
    />
  )
}

/** Who is short of which module, college by college or year by year. */
function Gaps({ info }: { info: Overview | undefined }) {
  const address = useListAddress()
  const [by, setBy] = useState<'collegeId' | 'grade'>('collegeId')
  const { modules = [], gaps = [] } = info ?? {}
  const head = by === 'grade' ? '年级' : '学院'
  const rows = (by === 'grade' ? info?.grades : info?.colleges) ?? []
  const count = (row: string, lsId: string) =>
    gaps.reduce((sum, gap) => sum + (gap[by] === row && gap.lsId === lsId ? gap.count : 0), 0)
  const cells = rows.flatMap(({ id }, y) => modules.map(({ lsId }, x) => [x, y, count(id, lsId)] as const))
  const to = (n: number, more: Record<string, string>) => (n === 0 ? 0 : <Link to={address(more)}>{n}</Link>)
  return (
    <>
      <div className="stat-switch" data-no-picture>
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
      </div>
      <Chart
        title="模块缺口人数"
        label={`对照下一个检查点还差学时的人数：${modules.map(({ name, count: n }) => `${name} ${n} 人`).join('，')}`}
        definition="对照各自的下一个检查点，该模块还差学时的学生人数；一名学生可缺多个模块"
        isLoading={!info}
        isEmpty={modules.length === 0}
        empty={{ text: '没有缺口', hint: '各模块都达到了下一个检查点的要求，或没有对模块设置要求。' }}
        height={Math.max(200, 70 + rows.length * 30)}
        option={heat(
          modules.map(({ name }) => name),
          rows.map(({ name }) => name),
          cells,
        )}
        table={{
          heads: [head, ...modules.map(({ name }) => name)],
          rows: [
            ...rows.map(({ id, name }) => [
              name,
              ...modules.map(({ lsId }) => (id ? to(count(id, lsId), { [by]: id, lsId }) : count(id, lsId))),
            ]),
            ['合计', ...modules.map(({ lsId, count: n }) => to(n, { lsId }))],
          ],
        }}
      />
    </>
  )
}
