import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, realpathSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { done, say } from '../../../scripts/progress.mjs'
import { assertOpens, checkParts, countRows } from '../../core/backup/check-backup.ts'
import { takeOver } from '../../core/backup/archiver.ts'
import { checkArchive, isArchive } from '../../core/backup/check-archive.ts'
import { makeIdentity, openIdentity } from '../../core/backup/keys.ts'
import { findBackup, listBackups } from '../../core/backup/manifest.ts'
import { systemIdentifier } from '../../core/backup/wal-archive.ts'
import { parseKeep } from '../../core/backup/retention.ts'
import { noteRun } from '../../core/backup/runs.ts'
import { megabytes } from '../../core/backup/write-backup.ts'
import { bundledFile } from '../../core/base/bundled-file.ts'
import { systemClock } from '../../core/base/clock.ts'
import { parseConfig, type Config } from '../../core/base/config.ts'
import { ownerIn } from '../../core/base/data-folder.ts'
import { connectionTo } from '../../core/database/connection.ts'
import { StartFault } from '../../core/base/start-fault.ts'
import { joinRunning } from '../../core/postgres/embedded.ts'
import { runningPostmaster, shutDown } from '../../core/postgres/postmaster.ts'
import { misused, runCommand } from '../run-command.ts'
import { backUp } from './back-up.ts'
import { backUpBase, clusterOf } from './base.ts'
import { drill, reportText, writeReport } from './drill.ts'
import { progressOf } from './progress.ts'
import { reachDatabase } from './reach-database.ts'
import { momentOf, restoreTo } from './restore-to.ts'
import { restoreBackup } from './restore.ts'

const usage = {
  backup:
    'dekt backup 位置　　　　　　　备份到这个文件夹；不写位置时备份到 BACKUP_PLACE，并按 BACKUP_KEEP 清理旧备份\n' +
    '      dekt backup --base　　　　　　　在 WAL_ARCHIVE 中做一份基础备份，并按 WAL_ARCHIVE_DAYS 清理\n' +
    '      dekt backup --take-over　　　　　让 DATA_DIR 接替原来的程序，归档到 WAL_ARCHIVE\n' +
    '      dekt backup --new-key 文件　　生成一对密钥',
  restore:
    'dekt restore 位置　　　恢复其中最新的备份到空的 DATA_DIR；位置也可以是某一份备份的文件夹\n' +
    '      dekt restore 归档位置 --to "2026-11-24 10:15:00"　　恢复到那个时刻；--to latest 恢复到归档中最后的时刻；\n' +
    '      再加 --timeline 1 时，沿接替之前的时间线 1 恢复',
  verify: 'dekt verify 位置 [--drill]　　核对其中最新的备份；--drill 再恢复到临时的地方并启动程序',
}
type Command = keyof typeof usage

const endingSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** What is to be undone when a command is interrupted, the last first. */
const undo: (() => Promise<void>)[] = []
/** Goes on once it has begun, however often it is asked for: a terminal, npm and `timeout` may all tell of one end. */
let ending: Promise<never> | undefined

/**
 * npm run backup|restore|verify. Ends the process: 0 done, 1 refused or failed (told in words), 2 wrong usage.
 * @param entry the file that the program was started by
 * @param environment where the settings are
 */
export async function runBackupCommand(
  command: Command,
  words: readonly string[],
  entry: string,
  environment: NodeJS.ProcessEnv,
): Promise<never> {
  for (const signal of endingSignals) process.on(signal, () => void (ending ??= interrupted()))
  const wrong = () => misused(usage[command])
  return runCommand({ backup: '没有备份', restore: '没有恢复', verify: '核对没有通过' }[command], async () => {
    const config = parseConfig(environment)
    const { place, options, to, timeline } = read(command, words)
    if (options.includes('--new-key')) await newKey(place ?? wrong())
    else if (options.includes('--base')) await base(config)
    else if (options.includes('--take-over')) await takeOverArchive(config)
    else if (command === 'backup') await backup(config, place)
    else if (to !== undefined) await restoreMoment(config, resolve(place ?? wrong()), to, timeline)
    else if (command === 'restore') await restore(config, resolve(place ?? wrong()))
    else
      await verify(config, resolve(place ?? wrong()), options.includes('--drill') ? { entry, environment } : undefined)
  })
}

/** The words of a command; `--to` is followed by its moment, and `--timeline` by its number. */
function read(command: Command, words: readonly string[]) {
  const at = words.indexOf('--to')
  const to = at === -1 ? undefined : words[at + 1]
  const moved = at === -1 ? [...words] : words.toSpliced(at, 2)
  const lineAt = moved.indexOf('--timeline')
  const line = lineAt === -1 ? undefined : (moved[lineAt + 1] ?? '')
  const others = lineAt === -1 ? moved : moved.toSpliced(lineAt, 2)
  const options = others.filter((word) => word.startsWith('--'))
  const [place, ...more] = others.filter((word) => !word.startsWith('--'))
  const known = { backup: ['--new-key', '--base', '--take-over'], restore: [], verify: ['--drill'] }[
    command
  ] as string[]
  const isOdd =
    (at !== -1 && (command !== 'restore' || to === undefined)) ||
    (line !== undefined && (to === undefined || !/^[1-9]\d{0,8}$/.test(line))) ||
    (options.some((one) => one === '--base' || one === '--take-over') && place)
  if (isOdd || more.length > 0 || options.length > 1 || options.some((option) => !known.includes(option)))
    misused(usage[command])
  return { place, options, to, timeline: line === undefined ? undefined : Number(line) }
}

