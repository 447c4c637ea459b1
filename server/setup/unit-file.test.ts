import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { parseConfig, settingNames } from '../core/base/config.ts'
import { resolveClusterLocation } from '../core/postgres/cluster-location.ts'
import { startEmbedded } from '../core/postgres/embedded.ts'

/**
 * The unit of systemd, its settings and the command of operators in `deploy/` go with what the program needs, and with
 * what docs/operations.md tells to do with them.
 */

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')
const page = read('docs/operations.md')
const command = read('deploy/dekt')

/** Lines `name=value`, those of a name together. */
function valuesOf(text: string): Map<string, string[]> {
  const values = new Map<string, string[]>()
  for (const [, name, value] of text.matchAll(/^(\w+)=(.*)$/gm))
    values.set(name!, [...(values.get(name!) ?? []), value!])
  return values
}
const unit = valuesOf(read('deploy/dekt.service'))
const set = (name: string): string => unit.get(name)?.join(' ') ?? ''
const environment = Object.fromEntries(
  set('Environment')
    .split(' ')
    .map((each) => each.split('=') as [string, string]),
)
const given = Object.fromEntries([...valuesOf(read('deploy/dekt.env'))].map(([name, [value]]) => [name, value]))

test('the settings of unit and file are the program’s, for production', () => {
  const known = new Set<string>([...settingNames, 'TMPDIR'])
  expect(Object.keys({ ...environment, ...given }).filter((name) => !known.has(name))).toEqual([])
  expect(parseConfig({ ...environment, ...given }).production).toBe(true)
})

test('it may write where it has to, and into the places of backups that the manual names', () => {
  expect(environment['DATA_DIR']).toBe(`/var/lib/${set('StateDirectory')}`)
  expect(environment['LOG_FILE']).toMatch(`/var/log/${set('LogsDirectory')}/`)
  expect(environment['TMPDIR']).toBe(`/var/cache/${set('CacheDirectory')}`)
  const open = set('ReadWritePaths')
    .split(' ')
    .map((path) => path.replace(/^-/, ''))
  const places = [...page.matchAll(/^(?:BACKUP_PLACE|WAL_ARCHIVE)=(\S+)$/gm)].map(([, place]) => place!)
  expect(places.length).toBeGreaterThanOrEqual(2)
  expect(places.filter((place) => !open.some((path) => place.startsWith(`${path}/`)))).toEqual([])
})

test('it waits for as long as stopping takes', () => {
  const { drainSeconds } = parseConfig({ ...environment, ...given })
  expect(Number(set('TimeoutStopSec'))).toBeGreaterThanOrEqual(drainSeconds + 20)
})

test('the command of operators runs the same program on the same data', () => {
  expect(statSync(fileURLToPath(new URL('../../deploy/dekt', import.meta.url))).mode & 0o111).toBe(0o111)
  expect(command).toContain(`:-${set('WorkingDirectory')}}`)
  for (const name of ['DATA_DIR', 'TMPDIR', 'LOG_FILE'])
    expect(command).toContain(`${name}="\${${name}:-${environment[name]}}"`)
  expect(command).toContain(`. ${set('EnvironmentFile')}`)
  expect(command).toContain(`runuser -u ${set('User')} `)
})

test('whoever has a release only, and no npm, can do what the manual says', () => {
  const commands = [...read('scripts/command.mjs').matchAll(/^ {2}'?([a-z-]+)'?:/gm)].map(([, name]) => name!)
  expect(commands).toContain('backup')
  const byNpm = [...page.matchAll(/npm run ([a-z-]+)/g)].map(([, name]) => name!)
  expect(byNpm.filter((name) => commands.includes(name))).toEqual([])
})

test('the statement that the manual has run on the embedded database while nothing else does takes the print of the keys out', async () => {
  const [, line, program] = /^(echo .*\\\n +\/opt\/dekt\/current\/(\S+) --single .*)$/m.exec(page)!
  // the release is for one system
  if (process.platform === 'linux' && process.arch === 'x64')
    expect(existsSync(fileURLToPath(new URL(`../../${program}`, import.meta.url)))).toBe(true)
  const folder = mkdtempSync(join(tmpdir(), 'manual-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  chmodSync(folder, 0o755)
  const prints = async (text: string): Promise<string[]> => {
    const database = await startEmbedded({ dataDir: folder, forTests: true })
    const client = new pg.Client(database.connection)
    try {
      await client.connect()
      await client.query(text)
      return (await client.query<{ inKey: string }>('select "inKey" from installation')).rows.map(({ inKey }) => inKey)
    } finally {
      await client.end()
      await database.stop()
    }
  }
  expect(
    await prints(`create table installation ("inKey" text); insert into installation values ('secrets'), ('files')`),
  ).toEqual(['secrets', 'files'])
  const { bin, runAs } = resolveClusterLocation(folder)
  const here = line!
    .replace('runuser -u dekt -- ', '')
    .replace(`/opt/dekt/current/${program}`, join(bin, 'postgres'))
    .replace('/var/lib/dekt', folder)
  const { stdout, stderr } = spawnSync('sh', ['-c', here], { ...runAs, cwd: '/', encoding: 'utf8' })
  expect(stdout + stderr).toContain('backend>')
  expect(stdout + stderr).not.toContain('ERROR')
  expect(await prints('select')).toEqual(['files'])
})
