import { imageAddress, richAliases } from '../../../contract/core/rich-text.ts'
import { cleanPasted } from './rich-clean.ts'

/**
 * What was copied, as HTML for the editor, and how many pictures did not come along (they lie on the other machine or
 * elsewhere). Word and WPS write lists as paragraphs with a mark in front; here they become lists again.
 */
export function pasted(html: string): { html: string; lost: number } {
  // what Word says to itself in conditional comments is no text, nor is what stands around the copied fragment
  const text = html
    .replace(/<!--\[if[\s\S]*?<!\[endif\]-->/gi, '')
    .replace(/<!\[(?:if|endif)[^\]]*\]>/gi, '')
    .replace(/^[\s\S]*?<!--StartFragment-->/i, '')
    .replace(/<!--EndFragment-->[\s\S]*$/i, '')
  const { body } = new DOMParser().parseFromString(text, 'text/html')
  for (const first of body.querySelectorAll<HTMLElement>('p, div, h1, h2, h3'))
    if (first.isConnected && isItem(first)) makeList(first)
  for (const [name, tag] of Object.entries(richAliases))
    if (/^h\d$|^ins$/.test(name)) for (const element of body.querySelectorAll(name)) rename(element, tag)
  for (const element of body.querySelectorAll<HTMLElement>('[align]'))
    element.style.textAlign ||= element.getAttribute('align')!
  for (const paragraph of body.querySelectorAll('p'))
    if (paragraph.textContent.replaceAll('\u00a0', '').trim() === '' && !paragraph.querySelector('img'))
      paragraph.remove()
  const lost = [...body.querySelectorAll('img')].filter(
    (image) => !imageAddress.test(image.getAttribute('src') ?? ''),
  ).length
  return { html: cleanPasted(body.innerHTML).trim(), lost }
}

function rename(element: Element, tag: string): void {
  const named = element.ownerDocument.createElement(tag)
  for (const name of ['style', 'align'])
    if (element.hasAttribute(name)) named.setAttribute(name, element.getAttribute(name)!)
  named.append(...element.childNodes)
  element.replaceWith(named)
}

/** A paragraph that stands for an item of a list. */
const isItem = (element: Element | null): element is HTMLElement =>
  element !== null &&
  (/^MsoList/i.test(element.className) || /mso-list:\s*l\d/i.test(element.getAttribute('style') ?? ''))
const levelOf = (element: HTMLElement): number =>
  Number(/level(\d)/i.exec(element.getAttribute('style') ?? '')?.[1] ?? 1)

/** The mark in front of an item, taken out of it: `·`, `1.`, `（一）`. */
function takeMark(element: HTMLElement): string {
  const marks = [...element.querySelectorAll<HTMLElement>('span')].filter((span) =>
    /mso-list:\s*Ignore/i.test(span.getAttribute('style') ?? ''),
  )
  const mark = marks
    .map((span) => span.textContent ?? '')
    .join('')
    .trim()
  for (const span of marks) span.remove()
  if (mark) return mark
  const text = [...textNodes(element)].find((node) => node.nodeValue?.trim())
  const found =
    text &&
    /^\s*([·•●○■◆▪§Øo-]|[(（]?(?:\d{1,3}|[a-zA-Z]|[一二三四五六七八九十]{1,3})[.)）、．])[\s\u00a0]+/.exec(
      text.nodeValue!,
    )
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

const isNumber = (mark: string): boolean =>
  /^[(（]?(?:\d{1,3}|[a-zA-Z]|[一二三四五六七八九十]{1,3})[.)）、．]/.test(mark)

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
