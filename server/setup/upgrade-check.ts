import { existsSync, statfsSync } from 'node:fs'
import { join } from 'node:path'
import type pg from 'pg'
import { backupKind, backupStatus } from '../../contract/core/codes/platform.ts'
import { figure } from '../../contract/core/figure.ts'
import type { Config } from '../core/base/config.ts'
import { StartFault } from '../core/base/start-fault.ts'
import { withOwnClient } from '../core/database/own-client.ts'
import { joinRunning, startEmbedded } from '../core/postgres/embedded.ts'
import { migrations as ours } from '../migrations/index.ts'
import type { Migrations } from '../core/database/migrate.ts'
import { walArchiveOf } from './backup/configured-wal-archive.ts'
import { secondsFor } from './measured-work.ts'
import { plannedSteps, type PlannedStep, type Work } from './migration-plan.ts'
import { addressesOf, addressesWithin, type Addresses } from './addresses.ts'
import { asStartFault } from './open-services.ts'
import { lookAtDatabase, lookAtPlace, type StartOutlook } from './start-check.ts'

/** Hours after which a backup no longer counts as recent. */
const recentHours = 24
/** Free bytes that an upgrade should leave. */
const spareBytes = 500 * 1_048_576

const workTexts: Record<Work, string> = {
  create: '新建',
  brief: '短暂独占（通常不到一秒）',
  index: '逐行检查或建索引，其间不能写入',
  concurrent: '另行建索引，其间照常读写，中断后重做',
  rewrite: '重写整个表，其间不能读写',
  rows: '逐行改写',
  backfill: '分批补填，其间照常读写，中断后接着做',
}
/** Work that copies the table or builds something of its size. */
const heavyWork: readonly Work[] = ['index', 'concurrent', 'rewrite', 'rows', 'backfill']

/**
 * What an upgrade to this version would do, in lines for a person; `isGood` is false where something stands against it.
 */
interface UpgradeCheck {
  lines: string[]
  isGood: boolean
}

/**
 * Looks at the settings as the start will, and at the database in a transaction that only reads. An embedded one that
 * is not running is started for that moment, unless the start would refuse to.
 * @throws StartFault where there is no database yet, or none that answers
 */
export async function checkUpgrade(config: Config, migrations: Migrations = ours): Promise<UpgradeCheck> {
  const { databaseUrl, dataDir } = config
  const place = await lookAtPlace(config)
  if (databaseUrl) return inspect(config, addressesOf(config), { place, migrations })
  const running = joinRunning(dataDir)
  if (running) return inspect(config, addressesWithin(running), { place, migrations })
  if (!existsSync(join(dataDir, 'postgres'))) throw new StartFault(`${dataDir} 中还没有数据库，没有什么要升级。`)
  if (place.refused.length > 0)
    return { lines: [...outlookLines([place]), '数据库没有启动，没有查看。'], isGood: false }
  const embedded = await startEmbedded({ dataDir, archive: await walArchiveOf(config) })
  const addresses = addressesWithin(embedded.connection)
  return inspect(config, addresses, { place, migrations }).finally(() => embedded.stop())
}

async function inspect(
  config: Config,
  addresses: Addresses,
  { place, migrations }: { place: StartOutlook; migrations: Migrations },
): Promise<UpgradeCheck> {
  const outlooks = [place, await lookAtDatabase(config, addresses)]
  const isAllowed = outlooks.every(({ refused }) => refused.length === 0)
  try {
    const { lines, isGood } = await withOwnClient(addresses.owner, async (client) => {
      await client.query('begin transaction isolation level repeatable read read only')
      return report(client, config.databaseUrl ? undefined : config.dataDir, migrations)
    })
    return { lines: [...outlookLines(outlooks), ...lines], isGood: isGood && isAllowed }
  } catch (error) {
    const fault = asStartFault(error, config)
    if (isAllowed || !(fault instanceof StartFault)) throw fault
    return { lines: [...outlookLines(outlooks), `没有查看表结构：${fault.message}`], isGood: false }
  }
}

/** What the start will say, a line each; what it will find in order together. */
function outlookLines(outlooks: StartOutlook[]): string[] {
  const [passed, refused, unknown] = (['passed', 'refused', 'unknown'] as const).map((key) =>
    outlooks.flatMap((outlook) => outlook[key]),
  )
  return [
    ...(passed!.length > 0 ? [`✓ 启动时的检查通过：${passed!.join('、')}。`] : []),
    ...refused!.map((text) => `✗ 启动会被拒绝：${text.replaceAll('\n', '\n    ')}`),
    ...unknown!.map((text) => `? 没有核对${text}`),
  ]
}

