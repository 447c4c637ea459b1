import { createHash } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, describe, expect, test } from 'vitest'
import { issueStatus, printBatchStatus } from '../../../contract/core/codes/outcomes.ts'
import { memberApi } from '../../../contract/school/roles/members.calls.ts'
import { transcriptBatchApi } from '../../../contract/outcomes/transcripts/batches.calls.ts'
import { issueApi } from '../../../contract/outcomes/transcripts/issues.calls.ts'
import { transcriptApi } from '../../../contract/outcomes/transcripts/transcripts.calls.ts'
import { addDays } from '../../core/base/clock.ts'
import type { Context } from '../../core/request/context.ts'
import type { Job } from '../../core/jobs/job-runner.ts'
import { startJobs } from '../../core/jobs/job-runner.ts'
import { JobLost } from '../../core/jobs/jobs.ts'
import { newId } from '../../core/base/ids.ts'
import { lockSchool } from '../../core/request/advisory-lock.ts'
import { actorFor } from '../../school/session/tokens.ts'
import type { Client } from '../../testing/client.ts'
import { useOwnDatabase } from '../../testing/database.ts'
import { whileLocked } from '../../testing/while-locked.ts'
import { oneClass, type TestStudent } from '../../testing/ledger.ts'
import { newSchool, type TestSchool } from '../../testing/school.ts'
import { studentsAtOnce, sweepBatches, transcriptJobs } from './batch-job.ts'

await useOwnDatabase()

/** What a batch may do and leave behind when rights, areas and machines change under it. */
let school: TestSchool
let here: Awaited<ReturnType<typeof oneClass>>
let there: Awaited<ReturnType<typeof oneClass>>
let students: TestStudent[]
beforeAll(async () => {
  school = await newSchool()
  ;[here, there] = [await oneClass(school), await oneClass(school)]
  students = await here.students(30)
})

const handler = () => transcriptJobs(school.services, actorFor)['transcript:batch']!
const batch = async (client: Client, tbId: string) =>
  (await client.send(transcriptBatchApi.list, {})).records.find((one) => one.tbId === tbId)!
