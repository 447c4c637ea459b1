import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Call, Output } from '../contract/core/call.ts'
import { approvalApi } from '../contract/programme/approvals/approvals.calls.ts'
import { auditApi } from '../contract/school/audit/audit.calls.ts'
import { awardApi } from '../contract/rules/awards/awards.calls.ts'
import { circleApi } from '../contract/programme/circles/circles.calls.ts'
import { homeApi } from '../contract/programme/home/home.calls.ts'
import { lessonApi } from '../contract/programme/lessons/lessons.calls.ts'
import { newsApi } from '../contract/platform/news/news.calls.ts'
import { classApi } from '../contract/school/organisation/classes.calls.ts'
import { collegeApi } from '../contract/school/organisation/colleges.calls.ts'
import { departmentApi } from '../contract/school/organisation/departments.calls.ts'
import { majorApi } from '../contract/school/organisation/majors.calls.ts'
import { studentApi } from '../contract/school/people/students.calls.ts'
import { teacherApi } from '../contract/school/people/teachers.calls.ts'
import { disputeApi } from '../contract/programme/disputes/disputes.calls.ts'
import { roleApi } from '../contract/school/roles/roles.calls.ts'
import { sessionApi } from '../contract/school/session/session.calls.ts'
import { supplementApi } from '../contract/programme/supplements/supplements.calls.ts'
import { thresholdApi } from '../contract/outcomes/thresholds/thresholds.calls.ts'
import { transcriptApi } from '../contract/outcomes/transcripts/transcripts.calls.ts'
import { workflowApi } from '../contract/rules/workflow/workflow.calls.ts'
import { messageApi } from '../contract/school/messages/messages.calls.ts'
import { ownActivityApi } from '../contract/student/activities.calls.ts'
import { ownCircleApi } from '../contract/student/circles.calls.ts'
import { ownRecordApi } from '../contract/student/record.calls.ts'
import { ownSupplementApi } from '../contract/student/supplements.calls.ts'
import { demoAccounts } from '../server/demo/account-list.ts'
import { signIn, type Client } from '../server/testing/client.ts'

/**
 * The first minute of a newcomer, as a step of `npm test`: the last commit cloned into an empty folder, `npm start`
 * there with nothing set but port and data folder, every account it prints signed in and looking at its lists, stopped
 * with Ctrl-C, started again, and a start for production with a school of one's own. Ends with a sentence at the first
 * thing that is not as it should be.
 */

/** What each demo account looks at first; every list must have rows. */
const lists: Record<string, Call[]> = {
  admin: [lessonApi.view, studentApi.list, roleApi.list, workflowApi.list, auditApi.list],
  reviewer: [
    approvalApi.publishQueue,
    approvalApi.resultQueue,
    approvalApi.supQueue,
    disputeApi.list,
    supplementApi.list,
  ],
  college: [lessonApi.view, studentApi.list, teacherApi.list, approvalApi.publishQueue, newsApi.list],
  counselor: [studentApi.list, classApi.list, supplementApi.list, transcriptApi.list, approvalApi.publishQueue],
  teacher: [lessonApi.view, awardApi.list, circleApi.list, lessonApi.selectList, disputeApi.list],
  secretary: [lessonApi.view, studentApi.list, supplementApi.list, transcriptApi.list, approvalApi.supQueue],
  viewer: [majorApi.list, departmentApi.list, collegeApi.list, thresholdApi.list, lessonApi.view],
  auditor: [auditApi.list, lessonApi.view, supplementApi.list, workflowApi.list, studentApi.list],
  student: [ownActivityApi.list, ownSupplementApi.list, ownRecordApi.entries, ownCircleApi.list, messageApi.inbox],
  senior: [ownActivityApi.list, ownRecordApi.entries, ownCircleApi.list],
  warned: [ownActivityApi.list, ownRecordApi.entries, ownCircleApi.list],
  captain: [ownActivityApi.list, ownSupplementApi.list, ownRecordApi.entries, ownCircleApi.list],
  freshman: [ownActivityApi.list, ownCircleApi.list],
}
/** Those who look at the pages of students. */
const onPhone = new Set(demoAccounts.filter(({ page }) => page === 'phone').map(({ username }) => username))
/** What the home of the console asks; students have pages of their own. */
const home = [sessionApi.menuTree, homeApi.auditCount, homeApi.todos, homeApi.lessons, homeApi.agenda]

