import { parseArgs } from 'node:util'
import { say } from '../../../scripts/progress.mjs'
import { parseConfig } from '../../core/base/config.ts'
import { StartFault } from '../../core/base/start-fault.ts'
import { reachDatabase } from '../backup/reach-database.ts'
import { misused, runCommand } from '../run-command.ts'
import { withOwner } from '../school-archive/owner.ts'
import { listReaders, makeReader, platformSchema, withdrawReader, type NewReader } from './readers.ts'

const usage = `
  dekt platform list                             列出各学校的数据平台账号
  dekt platform make 学校代码 [--days 365]        新建账号，口令只显示一次
  dekt platform renew 学校代码 [--days 365]       换新口令并延长有效期，旧口令立即失效
  dekt platform withdraw 学校代码                 收回账号`

/** Days that an account lasts unless told, and at most. */
const [defaultDays, maxDays] = [365, 730]

/**
 * npm run platform: accounts of the database by which data platforms of schools read. Ends the process: 0 done, 1
 * refused or failed (told in words), 2 wrong usage.
 * @param environment where the settings are
 */
export async function runPlatformCommand(words: readonly string[], environment: NodeJS.ProcessEnv): Promise<never> {
  const { name, schoolId, days } = understood(words) ?? misused(usage)
  return runCommand('没有完成', async () => {
    const config = parseConfig(environment)
    if (!config.databaseUrl)
      throw new StartFault(
        '内置数据库只供本程序使用，不接受其他系统连接。数据平台需要读取数据时，请改用外部 PostgreSQL（docs/operations.md“外部 PostgreSQL”），或使用程序密钥调用接口（docs/integration.md“程序接入”）。',
      )
    const database = await reachDatabase(config, say)
    await withOwner(database.connection, async (client) => {
      if (name === 'list') {
        const readers = await listReaders(client)
        for (const { schoolId: of, roleName, endDate } of readers) say(`${of}　${roleName}，有效期至 ${endDate}`)
        say(`共 ${readers.length} 个数据平台账号。`)
        return
      }
      const has = (await listReaders(client)).some((one) => one.schoolId === schoolId)
      if (name === 'withdraw') {
        await withdrawReader(client, schoolId)
        say(`已收回学校 ${schoolId} 的数据平台账号，已有的连接已断开。`)
        return
      }
      if (name === 'make' && has) throw new StartFault(`学校 ${schoolId} 已有数据平台账号：换口令用 renew。`)
      if (name === 'renew' && !has) throw new StartFault(`学校 ${schoolId} 没有数据平台账号：新建用 make。`)
      tell(await makeReader(client, schoolId, days))
    }).finally(() => database.close())
  })
}

function tell({ roleName, password, endDate }: NewReader): void {
  say(`账号：${roleName}`)
  say(`口令：${password}（只显示这一次）`)
  say(`有效期至 ${endDate}；只能读取 ${platformSchema} 中本校的视图，各列含义见 docs/integration.md“数据平台视图”。`)
  say('数据库地址与 DATABASE_URL 相同；须在 pg_hba.conf 中放行数据平台的地址，并要求加密连接（hostssl）。')
}

/** The command in its words; undefined where they are wrong. */
function understood(given: readonly string[]) {
  try {
    const { positionals, values } = parseArgs({
      args: [...given],
      allowPositionals: true,
      options: { days: { type: 'string', default: String(defaultDays) } },
    })
    const [name = '', schoolId = ''] = positionals
    const days = Number(values.days)
    const isSound = Number.isInteger(days) && days >= 1 && days <= maxDays
    const words = { list: 1, make: 2, renew: 2, withdraw: 2 }[name]
    return isSound && words === positionals.length ? { name, schoolId, days } : undefined
  } catch {
    // an option that there is not
    return undefined
  }
}
