import { DatePicker, Input, Select } from 'antd'
import { useMemo } from 'react'
import { holidayKind, type HolidayKind } from '../../../contract/core/codes/school.ts'
import { schoolInfoApi } from '../../../contract/school/school/school-info.calls.ts'
import { statutoryDays } from '../../../contract/school/school/statutory.ts'
import { dayFormat, toPicker } from '../../core/service/date-range.ts'
import { Field } from '../../core/form/form-field.tsx'
import { DialogForm } from '../../core/form/dialog-form.tsx'
import { RowEditor, type EditColumn } from '../../core/parts/row-editor.tsx'
import { kindOptions, type HolidayRange } from './holiday-ranges.ts'
import { pickerPlacements } from '../../core/parts/picker-placements.ts'

interface Row {
  hdName?: string
  hdStart?: string
  hdEnd?: string
  hdKind?: string
}

const columns: readonly EditColumn<Row>[] = [
  {
    title: '名称',
    width: 150,
    cell: ({ hdName }, set, at) => (
      <Input
        aria-label={`第 ${at + 1} 行名称`}
        value={hdName ?? ''}
        maxLength={20}
        placeholder="例如：国庆节"
        onChange={(event) => set({ hdName: event.target.value })}
      />
    ),
  },
  {
    title: '起止日期',
    cell: ({ hdStart, hdEnd }, set, at) => (
      <DatePicker.RangePicker
        builtinPlacements={pickerPlacements}
        className="wide"
        aria-label={`第 ${at + 1} 行日期`}
        value={[toPicker(hdStart), toPicker(hdEnd)]}
        format={dayFormat}
        placeholder={['开始日期', '结束日期']}
        onChange={(range) =>
          set({ hdStart: range?.[0]?.format(dayFormat), hdEnd: range?.[1]?.format(dayFormat) } as Row)
        }
      />
    ),
  },
  {
    title: '类型',
    width: 104,
    cell: ({ hdKind = holidayKind.dayOff }, set, at) => (
      <Select
        aria-label={`第 ${at + 1} 行类型`}
        value={hdKind}
        options={kindOptions}
        onChange={(kind: string) => set({ hdKind: kind })}
      />
    ),
  },
]

/** Ranges typed in place. */
function Ranges(props: { addText: string; value?: Row[]; onChange?: (rows: Row[]) => void; id?: string }) {
  return (
    <div className="holiday-rows">
      <RowEditor {...props} columns={columns} blank={() => ({ hdKind: holidayKind.dayOff })} max={60} />
    </div>
  )
}

type Wanted = Parameters<typeof sent>[0]
const sent = (rows: readonly Row[], replaces: string[] = []) => ({
  ranges: rows.map(({ hdName = '', hdStart = '', hdEnd = '', hdKind = holidayKind.dayOff }) => ({
    hdName,
    hdStart,
    hdEnd,
    hdKind: hdKind as HolidayKind,
  })),
  replaces,
})

/** Enters days of one name, or changes them; what is taken out of a range goes. */
export function HolidayDialog({ range, day, onClose }: { range?: HolidayRange; day?: string; onClose: () => void }) {
  const initial = useMemo(
    () => ({
      ranges: [
        range
          ? { hdName: range.hdName, hdStart: range.hdStart, hdEnd: range.hdEnd, hdKind: range.hdKind }
          : { hdKind: holidayKind.dayOff, ...(day && { hdStart: day, hdEnd: day }) },
      ],
    }),
    [range, day],
  )
  return (
    <DialogForm
      call={schoolInfoApi.saveHolidays}
      title={range ? '编辑节假日' : '添加节假日'}
      width={680}
      initial={initial}
      input={({ ranges }) => sent(ranges as Wanted, range?.dates)}
      onClose={onClose}
    >
      <Field name="ranges" label="日期">
        <Ranges addText="再加一段" />
      </Field>
    </DialogForm>
  )
}

/** Enters a year at once, beginning with what is known or with the days off by law. */
export function YearDialog({
  year,
  known,
  onClose,
}: {
  year: number
  known: readonly HolidayRange[]
  onClose: () => void
}) {
  const initial = useMemo(() => {
    const own: Row[] = known.map(({ hdName, hdStart, hdEnd, hdKind }) => ({ hdName, hdStart, hdEnd, hdKind }))
    const missing = statutoryDays(year)
      .filter(({ hdName }) => !own.some((one) => one.hdName === hdName && one.hdKind === holidayKind.dayOff))
      .map((one): Row => ({ ...one, hdKind: holidayKind.dayOff }))
    // what is replaced is what was shown: days that others enter meanwhile stay
    return {
      ranges: [...own, ...missing].toSorted((a, b) => (a.hdStart! < b.hdStart! ? -1 : 1)),
      replaces: known.flatMap(({ dates }) => dates),
    }
  }, [year, known])
  return (
    <DialogForm
      call={schoolInfoApi.saveHolidays}
      title={`录入 ${year} 年节假日`}
      width={720}
      initial={initial}
      input={({ ranges, replaces }) => sent(ranges as Wanted, replaces as string[])}
      submitText="保存全年"
      onClose={onClose}
    >
      <Field
        name="ranges"
        label="节假日与调休"
        help="已填入法定节假日，请按国务院办公厅当年的放假安排调整起止日期，并添加调休上班的周末。保存后，这一年以此表为准。"
      >
        <Ranges addText="添加一段" />
      </Field>
    </DialogForm>
  )
}