/** On a machine that others keep busy everything takes so many times as long. */
const slowness = Number(process.env['NEWCOMER_SLOWNESS'] ?? 1)
/** Seconds at most; a first start with the packages there, and one on data that are there. */
const bars = { first: 60 * slowness, second: 5 * slowness }

const root = join(import.meta.dirname, '..')
const folder = mkdtempSync(join(tmpdir(), 'console-newcomer-'))
const clone = join(folder, 'clone')
const children = new Set<ChildProcess>()

/** The environment of somebody who has set nothing. */
const bare = Object.fromEntries(
  Object.entries(process.env).filter(([name]) =>
    /^(PATH|HOME|USER|LANG|TMPDIR|CI|npm_config_(registry|cache|cafile))$/.test(name),
  ),
)

const say = (text: string): void => void process.stdout.write(`${text}\n`)
const seconds = (since: number): string => `${((performance.now() - since) / 1000).toFixed(1)} 秒`

function must(holds: unknown, text: string): asserts holds {
  if (!holds) throw new Error(text)
}

function run(program: string, args: string[], cwd: string, env = bare): string {
  const { status, stdout, stderr, error } = spawnSync(program, args, { cwd, env, encoding: 'utf8' })
  must(status === 0, `${program} ${args.join(' ')}: ${error?.message ?? stderr + stdout}`)
  return stdout + stderr
}

interface Started {
  address: string
  output: () => string
  child: ChildProcess
  /** Exit code, once it has ended. */
  ended: Promise<number | null>
}

/** Runs a command of the clone until it serves; `more` is what the newcomer sets. */
async function start(more: Record<string, string>, patience: number): Promise<Started> {
  const began = performance.now()
  const child = spawn('npm', ['start'], {
    cwd: clone,
    env: { ...bare, ...more },
    stdio: ['ignore', 'pipe', 'pipe'],
    // a group of its own, which Ctrl-C reaches as a whole
    detached: true,
  })
  children.add(child)
  let text = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (text += chunk.toString()))
  const ended = new Promise<number | null>((done) => child.on('close', (code) => (children.delete(child), done(code))))
  const address = `http://127.0.0.1:${more['PORT']}`
  for (;;) {
    const answer = await fetch(`${address}/readyz`).catch(() => null)
    if (answer?.status === 200 && /Ctrl-C/.test(text)) return { address, output: () => text, child, ended }
    must(child.exitCode === null, `npm start 以 ${child.exitCode} 结束：\n${text}`)
    must(performance.now() - began < patience * 1000, `npm start 在 ${patience} 秒内没有就绪：\n${text}`)
    await sleep(100)
  }
}

const interrupt = ({ pid }: ChildProcess): void => void (pid && process.kill(-pid, 'SIGINT'))

/** Ctrl-C: everything ends well and the data folder is left as one that nobody uses. */
async function stop({ child, ended, output }: Started, dataDir: string): Promise<void> {
  const began = performance.now()
  interrupt(child)
  const code = await ended
  must(code === 0, `Ctrl-C 之后退出码是 ${code}：\n${output()}`)
  must(/已停止/.test(output()), `没有说“已停止”：\n${output()}`)
  for (const left of ['service.lock', 'postgres/postmaster.pid'])
    must(!existsSync(join(dataDir, left)), `停止之后还留着 ${left}`)
  say(`  Ctrl-C 后停止，数据目录完整：${seconds(began)}`)
}

/**
 * Installing takes most of a minute: where the packages at hand are the wanted ones, hard links to them stand for it.
 * Returns false where `npm start` is to install.
 */
