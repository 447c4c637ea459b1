import { spawn } from 'node:child_process'
import { appendFile, mkdir, rm } from 'node:fs/promises'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { addSeconds, type Clock } from '../base/clock.ts'
import { isDiskFull, StartFault } from '../base/start-fault.ts'
import type { Connection } from '../database/connection.ts'
import type { FileStore } from '../files/files.ts'
import { cleanEnvironment } from '../postgres/cluster.ts'
import { assertOwner } from './archiver.ts'
import { clusterPart, type BaseManifest } from './base-manifest.ts'
import type { Recipients } from './keys.ts'
import {
  cutIndex,
  listBackups,
  manifestFormat,
  openPlace,
  partPath,
  readIndex,
  writeManifest,
  type StoredFile,
} from './manifest.ts'
import { writePart, type Part } from './parts.ts'
import { withCopyConnection, type BackupContents } from './snapshot.ts'
import { listWal, segmentAt, segmentName, walPath } from './wal-archive.ts'
import { clearIncoming, copyFile, idOf, knownFiles, newFolder, type Progress } from './write-backup.ts'

interface BaseOptions {
  /** Of a superuser. */
  connection: Connection
  /** Folder of the cluster that the connection leads to. */
  cluster: string
  contents: BackupContents
  place: string
  /** The data folder, as the archive knows it. */
  archiver: string
  recipients: Recipients
  files: FileStore
  archives: string
  /** Text that restores the secrets. */
  secrets: string
  program: string
  clock: Clock
  onProgress: Progress
  onBegin?: (name: string) => Promise<void>
}

/** Seconds that the archive may take for the last segment of a base backup. */
const archivePatience = 300

/**
 * Copies the folder of a running cluster between the two functions of PostgreSQL that make such a copy usable, and
 * waits until the WAL that belongs to it is in the archive. Files that records name are copied beside it; those
 * that come later are added by {@link copyNewFiles}.
 * @returns with it the names of what interrupted ones have left, which is to be removed
 * @throws StartFault where it cannot be made, in words
 */
export async function writeBase(options: BaseOptions): Promise<{ manifest: BaseManifest; unfinished: string[] }> {
  const { connection, place, clock } = options
  const root = walPath.bases(place)
  await openPlace(root)
  let folder: string | undefined
  return withCopyConnection(connection, async (client) => {
    await assertArchiving(client)
    const { whole, unfinished } = await listBackups(root)
    await whileNothingIsCopied(connection, () => clearIncoming(root))
    const startTime = clock.now()
    const name = await newFolder(root, startTime, [])
    folder = join(root, name)
    await options.onBegin?.(name)
    const manifest = await writeAll(options, client, {
      name,
      folder,
      startTime,
      known: knownFiles(root, whole.slice(-1)),
    })
    await writeManifest(folder, manifest)
    return { manifest, unfinished }
  }).catch(async (error: unknown) => {
    if (folder) await rm(folder, { recursive: true, force: true })
    if (isDiskFull(error))
      throw new StartFault(`归档位置 ${place} 的磁盘空间不足，这次基础备份没有完成。请清理或换一个位置后重试。`)
    throw error
  })
}

async function assertArchiving(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ mode: string; mine: boolean }>(
    `select current_setting('archive_mode') "mode", pg_try_advisory_lock(${oneBaseAtATime}) "mine"`,
  )
  if (rows[0]!.mode === 'off')
    throw new StartFault('数据库没有在归档日志：请先在程序的设置中加上 WAL_ARCHIVE 并重新启动。')
  if (!rows[0]!.mine) throw new StartFault('这个数据库的另一次基础备份正在进行，请等它结束。')
}

/** Number of an advisory lock. */
const oneBaseAtATime = 5_202_615

interface Run {
  name: string
  folder: string
  startTime: string
  known: Map<string, StoredFile>
}

