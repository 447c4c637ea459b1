import { createHash } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { pino } from 'pino'
import { fileApi } from '../../../contract/platform/files/files.calls.ts'
import { importApi } from '../../../contract/platform/imports/imports.calls.ts'
import { testApp } from '../../testing/app.ts'
import { eicar, startClamd } from '../../testing/clamd.ts'
import { useOwnDatabase } from '../../testing/database.ts'
import { newSchool, type TestSchool } from '../../testing/school.ts'
import { parseConfig } from '../base/config.ts'
import { openVirusScanner } from '../files/virus-scanner.ts'

await useOwnDatabase()

let school: TestSchool
let clamd: Awaited<ReturnType<typeof startClamd>>

/** The application as the settings would have made it; one that is away is waited for shortly. */
async function withSettings(settings: Record<string, string>) {
  const { services } = await testApp()
  const config = parseConfig(settings)
  services.config.withoutClamd = config.withoutClamd
  services.scanner = openVirusScanner(config, pino({ level: 'silent' }), { connectMs: 200, answerMs: 500 })
}

beforeAll(async () => {
  school = await newSchool()
  clamd = await startClamd({ maxLength: 1_000_000 })
})
afterAll(() => clamd.stop())
beforeEach(async () => {
  clamd.state.mood = 'well'
  await withSettings({ CLAMD: clamd.address })
})

const pdf = (content: string) => ({ name: '策划书.pdf', bytes: Buffer.from(`%PDF-1.7\n${content}`) })
const upload = (file = pdf('好')) => school.admin.upload(fileApi.upload, file, { kind: 'document' })
const stored = async () =>
  (await school.ctx.db.selectFrom('file').select('fileId').where('schoolId', '=', school.schoolId).execute()).length
const trail = async (action: string) =>
  school.ctx.db
    .selectFrom('auditLog')
    .select(['action', 'result', 'bizType', 'bizName', 'after'])
    .where('schoolId', '=', school.schoolId)
    .where('action', '=', action)
    .execute()

describe('an upload', () => {
  test('is looked at before it is kept, and kept when nothing is found', async () => {
    const before = await stored()
    expect(await upload(pdf('活动方案'))).toMatchObject({ code: 200 })
    expect(clamd.state.received.at(-1)?.toString()).toBe('%PDF-1.7\n活动方案')
    expect(await stored()).toBe(before + 1)
  })

  test('in which something is found is refused, not kept, and on the trail', async () => {
    const before = await stored()
    const file = pdf(eicar)
    expect(await upload(file)).toMatchObject({
      code: 300,
      reason: 'upload-infected',
      msg: '文件中发现病毒（Eicar-Test-Signature），未保存；请在本机杀毒后重新上传',
    })
    expect(await stored()).toBe(before)
    expect(await trail('上传含病毒的文件')).toEqual([
      {
        action: '上传含病毒的文件',
        result: 'refused',
        bizType: 'file',
        bizName: '策划书.pdf',
        after: {
          fileName: '策划书.pdf',
          size: file.bytes.length,
          sha256: createHash('sha256').update(file.bytes).digest('hex'),
          virus: 'Eicar-Test-Signature',
        },
      },
    ])
  })

  test('of a sheet to import is looked at like any other', async () => {
    const sheet = { name: '学院.csv', bytes: Buffer.from(`学院编码,学院名称\r\nX1,${eicar}\r\n`) }
    expect(await school.admin.upload(importApi.upload, sheet, { kind: 'college' })).toMatchObject({
      code: 300,
      reason: 'upload-infected',
    })
    const batches = school.ctx.db.selectFrom('importBatch').select('ibId').where('schoolId', '=', school.schoolId)
    expect(await batches.execute()).toEqual([])
  })

  test('that is too large to be looked at is refused, whatever is to become of others', async () => {
    await withSettings({ CLAMD: clamd.address, WITHOUT_CLAMD: 'accept' })
    expect(await upload(pdf('x'.repeat(2_000_000)))).toMatchObject({ code: 300, reason: 'upload-too-large-to-check' })
  })

  test('that the scanner cannot look at is refused, whatever is to become of others', async () => {
    await withSettings({ CLAMD: clamd.address, WITHOUT_CLAMD: 'accept' })
    clamd.state.mood = 'confused'
    expect(await upload()).toMatchObject({ code: 300, reason: 'upload-uncheckable' })
  })
})

describe('while the scanner is away', () => {
  const ready = async () => (await fetch(`${school.address}/readyz`)).json() as Promise<object>

  test('uploads wait, and the readiness of the service tells it without turning red', async () => {
    await expect.poll(ready).toEqual({ status: 'ok', virusCheck: 'ok' })
    clamd.state.mood = 'silent'
    const before = await stored()
    expect(await upload()).toMatchObject({
      code: 300,
      reason: 'upload-check-away',
      msg: '病毒检查服务暂时不可用，文件未保存，请稍后重试',
    })
    expect(await stored()).toBe(before)
    await expect.poll(ready, { timeout: 5000 }).toEqual({ status: 'ok', virusCheck: 'away' })
    clamd.state.mood = 'well'
    expect(await upload()).toMatchObject({ code: 200 })
  })

  test('uploads are let through where the settings say so, and noted', async () => {
    await withSettings({ CLAMD: clamd.address, WITHOUT_CLAMD: 'accept' })
    clamd.state.mood = 'silent'
    expect(await upload()).toMatchObject({ code: 200 })
    expect(await trail('上传未经病毒检查的文件')).toMatchObject([
      { result: 'ok', bizType: 'file', bizName: '策划书.pdf', after: { why: 'clamd did not answer within 500 ms' } },
    ])
  })
})
