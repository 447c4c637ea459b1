import { spawn } from 'node:child_process'
import { chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import pg from 'pg'
import { clusterPart, readBases, storedFiles, wantedFiles, type BaseManifest } from '../../core/backup/base-backup.ts'
import { textOf } from '../../core/backup/check-backup.ts'
import type { Identity } from '../../core/backup/keys.ts'
import { partPath } from '../../core/backup/manifest.ts'
import { checkPart, readPart } from '../../core/backup/parts.ts'
import {
  bytesAt,
  firstGap,
  listWal,
  segmentOf,
  timelinesOf,
  timelinesTo,
  walPath,
  walSource,
  type Timeline,
} from '../../core/backup/wal-place.ts'
import { idOf, type Progress } from '../../core/backup/write-backup.ts'
import { epochOf, wallOf } from '../../core/base/clock.ts'
import type { Config } from '../../core/base/config.ts'
import { prepareFolder, unfinishedRestore } from '../../core/base/data-folder.ts'
import { diskFullText, isDiskFull, StartFault } from '../../core/base/start-fault.ts'
import { makeTemporaryFolder } from '../../core/base/temporary-folder.ts'
import type { Connection } from '../../core/database/connection.ts'
import { cleanEnvironment } from '../../core/postgres/cluster.ts'
import { majorVersion, resolveClusterLocation, type ClusterLocation } from '../../core/postgres/cluster-location.ts'
import { startEmbedded } from '../../core/postgres/embedded.ts'
import { serveWal } from '../../core/postgres/wal-handover.ts'
import { migrations } from '../../migrations/index.ts'
import { backupContents } from './contents.ts'
import { assertEmptyFolder, assertRoom, cleanUp, markStore, readSecrets, restoreFile, writePrivate } from './restore.ts'

/** What became of a restore to a moment. */
export interface RestoredTo {
  base: string
  /** Wall-clock text of the last transaction that is in it; undefined where none came after the base backup. */
  reached: string | undefined
  /** Files that records name and the archive does not have. */
  missing: number
}

interface Restoring {
  place: string
  /** Wall-clock text of Asia/Shanghai; undefined: as far as the archive goes. */
  to: string | undefined
  identity: Identity
  onProgress: Progress
}

/**
 * The moment that a person means: `2026-11-24 10:15:00`, seconds may be left out, or `latest`.
 * @returns wall-clock text, or undefined for as far as the archive goes
 * @throws StartFault
 */
export function momentOf(text: string): string | undefined {
  if (text === 'latest') return undefined
  const [, day, time, seconds = ':00'] = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d)(:\d\d)?$/.exec(text.trim()) ?? []
  const wall = `${day} ${time}${seconds}`
  if (!day || Number.isNaN(epochOf(wall)) || wallOf(epochOf(wall)) !== wall)
    throw new StartFault('--to 须写作 "2026-11-24 10:15:00"（北京时间），或 latest（归档中最后的时刻）。')
  return wall
}

/**
 * Makes the database as it was at a moment in an empty data folder, with the files that it names and its secrets: the
 * newest base backup before that moment, and the journal after it. What can be refused is refused before anything is
 * written; what fails later is taken back.
 * @throws StartFault
 */
