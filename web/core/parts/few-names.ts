/** People that a line names; the rest by number. */
export const maxNamed = 3

/** The first few names and how many there are: `张三、李四、王五等 5 人`. */
export const fewNames = (names: readonly string[]): string =>
  `${names.slice(0, maxNamed).join('、')}${names.length > maxNamed ? `等 ${names.length} 人` : ''}`
