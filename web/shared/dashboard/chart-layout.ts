/** The size of what is written on a chart, in pixels. */
export const fontSize = 12
export const lineHeight = 14

/** The width of a text in pixels: Chinese is as wide as it is high, other letters about half of that. */
export const textWidth = (text: string, size = fontSize): number =>
  [...text].reduce(
    (sum, letter) => sum + (letter.charCodeAt(0) > 0x2e80 || '·—…“”‘’'.includes(letter) ? size : size * 0.58),
    0,
  )

export const widest = (texts: readonly string[]): number => Math.max(0, ...texts.map((text) => textWidth(text)))

/** How many lines a text takes in so many pixels. */
export const linesIn = (text: string, width: number): number =>
  Math.max(1, Math.ceil(textWidth(text) / Math.max(1, width)))

/** How many lines the entries of a legend take in a chart so wide; all of them are shown. */
export function legendLines(names: readonly string[], width: number): number {
  let [lines, left] = [1, width]
  for (const name of names) {
    const needed = 14 + 5 + textWidth(name) + 10
    if (needed > left && left < width) {
      lines += 1
      left = width
    }
    left -= needed
  }
  return lines
}

/** What one name of a bar takes: where names stand beside their bars and how high each row is. */
export function barRows(
  labels: readonly string[],
  abreast: number,
  width: number,
): { labelWidth: number; rowHeight: number } {
  const labelWidth = Math.min(widest(labels) + 2, Math.max(72, Math.min(260, width * 0.36)))
  const lines = Math.max(1, ...labels.map((label) => linesIn(label, labelWidth)))
  return { labelWidth, rowHeight: Math.max(24, lines * lineHeight + 8, abreast * 11 + 8) }
}

/** Whether bars can stand upright: each has room for its name in two lines, and is wide enough to be seen. */
export function standsUpright(labels: readonly string[], abreast: number, width: number): boolean {
  const each = (width - 72) / Math.max(1, labels.length)
  return each >= abreast * 9 + 8 && labels.every((label) => linesIn(label, each - 8) <= 2)
}

/** How the names of columns are written in so many pixels each: beside each other, in two lines, or turned. */
export function columnNames(names: readonly string[], each: number): 'flat' | 'broken' | 'turned' {
  if (names.every((name) => textWidth(name) <= each - 4)) return 'flat'
  return each >= 28 && names.every((name) => linesIn(name, each - 4) <= 2) ? 'broken' : 'turned'
}

/** Counts of people and of times they took part are of one scale. */
const scaleOf = (unit: string): string => (unit === '人次' ? '人' : unit)

/** The scales that some units need, in their order: each has an axis of its own. */
export const scalesOf = (units: readonly string[]): string[] => [...new Set(units.map(scaleOf))]

/** Which of the scales a unit goes by; the last where there are too many. */
export const scaleAt = (scales: readonly string[], unit: string): number =>
  Math.max(0, Math.min(1, scales.indexOf(scaleOf(unit))))

/** The unit in the brackets of a title: 门 of 课程（门）. */
export const unitIn = (title: string): string => /（([^（）]+)）$/.exec(title)?.[1] ?? ''

interface Line {
  name: string
  data: readonly (number | null)[]
}

/**
 * The highest of many lines, and the mean of the others as one: more than a handful cannot be told apart.
 * @param max how many lines there are at most
 */
export function fewLines<L extends Line>(lines: readonly L[], max = 7): L[] {
  if (lines.length <= max) return [...lines]
  const height = ({ data }: Line) => Math.max(0, ...data.map((one) => one ?? 0))
  const highest = new Set(lines.toSorted((a, b) => height(b) - height(a)).slice(0, max - 1))
  const others = lines.filter((line) => !highest.has(line))
  const mean = others[0]!.data.map((_, at) => {
    const values = others.flatMap(({ data }) => data[at] ?? [])
    return values.length === 0
      ? null
      : Math.round((values.reduce((sum, one) => sum + one, 0) / values.length) * 100) / 100
  })
  return [
    ...lines.filter((line) => highest.has(line)),
    { ...others[0]!, name: `其他 ${others.length} 项平均`, data: mean },
  ]
}