function linkPackages(): boolean {
  const began = performance.now()
  const same =
    existsSync(join(root, 'node_modules/.installed')) &&
    ['package-lock.json', 'package.json'].every(
      (file) => readFileSync(join(root, file), 'utf8') === readFileSync(join(clone, file), 'utf8'),
    )
  const there = join(clone, 'node_modules')
  if (!same || process.env['NEWCOMER_INSTALLS'] || spawnSync('cp', ['-al', join(root, 'node_modules'), there]).status) {
    rmSync(there, { recursive: true, force: true })
    say('  依赖包由 npm start 安装')
    return false
  }
  // unlinked, so that writing it anew does not write into the one at hand
  rmSync(join(there, '.installed'), { force: true })
  say(`  依赖包与本仓库相同，以硬链接代替安装：${seconds(began)}（设 NEWCOMER_INSTALLS=1 则真正安装）`)
  return true
}

/** Complaints nobody wants to read at a first start, after what npm itself says of the settings it finds. */
const noise = /npm (warn|error)|deprecat|Warning:|^\s+at /im

/** Rows of a list, a tree or a page of records. */
const rowsOf = (data: unknown): number =>
  Array.isArray(data) ? data.length : ((data as { records?: unknown[] } | null)?.records?.length ?? 0)

/** Opens home and lists as one account; returns how many lists there are, their rows, and those that show none. */
async function look(client: Client, username: string): Promise<{ lists: number; rows: number; empty: string[] }> {
  const calls = lists[username]
  must(calls, `没有写明账号 ${username} 该看哪些列表`)
  if (!onPhone.has(username)) {
    for (const call of home) await client.send(call, {})
    const menu = await client.send(sessionApi.menuTree, {})
    must(
      menu.some(({ pages }) => pages.length > 0),
      `${username} 的菜单是空的`,
    )
  }
  const counts = await Promise.all(
    calls.map(async (call) => rowsOf((await client.send(call, { current: 1, pageSize: 10 })) as Output<Call>)),
  )
  const empty = calls.filter((_, at) => counts[at] === 0).map(({ summary, path }) => `${username}：${summary} ${path}`)
  return { lists: calls.length, rows: counts.reduce((sum, count) => sum + count, 0), empty }
}

async function demo(dataDir: string, port: string, isLinked: boolean): Promise<void> {
  let began = performance.now()
  const first = await start({ PORT: port, DATA_DIR: dataDir }, isLinked ? bars.first : bars.first + 240)
  say(`  第一次 npm start 就绪：${seconds(began)}`)
  must(!noise.test(first.output().split('scripts/start.mjs').slice(1).join()), `第一次启动有杂音：\n${first.output()}`)
  must(
    first.output().includes(first.address) && first.output().includes(dataDir),
    `没有说明地址或数据目录：\n${first.output()}`,
  )
  const page = await (await fetch(first.address)).text()
  must(page.includes('<div id="root"'), '首页不是控制台')

  const [, school, password] = /学校代码 (\w+)，密码都是 ([^；\s]+)/.exec(first.output()) ?? []
  const accounts = [...first.output().matchAll(/^ {4}([a-z]+) +(\S+) +(\S+)/gm)]
  must(school && password && accounts.length === demoAccounts.length, `没有印出学校、密码和账号：\n${first.output()}`)
  began = performance.now()
  const bare: string[] = []
  for (const [, username, role] of accounts) {
    const looked = await look(await signIn(first.address, school, username!, password), username!)
    bare.push(...looked.empty)
    say(`    ${username} ${role}：${looked.lists} 个列表共 ${looked.rows} 行`)
  }
  must(bare.length === 0, `没有一行数据的列表：\n  ${bare.join('\n  ')}`)
  say(`  ${accounts.length} 个账号登录、首页与列表：${seconds(began)}`)
  await stop(first, dataDir)

  began = performance.now()
  const again = await start({ PORT: port, DATA_DIR: dataDir }, bars.second)
  say(`  再次 npm start 就绪：${seconds(began)}`)
  await signIn(again.address, school, 'admin', password)
  await memory(again, dataDir)
  await stop(again, dataDir)
}

