import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import type { OpenServices } from '../server/setup/open-services.ts'
import type { Kind } from './calls.ts'
import type { Clients } from './clients.ts'
import { isQuickSize } from './prepare.ts'
import { rounded, type Part } from './report.ts'
import { compared } from './throughput.ts'

/** A share that has fallen below this part of the kept one is told. */
const fallen = 0.8
const file = new URL('quick.json', import.meta.url)
/** Shares of the bare server's throughput by call and connections, `a course @16`. */
type Shares = Record<string, number>

/**
 * Whether a change has made calls slower, in five minutes: shares of the bare server's throughput, which a busy or slow
 * machine hardly moves, beside those of the last kept run, and by kind. `BENCH_KEEP=1` keeps the shares.
 * @throws Error where they are to be kept of a school of another size, which later runs are not compared on
 */
export async function quick(opened: OpenServices, clients: Clients): Promise<Part> {
  const isKept = process.env['BENCH_KEEP'] === '1'
  if (isKept && !isQuickSize)
    throw new Error('BENCH_KEEP=1 keeps the shares of the usual size: leave BENCH_STUDENTS out')
  const before: Shares = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Shares) : {}
  const { all, different } = await compared(opened, clients, { rounds: 5, seconds: 1.5, isQuick: true })
  const now: Shares = Object.fromEntries(
    all.map(({ name, connections, share }) => [`${name} @${connections}`, rounded(share)]),
  )
  for (const kind of ['list', 'detail', 'write'] satisfies Kind[]) {
    const shares = all.filter((one) => one.kind === kind).map(({ share }) => share)
    if (shares.length === 0) continue
    now[`every ${kind}`] = rounded(Math.exp(shares.reduce((sum, one) => sum + Math.log(one), 0) / shares.length))
  }
  if (isKept) writeFileSync(file, `${JSON.stringify(now, null, 2)}\n`)
  const rows = Object.entries(now).map(([call, share]) => {
    const kept = isQuickSize ? before[call] : undefined
    return {
      'call @connections': call,
      'share before': kept ?? '',
      'share now': share,
      'now / before': kept === undefined ? '' : rounded(share / kept),
    }
  })
  return {
    title: 'Share of the throughput of a bare server, before and now (medians of 5 alternating rounds)',
    rows,
    missed: [
      ...different.map((one) => `another answer: ${one}`),
      ...rows
        .filter((row) => typeof row['now / before'] === 'number' && row['now / before'] < fallen)
        .map(
          (row) =>
            `${row['call @connections']}: ${row['share now']} of the bare throughput, before ${row['share before']}`,
        ),
    ],
    isPartial: true,
  }
}