async function interrupted(): Promise<never> {
  done()
  process.stderr.write('\n已中断。没有写完的备份不算备份，下一次会接着做；没有完成的恢复须重新运行。\n')
  for (let step = undo.pop(); step; step = undo.pop()) await step().catch(() => {})
  process.exit(1)
}

/**
 * Where the place is not root's to write into, the command is run anew by whose it is, and ends with that. Whoever ends
 * this one ends that one, which undoes what it had begun.
 */
async function goOnAsOwner(dataDir: string, place: string): Promise<void> {
  const owner = ownerIn(dataDir, place)
  if (!owner) return
  // out of the terminal's reach: it is told by this one alone
  const child = spawn(process.execPath, process.argv.slice(1), { ...owner, stdio: 'inherit', detached: true })
  for (const signal of endingSignals) {
    process.removeAllListeners(signal)
    process.on(signal, () => child.kill(signal))
  }
  const [status] = (await once(child, 'exit')) as [number | null]
  process.exit(status ?? 1)
}

async function newKey(file: string): Promise<void> {
  const recipient = await makeIdentity(resolve(file), systemClock.now())
  say(
    `已生成密钥文件 ${resolve(file)}，恢复时用 BACKUP_IDENTITY 指定它。\n` +
      '请把它移到本机和备份位置以外的地方，并至少存两份：丢失后，备份再也打不开。\n' +
      `备份时设置：\n\n  BACKUP_RECIPIENTS=${recipient}\n`,
  )
}

async function backup(config: Config, given: string | undefined): Promise<void> {
  const place = given ? resolve(given) : config.backupPlace
  if (!place) throw new StartFault('请写明备份到哪里：dekt backup 位置，或设置 BACKUP_PLACE。')
  await goOnAsOwner(config.dataDir, place)
  const began = Date.now()
  const database = await reachDatabase(config, say)
  undo.push(database.close)
  try {
    const keep = given ? undefined : parseKeep(config.backupKeep)
    const { manifest, removed, fault } = await backUp(config, database, {
      place,
      keep,
      onProgress: progressOf('备份'),
    })
    const { files, tables } = manifest
    say(
      `已备份到 ${join(place, manifest.name)}：${tables.reduce((sum, { rows }) => sum + rows, 0)} 行数据，${files.count} 个文件，` +
        `共 ${megabytes(manifest.size)}，新增 ${megabytes(manifest.newSize)}，用时 ${secondsSince(began)} 秒。`,
    )
    if (files.missing > 0) say(`注意：有 ${files.missing} 个文件在存储中已不存在，未能备份。`)
    if (removed.length > 0) say(`按 BACKUP_KEEP 清理了 ${removed.length} 份旧备份：${removed.join('、')}。`)
    if (fault) say(`注意：${fault}`)
  } finally {
    await database.close()
  }
}

async function takeOverArchive({ walArchive: place, dataDir }: Config): Promise<void> {
  if (!place) throw new StartFault('没有设置 WAL_ARCHIVE（把数据库的日志归档到哪里）。')
  if (!existsSync(join(dataDir, 'postgres')))
    throw new StartFault(`${dataDir} 中没有数据库。请用 DATA_DIR 指定接替的数据目录。`)
  await goOnAsOwner(dataDir, place)
  await takeOver(place, systemIdentifier(clusterOf(dataDir)), dataDir)
  say(`归档位置 ${place} 从现在起属于 ${dataDir}；原来的程序不能再归档到这里。现在可以启动程序。`)
}

async function base(config: Config): Promise<void> {
  if (config.walArchive) await goOnAsOwner(config.dataDir, config.walArchive)
  const began = Date.now()
  const database = await reachDatabase(config, say)
  undo.push(database.close)
  try {
    const { manifest, removed, fault } = await backUpBase(config, database, progressOf('基础备份'))
    say(
      `已在 ${config.walArchive} 中做了基础备份 ${manifest.name}：${megabytes(manifest.size)}，用时 ${secondsSince(began)} 秒。` +
        `从 ${manifest.endTime} 起，每个时刻都可以恢复。`,
    )
    if (removed.length > 0) say(`按 WAL_ARCHIVE_DAYS 清理了 ${removed.length} 份旧的基础备份：${removed.join('、')}。`)
    if (fault) say(`注意：${fault}`)
  } finally {
    await database.close()
  }
}

/** What an interrupted restore has started is stopped. */
const stopRestored = async ({ dataDir, databaseUrl }: Config): Promise<void> => {
  const link = join(dataDir, 'postgres')
  const running = existsSync(link) ? runningPostmaster(realpathSync(link)) : null
  if (running && !databaseUrl) await shutDown(realpathSync(link), running.pid)
}

