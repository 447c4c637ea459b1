import { isIP } from 'node:net'
import { z } from 'zod'
import { readDatabaseAddress } from './database-address.ts'

// What a setting may say, with the Chinese sentence that refuses anything else.

/** Texts between commas; none where nothing is set. */
export const commaList = z
  .string()
  .default('')
  .transform((list) =>
    list
      .split(',')
      .map((one) => one.trim())
      .filter(Boolean),
  )
/** A whole number within bounds, where one is set. */
export const wholeIfGiven = (min: number, max: number, what: string) =>
  z.coerce
    .number(`${what} 须为整数`)
    .int(`${what} 须为整数`)
    .min(min, `${what} 不能小于 ${min}`)
    .max(max, `${what} 不能大于 ${max}`)
    .optional()
/** Accounts as `school/login name`, between commas. */
export const accounts = (name: string) =>
  commaList.pipe(z.array(z.string().regex(/^[^/\s]+\/[^/\s]+$/, `${name} 须为以逗号分隔的 学校代码/账号`)))

/** A whole number within bounds. */
export const whole = (fallback: number, min: number, max: number, what: string) =>
  wholeIfGiven(min, max, what).unwrap().default(fallback)

/** A switch. */
export const yesNo = (what: string) =>
  z.enum(['1', '0', 'true', 'false'], `${what} 须为 1 或 0`).transform((value) => value === '1' || value === 'true')

/** The address of a database that takes writes; of several hosts the one that does is found. */
export const databaseAddress = (what: string) =>
  z
    .string()
    .regex(/^postgres(ql)?:\/\//, `${what} 须以 postgres:// 开头`)
    .superRefine((value, issue) => {
      const { fault } = readDatabaseAddress(value)
      if (fault) issue.addIssue({ code: 'custom', message: `${what} 有误：${fault}` })
    })

/** The address at which people open the program. */
export const origin = z
  .string()
  .refine(
    (value) => URL.canParse(value) && new URL(value).origin === value,
    'PUBLIC_ORIGINS 须为以逗号分隔的网址，如 https://dekt.example.edu.cn，不带路径',
  )

/**
 * Whose `X-Forwarded-For` is believed: nobody's, a number of proxies, or addresses and networks separated by commas.
 */
export const proxies = z
  .string()
  .refine(
    (value) => /^(\d|false)$/.test(value) || value.split(',').every(isNetwork),
    'TRUST_PROXY 须为代理的层数（0 至 9），或代理的地址、网段，以逗号分隔，如 10.0.0.0/8',
  )
  .transform((value) => (value === '0' || value === 'false' ? false : /^\d$/.test(value) ? Number(value) : value))

/** Whether a text is an address or a network, such as `10.0.0.0/8`. */
export function isNetwork(text: string): boolean {
  const [address = '', bits, ...rest] = text.trim().split('/')
  return (
    isIP(address) !== 0 &&
    rest.length === 0 &&
    (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (isIP(address) === 4 ? 32 : 128)))
  )
}
