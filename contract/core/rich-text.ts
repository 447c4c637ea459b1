import { z } from 'zod'
import { lineEnds, unstorableCharacters } from './fields.ts'

/**
 * What a rich text may be made of: the text of a news item, the introduction of a course. The service cleans by this
 * list what it is sent, and the console draws by it what it is given: elements that are not here do not exist, and
 * nothing in them can run or fetch.
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
type RichTag = (typeof richTags)[number]

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

/** The words of a rich text in one line, without its marks. */
export const plainText = (html: string): string => decoded(html.replace(marks, ' ')).replace(/\s+/g, ' ').trim()

/** The words of a rich text as a plain text: a line for each paragraph, item and row, and a word for each picture. */
export const plainLines = (html: string): string =>
  decoded(
    html
      .replace(/\s+/g, ' ')
      .replace(/<img\b[^<>]*>/g, (image) => {
        const words = /\balt="([^"]+)"/.exec(image)?.[1]
        return words ? `［图片：${words}］` : '［图片］'
      })
      .replace(/<\/p> ?(?=<\/t[dh]>)/g, '')
      .replace(/<\/t[dh]>/g, ' ')
      .replace(/(?:<\/(?:p|h[2-4]|li|tr|ul|ol|blockquote|thead|tbody|table)> ?)+|<br\b[^<>]*>/g, '\n')
      .replace(marks, ''),
  )
    .split('\n')
    .map((line) => line.trim())
    .join('\n')
    .trim()

// a mark holds no further `<`, so that whatever is sent is read in one pass
const marks = /<[^<>]*>/g
const decoded = (text: string): string =>
  text
    .replace(/&nbsp;|\u00a0/g, ' ')
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&quot;/g, '"')
    .replace(/&amp;/g, '&')

/** A plain text as a rich one that reads the same: a paragraph for each line. */
export const richFromPlain = (text: string): string =>
  text
    .trim()
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
    .split(new RegExp(`\\r\\n|${lineEnds.source}`))
    .map((line) => `<p>${line}</p>`)
    .join('')

/** Whether a text has any element. One that has none was written as a plain text. */
export const hasElements = (text: string): boolean => /<\/?[a-z][^<>]*>/i.test(text)

/** How many characters a reader sees, spaces aside; marks do not count. */
export const richLength = (html: string): number => plainText(html).replace(/\s/g, '').length

/** Whether a rich text shows nothing. */
export const isBlankRich = (html: string): boolean =>
  plainText(html) === '' && imagesIn(html).length === 0 && !html.includes('<hr')

/** A required rich text of at most `max` characters, counted as {@link richLength} does. */
export const richText = (label: string, max: number) =>
  z
    .string(`请输入${label}`)
    .trim()
    .max(richLimit, `${label}过长，请删减内容；图片请用“插入图片”上传`)
    .refine((value) => !unstorableCharacters.test(value), `${label}含有无法保存的字符`)
    .refine((value) => !isBlankRich(value), `请输入${label}`)
    .refine((value) => richLength(value) <= max, `${label}不能超过 ${max} 个字`)
    .meta({ label, max })
