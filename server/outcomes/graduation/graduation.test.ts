import { describe, expect, test } from 'vitest'
import { graduationStatus } from '../../../contract/core/codes/outcomes.ts'
import { yesNo } from '../../../contract/core/codes/platform.ts'
import { accountStatus, personType, studentStatus } from '../../../contract/core/codes/school.ts'
import { graduationApi } from '../../../contract/outcomes/graduation/graduation.calls.ts'
import { studentApi } from '../../../contract/school/people/students.calls.ts'
import { sessionApi } from '../../../contract/school/session/session.calls.ts'
import { transcriptApi } from '../../../contract/outcomes/transcripts/transcripts.calls.ts'
import { newId } from '../../core/base/ids.ts'
import { sheetIn } from '../../testing/sheet-in.ts'
import { signIn } from '../../testing/client.ts'
import { grantRecord } from '../../testing/ledger.ts'
import { newSchool, type TestSchool } from '../../testing/school.ts'

const grade = '2022'
const all = { pageSize: 200 }

/** A school with one class of that year; requirement: 8 hours of module SXCL and 4 of ZYGY, and no more in all. */
async function world() {
  const school = await newSchool()
  await school.rules({ totalHours: '0' })
  const { db } = school.ctx
  const { schoolId, curriculum } = school
  await db
    .updateTable('curriculum')
    .set({ required: yesNo.no })
    .where('schoolId', '=', schoolId)
    .where('lsPid', 'is', null)
    .execute()
  for (const [module, minHours] of [
    ['SXCL', 800],
    ['ZYGY', 400],
  ] as const)
    await db
      .updateTable('curriculum')
      .set({ required: yesNo.yes, minHours })
      .where('schoolId', '=', schoolId)
      .where('lsId', '=', curriculum[module]!)
      .execute()
  const suiCollegeId = await school.college()
  const majorId = await school.major(suiCollegeId)
  const scClassId = await school.schoolClass(majorId, suiCollegeId, { scClassGrade: grade })
  const place = { suiCollegeId, majorId, scClassId, suiGrade: grade }
  const earn = async (suId: string, module: 'SXCL' | 'ZYGY', hours: number) =>
    void (await grantRecord(
      school,
      { suId, suiName: '', suiNumber: '' },
      { name: `${module}${hours}`, module, on: '2025-03-05', hours },
    ))
  const passing = async (count: number) => {
    const people = await school.students(count, place)
    for (const { suId } of people)
      for (const [module, hours] of [
        ['SXCL', 800],
        ['ZYGY', 450],
      ] as const)
        await earn(suId, module, hours)
    return people
  }
  return { school, place, earn, passing, failing: (count: number) => school.students(count, place) }
}
const preview = ({ admin }: TestSchool, more = {}) => admin.send(graduationApi.preview, { gradeList: [grade], ...more })
const statusOf = async ({ ctx, schoolId }: TestSchool, suId: string) => {
  const row = await ctx.db
    .selectFrom('person')
    .innerJoin('account', (join) =>
      join.onRef('account.schoolId', '=', 'person.schoolId').onRef('account.suId', '=', 'person.suId'),
    )
    .select(['suiStatus', 'account.suStatus'])
    .where('person.schoolId', '=', schoolId)
    .where('person.suId', '=', suId)
    .executeTakeFirstOrThrow()
  return row.suiStatus + row.suStatus
}
const setStatus = ({ ctx, schoolId }: TestSchool, suId: string, suiStatus: string) =>
  ctx.db.updateTable('person').set({ suiStatus }).where('schoolId', '=', schoolId).where('suId', '=', suId).execute()

