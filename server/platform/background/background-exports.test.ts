import { sql } from 'kysely'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { fullPath } from '../../../contract/core/call.ts'
import { backgroundKind, backgroundStatus } from '../../../contract/core/codes/platform.ts'
import { backgroundApi, fileDays } from '../../../contract/platform/background/background.calls.ts'
import { auditApi } from '../../../contract/school/audit/audit.calls.ts'
import { studentApi } from '../../../contract/school/people/students.calls.ts'
import { addDays } from '../../core/base/clock.ts'
import type { JobRunner } from '../../core/jobs/job-runner.ts'
import { sheetIn } from '../../testing/sheet-in.ts'
import { runBackground, taskOf, whenOver } from '../../testing/background.ts'
import { asOwner, useOwnDatabase } from '../../testing/database.ts'
import { newSchool, type TestSchool } from '../../testing/school.ts'
import { sweepTasks } from './background-jobs.ts'

await useOwnDatabase()

let school: TestSchool
const runners: JobRunner[] = []
const run = async () => void runners.push(await runBackground())
afterEach(async () => {
  await Promise.all(runners.splice(0).map((runner) => runner.stop(100)))
})
const people = 620
beforeAll(async () => {
  school = await newSchool()
  const suiCollegeId = await school.college()
  const majorId = await school.major(suiCollegeId)
  const scClassId = await school.schoolClass(majorId, suiCollegeId)
  await school.students(people, { suiCollegeId, majorId, scClassId })
})
const reason = '报送学校年度统计'
const start = (input: Record<string, unknown>, more: object = {}) =>
  school.admin.send(backgroundApi.exportFile, { call: fullPath(studentApi.exportList), input, ...more })

test('a long export is made in the background, told with its rows, and is the file that the call itself gives', async () => {
  const { admin } = school
  const { btId } = await start({ reason }, { rows: people })
  expect(await taskOf(admin, btId)).toMatchObject({
    btKind: backgroundKind.export,
    btTitle: '导出学生',
    btStatus: backgroundStatus.waiting,
    total: people,
    progress: 0,
    can: ['cancel'],
  })
  expect(await admin.ask(backgroundApi.download, { btId })).toMatchObject({ reason: 'background-no-file' })
  await run()
  const task = await whenOver(admin, btId)
  expect(task).toMatchObject({
    btStatus: backgroundStatus.done,
    doneCount: people,
    progress: 100,
    can: ['download', 'remove'],
  })
  const file = await admin.download(backgroundApi.download, { btId })
  expect(file.name).toBe(task.fileName)
  expect(file.bytes).toHaveLength(task.fileSize!)
  const { lines } = await sheetIn(file.bytes)
  const direct = await sheetIn((await admin.download(studentApi.exportList, { reason })).bytes)
  expect(lines.map(({ cells }) => cells)).toEqual(direct.lines.map(({ cells }) => cells))
  // the trail has the export as such, and that its file was fetched
  const trail = async (action: string) => (await admin.send(auditApi.list, { action })).records
  expect(await trail('导出学生')).toHaveLength(2)
  expect(await trail('下载后台导出的文件')).toMatchObject([{ bizType: 'export', bizName: '导出学生' }])
  // it is nobody else's
  const other = await school.person('SCHOOL_ADMIN')
  expect(await other.client.ask(backgroundApi.download, { btId })).toMatchObject({ status: 404 })
  expect((await other.client.send(backgroundApi.list, {})).total).toBe(0)
  await admin.send(backgroundApi.remove, { btId })
  expect(await taskOf(admin, btId)).toMatchObject({ btStatus: backgroundStatus.removed, can: [] })
  expect(await admin.ask(backgroundApi.download, { btId })).toMatchObject({ reason: 'background-no-file' })
})

test('text leaves as text, and a file is swept away after its days', async () => {
  const { admin } = school
  const { btId } = await start({ reason }, { csv: '1' })
  await run()
  expect(await whenOver(admin, btId)).toMatchObject({ btStatus: backgroundStatus.done, doneCount: people })
  const { name, bytes } = await admin.download(backgroundApi.download, { btId })
  expect(name).toMatch(/\.csv$/)
  expect(bytes.toString('utf8').trim().split('\n')).toHaveLength(people + 1)
  const later = (days: number) => ({ ...school.services, clock: { now: () => addDays(school.clock.now(), days) } })
  await sweepTasks(later(fileDays - 1))
  expect((await taskOf(admin, btId)).btStatus).toBe(backgroundStatus.done)
  await sweepTasks(later(fileDays + 1))
  expect((await taskOf(admin, btId)).btStatus).toBe(backgroundStatus.removed)
})

test('a file is not fetched by who sees less than it shows by now', async () => {
  const [one, other] = [await school.college(), await school.college()]
  const place = async (scId: string) => {
    const majorId = await school.major(scId)
    return { suiCollegeId: scId, majorId, scClassId: await school.schoolClass(majorId, scId) }
  }
  await school.students(2, await place(one))
  const person = await school.person('COLLEGE_LEAGUE', [{ caType: 'college', caTarget: one }])
  const { btId } = await person.client.send(backgroundApi.exportFile, {
    call: fullPath(studentApi.exportList),
    input: { reason },
  })
  await run()
  expect(await whenOver(person.client, btId)).toMatchObject({ btStatus: backgroundStatus.done, doneCount: 2 })
  await person.client.download(backgroundApi.download, { btId })
  await asOwner((db) =>
    sql`
      update "controlArea" set "caTarget" = ${other}
      where "schoolId" = ${school.schoolId} and "caTarget" = ${one}`.execute(db),
  )
  await expect
    .poll(() => person.client.ask(backgroundApi.download, { btId }))
    .toMatchObject({ reason: 'background-scope-changed' })
})

test('what the export itself refuses is refused or told: no right, a wrong filter, no reason, no rows', async () => {
  const { admin } = school
  const viewer = await school.person('GUIDE_TEACHER')
  expect(
    await viewer.client.ask(backgroundApi.exportFile, { call: fullPath(studentApi.exportList), input: { reason } }),
  ).toMatchObject({ status: 403, reason: 'not-permitted' })
  expect(await admin.ask(backgroundApi.exportFile, { call: '/api/schoolbase/none', input: {} })).toMatchObject({
    reason: 'not-for-all',
  })
  expect(
    await admin.ask(backgroundApi.exportFile, { call: fullPath(studentApi.exportList), input: { suiSex: '77' } }),
  ).toMatchObject({ reason: 'invalid-input' })
  const withoutReason = await start({})
  const none = await start({ search: '没有这个人', reason })
  await run()
  expect(await whenOver(admin, withoutReason.btId)).toMatchObject({
    btStatus: backgroundStatus.failed,
    fault: '导出超过 500 行须填写导出原因（5 至 200 个字），原因将记入操作日志',
  })
  expect(await whenOver(admin, none.btId)).toMatchObject({ fault: '当前条件下没有可导出的数据' })
})

test('a cancelled export leaves no file, and nobody has more than five tasks waiting', async () => {
  const { admin } = school
  const asked = []
  for (let n = 0; n < 5; n++) asked.push((await start({ reason })).btId)
  expect(
    await admin.ask(backgroundApi.exportFile, { call: fullPath(studentApi.exportList), input: { reason } }),
  ).toMatchObject({ reason: 'background-waiting' })
  for (const btId of asked) await admin.send(backgroundApi.cancel, { btId })
  await run()
  await runners[0]!.idle()
  for (const btId of asked)
    expect(await taskOf(admin, btId)).toMatchObject({ btStatus: backgroundStatus.cancelled, can: [], fileSize: null })
})
