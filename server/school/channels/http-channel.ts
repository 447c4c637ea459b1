import { deliveryStatus } from '../../../contract/core/codes/platform.ts'
import { OutboundFault, type OutboundRequest } from '../../core/base/outbound.ts'
import type { Attempt } from '../../platform/outbox/deliver.service.ts'
import { sendOutbound, type OutboundAnswer } from '../../platform/outbox/outbound.ts'

/** What a service answered, or why nobody knows or nothing was asked. */
export type ServiceAnswer = { answer: OutboundAnswer } | { failed: Attempt }

/**
 * Asks a service of messages. Where the request has gone out and nothing came back, the message may have been taken: it
 * ends as unknown, unless the request itself tells nobody anything.
 * @param tells whether it is the message, and not the asking for a token
 */
export async function askService(
  request: OutboundRequest,
  allowed: readonly string[],
  tells: boolean,
): Promise<ServiceAnswer> {
  try {
    return { answer: await sendOutbound(request, allowed) }
  } catch (error) {
    if (!(error instanceof OutboundFault)) throw error
    const failed = { isDelivered: false, code: null, text: error.message }
    return tells && error.isSent
      ? {
          failed: {
            ...failed,
            endsAs: deliveryStatus.unknown,
            text: `请求已经发出，但没有等到应答（${error.message}）`,
          },
        }
      : { failed }
  }
}

/** The JSON of an answer as an object; empty where it is none. */
export function jsonOf({ text }: OutboundAnswer): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}
