import { yesNo } from './codes/platform.ts'
import { z } from 'zod'

/**
 * The kinds of field that forms, filters, sheets and answers are made of. Each carries its Chinese label in `meta`, so
 * that the form label, the column header and the error sentence are the same words.
 */

/** Texts up to so many characters are names and the like: they stand in one line, longer ones may have several. */
export const maxLineLength = 120
/** What ends a line, in whichever program. */
export const lineEnds = /[\n\r\u0085\u2028\u2029]/

/** The label of a field, as its schema or the one it wraps tells it. */
export function labelIn(field: z.ZodType): string | undefined {
  let schema: z.ZodType | undefined = field
  while (schema) {
    const label = schema.meta()?.['label']
    if (typeof label === 'string') return label
    schema = (schema.def as { innerType?: z.ZodType }).innerType
  }
  return undefined
}

/** A required text of at most `max` characters; a line of them, as {@link maxLineLength} says. */
export const text = (label: string, max: number, isLine = max <= maxLineLength) =>
  z
    .string(`请输入${label}`)
    .trim()
    .min(1, `请输入${label}`)
    .max(max, `${label}不能超过 ${max} 个字`)
    .refine((value) => !unstorableCharacters.test(value), `${label}含有无法保存的字符`)
    .refine((value) => !isLine || !lineEnds.test(value), `${label}不能换行`)
    .meta({ label, max })

/** A line of text that may be left out. */
export const optionalText = (label: string, max: number) => text(label, max).optional()

/** A record id (UUID). */
export const id = (label = '编号') => z.uuid(`${label}不正确`).meta({ label })

/** A record that must be chosen. */
export const choice = (label: string) => z.uuid(`请选择${label}`).meta({ label, pick: true })

/** One value of a dictionary or other fixed list, sent as text. */
export const pick = <const V extends readonly [string, ...string[]]>(label: string, values: V) =>
  z.enum(values, `请选择${label}`).meta({ label, pick: true })

/** The longest text that is parted at its commas: as many ids as a call takes, with room for more. */
const maxListText = 64_000

/** The parts of a list that comes as a text, between its commas. */
export const textOfList = z
  .string()
  .max(maxListText)
  .transform((text) => text.split(',').map((part) => part.trim()))

/** The parts of a list that comes as a text; undefined where it is longer than any list. */
export const partsOf = (text: string): string[] | undefined => textOfList.safeParse(text).data

/** One or more record ids; 1 to 1000, no repeats. An id list never means "all". */
export const ids = z
  .union([z.array(id()), id().transform((one) => [one]), textOfList], '请至少选择一条记录')
  .pipe(z.array(id()).min(1, '请至少选择一条记录').max(1000, '一次最多处理 1000 条记录'))
  .transform((list) => [...new Set(list)])
  .meta({ label: '所选记录' })

/** The files of a record, in their order and each once: at most so many, none where nothing is said. */
export const fileIds = (label: string, max: number, counted = '个') =>
  z
    .array(id(label))
    .overwrite((list) => [...new Set(list)])
    .max(max, `${label}最多 ${max} ${counted}`)
    .default([])
    .meta({ label })

/** A list as such, or as text with its parts between commas. */
export const listed = <S extends z.ZodType<unknown, string[]>>(list: S) =>
  z.union([z.array(z.string()), textOfList]).pipe(list)

/** A whole number between two bounds; text digits are taken too. */
export const integer = (label: string, min: number, max: number) =>
  z.coerce
    .number(`请输入${label}`)
    .int(`${label}须为整数`)
    .min(min, `${label}不能小于 ${min}`)
    .max(max, `${label}不能大于 ${max}`)
    .meta({ label, min, max })

/** Hours, credit or points: a decimal with at most two places, checked into whole hundredths; never a float. */
export const amount = (label: string, max = 1000) =>
  z
    .union([z.string(), z.number()], `请输入${label}`)
    .transform((value, issue) => {
      const hundredths = toHundredths(String(value))
      if (hundredths === null || hundredths > max * 100) {
        issue.addIssue({ code: 'custom', message: `${label}须为 0 至 ${max} 之间、最多两位小数的数` })
        return z.NEVER
      }
      return hundredths
    })
    .meta({ label, amount: true, max })

