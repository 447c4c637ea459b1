import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism, cpus, totalmem } from 'node:os'
import { fileURLToPath } from 'node:url'

/** What one part of the benchmark found: rows for a table (column head -> figure) and the bars that were missed. */
export interface Part {
  title: string
  rows: Record<string, string | number>[]
  missed: string[]
  /** Measured in part only: printed, and not kept in the place of the whole. */
  isPartial?: boolean
}

type Kept = Part & { measured: string; machine: string }

const resultsFile = new URL('results.json', import.meta.url)
const readme = new URL('README.md', import.meta.url)

/** The machine in a line. */
export const machine = (): string =>
  `${cpus()[0]?.model.trim() ?? 'unknown processor'}, ${availableParallelism()} cores, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.versions.node}`

/**
 * Keeps the parts that were run in results.json, beside those of earlier runs, and writes all of them into the README.
 */
export function keepResults(parts: Record<string, Part>): void {
  const before = existsSync(resultsFile) ? (JSON.parse(readFileSync(resultsFile, 'utf8')) as Record<string, Kept>) : {}
  const measured = new Date().toISOString().slice(0, 16).replace('T', ' ')
  const whole = Object.entries(parts).filter(([, { isPartial }]) => !isPartial)
  if (whole.length === 0) return
  const all: Record<string, Kept> = {
    ...before,
    ...Object.fromEntries(
      whole.map(([name, { isPartial: _, ...part }]) => [
        name,
        { measured: `${measured} UTC`, machine: machine(), ...part },
      ]),
    ),
  }
  writeFileSync(resultsFile, `${JSON.stringify(all, null, 2)}\n`)
  if (!existsSync(readme)) return
  const text = readFileSync(readme, 'utf8')
  const tables = Object.values(all).map(
    (part) =>
      `### ${part.title}\n\n${part.measured}; ${part.machine}.\n\n${markdown(part.rows)}\n\n${part.missed.length === 0 ? 'All bars held.' : `Missed: ${part.missed.join('; ')}.`}`,
  )
  writeFileSync(
    readme,
    text.replace(
      /(<!-- results -->)[^]*(<!-- end of results -->)/,
      (_, open: string, close: string) => `${open}\n\n${tables.join('\n\n')}\n\n${close}`,
    ),
  )
  // the formatter decides how its tables look, and CI asks whether they do
  spawnSync('npx', ['oxfmt', fileURLToPath(readme)], { stdio: 'inherit' })
}

/** Prints a part as a table of aligned columns. */
export function print({ title, rows, missed }: Part): void {
  const headers = Object.keys(rows[0] ?? {})
  const lines = [headers, ...rows.map((row) => headers.map((header) => String(row[header] ?? '')))]
  const widths = headers.map((_, at) => Math.max(...lines.map((line) => wide(line[at]!))))
  process.stdout.write(
    `\n${title}\n${lines.map((line) => line.map((cell, at) => cell + ' '.repeat(widths[at]! - wide(cell))).join('  ')).join('\n')}\n${missed.map((one) => `  missed: ${one}\n`).join('')}`,
  )
}

/** Columns a text takes in a terminal: Chinese characters take two. */
const wide = (text: string): number => [...text].reduce((sum, sign) => sum + (sign > '\u2e7f' ? 2 : 1), 0)

function markdown(rows: Part['rows']): string {
  const headers = Object.keys(rows[0] ?? {})
  const line = (cells: (string | number)[]) => `| ${cells.join(' | ')} |`
  return [
    line(headers),
    line(headers.map(() => '---')),
    ...rows.map((row) => line(headers.map((header) => row[header] ?? ''))),
  ].join('\n')
}

/** A figure with a sensible number of digits. */
export const rounded = (value: number): number =>
  value >= 100 ? Math.round(value) : value >= 10 ? Math.round(value * 10) / 10 : Math.round(value * 100) / 100
