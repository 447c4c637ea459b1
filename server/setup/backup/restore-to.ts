import { spawn } from 'node:child_process'
import { chownSync, mkdirSync, readFileSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { storedFiles, wantedFiles } from '../../core/backup/base-backup.ts'
import { sortedByWal, clusterPart, findBases, type BaseManifest } from '../../core/backup/base-manifest.ts'
import { textOf } from '../../core/backup/check-backup.ts'
import type { DecryptionKey } from '../../core/backup/keys.ts'
import { partPath } from '../../core/backup/manifest.ts'
import { checkPart, readPart } from '../../core/backup/parts.ts'
import {
  bytesAt,
  firstGap,
  listWal,
  segmentOf,
  timelineNumbers,
  timelinesOf,
  timelinesTo,
  walPath,
  walSource,
  type Timeline,
  type WalFiles,
} from '../../core/backup/wal-archive.ts'
import { idOf, type Progress } from '../../core/backup/write-backup.ts'
import { epochOf, wallOf } from '../../core/base/clock.ts'
import type { Config } from '../../core/base/config.ts'
import { prepareFolder, unfinishedRestore } from '../../core/base/data-folder.ts'
import { diskFullText, isDiskFull, StartFault } from '../../core/base/start-fault.ts'
import { makeTemporaryFolder } from '../../core/base/temporary-folder.ts'
import type { Connection } from '../../core/database/connection.ts'
import { withOwnClient } from '../../core/database/own-client.ts'
import { cleanEnvironment } from '../../core/postgres/cluster.ts'
import { majorVersion, resolveClusterLocation, type ClusterLocation } from '../../core/postgres/cluster-location.ts'
import { startEmbedded } from '../../core/postgres/embedded.ts'
import { serveWal } from '../../core/postgres/wal-handover.ts'
import { migrations } from '../../migrations/index.ts'
import { backupContents } from './contents.ts'
import { assertEmptyFolder, assertRoom, cleanUp, markStore, readSecrets, restoreFile, writePrivate } from './restore.ts'

/** What became of a restore to a moment. */
interface RestoredTo {
  base: string
  /** Wall-clock text of the last transaction that is in it; undefined where none came after the base backup. */
  reached: string | undefined
  /** Files that records name and the archive does not have. */
  missing: number
  /** Names of base backups that were passed over, for their manifest is damaged. */
  damaged: readonly string[]
}

interface Restoring {
  place: string
  /** Wall-clock text of Asia/Shanghai; undefined: as far as the archive goes. */
  to: string | undefined
  /** The timeline to follow; undefined: the newest, which is the one that the program writes. */
  timeline?: number | undefined
  identity: DecryptionKey
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
 * newest base backup before that moment, and the WAL after it. What can be refused is refused before anything is
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
    const { bases: found, damaged } = await findBases(place)
    if (found.length === 0) throw new StartFault(damaged[0]?.fault ?? `${place} 中没有完整的基础备份。`)
    const bases = sortedByWal(found)
    await assertOpensBase(place, bases.at(-1)!, identity)
    const all = await timelinesOf(files, identity, wantedTimelines(bases, files, restoring.timeline), scratch)
    const timelines = restoring.to === undefined ? all : timelinesTo(all, epochOf(restoring.to))
    const base = baseFor(bases, timelines, restoring.to)
    assertUsable(base)
    const folder = join(walPath.bases(place), base.name)
    const secrets = await readSecrets(config, folder, identity)
    const gap = firstGap(files, segmentOf(base.startWal).number, timelines)
    const target = timelines.at(-1)!.number
    // somebody wrote on the timeline of a base backup before that was made, and whoever names a timeline means it
    const isMeant = base.timeline === target || restoring.timeline !== undefined
    const left = isMeant ? undefined : leftBefore(timelines, restoring.to)
    if (gap && (!restoring.to || segmentOf(gap).number === segmentOf(base.startWal).number))
      throw gapFault({ gap, base, left })
    onProgress('核对基础备份', 0)
    await checkPart(clusterPart(folder), 'cluster.tar.age', base.cluster)
    await checkPart(partPath.secrets(folder), 'secrets.age', base.secrets)
    assertRoom(config.dataDir, 4 * base.size)
    const dataDir = prepareFolder(config.dataDir)
    await cleanUp(dataDir)
    writeFileSync(unfinishedRestore(dataDir), `${folder}\n`, { flush: true })
    try {
      const plan = { ...restoring, base, folder, gap, left, target }
      const source = walSource(files, identity, timelines, gap === undefined ? undefined : segmentOf(gap).number)
      const location = resolveClusterLocation(dataDir)
      onProgress('解开基础备份', 0.1)
      await unpackCluster(location, plan)
      const result = await recover({ ...config, dataDir }, location, plan, source)
      if (secrets) writePrivate(dataDir, join(dataDir, 'secrets.json'), `${secrets}\n`)
      rmSync(unfinishedRestore(dataDir))
      return { ...result, damaged: damaged.map(({ name }) => name) }
    } catch (error) {
      await cleanUp(dataDir)
      throw isDiskFull(error) ? new StartFault(diskFullText(dataDir)) : error
    }
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

async function assertOpensBase(place: string, base: BaseManifest, identity: DecryptionKey): Promise<void> {
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

/**
 * The timelines of which the newest is followed.
 * @param wanted by whoever restores, where that is not the newest of all
 * @throws StartFault where the archive has nothing of it
 */
function wantedTimelines(bases: readonly BaseManifest[], files: WalFiles, wanted: number | undefined): number[] {
  const found = [...bases.map(({ timeline }) => timeline), ...timelineNumbers(files)]
  if (wanted === undefined) return found
  if (!found.includes(wanted))
    throw new StartFault(
      `归档中没有时间线 ${wanted}；有的是 ${[...new Set(found)].toSorted((a, b) => a - b).join('、')}。`,
    )
  return [wanted]
}

/** A timeline that was left, and since when what was written on it is no part of what goes on. */
type Left = Timeline & { leftAt: number }

/**
 * The last timeline that was left for a moment before the wanted one. Until somebody wrote on the one that follows,
 * what the school had at that moment is on the one that was left.
 */
const leftBefore = (timelines: readonly Timeline[], to: string | undefined): Left | undefined =>
  to === undefined
    ? undefined
    : timelines.findLast((one): one is Left => one.leftAt !== undefined && one.leftAt <= epochOf(to))

const hintOf = ({ number }: Left): string =>
  `那一刻原来的程序写入的内容在时间线 ${number} 上，接替之后不再参与恢复；要恢复它，请在命令后加 --timeline ${number}。`

const gapFault = ({ gap, base, left }: Pick<Plan, 'gap' | 'base' | 'left'>): StartFault =>
  new StartFault(
    `日志不完整：缺少 ${gap}，从基础备份 ${base.name} 只能恢复到它之前。${left ? `如果要的是接替之前的时刻：${hintOf(left)}` : ''}`,
  )

/**
 * Refuses what would be the state of another moment: nothing was written yet on the timeline that is followed.
 * @param reachedAt milliseconds since the epoch of the last transaction that was replayed, null where none was
 */
function assertBegun({ to, target, left }: Plan, reachedAt: number | null): void {
  if (!left || (reachedAt !== null && reachedAt >= left.leftAt)) return
  const since = wallOf(left.leftAt - 1)
  throw new StartFault(
    `${to} 时，接替原来程序的数据库（时间线 ${target}）还没有写入，它那时只有 ${since} 的内容。${hintOf(left)}` +
      `要的就是接替时的内容，请用 --to "${since}"。`,
  )
}

interface Plan extends Restoring {
  base: BaseManifest
  folder: string
  gap: string | undefined
  left: Left | undefined
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
): Promise<Omit<RestoredTo, 'damaged'>> {
  const { to, target, identity, onProgress } = plan
  const room = makeTemporaryFolder('wal', location.runAs && '/tmp')
  if (location.runAs) chownSync(room, location.runAs.uid, location.runAs.gid)
  let segments = 0
  const serving = serveWal(join(room, 'wal'), location.runAs, {
    fetch(name, path) {
      segments++
      // folders of a day are swept, and this may take longer
      utimesSync(room, new Date(), new Date())
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

  async function finish(
    own: Config,
    { place, base }: Plan,
    connection: Connection,
  ): Promise<Omit<RestoredTo, 'damaged'>> {
    return withOwnClient(connection, async (client) => {
      const { rows } = await client.query<{ at: string | null; epoch: number | null }>(
        `select to_char(pg_last_xact_replay_timestamp() at time zone 'Asia/Shanghai', 'YYYY-MM-DD HH24:MI:SS') "at",
          (extract(epoch from pg_last_xact_replay_timestamp()) * 1000)::float8 "epoch"`,
      )
      const reached = rows[0]!.at ?? undefined
      assertBegun(plan, rows[0]!.epoch)
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
      return { base: base.name, reached, missing }
    })
  }
}

/** Why PostgreSQL did not come to the moment, in words; its log says it. */
function faultOf(config: Config, { to, gap, base, left }: Plan, error: unknown, served: Error | undefined): unknown {
  if (served) return served
  const log = readFileSync(join(config.dataDir, 'postgres.log'), 'utf8')
  if (!/recovery ended before configured recovery target|WAL ends before (consistent|end of online)/.test(log))
    return error
  if (gap) return gapFault({ gap, base, left })
  const last = /last completed transaction was at log time (\S+ [\d:]+)/g
  const at = [...log.matchAll(last)].at(-1)?.[1]
  return new StartFault(
    `${to} 晚于归档的日志：其中最后的写入在 ${at ?? base.endTime}。要恢复到归档中最后的时刻，请用 --to latest。`,
  )
}