/** `'2.5'` -> 250; null where the text is no plain decimal with at most two places. */
export function toHundredths(value: string): number | null {
  const match = /^(\d{1,9})(?:\.(\d{1,2}))?$/.exec(value.trim())
  return match ? Number(match[1]) * 100 + Number((match[2] ?? '').padEnd(2, '0')) : null
}

/** 250 -> `'2.5'`, the form amounts have on the wire; negative values keep their sign. */
export function fromHundredths(value: number): string {
  const cents = Math.abs(value)
  const fraction = String(cents % 100)
    .padStart(2, '0')
    .replace(/0+$/, '')
  return `${value < 0 ? '-' : ''}${Math.floor(cents / 100)}${fraction && `.${fraction}`}`
}

/** A day, `yyyy-MM-dd`, that exists in the calendar. */
export const day = (label: string) =>
  z.string(`请选择${label}`).refine(isDay, `${label}不是有效日期`).meta({ label, day: true })

/**
 * A moment as wall-clock text in Asia/Shanghai, `yyyy-MM-dd HH:mm:ss`; seconds may be left out, and fractions of them
 * count for nothing.
 */
export const dateTime = (label: string) =>
  z
    .string(`请选择${label}`)
    .transform((value) => (/^\d{4}-\d\d-\d\d \d\d:\d\d$/.test(value) ? `${value}:00` : value))
    .transform((value) => value.replace(/^(.{10} \d\d:\d\d:\d\d)\.\d{1,6}$/, '$1'))
    .refine(
      (value) => /^.{10} ([01]\d|2[0-3]):[0-5]\d:[0-5]\d$/.test(value) && isDay(value.slice(0, 10)),
      `${label}不是有效时间`,
    )
    .meta({ label, moment: true })

/** Start of a filter's range: a day means its 00:00:00. */
export const rangeStart = (label: string) => rangeEdge(label, '00:00:00')
/** End of a filter's range: a day means its 23:59:59. */
export const rangeEnd = (label: string) => rangeEdge(label, '23:59:59')

const rangeEdge = (label: string, time: string) =>
  z
    .string(`请选择${label}`)
    .meta({ label, moment: true })
    .transform((value) => (value.length === 10 ? `${value} ${time}` : value))
    .pipe(dateTime(label))

/** Free text to search for; LIKE wildcards are escaped by the query layer, not here. */
export const search = (label: string) => z.string().trim().max(100, `${label}不能超过 100 个字`).meta({ label })

/** A switch sent as `'1'` or `'0'`. */
export const flag = (label: string) =>
  z
    .union([z.boolean(), z.string(), z.number()])
    .transform((value) => value === true || value === yesNo.yes || value === 1 || value === 'true')
    .meta({ label, flag: true })

/**
 * Version of the record that an edit started from. Without it the last write wins, with the difference in the trail
 * (decision 034).
 */
export const version = z.coerce.number('数据版本不正确，请刷新后重试').int().min(0).optional()

/** The answer of a write: how many records it changed. */
export const done = z.object({ affected: z.number() })

/** A request without fields. */
export const nothing = z.object({})

/** An id and the name shown for it: the options of every drop-down. */
export const option = z.object({ id: z.string(), name: z.string() })

/** A character that PostgreSQL and XML cannot hold. */
export const unstorableCharacters =
  // oxlint-disable-next-line no-control-regex -- these are the very characters
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/

/** Whether every text in a JSON value, and every name of a field, can be stored. */
export function isStorable(value: unknown): boolean {
  if (typeof value === 'string') return !unstorableCharacters.test(value)
  if (typeof value !== 'object' || value === null) return true
  return Object.entries(value).every(([name, item]) => isStorable(name) && isStorable(item))
}

function isDay(value: string): boolean {
  const match = /^(\d{4})-(\d\d)-(\d\d)$/.exec(value)
  if (!match) return false
  const [year, month, date] = match.slice(1).map(Number) as [number, number, number]
  const parsed = new Date(Date.UTC(year, month - 1, date))
  return year >= 1900 && year <= 2200 && parsed.getUTCMonth() === month - 1 && parsed.getUTCDate() === date
}

/** A reason that others will read: why something was refused, taken down or changed. */
export const reason = (label: string) =>
  z
    .string(`请填写${label}`)
    .trim()
    .min(5, `${label}不能少于 5 个字`)
    .max(500, `${label}不能超过 500 个字`)
    .meta({ label, max: 500, area: true })
