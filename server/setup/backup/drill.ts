import { spawn } from 'node:child_process'
import { chmodSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { differences } from '../../core/backup/load-rows.ts'
import type { DecryptionKey } from '../../core/backup/keys.ts'
import type { Backup, SchoolSum } from '../../core/backup/manifest.ts'
import type { Progress } from '../../core/backup/write-backup.ts'
import { systemClock } from '../../core/base/clock.ts'
import { parseConfig, settingNames, type Config } from '../../core/base/config.ts'
import { makeTemporaryFolder } from '../../core/base/temporary-folder.ts'
import { from } from '../../core/database/tenant.ts'
import { checkSchool, sumOf } from '../../outcomes/statistics/check.service.ts'
import { verifySerial } from '../../outcomes/transcripts/verify.service.ts'
import { verifyTrail } from '../../school/audit/verification.service.ts'
import { openServices, type OpenServices } from '../open-services.ts'
import { withoutJobs } from '../without-jobs.ts'
import { backupContents } from './contents.ts'
import { restoreBackup } from './restore.ts'
import { sql } from 'kysely'

/** What was found about one school in the restored copy. */
interface SchoolFinding extends SchoolSum {
  /** Audit rows under seals, and those (or seals) that are not as they were sealed. */
  sealedRows: number
  sealFaults: number
  /** Issued transcripts that were looked at, and those whose signature does not hold. */
  transcripts: number
  brokenTranscripts: number
  /** Rows of the rollups that differ from the raw rows; null where they could not be compared. */
  statisticDifferences: number | null
}

/** The outcome of restoring a backup into an empty place and using it. */
export interface DrillReport {
  backup: string
  backupTime: string
  startTime: string
  endTime: string
  /** Seconds until the data were there, and until the program answered. */
  restoreSeconds: number
  startSeconds: number
  rows: number
  files: number
  missingFiles: number
  schools: SchoolFinding[]
  /** In words, what is not as it should be; empty when all is well. */
  faults: string[]
}

interface Drill {
  backup: Backup
  identity: DecryptionKey
  onProgress: Progress
  /** The file that `main.ts` was built into. */
  program: string
  /** Of the command; settings of the installation are left out. */
  environment: NodeJS.ProcessEnv
  /** Told what to do if the drill is interrupted. */
  onInterrupt: (undo: () => Promise<void>) => void
}

/** Issued transcripts of a school that are looked at, the newest. */
const transcriptSample = 50

/**
 * Restores into an empty temporary place with an embedded database, compares what came out with what the manifest and
 * the data themselves promise, and sees the program start on it. Nothing of the running installation is touched, and
 * nobody is sent anything.
 */
export async function drill(options: Drill): Promise<DrillReport> {
  const { backup, identity, onProgress, program, onInterrupt } = options
  const startTime = systemClock.now()
  const dataDir = makeTemporaryFolder('drill')
  // the user PostgreSQL runs as must get in
  chmodSync(dataDir, 0o755)
  const remove = async (): Promise<void> => rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 })
  onInterrupt(remove)
  try {
    const environment = drillEnvironment(options.environment, dataDir)
    const config = parseConfig(environment)
    let began = performance.now()
    await restoreBackup(config, { backup, identity, onProgress })
    const restoreSeconds = secondsSince(began)
    onProgress('核对恢复出来的数据', 0.92)
    const { schools, faults } = await compare(config, backup)
    onProgress('在恢复出来的数据上启动程序', 0.97)
    began = performance.now()
    await seeItStart(program, environment).catch((error: Error) => faults.push(`程序没有启动成功：${error.message}`))
    const { manifest } = backup
    return {
      backup: manifest.name,
      backupTime: manifest.startTime,
      startTime,
      endTime: systemClock.now(),
      restoreSeconds,
      startSeconds: secondsSince(began),
      rows: manifest.tables.reduce((sum, { rows }) => sum + rows, 0),
      files: manifest.files.count,
      missingFiles: manifest.files.missing,
      schools,
      faults,
    }
  } finally {
    await remove()
  }
}

const secondsSince = (began: number): number => Math.round((performance.now() - began) / 100) / 10

/** Settings of the copy: none of those that lead to the installation's own database, files or backups. */
function drillEnvironment(given: NodeJS.ProcessEnv, dataDir: string): Record<string, string | undefined> {
  const others = Object.entries(given).filter(([name]) => !settingNames.includes(name))
  return {
    ...Object.fromEntries(others),
    NODE_ENV: 'production',
    DATA_DIR: dataDir,
    HOST: '127.0.0.1',
    PORT: '0',
    LOG_FILE: join(dataDir, 'service.log'),
    REQUESTS_PER_MINUTE: '0',
  }
}

