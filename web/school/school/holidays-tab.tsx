import CalendarOutlined from '@ant-design/icons/CalendarOutlined'
import LeftOutlined from '@ant-design/icons/LeftOutlined'
import PlusOutlined from '@ant-design/icons/PlusOutlined'
import RightOutlined from '@ant-design/icons/RightOutlined'
import { Button, Calendar, Table, type TableColumnType } from 'antd'
import dayjs, { type Dayjs } from 'dayjs'
import { useState } from 'react'
import { holidayKind } from '../../../contract/core/codes/school.ts'
import { schoolInfoApi } from '../../../contract/school/school/school-info.calls.ts'
import { actionOn } from '../../core/action/action.tsx'
import { formerClass } from '../../core/parts/former.ts'
import { ActionButton } from '../../core/parts/buttons.tsx'
import { dayFormat } from '../../core/service/date-range.ts'
import { EmptyState } from '../../core/parts/empty-state.tsx'
import { useAddress, withParams } from '../../core/screen/use-address.ts'
import { usePermission } from '../../core/service/rights.ts'
import { RowActions } from '../../core/action/row-actions.tsx'
import { StatusChip } from '../../core/parts/status-chip.tsx'
import { useCall } from '../../core/service/use-call.ts'
import { useIsPhone } from '../../core/parts/use-width.ts'
import { ReadSkeleton } from '../../core/screen/read-skeleton.tsx'
import { HolidayDialog, YearDialog } from './holiday-dialogs.tsx'
import { rangesOf, type Holiday, type HolidayRange } from './holiday-ranges.ts'

const action = actionOn<HolidayRange>()
const remove = action.remove({
  call: schoolInfoApi.removeHolidays,
  input: (rows) => ({ dates: rows.flatMap(({ dates }) => dates) }),
  unit: '段节假日',
  confirm: '删除后，这些日期按星期判断是否为工作日。',
})
const spanOf = ({ hdStart, hdEnd }: HolidayRange): string =>
  hdStart === hdEnd ? hdStart.slice(5) : `${hdStart.slice(5)} 至 ${hdEnd.slice(5)}`
const weekday = (day: string): string => '日一二三四五六'[dayjs(day).day()]!

/** The month that is shown stands in the address: `month=2026-05`. */
const monthName = 'month'
const isMonth = /^20\d\d-(0[1-9]|1[0-2])$/

type Editing = { range?: HolidayRange; day?: string }

