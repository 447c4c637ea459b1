import { createHash } from 'node:crypto'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { gunzipSync } from 'node:zlib'
import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { auditApi } from '../../../contract/school/audit/audit.calls.ts'
import { settings } from '../../../contract/school/school/settings.ts'
import { writeAudit } from '../../core/audit/audit.ts'
import { systemClock } from '../../core/base/clock.ts'
import { testApp } from '../../testing/app.ts'
import { signIn } from '../../testing/client.ts'
import { asOwner, useOwnDatabase } from '../../testing/database.ts'
import { newSchool, type TestSchool } from '../../testing/school.ts'
import { archiveKey, archiveOnce, archiveTrails, startOfMonthBefore, storeOldArchives } from './archiving.service.ts'
import { sealTrail } from './sealing.service.ts'
import { verifyTrail } from './verification.service.ts'

await useOwnDatabase()

const kept = settings.auditMonths.default
let school: TestSchool
const longAgo = startOfMonthBefore(systemClock.now(), kept + 2)

/** A school that has been running since long before what is kept; the clock stands at the present again. */
beforeEach(async () => {
  const { clock } = await testApp()
  clock.travelTo(longAgo)
  school = await newSchool()
  await action(['旧一', '旧二'])
  await sealTrail(school.services, school.schoolId)
  clock.travelTo(systemClock.now())
  await action(['新'])
  await sealTrail(school.services, school.schoolId)
  school.admin = Object.assign(await signIn(school.address, school.schoolId, 'admin', 'Test-2026!x'), {
    suId: school.adminId,
  })
})

const action = (names: string[]) =>
  writeAudit(
    school.ctx,
    { schoolId: school.schoolId, actorId: null, actorName: '系统' },
    names.map((bizName) => ({ action: '试验', bizName })),
  )
const archive = (months = kept) => archiveOnce(school.services, school.schoolId, months)
const verify = () => verifyTrail(school.services, school.schoolId)
const names = async () =>
  (
    await school.ctx.db
      .selectFrom('auditLog')
      .select('bizName')
      .where('schoolId', '=', school.schoolId)
      .where('action', '=', '试验')
      .orderBy('logId')
      .execute()
  ).map(({ bizName }) => bizName)
const folder = () => join(school.services.config.dataDir, 'archive', 'audit')

test.each([
  ['2026-11-21 10:00:00', 36, '2023-11-01 00:00:00'],
  ['2026-01-31 23:59:59', 6, '2025-07-01 00:00:00'],
  ['2026-12-01 00:00:00', 12, '2025-12-01 00:00:00'],
  ['2026-03-05 00:00:00', 15, '2024-12-01 00:00:00'],
])('of %s with %d months, rows from %s on are kept', (now, months, from) =>
  expect(startOfMonthBefore(now, months)).toBe(from),
)

