import { setTimeout as pause } from 'node:timers/promises'
import type { PublicContext } from '../../core/request/context.ts'

/**
 * Milliseconds that work waits, by chance anything between: neither its answer nor the next one tells that it is done.
 */
const waits = { least: 20, most: 300 }

const waiting = new Set<{ begin: AbortController; done: Promise<void> }>()

/**
 * Does after the answer what is done only for accounts that exist, so that the time an answer takes does not tell of
 * them (docs/security.md S3).
 */
export function afterwards({ log }: PublicContext, what: string, work: () => Promise<unknown>): void {
  const begin = new AbortController()
  const ms = waits.least + Math.random() * (waits.most - waits.least)
  const done = pause(ms, undefined, { signal: begin.signal, ref: false })
    .catch(() => undefined)
    .then(work)
    .catch((err: unknown) => log.error({ err }, what))
    .then(() => void waiting.delete(entry))
  const entry = { begin, done }
  waiting.add(entry)
}

/** Does at once what still waits; before the program stops. */
export async function finishAfterwards(): Promise<void> {
  for (const { begin } of waiting) begin.abort()
  await Promise.all([...waiting].map(({ done }) => done))
}
