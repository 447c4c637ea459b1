import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import { machine, type Part } from './report.ts'

const file = new URL('growth.json', import.meta.url)

/** What was measured on a school of many years, with how busy the machine was. */
export type KeptPart = Part & { measured: string; machine: string; load: number }
/** By the number of students, then by part. */
export type Growth = Record<string, Record<string, KeptPart>>

/** What was measured on schools of many years so far. */
export const growthSoFar = (): Growth => (existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Growth) : {})

/** Keeps parts measured on a school of many years beside those of other sizes. */
export function keepGrowth(students: number, parts: Record<string, Part>): void {
  const all = growthSoFar()
  const measured = new Date().toISOString().slice(0, 16).replace('T', ' ')
  const own = Object.entries(parts).map(([name, { isPartial: _, ...part }]): [string, KeptPart] => [
    name,
    { measured: `${measured} UTC`, machine: machine(), load: Math.round(loadavg()[1]! * 10) / 10, ...part },
  ])
  all[students] = { ...all[students], ...Object.fromEntries(own) }
  writeFileSync(file, `${JSON.stringify(all, null, 1)}\n`)
}