async function report(client: pg.Client, dataDir: string | undefined, migrations: Migrations): Promise<UpgradeCheck> {
  const ran = (await exists(client, 'kysely_migration'))
    ? (await client.query<{ name: string }>('select name from kysely_migration order by name')).rows.map(
        ({ name }) => name,
      )
    : []
  const newer = ran.filter((name) => !Object.hasOwn(migrations, name))
  if (newer.length > 0)
    return { isGood: false, lines: [`✗ 数据库已由较新的版本升级（含 ${newer.at(-1)}），不能用本版本打开。`] }
  const pending = Object.keys(migrations).filter((name) => !ran.includes(name))
  const lines = [`数据库现为 ${ran.at(-1) ?? '空'}，共 ${ran.length} 步；`]
  if (pending.length === 0) lines.push('✓ 表结构已是最新，升级只需更换程序。')
  else lines.push(`将执行 ${pending.length} 步：`)
  let isGood = true

  const plans = await plannedSteps(migrations, pending)
  let needed = spareBytes
  for (const [name, steps] of plans) {
    lines.push(`  ${name}${steps.length === 0 ? '（不改动大表）' : ''}`)
    for (const step of steps) {
      const size = await sizeOf(client, step)
      if (heavyWork.includes(step.work)) needed += size.bytes
      lines.push(
        `    ${step.table}：${workTexts[step.work]}${size.bytes > 0 ? `（${size.text}${timeText(step.work, size)}）` : ''}`,
      )
    }
  }

  const blockers = await client.query<{ text: string }>(longTransactions)
  if (blockers.rows.length > 0) {
    isGood = false
    lines.push('✗ 有超过一分钟的事务，升级可能等不到锁：', ...blockers.rows.map(({ text }) => `    ${text}`))
  } else lines.push('✓ 没有会挡住升级的长事务。')

  if (dataDir) {
    const { bavail, bsize } = statfsSync(dataDir)
    const isEnough = bavail * bsize >= needed
    isGood &&= isEnough
    lines.push(`${isEnough ? '✓' : '✗'} 磁盘余量 ${megabytes(bavail * bsize)}，估计需要 ${megabytes(needed)}。`)
  } else lines.push(`? 外部数据库，请自行确认其磁盘余量不少于 ${megabytes(needed)}。`)

  const backup = await lastBackup(client)
  if (backup && backup.hours <= recentHours) lines.push(`✓ 最近一次备份在 ${backup.hours.toFixed(1)} 小时前。`)
  else {
    isGood = false
    lines.push(
      backup
        ? `✗ 最近一次备份在 ${Math.round(backup.hours)} 小时前，升级前请再备份一次。`
        : '✗ 没有看到备份的记录；升级前请备份（升级只前进，退回旧版本靠备份）。',
    )
  }
  return { lines, isGood }
}

/** About how long a step takes, by what it took on the bench school; empty for what takes no time to speak of. */
function timeText(work: Work, { rows, bytes }: { rows: number; bytes: number }): string {
  const seconds = secondsFor(work, rows, bytes)
  if (seconds < 1) return ''
  return `，估计 ${seconds < 90 ? `${Math.ceil(seconds)} 秒` : `${Math.ceil(seconds / 60)} 分钟`}`
}

const megabytes = (bytes: number): string => `${figure(Math.ceil(bytes / 1_048_576))} MB`

const exists = async (client: pg.Client, table: string): Promise<boolean> =>
  (await client.query<{ is: boolean }>('select to_regclass($1) is not null "is"', [`"${table}"`])).rows[0]!.is

async function sizeOf(
  client: pg.Client,
  { table }: PlannedStep,
): Promise<{ bytes: number; rows: number; text: string }> {
  const { rows } = await client.query<{ bytes: string; rows: string; text: string }>(
    `select pg_total_relation_size(c.oid) "bytes", greatest(c.reltuples, 0)::bigint "rows",
      pg_size_pretty(pg_total_relation_size(c.oid)) || '，约 ' || greatest(c.reltuples, 0)::bigint || ' 行' "text"
    from pg_class c
    where c.oid = to_regclass($1)`,
    [`"${table}"`],
  )
  return { bytes: Number(rows[0]?.bytes ?? 0), rows: Number(rows[0]?.rows ?? 0), text: rows[0]?.text ?? '' }
}

/** The last backup that succeeded, by the table in which backups are noted; undefined where there is none. */
async function lastBackup(client: pg.Client): Promise<{ hours: number } | undefined> {
  if (!(await exists(client, 'backupRun'))) return undefined
  const { rows } = await client.query<{ hours: string }>(
    `select extract(epoch from now() - max("endTime")) / 3600 "hours"
    from "backupRun"
    where "brKind" = '${backupKind.backup}' and "brStatus" = '${backupStatus.done}' and "endTime" <= now()
    having max("endTime") is not null`,
  )
  return rows[0] && { hours: Number(rows[0].hours) }
}

const longTransactions = `
  select format(
    '进程 %s（%s，%s）已 %s 秒', pid, coalesce(nullif(application_name, ''), '未命名程序'), state,
    extract(epoch from now() - xact_start)::int
  ) "text"
  from pg_stat_activity
  where datname = current_database() and xact_start < now() - interval '1 minute' and backend_type = 'client backend'`
