import { text } from 'node:stream/consumers'
import { beforeAll, expect, test } from 'vitest'
import { fromBufferPromise } from 'yauzl'
import { z } from 'zod'
import { call } from '../../contract/core/call.ts'
import { fileOutput } from '../../contract/core/file.ts'
import { testApp } from '../testing/app.ts'
import { newSchool } from '../testing/school.ts'
import { exportList, inBatches } from './exports.ts'
import { routes } from './routes.ts'
import { fileOf } from './sheets/fixtures/craft.ts'
import { readSheet } from './sheets/read-sheet.ts'

const api = {
  export: call('GET', '/exportTry', { summary: '试验导出', permit: 'college:list', gives: 'file', input: z.object({ rows: z.coerce.number(), failAt: z.coerce.number().optional() }), output: fileOutput }),
}
const columns = [{ key: 'no', label: '序号', kind: 'integer' }, { key: 'name', label: '姓名' }] as const
let asked = 0

const tryRoutes = routes(api, {
  export: (ctx, { rows, failAt }) => {
    const fetchAfter = async (last: { no: number; name: string } | undefined) => {
      const from = last?.no ?? 0
      asked = from
      if (failAt !== undefined && from >= failAt) throw new Error('database gone')
      // incompressible, so that the file grows as it is read
      return Array.from({ length: Math.min(500, rows - from) }, (_, at) => ({ no: from + at + 1, name: `=${from + at + 1}${Math.random()}${Math.random()}` }))
    }
    return exportList(ctx, { title: '试验名单', columns, rows: inBatches(fetchAfter), filter: { rows } })
  },
})
beforeAll(async () => void (await testApp(tryRoutes)))

const logged = (school: Awaited<ReturnType<typeof newSchool>>) =>
  school.ctx.db.selectFrom('auditLog').select(['action', 'after']).where('schoolId', '=', school.schoolId).where('bizType', '=', 'export').execute()

test('a list comes out whole, with who took it, and is audited with its number of rows', async () => {
  const school = await newSchool()
  const file = await school.admin.download(api.export, { rows: 1234 })
  expect(file.name).toMatch(/^试验名单_\d{4}-\d\d-\d\d\.xlsx$/)
  const { lines } = await readSheet(fileOf(file.bytes))
  expect(lines).toHaveLength(1235)
  expect(lines[1234]!.cells[1]).toMatch(/^=1234/)
  expect(lines[1234]!.marks).toBeUndefined()
  expect(await logged(school)).toMatchObject([{ action: '导出试验名单', after: { rows: 1234, whole: true, fields: ['序号', '姓名'], filter: { rows: 1234 } } }])
})

test('nothing to export is said, not sent', async () => {
  const school = await newSchool()
  expect(await school.admin.ask(api.export, { rows: 0 })).toMatchObject({ code: 300, reason: 'nothing-to-export' })
  expect(await logged(school)).toEqual([])
})

test('a failure before the first byte gets its proper answer, a later one never looks like a whole file', async () => {
  const { admin } = await newSchool()
  expect(await admin.ask(api.export, { rows: 10, failAt: 0 })).toMatchObject({ status: 500, reason: 'unexpected' })
  await expect(admin.download(api.export, { rows: 100_000, failAt: 50_000 })).rejects.toThrow()
})

test.each([0, 1_000_000])('when the client leaves after %d bytes, reading stops, and what was taken is audited', async (bytes) => {
  const school = await newSchool()
  const response = await school.admin.fetch(api.export, { rows: 1_000_000 })
  const reader = response.body!.getReader()
  for (let taken = 0; taken <= bytes; ) taken += (await reader.read()).value!.length
  await reader.cancel()
  await expect.poll(() => logged(school), { timeout: 10_000 }).toMatchObject([{ after: { whole: false } }])
  expect(asked).toBeLessThan(500_000)
})

test('the workbook tells its maker on a second sheet', async () => {
  const school = await newSchool()
  const { bytes } = await school.admin.download(api.export, { rows: 7 })
  const zip = await fromBufferPromise(bytes, { autoClose: false, lazyEntries: true })
  for await (const entry of zip.eachEntry()) {
    if (entry.fileName !== 'xl/worksheets/sheet2.xml') continue
    const xml = await text(await zip.openReadStreamPromise(entry))
    expect([...xml.matchAll(/<t [^>]*>([^<]*)/g)].map((match) => match[1]).slice(2)).toEqual(['名称', '试验名单', '导出人', '管理员（admin）', '导出时间', expect.stringMatching(/^\d{4}-/), '行数', '7'])
  }
  expect.assertions(1)
})
