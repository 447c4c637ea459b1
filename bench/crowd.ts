import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { quantile } from './load.ts'

/** One request of one person, and what it was answered with. */
export interface Press<W> {
  who: W
  method: 'GET' | 'POST'
  path: string
  token?: string | undefined
  body?: object | (() => object)
}

export interface Pressed<W> {
  who: W
  /** Milliseconds from the first press to this one, and from it to the end of its answer. */
  at: number
  ms: number
  status: number
  answer: { code: number; msg: string; data: unknown }
}

/**
 * Everybody presses once, evenly spread over so many seconds, whether others have been answered or not: a crowd does
 * not wait for each other. Each has a connection of their own as long as they wait, all from one address, as behind the
 * one address of a campus.
 */
export async function crowd<W>(address: string, presses: readonly Press<W>[], seconds: number): Promise<Pressed<W>[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: Infinity })
  const began = performance.now()
  const under: Promise<Pressed<W>>[] = []
  try {
    for (const [index, press] of presses.entries()) {
      const due = (index / presses.length) * seconds * 1000
      const early = due - (performance.now() - began)
      if (early > 1) await sleep(early)
      // counted from when it was due: a sender that is late itself must not make the answers look quick
      under.push(send(agent, address, press, began, due))
    }
    return await Promise.all(under)
  } finally {
    agent.destroy()
  }
}

function send<W>(agent: Agent, address: string, press: Press<W>, began: number, due: number): Promise<Pressed<W>> {
  const { who, method, path, token, body } = press
  const text = body && JSON.stringify(typeof body === 'function' ? body() : body)
  return new Promise((done) => {
    const end = (status: number, answered: string) =>
      done({ who, at: due, ms: performance.now() - began - due, status, answer: readAnswer(answered) })
    const sent = request(address + path, {
      agent,
      method,
      headers: {
        ...(token && { authorization: `Bearer ${token}` }),
        ...(text && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
      },
    })
    sent.on('response', (response) => {
      let received = ''
      response.setEncoding('utf8')
      response.on('data', (part: string) => (received += part))
      response.on('end', () => end(response.statusCode ?? 0, received))
      response.on('error', (error) => end(0, error.message))
    })
    sent.on('error', (error) => end(0, error.message))
    sent.end(text)
  })
}

function readAnswer(text: string): { code: number; msg: string; data: unknown } {
  try {
    return JSON.parse(text) as { code: number; msg: string; data: unknown }
  } catch {
    return { code: 0, msg: text.slice(0, 100), data: null }
  }
}

/** How long the answers took. */
export function waits(pressed: readonly Pressed<unknown>[]): { p50: number; p99: number; longest: number } {
  const sorted = pressed.map(({ ms }) => ms).toSorted((a, b) => a - b)
  return { p50: quantile(sorted, 0.5), p99: quantile(sorted, 0.99), longest: sorted.at(-1) ?? 0 }
}

/** How many were answered how: by the word of the refusal, where it was one. */
export function told(pressed: readonly Pressed<unknown>[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { status, answer } of pressed) {
    const word = answer.code === 200 ? '' : `${status} ${answer.msg}`
    counts.set(word, (counts.get(word) ?? 0) + 1)
  }
  return counts
}
