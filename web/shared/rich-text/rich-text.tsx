import { createElement, useMemo, type ReactNode } from 'react'
import { fileApi } from '../../../contract/platform/files/files.calls.ts'
import { imageAddress } from '../../../contract/core/rich-text.ts'
import { StoredImage } from '../../core/parts/stored-file.tsx'
import { cleanStored } from './rich-clean.ts'
import './rich-text.css'

/**
 * A stored text, cleaned once more by the contract's list and drawn element by element: no HTML of others is put into
 * the page, and images, whose content needs the bearer token, come through the file store like all others.
 */
export function RichText({ html }: { html: string }) {
  const text = useMemo(() => cleanStored(html), [html])
  return <div className="rich-text">{drawAll(text)}</div>
}

const drawAll = (parent: Element): ReactNode[] => [...parent.childNodes].map(draw)

function draw(node: ChildNode, key: number): ReactNode {
  if (!(node.nodeType === 1)) return node.nodeValue
  const element = node as HTMLElement
  const { localName: tag, style } = element
  const given = (name: string) => element.getAttribute(name) ?? ''
  if (tag === 'img')
    return (
      <StoredImage
        key={key}
        view={fileApi.view}
        id={imageAddress.exec(given('src'))![1]!}
        name={given('alt') || '正文图片'}
      />
    )
  if (tag === 'a')
    return given('href') ? (
      <a key={key} href={given('href')} target="_blank" rel="noopener noreferrer nofollow">
        {drawAll(element)}
      </a>
    ) : (
      drawAll(element)
    )
  const attributes = {
    key,
    ...(style.textAlign && { style: { textAlign: style.textAlign as 'center' } }),
    ...(given('colspan') && { colSpan: Number(given('colspan')) }),
    ...(given('rowspan') && { rowSpan: Number(given('rowspan')) }),
  }
  return tag === 'br' || tag === 'hr'
    ? createElement(tag, attributes)
    : createElement(tag, attributes, drawAll(element))
}
