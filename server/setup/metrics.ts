import cluster, { type Worker } from 'node:cluster'
import { buildInfo } from '../core/base/build-info.ts'
import { openMetrics, type Measured, type Metrics } from '../core/watch/metrics.ts'
import { serveMetrics, type MetricsServer } from '../core/watch/metrics-server.ts'
import type { OpenServices } from './open-services.ts'

/** Milliseconds a web process may take to tell its measures; one that is too busy is left out of that page. */
const answerMs = 2000

type Ask = { kind: 'measure'; id: number }
type Told = { kind: 'measured'; id: number; measured: Measured }

const openHere = ({ services, pool }: Pick<OpenServices, 'services' | 'pool'>, process: string): Promise<Metrics> =>
  openMetrics({
    services,
    pool,
    process,
    version: buildInfo().version,
    slowMs: services.config.slowStatementMs,
    isMain: process === 'main',
  })

/**
 * Offers metrics of this process and of those that it started to answer requests, where the settings name a port for
 * them; otherwise nothing is measured.
 */
export async function startMetrics(open: Pick<OpenServices, 'services' | 'pool'>): Promise<MetricsServer | undefined> {
  const { metricsPort, metricsHost } = open.services.config
  if (metricsPort === undefined) return undefined
  const own = await openHere(open, 'main')
  const server = await serveMetrics({ host: metricsHost, port: metricsPort }, async () => {
    const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker?.isConnected())
    const others = await Promise.all(workers.map((worker) => measuredBy(worker!)))
    return [await own.read(), ...others.filter((one) => one !== undefined)]
  }).catch((error: unknown) => {
    own.close()
    throw error
  })
  open.services.log.info({ port: server.port, host: metricsHost }, 'metrics offered')
  return {
    port: server.port,
    async close() {
      own.close()
      await server.close()
    },
  }
}

let asked = 0

/** Asks a web process. */
function measuredBy(worker: Worker): Promise<Measured | undefined> {
  const id = ++asked
  return new Promise((done) => {
    const end = (measured?: Measured): void => {
      clearTimeout(late)
      worker.off('message', hear)
      done(measured)
    }
    const hear = (message: Told): void => {
      if (message.kind === 'measured' && message.id === id) end(message.measured)
    }
    const late = setTimeout(end, answerMs)
    worker.on('message', hear)
    worker.send({ kind: 'measure', id } satisfies Ask, (error) => error && end())
  })
}

/** In a web process: measures, and tells the process that started it when it asks. */
export async function measureForMain(open: Pick<OpenServices, 'services' | 'pool'>): Promise<() => void> {
  if (open.services.config.metricsPort === undefined) return () => {}
  const own = await openHere(open, `web-${cluster.worker?.id}`)
  const hear = (message: Ask): void => {
    if (message.kind !== 'measure') return
    void own.read().then((measured) => {
      if (process.connected) process.send?.({ kind: 'measured', id: message.id, measured } satisfies Told)
    })
  }
  process.on('message', hear)
  return () => {
    process.off('message', hear)
    own.close()
  }
}
