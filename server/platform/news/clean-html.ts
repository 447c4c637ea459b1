import sanitizeHtml from 'sanitize-html'
import {
  alignedTags,
  alignments,
  imageAddress,
  linkAddress,
  richAliases,
  richAttributes,
  richDropped,
  richTags,
} from '../../../contract/platform/news/rich-text.ts'

/**
 * The text as it is stored: only the elements of rich-text.ts, no address that runs or reaches out by itself, images
 * only from the school's own files. Whatever came in, what goes out holds nothing to be trusted (docs/security.md S15);
 * the console draws it by the same list once more.
 */
export function cleanHtml(html: string): string {
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

/** A cell may span a sensible number of others. */
function spans(attribs: Record<string, string>): Record<string, string> {
  const { colspan, rowspan, ...rest } = attribs
  const kept = (name: string, value: string | undefined) => (value && /^[1-9]\d?$/.test(value) ? { [name]: value } : {})
  return { ...rest, ...kept('colspan', colspan), ...kept('rowspan', rowspan) }
}
