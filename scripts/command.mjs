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
  upgrade: '--check：升级前看一看会做什么，不改动任何东西',
}

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
  process.setSourceMapsEnabled(true)
  await import(new URL(`../dist/server/${name}.js`, import.meta.url).href)
}

if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const [name = '', ...given] = process.argv.slice(2)
  await command(name, given)
}
