import { parseRich, type RichNode } from './rich-nodes.ts'

/** What was copied, in our elements. Word and WPS write lists as paragraphs with a mark in front; here they become lists again. */
export function pasted(html: string): RichNode[] {
  // what Word says to itself in conditional comments is no text, nor is what stands around the copied fragment
  const cleaned = html.replace(/<!--\[if[\s\S]*?<!\[endif\]-->/gi, '').replace(/<!\[(?:if|endif)[^\]]*\]>/gi, '').replace(/^[\s\S]*?<!--StartFragment-->/i, '').replace(/<!--EndFragment-->[\s\S]*$/i, '')
  const { body } = new DOMParser().parseFromString(cleaned, 'text/html')
  for (const first of body.querySelectorAll<HTMLElement>('p, div, h1, h2, h3')) if (first.isConnected && isItem(first)) makeList(first)
  return tidy(parseRich(body.innerHTML))
}

/** A paragraph that stands for an item of a list. */
const isItem = (element: Element | null): element is HTMLElement => element !== null && (/^MsoList/i.test(element.className) || /mso-list:\s*l\d/i.test(element.getAttribute('style') ?? ''))
const levelOf = (element: HTMLElement): number => Number(/level(\d)/i.exec(element.getAttribute('style') ?? '')?.[1] ?? 1)

/** The mark in front of an item, taken out of it: `·`, `1.`, `（一）`. */
function takeMark(element: HTMLElement): string {
  const marks = [...element.querySelectorAll<HTMLElement>('span')].filter((span) => /mso-list:\s*Ignore/i.test(span.getAttribute('style') ?? ''))
  const mark = marks.map((span) => span.textContent ?? '').join('').trim()
  for (const span of marks) span.remove()
  if (mark) return mark
  const text = [...textNodes(element)].find((node) => node.nodeValue?.trim())
  const found = text && /^\s*([·•●○■◆▪§Øo-]|[(（]?(?:\d{1,3}|[a-zA-Z]|[一二三四五六七八九十]{1,3})[.)）、．])[\s\u00a0]+/.exec(text.nodeValue!)
  if (!found) return ''
  text.nodeValue = text.nodeValue!.slice(found[0].length)
  return found[1]!
}

function* textNodes(element: Node): Generator<ChildNode> {
  for (const child of element.childNodes) {
    if (child.nodeType === 3) yield child
    else yield* textNodes(child)
  }
}

const isNumber = (mark: string): boolean => /^[(（]?(?:\d{1,3}|[a-zA-Z]|[一二三四五六七八九十]{1,3})[.)）、．]/.test(mark)

/** Puts an item and those that follow it into a list, deeper levels into lists of their own. */
function makeList(first: HTMLElement): void {
  const items: HTMLElement[] = []
  for (let at: Element | null = first; isItem(at); at = at.nextElementSibling) items.push(at)
  const { ownerDocument: page } = first
  const stack: { list: HTMLElement; level: number }[] = []
  const place = page.createElement('div')
  first.before(place)
  for (const item of items) {
    const level = levelOf(item)
    const tag = isNumber(takeMark(item)) ? 'ol' : 'ul'
    while (stack.length > 1 && stack.at(-1)!.level > level) stack.pop()
    if (stack.length === 0 || stack.at(-1)!.level < level) {
      const list = page.createElement(tag)
      ;(stack.at(-1)?.list.lastElementChild ?? place).append(list)
      stack.push({ list, level })
    }
    const li = page.createElement('li')
    li.append(...item.childNodes)
    stack.at(-1)!.list.append(li)
    item.remove()
  }
}

/** Without the paragraphs that hold nothing and the white space between blocks. */
const tidy = (nodes: readonly RichNode[]): RichNode[] =>
  nodes.flatMap((node): RichNode[] => {
    if (typeof node === 'string') return node.trim() === '' && /\n/.test(node) ? [] : [node.replace(/[\r\n\t ]+/g, ' ')]
    const children = tidy(node.children)
    return node.tag === 'p' && children.every((child) => typeof child === 'string' && child.replaceAll('\u00a0', '').trim() === '') ? [] : [{ ...node, children }]
  })

/** Plain text as paragraphs. */
export const pastedText = (text: string): RichNode[] =>
  text.split(/\r?\n\s*\r?\n/).filter((part) => part.trim()).map((part) => ({ tag: 'p', attrs: {}, children: part.split(/\r?\n/).flatMap((line, at): RichNode[] => (at > 0 ? [{ tag: 'br', attrs: {}, children: [] }, line] : [line])) }))