describe('a preview', () => {
  test('says who meets the requirement and who misses what, as their transcripts do, and changes nobody', async () => {
    const { school, place, earn, passing, failing } = await world()
    await passing(2)
    const [half, none, away] = await failing(3)
    await earn(half!.suId, 'SXCL', 799)
    await earn(half!.suId, 'ZYGY', 900)
    await setStatus(school, away!.suId, studentStatus.suspended)
    await school.students(1, { ...place, suiGrade: '2021' })
    const found = await preview(school)
    expect(found).toMatchObject({
      gradeList: [grade],
      total: 4,
      met: 2,
      unmet: 2,
      requiredHours: '12',
      shortModules: [
        { lsName: '思想成长', required: '8', count: 2 },
        { lsName: '志愿公益', required: '4', count: 1 },
      ],
      skipped: [{ suiStatus: studentStatus.suspended, count: 1 }],
    })
    const rows = await school.admin.send(graduationApi.rows, { gbId: found.previewToken, met: '0', ...all })
    const gapsOf = (suId: string) =>
      rows.records
        .find((row) => row.suId === suId)!
        .gaps.map(({ lsName, required, have }) => `${lsName} ${have}/${required}`)
    expect(rows.total).toBe(2)
    expect(gapsOf(half!.suId)).toEqual(['思想成长 7.99/8'])
    expect(gapsOf(none!.suId)).toEqual(['思想成长 0/8', '志愿公益 0/4'])
    const transcripts = await school.admin.send(transcriptApi.list, { grade, ...all })
    const everybody = await school.admin.send(graduationApi.rows, { gbId: found.previewToken, ...all })
    for (const { suId, met, hours } of everybody.records)
      expect(transcripts.records.find((row) => row.suId === suId)).toMatchObject({ pass: met, totalHours: hours })
    expect(
      (await school.admin.send(graduationApi.rows, { gbId: found.previewToken, search: half!.suiNumber })).records,
    ).toMatchObject([{ met: false, statusBefore: studentStatus.enrolled, statusAfter: null }])
    const { lines } = await sheetIn(
      (await school.admin.download(graduationApi.exportRows, { gbId: found.previewToken, met: '0' })).bytes,
    )
    expect(
      lines
        .slice(1)
        .map(({ cells }) => String(cells[8]))
        .toSorted(),
    ).toEqual(['思想成长 0/8；志愿公益 0/4', '思想成长 7.99/8'])
    expect((await school.admin.send(studentApi.list, { suiStatus: studentStatus.graduated })).total).toBe(0)
    expect((await school.admin.send(graduationApi.batches, {})).total).toBe(0)
  })

  test('takes years and colleges, and says so where nobody is there', async () => {
    const { school, place, failing } = await world()
    await failing(1)
    const other = await school.college()
    expect(await school.admin.ask(graduationApi.preview, { gradeList: [grade], collegeIds: [other] })).toMatchObject({
      reason: 'no-graduates',
    })
    expect(
      (await preview(school, { collegeIds: [other, place.suiCollegeId], gradeList: `2019, ${grade}` })).total,
    ).toBe(1)
    for (const gradeList of [[], ['22'], ['2022', '20223']])
      expect(await school.admin.ask(graduationApi.preview, { gradeList })).toMatchObject({
        code: 300,
        reason: 'invalid-input',
      })
  })

  test('is for its own maker, for half an hour, and for these years', async () => {
    const { school, failing } = await world()
    await failing(1)
    const colleague = await school.person('SCHOOL_ADMIN')
    const { previewToken } = await preview(school)
    expect(await school.admin.ask(graduationApi.graduate, { gradeList: [grade] })).toMatchObject({
      reason: 'graduation-preview-first',
      msg: '请先预览毕业名单',
    })
    expect(await colleague.client.ask(graduationApi.graduate, { gradeList: [grade], previewToken })).toMatchObject({
      reason: 'graduation-preview-first',
    })
    expect(await colleague.client.ask(graduationApi.rows, { gbId: previewToken })).toMatchObject({ status: 404 })
    expect(await school.admin.ask(graduationApi.graduate, { gradeList: ['2021'], previewToken })).toMatchObject({
      errors: [{ field: 'gradeList' }],
    })
    school.clock.travel(31 * 60)
    const again = await signIn(school.address, school.schoolId, 'admin', 'Test-2026!x')
    expect(await again.ask(graduationApi.graduate, { gradeList: [grade], previewToken })).toMatchObject({
      reason: 'graduation-preview-old',
    })
    await again.send(graduationApi.preview, { gradeList: [grade] })
    expect(await again.ask(graduationApi.graduate, { gradeList: [grade], previewToken })).toMatchObject({
      reason: 'graduation-preview-first',
    })
  })

  test.each([
    ['somebody more', (w: Awaited<ReturnType<typeof world>>) => w.failing(1)],
    [
      'somebody on leave',
      (w: Awaited<ReturnType<typeof world>>, suId: string) => setStatus(w.school, suId, studentStatus.suspended),
    ],
    [
      'hours enough',
      (w: Awaited<ReturnType<typeof world>>, suId: string) =>
        Promise.all([w.earn(suId, 'SXCL', 800), w.earn(suId, 'ZYGY', 400)]),
    ],
  ])('is void once there is %s', async (_, change) => {
    const w = await world()
    const { school } = w
    await w.passing(1)
    const [student] = await w.failing(1)
    const { previewToken } = await preview(school)
    await change(w, student!.suId)
    expect(await school.admin.ask(graduationApi.graduate, { gradeList: [grade], previewToken })).toMatchObject({
      reason: 'graduation-changed',
      msg: expect.stringContaining('1 名学生'),
    })
    expect((await school.admin.send(studentApi.list, { suiStatus: studentStatus.graduated })).total).toBe(0)
  })

  test('still holds where somebody got hours that decide nothing', async () => {
    const { school, earn, passing, failing } = await world()
    const [good] = await passing(1)
    const [bad] = await failing(1)
    const { previewToken } = await preview(school)
    await earn(good!.suId, 'SXCL', 100)
    await earn(bad!.suId, 'SXCL', 100)
    expect(await school.admin.send(graduationApi.graduate, { gradeList: [grade], previewToken })).toMatchObject({
      graduated: 1,
      delayed: 1,
    })
    expect(
      (await school.admin.send(graduationApi.rows, { gbId: previewToken, search: bad!.suiNumber })).records[0],
    ).toMatchObject({ hours: '1', statusAfter: studentStatus.delayed })
  })
})

