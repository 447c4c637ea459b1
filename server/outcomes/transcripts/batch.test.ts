import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { fromBuffer } from 'yauzl'
import { printBatchStatus, printWay } from '../../../contract/core/codes/outcomes.ts'
import { transcriptBatchApi } from '../../../contract/outcomes/transcripts/batches.calls.ts'
import { issueApi } from '../../../contract/outcomes/transcripts/issues.calls.ts'
import { startJobs, type JobRunner } from '../../core/jobs/job-runner.ts'
import { actorFor } from '../../school/session/tokens.ts'
import { testApp } from '../../testing/app.ts'
import type { Client } from '../../testing/client.ts'
import { useOwnDatabase } from '../../testing/database.ts'
import { grantRecord, oneClass, recordPlans } from '../../testing/ledger.ts'
import { pdfText, pdfWords } from '../../testing/pdf.ts'
import { newSchool } from '../../testing/school.ts'
import { sweepBatches, transcriptJobs } from './batch-job.ts'

await useOwnDatabase()

let runner: JobRunner
beforeAll(async () => {
  const { services } = await testApp()
  const { 'transcript:batch': handler } = transcriptJobs(services, actorFor)
  runner = await startJobs({ ...services, handlers: { 'transcript:batch': handler! }, pollMs: 50, beatMs: 200 })
})
afterAll(() => runner.stop(100))

const batch = async (client: Client, tbId: string) =>
  (await client.send(transcriptBatchApi.list, {})).records.find((one) => one.tbId === tbId)!
async function whenOver(client: Client, tbId: string) {
  for (;;) {
    const row = await batch(client, tbId)
    if (row.tbStatus !== printBatchStatus.waiting && row.tbStatus !== printBatchStatus.running) return row
    await sleep(50)
  }
}

const filesIn = (bytes: Buffer): Promise<Map<string, Buffer>> =>
  new Promise((resolve, reject) => {
    fromBuffer(bytes, { lazyEntries: true }, (error, zip) => {
      if (error) return reject(error)
      const files = new Map<string, Buffer>()
      zip.on('entry', (entry) => {
        zip.openReadStream(entry, (fault, stream) => {
          if (fault) return reject(fault)
          const chunks: Buffer[] = []
          stream
            .on('data', (chunk: Buffer) => chunks.push(chunk))
            .on('end', () => {
              files.set(entry.fileName, Buffer.concat(chunks))
              zip.readEntry()
            })
        })
      })
      zip.on('end', () => resolve(files))
      zip.readEntry()
    })
  })

describe('a batch', () => {
  test('of a class becomes one document, students in the order of their numbers, each issued and noted', async () => {
    const school = await newSchool()
    const own = await oneClass(school)
    const students = (await own.students(30)).toSorted((a, b) => (a.suiNumber < b.suiNumber ? -1 : 1))
    await grantRecord(school, students[3]!, recordPlans[0]!)
    const { tbId, total } = await school.admin.send(transcriptBatchApi.start, {
      classId: own.scClassId,
      title: '计算机 2401 班',
    })
    expect(total).toBe(30)
    expect(await whenOver(school.admin, tbId)).toMatchObject({
      tbStatus: printBatchStatus.done,
      progress: 100,
      doneCount: 30,
      faultCount: 0,
      tbFormat: 'pdf',
      can: ['download', 'remove'],
    })
    const { name, bytes } = await school.admin.download(transcriptBatchApi.download, { tbId })
    expect(name).toBe('计算机 2401 班.pdf')
    const pages = (await pdfText(bytes)).trimEnd().split('\f')
    expect(pages).toHaveLength(30)
    for (const [at, { suiNumber }] of students.entries()) expect(pages[at]!.replace(/\s+/g, '')).toContain(suiNumber)
    expect(pages[3]).toContain(recordPlans[0]!.name)
    const issues = (await school.admin.send(issueApi.list, { pageSize: 100 })).records
    expect(issues).toHaveLength(30)
    expect((await school.admin.send(issueApi.prints, { tiId: issues[0]!.tiId })).records).toMatchObject([
      { printWay: printWay.batch },
    ])
  }, 60_000)

  test('as archive holds a file for each; who cannot be printed is left out by name', async () => {
    const school = await newSchool()
    const [a, b, c] = await (await oneClass(school)).students(3)
    await school.services.db.updateTable('person').set({ suiName: '小🎉' }).where('suId', '=', b!.suId).execute()
    const { tbId } = await school.admin.send(transcriptBatchApi.start, {
      suIds: [a!.suId, b!.suId, c!.suId],
      format: 'zip',
      lang: 'en',
    })
    const done = await whenOver(school.admin, tbId)
    expect(done).toMatchObject({ tbStatus: printBatchStatus.done, doneCount: 2, faultCount: 1 })
    expect(done.faults[0]!.name).toBe(b!.suiNumber)
    expect(done.faults[0]!.msg).toContain('🎉')
    const files = await filesIn((await school.admin.download(transcriptBatchApi.download, { tbId })).bytes)
    expect([...files.keys()].toSorted()).toEqual(
      [a!, c!].map(({ suiNumber, suiName }) => `${suiNumber}-${suiName}.pdf`).toSorted(),
    )
    expect(await pdfWords(files.get(`${a!.suiNumber}-${a!.suiName}.pdf`)!)).toContain('Co-curricularTranscript')
  }, 60_000)

  test('cancelled makes no file', async () => {
    const school = await newSchool()
    await (await oneClass(school)).students(300)
    const { tbId } = await school.admin.send(transcriptBatchApi.start, { format: 'zip' })
    await school.admin.send(transcriptBatchApi.cancel, { tbId })
    await runner.idle()
    expect(await batch(school.admin, tbId)).toMatchObject({ tbStatus: printBatchStatus.cancelled, can: [] })
    expect((await school.admin.ask(transcriptBatchApi.download, { tbId })).reason).toBe('not-found')
    expect((await school.admin.ask(transcriptBatchApi.cancel, { tbId })).reason).toBe('batch-over')
  }, 60_000)

  test('is its maker’s alone, holds only students they may see, and its file goes after its days', async () => {
    const school = await newSchool()
    const [here, there] = [await oneClass(school), await oneClass(school)]
    const [own] = await here.students(1)
    const [foreign] = await there.students(1)
    const { client } = await school.person('COLLEGE_LEAGUE', [{ caType: 'college', caTarget: here.scId }])
    expect((await client.ask(transcriptBatchApi.start, { suIds: [own!.suId, foreign!.suId] })).reason).toBe('not-found')
    expect((await client.ask(transcriptBatchApi.start, { classId: there.scClassId })).reason).toBe('nothing-to-export')
    const { tbId, total } = await client.send(transcriptBatchApi.start, {})
    expect(total).toBe(1)
    await whenOver(client, tbId)
    expect((await school.admin.send(transcriptBatchApi.list, {})).total).toBe(0)
    for (const call of [transcriptBatchApi.download, transcriptBatchApi.cancel, transcriptBatchApi.remove] as const)
      expect((await school.admin.ask(call, { tbId })).reason).toBe('not-found')
    await sweepBatches(school.services)
    expect((await batch(client, tbId)).tbStatus).toBe('2')
    const later = { ...school.services, clock: { now: () => '2099-01-01 00:00:00' } }
    expect(await sweepBatches(later)).toBeGreaterThanOrEqual(1)
    expect(await batch(client, tbId)).toMatchObject({ tbStatus: printBatchStatus.removed, can: [] })
  }, 60_000)
})
