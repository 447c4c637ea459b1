import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { StartFault } from '../base/start-fault.ts'
import { pageOf, type Measured } from './metrics.ts'

/** Where metrics are read. */
export interface MetricsServer {
  port: number
  close(): Promise<void>
}

/**
 * Answers `GET /metrics` on a port of its own, so that no proxy of the console can lead anybody there by accident.
 * @param read the measures of all processes of the program
 * @throws StartFault where the port cannot be listened at
 */
export async function serveMetrics(
  { host, port }: { host: string; port: number },
  read: () => Promise<Measured[]>,
): Promise<MetricsServer> {
  const server = createServer((request, response) => {
    if (request.method !== 'GET' || request.url?.split('?')[0] !== '/metrics') {
      response.writeHead(404, { 'content-type': 'text/plain; charset=utf-8' }).end('only GET /metrics\n')
      return
    }
    read()
      .then(pageOf)
      .then(
        ({ type, text }) => response.writeHead(200, { 'content-type': type, 'cache-control': 'no-store' }).end(text),
        (error: unknown) => response.writeHead(500, { 'content-type': 'text/plain; charset=utf-8' }).end(String(error)),
      )
  })
  await listening(server, host, port)
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((done) => {
        server.close(() => done())
        server.closeAllConnections()
      }),
  }
}

const listening = (server: Server, host: string, port: number): Promise<void> =>
  new Promise((done, fail) => {
    server.once('error', ({ code }: NodeJS.ErrnoException) =>
      fail(new StartFault(`不能在 METRICS_HOST:METRICS_PORT（${host}:${port}）提供指标：${code}`)),
    )
    server.listen(port, host, done)
  })
