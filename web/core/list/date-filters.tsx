import CalendarOutlined from '@ant-design/icons/CalendarOutlined'
import SwapRightOutlined from '@ant-design/icons/SwapRightOutlined'
import { useEffect, useId, useRef, useState, type Ref } from 'react'
import type { Dayjs } from 'dayjs'
import { onDemand, tellNotLoaded } from '../parts/loaded-on-demand.tsx'
import { dayFormat, isoEdges, rangeEdges, toPicker, type DayRange } from '../service/date-range.ts'
import { FilterPlace } from './filters.tsx'
import { useFilter } from './list-context.ts'
import './date-filters.css'

/** Calendars are a sixteenth of what a list needs, and most who open one choose no days: they come when wanted. */
const picker = onDemand(() => import('./day-range-picker.tsx'), 'DayRangePicker')

interface DateRangeFilterProps {
  /** The fields for start and end: `['createStartDate', 'createEndDate']`. */
  names: [string, string]
  label: string
  /** Sends `2026-11-21T00:00:00.000Z`, the form that the calls of circles use. */
  iso?: boolean
}

/** Days from and to. Nothing is sent until both are there; then the start means 00:00:00 and the end 23:59:59. */
export function DateRangeFilter({ names: [startName, endName], label, iso = false }: DateRangeFilterProps) {
  const id = useId()
  const { value: start, list } = useFilter(startName)
  const { value: end } = useFilter(endName)
  const [half, setHalf] = useState<DayRange>()
  const [Picker, setPicker] = useState(picker.loaded)
  const [isOpen, setOpen] = useState(false)
  const standIn = useRef<HTMLDivElement>(null)
  const hasDays = Boolean(start || end)
  useEffect(() => {
    // where it does not come the stand-in shows the days, and is asked like an empty one
    if (hasDays) picker.load().then((loaded) => setPicker(() => loaded), ignore)
  }, [hasDays])
  // a click asks twice, by the focus and by itself
  const isAsking = useRef(false)
  const ask = () => {
    if (isAsking.current) return
    isAsking.current = true
    const done = () => (isAsking.current = false)
    void picker
      .load()
      .finally(done)
      .then(
        (loaded) => {
          // whoever has gone on meanwhile is not called back
          setOpen(standIn.current?.contains(document.activeElement) === true)
          setPicker(() => loaded)
        },
        () => tellNotLoaded('日历'),
      )
  }
  const shown: DayRange = half ?? [start, end]
  const choose = (range: readonly (Dayjs | null)[] | null) => {
    const days: DayRange = [range?.[0]?.format(dayFormat), range?.[1]?.format(dayFormat)]
    const edges = (iso ? isoEdges : rangeEdges)(days)
    setHalf(edges || !range ? undefined : days)
    if (edges || (!range && (start || end))) list.setFilters({ [startName]: edges?.[0], [endName]: edges?.[1] })
  }
  return (
    <FilterPlace label={label} htmlFor={id} wide>
      {Picker ? (
        <Picker id={id} range={shown} isOpen={isOpen} onChoose={choose} />
      ) : (
        <RangeStandIn ref={standIn} id={id} range={shown} onAsk={ask} />
      )}
    </FilterPlace>
  )
}

interface RangeStandInProps {
  ref: Ref<HTMLDivElement>
  id: string
  range: DayRange
  onAsk: () => void
}

/**
 * Looks like the picker, which takes its place once somebody comes to it: by keys, or by a click, which a thumb that
 * scrolls past does not make.
 */
function RangeStandIn({ ref, id, range: [start, end], onAsk }: RangeStandInProps) {
  const input = useRef<HTMLInputElement>(null)
  const click = () => {
    input.current?.focus()
    onAsk()
  }
  return (
    <div ref={ref} className="range-stand-in" onPointerEnter={() => void picker.load().catch(ignore)} onClick={click}>
      <input
        ref={input}
        id={id}
        placeholder="开始日期"
        value={toPicker(start)?.format(dayFormat) ?? ''}
        readOnly
        onFocus={onAsk}
      />
      <SwapRightOutlined className="range-stand-in-icon" />
      <span className="range-stand-in-end">{toPicker(end)?.format(dayFormat) ?? '结束日期'}</span>
      <CalendarOutlined className="range-stand-in-icon" />
    </div>
  )
}

/** What nobody has asked for is not told of. */
const ignore = () => undefined
