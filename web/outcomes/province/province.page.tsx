import { Select } from 'antd'
import type { Input, Output } from '../../../contract/core/call.ts'
import { provinceApi, smallGroup } from '../../../contract/outcomes/province/province.calls.ts'
import {
  provinceScreens,
  provinceTables,
  type ProvinceScreen,
  type ProvinceTable,
} from '../../../contract/outcomes/province/province-tables.ts'
import { quoted } from '../../../contract/core/quotes.ts'
import { weekdays } from '../../../contract/outcomes/statistics/login-statistics.calls.ts'
import { ExportButton } from '../../core/action/export.tsx'
import type { Column } from '../../core/list/columns.tsx'
import { SelectFilter } from '../../core/list/filters.tsx'
import { ListTable } from '../../core/list/list-table.tsx'
import type { RowOf } from '../../core/list/use-list.ts'
import { Tabs } from '../../core/parts/tabs.tsx'
import { useChoice } from '../../core/screen/use-address.ts'
import { figure } from '../../core/service/figure.ts'
import { useCall, type Answer } from '../../core/service/use-call.ts'
import { changeTones } from '../../shared/dashboard/change-tones.ts'
import { StatCards } from '../../shared/dashboard/stat-cards.tsx'
import { firstTen, StatChart, type StatColumn } from '../../shared/dashboard/stat-chart.tsx'
import { StatPage, taken, useStatList } from '../../shared/dashboard/stat-page.tsx'
import { openingYear, roundingNote } from './opening-year.ts'
import { PeriodFilter } from './period-filter.tsx'

type Info = Output<typeof provinceApi.info>
type School = RowOf<typeof provinceApi.schools>
type TableRow = Info['tables'][number]['rows'][number]
type Kind = Pick<Info['cards'][number], 'key' | 'name' | 'unit'>

const shared = ['screen', 'startTime', 'endTime', 'schoolIds'] as const
/** What stands where people are too few to be told of. */
const few = `<${smallGroup}`
const stateNames = { told: '', few: '学生过少，未计入', withheld: '未参加全省统计' } as const

/** What a school shows where it has no figure. */
const lackingOf = ({ state, small }: School, key: string): string =>
  state !== 'told' ? '—' : small.includes(key) ? few : '—'

const isScreen = (key: string | undefined): key is ProvinceScreen => provinceScreens.some(([one]) => one === key)

/** 全省统计: the eight screens of the statistics across schools. */
export function ProvincePage() {
  const list = useStatList(provinceApi.schools, { initial: { screen: 'student', ...openingYear() } })
  const filters = taken(list.state.filters, shared)
  const screen = isScreen(filters['screen']) ? filters['screen'] : 'student'
  const { data: info } = useCall(provinceApi.info, { ...filters, screen } as Input<typeof provinceApi.info>, {
    keepPrevious: true,
  })
  const { data: schools = [] } = useCall(provinceApi.options, {})
  const kinds: readonly Kind[] = info?.cards ?? []
  return (
    <StatPage
      title="全省统计"
      list={list}
      asOf={info?.asOf}
      narrowing={['sort', 'order']}
      tabs={
        <Tabs
          activeKey={screen}
          items={provinceScreens.map(([key, label]) => ({ key, label }))}
          onChange={(key) => list.show({ ...list.state.filters, screen: key })}
        />
      }
      filters={
        <>
          <PeriodFilter />
          <SelectFilter
            name="schoolIds"
            label="学校"
            placeholder="全部学校"
            multiple
            options={schools.map(({ id, name, isWithheld }) => ({
              value: id,
              label: isWithheld ? `${name}（未参加）` : name,
            }))}
          />
        </>
      }
      exports={<ExportButton to={provinceApi.exportSchools} list={list} />}
      figures={<Figures key={screen} screen={screen} info={info} />}
      details={<ListTable list={list} rowKey="schoolId" columns={columnsOf(kinds)} />}
    />
  )
}

const columnsOf = (kinds: readonly Kind[]): Column<School>[] => [
  { title: '学校', dataIndex: 'schName', width: 200, fixed: 'left' },
  ...kinds.map(({ key, name, unit }): Column<School> => ({
    title: `${name}（${unit}）`,
    key,
    width: 150,
    number: true,
    sorter: key,
    render: (_: never, row) => {
      const value = row.figures[key]
      return value === null || value === undefined ? (
        <span className="nothing">{lackingOf(row, key)}</span>
      ) : (
        figure(value)
      )
    },
  })),
  { title: '说明', dataIndex: 'state', width: 150, render: (_: never, { state }) => stateNames[state] },
  { title: '统计至', dataIndex: 'asOf', width: 168, hiddenAtFirst: true },
]

