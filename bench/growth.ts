import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import { machine, type Part } from './report.ts'

const file = new URL('growth.json', import.meta.url)

/** What was measured of how a school grows, with how busy the machine was. */
export type KeptPart = Part & { measured: string; machine: string; load: number }
/** By school (`10000 students, 2 years`), then by part. */
export type Growth = Record<string, Record<string, KeptPart>>

/** What was measured on schools of any size so far. */
export const growthSoFar = (): Growth => (existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Growth) : {})

/** Keeps parts measured on a school beside those of others. */
export function keepGrowth(school: string, parts: Record<string, Part>): void {
  if (Object.keys(parts).length === 0) return
  const all = growthSoFar()
  const measured = new Date().toISOString().slice(0, 16).replace('T', ' ')
  const own = Object.entries(parts).map(([name, { isPartial: _, ...part }]): [string, KeptPart] => [
    name,
    { measured: `${measured} UTC`, machine: machine(), load: Math.round(loadavg()[1]! * 10) / 10, ...part },
  ])
  all[school] = { ...all[school], ...Object.fromEntries(own) }
  writeFileSync(file, `${JSON.stringify(all, null, 1)}\n`)
}
