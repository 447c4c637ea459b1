import type { Call } from '../../contract/core/call.ts'
import { localStore } from '../core/service/storage.ts'
import { wireRequest } from '../core/service/wire.ts'

/** One event of the service. */
interface ServerEvent {
  event: string
  data: unknown
}

/**
 * Reads server-sent events with the token in the header, where it belongs; the browser's own reader could only put it
 * into the address.
 * @returns how it ended: `refused` by the service, `lost` otherwise; never rejects
 */
export async function readEvents(
  call: Call,
  signal: AbortSignal,
  onEvent: (event: ServerEvent) => void,
): Promise<'refused' | 'lost'> {
  try {
    const response = await fetch(wireRequest(call, {}).url, {
      headers: { authorization: `Bearer ${localStore.get<string>('accessToken') ?? ''}` },
      signal,
      credentials: 'omit',
      cache: 'no-store',
    })
    if (!response.ok || !response.body) return 'refused'
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
    for (let rest = ''; ;) {
      const { value, done } = await reader.read()
      if (done) return 'lost'
      const blocks = (rest + value).split('\n\n')
      rest = blocks.pop()!
      for (const block of blocks) {
        const event = parseEvent(block)
        if (event) onEvent(event)
      }
    }
  } catch {
    return 'lost'
  }
}

/** One block of the stream; undefined where it is a mere sign of life. */
function parseEvent(block: string): ServerEvent | undefined {
  const of = (field: string) =>
    block.split('\n').flatMap((line) => (line.startsWith(`${field}: `) ? [line.slice(field.length + 2)] : []))
  const data = of('data')
  return data.length > 0
    ? { event: of('event')[0] ?? 'message', data: JSON.parse(data.join('\n')) as unknown }
    : undefined
}