async function compare(config: Config, { manifest }: Backup) {
  const opened = await openServices(config, () => {})
  try {
    const { rows } = await sql.raw<SchoolSum>(backupContents.schools).execute(opened.services.db)
    const faults = differences(manifest.schools, rows)
    const schools: SchoolFinding[] = []
    for (const school of manifest.schools) {
      const found = { ...school, ...(await lookAtSchool(opened, school.schoolId)) }
      schools.push(found)
      const of = `学校 ${school.schoolId}`
      if (found.sealFaults > 0) faults.push(`${of} 的操作日志有 ${found.sealFaults} 处与封存不符`)
      if (found.brokenTranscripts > 0) faults.push(`${of} 有 ${found.brokenTranscripts} 张成绩单的签名不成立`)
      if (found.statisticDifferences !== 0)
        faults.push(
          `${of} 的统计汇总${found.statisticDifferences ? `有 ${found.statisticDifferences} 行与原始记录不符` : '未能核对'}`,
        )
    }
    return { schools, faults }
  } finally {
    await opened.close()
  }
}

/** Verifies seals, signatures and figures of one school. */
export async function lookAtSchool({ services }: OpenServices, schoolId: string) {
  const { faultCount, rows } = await verifyTrail(services, schoolId)
  const issues = await from({ db: services.db, schoolId }, 'transcriptIssue')
    .select('serial')
    .orderBy('issueTime', 'desc')
    .limit(transcriptSample)
    .execute()
  let brokenTranscripts = 0
  for (const { serial } of issues) {
    const ctx = { ...services, origin: { requestId: 'drill', ip: '127.0.0.1', agent: '' } }
    if ((await verifySerial(ctx, { serial })).status === 'broken') brokenTranscripts++
  }
  const found = await checkSchool(services, schoolId)
  return {
    sealedRows: rows,
    sealFaults: faultCount,
    transcripts: issues.length,
    brokenTranscripts,
    statisticDifferences: found && sumOf(found),
  }
}

/**
 * Starts the real program, waits until it says that it is ready, and stops it again. The copy has the due messages and
 * the secrets of the installation: it must not do the work that the installation does itself.
 * @throws Error with what it said
 */
async function seeItStart(program: string, environment: Record<string, string | undefined>): Promise<void> {
  const child = spawn(process.execPath, [program, withoutJobs], { env: environment, stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (said = `${said}${chunk.toString()}`.slice(-4000)))
  const ended = new Promise<number | null>((done) => child.on('close', done))
  try {
    for (const until = Date.now() + 180_000; Date.now() < until && child.exitCode === null; await sleep(200)) {
      const address = /已启动：(http:\/\/[\d.:]+)/.exec(said)?.[1]
      if (address && (await fetch(`${address}/readyz`).catch(() => undefined))?.ok) return
    }
    throw new Error(said.trim().slice(-1000))
  } finally {
    child.kill('SIGTERM')
    await ended
  }
}

/** Writes the report beside the backup, for programs and for people. @returns the path of the latter */
export function writeReport({ folder }: Backup, report: DrillReport): string {
  const name = `drill-${report.startTime.replace(' ', '_').replaceAll(':', '-')}`
  writeFileSync(join(folder, `${name}.json`), `${JSON.stringify(report, null, 1)}\n`, { mode: 0o600 })
  const path = join(folder, `${name}.txt`)
  writeFileSync(path, reportText(report), { mode: 0o600 })
  return path
}

/** The report as people read it. */
export const reportText = (report: DrillReport): string =>
  [
    `恢复演练：${report.faults.length === 0 ? '通过' : '没有通过'}`,
    '',
    `备份　　　${report.backup}（数据截至 ${report.backupTime}）`,
    `演练时间　${report.startTime} 至 ${report.endTime}`,
    `恢复用时　${report.restoreSeconds} 秒，启动程序 ${report.startSeconds} 秒`,
    `恢复内容　${report.rows} 行数据，${report.files} 个文件` +
      (report.missingFiles > 0 ? `（备份时已有 ${report.missingFiles} 个文件不在存储中）` : ''),
    '',
    ...report.schools.map(
      (one) =>
        `学校 ${one.schoolId} ${one.name}：学分台账 ${one.entries} 条、合计 ${one.sum}；操作日志 ${one.sealedRows} 行与封存核对，` +
        `${one.sealFaults} 处不符；成绩单抽查 ${one.transcripts} 张，${one.brokenTranscripts} 张不成立；` +
        `统计汇总${one.statisticDifferences === null ? '未能核对' : ` ${one.statisticDifferences} 行不符`}`,
    ),
    ...(report.faults.length > 0 ? ['', '问题', ...report.faults.map((fault) => `  ${fault}`)] : []),
    '',
  ].join('\n')
