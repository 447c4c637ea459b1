import { join, resolve } from 'node:path'
import { done, say } from '../../../scripts/progress.mjs'
import { openIdentity } from '../../core/backup/keys.ts'
import { findBackup, type Manifest } from '../../core/backup/manifest.ts'
import { megabytes } from '../../core/backup/write-backup.ts'
import { parseConfig, type Config } from '../../core/base/config.ts'
import { progressOf } from '../backup/progress.ts'
import { reachDatabase } from '../backup/reach-database.ts'
import { misused, runCommand } from '../run-command.ts'
import { exportSchool } from './export.ts'
import { importSchool } from './import.ts'

const commands = {
  'export-school': {
    usage: 'dekt export-school 学校代码 位置　　　把一个学校的全部内容写成归档',
    words: 2,
    failed: '没有导出',
    run: exportTo,
  },
  'import-school': {
    usage: 'dekt import-school 位置　　　导入其中最新的归档；位置也可以是某一份归档的文件夹',
    words: 1,
    failed: '没有导入',
    run: importFrom,
  },
}

/**
 * npm run export-school|import-school. Ends the process: 0 done, 1 refused or failed (told in words), 2 wrong usage.
 * @param environment where the settings are
 */
export async function runSchoolCommand(
  command: keyof typeof commands,
  words: readonly string[],
  environment: NodeJS.ProcessEnv,
): Promise<never> {
  const { usage, words: wanted, failed, run } = commands[command]
  if (words.length !== wanted || words.some((word) => word.startsWith('--'))) misused(usage)
  return runCommand(failed, () => run(parseConfig(environment), words))
}

async function exportTo(config: Config, [schoolId = '', place = '']: readonly string[]): Promise<void> {
  const database = await reachDatabase(config, say)
  try {
    const target = resolve(place)
    const manifest = await exportSchool(config, database, {
      schoolId,
      place: target,
      onProgress: progressOf('导出'),
    })
    done()
    say(`已把学校 ${schoolId} 导出到 ${join(target, manifest.name)}：${sumOf(manifest)}。`)
    if (manifest.files.missing > 0) say(`注意：有 ${manifest.files.missing} 个文件在存储中已不存在，未能导出。`)
  } finally {
    await database.close()
  }
}

async function importFrom(config: Config, [place = '']: readonly string[]): Promise<void> {
  const backup = await findBackup(resolve(place))
  const identity = await openIdentity(config.backupIdentity)
  const database = await reachDatabase(config, say)
  try {
    const { school, faults } = await importSchool(config, database, {
      backup,
      identity,
      onProgress: progressOf('导入'),
    })
    done()
    say(
      `已从 ${backup.manifest.name} 导入学校 ${school}（数据截至 ${backup.manifest.startTime}）：${sumOf(backup.manifest)}。` +
        '密码和动态口令照旧可用；恢复码须各人重新生成。',
    )
    for (const fault of faults) say(`注意：${fault}`)
  } finally {
    await database.close()
  }
}

const sumOf = ({ tables, files, size }: Manifest): string =>
  `${tables.reduce((sum, { rows }) => sum + rows, 0)} 行数据，${files.count} 个文件，共 ${megabytes(size)}`
