import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { noticeDays } from '../../../contract/outcomes/graduation/graduation.calls.ts'
import { erasureKind } from '../../../contract/core/codes/outcomes.ts'
import { fileState } from '../../../contract/core/codes/platform.ts'
import { accountStatus, personType, studentStatus } from '../../../contract/core/codes/school.ts'
import { issueApi } from '../../../contract/outcomes/transcripts/issues.calls.ts'
import { transcriptApi } from '../../../contract/outcomes/transcripts/transcripts.calls.ts'
import { verifyApi } from '../../../contract/outcomes/transcripts/verify.calls.ts'
import { addDays, dayOf } from '../../core/base/clock.ts'
import { demoPassword } from '../../demo/account-list.ts'
import type { TestApp } from '../../testing/app.ts'
import { Client, signIn } from '../../testing/client.ts'
import { asOwner, useOwnDatabase } from '../../testing/database.ts'
import {
  endEverything,
  faultsOf,
  figuresOf,
  findTexts,
  giveContacts,
  livelySchool,
  noFaults,
  unexpectedTexts,
  writeInCourse,
} from '../../testing/erasure-checks.ts'
import { refreshSchool } from '../statistics/refresh.service.ts'
import { eraseGraduates } from './erasure.service.ts'

await useOwnDatabase()

const schoolId = 'erased'
let app: TestApp
let admin: Client
let gone: { suId: string; suiName: string; suiNumber: string }[]
let kept: { suiName: string; suiNumber: string }

const found = (texts: readonly string[]) => findTexts(app, texts)
const unexpected = (texts: readonly string[]) => unexpectedTexts(app, texts)
const figures = () => figuresOf(app, schoolId)
const run = () => eraseGraduates(app.services, schoolId)
const setting = (settings: object) =>
  app.ctx.db
    .updateTable('school')
    .set({ settings: JSON.stringify(settings) })
    .where('schoolId', '=', schoolId)
    .execute()

/** A school full of life, of which the older half has graduated long ago and left nothing open. */
beforeAll(async () => {
  ;({ app, admin } = await livelySchool(schoolId, '毕业大学'))
  const { db } = app.services
  const { rows } = await sql<(typeof gone)[number]>`
    select p."suId", p."suiName", p."suiNumber"
    from "person" p
    where p."schoolId" = ${schoolId}
      and p."suiType" = ${personType.student}
      and p."delFlag" = '0'
      and length(p."suiName") > 2
      and p."suiName" in (
        select "suiName" from "person" where "schoolId" = ${schoolId} group by 1 having count(*) = 1
      )
    order by "suiNumber"
    limit 80`.execute(db)
  gone = rows.slice(0, -1)
  kept = rows.at(-1)!
  const ids = gone.map(({ suId }) => suId)
  await asOwner(async (all) => {
    await endEverything(all, schoolId)
    await sql`
      update "person" set "suiStatus" = ${studentStatus.graduated}, "suiGraduateDate" = '2020-06-30',
        "suiEmail" = 'a.' || "suiNumber" || '@old.example.cn'
      where "schoolId" = ${schoolId} and "suId" = any(${ids}::uuid[])`.execute(all)
    await sql`
      update "account" set "suStatus" = ${accountStatus.disabled}, "lastLoginIp" = '192.0.2.77'
      where "schoolId" = ${schoolId} and "suId" = any(${ids}::uuid[])`.execute(all)
  })
  const first = gone[0]!
  const phone = '13912340077'
  await giveContacts(app, { schoolId, suId: first.suId }, phone, { suiAddress: '幸福路七十七号' })
  // copies as people make them
  await writeInCourse(app, schoolId, {
    contactName: first.suiName,
    contactPhone: phone,
    liIntro: `联系人${first.suiName}（${first.suiNumber}），电话${phone}`,
  })
  await sql`
    update "registration"
    set "remark" = ${`${first.suiName}表现优秀`}, "workText" = '记我在七号楼的四年', "workTime" = "applyTime"
    where "schoolId" = ${schoolId} and "suId" = ${first.suId}::uuid`.execute(db)
  await sql`
    with task as (
      insert into "backgroundTask" ("schoolId", "btId", "btKind", "btTitle", "callPath", "btInput", "filter", "reason", "origin", "createBy", "createName")
      select "schoolId", gen_random_uuid(), 'act', '停用账号', '/', jsonb_build_object('reason', ${`${first.suiNumber}已离校`}::text),
        jsonb_build_object('search', ${first.suiNumber}::text), ${`${first.suiNumber}已离校`}, '{}', "suId", "suNickname"
      from "account"
      where "schoolId" = ${schoolId} and "suLoginName" = 'admin'
      returning *
    )
    insert into "backgroundItem" ("schoolId", "btId", "itemNo", "itemId", "itemName", "msg")
    select "schoolId", "btId", 0, ${first.suId}::uuid, ${`${first.suiNumber} ${first.suiName}`}, ${`${first.suiName}的账号已停用`}
    from task`.execute(db)
  await sql`
    update "team" set "teamName" = ${`${first.suiName}队`}, "captainId" = ${first.suId}::uuid
    where "schoolId" = ${schoolId} and "teamId" = (select "teamId" from "team" where "schoolId" = ${schoolId} order by 1 limit 1)`.execute(
    db,
  )
  await sql`
    with channel as (
      insert into "outboxDestination" ("schoolId", "odId", "odChannel", "odName", "address", "enable")
      values (${schoolId}, gen_random_uuid(), 'mail', '邮箱', 'smtp', '0')
      returning *
    ),
    wish as (
      insert into "messagePreference" ("schoolId", "suId", "odChannel", "messageKind", "mpMode", "updateTime")
      values (${schoolId}, ${first.suId}::uuid, 'mail', '1', '1', now())
    )
    insert into "outboxDelivery" ("schoolId", "dlId", "odId", "suId", "eventId", "eventKind", "eventData", "answerText")
    select "schoolId", gen_random_uuid(), "odId", ${first.suId}::uuid, gen_random_uuid(), '1', '{}', ${`550 a.${first.suiNumber}@old.example.cn`}
    from channel`.execute(db)
  await refreshSchool(app.ctx, schoolId)
}, 180_000)

