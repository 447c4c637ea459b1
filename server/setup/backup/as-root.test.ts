import { chownSync, lchownSync, mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { listBackups } from '../../core/backup/manifest.ts'
import { ownerIn } from '../../core/base/data-folder.ts'
import { backupCommands, ownerOf, rowsOf } from '../../testing/backup.ts'
import { addressOf, programs } from '../../testing/program.ts'

vi.setConfig({ testTimeout: 180_000 })

const { dataDir, launch } = programs({
  DEMO_STUDENTS: '0',
  SCHOOL_ID: 's1',
  SCHOOL_NAME: '测试学校',
  ADMIN_PASSWORD: 'Start-Test-92',
})
const { folder, run, begin } = await backupCommands()

/** nobody */
const service = 65_534

test('what root backs up for a service of another user is that user’s, who can read and clear it away', async () => {
  const place = join(folder, 'place')
  mkdirSync(place)
  // an ordinary user has nobody else to write for
  if (process.getuid?.() === 0) for (const each of [place, dataDir]) chownSync(each, service, service)
  await addressOf(launch())
  for (const at of [1, 2]) {
    expect(await run(['backup', place], { DATA_DIR: dataDir })).toMatchObject({ code: 0 })
    const made = readdirSync(place, { recursive: true, encoding: 'utf8' })
    expect(made.filter((path) => path.endsWith('manifest.json'))).toHaveLength(at)
    expect(made.filter((path) => statSync(join(place, path)).uid !== statSync(place).uid)).toEqual([])
  }
})

test('whoever ends the command of root ends that of the other user, which undoes what it had begun', async () => {
  const place = join(folder, 'place')
  const { whole } = await listBackups(place)
  const client = await ownerOf(dataDir)
  await client.query('begin; lock table "workflow" in access exclusive mode')
  const backup = begin(['backup', place], { DATA_DIR: dataDir })
  const copying = () =>
    rowsOf(
      dataDir,
      `select pid from pg_stat_activity
      where application_name = 'second-classroom backup' and wait_event_type = 'Lock'`,
    )
  await expect.poll(copying, { timeout: 60_000 }).toHaveLength(1)
  // as a terminal, npm and `timeout` do it together
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGTERM'] as const) backup.child.kill(signal)
  expect(await backup.ended).toMatchObject({ code: 1, said: expect.stringContaining('已中断') as string })
  await client.query('rollback')
  await client.end()
  await expect.poll(copying).toEqual([])
  expect((await listBackups(place)).whole).toEqual(whole)
})

test.runIf(process.getuid?.() === 0)('whose a place is that is a disk, is yet to be made or is a link', () => {
  const made = (name: string, owner: number) => {
    const path = join(folder, name)
    mkdirSync(path)
    chownSync(path, owner, owner)
    return path
  }
  const [theirs, roots] = [made('theirs', service), made('roots', 0)]
  const whose = (path: string) => ownerIn(dataDir, path)?.uid
  expect(whose(theirs)).toBe(service)
  expect(whose(join(theirs, 'not', 'there'))).toBe(service)
  expect(whose(join(roots, 'not', 'there'))).toBeUndefined()
  mkdirSync(join(theirs, 'lost+found'))
  expect(whose(theirs)).toBe(service)
  writeFileSync(join(theirs, 'file'), '')
  chownSync(join(theirs, 'file'), service, service)
  expect(whose(join(theirs, 'file', 'place'))).toBe(service)
  const link = join(folder, 'link')
  symlinkSync(theirs, link)
  expect(whose(link)).toBe(service)
  // one that they have made leads root nowhere
  const lure = join(folder, 'lure')
  symlinkSync(roots, lure)
  lchownSync(lure, service, service)
  mkdirSync(join(roots, 'of root', 'sub'), { recursive: true })
  for (const path of [lure, join(lure, 'of root', 'sub'), join(lure, 'not', 'there')]) expect(whose(path)).toBe(service)
  const chain = join(folder, 'chain')
  symlinkSync('lure/of root', chain)
  expect(whose(chain)).toBe(service)
  mkdirSync(join(theirs, 'by root'))
  expect(whose(theirs)).toBeUndefined()
  expect(whose(link)).toBeUndefined()
})
