import { sql } from 'kysely'
import sharp from 'sharp'
import { beforeAll, describe, expect, test } from 'vitest'
import { fileState, yesNo } from '../../../contract/core/codes/platform.ts'
import { circleApplyType, circleReview } from '../../../contract/core/codes/programme.ts'
import {
  leaverRule,
  sourceKind,
  sourceRunStatus,
  sourceWay,
  studentStatus,
  teacherStatus,
} from '../../../contract/core/codes/school.ts'
import { personErasureApi } from '../../../contract/outcomes/graduation/person-erasure.calls.ts'
import { fileApi } from '../../../contract/platform/files/files.calls.ts'
import { circleApplyApi } from '../../../contract/programme/circles/applications.calls.ts'
import { webhookApi } from '../../../contract/school/integration/webhooks.calls.ts'
import { studentSheet } from '../../../contract/school/people/people.sheets.ts'
import { studentApi } from '../../../contract/school/people/students.calls.ts'
import { sourceApi } from '../../../contract/school/sources/sources.calls.ts'
import { newId } from '../../core/base/ids.ts'
import { checked } from '../../testing/checked-sheet.ts'
import { circleWorld, type CircleWorld } from '../../testing/circles.ts'
import { asOwner, useOwnDatabase } from '../../testing/database.ts'
import { leaverOf, unexpectedTexts } from '../../testing/erasure-checks.ts'
import { grantRecord } from '../../testing/ledger.ts'
import { unique, type TestSchool } from '../../testing/school.ts'
import { whileLocked } from '../../testing/while-locked.ts'

await useOwnDatabase()

let world: CircleWorld
let school: TestSchool
let place: { suiCollegeId: string; majorId: string; scClassId: string }
const placeNames = { collegeName: '计算机学院', majorName: '软件工程', className: '软工2401', suiGrade: '2024' }

beforeAll(async () => {
  world = await circleWorld()
  school = world.school
  const suiCollegeId = await school.college(placeNames.collegeName)
  const majorId = await school.major(suiCollegeId, placeNames.majorName)
  const scClassName = placeNames.className
  place = { suiCollegeId, majorId, scClassId: await school.schoolClass(majorId, suiCollegeId, { scClassName }) }
})

interface Person {
  suId: string
  suiName: string
  suiNumber: string
}
const leaver = () => leaverOf(school, place)
const preview = ({ suId }: Person) => school.admin.send(personErasureApi.preview, { suId })
const input = ({ suId, suiNumber }: Person, reason = '本人书面申请删除个人信息') => ({
  suId,
  confirmNumber: suiNumber,
  reason,
})
const erase = (person: Person, reason?: string) => school.admin.send(personErasureApi.erase, input(person, reason))
/** Where the name or number of somebody still stands and should not. */
const left = ({ suiName, suiNumber }: Person) => unexpectedTexts(school, [suiName, suiNumber])

test('a reason that names the person by a short number alone is kept without it', async () => {
  const teacher = await school.person('GUIDE_TEACHER', [], { suiNumber: '9071' })
  await school.setPerson(teacher.suId, { suiStatus: teacherStatus.left })
  const { suiName: pseudonym } = await erase(teacher, '9071 本人书面申请')
  const kept = await school.ctx.db
    .selectFrom('auditLog')
    .select(['bizName', 'reason'])
    .where('schoolId', '=', school.schoolId)
    .where('action', '=', '删除个人信息')
    .where('bizId', '=', teacher.suId)
    .executeTakeFirstOrThrow()
  expect(kept).toEqual({ bizName: pseudonym, reason: expect.stringMatching(/^X\w{10} 本人书面申请$/) as string })
  const { records } = await school.admin.send(personErasureApi.list, {})
  expect(records.map((row) => row.reason)).toEqual([kept.reason])
})

