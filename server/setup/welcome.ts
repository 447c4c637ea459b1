import { columnsOf } from '../../scripts/progress.mjs'
import type { Config } from '../core/base/config.ts'
import type { DemoAccount } from '../../contract/school/session/demo.calls.ts'
import { demoPassword } from '../demo/account-list.ts'
import type { Schools } from '../demo/ensure.ts'
import type { ListeningPort } from './listening-port.ts'

/**
 * What a started program says last: where it is, who may sign in and to try what, where its data are and how it is
 * stopped.
 * @param accounts those of the demo school that can be signed in to
 */
export function welcomeText(
  config: Config,
  { port, instead }: ListeningPort,
  schools: Schools,
  accounts: readonly DemoAccount[],
  ms: number,
): string {
  const { host, dataDir, databaseUrl, logFile } = config
  const name = host === '0.0.0.0' || host === '::' ? 'localhost' : host.includes(':') ? `[${host}]` : host
  const lines = [
    `第二课堂 Console 已启动：http://${name}:${port}（${(ms / 1000).toFixed(1)} 秒）`,
    ...(instead ? [instead] : []),
    ...(schools === 'demo' ? demoLines(accounts) : []),
    ...(schools === 'none' ? noSchoolLines(config) : []),
    `数据在 ${databaseUrl ? 'DATABASE_URL 指定的数据库和 ' : ''}${dataDir}${logFile ? `，日志 ${logFile}` : ''}`,
    '按 Ctrl-C 停止，数据会保留',
  ]
  return `\n${lines.map((line) => `  ${line}`).join('\n')}\n`
}

const demoLines = (accounts: readonly DemoAccount[]): string[] => [
  `学校代码 demo，密码都是 ${demoPassword}；可以试用的账号：`,
  ...accounts.map(({ username, role, purpose }) => `  ${padded(username, 10)} ${padded(role, 14)} ${purpose}`),
  '另有学校 demo2（账号 admin，密码相同），用来看两所学校互不可见',
]

/** How to make a school beside the running program; the command reaches the same data. */
function noSchoolLines({ dataDir, databaseUrl }: Config): string[] {
  const where = databaseUrl ? 'DATABASE_URL=（与本程序相同） ' : `DATA_DIR=${quotedPath(dataDir)} `
  return [
    '数据库中还没有学校。保持本程序运行，另开一个终端，在本目录建立学校和首位管理员：',
    `  ${where}npm run create-school`,
    '建好即可登录，不必重新启动',
  ]
}

const quotedPath = (path: string): string => (/^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`)

const padded = (text: string, columns: number): string => text + ' '.repeat(Math.max(0, columns - columnsOf(text)))
