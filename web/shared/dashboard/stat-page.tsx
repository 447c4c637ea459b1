import PictureOutlined from '@ant-design/icons/PictureOutlined'
import PrinterOutlined from '@ant-design/icons/PrinterOutlined'
import { Button, Dropdown, Segmented } from 'antd'
import dayjs from 'dayjs'
import { useRef, useState, type ReactNode } from 'react'
import type { Call } from '../../../contract/core/call.ts'
import { FilterBar, type MoreFilters } from '../../core/list/list-filters.tsx'
import { ListContext } from '../../core/list/list-context.ts'
import { LockButton } from '../../core/parts/buttons.tsx'
import { PageHead } from '../../core/screen/page-head.tsx'
import { savePage } from '../../core/parts/picture.ts'
import { presentTerm } from '../../core/service/term.ts'
import { useAddress, withParams } from '../../core/screen/use-address.ts'
import { useList, type List, type ListOptions, type RowOf } from '../../core/list/use-list.ts'
import { useIsFigureLacking } from '../../core/service/failed-reads.ts'
import { useIsFormer } from '../../core/service/use-call.ts'
import { formerClass } from '../../core/parts/former.ts'
import { SpanContext } from './span.ts'
import './dashboard.css'

/** The period a statistic is opened with: the present term. */
export function openingPeriod(): Record<string, string> {
  const term = presentTerm()
  return term ? { startTime: `${term.tmStart} 00:00:00`, endTime: `${term.tmEnd} 23:59:59` } : {}
}

/** Which half of a statistic is shown; it stands in the address, so that back leads from the list to the figures. */
export function useShown(): ['figures' | 'list', (shown: 'figures' | 'list') => void] {
  const [query, change] = useAddress()
  const shown = query.get('show') === 'list' ? 'list' : 'figures'
  return [shown, (next) => change(withParams({ show: next === 'list' ? next : undefined }))]
}

/**
 * A list behind a statistic, whose rows are asked for once the lists are shown. The filters of the first are those of
 * the whole screen.
 */
export function useStatList<C extends Call>(call: C, options: Omit<ListOptions<C>, 'enabled'> = {}): List<RowOf<C>> {
  const [shown] = useShown()
  return useList(call, { ...options, enabled: shown === 'list' })
}

/** The filters of a list call that a figure's call takes too. */
export function taken(filters: Record<string, string>, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.flatMap((name) => (filters[name] === undefined ? [] : [[name, filters[name]]])))
}

interface StatPageProps<R> {
  title: string
  /** The list behind the figures: its filters are those of the whole screen. */
  list: List<R>
  filters: ReactNode
  moreFilters?: MoreFilters
  asOf: string | undefined
  /** Filters that only narrow the list; dropped when the person goes back to the figures. */
  narrowing?: readonly string[]
  /** What the figures cover where they know no period. */
  covers?: string
  /** The parts of the screen, where the statistic is one of them. */
  tabs?: ReactNode
  /** More buttons beside the figures. */
  tools?: ReactNode
  /** 导出, beside the list. */
  exports?: ReactNode
  figures: ReactNode
  /** Filters of the list alone, beside those that it shares with the figures. */
  detailFilters?: ReactNode
  details: ReactNode
}

/** A statistic: one row of filters over its figures and over the list behind them. */
export function StatPage<R>({
  title,
  list,
  filters,
  moreFilters,
  asOf,
  covers = '不限时间',
  narrowing = [],
  tabs,
  tools,
  exports,
  figures,
  detailFilters,
  details,
}: StatPageProps<R>) {
  const [shown] = useShown()
  const [, change] = useAddress()
  const sheet = useRef<HTMLDivElement>(null)
  const [isDrawing, setDrawing] = useState(false)
  const isFormer = useIsFormer()
  // bones and failures under the head of a period would be kept as its figures
  const hasFailed = useIsFigureLacking()
  const isLacking = hasFailed || isFormer
  const whyLacking = hasFailed ? '有图表未能取得数据，请先重试' : undefined
  const { startTime, endTime } = list.state.filters
  const span =
    startTime && endTime
      ? `${startTime.slice(0, 10)} 至 ${endTime.slice(0, 10)}`
      : startTime
        ? `${startTime.slice(0, 10)} 起`
        : endTime
          ? `截至 ${endTime.slice(0, 10)}`
          : covers
  const picture = async (kind: 'png' | 'pdf') => {
    setDrawing(true)
    await savePage(sheet.current!, `${title}_${dayjs().format('YYYY-MM-DD')}`, kind)
    setDrawing(false)
  }
  const back = () =>
    change(withParams(Object.fromEntries(['show', 'current', ...narrowing].map((name) => [name, undefined]))))
  return (
    <ListContext value={list as List<unknown>}>
      <div className="page statistics" ref={sheet}>
        <PageHead
          title={title}
          facts={
            <>
              {span}
              {asOf && `，数据截至 ${asOf.slice(0, 16)}`}
            </>
          }
          tools={
            <span data-no-picture className="statistics-tools">
              <Segmented
                value={shown}
                options={[
                  { value: 'figures', label: '概览' },
                  { value: 'list', label: '明细' },
                ]}
                onChange={(next) =>
                  next === 'list' ? change(withParams({ ...list.state.filters, show: 'list' })) : back()
                }
              />
              {shown === 'list' && exports}
              {shown === 'figures' && (
                <>
                  {tools}
                  <Dropdown
                    menu={{
                      items: [
                        { key: 'png', label: '导出图片', onClick: () => void picture('png') },
                        { key: 'pdf', label: '导出 PDF（A4）', onClick: () => void picture('pdf') },
                      ],
                    }}
                    trigger={['click']}
                  >
                    <Button
                      icon={<PictureOutlined />}
                      loading={isDrawing}
                      disabled={isLacking}
                      title={whyLacking}
                      authority-type={list.call.permit}
                    >
                      导出看板
                    </Button>
                  </Dropdown>
                  <LockButton
                    icon={<PrinterOutlined />}
                    disabled={isLacking}
                    title={whyLacking}
                    authority-type={list.call.permit}
                    onClick={() => window.print()}
                  >
                    打印
                  </LockButton>
                </>
              )}
            </span>
          }
        />
        {tabs && (
          <div className="statistics-tabs" data-no-picture>
            {tabs}
          </div>
        )}
        <div className="card statistics-filters" data-no-picture>
          <FilterBar more={moreFilters} list={list as List<unknown>}>
            {filters}
            {shown === 'list' && detailFilters}
          </FilterBar>
        </div>
        {shown === 'figures' ? (
          <div className={formerClass(isFormer, 'statistics-figures')} aria-busy={isFormer}>
            <SpanContext value={span}>{figures}</SpanContext>
          </div>
        ) : (
          details
        )}
      </div>
    </ListContext>
  )
}
