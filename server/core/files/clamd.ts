import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ClamdAddress } from '../base/clamd-address.ts'

/** Milliseconds: until it takes a connection, and until it has answered, the sending included. */
export interface ClamdTimeouts {
  connectMs: number
  answerMs: number
}

/** What clamd answers to a short command, such as `PING` or `VERSION`. */
export const commandClamd = (address: ClamdAddress, command: string, timeouts: ClamdTimeouts): Promise<string> =>
  ask(address, timeouts, (socket) => write(socket, `z${command}\0`))

/**
 * Streams a content to clamd and gives its answer: `stream: OK`, `stream: <name> FOUND`, or a sentence that ends with
 * ERROR. A content over clamd's `StreamMaxLength` is answered while it is still being sent.
 * @param open reads the content; it may be asked for a second time
 */
export async function streamToClamd(
  address: ClamdAddress,
  open: () => AsyncIterable<Uint8Array>,
  timeouts: ClamdTimeouts,
): Promise<string> {
  let taken = 0
  const send = (atMost: number, pauseMs: number) => async (socket: Socket, isAnswered: () => boolean) => {
    taken = 0
    await write(socket, 'zINSTREAM\0')
    for await (const chunk of open()) {
      if (isAnswered() || taken === atMost) return
      // in one piece: clamd may answer as soon as it knows the length
      await write(socket, Buffer.concat([lengthOf(chunk.length), chunk]))
      taken++
      if (pauseMs > 0) await sleep(pauseMs)
    }
    await write(socket, lengthOf(0))
  }
  const whole = ask(address, timeouts, send(Infinity, 0))
  let answer = await whole.catch((error: Error) => error)
  // clamd answers that it takes no more and closes; whoever writes at that moment loses the answer. So what was on its
  // way is sent again, without haste, and then it is listened to.
  for (let pauseMs = 1; pauseMs <= maxPauseMs && isBrokenOff(answer); pauseMs *= 2)
    answer = await ask(address, { ...timeouts, answerMs: timeouts.connectMs }, send(taken + 1, pauseMs)).catch(
      (error: Error) => error,
    )
  return typeof answer === 'string' ? answer : whole
}

/** Longest pause after each of the chunks that are sent again. */
const maxPauseMs = 32

const isBrokenOff = (answer: string | NodeJS.ErrnoException): boolean =>
  typeof answer !== 'string' && ['EPIPE', 'ECONNRESET', 'ECONNABORTED'].includes(answer.code ?? '')

/** Longest answer; clamd's are a line. */
const maxAnswer = 4096

async function ask(
  address: ClamdAddress,
  { connectMs, answerMs }: ClamdTimeouts,
  send: (socket: Socket, isAnswered: () => boolean) => Promise<void>,
): Promise<string> {
  const socket = connect(address)
  const expire = (ms: number, what: string) =>
    setTimeout(() => socket.destroy(new Error(`${what} within ${ms} ms`)), ms)
  let timer = expire(connectMs, 'clamd took no connection')
  let text = ''
  const isAnswered = () => text.includes('\0')
  const answered = new Promise<string>((resolve, reject) => {
    socket.setEncoding('utf8')
    socket.on('data', (chunk: string) => {
      text += chunk
      if (isAnswered()) resolve(text.slice(0, text.indexOf('\0')))
      else if (text.length > maxAnswer) reject(new Error('clamd answered more than a line'))
    })
    socket.on('error', reject)
    const closed = Object.assign(new Error('clamd closed the connection without an answer'), { code: 'ECONNRESET' })
    socket.on('close', () => reject(closed))
  })
  // it may be refused while sending is still under way
  answered.catch(() => {})
  try {
    await Promise.race([once(socket, 'connect'), answered])
    clearTimeout(timer)
    timer = expire(answerMs, 'clamd did not answer')
    // what cannot be written any more has been answered or is told by the answer that fails
    const sent = send(socket, isAnswered).catch((error: unknown) => {
      if (!(error instanceof WriteFault)) throw error
    })
    return await Promise.race([answered, sent.then(() => answered)])
  } finally {
    clearTimeout(timer)
    socket.destroy()
  }
}

/** The connection takes no more; why is told by the socket itself. */
class WriteFault extends Error {}

const write = (socket: Socket, bytes: Uint8Array | string): Promise<void> =>
  new Promise((resolve, reject) => {
    socket.write(bytes, (error) => (error ? reject(new WriteFault('not written', { cause: error })) : resolve()))
  })

/** Before each chunk its length in four bytes; nought ends the stream. */
function lengthOf(bytes: number): Buffer {
  const head = Buffer.alloc(4)
  head.writeUInt32BE(bytes)
  return head
}
