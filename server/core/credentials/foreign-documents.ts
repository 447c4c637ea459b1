import { openOutbound } from '../base/outbound.ts'

/** The text is no credential at all. */
export class NotACredential extends Error {
  override readonly name = 'NotACredential'
}

/** An object of a stranger: nothing of it is what it should be until it was looked at. */
export type Fields = Record<string, unknown>

/** The fields of a JSON text; undefined where it is none. */
export function fieldsOf(text: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : undefined
  } catch {
    return undefined
  }
}

/** Longest answer that is read, bytes. */
const maxBytes = 1_048_576
/** Documents that may be fetched for one credential: a key and a list need three. */
const maxFetches = 5
/** Milliseconds for all of them. */
const timeoutMs = 12_000

/** Gets documents of strangers; what cannot be had is undefined. */
export type DocumentGetter = (address: string) => Promise<string | undefined>

/**
 * Gets documents whose addresses stand in a credential: a few, small, from the internet alone (or where the operator
 * allows), without following anybody elsewhere. @param allowed networks as of `openOutbound`
 */
export function documentGetter(allowed: readonly string[]): DocumentGetter {
  const signal = AbortSignal.timeout(timeoutMs)
  let left = maxFetches
  return async (address) => {
    if (left-- <= 0 || !/^https?:\/\/[^\s]{1,500}$/.test(address)) return undefined
    try {
      const headers = { accept: 'application/vc, application/ld+json, application/json, application/jwt' }
      const answer = await openOutbound({ address, method: 'GET', headers }, allowed, signal)
      if (answer.statusCode !== 200) {
        answer.destroy()
        return undefined
      }
      const parts: Buffer[] = []
      let size = 0
      for await (const part of answer as AsyncIterable<Buffer>) {
        size += part.length
        if (size > maxBytes) {
          answer.destroy()
          return undefined
        }
        parts.push(part)
      }
      return Buffer.concat(parts).toString('utf8')
    } catch {
      // not there, not in time, or where nobody may be sent: the credential goes on without
      return undefined
    }
  }
}
