import { figure } from './figure.ts'

/** People that a line names; the rest by number. */
export const maxNamed = 3

/** The first few names and how many there are: `张三、李四、王五 等 5 人`. */
export const fewNames = (names: readonly string[]): string => namesOf(names.slice(0, maxNamed), names.length)

/** The same for names that are the first few of so many. */
export const namesOf = (names: readonly string[], total: number): string =>
  names.join('、') + (total > names.length ? ` 等 ${figure(total)} 人` : '')
