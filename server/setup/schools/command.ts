import { hostname, userInfo } from 'node:os'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { done, say } from '../../../scripts/progress.mjs'
import { megabytes } from '../../core/backup/write-backup.ts'
import { parseConfig, type Config } from '../../core/base/config.ts'
import { StartFault } from '../../core/base/start-fault.ts'
import { findBackup } from '../../core/backup/manifest.ts'
import { openFiles } from '../../core/files/files.ts'
import { archiveFolder } from '../backup/back-up.ts'
import { progressOf } from '../backup/progress.ts'
import { reachDatabase, type ReachedDatabase } from '../backup/reach-database.ts'
import { misused, runCommand } from '../run-command.ts'
import { withOwner, withOwnerDatabase } from '../school-archive/owner.ts'
import { quotaOfSchool, schoolOf } from '../../school/runtime/schools.service.ts'
import { writeCertificate } from './certificate.ts'
import { isGoing, removalsOf, removeSchool } from './remove.ts'
import { boundsIn, quotaLines, quotaOptions, type QuotaWords } from './quota-words.ts'
import { changeQuota, listSchools, resumeSchool, setHost, suspendSchool, type SchoolLine } from './schools.ts'

const usage = `
  dekt schools list                            列出各学校
  dekt schools suspend 学校代码 --why "原因"     暂停一个学校，数据完整保留
  dekt schools resume 学校代码                  恢复一个学校
  dekt schools quota 学校代码 [--people 5000] [--files 20000] [--requests 20] [--per-minute 3000]
                            [--tasks 5] [--messages 100000]
                                                    设置配额（文件以 MB 计），写 none 取消一项；不带选项则显示
  dekt schools host 学校代码 域名|none           用这个域名打开登录页的人，默认是这所学校
  dekt schools remove 学校代码 --confirm 学校名称 --archive 归档位置
                                                    彻底删除一个已暂停并已归档的学校，写出删除证明`

interface Words extends QuotaWords {
  schoolId: string
  /** What comes after the school. */
  value: string
  why: string
  confirm: string
  archive: string
}

const commands: Record<string, { words: 1 | 2 | 3; run: (on: Installation, words: Words) => Promise<void> }> = {
  list: { words: 1, run: list },
  suspend: { words: 2, run: suspend },
  resume: { words: 2, run: resume },
  quota: { words: 2, run: quota },
  host: { words: 3, run: host },
  remove: { words: 2, run: remove },
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
  const asked = understood(words) ?? misused(usage)
  return runCommand('没有完成', async () => {
    const config = parseConfig(environment)
    const database = await reachDatabase(config, say)
    await asked.run({ config, database }).finally(() => database.close())
  })
}

function understood(given: readonly string[]): { run: (on: Installation) => Promise<void> } | undefined {
  try {
    const { positionals, values } = parseArgs({
      args: [...given],
      allowPositionals: true,
      options: {
        why: { type: 'string', default: '' },
        confirm: { type: 'string', default: '' },
        archive: { type: 'string', default: '' },
        ...quotaOptions,
      },
    })
    const [name = '', schoolId = '', value = ''] = positionals
    const command = Object.hasOwn(commands, name) ? commands[name] : undefined
    if (!command || positionals.length !== command.words) return undefined
    return { run: (on) => command.run(on, { schoolId, value, ...values }) }
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
  await withOwnerDatabase(database.connection, (db) => suspendSchool(db, schoolId, why))
  say(`已暂停学校 ${schoolId}：该校人员一秒之内不能再登录和操作，数据完整保留。恢复：dekt schools resume ${schoolId}`)
}

async function resume({ database }: Installation, { schoolId }: Words): Promise<void> {
  await withOwnerDatabase(database.connection, (db) => resumeSchool(db, schoolId))
  say(`已恢复学校 ${schoolId}，该校人员可以照常登录。`)
}

async function quota({ database }: Installation, { schoolId, ...words }: Words): Promise<void> {
  const bounds = boundsIn(words)
  const line = await withOwnerDatabase(database.connection, async (db) => {
    if (Object.keys(bounds).length > 0) await changeQuota(db, schoolId, bounds)
    return { ...(await schoolOf(db, schoolId)), quota: await quotaOfSchool(db, schoolId) }
  })
  say(`${schoolId}　${line.schName}`)
  for (const text of quotaLines(line.quota)) say(`  ${text}`)
}

async function host({ database }: Installation, { schoolId, value }: Words): Promise<void> {
  await withOwnerDatabase(database.connection, (db) => setHost(db, schoolId, value === 'none' ? null : value))
  say(value === 'none' ? `学校 ${schoolId} 不再有自己的域名。` : `用 ${value} 打开登录页的人，默认是学校 ${schoolId}。`)
}

async function remove({ config, database }: Installation, { schoolId, confirm, archive: place }: Words): Promise<void> {
  if (!confirm || !place) throw new StartFault('请用 --confirm 填写学校名称，用 --archive 指出它的归档在哪里。')
  const target = resolve(place)
  const archive = await findBackup(target)
  const removal = await withOwner(database.connection, async (client) => {
    const { rowCount } = await client.query('select from "school" where "schoolId" = $1', [schoolId])
    // gone already, and only the certificate was not written
    const isOver = !rowCount && !(await isGoing(client, schoolId))
    const before = isOver ? (await removalsOf(client, schoolId)).at(-1) : undefined
    if (before?.name === confirm) return before
    return removeSchool(client, {
      schoolId,
      confirm,
      archive,
      files: openFiles(config),
      archives: archiveFolder(config.dataDir),
      removedBy: `${userInfo().username}@${hostname()}`,
      onProgress: progressOf('删除'),
    })
  })
  done()
  const written = await writeCertificate(removal, archive.place)
  say(`已删除学校 ${schoolId}。删除证明：${written.join('、')}`)
}
