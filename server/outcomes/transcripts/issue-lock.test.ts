import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { issueStatus } from '../../../contract/core/codes/outcomes.ts'
import { transcriptBatchApi } from '../../../contract/outcomes/transcripts/batches.calls.ts'
import { issueApi } from '../../../contract/outcomes/transcripts/issues.calls.ts'
import { transcriptApi } from '../../../contract/outcomes/transcripts/transcripts.calls.ts'
import { verifyApi } from '../../../contract/outcomes/transcripts/verify.calls.ts'
import type { Context } from '../../core/request/context.ts'
import type { Db } from '../../core/database/pool.ts'
import { startJobs, type JobRunner } from '../../core/jobs/job-runner.ts'
import { lockSchool } from '../../core/request/advisory-lock.ts'
import { actorFor } from '../../school/session/tokens.ts'
import { testApp } from '../../testing/app.ts'
import { useOwnDatabase } from '../../testing/database.ts'
import { whileLocked } from '../../testing/while-locked.ts'
import {
  grantRecord,
  oneClass,
  recordPlans,
  reverseRecord,
  type KeptRecord,
  type TestStudent,
} from '../../testing/ledger.ts'
import { newSchool, type TestSchool } from '../../testing/school.ts'
import { transcriptJobs } from './batch-job.ts'

await useOwnDatabase()

/** Several people issue, revoke and change keys at once; tests hold the turn or a row to arrange who comes first. */
let school: TestSchool
let place: Awaited<ReturnType<typeof oneClass>>
let student: TestStudent
let kept: KeptRecord[]
let runner: JobRunner
beforeAll(async () => {
  school = await newSchool()
  place = await oneClass(school)
  const { services } = await testApp()
  const { 'transcript:batch': handler } = transcriptJobs(services, actorFor)
  runner = await startJobs({ ...services, handlers: { 'transcript:batch': handler! }, pollMs: 50, beatMs: 200 })
})
afterAll(() => runner.stop(100))
beforeEach(async () => {
  ;[student] = (await place.students(1)) as [TestStudent]
  kept = []
  for (const plan of recordPlans) kept.push(await grantRecord(school, student, plan))
})

const lock = (held: Db) => lockSchool({ db: held, actor: { schoolId: school.schoolId } } as Context, 'transcript-issue')
const row = (tiId: string) => (held: Db) =>
  held.selectFrom('transcriptIssue').select('tiId').where('tiId', '=', tiId).forUpdate().execute()
const print = () => school.admin.download(transcriptApi.export, { suIds: [student.suId] })
const issues = async () => (await school.admin.send(issueApi.list, { suId: student.suId })).records
const change = () => grantRecord(school, student, { name: '新的讲座', module: 'CXCY', on: '2026-06-01', hours: 100 })

describe('what is signed is what is true when its turn comes', () => {
  test('of one', async () => {
    await print()
    let asked: Promise<unknown> | undefined
    await whileLocked(school.services.db, lock, async (untilWaiting) => {
      asked = print()
      await untilWaiting(1)
      await reverseRecord(school, student, kept[3]!, '2026-09-01')
    })
    await asked
    const [valid, old] = await issues().then((all) => all.toSorted((a, b) => (a.tiStatus < b.tiStatus ? -1 : 1)))
    expect([valid?.tiStatus, old?.tiStatus]).toEqual(['1', '2'])
    expect(await school.nobody.send(verifyApi.verify, { serial: valid!.serial })).toMatchObject({
      status: 'valid',
      totalHours: '12.07',
    })
  })

  test('of a batch', async () => {
    let tbId = ''
    await whileLocked(school.services.db, lock, async (untilWaiting) => {
      ;({ tbId } = await school.admin.send(transcriptBatchApi.start, { suIds: [student.suId] }))
      runner.wake()
      await untilWaiting(1)
      await reverseRecord(school, student, kept[3]!, '2026-09-01')
    })
    const state = async () =>
      (await school.admin.send(transcriptBatchApi.list, {})).records.find((one) => one.tbId === tbId)!.tbStatus
    while (['0', '1'].includes(await state())) await sleep(50)
    const [issue] = await issues()
    expect(await school.nobody.send(verifyApi.verify, { serial: issue!.serial })).toMatchObject({
      status: 'valid',
      totalHours: '12.07',
    })
  }, 30_000)
})

describe('a revoked transcript stays revoked', () => {
  test('when a newer one is issued at the same moment', async () => {
    await print()
    const { tiId } = (await issues())[0]!
    await change()
    const asked: Promise<unknown>[] = []
    await whileLocked(school.services.db, row(tiId), async (untilWaiting) => {
      asked.push(school.admin.send(issueApi.revoke, { ids: [tiId], reason: '姓名有误，已重新签发' }))
      await untilWaiting(1)
      asked.push(print())
      await untilWaiting(2)
    })
    await Promise.all(asked)
    expect((await issues()).map((one) => [one.tiId === tiId, one.tiStatus, one.revokeReason]).toSorted()).toEqual([
      [false, '1', ''],
      [true, '3', '姓名有误，已重新签发'],
    ])
  })

  test('and is not printed again by somebody who was just about to', async () => {
    await print()
    const { tiId } = (await issues())[0]!
    let revoked: Promise<unknown> | undefined
    let printed: Promise<{ reason?: string | undefined }> | undefined
    await whileLocked(school.services.db, row(tiId), async (untilWaiting) => {
      revoked = school.admin.send(issueApi.revoke, { ids: [tiId], reason: '姓名有误，已重新签发' })
      await untilWaiting(1)
      printed = school.admin.ask(issueApi.reprint, { tiId }).catch(() => ({}))
      await untilWaiting(2)
    })
    await revoked
    expect((await printed)?.reason).toBe('transcript-revoked')
    expect((await issues())[0]!.printCount).toBe(1)
  })

  test('whatever is written behind the back of the service', async () => {
    await print()
    const { tiId } = (await issues())[0]!
    await school.admin.send(issueApi.revoke, { ids: [tiId], reason: '姓名有误，已重新签发' })
    for (const change of [
      { tiStatus: issueStatus.valid },
      { tiStatus: issueStatus.replaced },
      { revokeReason: '' },
      { endTime: null },
    ]) {
      await expect(
        school.services.db.updateTable('transcriptIssue').set(change).where('tiId', '=', tiId).execute(),
      ).rejects.toThrow('fixed')
    }
  })
})

test('no key signs after it was retired', async () => {
  await print()
  await change()
  const asked: Promise<unknown>[] = []
  let hasChanged = false
  await whileLocked(school.services.db, lock, async (untilWaiting) => {
    asked.push(print())
    await untilWaiting(1)
    const rotated = school.admin.send(issueApi.rotate, { reason: '例行更换密钥' }).finally(() => (hasChanged = true))
    asked.push(rotated)
    await Promise.race([rotated, untilWaiting(2)])
    school.clock.travel(60)
  })
  await Promise.all(asked)
  expect(hasChanged).toBe(true)
  const signed = await school.services.db
    .selectFrom('transcriptIssue as i')
    .innerJoin('signingKey as k', 'k.skId', 'i.skId')
    .select(['i.issueTime', 'k.retireTime'])
    .where('i.suId', '=', student.suId)
    .execute()
  expect(signed).toHaveLength(2)
  expect(signed.filter(({ issueTime, retireTime }) => retireTime !== null && issueTime > retireTime)).toEqual([])
})
