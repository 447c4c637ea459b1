import { say } from '../../../scripts/progress.mjs'
import { parseConfig } from '../../core/base/config.ts'
import { readSecrets } from '../../core/secrets/secrets.ts'
import { reachDatabase } from '../backup/reach-database.ts'
import { misused, runCommand } from '../run-command.ts'
import { withOwnerDatabase } from '../school-archive/owner.ts'
import { codeLines, readCodes } from './codes.ts'

const usage = '\n  dekt codes  列出等人转交的找回密码验证码'

/**
 * npm run codes: the recovery codes that neither a channel nor mail carries, on any machine of the installation. Ends
 * the process: 0 done, 1 refused or failed (told in words), 2 wrong usage.
 * @param environment where the settings are
 */
export async function runCodesCommand(words: readonly string[], environment: NodeJS.ProcessEnv): Promise<never> {
  if (words.length > 0) misused(usage)
  return runCommand('没有完成', async () => {
    const config = parseConfig(environment)
    const database = await reachDatabase(config, say)
    const { codes, unreadable } = await withOwnerDatabase(database.connection, async (db) => {
      const secrets = await readSecrets(db, config)
      return secrets ? readCodes(db, secrets) : { codes: [], unreadable: 0 }
    }).finally(() => database.close())
    for (const code of codes) for (const line of codeLines(code)) say(line)
    if (unreadable > 0) say(`另有 ${unreadable} 个无法解密，请让本人重新申请。`)
    say(codes.length > 0 ? `共 ${codes.length} 个，核实身份后告诉本人。` : '没有等人转交的验证码。')
  })
}
