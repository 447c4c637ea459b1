import type { Logger } from 'pino'
import { telemetry } from '../base/telemetry.ts'

/** One text of a statement that was slow, of one call, and what is known of its answers since they were last taken. */
export interface SlowStatement {
  /** Without values. */
  text: string
  /** Path of the call; empty for what no request asked for. */
  call: string
  count: number
  totalMs: number
  maxMs: number
}

/** Most texts that are kept between two takings, and most characters of one. */
const maxTexts = 200
const maxLength = 4000

interface SlowStatements {
  /** Those since the last time, the slowest first; they are forgotten here. */
  take(): SlowStatement[]
  close(): void
}

/**
 * Writes down every statement that took `slowMs` milliseconds or longer: a line of the log each, and a list by text. A
 * text has no values, for they are parameters.
 */
export function watchSlowStatements(slowMs: number, log: Logger): SlowStatements {
  const kept = new Map<string, SlowStatement>()
  const close = telemetry.statement.subscribe(({ text, ms, call }) => {
    if (ms < slowMs) return
    const cut = text.slice(0, maxLength)
    log.warn({ statement: cut, call, ms: Math.round(ms) }, 'slow statement')
    const key = `${call} ${cut}`
    const one = kept.get(key)
    if (one) Object.assign(one, { count: one.count + 1, totalMs: one.totalMs + ms, maxMs: Math.max(one.maxMs, ms) })
    else if (kept.size < maxTexts) kept.set(key, { text: cut, call, count: 1, totalMs: ms, maxMs: ms })
  })
  return {
    take() {
      const taken = [...kept.values()].toSorted((a, b) => b.maxMs - a.maxMs)
      kept.clear()
      return taken
    },
    close,
  }
}
