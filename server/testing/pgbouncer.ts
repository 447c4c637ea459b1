import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Connection } from '../core/database/connection.ts'
import { serviceUser } from '../core/postgres/cluster.ts'
import { freePort } from './free-port.ts'

/** What every connection to PostgreSQL begins with, as docs/operations.md has it. */
const settings = [
  'set statement_timeout = 15000',
  'set lock_timeout = 12000',
  'set idle_in_transaction_session_timeout = 60000',
]

export interface Pooler {
  /** The service's way to a database through the pooler. */
  through(database: string): Connection
  /** Whether it passes on statements that are prepared under names, as it does from 1.21 on. */
  keepsPrepared: boolean
  stop(): Promise<void>
}

/**
 * Starts PgBouncer in transaction mode before a PostgreSQL, for whatever database is asked for.
 * @throws Error that says how to install it where it is missing
 */
export async function startPgbouncer(server: Connection): Promise<Pooler> {
  const program = ['/usr/sbin/pgbouncer', '/usr/bin/pgbouncer', '/opt/homebrew/bin/pgbouncer'].find(existsSync)
  if (!program) throw new Error('PgBouncer is missing: apt-get install pgbouncer (or brew install pgbouncer)')
  const version = execFileSync(program, ['--version'], { encoding: 'utf8' })
  const [major = 0, minor = 0] = (/(\d+)\.(\d+)/.exec(version) ?? []).slice(1).map(Number)
  const keepsPrepared = major > 1 || minor >= 21
  const folder = mkdtempSync(join(tmpdir(), 'pgbouncer-'))
  chmodSync(folder, 0o755)
  const port = await freePort()
  const everyDatabase = `* = host=${server.host} port=${server.port} connect_query='${settings.join('; ')}'`
  writeFileSync(join(folder, 'users'), `"${serviceUser}" ""\n`)
  // many files have a database of their own, and what each leaves open for long would be more than the server takes
  writeFileSync(
    join(folder, 'pgbouncer.ini'),
    `[databases]
${everyDatabase}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = trust
auth_file = ${join(folder, 'users')}
pool_mode = transaction
default_pool_size = 10
server_idle_timeout = 5
max_client_conn = 500
${keepsPrepared ? 'max_prepared_statements = 200' : ''}
logfile = ${join(folder, 'pgbouncer.log')}
`,
  )
  // it does not run as root, and only the user of the database enters the folder of its socket
  const { uid, gid } = statSync(server.host!)
  if (process.getuid?.() === 0) chownSync(folder, uid, gid)
  const child = spawn(program, ['-q', join(folder, 'pgbouncer.ini')], {
    stdio: 'ignore',
    ...(process.getuid?.() === 0 ? { uid, gid } : {}),
  })
  const ended = once(child, 'exit')
  for (let tries = 0; !(await isListening(port)); tries++) {
    if (tries > 100 || child.exitCode !== null) throw new Error(`PgBouncer did not start (exit ${child.exitCode})`)
    await sleep(100)
  }
  return {
    keepsPrepared,
    through: (database) => ({ host: '127.0.0.1', port, user: serviceUser, password: '', database }),
    async stop() {
      child.kill('SIGTERM')
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

const isListening = (port: number): Promise<boolean> =>
  new Promise((answer) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => (socket.destroy(), answer(true)))
    socket.once('error', () => answer(false))
  })
