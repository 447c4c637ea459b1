import { Failure } from '../../contract/core/failure.ts'
import { done } from '../../scripts/progress.mjs'
import { StartFault } from '../core/base/start-fault.ts'

/**
 * Does the work of a command of whoever runs the machine, and ends the process: 0 done, 1 refused or failed, told in
 * words.
 * @param failed what did not come about then
 */
export async function runCommand(failed: string, work: () => Promise<void>): Promise<never> {
  try {
    await work()
  } catch (error) {
    done()
    process.stderr.write(`\n${failed}：${faultText(error)}\n`)
    process.exit(1)
  }
  process.exit(0)
}

/** Ends the process of a command whose words are wrong: 2, with how it is used. */
export function misused(usage: string): never {
  process.stderr.write(`用法：${usage}\n`)
  process.exit(2)
}

/** What is wrong in words, where it is known; else everything there is. */
function faultText(error: unknown): string {
  if (error instanceof StartFault) return error.message
  return error instanceof Failure ? `${error.msg}。` : String((error as Error).stack)
}
