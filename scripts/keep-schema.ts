import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { parseConfig } from '../server/core/base/config.ts'
import { sealTrails } from '../server/school/audit/sealing.service.ts'
import { openServices } from '../server/setup/open-services.ts'
import { migrations } from '../server/migrations/index.ts'
import { backupContents } from '../server/setup/backup/contents.ts'
import type { SchoolSum } from '../server/core/backup/manifest.ts'
import { keepRelease, type ReleasedTable } from '../server/testing/released.ts'
import { changelogText, isCommitted, mayKeep } from './kept-releases.mjs'
import { say } from './progress.mjs'

/**
 * npm run keep-schema: keeps the database of the version in package.json as a small demo school leaves it, so that
 * every later version is tested to upgrade it. Before each release; once that is dated and committed, what was kept
 * stays as it is.
 */

const root = fileURLToPath(new URL('..', import.meta.url))

/** Says why it cannot go on, and ends. */
function giveUp(text: string): never {
  process.stderr.write(`\n${text}\n`)
  process.exit(1)
}

/** Students of the kept school: its tables have a few dozen rows each. */
const students = 30
const port = 5432

const { version } = (await import('../package.json', { with: { type: 'json' } })).default
if (!mayKeep(version, changelogText(), isCommitted(version)))
  giveUp(
    `版本 ${version} 已发布（CHANGELOG.md 中有日期），它留存的数据库不再改动。请先在 package.json 中改为下一个版本。`,
  )

const bin = serverPrograms() ?? giveUp('需要 PostgreSQL 15 或更高版本及其 pg_dump，例如 apt-get install postgresql。')
const folder = mkdtempSync(join(tmpdir(), 'console-keep-'))
const runAs = unprivileged()
if (runAs) chownSync(folder, runAs.uid, runAs.gid)
const cluster = join(folder, 'cluster')
must(join(bin, 'initdb'), ['-D', cluster, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync'])
const server = spawn(
  join(bin, 'postgres'),
  ['-D', cluster, '-k', folder, '-p', String(port), '-c', 'listen_addresses=', '-c', 'fsync=off'],
  { ...runAs, cwd: '/', stdio: 'ignore' },
)
try {
  const connection = { host: folder, port, user: 'postgres', database: 'kept' }
  await serverReady()
  must(join(bin, 'createdb'), ['-h', folder, '-p', String(port), '-U', 'postgres', 'kept'])
  const secrets = { pepper: '11'.repeat(32), fieldKey: '22'.repeat(32) }
  const settings = {
    DATABASE_URL: `postgres://postgres@/kept?host=${encodeURIComponent(folder)}&port=${port}`,
    DATA_DIR: join(folder, 'data'),
    SECRET_PEPPER: secrets.pepper,
    SECRET_FIELD_KEY: secrets.fieldKey,
  }
  await fill(settings)
  // a job does it each minute, which is not waited for
  const opened = await openServices(parseConfig(settings), () => {})
  await sealTrails(opened.services).finally(() => opened.close())

  const client = new pg.Client(connection)
  await client.connect()
  // who was signed in, what processes told of themselves and the mark of their folder of files go with them
  await client.query(
    `delete from "session"; delete from "processBeat"; delete from "slowStatement"; delete from "installation" where "inKey" = 'files'`,
  )
  const tables = await countRows(client)
  const { rows: schools } = await client.query<SchoolSum>(backupContents.schools)
  await client.end()
  const options = ['--no-owner', '--no-privileges', '--inserts', '--rows-per-insert=100']
  const dump = must(join(bin, 'pg_dump'), [
    '-h',
    folder,
    '-p',
    String(port),
    '-U',
    'postgres',
    '-d',
    'kept',
    ...options,
  ])
  const path = keepRelease(
    {
      version,
      postgres: must(join(bin, 'pg_dump'), ['--version']).trim(),
      migrations: Object.keys(migrations),
      secrets,
      tables,
      schools,
    },
    // orders to psql, which only guard it against what a dump could make it do
    dump.replace(/^\\.*\n/gm, ''),
  )
  say(`${path}：${tables.length} 个表，${tables.reduce((sum, { rows }) => sum + rows, 0)} 行`)
} finally {
  const ended = once(server, 'exit')
  server.kill('SIGINT')
  await ended
  rmSync(folder, { recursive: true, force: true })
}

/**
 * The programs of a PostgreSQL server with pg_dump: on the path, else the newest where Debian and Homebrew put them.
 */
function serverPrograms(): string | undefined {
  const homes = ['/usr/lib/postgresql', '/opt/homebrew/opt', '/usr/local/opt'].flatMap((home) =>
    existsSync(home)
      ? readdirSync(home)
          .sort((a, b) => b.localeCompare(a, 'en', { numeric: true }))
          .map((name) => join(home, name, 'bin'))
      : [],
  )
  return [...(process.env['PATH'] ?? '').split(delimiter), ...homes].find((each) =>
    ['initdb', 'postgres', 'pg_dump', 'createdb'].every((name) => existsSync(join(each, name))),
  )
}

/** PostgreSQL refuses to run as root. */
function unprivileged(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined
  const numberOf = (flag: string) => Number(spawnSync('id', [flag, 'postgres'], { encoding: 'utf8' }).stdout || 65_534)
  return { uid: numberOf('-u'), gid: numberOf('-g') }
}

function must(program: string, args: string[]): string {
  const { status, stdout, stderr, error } = spawnSync(program, args, {
    ...runAs,
    cwd: '/',
    encoding: 'utf8',
    maxBuffer: 1 << 30,
  })
  if (status !== 0) giveUp(`${program} 失败：${error?.message ?? stderr}`)
  return stdout
}

async function serverReady(): Promise<void> {
  for (const end = Date.now() + 30_000; Date.now() < end; await sleep(100))
    if (existsSync(join(folder, `.s.PGSQL.${port}`))) return
  giveUp('PostgreSQL 没有启动。')
}

/** Lets the program make its schema and a demo school, and stops it when it has. */
async function fill(settings: Record<string, string>): Promise<void> {
  const child = spawn(
    process.execPath,
    ['--import', 'tsx', fileURLToPath(new URL('../server/main.ts', import.meta.url))],
    {
      cwd: root,
      env: {
        PATH: process.env['PATH'],
        ...settings,
        PORT: '0',
        DEMO_STUDENTS: String(students),
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (said += chunk.toString()))
  const ended = once(child, 'exit')
  while (child.exitCode === null && !/按 Ctrl-C/.test(said)) await sleep(200)
  child.kill('SIGINT')
  const [code] = (await ended) as [number | null]
  if (code !== 0) giveUp(`程序没有建成演示学校：\n${said.slice(-2000)}`)
}

async function countRows(client: pg.Client): Promise<ReleasedTable[]> {
  const { rows: names } = await client.query<{ name: string }>(
    `select relname "name" from pg_class
    where relnamespace = 'public'::regnamespace and relkind = 'r' and relname not like 'kysely\\_%'
    order by relname collate "C"`,
  )
  const tables: ReleasedTable[] = []
  for (const { name } of names) {
    const { rows } = await client.query<{ n: number }>(`select count(*)::int n from "${name}"`)
    tables.push({ name, rows: rows[0]!.n })
  }
  return tables
}