describe('graduation', () => {
  test('makes graduates of those who meet the requirement, delays the others, and lets graduates read', async () => {
    const { school, place, passing, failing, earn } = await world()
    const [good] = await passing(1)
    const [bad, late] = await failing(2)
    await setStatus(school, late!.suId, studentStatus.delayed)
    const signed = await school.person('LEAGUE_SEC', [{ caType: 'class', caTarget: place.scClassId }], {
      suiType: personType.student,
    })
    await school.ctx.db.updateTable('person').set(place).where('suId', '=', signed.suId).execute()
    for (const module of ['SXCL', 'ZYGY'] as const) await earn(signed.suId, module, 800)
    expect((await signed.client.ask(sessionApi.landLoad)).code).toBe(200)
    const { previewToken } = await preview(school)
    const done = await school.admin.send(graduationApi.graduate, {
      gradeList: [grade],
      previewToken,
      reason: '2026 届',
    })
    expect(done).toMatchObject({
      gbId: previewToken,
      gbNo: expect.stringMatching(/^BY\d{8}-001$/),
      graduated: 2,
      delayed: 2,
    })
    expect(await Promise.all([good!, signed, bad!, late!].map(({ suId }) => statusOf(school, suId)))).toEqual([
      '41',
      '41',
      '51',
      '51',
    ])
    expect((await signed.client.ask(sessionApi.landLoad)).code).toBe(200)
    await signIn(school.address, school.schoolId, signed.suiNumber, 'Test-2026!x')
    const {
      records: [batch],
    } = await school.admin.send(graduationApi.batches, {})
    expect(batch).toMatchObject({
      gbNo: done.gbNo,
      grades: [grade],
      total: 4,
      graduateCount: 2,
      delayCount: 2,
      unmetGraduated: 0,
      createName: '管理员',
      reason: '2026 届',
      can: ['undo'],
    })
    const trail = await school.ctx.db
      .selectFrom('auditLog')
      .select(['action', 'bizId', 'before', 'after'])
      .where('schoolId', '=', school.schoolId)
      .where('bizType', '=', 'person')
      .execute()
    expect(trail.find(({ bizId }) => bizId === good!.suId)).toMatchObject({
      action: '毕业',
      before: { suiStatus: studentStatus.enrolled },
      after: { suiStatus: studentStatus.graduated },
    })
    expect(trail.find(({ bizId }) => bizId === bad!.suId)).toMatchObject({
      action: '延期毕业',
      after: { suiStatus: studentStatus.delayed },
    })
    expect(trail.some(({ bizId }) => bizId === late!.suId)).toBe(false)
  })

  test('of everybody asks for the word', async () => {
    const { school, passing, failing } = await world()
    await passing(1)
    await failing(1)
    const { previewToken } = await preview(school)
    const input = { gradeList: [grade], previewToken, unmet: 'graduate' as const }
    for (const confirmText of [undefined, '毕业', '全部毕业吧'])
      expect(await school.admin.ask(graduationApi.graduate, { ...input, confirmText })).toMatchObject({
        errors: [{ field: 'confirmText' }],
      })
    expect(await school.admin.send(graduationApi.graduate, { ...input, confirmText: '全部毕业' })).toMatchObject({
      graduated: 2,
      delayed: 0,
    })
    expect((await school.admin.send(graduationApi.batches, {})).records[0]).toMatchObject({ unmetGraduated: 1 })
  })

  test('happens once, however often it is sent, and two previews of the same students do not both', async () => {
    const { school, passing } = await world()
    const people = await passing(3)
    const colleague = await school.person('SCHOOL_ADMIN')
    const [mine, theirs] = [
      await preview(school),
      await colleague.client.send(graduationApi.preview, { gradeList: [grade] }),
    ]
    const replies = await Promise.all([
      ...Array.from({ length: 5 }, () =>
        school.admin.ask(graduationApi.graduate, { gradeList: [grade], previewToken: mine.previewToken }),
      ),
      colleague.client.ask(graduationApi.graduate, { gradeList: [grade], previewToken: theirs.previewToken }),
    ])
    expect(replies.filter(({ code }) => code === 200)).toHaveLength(1)
    expect(
      replies
        .filter(({ code }) => code !== 200)
        .every(({ reason }) => ['graduation-done', 'graduation-changed'].includes(reason!)),
    ).toBe(true)
    const trail = await school.ctx.db
      .selectFrom('auditLog')
      .select('bizId')
      .where('schoolId', '=', school.schoolId)
      .where('action', '=', '毕业')
      .execute()
    expect(trail.map(({ bizId }) => bizId).toSorted()).toEqual(people.map(({ suId }) => suId).toSorted())
  })

  test('is the school’s alone, keeps to the reach, and spares who carries it out', async () => {
    const { school, place, passing } = await world()
    await passing(1)
    const college = await school.person('COLLEGE_LEAGUE', [{ caType: 'college', caTarget: place.suiCollegeId }])
    expect(await college.client.ask(graduationApi.preview, { gradeList: [grade] })).toMatchObject({ status: 403 })
    await school.ctx.db
      .updateTable('role')
      .set({ permits: ['student:graduate', 'student:list'] })
      .where('schoolId', '=', school.schoolId)
      .where('srCode', '=', 'COUNSELOR')
      .execute()
    const elsewhere = await school.person('COUNSELOR', [{ caType: 'college', caTarget: await school.college() }])
    expect(await elsewhere.client.ask(graduationApi.preview, { gradeList: [grade] })).toMatchObject({
      reason: 'no-graduates',
    })
    const student = await school.person('SCHOOL_ADMIN', [], { suiType: personType.student })
    await school.ctx.db.updateTable('person').set(place).where('suId', '=', student.suId).execute()
    const { previewToken } = await student.client.send(graduationApi.preview, { gradeList: [grade] })
    expect(
      await student.client.ask(graduationApi.graduate, {
        gradeList: [grade],
        previewToken,
        unmet: 'graduate',
        confirmText: '全部毕业',
      }),
    ).toMatchObject({ reason: 'own-graduation' })
    const over = await school.person('COUNSELOR', [{ caType: 'college', caTarget: place.suiCollegeId }])
    const theirs = await over.client.send(graduationApi.preview, { gradeList: [grade] })
    expect(
      await over.client.ask(graduationApi.graduate, {
        gradeList: [grade],
        previewToken: theirs.previewToken,
        unmet: 'graduate',
        confirmText: '全部毕业',
      }),
    ).toMatchObject({ reason: 'outranks-you' })
    expect((await school.admin.send(studentApi.list, { suiStatus: studentStatus.graduated })).total).toBe(0)
  })

  test('of thousands is one action', async () => {
    const { school, place } = await world()
    const people = await school.students(5200, place)
    const { previewToken, total } = await preview(school)
    expect(total).toBe(5200)
    expect(
      await school.admin.send(graduationApi.graduate, {
        gradeList: [grade],
        previewToken,
        unmet: 'graduate',
        confirmText: '全部毕业',
      }),
    ).toMatchObject({ graduated: 5200 })
    expect(
      (
        await school.admin.send(studentApi.list, {
          suiStatus: studentStatus.graduated,
          suStatus: accountStatus.active,
        })
      ).total,
    ).toBe(5200)
    expect(await school.admin.send(graduationApi.undo, { gbId: previewToken, reason: '选错了年级' })).toEqual({
      affected: 5200,
      kept: 0,
      failed: [],
    })
    expect(
      (await school.admin.send(studentApi.list, { suiStatus: studentStatus.enrolled, suStatus: accountStatus.active }))
        .total,
    ).toBe(people.length)
  }, 60_000)
})

