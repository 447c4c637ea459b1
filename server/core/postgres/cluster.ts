import { spawnSync } from 'node:child_process'
import { chownSync, existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { availableParallelism, totalmem } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { diskFullText, isDiskFull, StartFault } from '../base/start-fault.ts'
import type { ClusterLocation } from './cluster-location.ts'

/** The name of the database's own super user; only a local socket in a private folder leads to it. */
export const databaseUser = 'postgres'

/** The name that the service itself signs in by, once migrations have run: a role that owns nothing (decision 041). */
export const serviceUser = 'console_service'

/** What the programs are started with: nothing of the caller's PG* variables or language may leak in. */
export const cleanEnvironment = { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'Asia/Shanghai' }

/**
 * Makes the cluster unless there is one. It is made beside its final place and renamed when complete, so that an
 * interrupted attempt never looks like a database.
 */
export function ensureCluster(location: ClusterLocation, forTests: boolean): void {
  if (existsSync(join(location.cluster, 'PG_VERSION'))) return checkVersion(location)
  const home = dirname(location.cluster)
  for (const left of readdirSync(home).filter((name) => name.startsWith(`${basename(location.cluster)}.new-`)))
    rmSync(join(home, left), { recursive: true })
  const unfinished = `${location.cluster}.new-${process.pid}`
  try {
    mkdirSync(unfinished, { mode: 0o700 })
    if (location.runAs) chownSync(unfinished, location.runAs.uid, location.runAs.gid)
    initialise(location, unfinished, forTests)
    renameSync(unfinished, location.cluster)
    if (location.link) symlinkSync(location.cluster, location.link)
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true })
    throw isDiskFull(error) ? new StartFault(diskFullText(home)) : error
  }
}

function initialise(location: ClusterLocation, folder: string, forTests: boolean): void {
  const options = [
    `--pgdata=${folder}`,
    `--username=${databaseUser}`,
    '--auth-local=trust',
    '--auth-host=reject',
    '--no-instructions',
    '--encoding=UTF8',
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    ...(forTests ? ['--no-sync'] : []),
  ]
  const made = spawnSync(join(location.bin, 'initdb'), options, {
    ...location.runAs,
    cwd: '/',
    env: cleanEnvironment,
    encoding: 'utf8',
  })
  if (made.status !== 0)
    throw new StartFault(
      `创建数据库失败：${made.error?.message ?? (made.stderr.trim() || `initdb 退出码 ${made.status}`)}`,
    )
}

function checkVersion({ cluster, bin }: ClusterLocation): void {
  const made = readFileSync(join(cluster, 'PG_VERSION'), 'utf8').trim()
  const ours = /(\d+)/.exec(
    spawnSync(join(bin, 'postgres'), ['--version'], { encoding: 'utf8', cwd: '/', env: cleanEnvironment }).stdout ?? '',
  )?.[1]
  if (ours && made !== ours) {
    throw new StartFault(
      `数据目录由 PostgreSQL ${made} 建立，而随附的是 ${ours}，不能直接打开。请按 docs/operations.md 的“备份与恢复”转移数据。`,
    )
  }
}

/**
 * How PostgreSQL is started. Everything is given on the command line, so a newer version of this program changes the
 * settings of older data folders too. Memory is modest: about 1/48 of the machine for the shared cache, at least 128
 * MB.
 * @param more settings of this start
 */
export function serverOptions(
  cluster: string,
  socketDir: string,
  forTests: boolean,
  more: Record<string, string> = {},
): string[] {
  const megabytes = totalmem() / 1024 / 1024
  const settings: Record<string, string | number> = {
    listen_addresses: '',
    unix_socket_directories: socketDir,
    unix_socket_permissions: '0700',
    port: socketPort,
    max_connections: 100,
    shared_buffers: `${Math.round(Math.min(1024, Math.max(128, megabytes / 48)))}MB`,
    effective_cache_size: `${Math.round(megabytes / 2)}MB`,
    work_mem: '16MB',
    maintenance_work_mem: '128MB',
    wal_compression: 'on',
    max_wal_size: '2GB',
    checkpoint_timeout: '10min',
    random_page_cost: '1.1',
    jit: 'off',
    max_parallel_workers_per_gather: availableParallelism() > 2 ? 2 : 0,
    // lists count in indexes alone (decision 004), which the database does only for what was vacuumed
    autovacuum_vacuum_scale_factor: '0.05',
    autovacuum_vacuum_insert_scale_factor: '0.05',
    // log lines carry statements without values: details such as "Key (phone)=(…) exists" would be personal data
    log_error_verbosity: 'terse',
    log_line_prefix: '%m [%p] ',
    log_timezone: 'Asia/Shanghai',
    logging_collector: 'off',
    ...(forTests
      ? { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', shared_buffers: '128MB' }
      : { fsync: 'on', synchronous_commit: 'on', full_page_writes: 'on' }),
    ...more,
  }
  return ['-D', cluster, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])]
}

/** Part of the socket's file name; no network port is opened. */
export const socketPort = 5432