/** Holidays and worked weekend days, a year at a time: a list beside the month. */
export function HolidaysTab() {
  const [query, change] = useAddress()
  const month = query.get(monthName) ?? ''
  const shown = isMonth.test(month) ? dayjs(`${month}-01`) : dayjs()
  const setShown = (next: Dayjs) => change(withParams({ [monthName]: next.format('YYYY-MM') }), { replace: true })
  const year = shown.year()
  const [editing, setEditing] = useState<Editing>()
  const [isFilling, setFilling] = useState(false)
  const { data: days, isPlaceholderData: isFormer } = useCall(schoolInfoApi.holidays, { year }, { keepPrevious: true })
  const isPhone = useIsPhone()
  const may = usePermission()
  const mayEdit = may(schoolInfoApi.saveHolidays)
  const ranges = rangesOf(days ?? [])
  const edit = action.open({
    label: '编辑',
    call: schoolInfoApi.saveHolidays,
    onOpen: ([range]) => setEditing({ range: range! }),
  })
  const columns: TableColumnType<HolidayRange>[] = [
    {
      title: '名称',
      dataIndex: 'hdName',
      ellipsis: true,
      render: (name: string, row) =>
        isPhone ? (
          <>
            {name}
            <br />
            <span className="school-note figures">{spanOf(row)}</span>
          </>
        ) : (
          name
        ),
    },
    ...(isPhone
      ? []
      : [
          {
            title: '日期',
            key: 'span',
            width: 150,
            className: 'figures',
            render: (_: unknown, row: HolidayRange) => spanOf(row),
          },
          {
            title: '星期',
            key: 'weekday',
            width: 110,
            render: (_: unknown, { hdStart, hdEnd }: HolidayRange) =>
              hdStart === hdEnd ? `周${weekday(hdStart)}` : `周${weekday(hdStart)}至周${weekday(hdEnd)}`,
          },
          {
            title: '天数',
            key: 'days',
            width: 64,
            align: 'right' as const,
            className: 'figures',
            render: (_: unknown, { dates }: HolidayRange) => dates.length,
          },
        ]),
    {
      title: '类型',
      dataIndex: 'hdKind',
      width: 96,
      render: (kind: string) =>
        kind === holidayKind.workday ? (
          <StatusChip tone="waiting">上班</StatusChip>
        ) : (
          <StatusChip tone="finished">放假</StatusChip>
        ),
    },
    ...(mayEdit
      ? [
          {
            title: '操作',
            key: 'acts',
            width: 108,
            render: (_: unknown, row: HolidayRange) => (
              <RowActions row={row} actions={[edit, remove]} nameOf={({ hdName }) => `${hdName}（${spanOf(row)}）`} />
            ),
          },
        ]
      : []),
  ]
  return (
    <>
      <div className="school-bar">
        <div className="school-year">
          <Button
            type="text"
            aria-label="上一年"
            icon={<LeftOutlined />}
            disabled={year <= 2000}
            onClick={() => setShown(shown.subtract(1, 'year'))}
          />
          <b>{year} 年</b>
          <Button
            type="text"
            aria-label="下一年"
            icon={<RightOutlined />}
            disabled={year >= 2100}
            onClick={() => setShown(shown.add(1, 'year'))}
          />
          <span className={formerClass(isFormer, 'school-note')}>
            {days ? `放假 ${count(days, holidayKind.dayOff)} 天，调休上班 ${count(days, holidayKind.workday)} 天` : ''}
          </span>
        </div>
        <div className="school-tools">
          <ActionButton to={schoolInfoApi.saveHolidays} icon={<PlusOutlined />} onClick={() => setEditing({})}>
            添加日期
          </ActionButton>
          <ActionButton
            to={schoolInfoApi.saveHolidays}
            primary
            icon={<CalendarOutlined />}
            // it begins with the days that the year has, and what it saves takes their place
            disabled={!days || isFormer}
            onClick={() => setFilling(true)}
          >
            录入全年
          </ActionButton>
        </div>
      </div>
      <p className="school-note school-pad">
        公示期、审批时限等按工作日计算：周一至周五为工作日，这里的放假日除外、调休上班日计入。
      </p>
      <div className="holiday-columns">
        {/* that a year has no days is said once that is known, and not of the former one's */}
        {!days || (isFormer && days.length === 0) ? (
          <ReadSkeleton className="school-wait" />
        ) : (
          <Table
            className={formerClass(isFormer)}
            size="small"
            rowKey="hdStart"
            columns={columns}
            dataSource={ranges}
            pagination={false}
            locale={{
              emptyText: (
                <EmptyState
                  text={`${year} 年还没有节假日`}
                  hint={mayEdit ? '点“录入全年”，按法定节假日填好后一次保存。' : undefined}
                />
              ),
            }}
          />
        )}
        <MonthView
          shown={shown}
          onShow={setShown}
          days={days ?? []}
          isFormer={isFormer}
          onDay={mayEdit ? (day) => setEditing(editFor(day, ranges)) : undefined}
        />
      </div>
      {editing && <HolidayDialog {...editing} onClose={() => setEditing(undefined)} />}
      {isFilling && <YearDialog year={year} known={ranges} onClose={() => setFilling(false)} />}
    </>
  )
}

const count = (days: readonly Holiday[], kind: string): number => days.filter(({ hdKind }) => hdKind === kind).length

function editFor(day: string, ranges: readonly HolidayRange[]): Editing {
  const range = ranges.find(({ dates }) => dates.includes(day))
  return range ? { range } : { day }
}

/** One month with its special days; a click on a day enters or changes it. */
function MonthView({
  shown,
  onShow,
  days,
  isFormer,
  onDay,
}: {
  shown: Dayjs
  onShow: (month: Dayjs) => void
  days: readonly Holiday[]
  isFormer: boolean
  onDay: ((day: string) => void) | undefined
}) {
  const byDay = new Map(days.map((day) => [day.hdDate, day]))
  return (
    <div className={formerClass(isFormer, 'holiday-month')}>
      <Calendar
        fullscreen={false}
        value={shown}
        headerRender={() => (
          <div className="holiday-head">
            <Button
              type="text"
              size="small"
              aria-label="上个月"
              icon={<LeftOutlined />}
              onClick={() => onShow(shown.subtract(1, 'month'))}
            />
            <b>{shown.format('YYYY 年 M 月')}</b>
            <Button
              type="text"
              size="small"
              aria-label="下个月"
              icon={<RightOutlined />}
              onClick={() => onShow(shown.add(1, 'month'))}
            />
          </div>
        )}
        onSelect={(day) => day.isSame(shown, 'month') && onDay?.(day.format(dayFormat))}
        fullCellRender={(day) => {
          if (!day.isSame(shown, 'month')) return <div className="holiday-cell" />
          const special = byDay.get(day.format(dayFormat))
          const kind = special
            ? special.hdKind === holidayKind.workday
              ? ' is-worked'
              : ' is-off'
            : day.day() % 6 === 0
              ? ' is-weekend'
              : ''
          return (
            <div className={`holiday-cell${kind}${onDay ? ' is-open' : ''}`} title={special?.hdName}>
              {day.date()}
              {special && <small>{special.hdKind === holidayKind.workday ? '班' : '休'}</small>}
            </div>
          )
        }}
      />
    </div>
  )
}