test('a run of a data source tells of a student who left by the pseudonym', async () => {
  const { schoolId, adminId, clock } = school
  const [student, other] = [await leaver(), await leaver()]
  const [isId, runId] = [newId(), newId()]
  const leavers = [student, other].map((one) => ({ ...one, suiStatus: studentStatus.enrolled, given: null }))
  await sql`
    with source as (
      insert into "importSource" (
        "schoolId", "isId", "isKind", "isName", "isWay", "place", "ownerId", "leaverRule", "changeLimit", "leaverLimit",
        "createName", "createTime", "updateTime"
      )
      values (
        ${schoolId}, ${isId}::uuid, ${sourceKind.student}, '学籍', ${sourceWay.folder}, '{}', ${adminId}::uuid, ${leaverRule.tell}, 100, 100,
        '管理员', ${clock.now()}, ${clock.now()}
      )
    )
    insert into "importSourceRun" (
      "schoolId", "runId", "isId", "runStatus", "isByHand", "createName", "startTime", "fileName", "leavers", "fault"
    )
    values (
      ${schoolId}, ${runId}::uuid, ${isId}::uuid, ${sourceRunStatus.done}, ${yesNo.no}, '管理员', ${clock.now()}, ${`${student.suiNumber}.csv`},
      ${JSON.stringify(leavers)}::jsonb, ${`${student.suiName}（${student.suiNumber}）有误`}
    )`.execute(school.ctx.db)
  const { suiName } = await erase(student)
  const { records } = await school.admin.send(sourceApi.leavers, { runId })
  expect(records).toEqual([{ suId: student.suId, suiName, suiNumber: expect.stringMatching(/^X/) as string }, other])
  expect(await left(student)).toEqual([])
})

test('what somebody answered when they registered is gone, and their number in the answers of others', async () => {
  const student = await leaver()
  const [mate] = await school.students(1, place)
  const plan = { name: '问答课程', module: 'SXCL', on: '2025-03-05', hours: 100 }
  const { bizId } = await grantRecord(school, student, plan)
  await grantRecord(school, mate!, plan, bizId)
  const answer = ({ suId }: Person, text: string) =>
    school.ctx.db
      .updateTable('registration')
      .set({ applyAnswers: JSON.stringify([{ question: '紧急联系人与队友', answer: text }]) })
      .where('schoolId', '=', school.schoolId)
      .where('suId', '=', suId)
      .execute()
  await answer(student, '母亲 13912340099，与我同住')
  await answer(mate!, `队友 ${student.suiName}（${student.suiNumber}）`)
  expect((await preview(student)).erased.answers).toBe(1)
  const { suiName } = await erase(student)
  expect(await unexpectedTexts(school, ['13912340099', '与我同住'])).toEqual([])
  expect(await left(student)).toEqual([])
  const { applyAnswers } = await school.ctx.db
    .selectFrom('registration')
    .select('applyAnswers')
    .where('schoolId', '=', school.schoolId)
    .where('suId', '=', mate!.suId)
    .executeTakeFirstOrThrow()
  expect(JSON.stringify(applyAnswers)).toContain(`队友 ${suiName}（X`)
})

test('events for other systems that tell of somebody do so by the pseudonym', async () => {
  await school.admin.send(webhookApi.add, {
    odName: '人事',
    address: 'https://events.example.edu.cn/in',
    eventKinds: ['person.left'],
  })
  const student = await leaver()
  const events = async () =>
    (
      await school.ctx.db
        .selectFrom('outboxDelivery')
        .select('eventData')
        .where('schoolId', '=', school.schoolId)
        .where('suId', 'is', null)
        .execute()
    ).map(({ eventData }) => (eventData as unknown as { person: Person }).person)
  expect(await events()).toEqual([student])
  const { suiName } = await erase(student)
  expect(await events()).toEqual([{ suId: student.suId, suiName, suiNumber: expect.stringMatching(/^X/) as string }])
  expect(await left(student)).toEqual([])
})