function Figures({ screen, info }: { screen: ProvinceScreen; info: Answer<typeof provinceApi.info> }) {
  const hasCard = (key: string) => info?.schools.some(({ small }) => small.includes(key))
  return (
    <>
      {info && <p className="province-note">{noteOf(info)}</p>}
      <StatCards answer={info} leads={{}} rises={changeTones[screen]} lacking={(key) => (hasCard(key) ? few : '—')} />
      <div className="stat-charts">
        <SchoolChart info={info} />
        {(provinceTables[screen] as readonly ProvinceTable[]).map((table) => (
          <TableChart key={table.key} table={table} rows={info?.tables.find(({ key }) => key === table.key)?.rows} />
        ))}
      </div>
    </>
  )
}

/** Which schools are in the figures, and what is left out of them. */
function noteOf({ asked, counted, schools }: Info): string {
  const withheld = schools.filter(({ state }) => state === 'withheld').length
  const small = schools.filter(({ state }) => state === 'few').length
  return [
    `${asked} 所学校，计入 ${counted} 所`,
    withheld > 0 && `未参加 ${withheld} 所`,
    small > 0 && `学生不足 ${smallGroup} 人 ${small} 所`,
    `人数不足 ${smallGroup} 人的数字显示为${quoted(few)}，且不计入合计；只有汇总数字，不含个人信息`,
    roundingNote,
  ]
    .filter(Boolean)
    .join('；')
}

/** The schools side by side by one of the figures, which stands in the address. */
function SchoolChart({ info }: { info: Answer<typeof provinceApi.info> }) {
  const kinds = info?.cards ?? []
  const [first = '', ...others] = kinds.map(({ key }) => key)
  const [by, setBy] = useChoice('by', [first, ...others])
  const chosen = kinds.find(({ key }) => key === by)
  const rows = info?.schools.toSorted(
    (a, b) => (b.figures[chosen?.key ?? ''] ?? -1) - (a.figures[chosen?.key ?? ''] ?? -1),
  )
  const columns: StatColumn<School>[] = [
    { title: '学校', value: ({ schName }) => schName },
    ...[...(chosen ? [chosen] : []), ...kinds.filter(({ key }) => key !== chosen?.key)].map(
      ({ key, name, unit }): StatColumn<School> => ({
        title: `${name}（${unit}）`,
        value: ({ figures }) => figures[key] ?? null,
        lacking: (row) => lackingOf(row, key),
        ...(key === chosen?.key && { series: true as const }),
      }),
    ),
  ]
  return (
    <StatChart
      title="各校比较"
      label={`各校${chosen?.name ?? ''}，从高到低`}
      definition={chosen?.definition ?? ''}
      isWide
      kind="horizontalBars"
      rows={rows}
      columns={columns}
      isDrawn={firstTen}
      controls={
        <Select
          aria-label="比较的数字"
          size="small"
          value={by}
          popupMatchSelectWidth={false}
          options={kinds.map(({ key, name }) => ({ value: key, label: name }))}
          onChange={setBy}
        />
      }
    />
  )
}

const smallNote = ({ small }: TableRow): string => (small > 0 ? few : '—')

/** A table of a screen: groups over schools. */
function TableChart({ table, rows }: { table: ProvinceTable; rows: readonly TableRow[] | undefined }) {
  const { title, first, definition, kind, columns } = table
  if (kind === 'heat') return <HeatChart table={table} rows={rows} />
  const left = rows?.some(({ small }) => small > 0)
  return (
    <StatChart
      title={title}
      label={`${title}：${columns.map((column) => column.title).join('、')}`}
      definition={`${definition}；不足 ${smallGroup} 人的学校不计入该行`}
      kind={kind}
      rows={rows}
      {...(kind === 'horizontalBars' && { isDrawn: firstTen })}
      columns={[
        { title: first, value: ({ name }: TableRow) => name },
        ...columns.map(({ key, title: head, unit, isDrawn }): StatColumn<TableRow> => ({
          title: `${head}（${unit}）`,
          value: ({ values }) => values[key] ?? null,
          lacking: smallNote,
          unit,
          ...(isDrawn && { series: head }),
        })),
        ...(left ? [{ title: '因人数过少未计入的学校', value: ({ small }: TableRow) => small }] : []),
      ]}
    />
  )
}

const hours = Array.from({ length: 24 }, (_, hour) => `${hour} 时`)

/** Sign-ins by weekday and hour: rows come as `weekday hour`. */
function HeatChart({ table, rows }: { table: ProvinceTable; rows: readonly TableRow[] | undefined }) {
  const { title, definition, columns } = table
  const { key, unit } = columns[0]!
  const known = new Map(rows?.map(({ id, values }) => [id, values[key] ?? null]))
  return (
    <StatChart
      title={title}
      label={`${title}：一周各时段`}
      definition={`${definition}；不足 ${smallGroup} 人次的学校不计入该时段`}
      isWide
      unit={unit}
      kind="heat"
      rows={rows && weekdays.map((name, day) => ({ name, day }))}
      isEmpty={[...known.values()].every((times) => !times)}
      columns={[
        { title: '星期', value: ({ name }) => name },
        ...hours.map((head, hour): StatColumn<{ name: string; day: number }> => ({
          title: head,
          value: ({ day }) => known.get(`${day} ${hour}`) ?? null,
          lacking: few,
          series: true,
        })),
      ]}
    />
  )
}