async function writeAll(options: BaseOptions, client: pg.Client, run: Run): Promise<BaseManifest> {
  const { place, recipients, clock, onProgress } = options
  const { name, folder, startTime, known } = run
  const about = await one<{ version: string; id: string; bytes: number }>(
    client,
    `select current_setting('server_version') "version", system_identifier::text "id",
      (select sum(pg_database_size(oid))::float8 from pg_database) "bytes"
    from pg_control_system()`,
  )
  await assertOwner(place, about.id, options.archiver)
  const { lsn } = await one<{ lsn: string }>(client, `select pg_backup_start($1, true)::text "lsn"`, [
    `second-classroom ${name}`,
  ])
  const { timeline } = await one<{ timeline: number }>(
    client,
    `select ('x' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8))::bit(32)::int "timeline"`,
  )
  let read = 0
  const cluster = await packCluster(options.cluster, clusterPart(folder), recipients, (bytes) => {
    read += bytes
    onProgress('数据库文件', 0.8 * Math.min(1, read / about.bytes))
  })
  const stop = await one<{ lsn: string; label: string }>(
    client,
    `select lsn::text "lsn", labelfile "label" from pg_backup_stop(false)`,
  )
  // the moment at which it became usable is not before this second has passed
  const endTime = addSeconds(clock.now(), 1)
  // the position is the end of what is needed: a backup that ends with a segment does not need the next one
  const startWal = segmentName({ timeline, number: segmentAt(lsn) })
  await untilArchived(place, startWal, segmentName({ timeline, number: segmentAt(before(stop.lsn)) }), onProgress)
  const secretsPath = partPath.secrets(folder)
  const { size, sha256 } = await writePart(
    `${secretsPath}.new`,
    secretsPath,
    Readable.from([options.secrets]),
    recipients,
  )
  const copied = await copyWanted(options, await wantedFiles(client, options.contents), folder, known)
  const migrations = await client.query<{ name: string }>('select name from kysely_migration order by name')
  return {
    format: manifestFormat,
    kind: 'base',
    name,
    program: options.program,
    postgres: about.version,
    systemIdentifier: about.id,
    timeline,
    startWal,
    stopLsn: stop.lsn,
    startTime,
    endTime,
    recipients: recipients.names,
    migrations: migrations.rows.map((row) => row.name),
    label: stop.label,
    cluster,
    secrets: { size, sha256 },
    size: cluster.size + size,
    newSize: cluster.size + size + copied.bytes,
  }
}

async function one<R extends pg.QueryResultRow>(client: pg.Client, text: string, values: unknown[] = []): Promise<R> {
  return (await client.query<R>(text, values)).rows[0]!
}

