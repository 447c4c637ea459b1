import type { Sheet } from '../../contract/core/sheets.ts'

/** A sheet's file as another program would save it: its heads and the given rows, as CSV. */
export function csvOf(
  sheet: Sheet,
  rows: readonly Record<string, string | number>[],
): { name: string; bytes: Uint8Array } {
  const cell = (value: string | number | undefined) => `"${String(value ?? '').replaceAll('"', '""')}"`
  const lines = [
    sheet.columns.map(({ label }) => cell(label)),
    ...rows.map((row) => sheet.columns.map(({ key }) => cell(row[key]))),
  ]
  return {
    name: `${sheet.title}.csv`,
    bytes: Buffer.from(`\ufeff${lines.map((line) => line.join(',')).join('\r\n')}\r\n`),
  }
}
