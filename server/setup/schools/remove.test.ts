import { spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import sharp from 'sharp'
import { expect, test, vi } from 'vitest'
import { fileApi } from '../../../contract/platform/files/files.calls.ts'
import { bundledFile } from '../../core/base/bundled-file.ts'
import { findBackup } from '../../core/backup/manifest.ts'
import { demoPassword } from '../../demo/account-list.ts'
import { backupCommands, ownerOf, rowsOf } from '../../testing/backup.ts'
import { signIn } from '../../testing/client.ts'
import { addressOf, programs } from '../../testing/program.ts'

vi.setConfig({ testTimeout: 180_000 })

const { launch, dataDir } = programs({ DEMO_STUDENTS: '20' })
const { folder, run } = await backupCommands()
const here = { DATA_DIR: dataDir }
const place = join(folder, 'place')
const password = 'Plum-tree-41'

const createSchool = (schoolId: string): Promise<number | null> =>
  new Promise((done) =>
    spawn(process.execPath, [fileURLToPath(bundledFile(new URL('../../create-school.ts', import.meta.url)))], {
      env: {
        PATH: process.env['PATH'],
        DATA_DIR: dataDir,
        SCHOOL_ID: schoolId,
        SCHOOL_NAME: `${schoolId} 学校`,
        ADMIN_PASSWORD: password,
      } as unknown as NodeJS.ProcessEnv,
      stdio: 'ignore',
    }).on('close', done),
  )

/** Rows of a school by table, without those that a running program adds by itself. */
async function countsOf(schoolId: string): Promise<Record<string, number>> {
  const tables = await rowsOf<{ name: string }>(
    dataDir,
    `select table_name "name" from information_schema.columns
    where table_schema = 'public' and column_name = 'schoolId' and table_name <> 'schoolRemoval'`,
  )
  const counts = await rowsOf<{ name: string; n: number }>(
    dataDir,
    tables
      .map(({ name }) => `select '${name}' "name", count(*)::int n from "${name}" where "schoolId" = '${schoolId}'`)
      .join(' union all '),
  )
  return Object.fromEntries(counts.filter(({ n }) => n > 0).map(({ name, n }) => [name, n]))
}

const remove = (schoolId: string, confirm: string, archive = place) =>
  run(['schools', 'remove', schoolId, '--confirm', confirm, '--archive', archive], here)
const refused = (words: string) => ({ code: 1, said: expect.stringContaining(words) as string })

/** Runs a removal that is interrupted before a table: somebody holds it, and the command's connection is ended. */
async function interruptAt(table: string, removal: () => Promise<{ code: number | null }>): Promise<void> {
  const holder = await ownerOf(dataDir)
  await holder.query(`begin; lock table "${table}" in share mode`)
  const interrupted = removal()
  const end = `select pg_terminate_backend(pid) from pg_stat_activity
    where application_name = 'second-classroom backup' and query like 'lock table "${table}"%' and wait_event_type = 'Lock'`
  let ended: unknown
  void interrupted.then((result) => (ended = result))
  const reached = async () => ended ?? (await rowsOf(dataDir, end)).length
  await expect.poll(reached, { timeout: 60_000 }).toBe(1)
  expect((await interrupted).code).toBe(1)
  await holder.end()
}

test('a school goes only suspended, named and archived after that; wholly, and no row of another with it', async () => {
  const address = await addressOf(launch())
  const [school] = await rowsOf<{ name: string }>(dataDir, `select "schName" "name" from "school"`)
  const { name } = school!
  const admin = await signIn(address, 'demo', 'admin', demoPassword)
  const bytes = await sharp({ create: { width: 64, height: 32, channels: 3, background: '#c02030' } })
    .png()
    .toBuffer()
  await admin.upload(fileApi.upload, { name: '海报.png', bytes }, { kind: 'image' })
  // what is done within seconds before an archive counts as done while the suspension took hold
  await sleep(8000)
  expect(await createSchool('resident')).toBe(0)
  await signIn(address, 'resident', 'admin', password)
  expect(await run(['export-school', 'demo', place], here)).toMatchObject({ code: 0 })

  expect(await remove('demo', name)).toMatchObject(refused('仍在使用'))
  expect(await run(['schools', 'suspend', 'demo', '--why', '合同到期'], here)).toMatchObject({ code: 0 })
  expect(await remove('demo', '演示')).toMatchObject(refused(`须逐字填写学校名称“${name}”`))
  expect(await remove('demo', name)).toMatchObject(refused('早于暂停'))
  expect(await run(['export-school', 'demo', place], here)).toMatchObject({ code: 0 })
  expect(await remove('resident', 'resident 学校')).toMatchObject(refused('仍在使用'))
  const [before, resident] = [await countsOf('demo'), await countsOf('resident')]
  expect(before['creditLedger']).toBeGreaterThan(0)

  await interruptAt('person', () => remove('demo', name))
  expect(await run(['schools', 'resume', 'demo'], here)).toMatchObject(refused('已开始删除'))

  // the school itself is the last to go, so that whoever goes on finds it
  await interruptAt('school', () => remove('demo', name))
  expect(await countsOf('demo')).toEqual({ school: 1 })
  const said = await remove('demo', name)
  expect(said).toMatchObject({ code: 0, said: expect.stringContaining('已删除学校 demo') as string })
  expect(await countsOf('demo')).toEqual({})
  expect(
    readdirSync(join(dataDir, 'files', 'demo'), { recursive: true, withFileTypes: true }).filter((one) => one.isFile()),
  ).toEqual([])
  const still = (counts: Record<string, number>) =>
    Object.entries(counts).filter(([table]) => table !== 'auditSeal' && !table.startsWith('stat'))
  expect(still(await countsOf('resident'))).toEqual(still(resident))
  await signIn(address, 'resident', 'admin', password)
  // the ledger and the trail are guarded again
  const triggers = await rowsOf(dataDir, `select from pg_trigger where not tgisinternal and tgenabled = 'D'`)
  expect(triggers).toEqual([])

  const [file] = readdirSync(place).filter((one) => /^removal-demo-.*\.json$/.test(one))
  const certificate = JSON.parse(readFileSync(join(place, file!), 'utf8')) as Record<string, unknown>
  const archive = await findBackup(place)
  expect(certificate).toMatchObject({ schoolId: 'demo', name, archive: { name: archive.manifest.name } })
  const counts = certificate['counts'] as Record<string, number>
  for (const [table, n] of Object.entries(before).filter(([one]) => !['job', 'statChange'].includes(one)))
    expect([table, counts[table]! >= n], table).toEqual([table, true])
  expect(counts['creditLedger']).toBe(before['creditLedger'])
  expect(readFileSync(join(place, file!.replace('.json', '.txt')), 'utf8')).toContain('学校数据删除证明')
  expect(await remove('demo', name)).toMatchObject({ code: 0 })
  expect(readdirSync(place).filter((one) => one.startsWith('removal-'))).toHaveLength(2)
})

test('an archive that misses writes is refused; a removal that an earlier version left without its school goes on', async () => {
  const archive = join(folder, 'resident')
  const confirm = 'resident 学校'
  expect(await run(['schools', 'suspend', 'resident', '--why', '合同到期'], here)).toMatchObject({ code: 0 })
  expect(await run(['export-school', 'resident', archive], here)).toMatchObject({ code: 0 })
  // written while the suspension took hold: a row, and a change that adds none but in the trail
  const { startTime } = (await findBackup(archive)).manifest
  await rowsOf(
    dataDir,
    `insert into "college" ("schoolId", "scId", "scName", "scCode")
    values ('resident', gen_random_uuid(), '迟到学院', 'late')`,
  )
  await rowsOf(
    dataDir,
    `insert into "auditLog" ("schoolId", "logId", "actorId", "actorName", "action", "requestId", "ip", "agent", "logTime")
    values ('resident', gen_random_uuid(), gen_random_uuid(), '管理员', '修改', '', '', '',
      $1::timestamp at time zone 'Asia/Shanghai' - interval '5 seconds')`,
    [startTime],
  )
  const late = await remove('resident', confirm, archive)
  expect(late).toMatchObject(refused('college（现有 1 行，归档中 0 行）、auditLog（写归档前后仍有人操作）'))
  expect(late.said).toContain('请重新运行 export-school')
  expect(await countsOf('resident')).toMatchObject({ college: 1 })
  expect(await run(['export-school', 'resident', archive], here)).toMatchObject({ code: 0 })
  await interruptAt('school', () => remove('resident', confirm, archive))
  await rowsOf(dataDir, `delete from "school" where "schoolId" = 'resident'`)
  await rowsOf(
    dataDir,
    `insert into "auditLog" ("schoolId", "logId", "actorName", "action", "requestId", "ip", "agent")
    values ('resident', gen_random_uuid(), '管理员', '登录', '', '', '')`,
  )
  expect(await remove('resident', '学校', archive)).toMatchObject(refused(`须逐字填写学校名称“${confirm}”`))
  expect(await remove('resident', confirm, archive)).toMatchObject({ code: 0 })
  expect(await countsOf('resident')).toEqual({})
  expect(readdirSync(archive).filter((one) => one.startsWith('removal-resident-'))).toHaveLength(2)
  expect(await remove('resident', confirm, archive)).toMatchObject({ code: 0 })
})
