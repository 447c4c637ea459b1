/**
 * How the fixed code lists are written: one table tells each code's name, the value that is stored and sent, and its
 * Chinese label, in the order shown. Everything else is derived from it: `lessonStatus.published` is the value `'30'`,
 * `CodeOf` the type, `dictionary` the labels, `valuesOf` the schema.
 */
type Table = Record<string, readonly [code: string, label: string]>

/** Where a list keeps its codes with their labels: beside the constants, never among them. */
const entries = Symbol('entries')
type Entries<Code extends string> = readonly (readonly [code: Code, label: string])[]

/** The constants of a code list, by name. */
type CodeList<T extends Table> = { readonly [Name in keyof T]: T[Name][0] } & {
  readonly [entries]: Entries<T[keyof T][0]>
}

/** The values of a code list as a type: `CodeOf<typeof lessonStatus>` is `'0' | '10' | …`. */
export type CodeOf<L> = L extends { readonly [entries]: Entries<infer Code> } ? Code : never

/** A code list out of its table: name, code, label. */
export function codeList<const T extends Table>(table: T): CodeList<T> {
  const constants = Object.fromEntries(Object.entries(table).map(([name, [code]]) => [name, code]))
  return Object.defineProperty(constants, entries, { value: Object.values(table) }) as CodeList<T>
}

/** A list whose codes are words and so their own names. */
export function wordList<const T extends Record<string, string>>(labels: T) {
  const table = Object.fromEntries(Object.entries(labels).map(([word, label]) => [word, [word, label]]))
  return codeList(table as unknown as { readonly [Word in keyof T & string]: readonly [Word, string] })
}

/** The codes of a list with their labels, in the order shown. */
export const entriesOf = <Code extends string>(list: { readonly [entries]: Entries<Code> }): Entries<Code> =>
  list[entries]

/** The codes of a list in the order shown, for schemas: `z.enum(codesOf(issueStatus))`. */
export const codesOf = <Code extends string>(list: { readonly [entries]: Entries<Code> }) =>
  list[entries].map(([code]) => code) as [Code, ...Code[]]

/** The label of a code of a list that is in no dictionary; the code itself where it is unknown. */
export const labelIn = (list: { readonly [entries]: Entries<string> }, code: string): string =>
  list[entries].find(([known]) => known === code)?.[1] ?? code

/** Whether a value is one of some codes: `isOneOf(row.liStatus, lessonStatus.completed, lessonStatus.archived)`. */
export const isOneOf = <V extends string>(value: V | null | undefined, ...codes: NoInfer<V>[]): boolean =>
  codes.some((code) => code === value)