describe('taking back', () => {
  const reason = '名单有误，重新办理'

  test('makes everybody what they were, except those changed since, who are named', async () => {
    const { school, passing, failing } = await world()
    const [plain, off, moved, switched] = await passing(4)
    const [bad, late] = await failing(2)
    await setStatus(school, late!.suId, studentStatus.delayed)
    await school.ctx.db
      .updateTable('account')
      .set({ suStatus: accountStatus.disabled })
      .where('suId', '=', off!.suId)
      .execute()
    const { previewToken: gbId } = await preview(school)
    await school.admin.send(graduationApi.graduate, { gradeList: [grade], previewToken: gbId })
    await setStatus(school, moved!.suId, studentStatus.military)
    await school.ctx.db
      .updateTable('account')
      .set({ suStatus: accountStatus.disabled })
      .where('suId', '=', switched!.suId)
      .execute()
    const answer = await school.admin.send(graduationApi.undo, { gbId, reason })
    expect(answer).toMatchObject({ affected: 4, kept: 1 })
    expect(answer.failed.map(({ id, msg }) => [id, msg])).toEqual([[moved!.suId, '学籍状态已改为“参军”']])
    expect(
      await Promise.all([plain!, off!, moved!, switched!, bad!, late!].map(({ suId }) => statusOf(school, suId))),
    ).toEqual(['11', '10', '71', '10', '11', '51'])
    expect((await school.admin.send(graduationApi.batches, {})).records[0]).toMatchObject({
      gbStatus: graduationStatus.undone,
      undoCount: 4,
      undoName: '管理员',
      can: [],
    })
    expect((await school.admin.send(graduationApi.rows, { gbId, search: moved!.suiNumber })).records[0]).toMatchObject({
      keptWhy: '学籍状态已改为“参军”',
    })
    expect(await school.admin.ask(graduationApi.undo, { gbId, reason })).toMatchObject({ reason: 'graduation-undone' })
    const next = await preview(school)
    expect(
      await school.admin.send(graduationApi.graduate, { gradeList: [grade], previewToken: next.previewToken }),
    ).toMatchObject({ gbNo: expect.stringMatching(/-002$/), graduated: 3 })
  })

  test('happens once, within thirty days, and never to a preview or another school’s', async () => {
    const { school, passing } = await world()
    await passing(2)
    const { previewToken: gbId } = await preview(school)
    expect(await school.admin.ask(graduationApi.undo, { gbId, reason })).toMatchObject({ status: 404 })
    await school.admin.send(graduationApi.graduate, { gradeList: [grade], previewToken: gbId })
    expect(await (await newSchool()).admin.ask(graduationApi.undo, { gbId, reason })).toMatchObject({ status: 404 })
    expect(await school.admin.ask(graduationApi.undo, { gbId: newId(), reason })).toMatchObject({ status: 404 })
    await school.ctx.db
      .updateTable('graduationBatch')
      .set({ doneTime: '2026-01-01 08:00:00' })
      .where('schoolId', '=', school.schoolId)
      .where('gbId', '=', gbId)
      .execute()
    expect(await school.admin.ask(graduationApi.undo, { gbId, reason })).toMatchObject({
      reason: 'graduation-undo-late',
    })
    await school.ctx.db
      .updateTable('graduationBatch')
      .set({ doneTime: school.clock.now() })
      .where('schoolId', '=', school.schoolId)
      .where('gbId', '=', gbId)
      .execute()
    const replies = await Promise.all([1, 2, 3].map(() => school.admin.ask(graduationApi.undo, { gbId, reason })))
    expect(replies.map(({ code, reason: why }) => (code === 200 ? 'ok' : why)).toSorted()).toEqual([
      'graduation-undone',
      'graduation-undone',
      'ok',
    ])
  })

  test('is refused where nobody is left as they were made', async () => {
    const { school, passing } = await world()
    const [one] = await passing(1)
    const { previewToken: gbId } = await preview(school)
    await school.admin.send(graduationApi.graduate, { gradeList: [grade], previewToken: gbId })
    await setStatus(school, one!.suId, studentStatus.enrolled)
    expect(await school.admin.ask(graduationApi.undo, { gbId, reason })).toMatchObject({
      reason: 'graduation-all-changed',
    })
    expect((await school.admin.send(graduationApi.batches, {})).records[0]).toMatchObject({
      gbStatus: graduationStatus.done,
    })
  })
})