describe('graduates of a school full of life', () => {
  const phone = '13912340077'
  let before: Awaited<ReturnType<typeof figures>>
  let serial: string
  let credential: string

  test('nothing is erased that was not announced, and the announcement tells how many and when', async () => {
    const { db, clock } = app.services
    await setting({ identityYears: 3 })
    const [student] = gone
    await admin.download(transcriptApi.export, { suIds: [student!.suId] })
    const [issue] = (await admin.send(issueApi.list, { suId: student!.suId })).records
    serial = issue!.serial
    credential = Buffer.from((await admin.download(issueApi.credential, { tiId: issue!.tiId })).bytes).toString()
    before = await figures()
    expect(await run()).toBe(0)
    expect(await found([phone])).toEqual({ 'lesson.contactPhone': 1, 'lesson.liIntro': 1 })
    const due = `${addDays(dayOf(clock.now()), noticeDays)} 00:00:00`
    const planned = await db
      .selectFrom('erasure')
      .select(['erKind', 'dueTime', 'announced', 'doneTime'])
      .where('schoolId', '=', schoolId)
      .orderBy('erKind')
      .execute()
    expect(planned).toEqual([
      { erKind: erasureKind.contacts, dueTime: due, announced: gone.length, doneTime: null },
      { erKind: erasureKind.identity, dueTime: due, announced: gone.length, doneTime: null },
    ])
    const told = await db
      .selectFrom('information')
      .select('iiTitle')
      .where('schoolId', '=', schoolId)
      .where('iiTitle', 'like', '%名毕业生的信息将于%')
      .execute()
    expect(told).toHaveLength(2)
    expect(await run()).toBe(0)
  })

  test('how they could be reached goes with all its copies', async () => {
    app.clock.travel(noticeDays * 86_400)
    await setting({ identityYears: 0 })
    expect(await run()).toBe(gone.length)
    const contact = await app.ctx.db
      .selectFrom('lesson')
      .select(['contactName', 'contactPhone'])
      .where('schoolId', '=', schoolId)
      .where('contactPhone', '=', '***')
      .execute()
    expect(contact).toEqual([{ contactName: '***', contactPhone: '***' }])
    expect(await unexpected([phone, '@old.example.cn', '幸福路七十七号', '192.0.2.77'])).toEqual([])
    const { rows } = await sql<{ left: number }>`
      select count(*)::int "left"
      from "person"
      where "schoolId" = ${schoolId}
        and "suId" = any(${gone.map(({ suId }) => suId)}::uuid[])
        and num_nonnulls("suiPhone", "suiPhoneHash", "suiIdCard", "suiIdCardHash", "suiEmail", "suiPhoto", "suiAddress") > 0`.execute(
      app.ctx.db,
    )
    expect(rows[0]!.left).toBe(0)
    // a name is no way to reach somebody
    expect(Object.keys(await found([gone[0]!.suiName]))).toContain('person.suiName')
    expect(await run()).toBe(0)
  })

  test('an erasure that is broken off goes on where it was, with the same pseudonyms', async () => {
    await setting({ identityYears: 3 })
    await run()
    app.clock.travel(noticeDays * 86_400)
    await asOwner((all) =>
      sql
        .raw(
          `create function stumble() returns trigger language plpgsql as $$ begin raise exception 'a disk on fire'; end $$;
          create trigger stumble before update on "graduationRow" for each statement execute function stumble()`,
        )
        .execute(all),
    )
    expect(await run()).toBe(0)
    expect(Object.keys(await found([gone[0]!.suiName]))).toContain('person.suiName')
    await asOwner((all) => sql.raw(`drop trigger stumble on "graduationRow"`).execute(all))
    expect(await run()).toBe(gone.length)
    const { rows } = await sql<{ n: number; names: number }>`
      select count(*)::int "n", count(distinct "suiNumber")::int "names"
      from "person"
      where "schoolId" = ${schoolId} and "suiName" like '毕业生%' and "suiNumber" like 'X%'`.execute(app.ctx.db)
    expect(rows).toEqual([{ n: gone.length, names: gone.length }])
  })

  test('no name and no number of theirs is left in any column, but where it must stay', async () => {
    expect(await unexpected(gone.map(({ suiNumber }) => suiNumber))).toEqual([])
    expect(await unexpected(gone.map(({ suiName }) => suiName))).toEqual([])
    // others are as they were
    expect(Object.keys(await found([kept.suiNumber]))).toContain('person.suiNumber')
    expect(Object.keys(await found([kept.suiName]))).toContain('person.suiName')
  })

  test('what they handed in for courses is gone, and that they did is not', async () => {
    expect(await found(['七号楼'])).toEqual({})
    const { rows } = await sql<{ left: number }>`
      select count(*)::int "left"
      from "registration"
      where "schoolId" = ${schoolId} and "suId" = ${gone[0]!.suId}::uuid and "workTime" is not null`.execute(app.ctx.db)
    expect(rows[0]!.left).toBeGreaterThan(0)
  })

  test('nobody has wishes or messages on their way any more', async () => {
    const ids = () => gone.map(({ suId }) => suId)
    const { rows } = await sql<{ left: number }>`
      select (
        (select count(*) from "messagePreference" where "schoolId" = ${schoolId} and "suId" = any(${ids()}::uuid[]))
        + (select count(*) from "outboxDelivery" where "schoolId" = ${schoolId} and "suId" = any(${ids()}::uuid[]))
        + (select count(*) from "calendarFeed" where "schoolId" = ${schoolId} and "suId" = any(${ids()}::uuid[]))
      )::int "left"`.execute(app.ctx.db)
    expect(rows).toEqual([{ left: 0 }])
  })

  test('proofs and photos are given up for the sweep of files', async () => {
    const { rows } = await sql<{ held: number }>`
      select count(*)::int "held"
      from "supplement"
      where "schoolId" = ${schoolId}
        and "suId" = any(${gone.map(({ suId }) => suId)}::uuid[])
        and (cardinality("lisProofs") > 0 or "certNo" <> '')`.execute(app.ctx.db)
    expect(rows[0]!.held).toBe(0)
    const orphans = await app.ctx.db
      .selectFrom('file')
      .select('fileId')
      .where('schoolId', '=', schoolId)
      .where('uses', '=', 0)
      .where('fileState', '=', fileState.inUse)
      .execute()
    expect(orphans).toEqual([])
  })

  test('figures, ledger and sums are what they were and agree with the raw rows, and the trail is whole', async () => {
    expect(await figures()).toEqual(before)
    expect(await faultsOf(app, schoolId)).toEqual(noFaults)
  })

  test('the trail tells of the erasures by their counts', async () => {
    const rows = await app.ctx.db
      .selectFrom('auditLog')
      .select(['action', 'after', 'bizId'])
      .where('schoolId', '=', schoolId)
      .where('action', 'in', ['删除毕业生联系方式', '毕业生信息匿名'])
      .execute()
    for (const action of ['删除毕业生联系方式', '毕业生信息匿名'])
      expect(
        rows
          .filter((row) => row.action === action)
          .reduce((n, row) => n + (row.after as { affected: number }).affected, 0),
      ).toBe(gone.length)
  })

  test('a signed paper is still verified, by its number and by the file in somebody’s hands', async () => {
    const nobody = new Client(app.address, undefined)
    expect(await nobody.send(verifyApi.verify, { serial })).toMatchObject({
      status: 'valid',
      suiName: '',
      totalHours: '',
    })
    const checked = await nobody.send(verifyApi.credential, { credential })
    expect(checked).toMatchObject({ isSame: true, isSigned: true, verdict: { status: 'valid' } })
    expect(checked.verdict.suiName).not.toBe('')
    const forged = credential.replace(gone[0]!.suiNumber, '99999999')
    expect(await nobody.send(verifyApi.credential, { credential: forged })).toMatchObject({
      isSame: false,
      isSigned: false,
    })
    admin = await signIn(app.address, schoolId, 'admin', demoPassword)
    const [issue] = (await admin.send(issueApi.list, { suId: gone[0]!.suId })).records
    expect((await admin.ask(issueApi.credential, { tiId: issue!.tiId })).reason).toBe('transcript-erased')
    expect(createHash('sha256').update('').digest('hex')).not.toBe(checked.verdict.digest)
  })

  test('what an issue says can be emptied for nobody else, and never changed', async () => {
    const change = (content: string, anonymous: boolean) =>
      sql`
        update "transcriptIssue" i
        set "content" = ${content}
        from "person" p
        where i."schoolId" = ${schoolId}
          and p."schoolId" = i."schoolId"
          and p."suId" = i."suId"
          and (p."identityErased" is not null) = ${anonymous}`.execute(app.ctx.db)
    await expect(change('', false)).rejects.toThrow('fixed')
    await expect(change('another', true)).rejects.toThrow('fixed')
  })
})
