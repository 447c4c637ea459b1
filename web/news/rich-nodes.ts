import { alignedTags, alignments, imageAddress, imageSource, linkAddress, richAliases, richDropped, richTags, type RichTag } from '../../contract/news/rich-text.ts'

/** A text as elements of the contract's list and nothing else: what is drawn, edited, pasted and sent goes through this form. */
export type RichNode = string | RichElement
export interface RichElement {
  tag: RichTag
  /** href, alt, colspan, rowspan, align, and `file` for the id of a stored image. */
  attrs: Readonly<Record<string, string>>
  children: readonly RichNode[]
}

const known: ReadonlySet<string> = new Set(richTags)
const dropped: ReadonlySet<string> = new Set(richDropped)
const blocks: ReadonlySet<string> = new Set(['p', 'h2', 'h3', 'h4', 'blockquote', 'ul', 'ol', 'table', 'hr', 'li', 'tr', 'td', 'th', 'thead', 'tbody'])
const isBlock = (node: RichNode): boolean => typeof node !== 'string' && blocks.has(node.tag)

/** Reads HTML in a document of its own, in which nothing runs and nothing is fetched. */
export const parseRich = (html: string): RichNode[] => readRich(new DOMParser().parseFromString(html, 'text/html').body)

/** What the children of a node are in our elements; unknown ones leave their content behind. */
export const readRich = (parent: ParentNode & Node): RichNode[] => [...parent.childNodes].flatMap(nodesOf)

function nodesOf(node: ChildNode): RichNode[] {
  if (node.nodeType === 3) return node.nodeValue ? [node.nodeValue] : []
  if (node.nodeType !== 1) return []
  const element = node as HTMLElement
  const name = element.localName.toLowerCase()
  if (dropped.has(name)) return []
  const tag = (known.has(name) ? name : richAliases[name]) as RichTag | undefined
  const children = readRich(element)
  if (tag === undefined) return styled(element, children)
  if (tag === 'br' || tag === 'hr') return [{ tag, attrs: {}, children: [] }]
  if (tag === 'img') return imageOf(element)
  if (tag === 'a') return linkOf(element, children)
  // a frame around blocks is no paragraph of its own, and a paragraph in an item of a list is just its text
  if (tag === 'p' && children.some(isBlock)) return children
  if (tag === 'li') return [{ tag, attrs: {}, children: children.flatMap((child) => (typeof child !== 'string' && child.tag === 'p' ? child.children : [child])) }]
  return [{ tag, attrs: attrsOf(element, tag), children }]
}

/** Bold, italic and underlined text that only a style says, as office programs write it. */
function styled({ style }: HTMLElement, children: RichNode[]): RichNode[] {
  if (children.length === 0 || children.some(isBlock) || !style) return children
  const wrap = (tag: RichTag, inner: RichNode[], on: boolean): RichNode[] => (on ? [{ tag, attrs: {}, children: inner }] : inner)
  const line = `${style.textDecoration} ${style.textDecorationLine}`
  const strong = wrap('strong', children, /^(bold|bolder|[6-9]00)$/.test(style.fontWeight))
  return wrap('s', wrap('u', wrap('em', strong, style.fontStyle === 'italic'), line.includes('underline')), line.includes('line-through'))
}

function imageOf(element: HTMLElement): RichNode[] {
  const file = element.dataset['fileId'] ?? imageAddress.exec(element.getAttribute('src') ?? '')?.[1]
  return file && imageAddress.test(imageSource(file)) ? [{ tag: 'img', attrs: { file, alt: element.getAttribute('alt') ?? '' }, children: [] }] : []
}

function linkOf(element: HTMLElement, children: RichNode[]): RichNode[] {
  const href = element.getAttribute('href')?.trim() ?? ''
  return linkAddress.test(href) && children.length > 0 && !children.some(isBlock) ? [{ tag: 'a', attrs: { href }, children }] : children
}

function attrsOf(element: HTMLElement, tag: RichTag): Record<string, string> {
  const attrs: Record<string, string> = {}
  const align = element.style?.textAlign || element.getAttribute('align') || ''
  if (alignedTags.includes(tag) && (alignments as readonly string[]).includes(align)) attrs['align'] = align
  if (tag === 'td' || tag === 'th') for (const name of ['colspan', 'rowspan']) if (/^[1-9]\d?$/.test(element.getAttribute(name) ?? '')) attrs[name] = element.getAttribute(name)!
  return attrs
}

const escaped = (text: string): string => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;').replaceAll('\u00a0', '&nbsp;')
const empty = new Set<RichTag>(['br', 'hr', 'img'])

/** HTML of the nodes, as the service stores it; `live` gives images the mark by which the editor finds and fills them. */
export function toHtml(nodes: readonly RichNode[], { live = false } = {}): string {
  return nodes
    .map((node) => {
      if (typeof node === 'string') return escaped(node)
      const { tag, attrs, children } = node
      const { file, align, ...rest } = attrs
      const source = file === undefined ? '' : live ? ` data-file-id="${escaped(file)}"` : ` src="${escaped(imageSource(file))}"`
      const given = Object.entries(rest).map(([name, value]) => ` ${name}="${escaped(value)}"`).join('')
      const open = `<${tag}${source}${given}${align ? ` style="text-align:${align}"` : ''}`
      return empty.has(tag) ? `${open}>` : `${open}>${toHtml(children, { live })}</${tag}>`
    })
    .join('')
}

/** True where a text shows nothing: no words, no image, no line. */
export const isBlank = (nodes: readonly RichNode[]): boolean => nodes.every((node) => (typeof node === 'string' ? node.trim() === '' : node.tag !== 'img' && node.tag !== 'hr' && isBlank(node.children)))
