import { Pagination, type PaginationProps } from 'antd'
import { cloneElement, isValidElement } from 'react'

const words: Record<string, string> = { prev: '上一页', next: '下一页' }

/** The kit's buttons for turning pages hold nothing but a drawing; here they are called something. */
export const pageButton: NonNullable<PaginationProps['itemRender']> = (_, type, element) =>
  words[type] && isValidElement<{ 'aria-label'?: string }>(element)
    ? cloneElement(element, { 'aria-label': words[type] })
    : element

/** The pages of a list. */
export function PaginationBar(props: PaginationProps) {
  return <Pagination itemRender={pageButton} {...props} />
}
