import { doing } from '../../../scripts/progress.mjs'
import type { Progress } from '../../core/backup/write-backup.ts'

/** Tells how far something is: on a terminal in place, elsewhere a line every half a minute. */
export function progressOf(what: string): Progress {
  const began = Date.now()
  let told = process.stdout.isTTY ? 0 : began
  return (text, share) => {
    const now = Date.now()
    if (now - told < (process.stdout.isTTY ? 200 : 30_000)) return
    told = now
    const seconds = (now - began) / 1000
    const left = share > 0.02 && seconds > 3 ? `，约剩 ${durationText((seconds / share) * (1 - share))}` : ''
    doing(`${what} ${Math.floor(share * 100)}%：${text}${left}`)
  }
}

const durationText = (seconds: number): string =>
  seconds < 90 ? `${Math.ceil(seconds)} 秒` : `${Math.ceil(seconds / 60)} 分钟`