describe('archiving', () => {
  test('moves what is older than the retention into a file that proves itself, and the chain still holds', async () => {
    const before = await verify()
    const moved = await archive()
    expect(moved).toBeGreaterThan(2)
    expect(await names()).toEqual(['新'])
    expect(await verify()).toMatchObject({
      archivedRows: moved,
      rows: before.rows - moved,
      faultCount: 0,
      waitingRows: 2,
    }) // this sign-in, and the archiving itself
    expect(await archive()).toBe(0)

    const { records } = await school.admin.send(auditApi.archives, {})
    expect(records).toMatchObject([
      { arcNo: 1, fromSeal: 1, throughSeal: 1, rowCount: moved, fileName: `${school.schoolId}_1-1.jsonl.gz` },
    ])
    const bytes = await readFile(join(folder(), records[0]!.fileName))
    expect([bytes.length, createHash('sha256').update(bytes).digest('hex')]).toEqual([
      records[0]!.size,
      records[0]!.sha256,
    ])

    // every line of a row is what was hashed, so that the file can be checked against the seals with sha256sum alone
    const [head, seal, ...rows] = gunzipSync(bytes).toString().trimEnd().split('\n')
    expect(JSON.parse(head!)).toMatchObject({ format: 'audit-archive/1', schoolId: school.schoolId })
    expect(JSON.parse(seal!)).toMatchObject({
      sealNo: 1,
      rowCount: moved,
      hash: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
    })
    const { rowHashes } = await school.ctx.db
      .selectFrom('auditSeal')
      .select('rowHashes')
      .where('schoolId', '=', school.schoolId)
      .where('sealNo', '=', 1)
      .executeTakeFirstOrThrow()
    expect(rows.map((row) => createHash('sha256').update(row).digest('hex')).join('')).toBe(rowHashes.toString('hex'))
    expect(rows.join('\n')).toContain('旧一')

    const [entry] = (await school.admin.send(auditApi.list, { action: '归档' })).records
    expect(entry).toMatchObject({ action: '归档操作日志', actorName: '系统', bizType: 'audit' })
  })

  test('any machine has the archive: it is in the file store too, and those of earlier versions are taken up', async () => {
    await archive()
    const { fileName, sha256 } = (await school.admin.send(auditApi.archives, {})).records[0]!
    const { files } = school.services
    const storeKey = archiveKey({ schoolId: school.schoolId, sha256 })
    const stored = async () => buffer(await files.get(storeKey))
    const bytes = await readFile(join(folder(), fileName))
    expect(bytes.equals(await stored())).toBe(true)

    // as it was before: in the folder only
    await files.remove(storeKey)
    expect(await storeOldArchives(school.services)).toBe(1)
    expect(bytes.equals(await stored())).toBe(true)
    expect(await storeOldArchives(school.services)).toBe(0)

    // a damaged one proves nothing and is not taken
    await files.remove(storeKey)
    await writeFile(join(folder(), fileName), bytes.subarray(1))
    expect(await storeOldArchives(school.services)).toBe(0)
    await expect(files.get(storeKey)).rejects.toMatchObject({ reason: 'not-found' })
  })

  test('rows stay where the file store does not give back what was stored', async () => {
    const { files } = school.services
    const wrong: typeof files = { ...files, get: async () => Readable.from([Buffer.from('other')]) }
    await expect(archiveOnce({ ...school.services, files: wrong }, school.schoolId, kept)).rejects.toThrow(
      'what was stored is not what is read',
    )
    expect(await names()).toContain('旧一')
  })

  test('keeps what is younger, and never less than the law asks for', async () => {
    expect(await archive(kept + 3)).toBe(0)
    const younger = startOfMonthBefore(systemClock.now(), 3)
    school.clock.travelTo(younger)
    await action(['三个月前'])
    school.clock.travelTo(systemClock.now())
    await sealTrail(school.services, school.schoolId)
    await archive(1)
    expect(await names()).toEqual(expect.arrayContaining(['新', '三个月前']))
  })

  test('follows the school’s own rule', async () => {
    const { services, schoolId, ctx } = school
    const keep = (auditMonths: number) =>
      ctx.db
        .updateTable('school')
        .set({ settings: JSON.stringify({ auditMonths }) })
        .where('schoolId', '=', schoolId)
        .execute()
    await keep(kept + 6)
    await archiveTrails(services)
    expect(await names()).toContain('旧一')
    await keep(kept + 1)
    await expect
      .poll(async () => (await archiveTrails(services), names()), { timeout: 5000, interval: 300 })
      .toEqual(['新'])
  })

  test('leaves altered rows where they are: they are evidence', async () => {
    await asOwner((db) =>
      db.transaction().execute(async (tx) => {
        await sql`set local session_replication_role = replica`.execute(tx)
        await tx
          .updateTable('auditLog')
          .set({ bizName: '改过' })
          .where('schoolId', '=', school.schoolId)
          .where('bizName', '=', '旧二')
          .execute()
      }),
    )
    await expect(archive()).rejects.toThrow(/not as it was sealed/)
    expect(await names()).toContain('改过')
    expect(await verify()).toMatchObject({ faultCount: 1, faults: [{ kind: 'row-changed' }] })
    expect((await readdir(folder())).filter((name) => name.startsWith(school.schoolId))).toEqual([])
  })

  test('brings back nothing: an archived row put in again is noticed', async () => {
    const row = await school.ctx.db
      .selectFrom('auditLog')
      .selectAll()
      .where('schoolId', '=', school.schoolId)
      .where('bizName', '=', '旧一')
      .executeTakeFirstOrThrow()
    await archive()
    await school.ctx.db
      .insertInto('auditLog')
      .values({ ...row, before: null, after: null })
      .execute()
    expect(await verify()).toMatchObject({ faults: [{ kind: 'row-returned', logId: row.logId }] })
  })
})

describe('the guard', () => {
  const remove = (statement: ReturnType<typeof sql>) => expect(statement.execute(school.ctx.db)).rejects
  // not even for the owner, unless they switch the triggers off
  const ownerRemoves = (statement: ReturnType<typeof sql>) => expect(asOwner((db) => statement.execute(db))).rejects
  const pretend = (cutTime: string, lastTime = longAgo) =>
    school.ctx.db
      .insertInto('auditArchive')
      .values({
        schoolId: school.schoolId,
        arcNo: 9,
        fromSeal: 1,
        throughSeal: 2,
        rowCount: 1,
        firstTime: longAgo,
        lastTime,
        cutTime,
        fileName: 'x',
        size: 1,
        sha256: '',
        createTime: school.clock.now(),
      })
      .execute()

  test('rows leave by no other way, however old', async () => {
    const byName = sql`delete from "auditLog" where "schoolId" = ${school.schoolId} and "bizName" = '旧一'`
    await remove(byName).toThrow('permission denied for table auditLog')
    await ownerRemoves(byName).toThrow(/append-only/)
    const change = sql`update "auditLog" set "bizName" = '' where "schoolId" = ${school.schoolId}`
    await remove(change).toThrow('permission denied for table auditLog')
    await ownerRemoves(change).toThrow(/append-only/)
    await remove(sql`select remove_archived_audit(${school.schoolId}, 1)`).toThrow(/no rows/)
    await pretend(startOfMonthBefore(systemClock.now(), kept))
    await ownerRemoves(
      sql`
        delete from "auditLog"
        where "schoolId" = ${school.schoolId}
          and "bizName" = '旧一' /* PL/pgSQL function remove_archived_audit(text,integer) line 1 */`,
    ).toThrow(/append-only/)
  })

  test('young rows do not leave even by that one', async () => {
    await pretend('2099-01-01 00:00:00')
    await remove(sql`select remove_archived_audit(${school.schoolId}, 9)`).toThrow(/append-only/)
    expect(await names()).toEqual(['旧一', '旧二', '新'])
  })

  test('an archive takes its rows whole or not at all', async () => {
    await school.ctx.db
      .insertInto('auditArchive')
      .values({
        schoolId: school.schoolId,
        arcNo: 1,
        fromSeal: 1,
        throughSeal: 1,
        rowCount: 1,
        firstTime: longAgo,
        lastTime: longAgo,
        cutTime: startOfMonthBefore(systemClock.now(), 36),
        fileName: 'x',
        size: 1,
        sha256: '',
        createTime: school.clock.now(),
      })
      .execute()
    await remove(sql`select remove_archived_audit(${school.schoolId}, 1)`).toThrow(/names 1 rows/)
    expect(await names()).toEqual(['旧一', '旧二', '新'])
  })
})
