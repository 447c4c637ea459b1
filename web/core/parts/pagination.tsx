import { Pagination, type PaginationProps } from 'antd'
import { cloneElement, isValidElement, type ReactNode } from 'react'
import { figure } from '../service/figure.ts'
import './pagination.css'

const words: Record<string, string> = { prev: '上一页', next: '下一页' }

/** The kit's buttons for turning pages hold nothing but a drawing; here they are called something. */
export const pageButton: NonNullable<PaginationProps['itemRender']> = (page, type, element) => {
  if (!isValidElement<{ 'aria-label'?: string; children?: ReactNode }>(element)) return element
  if (type === 'page') return cloneElement(element, { children: figure(page) })
  return words[type] ? cloneElement(element, { 'aria-label': words[type] }) : element
}

interface PaginationBarProps extends Omit<PaginationProps, 'simple' | 'itemRender' | 'showQuickJumper'> {
  current: number
  pageSize: number
  total: number
  /** Tells the page among all of them instead of offering some: for a phone, and beside what is read. */
  isNarrow?: boolean
}

/** The pages of a list; among many, the number of one can be typed. */
export function PaginationBar({ isNarrow = false, className, ...props }: PaginationBarProps) {
  const pages = Math.ceil(props.total / props.pageSize)
  // the kit's own narrow form writes the number of pages without separators
  const narrowItem: typeof pageButton = (page, type, element) => {
    if (type === 'page') return page === props.current && `${figure(page)} / ${figure(pages)}`
    return words[type] && pageButton(page, type, element)
  }
  return (
    <Pagination
      {...props}
      {...(isNarrow && { showTitle: false, showSizeChanger: false })}
      className={[className, isNarrow && 'is-narrow'].filter(Boolean).join(' ')}
      itemRender={isNarrow ? narrowItem : pageButton}
      showQuickJumper={pages > 5}
    />
  )
}
