import { parseConfig } from './core/base/config.ts'
import { StartFault } from './core/base/start-fault.ts'
import { checkUpgrade } from './setup/upgrade-check.ts'

/**
 * npm run upgrade -- --check: tells whether the next start of this version would be refused and what it would do to the
 * database, and changes nothing. Ends with 1 where something stands against it, with 2 where it was called wrongly.
 */
async function main(): Promise<number> {
  if (process.argv[2] !== '--check' || process.argv.length > 3) {
    process.stderr.write('用法：dekt upgrade --check（只查看，不改动）。升级本身在下一次启动时进行。\n')
    return 2
  }
  const { lines, isGood } = await checkUpgrade(parseConfig(process.env))
  process.stdout.write(`${lines.join('\n')}\n`)
  return isGood ? 0 : 1
}

try {
  process.exitCode = await main()
} catch (error) {
  process.stderr.write(`\n没有查看：${error instanceof StartFault ? error.message : (error as Error).stack}\n`)
  process.exitCode = 1
}