/** A school of one's own, in production: refused while there is none, then made by hand and signed in to. */
async function production(dataDir: string, port: string): Promise<void> {
  const env = { ...bare, NODE_ENV: 'production', PORT: port, DATA_DIR: dataDir }
  const refused = spawnSync('npm', ['start'], { cwd: clone, env, encoding: 'utf8' })
  must(
    refused.status !== 0 && refused.stderr.includes('还没有学校'),
    `没有学校的生产环境没有被拒绝：\n${refused.stderr}`,
  )
  const admin = { SCHOOL_ID: 'own', SCHOOL_NAME: '某某大学', ADMIN_USERNAME: 'head', ADMIN_PASSWORD: 'First-Minute-27' }
  run('npm', ['run', 'create-school'], clone, { ...env, ...admin })
  const began = performance.now()
  const running = await start(env, bars.second)
  say(`  生产环境（空数据库，自建学校）就绪：${seconds(began)}`)
  must(!running.output().includes('Demo-'), '生产环境印出了演示账号')
  const client = await signIn(running.address, 'own', 'head', admin.ADMIN_PASSWORD)
  const me = await client.ask(sessionApi.landLoad, {})
  must(me.data?.username === 'head', `首位管理员登录后不是他自己：${JSON.stringify(me)}`)
  await stop(running, dataDir)
}

/** Kilobytes of a process; 0 of one that has ended meanwhile, as a worker of PostgreSQL may at any moment. */
function proportionalSize(pid: string): number {
  try {
    const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')
    return Number(/^Pss:\s+(\d+)/m.exec(rollup)?.[1] ?? 0)
  } catch {
    return 0
  }
}

/**
 * What the idle program takes, told as proportional set size: what processes share is counted once. On Linux only.
 */
async function memory({ child }: Started, dataDir: string): Promise<void> {
  if (process.platform !== 'linux') return
  await sleep(3000)
  const processes = run('ps', ['-eo', 'pid=,ppid=,pgid=,args='], root)
    .split('\n')
    .map((row) => /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(.*)$/.exec(row))
    .flatMap((row) => (row ? [{ pid: row[1]!, ppid: row[2]!, pgid: row[3]!, args: row[4]! }] : []))
  const postmaster = readFileSync(join(dataDir, 'postgres/postmaster.pid'), 'utf8').split('\n')[0]!
  const megabytes = (of: { pid: string }[]) =>
    Math.round(of.reduce((sum, { pid }) => sum + proportionalSize(pid), 0) / 1024)
  const service = processes.filter(({ pgid, args }) => pgid === String(child.pid) && /^node .*start\.mjs/.test(args))
  const database = processes.filter(({ pid, ppid }) => pid === postmaster || ppid === postmaster)
  say(`  空闲内存：服务 ${megabytes(service)} MB，PostgreSQL ${megabytes(database)} MB`)
}

/** A port nobody uses. */
const freePort = (): Promise<string> =>
  new Promise((found) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as AddressInfo
      probe.close(() => found(String(port)))
    })
  })

const began = performance.now()
try {
  chmodSync(folder, 0o755)
  run('git', ['clone', '--quiet', '--no-local', '--depth', '1', `file://${root}`, clone], folder)
  say(`  克隆：${seconds(began)}`)
  await demo(join(folder, 'data'), await freePort(), linkPackages())
  await production(join(folder, 'production'), await freePort())
  say(`  新人的第一分钟走完：${seconds(began)}`)
} catch (error) {
  process.stderr.write(`\n新人的第一分钟没有走完：${(error as Error).message}\n`)
  process.exitCode = 1
} finally {
  for (const child of children) interrupt(child)
  await Promise.all([...children].map((child) => new Promise((done) => child.once('close', done))))
  rmSync(folder, { recursive: true, force: true })
}
