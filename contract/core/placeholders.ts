/** A placeholder in a text that is filled in for each receiver: `{姓名}`. */
const placeholder = /\{([^{}\n]{1,20})\}/g

/** What stands in braces in a text and is no placeholder of it. */
export const unknownPlaceholders = (placeholders: readonly string[], text: string): string[] =>
  [...text.matchAll(placeholder)].map(([, name]) => name!).filter((name) => !placeholders.includes(name))

/** The sentence that refuses a placeholder that does not exist. */
export const unknownPlaceholderText = (name: string): string => `没有“{${name}}”，请从可用的占位中选择`

/** Which placeholders there are, as a form tells it below the field. */
export const placeholdersText = (placeholders: readonly string[]): string =>
  `可用：${placeholders.map((name) => `{${name}}`).join(' ')}`

/** Fills the placeholders of a text; what is none of them stays as it is. */
export const fillPlaceholders = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replace(placeholder, (whole, name: string) => (Object.hasOwn(values, name) ? values[name]! : whole))