const league = () => school.person('COLLEGE_LEAGUE', [{ caType: 'college', caTarget: here.scId }])
const stored = async () => {
  const all = await readdir(join(school.services.config.dataDir, 'files', school.schoolId, 'transcript'), {
    recursive: true,
    withFileTypes: true,
  }).catch(() => [])
  return all.filter((entry) => entry.isFile()).map(({ name }) => name)
}
const lastAudit = (action: string) =>
  school.services.db
    .selectFrom('auditLog')
    .select(['reason', 'after', 'bizId', 'bizType'])
    .where('schoolId', '=', school.schoolId)
    .where('action', '=', action)
    .orderBy('logId', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()

/** Runs one batch to its end, alone. */
async function finished(
  client: Client,
  input: object,
  meanwhile: () => Promise<void> = async () => {},
): Promise<string> {
  const { tbId } = await client.send(transcriptBatchApi.start, input)
  const runner = await startJobs({
    ...school.services,
    handlers: { 'transcript:batch': handler() },
    pollMs: 50,
    beatMs: 200,
  })
  await meanwhile()
  while (
    ['0', '1'].includes(
      (
        await school.services.db
          .selectFrom('transcriptBatch')
          .select('tbStatus')
          .where('tbId', '=', tbId)
          .executeTakeFirstOrThrow()
      ).tbStatus,
    )
  )
    await sleep(30)
  await runner.stop(100)
  return tbId
}

describe('rights are looked at again', () => {
  test('during the run: who loses the role gets no further papers and no file', async () => {
    const person = await league()
    let tbId = ''
    await whileLocked(
      school.services.db,
      (held) => lockSchool({ db: held, actor: { schoolId: school.schoolId } } as Context, 'transcript-issue'),
      async (untilWaiting) => {
        void finished(person.client, {}).then((id) => (tbId = id))
        await untilWaiting(1)
        await school.admin.send(memberApi.remove, { srId: school.roles['COLLEGE_LEAGUE']!, suIds: [person.suId] })
      },
    )
    while (!tbId) await sleep(30)
    const row = await school.services.db
      .selectFrom('transcriptBatch')
      .select(['tbStatus', 'doneCount', 'faults'])
      .where('tbId', '=', tbId)
      .executeTakeFirstOrThrow()
    expect(row).toMatchObject({ tbStatus: printBatchStatus.failed, doneCount: studentsAtOnce })
    expect((await school.admin.send(issueApi.list, {})).total).toBe(studentsAtOnce)
    expect(await stored()).toEqual([])
  }, 60_000)

  test('at the download: a file with somebody who is not in reach any more, or with a revoked paper, is not given out', async () => {
    const { client } = await league()
    const [first, second] = students as [TestStudent, TestStudent]
    const tbId = await finished(client, { suIds: [first.suId, second.suId] })
    const download = () => client.ask(transcriptBatchApi.download, { tbId })
    expect((await client.download(transcriptBatchApi.download, { tbId })).bytes.subarray(0, 5).toString()).toBe('%PDF-')
    await school.services.db
      .updateTable('person')
      .set({ suiCollegeId: there.scId })
      .where('suId', '=', first.suId)
      .execute()
    expect(await download()).toMatchObject({
      reason: 'batch-out-of-area',
      msg: '文件中有 1 名学生已不在您的管理范围内，不能下载，请重新批量打印',
    })
    await school.services.db
      .updateTable('person')
      .set({ suiCollegeId: here.scId })
      .where('suId', '=', first.suId)
      .execute()
    const [issue] = (await school.admin.send(issueApi.list, { suId: second.suId, tiStatus: issueStatus.valid })).records
    await school.admin.send(issueApi.revoke, { ids: [issue!.tiId], reason: '姓名有误，已重新签发' })
    expect(await download()).toMatchObject({ reason: 'batch-revoked' })
    await client.send(transcriptBatchApi.remove, { tbId })
    expect(await stored()).toEqual([])
  }, 60_000)
})

describe('no file stays without a batch', () => {
  test('when another runner has taken the job over at the last moment', async () => {
    const { tbId } = await school.admin.send(transcriptBatchApi.start, { suIds: [students[0]!.suId] })
    const job: Job = {
      jobId: newId(),
      schoolId: school.schoolId,
      jobKind: 'transcript:batch',
      jobKey: tbId,
      payload: { tbId, suId: school.adminId },
      attempts: 1,
      claim: '',
      signal: new AbortController().signal,
      progress: async () => {},
      finish: () => Promise.reject(new JobLost('taken over')),
    }
    await expect(handler().run(job)).rejects.toThrow(JobLost)
    expect(await stored()).toEqual([])
    expect(await batch(school.admin, tbId)).toMatchObject({ tbStatus: printBatchStatus.running })
    await school.admin.send(transcriptBatchApi.cancel, { tbId })
  }, 60_000)

  test('when the service was killed between the file and the note that it is there', async () => {
    const { db, files, clock } = school.services
    const place = { schoolId: school.schoolId, kind: 'transcript' }
    const tbIds: string[] = []
    for (const tbStatus of ['1', '3', '4', '5']) {
      const tbId = newId()
      tbIds.push(tbId)
      const storeKey = await files.put(Buffer.from('left behind'), place)
      await db
        .insertInto('transcriptBatch')
        .values({
          schoolId: school.schoolId,
          tbId,
          tbTitle: '中断的打印',
          tbFormat: 'pdf',
          tbOptions: '{}',
          suIds: [],
          tbStatus,
          storeKey,
          createBy: school.adminId,
          endTime: tbStatus === printBatchStatus.running ? null : addDays(clock.now(), -1),
        })
        .execute()
    }
    await sweepBatches(school.services)
    // one is under way still; its next try removes what the one before left
    expect(await stored()).toHaveLength(1)
    await db
      .updateTable('transcriptBatch')
      .set({ suIds: [students[0]!.suId] })
      .where('tbId', '=', tbIds[0]!)
      .execute()
    const job: Job = {
      jobId: newId(),
      schoolId: school.schoolId,
      jobKind: 'transcript:batch',
      jobKey: tbIds[0]!,
      payload: { tbId: tbIds[0]!, suId: school.adminId },
      attempts: 2,
      claim: '',
      signal: new AbortController().signal,
      progress: async () => {},
      finish: async () => {},
    }
    await handler().run(job)
    expect(await stored()).toHaveLength(1)
    const kept = await lastAudit('批量打印成绩单')
    const { bytes } = await school.admin.download(transcriptBatchApi.download, { tbId: tbIds[0]! })
    expect(kept.after).toMatchObject({
      rows: 1,
      size: bytes.length,
      sha256: createHash('sha256').update(bytes).digest('hex'),
    })
    await school.admin.send(transcriptBatchApi.remove, { tbId: tbIds[0]! })
    expect(await stored()).toEqual([])
    expect(
      await db
        .selectFrom('transcriptBatch')
        .select('tbId')
        .where('tbId', 'in', tbIds)
        .where('storeKey', 'is not', null)
        .execute(),
    ).toEqual([])
  }, 60_000)
})

describe('transcripts of many leave with a reason', () => {
  test('as a file and as a batch; a few need none', async () => {
    const many = await there.students(501)
    const suIds = many.map(({ suId }) => suId)
    const reason = '报送学校年度评优材料'
    const before = (await school.admin.send(issueApi.list, {})).total
    expect(await school.admin.ask(transcriptApi.export, { suIds })).toMatchObject({ reason: 'export-reason-needed' })
    expect(await school.admin.ask(transcriptBatchApi.start, { suIds })).toMatchObject({
      reason: 'export-reason-needed',
    })
    expect(await school.admin.ask(transcriptBatchApi.start, { collegeId: there.scId })).toMatchObject({
      reason: 'export-reason-needed',
    })
    expect((await school.admin.ask(transcriptBatchApi.start, { suIds, reason: '评优' })).errors).toMatchObject([
      { field: 'reason' },
    ])
    expect((await school.admin.send(issueApi.list, {})).total).toBe(before)
    const { tbId } = await school.admin.send(transcriptBatchApi.start, { collegeId: there.scId, reason })
    expect(await lastAudit('批量打印成绩单')).toMatchObject({
      bizId: tbId,
      reason,
      after: { rows: 501, filter: { collegeId: there.scId } },
    })
    await school.admin.send(transcriptBatchApi.cancel, { tbId })

    const { bytes } = await school.admin.download(transcriptApi.export, { suIds: suIds.slice(0, 2), reason })
    expect(await lastAudit('导出成绩单文件')).toMatchObject({
      bizType: 'export',
      reason,
      after: {
        rows: 2,
        whole: true,
        size: bytes.length,
        sha256: createHash('sha256').update(bytes).digest('hex'),
        filter: { lang: 'zh' },
      },
    })
    expect(await lastAudit('导出成绩单')).toMatchObject({ bizType: 'transcript', reason })
    await school.admin.download(transcriptApi.export, { suIds: suIds.slice(0, 1) })
  }, 60_000)
})
