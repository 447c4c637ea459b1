import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { Connection } from '../core/database/connection.ts'
import { cleanEnvironment, databaseUser, serverOptions, serviceUser, socketPort } from '../core/postgres/cluster.ts'
import { resolveClusterLocation } from '../core/postgres/cluster-location.ts'
import { joinRunning } from '../core/postgres/embedded.ts'
import { rowsOf } from './backup.ts'

export interface Standby {
  /** As the service. */
  url: string
  /** As its superuser. */
  connection: Connection
  /** Ends it at once. */
  kill(): Promise<void>
  /** Begins to follow the database of that folder, or goes on after it was ended. */
  start(dataDir: string): Promise<void>
  remove(): Promise<void>
}

/**
 * A streaming standby, yet to be made, of the embedded database of a data folder that a program runs on; its address is
 * known before.
 */
export function planStandby(): Standby {
  const folder = mkdtempSync(join(tmpdir(), 'console-standby-'))
  chmodSync(folder, 0o755)
  const cluster = join(folder, 'postgres')
  const sockets = join(folder, 's')
  const connection = { host: sockets, port: socketPort, user: databaseUser, password: '', database: 'console' }
  let run: (() => ChildProcess) | undefined
  let child: ChildProcess | undefined

  const kill = async (): Promise<void> => {
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const ended = new Promise((done) => child!.once('exit', done))
    child.kill('SIGQUIT')
    await ended
  }
  return {
    url: `postgres://${serviceUser}@/${connection.database}?host=${encodeURIComponent(sockets)}&port=${socketPort}`,
    connection,
    kill,
    async start(dataDir) {
      run ??= await copyOf(dataDir, cluster, sockets)
      child = run()
      for (let tries = 0; ; tries++) {
        try {
          await rowsOf(connection, 'select 1')
          return
        } catch (error) {
          if (tries > 300) throw error
          await sleep(100)
        }
      }
    },
    async remove() {
      await kill()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Copies a running cluster and tells how the copy is started as its standby. */
async function copyOf(dataDir: string, cluster: string, sockets: string): Promise<() => ChildProcess> {
  const location = resolveClusterLocation(realpathSync(dataDir))
  const primary = joinRunning(dataDir)!
  for (const each of [cluster, sockets]) mkdirSync(each, { mode: 0o700 })
  const client = new pg.Client(primary)
  await client.connect()
  await client.query(`select pg_backup_start('standby', true)`)
  const copy = spawnSync('sh', [
    '-c',
    `tar -c --exclude=./postmaster.pid --exclude='./pg_wal/*' -C "$1" . | tar -x -C "$2"`,
    'sh',
    location.cluster,
    cluster,
  ])
  if (copy.status !== 0) throw new Error(String(copy.stderr))
  const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)')
  await client.end()
  writeFileSync(join(cluster, 'backup_label'), rows[0]!.labelfile)
  writeFileSync(join(cluster, 'standby.signal'), '')
  if (location.runAs)
    for (const each of [cluster, sockets])
      spawnSync('chown', ['-R', `${location.runAs.uid}:${location.runAs.gid}`, each])
  const options = serverOptions(cluster, sockets, true, {
    primary_conninfo: `host=${primary.host} port=${socketPort} user=${databaseUser}`,
    hot_standby: 'on',
  })
  return () =>
    spawn(join(location.bin, 'postgres'), options, {
      ...location.runAs,
      cwd: '/',
      env: cleanEnvironment,
      stdio: 'ignore',
    })
}
