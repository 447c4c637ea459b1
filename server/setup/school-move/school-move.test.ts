import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import sharp from 'sharp'
import { expect, test, vi } from 'vitest'
import { fileApi } from '../../../contract/platform/files/files.calls.ts'
import { studentApi } from '../../../contract/school/people/students.calls.ts'
import { sessionApi } from '../../../contract/school/session/session.calls.ts'
import { bundledFile } from '../../core/base/bundled-file.ts'
import { demoPassword } from '../../demo/account-list.ts'
import { backupCommands, rowsOf } from '../../testing/backup.ts'
import { clientHash } from '../../core/secrets/passwords.ts'
import { Client, signIn } from '../../testing/client.ts'
import { joinRunning } from '../../core/postgres/embedded.ts'
import { archiveKey } from '../../school/audit/archiving.service.ts'
import { addressOf, programs } from '../../testing/program.ts'

vi.setConfig({ testTimeout: 240_000 })

/** One installation with two schools, and an empty one; both run all the time. */
const source = programs({ DEMO_STUDENTS: '20' })
const target = programs({ DEMO_STUDENTS: '0' })
const { folder, settings, run } = await backupCommands()
const here = { DATA_DIR: source.dataDir }
const targetFile = join(folder, 'target.env')
const newAddress = 'https://dekt.neu.example.edu.cn'
const places = { demo: join(folder, 'demo'), second: join(folder, 'second'), third: join(folder, 'third') }
const secondPassword = 'Plum-tree-41'
let [from, to] = ['', '']
let pictureId = ''
let picture: Buffer

const move = (what: string, schoolId: keyof typeof places, ...more: string[]) =>
  run(['move-school', what, schoolId, '--to', targetFile, '--place', places[schoolId], ...more], here)

const rowsAt = async (dataDir: string, schoolId: string): Promise<number> =>
  (await rowsOf<{ n: number }>(dataDir, `select count(*)::int n from "person" where "schoolId" = '${schoolId}'`))[0]!.n

const signInReply = (address: string, schoolId: string, password: string) =>
  new Client(address, undefined).ask(sessionApi.login, { schoolId, username: 'admin', password: clientHash(password) })

async function createSchool(dataDir: string, schoolId: string): Promise<void> {
  const made = spawn(
    process.execPath,
    [fileURLToPath(bundledFile(new URL('../../create-school.ts', import.meta.url)))],
    {
      env: {
        PATH: process.env['PATH'],
        DATA_DIR: dataDir,
        SCHOOL_ID: schoolId,
        SCHOOL_NAME: `学校 ${schoolId}`,
        ADMIN_PASSWORD: secondPassword,
      } as unknown as NodeJS.ProcessEnv,
      stdio: 'ignore',
    },
  )
  expect(await new Promise((done) => made.on('close', done))).toBe(0)
}

test('a first copy and a rehearsal tell how long the school will stand still, and change nothing', async () => {
  from = await addressOf(source.launch())
  to = await addressOf(target.launch())
  await createSchool(source.dataDir, 'second')
  for (const place of Object.values(places)) mkdirSync(place)
  writeFileSync(targetFile, `DATA_DIR=${target.dataDir}\nBACKUP_IDENTITY=${settings.BACKUP_IDENTITY}\n`)
  const admin = await signIn(from, 'demo', 'admin', demoPassword)
  const bytes = await sharp({ create: { width: 64, height: 32, channels: 3, background: '#20c030' } })
    .png()
    .toBuffer()
  const { data } = await admin.upload(fileApi.upload, { name: '海报.png', bytes }, { kind: 'image' })
  pictureId = data.fileId
  picture = (await admin.download(fileApi.view, { id: pictureId })).bytes

  const told = await move('plan', 'demo')
  expect(told.said).toMatch(/正式迁移期间只能查看、不能修改，预计 \d+ 秒/)
  expect(told.code).toBe(0)
  expect(await rowsAt(target.dataDir, 'demo')).toBe(0)
  expect((await admin.send(studentApi.list, {})).total).toBeGreaterThan(0)
})

test('what would fail is refused before the school stands still', async () => {
  const own = join(folder, 'own.env')
  writeFileSync(own, `DATA_DIR=${source.dataDir}\n`)
  const words = ['move-school', 'run', 'demo', '--to', own, '--place', places.demo, '--address', newAddress]
  expect(await run(words, here)).toMatchObject({ code: 1, said: expect.stringContaining('就是这个安装') as string })
  expect(await move('run', 'demo', '--address', 'dekt')).toMatchObject({ code: 1 })
  expect(await move('run', 'demo')).toMatchObject({ code: 2 })
  expect(await move('undo', 'demo')).toMatchObject({ code: 1, said: expect.stringContaining('没有迁出') as string })
  expect(await signInReply(from, 'demo', demoPassword)).toMatchObject({ code: 200 })
})

test('a data folder of the target that cannot be written is found by the plan', async () => {
  const filled = join(folder, 'no-folder')
  writeFileSync(filled, '')
  const { host, port, user, database } = joinRunning(target.dataDir)!
  const address = `postgres://${user}@/${database}?host=${encodeURIComponent(host!)}&port=${port}`
  const elsewhere = join(folder, 'elsewhere.env')
  writeFileSync(elsewhere, `DATABASE_URL=${address}\nDATA_DIR=${filled}\nBACKUP_IDENTITY=${settings.BACKUP_IDENTITY}\n`)
  const words = ['move-school', 'plan', 'demo', '--to', elsewhere, '--place', places.demo]
  expect(await run(words, here)).toMatchObject({
    code: 1,
    said: expect.stringContaining(`数据目录 ${filled} 不可写`) as string,
  })
})

