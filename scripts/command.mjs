// node scripts/command.mjs <name> [arguments]: one of the programs of dist/server.
import { realpathSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { prepare } from './prepare.mjs'
import { checkNode, giveUp } from './root.mjs'

/** What can be run, and what it is for. */
const commands = {
  start: '启动（与 node scripts/start.mjs 相同）',
  'create-school': '建立学校和首位管理员',
  statistics: 'check|rebuild [学校代码…]：核对或重建统计汇总',
  diagnostics: '[文件]：写出诊断包，不含个人信息和密钥',
  backup: '备份到一个文件夹；--base：做一份基础备份；--take-over：接替原来的程序归档；--new-key 文件：生成密钥',
  restore:
    '把备份恢复到空的数据目录或数据库；归档位置 --to 时刻|latest：恢复到那个时刻；--timeline 编号：沿接替之前的时间线',
  verify: '核对备份；--drill：恢复到临时的地方试运行',
  'export-school': '学校代码 位置：把一个学校的全部内容写成归档',
  'import-school': '位置：把归档中的学校导入这个安装',
  'move-school': 'plan|run|undo：把一个学校迁到另一个安装',
  platform: 'list|make|renew|withdraw：学校数据平台读取视图的数据库账号',
  schools: 'list|suspend|resume|quota|host|remove：列出、暂停、恢复学校，设置配额或域名，删除学校',
  codes: '列出等人转交的找回密码验证码',
  upgrade: '--check：升级前看一看会做什么，不改动任何东西',
}

/** Those that the program's own entry understands as its first argument, for it starts them itself as well. */
const ofMain = new Set([
  'backup',
  'restore',
  'verify',
  'export-school',
  'import-school',
  'move-school',
  'platform',
  'schools',
  'codes',
])

/** Runs a command in this very process. @param {string} name @param {string[]} given */
export async function command(name, given) {
  checkNode()
  if (!Object.hasOwn(commands, name)) {
    const list = Object.entries(commands).map(([each, purpose]) => `  dekt ${each.padEnd(14)} ${purpose}`)
    giveUp(`${name && `没有“${name}”这个命令。`}用法：\n${list.join('\n')}`)
  }
  process.argv = [process.argv[0], process.argv[1], ...given]
  if (name === 'start') return void (await import('./start.mjs'))
  await prepare(['server'])
  if (ofMain.has(name)) process.argv.splice(2, 0, name)
  process.setSourceMapsEnabled(true)
  await import(new URL(`../dist/server/${ofMain.has(name) ? 'main' : name}.js`, import.meta.url).href)
}

if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const [name = '', ...given] = process.argv.slice(2)
  await command(name, given)
}
