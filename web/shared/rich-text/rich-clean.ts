import DOMPurify, { type Config } from 'dompurify'
import {
  alignments,
  imageAddress,
  linkAddress,
  richAttributes,
  richDropped,
  richTags,
} from '../../../contract/core/rich-text.ts'

const allowed: Config = {
  ALLOWED_TAGS: [...richTags],
  ALLOWED_ATTR: ['style', ...Object.values(richAttributes).flat()],
  FORBID_CONTENTS: [...richDropped],
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
}

/**
 * What of a style is kept of a stored text; office programs say bold, italic and lines by styles as well, which the
 * editor turns into elements.
 */
const storedStyles = new Map([['text-align', new RegExp(`^(?:${alignments.join('|')})$`)]])
const pastedStyles = new Map([
  ...storedStyles,
  ['font-weight', /^(?:normal|bold|bolder|[1-9]00)$/],
  ['font-style', /^(?:normal|italic)$/],
  ['text-decoration', /^(?:underline|line-through)$/],
  ['text-decoration-line', /^(?:underline|line-through)$/],
])

const stored = cleaner(storedStyles)
const pasted = cleaner(pastedStyles)

/**
 * A text as elements of the contract's list (rich-text.ts) and nothing else, in a document in which nothing runs and
 * nothing is fetched.
 */
export const cleanStored = (html: string): HTMLElement =>
  stored.sanitize(html, { ...allowed, RETURN_DOM: true }) as HTMLElement

/**
 * What was copied elsewhere, in the elements that the editor reads; its own mark says where a copied part of its text
 * began.
 */
export const cleanPasted = (html: string): string =>
  pasted.sanitize(html, {
    ...allowed,
    ALLOWED_TAGS: [...richTags, 'b', 'i', 'del', 'strike', 'span', 'div'],
    ADD_ATTR: ['data-pm-slice'],
  })

/** A cleaner of its own: addresses only where the contract lets them lead, styles only as given. */
function cleaner(styles: ReadonlyMap<string, RegExp>) {
  const purify = DOMPurify(window)
  purify.addHook('uponSanitizeAttribute', (_, attribute) => {
    const { attrName, attrValue } = attribute
    if (attrName === 'href') attribute.keepAttr = linkAddress.test(attrValue.trim())
    if (attrName === 'src') attribute.keepAttr = imageAddress.test(attrValue)
    if (attrName === 'style') {
      attribute.attrValue = attrValue
        .split(';')
        .map((rule) => rule.split(':').map((part) => part.trim().toLowerCase()))
        .filter(([name, value]) => styles.get(name ?? '')?.test(value ?? ''))
        .map((rule) => rule.join(':'))
        .join(';')
      attribute.keepAttr = attribute.attrValue !== ''
    }
  })
  // an image without an address of the school's own files shows nothing and would only tell that something was there
  purify.addHook('afterSanitizeAttributes', (node) => {
    if (node.nodeName === 'IMG' && !node.hasAttribute('src')) node.remove()
  })
  return purify
}