test('a place that cannot be written is found before the school stands still', async () => {
  const filled = join(folder, 'filled')
  writeFileSync(filled, 'no folder')
  const words = ['move-school', 'run', 'demo', '--to', targetFile, '--place', filled, '--address', newAddress]
  expect(await run(words, here)).toMatchObject({ code: 1, said: expect.stringContaining('不可写') as string })
  expect(await signInReply(from, 'demo', demoPassword)).toMatchObject({ code: 200 })
  expect(await move('undo', 'demo')).toMatchObject({ code: 1, said: expect.stringContaining('没有迁出') as string })
})

test('a school that the target has by the same code is left alone, whatever its state', async () => {
  await createSchool(source.dataDir, 'third')
  await createSchool(target.dataDir, 'third')
  const refused = { code: 1, said: expect.stringContaining('新系统已有代码为 third 的学校') as string }
  expect(await move('run', 'third', '--address', newAddress)).toMatchObject(refused)
  await run(['schools', 'suspend', 'third', '--why', '合同到期'], { DATA_DIR: target.dataDir })
  expect(await move('run', 'third', '--address', newAddress)).toMatchObject(refused)
  expect(await signInReply(from, 'third', secondPassword)).toMatchObject({ code: 200 })

  // as a move leaves it that was killed before anything had arrived
  await rowsOf(
    source.dataDir,
    `update "school" set "suspendedTime" = now(), "moveState" = 'moving', "movedTo" = '${newAddress}'
    where "schoolId" = 'third'`,
  )
  expect(await move('undo', 'third')).toMatchObject({ code: 0 })
  expect(await signInReply(from, 'third', secondPassword)).toMatchObject({ code: 200 })
  expect(await rowsAt(target.dataDir, 'third')).toBe(1)

  // and one whose settings lead to another installation than the one that it moved to
  await rowsOf(
    source.dataDir,
    `update "school" set "suspendedTime" = now(), "moveState" = 'moved', "movedTo" = 'https://elsewhere.example.edu.cn'
    where "schoolId" = 'third'`,
  )
  expect(await move('undo', 'third')).toMatchObject({
    code: 1,
    said: expect.stringContaining('不是这次迁移带去的') as string,
  })
  expect(await rowsAt(target.dataDir, 'third')).toBe(1)
})

test('a school moves: compared, opened there, and told of here', async () => {
  const before = await signIn(from, 'demo', 'admin', demoPassword)
  const students = (await before.send(studentApi.list, {})).total
  const moved = await move('run', 'demo', '--address', newAddress)
  expect(moved.said).toContain(`已把学校 demo 迁往 ${newAddress}`)
  for (const name of ['各表行数', '学分台账', '日志封存', '文件', '成绩单核验'])
    expect(moved.said).toContain(`核对${name}：一致`)
  for (const reply of [await before.ask(studentApi.list, {}), await signInReply(from, 'demo', demoPassword)])
    expect(reply).toMatchObject({ code: 300, msg: `学校已迁往 ${newAddress}，请到那里登录` })
  const after = await signIn(to, 'demo', 'admin', demoPassword)
  expect((await after.send(studentApi.list, {})).total).toBe(students)
  expect((await after.download(fileApi.view, { id: pictureId })).bytes).toEqual(picture)
  // the other school goes on
  expect(await signInReply(from, 'second', secondPassword)).toMatchObject({ code: 200 })
})

test('a move is taken back only until somebody has come to the target', async () => {
  expect(await move('undo', 'demo')).toMatchObject({
    code: 1,
    said: expect.stringContaining('已有人在新系统登录或操作') as string,
  })
  expect(await signInReply(to, 'demo', demoPassword)).toMatchObject({ code: 200 })

  // an archive of its trail goes along, and a rehearsal leaves none of it in the way
  const archive = 'second_1-1.jsonl.gz'
  const bytes = Buffer.from('the archived trail')
  const digest = createHash('sha256').update(bytes).digest('hex')
  mkdirSync(join(source.dataDir, 'archive', 'audit'), { recursive: true })
  writeFileSync(join(source.dataDir, 'archive', 'audit', archive), bytes)
  await rowsOf(
    source.dataDir,
    `insert into "auditArchive"
      ("schoolId", "arcNo", "fromSeal", "throughSeal", "rowCount", "firstTime", "lastTime", "cutTime", "fileName",
        "size", "sha256", "createTime")
    values ('second', 1, 1, 1, 0, '2020-01-01', '2020-01-02', '2020-02-01', '${archive}', ${bytes.length},
      '${digest}', now())`,
  )
  expect(await move('plan', 'second')).toMatchObject({ code: 0 })
  expect((await move('run', 'second', '--address', newAddress)).said).toContain('已把学校 second 迁往')
  expect(await rowsAt(target.dataDir, 'second')).toBe(1)
  const stored = join(target.dataDir, 'files', archiveKey({ schoolId: 'second', sha256: digest }))
  expect(readFileSync(stored)).toEqual(bytes)
  expect(await move('undo', 'second')).toMatchObject({ code: 0, said: expect.stringContaining('已撤回') as string })
  expect(await rowsAt(target.dataDir, 'second')).toBe(0)
  expect(existsSync(stored)).toBe(false)
  expect(await signInReply(from, 'second', secondPassword)).toMatchObject({ code: 200 })
  // and may move again
  expect((await move('run', 'second', '--address', newAddress)).said).toContain('已把学校 second 迁往')
})