test('an import that brought somebody keeps nothing of them, and is still taken back for the others', async () => {
  const row = (suiName: string) => ({ suiNumber: `S${unique()}`, suiName, suiSex: '男', ...placeNames })
  const rows = [row(`去${unique()}`), row(`留${unique()}`)]
  const first = await checked(school.admin, studentSheet, rows)
  await first.commit()
  const changed = rows.map((one) => ({ ...one, suiEmail: `${one.suiNumber}@old.example.cn` }))
  await (await checked(school.admin, studentSheet, changed.slice(0, 1))).commit()
  const { records } = await school.admin.send(studentApi.list, { search: rows[0]!.suiNumber })
  const student = records[0]!
  await school.setPerson(student.suId, { suiStatus: studentStatus.withdrawn })
  const { suiName } = await erase(student)
  expect(await unexpectedTexts(school, [rows[0]!.suiName, rows[0]!.suiNumber])).toEqual([])
  expect((await first.undo()).code).toBe(200)
  expect((await preview(student)).suiName).toBe(suiName)
  expect((await school.admin.send(studentApi.list, { search: rows[1]!.suiNumber })).records).toEqual([])
})

test('rows of others, in which a year reads as the number, stay', async () => {
  const row = () => ({ suiNumber: `S${unique()}`, suiName: `生${unique()}`, suiSex: '男', ...placeNames })
  await (await checked(school.admin, studentSheet, [row(), row()])).commit()
  const kept = async () =>
    (
      await school.ctx.db
        .selectFrom('importRow')
        .select(({ fn }) => fn.countAll<number>().as('rows'))
        .where('schoolId', '=', school.schoolId)
        .executeTakeFirstOrThrow()
    ).rows
  const before = await kept()
  const student = { ...(await leaver()), suiNumber: placeNames.suiGrade }
  await school.setPerson(student.suId, { suiNumber: student.suiNumber })
  await erase(student)
  expect(await kept()).toBe(before)
})

test('what somebody is shown as goes with their name, wherever their id stands or nobody else is called so', async () => {
  const teacher = await school.person('GUIDE_TEACHER')
  const suNickname = `文老师${unique()}`
  const { db, schoolId } = { ...school.ctx, ...school }
  await db.updateTable('account').set({ suNickname }).where('suId', '=', teacher.suId).execute()
  const [student] = await school.students(1, place)
  const { bizId } = await grantRecord(school, student!, {
    name: '由人代办',
    module: 'SXCL',
    on: '2025-03-05',
    hours: 100,
  })
  await db
    .updateTable('lesson')
    .set({ createBy: teacher.suId, createName: suNickname, liIntro: `请找${suNickname}` })
    .where('schoolId', '=', schoolId)
    .where('liId', '=', bizId)
    .execute()
  await school.setPerson(teacher.suId, { suiStatus: teacherStatus.left })
  const { suiName } = await erase(teacher)
  expect(await unexpectedTexts(school, [suNickname])).toEqual([])
  const lesson = db.selectFrom('lesson').select(['createName', 'liIntro'])
  expect(await lesson.where('schoolId', '=', schoolId).where('liId', '=', bizId).executeTakeFirst()).toEqual({
    createName: suiName,
    liIntro: `请找${suiName}`,
  })
})

test('papers that somebody handed in for a circle are counted before, and given up for the sweep of files', async () => {
  const student = await leaver()
  const ciId = await world.founded()
  const { teacher } = world
  const pixel = sharp({ create: { width: 1, height: 1, channels: 3, background: 'white' } }).png()
  const paper = { name: '说明.png', bytes: await pixel.toBuffer() }
  const { fileId } = (await teacher.client.upload(fileApi.upload, paper, { kind: 'image' })).data
  const apply = () =>
    teacher.client.send(circleApplyApi.apply, {
      ciId,
      caType: circleApplyType.yearlyReview,
      applyReason: '按章程办理，请予审核',
      crYear: 2025,
      crResult: circleReview.passed,
      materials: [fileId],
    })
  // the same paper is handed in twice
  const { caId: first } = await apply()
  await teacher.client.send(circleApplyApi.withdraw, { caId: first })
  const { caId: second } = await apply()
  const application = school.ctx.db.updateTable('circleApply').where('schoolId', '=', school.schoolId)
  await application.set({ applyBy: student.suId }).where('caId', 'in', [first, second]).execute()
  expect((await preview(student)).erased.proofs).toBe(2)
  await erase(student)
  expect((await preview(student)).erased.proofs).toBe(0)
  const file = await school.ctx.db
    .selectFrom('file')
    .select(['fileState', 'uses'])
    .where('schoolId', '=', school.schoolId)
    .where('fileId', '=', fileId)
    .executeTakeFirstOrThrow()
  expect(file).toEqual({ fileState: fileState.abandoned, uses: 0 })
})

