import { subscribe, unsubscribe } from 'node:diagnostics_channel'

/** A request of Node's `fetch`, as it tells of it. */
interface OutgoingRequest {
  method: string
  origin: string | URL
  addHeader(name: string, value: string): void
}

interface Followed {
  /** Sent with the request. */
  traceparent: string
  /** @param status undefined where there was no answer */
  ended(status: number | undefined): void
}

/**
 * Follows what the service asks of others through `fetch`, such as a file store. The path is not told: it may name
 * people.
 * @param begin undefined where a request need not be followed
 * @returns how to stop
 */
export function watchOutgoing(
  begin: (name: string, attributes: Record<string, string>) => Followed | undefined,
): () => void {
  const followed = new WeakMap<object, Followed & { status?: number }>()
  const hears: Record<string, (message: unknown) => void> = {
    'undici:request:create': (message) => {
      const { request } = message as { request: OutgoingRequest }
      const { host } = new URL(String(request.origin))
      const own = begin(`${request.method} ${host}`, {
        'http.request.method': request.method,
        'server.address': host,
      })
      if (!own) return
      followed.set(request, own)
      request.addHeader('traceparent', own.traceparent)
    },
    'undici:request:headers': (message) => {
      const { request, response } = message as { request: object; response: { statusCode: number } }
      const own = followed.get(request)
      if (own) own.status = response.statusCode
    },
    'undici:request:trailers': (message) => end(message as { request: object }),
    'undici:request:error': (message) => end(message as { request: object }),
  }
  const end = ({ request }: { request: object }): void => {
    const own = followed.get(request)
    followed.delete(request)
    own?.ended(own.status)
  }
  for (const [name, hear] of Object.entries(hears)) subscribe(name, hear)
  return () => {
    for (const [name, hear] of Object.entries(hears)) unsubscribe(name, hear)
  }
}
