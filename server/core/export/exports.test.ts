import { createHash } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { call } from '../../../contract/core/call.ts'
import { exportReason } from '../../../contract/core/exports.ts'
import { csvType, fileOutput } from '../../../contract/core/file.ts'
import { testApp } from '../../testing/app.ts'
import { newSchool } from '../../testing/school.ts'
import { amount, count, text } from './columns.ts'
import { exportList, inBatches } from './exports.ts'
import { routes } from '../request/routes.ts'
import { notesIn, sheetIn } from '../../testing/sheet-in.ts'

const api = {
  export: call('GET', '/exportTry', {
    summary: '试验导出',
    permit: 'college:list',
    gives: 'file',
    input: z.object({ rows: z.coerce.number(), failAt: z.coerce.number().optional(), reason: exportReason }),
    output: fileOutput,
  }),
}
const columns = [count('序号', 'no'), text('姓名', 'name'), amount('差额', 'gap')]
let asked = 0
const reason = '上级检查需要'

const tryRoutes = routes(api, {
  export: (ctx, { rows, failAt, reason }) => {
    const fetchAfter = async (last: { no: number; name: string; gap: number } | undefined) => {
      const from = last?.no ?? 0
      asked = from
      if (failAt !== undefined && from >= failAt) throw new Error('database gone')
      // incompressible, so that the file grows as it is read
      return Array.from({ length: Math.min(500, rows - from) }, (_, at) => ({
        no: from + at + 1,
        name: `=${from + at + 1}${Math.random()}${Math.random()}`,
        gap: -50,
      }))
    }
    return exportList(ctx, {
      title: '试验名单_甲',
      what: '试验名单',
      columns,
      rows: inBatches(fetchAfter),
      filter: { rows, reason, current: 3, pageSize: 20 },
    })
  },
})
beforeAll(async () => void (await testApp(tryRoutes)))

const logged = (school: Awaited<ReturnType<typeof newSchool>>) =>
  school.ctx.db
    .selectFrom('auditLog')
    .select(['action', 'bizName', 'reason', 'after'])
    .where('schoolId', '=', school.schoolId)
    .where('bizType', '=', 'export')
    .orderBy('logId')
    .execute()

test('a list comes out whole, with who took it, and is audited with its number of rows', async () => {
  const school = await newSchool()
  const file = await school.admin.download(api.export, { rows: 1234, reason: '期末归档备查' })
  expect(file.name).toMatch(/^试验名单_甲_\d{4}-\d\d-\d\d\.xlsx$/)
  const { lines } = await sheetIn(file.bytes)
  expect(lines).toHaveLength(1235)
  expect(lines[1234]!.cells[1]).toMatch(/^=1234/)
  expect(lines[1234]!.marks).toBeUndefined()
  expect(await logged(school)).toEqual([
    {
      action: '导出试验名单',
      bizName: '试验名单_甲',
      reason: '期末归档备查',
      after: {
        rows: 1234,
        whole: true,
        fields: ['序号', '姓名', '差额'],
        filter: { rows: 1234 },
        size: file.bytes.length,
        sha256: createHash('sha256').update(file.bytes).digest('hex'),
      },
    },
  ])
})

test('comma-separated text has the same rows for programs, and no text of it is a formula', async () => {
  const school = await newSchool()
  const file = await school.admin.download(api.export, { rows: 3 }, csvType)
  expect(file.name).toMatch(/^试验名单_甲_\d{4}-\d\d-\d\d_admin\.csv$/)
  expect(file.type).toContain(csvType)
  const [head, ...rows] = file.bytes.toString().split('\r\n')
  expect(head).toBe('\ufeff序号,姓名,差额')
  expect(rows).toEqual([
    expect.stringMatching(/^1,'=10[.\d]+,-0\.5$/),
    expect.stringMatching(/^2,'=20[.\d]+,-0\.5$/),
    expect.stringMatching(/^3,'=30[.\d]+,-0\.5$/),
    '',
  ])
  expect((await logged(school)).map(({ after }) => after)).toMatchObject([
    { rows: 3, whole: true, sha256: createHash('sha256').update(file.bytes).digest('hex') },
  ])
})

test('more than five hundred rows leave only with a reason, of five to two hundred characters', async () => {
  const school = await newSchool()
  expect(await school.admin.ask(api.export, { rows: 501 })).toMatchObject({
    status: 200,
    code: 300,
    reason: 'export-reason-needed',
    msg: expect.stringContaining('500') as string,
  })
  expect((await school.admin.ask(api.export, { rows: 501, reason: '要' })).errors).toEqual([
    { field: 'reason', msg: '导出原因不能少于 5 个字' },
  ])
  expect((await school.admin.ask(api.export, { rows: 501, reason: '要'.repeat(201) })).errors).toEqual([
    { field: 'reason', msg: '导出原因不能超过 200 个字' },
  ])
  expect(await logged(school)).toEqual([])
  await school.admin.download(api.export, { rows: 500 })
  await school.admin.download(api.export, { rows: 501, reason })
  expect((await logged(school)).map((row) => row.reason)).toEqual(['', reason])
})

test('nothing to export is said, not sent', async () => {
  const school = await newSchool()
  expect(await school.admin.ask(api.export, { rows: 0 })).toMatchObject({ code: 300, reason: 'nothing-to-export' })
  expect(await logged(school)).toEqual([])
})

test('a failure before the first byte gets its proper answer, a later one never looks like a whole file', async () => {
  const { admin } = await newSchool()
  expect(await admin.ask(api.export, { rows: 10, failAt: 0 })).toMatchObject({ status: 500, reason: 'unexpected' })
  await expect(admin.download(api.export, { rows: 100_000, failAt: 50_000, reason })).rejects.toThrow()
})

test.each([0, 1_000_000])(
  'when the client leaves after %d bytes, reading stops, and what was taken is audited',
  async (bytes) => {
    const school = await newSchool()
    const response = await school.admin.fetch(api.export, { rows: 1_000_000, reason })
    const reader = response.body!.getReader()
    for (let taken = 0; taken <= bytes;) taken += (await reader.read()).value!.length
    await reader.cancel()
    await expect.poll(() => logged(school), { timeout: 10_000 }).toMatchObject([{ after: { whole: false } }])
    expect(asked).toBeLessThan(500_000)
  },
)

test('the workbook tells its maker on a second sheet', async () => {
  const school = await newSchool()
  const { bytes } = await school.admin.download(api.export, { rows: 7 })
  expect(await notesIn(bytes)).toEqual({
    名称: '试验名单_甲',
    导出人: '管理员（admin）',
    导出时间: expect.stringMatching(/^\d{4}-/) as string,
    行数: '7',
  })
})
