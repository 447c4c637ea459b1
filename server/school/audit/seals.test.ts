import { sql } from 'kysely'
import pg from 'pg'
import { beforeEach, describe, expect, test } from 'vitest'
import { auditApi } from '../../../contract/school/audit/audit.calls.ts'
import type { AuditVerdict } from '../../../contract/school/audit/audit.schema.ts'
import { writeAudit } from '../../core/audit/audit.ts'
import { addDays } from '../../core/base/clock.ts'
import { newId } from '../../core/base/ids.ts'
import { startJobs } from '../../core/jobs/job-runner.ts'
import { jobHandlers } from '../../setup/job-handlers.ts'
import { asOwner, useOwnDatabase, testDatabase } from '../../testing/database.ts'
import { newSchool, type TestSchool } from '../../testing/school.ts'
import { sealTrail } from './sealing.service.ts'
import { verifyTrail } from './verification.service.ts'

await useOwnDatabase()

let school: TestSchool
beforeEach(async () => void (school = await newSchool()))

const action = (names: string[], of = school) =>
  writeAudit(
    of.ctx,
    { schoolId: of.schoolId, actorId: null, actorName: '系统' },
    names.map((bizName) => ({ action: '试验', bizName, before: { a: 1.5, 名: '甲' }, after: { a: 2, 名: '乙' } })),
  )
const seal = (of = school) => sealTrail(of.services, of.schoolId)
const verify = (of = school) => verifyTrail(of.services, of.schoolId)
const rowOf = (bizName: string) =>
  school.ctx.db
    .selectFrom('auditLog')
    .select('logId')
    .where('schoolId', '=', school.schoolId)
    .where('bizName', '=', bizName)
    .executeTakeFirstOrThrow()
const sealNos = async () =>
  (
    await school.ctx.db
      .selectFrom('auditSeal')
      .select(['sealNo', 'rowCount'])
      .where('schoolId', '=', school.schoolId)
      .orderBy('sealNo')
      .execute()
  ).map(({ sealNo, rowCount }) => [sealNo, rowCount])

/** What somebody does who owns the database: statements with all triggers off. */
async function behindTheBack(statement: string, values: unknown[]): Promise<void> {
  const { owner } = await testDatabase()
  const client = new pg.Client(owner)
  await client.connect()
  try {
    await client.query(`set session_replication_role = replica`)
    expect((await client.query(statement, values)).rowCount).toBe(1)
  } finally {
    await client.end()
  }
}

describe('sealing', () => {
  test('puts every row under exactly one seal, in order, and nothing twice', async () => {
    await action(['一', '二'])
    const rows = await seal()
    expect(rows).toBeGreaterThan(2) // those, and the sign-in of the administrator
    expect(await seal()).toBe(0)
    await action(['三'])
    expect(await seal()).toBe(1)
    expect(await sealNos()).toEqual([
      [1, rows],
      [2, 1],
    ])
    expect(await verify()).toMatchObject({ rows: rows + 1, seals: 2, waitingRows: 0, faultCount: 0, faults: [] })
    const { logId } = await rowOf('三')
    expect((await school.admin.send(auditApi.detail, { logId })).sealNo).toBe(2)
  })

  test('what commits late is under a later seal, whatever its time', async () => {
    await action(['早'])
    const slow = await school.ctx.db.startTransaction().execute()
    await writeAudit({ ...school.ctx, db: slow }, { schoolId: school.schoolId, actorId: null, actorName: '系统' }, [
      { action: '试验', bizName: '迟' },
    ])
    school.clock.travel(600)
    await action(['晚'])
    await seal()
    expect(await verify()).toMatchObject({ waitingRows: 0, faultCount: 0 })
    await slow.commit().execute()
    expect(await verify()).toMatchObject({ waitingRows: 1, faultCount: 0 })
    expect(await seal()).toBe(1)
    expect(await verify()).toMatchObject({ waitingRows: 0, faultCount: 0 })
  })

  test('writers do not wait for a seal that is being made, nor the seal for them', async () => {
    const held = await school.ctx.db.startTransaction().execute()
    await sql`select pg_advisory_xact_lock(hashtextextended(${`audit-seal ${school.schoolId}`}, 0))`.execute(held)
    const sealing = seal()
    await action(['写'])
    await held.rollback().execute()
    await sealing
    await seal()
    expect(await verify()).toMatchObject({ waitingRows: 0, faultCount: 0 })
  })

  test('ten runners at once make one chain', async () => {
    await action(Array.from({ length: 2500 }, (_, at) => `行${at}`))
    await Promise.all(Array.from({ length: 10 }, () => seal()))
    await seal()
    const nos = await sealNos()
    expect(nos.map(([no]) => no)).toEqual(nos.map((_, at) => at + 1))
    expect(await verify()).toMatchObject({
      rows: nos.reduce((sum, [, count]) => sum + count!, 0),
      waitingRows: 0,
      faultCount: 0,
    })
  })

  test('seals are as append-only as the rows', async () => {
    await seal()
    // triggers refuse it to the owner as well
    await asOwner(async (db) => {
      await expect(
        db.updateTable('auditSeal').set({ form: 2 }).where('schoolId', '=', school.schoolId).execute(),
      ).rejects.toThrow(/append-only/)
      await expect(db.deleteFrom('auditSeal').where('schoolId', '=', school.schoolId).execute()).rejects.toThrow(
        /append-only/,
      )
      await expect(sql`truncate "auditSeal"`.execute(db)).rejects.toThrow(/append-only/)
    })
  })
})

