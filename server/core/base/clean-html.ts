import {
  alignedTags,
  alignments,
  hasElements,
  imageAddress,
  linkAddress,
  richAliases,
  richAttributes,
  richDropped,
  richFromPlain,
  richTags,
} from '../../../contract/core/rich-text.ts'
import { need } from './need.ts'

/**
 * The text as it is stored: only the elements of rich-text.ts, no address that runs or reaches out by itself, images
 * only from the school's own files. Whatever came in, what goes out holds nothing to be trusted (docs/security.md S15);
 * the console draws it by the same list once more.
 */
export function cleanHtml(html: string): string {
  const sanitizeHtml = need('sanitize-html') as typeof import('sanitize-html')
  return sanitizeHtml(html, {
    allowedTags: [...richTags],
    allowedAttributes: {
      ...Object.fromEntries(Object.entries(richAttributes).map(([tag, names]) => [tag, [...names]])),
      ...Object.fromEntries(alignedTags.map((tag) => [tag, ['style', ...(richAttributes[tag] ?? [])]])),
    },
    allowedStyles: { '*': { 'text-align': [new RegExp(`^(?:${alignments.join('|')})$`)] } },
    allowedSchemes: ['http', 'https', 'mailto', 'tel'],
    allowProtocolRelative: false,
    nonTextTags: [...richDropped],
    nestingLimit: 40,
    transformTags: {
      ...richAliases,
      a: (tagName, { href }) => ({
        tagName,
        attribs: href && linkAddress.test(href.trim()) ? { href: href.trim() } : ({} as Record<string, string>),
      }),
      td: (tagName, attribs) => ({ tagName, attribs: spans(attribs) }),
      th: (tagName, attribs) => ({ tagName, attribs: spans(attribs) }),
    },
    exclusiveFilter: ({ tag, attribs }) => tag === 'img' && !imageAddress.test(attribs['src'] ?? ''),
  }).trim()
}

/**
 * What was sent as a rich text, as it is stored: cleaned, always in elements. A text without any was written as a plain
 * one, whose lines are kept and whose signs are words.
 */
export function cleanRichText(given: string): string {
  if (!hasElements(given)) return given.trim() && richFromPlain(given)
  const cleaned = cleanHtml(given)
  // what is left may be bare words: told apart from a plain text, so that cleaning it again changes nothing
  return cleaned && !hasElements(cleaned) ? `<p>${cleaned}</p>` : cleaned
}

/** A cell may span a sensible number of others. */
function spans(attribs: Record<string, string>): Record<string, string> {
  const { colspan, rowspan, ...rest } = attribs
  const kept = (name: string, value: string | undefined) => (value && /^[1-9]\d?$/.test(value) ? { [name]: value } : {})
  return { ...rest, ...kept('colspan', colspan), ...kept('rowspan', rowspan) }
}
