import type { AddressInfo } from 'node:net'
import { parseConfig, type Config } from './core/base/config.ts'
import { reopenLogs } from './core/base/log.ts'
import { buildApp } from './app.ts'
import { stopping } from './core/http/health.ts'
import { closeApp } from './setup/closing.ts'
import { Acknowledgements } from './setup/acknowledgements.ts'
import { forgetHere, shareForgetting } from './core/request/actor-cache.ts'
import type { Connection } from './core/database/connection.ts'
import { measureForMain } from './setup/metrics.ts'
import { startTracing } from './core/watch/tracing.ts'
import { openServices } from './setup/open-services.ts'
import type { FromWebProcess, ToWebProcess, WebProcesses } from './setup/web-processes.ts'

/**
 * One of several processes that answer requests (see `startWebProcesses`): waits for the word of the process that
 * started it, and ends at its word or with it.
 */
function serveRequests(config: Config): void {
  // the terminal's Ctrl-C reaches every process of the program: the one that started this one decides
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {})
  process.on('SIGHUP', () => void reopenLogs())
  const tell = (message: FromWebProcess) => process.connected && process.send?.(message)
  const acknowledgements = new Acknowledgements()
  shareForgetting((change) => acknowledgements.ask((id) => tell({ kind: 'forget', id, change })))
  let stop = (_drainSeconds: number): Promise<void> => Promise.resolve()
  const end = (drainSeconds: number): void => {
    stopping.now = true
    void stop(drainSeconds).finally(() => process.exit(0))
  }
  process.on('message', (message: ToWebProcess) => {
    if (message.kind === 'forget') {
      forgetHere(message.change)
      tell({ kind: 'forgotten', id: message.id })
    }
    if (message.kind === 'forgotten') acknowledgements.heard(message.id)
    if (message.kind === 'stop') end(message.drainSeconds)
    if (message.kind === 'start')
      void serve(config, message.connection, message.port).then(
        (served) => {
          stop = (drainSeconds) => served.stop(drainSeconds)
          tell({ kind: 'listening', port: served.port })
        },
        (error: NodeJS.ErrnoException) => {
          process.send?.({ kind: 'refused', code: error.code, message: error.message }, () => process.exit(1))
        },
      )
  })
  // whoever started it is gone: nobody holds the database any more
  process.on('disconnect', () => end(0))
  tell({ kind: 'ready' })
}

async function serve(config: Config, connection: Connection, wanted: number): Promise<WebProcesses> {
  const open = await openServices(config, () => {}, connection)
  const { services, close } = open
  const tracing = await startTracing(services)
  const stopMeasuring = await measureForMain(open)
  const app = await buildApp(services)
  await app.listen({ port: wanted, host: config.host })
  const { port } = app.server.address() as AddressInfo
  services.log.info({ port, pid: process.pid }, 'web process started')
  return {
    port,
    async stop(drainSeconds) {
      stopMeasuring()
      await closeApp(app, drainSeconds)
      await tracing?.close()
      await close()
    },
  }
}

serveRequests(parseConfig(process.env))
