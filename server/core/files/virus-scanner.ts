import { createReadStream } from 'node:fs'
import type { Logger } from 'pino'
import type { Config } from '../base/config.ts'
import { commandClamd, streamToClamd, type ClamdTimeouts } from './clamd.ts'

/**
 * What a scanner says of a file. `failed`: it answers, but not about this file; `away`: it does not answer at all.
 */
export type Verdict =
  | { is: 'clean' }
  | { is: 'infected'; virus: string }
  | { is: 'too-large' }
  | { is: 'failed' | 'away'; why: string }

/** Looks for viruses in files (decision 040). */
export interface VirusScanner {
  /** Streams the file at the path; what goes wrong is a verdict, never thrown. */
  scan(path: string): Promise<Verdict>
  /** Whether it answers now; a change is logged. */
  isThere(): Promise<boolean>
}

/** A file of the largest size takes clamd some seconds, an archive full of archives much longer. */
const usual: ClamdTimeouts = { connectMs: 5000, answerMs: 60_000 }
/** For asking whether it is there, while somebody waits for the readiness of the service. */
const briefly: ClamdTimeouts = { connectMs: 500, answerMs: 500 }

/** The scanner that the settings name; undefined where they name none. */
export function openVirusScanner(
  { clamd }: Pick<Config, 'clamd'>,
  log: Logger,
  timeouts: ClamdTimeouts = usual,
): VirusScanner | undefined {
  if (!clamd) return undefined
  let wasThere: boolean | undefined

  function note(isThere: boolean, why?: string): void {
    if (isThere === wasThere) return
    wasThere = isThere
    if (isThere) log.info({ clamd }, 'the virus scanner answers')
    else log.warn({ clamd, why }, 'the virus scanner does not answer')
  }
  async function answers(within: ClamdTimeouts): Promise<boolean> {
    const answer = await commandClamd(clamd!, 'PING', within).catch((error: Error) => error)
    note(answer === 'PONG', answer instanceof Error ? answer.message : answer)
    return answer === 'PONG'
  }
  /**
   * A file may bring clamd to silence or to an error while it serves others: then it is the file that is at fault. It
   * is asked patiently, for whoever keeps it busy must not make it seem away.
   */
  const failed = async (why: string): Promise<Verdict> => ({
    is: (await answers({ connectMs: timeouts.connectMs, answerMs: timeouts.connectMs })) ? 'failed' : 'away',
    why,
  })

  return {
    isThere: () => answers(briefly),
    async scan(path) {
      try {
        const answer = await streamToClamd(clamd, () => createReadStream(path), timeouts)
        const verdict = verdictOf(answer)
        if (!verdict) return await failed(answer)
        note(true)
        return verdict
      } catch (error) {
        return failed((error as Error).message)
      }
    },
  }
}

/** What an answer to INSTREAM means; undefined where clamd could not look at the content. */
export function verdictOf(answer: string): Verdict | undefined {
  if (answer === 'stream: OK') return { is: 'clean' }
  const found = /^stream: (.+) FOUND$/.exec(answer)
  if (found) return { is: 'infected', virus: found[1]! }
  return /size limit exceeded/i.test(answer) ? { is: 'too-large' } : undefined
}
