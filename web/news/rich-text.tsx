import { createElement, Fragment, useMemo, type ReactNode } from 'react'
import { fileApi } from '../../contract/files/files.calls.ts'
import { StoredImage } from '../core/stored-file.tsx'
import { parseRich, type RichNode } from './rich-nodes.ts'
import './rich-text.css'

/** A stored text, drawn element by element: no HTML of others is ever put into the page (the service has cleaned it besides). */
export function RichText({ html }: { html: string }) {
  const nodes = useMemo(() => parseRich(html), [html])
  return <div className="rich-text">{nodes.map(draw)}</div>
}

function draw(node: RichNode, at: number): ReactNode {
  if (typeof node === 'string') return <Fragment key={at}>{node}</Fragment>
  const { tag, attrs, children } = node
  if (tag === 'img') return <StoredImage key={at} view={fileApi.view} id={attrs['file']!} name={attrs['alt'] || '新闻图片'} />
  if (tag === 'a') return <a key={at} href={attrs['href']} target="_blank" rel="noopener noreferrer nofollow">{children.map(draw)}</a>
  const { align, colspan, rowspan } = attrs
  const given = { key: at, ...(align && { style: { textAlign: align as 'center' } }), ...(colspan && { colSpan: Number(colspan) }), ...(rowspan && { rowSpan: Number(rowspan) }) }
  return tag === 'br' || tag === 'hr' ? createElement(tag, given) : createElement(tag, given, children.map(draw))
}