describe('verification names', () => {
  const sealedOne = async () => {
    await action(['甲', '乙', '丙'])
    await seal()
    await action(['丁'])
    await seal()
    return (await rowOf('乙')).logId
  }

  test.each([
    ['one letter of a name', `update "auditLog" set "bizName" = '己' where "logId" = $1`],
    ['one digit of what was before', `update "auditLog" set "before" = '{"a": 1.6, "名": "甲"}' where "logId" = $1`],
    ['a number’s form', `update "auditLog" set "before" = '{"a": 1.50, "名": "甲"}' where "logId" = $1`],
    ['a microsecond', `update "auditLog" set "logTime" = "logTime" + interval '1 microsecond' where "logId" = $1`],
    ['who it was', `update "auditLog" set "actorName" = '别人' where "logId" = $1`],
    ['nothing instead of an empty object', `update "auditLog" set "after" = null where "logId" = $1`],
  ])('a row of which %s was altered', async (_, statement) => {
    const logId = await sealedOne()
    await behindTheBack(statement, [logId])
    expect(await verify()).toMatchObject({
      faultCount: 1,
      faults: [{ kind: 'row-changed', sealNo: 1, logId, row: expect.stringContaining('试验') as string }],
    })
  })

  test('a row that was removed', async () => {
    const logId = await sealedOne()
    await behindTheBack(`delete from "auditLog" where "logId" = $1`, [logId])
    expect(await verify()).toMatchObject({ faultCount: 1, faults: [{ kind: 'row-missing', sealNo: 1, logId }] })
  })

  test('a row that was put in between', async () => {
    await sealedOne()
    const logId = newId()
    const yesterday = addDays(school.clock.now(), -2)
    await behindTheBack(
      `insert into "auditLog" ("schoolId", "logId", "actorName", "action", "bizName", "requestId", "ip", "agent", "logTime") values ($1, $2, '管理员', '编辑学生', '张三', '', '', '', $3)`,
      [school.schoolId, logId, yesterday],
    )
    expect(await seal()).toBe(0)
    expect(await verify()).toMatchObject({
      faultCount: 1,
      faults: [{ kind: 'row-unsealed', sealNo: null, logId, row: `${yesterday} 管理员 编辑学生 张三` }],
    })
  })

  test('a row exchanged for another one', async () => {
    const logId = await sealedOne()
    const other = newId()
    await behindTheBack(`update "auditLog" set "logId" = $2 where "logId" = $1`, [logId, other])
    const verdict = await verify()
    expect(verdict.faults).toMatchObject([{ kind: 'row-missing', logId }])
  })

  test('a seal that was altered to fit an altered row, and the one that follows it', async () => {
    const logId = await sealedOne()
    await behindTheBack(`update "auditLog" set "bizName" = '己' where "logId" = $1`, [logId])
    await behindTheBack(
      `update "auditSeal" set "rowHashes" = overlay("rowHashes" placing '\\x00'::bytea from 1) where "schoolId" = $1 and "sealNo" = 1`,
      [school.schoolId],
    )
    const kinds = ({ faults }: AuditVerdict) => faults.map(({ kind, sealNo }) => `${kind} ${sealNo}`)
    expect(kinds(await verify())).toContain('seal-changed 1')
    await behindTheBack(`update "auditSeal" set "hash" = sha256('x') where "schoolId" = $1 and "sealNo" = 1`, [
      school.schoolId,
    ])
    expect(kinds(await verify())).toEqual(expect.arrayContaining(['seal-changed 1', 'seal-broken 2']))
    await behindTheBack(`delete from "auditSeal" where "schoolId" = $1 and "sealNo" = 1`, [school.schoolId])
    expect(kinds(await verify())[0]).toBe('seal-missing 1')
  })
})

describe('the call', () => {
  const runAll = async () => {
    const { db, clock, log } = school.services
    const handlers = jobHandlers(school.services)
    const runner = await startJobs({
      db,
      clock,
      log,
      handlers: { 'audit:verify': handlers['audit:verify']! },
      pollMs: 50,
    })
    await expect
      .poll(async () => (await school.admin.send(auditApi.verification, {})).state, { timeout: 10_000 })
      .toBe('done')
    await runner.stop()
  }

  test('runs in the background and tells what it found; two at once are one', async () => {
    expect(await school.admin.send(auditApi.verification, {})).toMatchObject({ state: 'none', verdict: null })
    await action(['甲'])
    await seal()
    const auditor = await school.person('AUDITOR')
    const [one, two] = await Promise.all([
      school.admin.send(auditApi.verify, {}),
      auditor.client.send(auditApi.verify, {}),
    ])
    expect([one.state, two.state]).toEqual(['waiting', 'waiting'])
    await runAll()
    const { verdict } = await auditor.client.send(auditApi.verification, {})
    expect(verdict).toMatchObject({
      seals: 1,
      faultCount: 0,
      lastSeal: { sealNo: 1, hash: expect.stringMatching(/^[0-9a-f]{64}$/) as string },
    })
    await behindTheBack(`update "auditLog" set "action" = '改过' where "logId" = $1`, [(await rowOf('甲')).logId])
    await school.admin.send(auditApi.verify, {})
    await runAll()
    expect((await school.admin.send(auditApi.verification, {})).verdict).toMatchObject({
      faultCount: 1,
      faults: [{ kind: 'row-changed' }],
    })
  })

  test('is not for those who read a part', async () => {
    const league = await school.person('COLLEGE_LEAGUE', [{ caType: 'college', caTarget: await school.college() }])
    for (const call of [auditApi.verify, auditApi.verification, auditApi.archives])
      expect((await league.client.ask(call)).status).toBe(403)
  })
})
