import { isValidElement, type ReactNode } from 'react'

/** What a cell of a chart's table says, as a sheet takes it: numbers stay numbers, elements are what is in them. */
export function textOf(cell: ReactNode): string | number | null {
  if (cell === null || cell === undefined || typeof cell === 'boolean') return null
  if (typeof cell === 'number' || typeof cell === 'string') return cell
  return isValidElement<{ children?: ReactNode }>(cell) ? textOf(cell.props.children) : plain(cell)
}

function plain(node: ReactNode): string {
  if (Array.isArray(node)) return node.map((one: ReactNode) => plain(one)).join('')
  if (isValidElement<{ children?: ReactNode }>(node)) return plain(node.props.children)
  return node === null || node === undefined || typeof node === 'boolean' ? '' : String(node as string)
}