describe('while the school goes on', () => {
  const lessonOf = async (text: string) => {
    const { bizId } = await grantRecord(school, (await school.students(1, place))[0]!, {
      name: `课程${unique()}`,
      module: 'SXCL',
      on: '2025-03-05',
      hours: 100,
    })
    const lesson = school.ctx.db.updateTable('lesson').where('schoolId', '=', school.schoolId).where('liId', '=', bizId)
    const write = (liIntro: string) => lesson.set({ liIntro }).execute()
    await write(text)
    return { write, liId: bizId }
  }
  const introOf = async ({ liId }: { liId: string }) =>
    (
      await school.ctx.db
        .selectFrom('lesson')
        .select('liIntro')
        .where('schoolId', '=', school.schoolId)
        .where('liId', '=', liId)
        .executeTakeFirstOrThrow()
    ).liIntro
  const ask = (person: Person) => school.admin.ask(personErasureApi.erase, input(person))
  /** Has something happen as the record of an erasure is written, the last thing but one in its transaction. */
  const atTheEnd = async (statement: string, during: () => Promise<unknown>) => {
    await asOwner((all) =>
      sql
        .raw(
          `create function at_the_end() returns trigger language plpgsql as $$ begin ${statement}; return new; end $$;
          create trigger at_the_end before insert on "personErasure" for each row execute function at_the_end()`,
        )
        .execute(all),
    )
    await during().finally(() => asOwner((all) => sql.raw('drop function at_the_end cascade').execute(all)))
  }

  test('an erasure that is broken off leaves pseudonyms in copies, and asked for again it ends', async () => {
    const student = await leaver()
    const { pseudonym } = await preview(student)
    const lesson = await lessonOf(`联系人${student.suiName}（${student.suiNumber}）`)
    await atTheEnd(`raise exception 'a disk on fire'`, async () => {
      expect((await ask(student)).status).toBe(500)
    })
    expect(await introOf(lesson)).toContain(`联系人${pseudonym}（X`)
    expect(await preview(student)).toMatchObject({ ...student, obstacles: [] })
    expect(await erase(student)).toMatchObject({ suiName: pseudonym })
    expect(await left(student)).toEqual([])
  })

  test('nobody waits for its texts, and what names the person until it ends goes too', async () => {
    const student = await leaver()
    const { pseudonym } = await preview(student)
    const text = `联系人${student.suiName}（${student.suiNumber}）`
    const lesson = await lessonOf(text)
    await atTheEnd('perform pg_advisory_xact_lock(131)', async () => {
      let erasing: ReturnType<typeof ask>
      await whileLocked(
        school.ctx.db,
        (held) => sql`select pg_advisory_xact_lock(131)`.execute(held),
        async (untilWaiting) => {
          erasing = ask(student)
          await untilWaiting(1)
          await lesson.write(text)
        },
      )
      expect((await erasing!).code).toBe(200)
    })
    expect(await introOf(lesson)).toContain(`联系人${pseudonym}（X`)
    expect(await left(student)).toEqual([])
  })

  test('whoever is held between the two checks is not erased', async () => {
    const student = await leaver()
    let erasing: ReturnType<typeof ask>
    await whileLocked(
      school.ctx.db,
      (held) =>
        held
          .updateTable('person')
          .set({ holdReason: '涉及诉讼，须保留' })
          .where('schoolId', '=', school.schoolId)
          .where('suId', '=', student.suId)
          .execute(),
      async (untilWaiting) => {
        erasing = ask(student)
        await untilWaiting(1)
      },
    )
    expect(await erasing!).toMatchObject({ reason: 'erasure-obstacles' })
    expect((await preview(student)).suiName).toBe(student.suiName)
  })
})
