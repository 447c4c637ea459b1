import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { parseConfig, type Config } from './core/base/config.ts'
import { joinRunning } from './core/postgres/embedded.ts'
import { from } from './core/database/tenant.ts'
import { StartFault } from './core/base/start-fault.ts'
import { createSchool } from './setup/create-school.ts'
import { firstPasswordFault } from './setup/first-password.ts'
import { openServices } from './setup/open-services.ts'

/**
 * npm run create-school: makes a school with its first administrator, on a database that is in use by the running
 * program or not. SCHOOL_ID, SCHOOL_NAME, ADMIN_USERNAME and ADMIN_PASSWORD are asked for where they are not set.
 */
async function main(config: Config): Promise<void> {
  const wanted = config.firstSchool ?? (await askFor())
  const fault = firstPasswordFault(wanted.password, config, [wanted.schoolId, wanted.schName, wanted.username])
  if (fault) throw new StartFault(fault)
  const opened = await openServices(config, say, joinRunning(config.dataDir) ?? undefined)
  try {
    const { schoolId, schName, username, password } = wanted
    const there = await from({ db: opened.services.db, schoolId }, 'school').select('schoolId').executeTakeFirst()
    if (there) throw new StartFault(`学校 ${schoolId} 已经存在。`)
    const origin = { requestId: 'create-school', ip: '', agent: '' }
    await createSchool(
      { ...opened.services, origin },
      { schoolId, schName, admin: { username, name: '系统管理员', password } },
    )
    say(`已建立学校“${schName}”（${schoolId}）和管理员 ${username}，首次登录须修改密码。`)
  } finally {
    await opened.close()
  }
}

async function askFor(): Promise<NonNullable<Config['firstSchool']>> {
  if (!process.stdin.isTTY)
    throw new StartFault(
      '请设置 SCHOOL_ID、SCHOOL_NAME 和 ADMIN_PASSWORD（及 ADMIN_USERNAME，默认 admin），或在终端中运行以便逐项输入。',
    )
  let hidden = false
  const output = new Writable({ write: (chunk: Buffer, _, done) => (hidden || process.stdout.write(chunk), done()) })
  const prompt = createInterface({ input: process.stdin, output, terminal: true })
  const ask = async (question: string, isHidden = false): Promise<string> => {
    process.stdout.write(question)
    hidden = isHidden
    const answer = (await prompt.question('')).trim()
    hidden = false
    if (isHidden) process.stdout.write('\n')
    return answer
  }
  try {
    const schoolId = await ask('学校编号 schoolId（字母、数字、_、-，登录时填写）：')
    const schName = await ask('学校名称：')
    const username = (await ask('管理员账号（默认 admin）：')) || 'admin'
    const password = await ask('管理员初始密码（输入时不显示）：', true)
    if (password !== (await ask('再次输入密码：', true))) throw new StartFault('两次输入的密码不同。')
    // the same rules as for the settings
    const { firstSchool } = parseConfig({
      SCHOOL_ID: schoolId,
      SCHOOL_NAME: schName,
      ADMIN_USERNAME: username,
      ADMIN_PASSWORD: password,
    })
    if (!firstSchool) throw new StartFault('学校编号、名称和密码都须填写。')
    return firstSchool
  } finally {
    prompt.close()
  }
}

const say = (text: string): void => void process.stdout.write(`${text}\n`)

try {
  await main(parseConfig(process.env))
} catch (error) {
  process.stderr.write(`\n没有建立学校：${error instanceof StartFault ? error.message : (error as Error).stack}\n`)
  process.exit(1)
}
process.exit(0)
