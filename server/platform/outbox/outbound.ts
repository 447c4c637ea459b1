import type { IncomingMessage } from 'node:http'
import { openOutbound, OutboundFault, outboundFaultText, type OutboundRequest } from '../../core/base/outbound.ts'

/** Milliseconds for everything: name, connection, answer. */
const timeoutMs = 10_000
/** Bytes of an answer that are read; the rest is not waited for. */
const answerLimit = 2048

/** What the other side said. */
export interface OutboundAnswer {
  status: number
  text: string
}

/**
 * Sends to an address that a school has typed in, and reads the beginning of the answer.
 * @param allowed networks of the operator, such as `10.1.0.0/16`
 * @throws OutboundFault
 */
export async function sendOutbound(
  request: OutboundRequest,
  allowed: readonly string[],
  signal?: AbortSignal,
): Promise<OutboundAnswer> {
  const limit = AbortSignal.timeout(timeoutMs)
  const until = signal ? AbortSignal.any([signal, limit]) : limit
  let isSent = false
  try {
    const answer = await openOutbound(request, allowed, until, () => (isSent = true))
    return { status: answer.statusCode ?? 0, text: await readStart(answer) }
  } catch (error) {
    if (error instanceof OutboundFault || signal?.aborted) throw error
    throw new OutboundFault(limit.aborted ? '对方 10 秒内没有应答' : outboundFaultText(error), isSent)
  }
}

async function readStart(answer: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  let size = 0
  for await (const part of answer as AsyncIterable<Buffer>) {
    parts.push(part)
    size += part.length
    if (size >= answerLimit) break
  }
  answer.destroy()
  // text that can be stored, whatever came
  return Buffer.concat(parts)
    .subarray(0, answerLimit)
    .toString('utf8')
    .replace(/[^\P{C}\n]/gu, '�')
}