async function restoreMoment(
  config: Config,
  place: string,
  moment: string,
  timeline: number | undefined,
): Promise<void> {
  const began = Date.now()
  const to = momentOf(moment)
  const identity = await openIdentity(config.backupIdentity)
  undo.push(() => stopRestored(config))
  const {
    base: from,
    reached,
    missing,
    damaged,
  } = await restoreTo(config, {
    place,
    to,
    timeline,
    identity,
    onProgress: progressOf('恢复'),
  })
  say(
    `已恢复到${to ? ` ${to}` : '归档中最后的时刻'}：从基础备份 ${from} 重放日志，` +
      `其中最后的写入在 ${reached ?? '基础备份之前'}，写入 ${config.dataDir}，用时 ${secondsSince(began)} 秒。现在可以启动程序。`,
  )
  if (missing > 0) say(`注意：有 ${missing} 个文件在归档中没有，未能恢复。`)
  if (damaged.length > 0) say(`注意：基础备份 ${damaged.join('、')} 的清单已损坏，没有使用。请检查归档位置的磁盘。`)
}

async function restore(config: Config, path: string): Promise<void> {
  const began = Date.now()
  const found = await findBackup(path)
  undo.push(() => stopRestored(config))
  const fault = await restoreBackup(config, {
    backup: found,
    identity: await openIdentity(config.backupIdentity),
    onProgress: progressOf('恢复'),
  })
  say(
    `已恢复备份 ${found.manifest.name}（数据截至 ${found.manifest.startTime}）到 ${config.dataDir}，用时 ${secondsSince(began)} 秒。现在可以启动程序。`,
  )
  if (found.manifest.files.missing > 0)
    say(`注意：备份时有 ${found.manifest.files.missing} 个文件已不在存储中，未能恢复。`)
  if (fault) say(`注意：${fault}`)
}

/** What a drill starts the program by: its file, and the environment of the command. */
interface DrillStart {
  entry: string
  environment: NodeJS.ProcessEnv
}

async function verifyArchive(config: Config, path: string): Promise<void> {
  const identity = config.backupIdentity ? await openIdentity(config.backupIdentity) : undefined
  const { bases, segments, since } = await checkArchive(path, identity, progressOf('核对'))
  done()
  say(
    `日志归档完好：${bases} 份基础备份，${segments} 段日志，${since} 之后的任意时刻都可以恢复。` +
      (identity ? '日志全部解密核对。' : '没有设置 BACKUP_IDENTITY，未解密核对日志。'),
  )
}

/** @param wanted where a drill is to follow */
async function verify(config: Config, path: string, wanted: DrillStart | undefined): Promise<void> {
  if (!wanted && isArchive(path)) {
    await verifyArchive(config, path)
    // daily backups may lie in the same folder
    if ((await listBackups(path)).whole.length === 0) return
  }
  const found = await findBackup(path)
  const { manifest } = found
  const identity = config.backupIdentity || wanted ? await openIdentity(config.backupIdentity) : undefined
  if (identity) await assertOpens(found, identity)
  if (!wanted) {
    await checkParts(found, progressOf('核对'))
    const read = identity && (await countRows(found, identity, progressOf('解密')))
    say(
      `备份 ${manifest.name} 完好（数据截至 ${manifest.startTime}，${megabytes(manifest.size)}）：` +
        (read
          ? `校验值全部相符，解密得到 ${read.rows} 行数据、${read.files} 个文件，与清单一致。`
          : '校验值全部相符。没有设置 BACKUP_IDENTITY，未解密核对内容。'),
    )
    return
  }
  const note = await drillNote(config, path)
  await note?.begin(manifest.name)
  try {
    const { entry, environment } = wanted
    const program = fileURLToPath(entry.endsWith('.ts') ? bundledFile(new URL(entry)) : entry)
    const onInterrupt = (step: () => Promise<void>): void => void undo.push(step)
    const report = await drill({
      backup: found,
      identity: identity!,
      onProgress: progressOf('演练'),
      program,
      environment,
      onInterrupt,
    })
    const written = writeReport(found, report)
    done()
    say(`${reportText(report)}\n报告：${written}`)
    if (report.faults.length > 0) throw new StartFault(`恢复演练没有通过：${report.faults.join('；')}。`)
    await note?.end({ size: manifest.size })
  } catch (error) {
    await note?.end({ error: (error as Error).message })
    throw error
  }
}

/** Notes the drill in the database of the settings, where that is there and runs: a drill elsewhere needs none. */
async function drillNote(config: Config, place: string) {
  const { databaseUrl, migrationDatabaseUrl, dataDir } = config
  const connection = databaseUrl
    ? connectionTo(migrationDatabaseUrl ?? databaseUrl)
    : existsSync(join(dataDir, 'postgres'))
      ? joinRunning(dataDir)
      : null
  return connection ? noteRun(connection, 'drill', place, systemClock) : undefined
}

const secondsSince = (began: number): string => ((Date.now() - began) / 1000).toFixed(1)
