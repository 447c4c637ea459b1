import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseArgs, parseEnv } from 'node:util'
import { done, say } from '../../../scripts/progress.mjs'
import { megabytes } from '../../core/backup/write-backup.ts'
import { parseConfig } from '../../core/base/config.ts'
import { StartFault } from '../../core/base/start-fault.ts'
import { progressOf } from '../backup/progress.ts'
import { reachDatabase } from '../backup/reach-database.ts'
import { misused, runCommand } from '../run-command.ts'
import { moveSchool, planMove, undoMove, type Move } from './move.ts'

const usage = `
  dekt move-school plan 学校代码 --to 设置文件 --place 文件夹
                                     先复制一遍并在新系统试写，告知正式迁移要停多久；学校照常使用
  dekt move-school run 学校代码 --to 设置文件 --place 文件夹 --address 新系统网址
                                     正式迁移：学校暂时只能查看，核对无误后新系统开放，旧系统告知新网址
  dekt move-school undo 学校代码 --to 设置文件 --place 文件夹
                                     撤回：新系统还没有人使用时，恢复旧系统
  设置文件：新系统的设置（DATABASE_URL、DATA_DIR、FILES_URL、密钥等），每行一项 名称=值`

interface Words {
  to: string
  place: string
  address: string
}
const commands: Record<string, (move: Move, words: Words) => Promise<void>> = { plan, run, undo }

/**
 * npm run move-school: a school goes from this installation to another. Ends the process: 0 done, 1 refused or failed
 * (told in words), 2 wrong usage.
 * @param environment where the settings of this installation are
 */
export async function runMoveCommand(given: readonly string[], environment: NodeJS.ProcessEnv): Promise<never> {
  const { name, schoolId, words } = understood(given) ?? misused(usage)
  return runCommand('没有完成', async () => {
    const [from, to] = [parseConfig(environment), parseConfig(settingsIn(words.to, environment))]
    const source = { config: from, database: await reachDatabase(from, say) }
    try {
      const target = { config: to, database: await reachDatabase(to, say) }
      try {
        const place = resolve(words.place)
        await commands[name]!({ schoolId, source, target, place, onProgress: progressOf('迁移') }, words)
      } finally {
        await target.database.close()
      }
    } finally {
      await source.database.close()
    }
  })
}

function understood(given: readonly string[]): { name: string; schoolId: string; words: Words } | undefined {
  try {
    const { positionals, values } = parseArgs({
      args: [...given],
      allowPositionals: true,
      options: {
        to: { type: 'string', default: '' },
        place: { type: 'string', default: '' },
        address: { type: 'string', default: '' },
      },
    })
    const [name = '', schoolId = ''] = positionals
    const isWhole = values.to && values.place && (name !== 'run' || values.address)
    return Object.hasOwn(commands, name) && positionals.length === 2 && isWhole
      ? { name, schoolId, words: values }
      : undefined
  } catch {
    // an option that there is not
    return undefined
  }
}

/** The settings of the target: those of its file alone, and where programs are found. */
function settingsIn(file: string, { PATH, NODE_ENV }: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  try {
    return { PATH, NODE_ENV, ...parseEnv(readFileSync(resolve(file), 'utf8')) } as NodeJS.ProcessEnv
  } catch (error) {
    throw new StartFault(`读不了新系统的设置文件 ${file}：${(error as Error).message}`)
  }
}

const wait = (seconds: number): string =>
  seconds < 90 ? `${Math.ceil(seconds)} 秒` : `${Math.ceil(seconds / 60)} 分钟`

async function plan(move: Move): Promise<void> {
  const { manifest, firstCopy, copy, arrival, downtime } = await planMove(move)
  done()
  say(
    `学校 ${move.schoolId}：${manifest.tables.reduce((sum, { rows }) => sum + rows, 0)} 行数据，${manifest.files.count} 个文件，共 ${megabytes(manifest.size)}。`,
  )
  say(
    `第一遍复制 ${wait(firstCopy)}（学校照常使用）；再复制数据 ${wait(copy)}，在新系统试写 ${wait(arrival)}（已撤回）。`,
  )
  say(`正式迁移期间只能查看、不能修改，预计 ${wait(downtime)}。文件已经在新系统，正式迁移只补新增的。`)
}

async function run(move: Move, { address }: Words): Promise<void> {
  if (!/^https?:\/\/[^\s/]+/.test(address))
    throw new StartFault('--address 须为新系统的网址，如 https://dekt.example.edu.cn。')
  const { seconds, checks, faults } = await moveSchool(move, address)
  done()
  for (const { name, count } of checks) say(`核对${name}：一致（${count}）。`)
  for (const fault of faults) say(`注意：${fault}`)
  say(`已把学校 ${move.schoolId} 迁往 ${address}，停用 ${wait(seconds)}。旧系统只告知新网址。`)
  say(`新系统还没有人使用时可以撤回：dekt move-school undo ${move.schoolId} --to … --place …`)
}

async function undo(move: Move): Promise<void> {
  await undoMove(move)
  done()
  say(`已撤回：学校 ${move.schoolId} 在这里照常使用，新系统中迁入的内容已删除。`)
}