/** One byte before a position of the WAL. */
function before(lsn: string): string {
  const [high = '0', low = '0'] = lsn.split('/')
  const bytes = (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`) - 1n
  return `${(bytes >> 32n).toString(16)}/${(bytes & 0xffffffffn).toString(16)}`
}

/** What a copy of a cluster leaves out, as PostgreSQL says: it belongs to the running server or is made anew. */
const leftOut = [
  './postmaster.pid',
  './postmaster.opts',
  './backup_label',
  './recovery.signal',
  './standby.signal',
  './pg_wal/*',
  './pg_replslot/*',
  './pg_dynshmem/*',
  './pg_notify/*',
  './pg_serial/*',
  './pg_snapshots/*',
  './pg_stat_tmp/*',
  './pg_subtrans/*',
  '*/pgsql_tmp*',
  '*/pg_internal.init',
]

/**
 * Copies the folder of a cluster through `tar` into one part. Files that change, grow or go meanwhile are as they
 * should be: the WAL makes them whole again.
 */
async function packCluster(
  cluster: string,
  path: string,
  recipients: Recipients,
  onBytes: (bytes: number) => void,
): Promise<Part> {
  const tar = spawn('tar', ['-c', '-f', '-', ...leftOut.map((one) => `--exclude=${one}`), '-C', cluster, '.'], {
    env: cleanEnvironment,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  tar.stderr.on('data', (chunk: Buffer) => (said = `${said}${chunk.toString()}`.slice(-4000)))
  const ended = new Promise<number>((done, fail) => {
    tar.on('error', (error) => fail(new StartFault(`不能运行 tar：${error.message}`)))
    tar.on('close', (code) => done(code ?? 2))
  })
  ended.catch(() => tar.stdout.destroy())
  const [{ size, sha256 }, code] = await Promise.all([
    writePart(`${path}.new`, path, tar.stdout, recipients, { onBytes }),
    ended,
  ]).finally(() => tar.kill())
  // 1: some files changed or went while they were read
  if (code > 1) throw new StartFault(`复制数据库文件失败：${said.trim().split('\n').at(-1)}`)
  return { size, sha256 }
}

async function untilArchived(place: string, first: string, last: string, onProgress: Progress): Promise<void> {
  for (const until = Date.now() + archivePatience * 1000; ;) {
    const files = await listWal(place)
    if (files.has(first) && files.has(last)) return
    if (Date.now() > until)
      throw new StartFault(`日志 ${files.has(first) ? last : first} 没有归档，基础备份不能用。原因见服务日志。`)
    onProgress('等待日志归档', 0.8)
    await sleep(200)
  }
}

interface WantedFile {
  kind: StoredFile['kind']
  key: string
  /** Where the store has it; for a file that is its key. */
  storeKey: string
  /** Whether something is amiss where its content is not there. */
  needed: boolean
}

/** The files that records name now. @param client of the owner, or what answers like one */
export async function wantedFiles(
  client: { query<R extends pg.QueryResultRow>(text: string): Promise<{ rows: R[] }> },
  contents: BackupContents,
): Promise<WantedFile[]> {
  const archives = await client.query<{ key: string; storeKey: string }>(contents.archives)
  const files = await client.query<{ key: string; needed: boolean }>(contents.files)
  return [
    ...archives.rows.map(({ key, storeKey }) => ({ kind: 'archive' as const, key, storeKey, needed: true })),
    ...files.rows.map((file) => ({ kind: 'file' as const, storeKey: file.key, ...file })),
  ]
}

/** The advisory lock of who copies new files into an archive, or removes what its base backups do not name. */
export const archiveLock = 5_202_616

/** Runs `work` while no process copies new files into the archive of the database; waits for one that does. */
export const whileNothingIsCopied = <R>(connection: Connection, work: () => Promise<R>): Promise<R> =>
  withCopyConnection(connection, async (client) => {
    await client.query(`select pg_advisory_lock(${archiveLock})`)
    return work()
  })

type CopyOptions = Pick<BaseOptions, 'place' | 'recipients' | 'files' | 'archives'>

/** Adds to the list of a base backup what it does not name yet, and copies what the place does not have. */
async function copyWanted(
  { place, recipients, files, archives }: CopyOptions,
  wanted: readonly WantedFile[],
  folder: string,
  known: Map<string, StoredFile>,
): Promise<{ count: number; bytes: number }> {
  const root = walPath.bases(place)
  await cutIndex(folder)
  const listed = new Set(readIndex(folder).map(idOf))
  const sums = { count: 0, bytes: 0 }
  for (const file of wanted) {
    if (listed.has(idOf(file))) continue
    const there = known.get(idOf(file))
    const isThere = there !== undefined && existsSync(partPath.object(root, there.sha256))
    const part = isThere ? there : await copyFile({ place: root, files, archives }, file, recipients)
    if (!part) continue
    sums.count++
    if (!isThere) sums.bytes += part.size
    const line = { kind: file.kind, key: file.key, sha256: part.sha256, size: part.size }
    await appendFile(partPath.index(folder), `${JSON.stringify(line)}\n`, { mode: 0o600, flush: true })
  }
  return sums
}

/**
 * Copies files that came since the newest base backup of a place, so that a moment after it has its files too. Only by
 * whoever holds {@link archiveLock}: a content that is copied and not listed yet would be removed as unused.
 * @returns how many; nothing where there is no base backup
 */
export async function copyNewFiles(options: CopyOptions, wanted: readonly WantedFile[]): Promise<number> {
  const root = walPath.bases(options.place)
  const { whole } = await listBackups(root)
  const newest = whole.at(-1)
  if (!newest) return 0
  await mkdir(join(root, 'files', '.incoming'), { recursive: true, mode: 0o700 })
  return (await copyWanted(options, wanted, join(root, newest), knownFiles(root, whole.slice(-2, -1)))).count
}

/**
 * The contents that files of a moment are restored from, by what they are of. Of all base backups: what came while one
 * was being made is listed there alone, and a moment before its end is reached from the one before it.
 * @param base the name of the one that is restored: of what several have, its own is taken
 * @throws StartFault where its list is damaged; a damaged one of another names nothing
 */
export async function storedFiles(place: string, base: string): Promise<Map<string, StoredFile>> {
  const root = walPath.bases(place)
  const { whole } = await listBackups(root)
  const others = knownFiles(
    root,
    whole.filter((name) => name !== base),
  )
  const there = [...others].filter(([, { sha256 }]) => existsSync(partPath.object(root, sha256)))
  return new Map([...there, ...readIndex(join(root, base)).map((file) => [idOf(file), file] as const)])
}
