/**
 * What the text of a news item may be made of. The service cleans by this list what it is sent, and the console draws
 * by it what it is given: elements that are not here do not exist, and nothing in them can run or fetch.
 */
export const richTags = [
  'p',
  'br',
  'h2',
  'h3',
  'h4',
  'strong',
  'em',
  'u',
  's',
  'sub',
  'sup',
  'blockquote',
  'ul',
  'ol',
  'li',
  'a',
  'img',
  'hr',
  'table',
  'thead',
  'tbody',
  'tr',
  'th',
  'td',
] as const
export type RichTag = (typeof richTags)[number]

/** Most characters of a text with its marks. */
export const richLimit = 200_000

/** Elements that browsers and office programs write for the same thing. */
export const richAliases: Readonly<Record<string, RichTag>> = {
  b: 'strong',
  i: 'em',
  strike: 's',
  del: 's',
  ins: 'u',
  h1: 'h2',
  h5: 'h4',
  h6: 'h4',
  div: 'p',
  section: 'p',
  article: 'p',
  caption: 'p',
  figcaption: 'p',
  center: 'p',
  tfoot: 'tbody',
}

/** Elements whose content is never text of ours: they go as a whole. */
export const richDropped = [
  'script',
  'style',
  'textarea',
  'option',
  'noscript',
  'title',
  'iframe',
  'object',
  'embed',
  'svg',
  'math',
  'template',
  'xmp',
  'form',
  'select',
  'head',
  'noembed',
  'noframes',
  'plaintext',
  'audio',
  'video',
] as const

/** Attributes by element; everything else is left out. `style` is kept only as far as {@link alignments} say. */
export const richAttributes: Readonly<Partial<Record<RichTag, readonly string[]>>> = {
  a: ['href'],
  img: ['src', 'alt'],
  td: ['colspan', 'rowspan'],
  th: ['colspan', 'rowspan'],
}
export const alignedTags: readonly RichTag[] = ['p', 'h2', 'h3', 'h4', 'td', 'th']
export const alignments = ['center', 'right', 'justify'] as const

/** Where a link may lead; addresses without one of these are no links. */
export const linkAddress = /^(?:https?:\/\/[^\s/?#"'<>\\]+[^\s"'<>\\]*|mailto:[^\s"'<>\\:]+|tel:[\d+-]{3,20})$/i

/**
 * An image of a text is a file that the school stores; the group is its id. Images from elsewhere would tell others who
 * reads.
 */
export const imageAddress =
  /^\/api\/schoolbase\/file\/view\?id=([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})$/

/** The address under which a stored image stands in a text. */
export const imageSource = (fileId: string): string => `/api/schoolbase/file/view?id=${fileId}`

/** The files that a cleaned text shows. */
export const imagesIn = (html: string): string[] => [
  ...new Set([...html.matchAll(/src="([^"]+)"/g)].flatMap(([, source]) => imageAddress.exec(source!)?.[1] ?? [])),
]

/** The words of a cleaned text without its marks. */
export const plainText = (html: string): string =>
  html
    .replace(/<[^>]*>/g, ' ')
    .replace(/&nbsp;| /g, ' ')
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&quot;/g, '"')
    .replace(/&amp;/g, '&')
    .replace(/\s+/g, ' ')
    .trim()