export async function restoreTo(config: Config, restoring: Restoring): Promise<RestoredTo> {
  const { place, identity, onProgress } = restoring
  if (config.databaseUrl)
    throw new StartFault(
      '按时间点恢复只用于内置数据库：请去掉 DATABASE_URL。外部数据库请用 pgBackRest，见 docs/operations.md“按时间点恢复”。',
    )
  assertEmptyFolder(config.dataDir)
  const scratch = makeTemporaryFolder('restore')
  try {
    const files = await listWal(place)
    const bases = await readBases(place)
    if (bases.length === 0) throw new StartFault(`${place} 中没有完整的基础备份。`)
    await assertOpensBase(place, bases.at(-1)!, identity)
    const all = await timelinesOf(
      files,
      identity,
      bases.map(({ timeline }) => timeline),
      scratch,
    )
    const timelines = restoring.to === undefined ? all : timelinesTo(all, epochOf(restoring.to))
    const base = baseFor(bases, timelines, restoring.to)
    assertUsable(base)
    const folder = join(walPath.bases(place), base.name)
    const secrets = await readSecrets(config, folder, identity)
    const gap = firstGap(files, segmentOf(base.startWal).number, timelines)
    if (gap && (!restoring.to || segmentOf(gap).number === segmentOf(base.startWal).number)) throw gapFault(gap, base)
    onProgress('核对基础备份', 0)
    await checkPart(clusterPart(folder), 'cluster.tar.age', base.cluster)
    await checkPart(partPath.secrets(folder), 'secrets.age', base.secrets)
    assertRoom(config.dataDir, 4 * base.size)
    const dataDir = prepareFolder(config.dataDir)
    await cleanUp(dataDir)
    writeFileSync(unfinishedRestore(dataDir), `${folder}\n`, { flush: true })
    try {
      const plan = { ...restoring, base, folder, gap, target: timelines.at(-1)!.number }
      const source = walSource(files, identity, timelines, gap === undefined ? undefined : segmentOf(gap).number)
      const location = resolveClusterLocation(dataDir)
      onProgress('解开基础备份', 0.1)
      await unpackCluster(location, plan)
      const result = await recover({ ...config, dataDir }, location, plan, source)
      if (secrets) writePrivate(dataDir, join(dataDir, 'secrets.json'), `${secrets}\n`)
      rmSync(unfinishedRestore(dataDir))
      return result
    } catch (error) {
      await cleanUp(dataDir)
      throw isDiskFull(error) ? new StartFault(diskFullText(dataDir)) : error
    }
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

async function assertOpensBase(place: string, base: BaseManifest, identity: Identity): Promise<void> {
  const folder = join(walPath.bases(place), base.name)
  await readPart(partPath.secrets(folder), identity)
    .then(textOf)
    .catch(() => {
      throw new StartFault(
        `密钥不符，或 ${partPath.secrets(folder)} 已损坏：这份备份是为 ${base.recipients.join('、')} 加密的，BACKUP_IDENTITY 中的密钥属于 ${identity.recipients.join('、')}。`,
      )
    })
}

/** The newest base backup before a moment, on the timelines that lead to the newest one. */
function baseFor(bases: readonly BaseManifest[], timelines: readonly Timeline[], to: string | undefined): BaseManifest {
  const usable = bases.filter((base) => {
    const own = timelines.find(({ number }) => number === base.timeline)
    return own && (own.end === undefined || bytesAt(base.stopLsn) <= own.end)
  })
  const found = usable.findLast(({ endTime }) => !to || endTime <= to)
  if (found) return found
  const first = usable[0] ?? bases[0]!
  throw new StartFault(`${to} 早于第一份基础备份完成的时刻 ${first.endTime}，归档中没有那时的数据。`)
}

function assertUsable(base: BaseManifest): void {
  const [theirs, ours] = [base.postgres.split('.')[0]!, majorVersion()]
  if (theirs !== ours)
    throw new StartFault(
      `基础备份由 PostgreSQL ${theirs} 写成，而随附的是 ${ours}，日志不能跨大版本重放。请用当时版本的程序恢复。`,
    )
  const strange = base.migrations.find((name) => !(name in migrations))
  if (strange) throw new StartFault(`备份由较新版本的程序写成（含 ${strange}，本程序没有）。请使用较新的版本恢复。`)
}

const gapFault = (gap: string, base: BaseManifest): StartFault =>
  new StartFault(`日志不完整：缺少 ${gap}，从基础备份 ${base.name} 只能恢复到它之前。`)

interface Plan extends Restoring {
  base: BaseManifest
  folder: string
  gap: string | undefined
  /** The timeline that is followed. */
  target: number
}

/** Unpacks as the user that PostgreSQL runs as, who owns the files then. */
async function unpackCluster(location: ClusterLocation, { base, folder, identity }: Plan): Promise<void> {
  const { cluster, runAs, link } = location
  mkdirSync(cluster, { mode: 0o700 })
  if (runAs) chownSync(cluster, runAs.uid, runAs.gid)
  if (link) symlinkSync(cluster, link)
  const tar = spawn('tar', ['-x', '-f', '-', '-C', cluster, '--no-same-owner'], {
    ...runAs,
    cwd: '/',
    env: cleanEnvironment,
    stdio: ['pipe', 'ignore', 'pipe'],
  })
  let said = ''
  tar.stderr.on('data', (chunk: Buffer) => (said = `${said}${chunk.toString()}`.slice(-4000)))
  const ended = new Promise<number | null>((done, fail) => tar.on('error', fail).on('close', done))
  // it stops reading at the end of what it unpacks, before the padding behind; what is cut short it says itself
  const feeding = pipeline(await readPart(clusterPart(folder), identity), tar.stdin).catch(() => {})
  const code = await ended
  await feeding
  if (code !== 0) {
    if (isDiskFull({ message: said })) throw new StartFault(diskFullText(cluster))
    throw new StartFault(`基础备份解不开：${said.trim().split('\n').at(-1)}`)
  }
  for (const [name, text] of [
    ['backup_label', base.label],
    ['recovery.signal', ''],
  ] as const) {
    const path = join(cluster, name)
    writeFileSync(path, text, { mode: 0o600, flush: true })
    if (runAs) chownSync(path, runAs.uid, runAs.gid)
  }
}

async function recover(
  config: Config,
  location: ClusterLocation,
  plan: Plan,
  source: ReturnType<typeof walSource>,
): Promise<RestoredTo> {
  const { to, target, identity, onProgress } = plan
  const room = mkdtempSync(join(location.runAs ? '/tmp' : tmpdir(), 'console-wal-'))
  if (location.runAs) chownSync(room, location.runAs.uid, location.runAs.gid)
  let segments = 0
  const serving = serveWal(join(room, 'wal'), location.runAs, {
    fetch(name, path) {
      segments++
      onProgress(`重放日志 ${name}`, Math.min(0.8, 0.2 + segments / 1000))
      return source.fetch(name, path)
    },
  })
  try {
    const embedded = await startEmbedded({
      dataDir: config.dataDir,
      settings: {
        restore_command: serving.restoreCommand,
        recovery_target_timeline: String(target),
        recovery_target_action: 'promote',
        ...(to ? { recovery_target_time: `${to}+08` } : {}),
        hot_standby: 'off',
        // what is written from here on waits for the archive, where the program has one: it is part of its history
        archive_mode: 'on',
        archive_command: '',
      },
    }).catch((error: unknown) => Promise.reject(faultOf(config, plan, error, serving.fault())))
    try {
      onProgress('恢复文件', 0.85)
      return await finish(config, plan, embedded.connection)
    } finally {
      await embedded.stop()
    }
  } finally {
    await serving.stop()
    rmSync(room, { recursive: true, force: true })
  }

  async function finish(own: Config, { place, base }: Plan, connection: Connection): Promise<RestoredTo> {
    const client = new pg.Client(connection)
    client.on('error', () => {})
    await client.connect()
    try {
      const { rows } = await client.query<{ at: string | null }>(
        `select to_char(pg_last_xact_replay_timestamp() at time zone 'Asia/Shanghai', 'YYYY-MM-DD HH24:MI:SS') "at"`,
      )
      const stored = await storedFiles(place, base.name)
      const wanted = await wantedFiles(client, backupContents)
      let missing = 0
      for (const [at, file] of wanted.entries()) {
        onProgress(`文件 ${at + 1}/${wanted.length}`, 0.85 + (0.15 * at) / wanted.length)
        const there = stored.get(idOf(file))
        if (there) await restoreFile(own, walPath.bases(place), there, identity)
        else if (file.needed) missing++
      }
      await markStore(own, connection)
      return { base: base.name, reached: rows[0]!.at ?? undefined, missing }
    } finally {
      await client.end().catch(() => {})
    }
  }
}

/** Why PostgreSQL did not come to the moment, in words; its log says it. */
function faultOf(config: Config, { to, gap, base }: Plan, error: unknown, served: Error | undefined): unknown {
  if (served) return served
  const log = readFileSync(join(config.dataDir, 'postgres.log'), 'utf8')
  if (!/recovery ended before configured recovery target|WAL ends before (consistent|end of online)/.test(log))
    return error
  if (gap) return gapFault(gap, base)
  const last = /last completed transaction was at log time (\S+ [\d:]+)/g
  const at = [...log.matchAll(last)].at(-1)?.[1]
  return new StartFault(
    `${to} 晚于归档的日志：其中最后的写入在 ${at ?? base.endTime}。要恢复到归档中最后的时刻，请用 --to latest。`,
  )
}
