import { parseArgs } from 'node:util'
import { done, say } from '../../../scripts/progress.mjs'
import { megabytes } from '../../core/backup/write-backup.ts'
import { parseConfig, type Config } from '../../core/base/config.ts'
import { StartFault } from '../../core/base/start-fault.ts'
import { reachDatabase, type ReachedDatabase } from '../backup/reach-database.ts'
import { withOwner } from '../school-archive/owner.ts'
import { listSchools, resumeSchool, suspendSchool, type SchoolLine } from './schools.ts'

const usage = `用法：
  npm run schools -- list                            列出各学校
  npm run schools -- suspend 学校代码 --why "原因"     暂停一个学校，数据完整保留
  npm run schools -- resume 学校代码                  恢复一个学校
`

interface Words {
  schoolId: string
  why: string
}

const commands: Record<string, { words: 1 | 2; run: (on: Installation, words: Words) => Promise<void> }> = {
  list: { words: 1, run: list },
  suspend: { words: 2, run: suspend },
  resume: { words: 2, run: resume },
}

interface Installation {
  config: Config
  database: ReachedDatabase
}

/**
 * npm run schools: what whoever runs the installation does with its schools. Ends the process: 0 done, 1 refused or
 * failed (told in words), 2 wrong usage.
 * @param environment where the settings are
 */
export async function runSchoolsCommand(words: readonly string[], environment: NodeJS.ProcessEnv): Promise<never> {
  const asked = understood(words)
  if (!asked) {
    process.stderr.write(usage)
    process.exit(2)
  }
  try {
    const config = parseConfig(environment)
    const database = await reachDatabase(config, say)
    try {
      await asked.run({ config, database })
    } finally {
      await database.close()
    }
    process.exit(0)
  } catch (error) {
    done()
    process.stderr.write(`\n没有完成：${error instanceof StartFault ? error.message : (error as Error).stack}\n`)
    process.exit(1)
  }
}

function understood(given: readonly string[]): { run: (on: Installation) => Promise<void> } | undefined {
  try {
    const { positionals, values } = parseArgs({
      args: [...given],
      allowPositionals: true,
      options: { why: { type: 'string', default: '' } },
    })
    const [name = '', schoolId = ''] = positionals
    const command = Object.hasOwn(commands, name) ? commands[name] : undefined
    if (!command || positionals.length !== command.words) return undefined
    return { run: (on) => command.run(on, { schoolId, why: values.why }) }
  } catch {
    // an option that there is not
    return undefined
  }
}

async function list({ database }: Installation): Promise<void> {
  const schools = await withOwner(database.connection, listSchools)
  for (const school of schools) say(lineOf(school))
  say(`共 ${schools.length} 所学校。`)
}

const lineOf = ({ schoolId, name, people, students, rows, storage, lastLogin, suspended }: SchoolLine): string =>
  [
    `${schoolId}　${name}`,
    suspended ? `已暂停（${suspended.since}，${suspended.why}）` : '使用中',
    `${people} 个可用账号`,
    `${students} 名学生`,
    `日志、台账和报名 ${rows} 行`,
    `文件 ${megabytes(storage)}`,
    `最近登录 ${lastLogin || '无'}`,
  ].join('，')

async function suspend({ database }: Installation, { schoolId, why }: Words): Promise<void> {
  await withOwner(database.connection, (client) => suspendSchool(client, schoolId, why))
  say(
    `已暂停学校 ${schoolId}：该校人员一秒之内不能再登录和操作，数据完整保留。恢复：npm run schools -- resume ${schoolId}`,
  )
}

async function resume({ database }: Installation, { schoolId }: Words): Promise<void> {
  await withOwner(database.connection, (client) => resumeSchool(client, schoolId))
  say(`已恢复学校 ${schoolId}，该校人员可以照常登录。`)
}
