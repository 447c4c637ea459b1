import sharp from 'sharp'
import { beforeAll, describe, expect, test } from 'vitest'
import { holidayKind } from '../../../contract/core/codes/school.ts'
import { auditApi } from '../../../contract/school/audit/audit.calls.ts'
import { fileApi } from '../../../contract/platform/files/files.calls.ts'
import { schoolApi } from '../../../contract/school/school/school.calls.ts'
import { schoolInfoApi } from '../../../contract/school/school/school-info.calls.ts'
import { settingDefaults } from '../../../contract/school/school/setting-values.ts'
import { transcriptApi } from '../../../contract/outcomes/transcripts/transcripts.calls.ts'
import type { Client } from '../../testing/client.ts'
import { grantRecord, oneClass } from '../../testing/ledger.ts'
import { newSchool, type TestPerson, type TestSchool } from '../../testing/school.ts'
import { inTransaction } from '../../core/request/transaction.ts'
import { schoolSettings } from './settings.service.ts'
import { storeLesson } from '../../testing/stored-lesson.ts'

let school: TestSchool
/** May look at everything and change nothing. */
let reviewer: TestPerson
let teacher: TestPerson
beforeAll(async () => {
  school = await newSchool()
  reviewer = await school.person('SCHOOL_AUDIT')
  teacher = await school.person('GUIDE_TEACHER')
})

/** What happened to the school, newest first. */
const history = async ({ admin }: TestSchool) =>
  (await admin.send(auditApi.timeline, { bizType: 'school', pageSize: 100 })).records

const picture = async (client: Client, name: string, background = '#c02030') => {
  const bytes = await sharp({ create: { width: 300, height: 200, channels: 3, background } })
    .png()
    .toBuffer()
  return (await client.upload(fileApi.upload, { name, bytes }, { kind: 'image' })).data.fileId
}

describe('the profile', () => {
  test('is shown whole, checked field by field, and changed in its own version', async () => {
    const { admin } = school
    const before = await admin.send(schoolInfoApi.profile, {})
    expect(before).toMatchObject({
      schName: `测试大学${school.schoolId}`,
      schCode: '',
      hasSeal: false,
      isGydx: '0',
      can: ['edit', 'seal'],
    })
    const { version } = before
    expect(
      (await admin.ask(schoolInfoApi.saveProfile, { version, schName: '', schCode: '1099', phone: '电话' })).errors,
    ).toEqual([
      { field: 'schName', msg: '请输入学校名称' },
      { field: 'schCode', msg: '学校代码须为教育部公布的 5 位数字' },
      { field: 'phone', msg: '联系电话格式不正确' },
    ])
    const logoFileId = await picture(admin, '校标.png')
    const saved = await admin.send(schoolInfoApi.saveProfile, {
      version,
      schName: '改名大学',
      schCode: '10999',
      schMotto: '求实',
      phone: '025-1234567',
      logoFileId,
      isGydx: '1',
    })
    expect(await admin.send(schoolInfoApi.profile, {})).toMatchObject({
      schName: '改名大学',
      schCode: '10999',
      address: '',
      logoFileId,
      isGydx: '1',
      isYkdx: '0',
      version: saved.version,
    })
    expect(await admin.send(schoolApi.isGydx, {})).toEqual({ isGydx: true })
    expect(await admin.ask(schoolInfoApi.saveProfile, { version, schName: '旧页面' })).toMatchObject({ status: 409 })
    const face = await school.nobody.send(schoolApi.bySchoolId, { schoolId: school.schoolId })
    expect(face).toMatchObject({
      schName: '改名大学',
      logo: expect.stringMatching(/^data:image\/png;base64,/) as string,
      loginBg: null,
    })
    expect(await sharp(Buffer.from(face.logo!.split(',')[1]!, 'base64')).metadata()).toMatchObject({
      width: 128,
      height: 85,
    })
    const trail = await history(school)
    expect(trail).toHaveLength(1)
    expect(trail[0]).toMatchObject({ action: '修改学校资料', actorName: '管理员' })
    expect(trail[0]!.changes).toEqual(
      expect.arrayContaining([
        { label: '学校代码', before: '', after: '10999' },
        { label: '启用行业课程表单', before: '停用', after: '启用' },
        { label: '校标', before: '', after: '校标.png' },
      ]),
    )
    expect(trail[0]!.changes.map(({ label }) => label)).not.toContain('地址')
  })

  test('is read by reviewers, changed by administrators only, and unknown to the rest', async () => {
    expect(await reviewer.client.send(schoolInfoApi.profile, {})).toMatchObject({ can: [] })
    for (const call of [
      schoolInfoApi.saveProfile,
      schoolInfoApi.saveTerm,
      schoolInfoApi.saveHolidays,
      schoolInfoApi.saveSettings,
    ])
      expect(await reviewer.client.ask(call, {})).toMatchObject({ status: 403 })
    for (const call of [schoolInfoApi.profile, schoolInfoApi.settings, schoolInfoApi.terms, schoolInfoApi.seal])
      expect(await teacher.client.ask(call, {})).toMatchObject({ status: 403 })
  })

  test('the seal is for those who may set it, on screen and on paper', async () => {
    const { admin } = school
    const { version, logoFileId } = await admin.send(schoolInfoApi.profile, {})
    const sealFileId = await picture(admin, '公章.png', '#d00000')
    const rest = { schName: '改名大学', schCode: '10999' }
    expect(
      await admin.ask(schoolInfoApi.saveProfile, { version, ...rest, logoFileId: sealFileId, sealFileId }),
    ).toMatchObject({ errors: [{ field: 'sealFileId' }] })
    const saved = await admin.send(schoolInfoApi.saveProfile, {
      version,
      ...rest,
      ...(logoFileId && { logoFileId }),
      sealFileId,
    })
    expect((await admin.download(schoolInfoApi.seal)).type).toBe('image/png')
    expect((await admin.fetch(fileApi.view, { id: sealFileId })).status, 'the common call never gives it').toBe(404)
    expect((await admin.fetch(schoolInfoApi.seal, { id: await picture(admin, '新公章.png') })).status).toBe(200)
    expect(await reviewer.client.ask(auditApi.timeline, { bizType: 'school' })).toMatchObject({ code: 200 })
    expect(await teacher.client.ask(auditApi.timeline, { bizType: 'school' })).toMatchObject({ status: 404 })
    expect(await admin.ask(auditApi.timeline, { bizType: 'lesson' })).toMatchObject({ errors: [{ field: 'bizId' }] })
    expect(await reviewer.client.send(schoolInfoApi.profile, {})).toMatchObject({ sealFileId: null, hasSeal: true })
    expect(await reviewer.client.ask(schoolInfoApi.seal)).toMatchObject({ status: 403 })
    expect((await reviewer.client.fetch(fileApi.view, { id: sealFileId })).status).toBe(404)
    // somebody who may edit but not see the seal leaves it as it is
    await school.ctx.db
      .updateTable('role')
      .set({ permits: ['school:list', 'school:edit'] })
      .where('schoolId', '=', school.schoolId)
      .where('srCode', '=', 'DATA_VIEWER')
      .execute()
    const editor = await school.person('DATA_VIEWER')
    const again = await editor.client.send(schoolInfoApi.saveProfile, {
      version: saved.version,
      ...rest,
      ...(logoFileId && { logoFileId }),
    })
    expect(
      await editor.client.ask(schoolInfoApi.saveProfile, {
        version: again.version,
        ...rest,
        sealFileId: await picture(editor.client, '假章.png'),
      }),
    ).toMatchObject({ status: 403 })
    expect(await admin.send(schoolInfoApi.profile, {})).toMatchObject({ sealFileId })

    const [student] = await (await oneClass(school)).students(1)
    await grantRecord(school, student!, { name: '讲座', module: 'SXCL', on: '2026-03-05', hours: 200 })
    const images = async (client: Client) =>
      (await client.download(transcriptApi.export, { suIds: [student!.suId] })).bytes
        .toString('latin1')
        .split('/Subtype /Image').length - 1
    const whole = await school.person('COUNSELOR', [
      {
        caType: 'class',
        caTarget: (
          await school.ctx.db
            .selectFrom('person')
            .select('scClassId')
            .where('suId', '=', student!.suId)
            .executeTakeFirstOrThrow()
        ).scClassId!,
      },
    ])
    expect((await images(admin)) - (await images(whole.client))).toBe(1)
  })
})

describe('terms', () => {
  test('a new school has those of two years; they never share a day or a name', async () => {
    const fresh = await newSchool()
    const { admin } = fresh
    const { records, total } = await admin.send(schoolInfoApi.terms, {})
    expect(total).toBe(4)
    expect(records.filter(({ phase }) => phase === 'now')).toHaveLength(1)
    const [latest] = records
    const year = Number(latest!.tmEnd.slice(0, 4))
    const form = { tmName: '短学期', tmStart: `${year + 1}-07-01`, tmEnd: `${year + 1}-07-31` }
    const ask = (input: object) => admin.ask(schoolInfoApi.saveTerm, input)
    expect(await ask({ ...form, tmEnd: form.tmStart })).toMatchObject({
      errors: [{ field: 'tmEnd', msg: '结束日期必须晚于开始日期' }],
    })
    expect(await ask({ ...form, tmEnd: `${year + 3}-07-31` })).toMatchObject({
      errors: [{ field: 'tmEnd', msg: '一个学期不能超过一年' }],
    })
    expect(await ask({ ...form, tmName: latest!.tmName })).toMatchObject({
      errors: [{ field: 'tmName', msg: `学期“${latest!.tmName}”已存在` }],
    })
    expect(await ask({ ...form, tmStart: latest!.tmEnd })).toMatchObject({
      code: 300,
      reason: 'term-overlap',
      errors: [{ field: 'tmStart' }],
    })
    const { tmId } = await admin.send(schoolInfoApi.saveTerm, form)
    const many = await Promise.all(
      Array.from({ length: 8 }, (_, n) =>
        ask({ tmName: `并发${n}`, tmStart: `${year + 2}-0${n + 1}-01`, tmEnd: `${year + 2}-0${n + 1}-28` }).then(() =>
          ask({ tmName: `重叠${n}`, tmStart: `${year + 3}-01-01`, tmEnd: `${year + 3}-03-01` }),
        ),
      ),
    )
    expect(many.filter(({ code }) => code === 200)).toHaveLength(1)
    expect(await ask({ ...form, tmId, version: 3 })).toMatchObject({ status: 409 })
    await admin.send(schoolInfoApi.saveTerm, { ...form, tmId, version: 0, tmName: '夏季短学期' })
    expect((await history(fresh)).find(({ action }) => action === '编辑学期“夏季短学期”')!.changes).toEqual([
      { label: '学期名称', before: '短学期', after: '夏季短学期' },
    ])
  })

  test('one in which courses begin is not removed; others are, all or none', async () => {
    const fresh = await newSchool()
    const { admin } = fresh
    const { records } = await admin.send(schoolInfoApi.terms, {})
    const [used, free] = [records.at(-1)!, records[0]!]
    await storeLesson(fresh, { startTime: `${used.tmEnd} 23:00:00`, endTime: `${used.tmEnd} 23:30:00` })
    expect(await admin.ask(schoolInfoApi.removeTerms, { tmIds: [free.tmId, used.tmId] })).toMatchObject({
      code: 300,
      msg: `学期“${used.tmName}”内已有 1 门课程，不能删除；可修改其名称和起止日期`,
    })
    expect(await admin.send(schoolInfoApi.removeTerms, { tmIds: [free.tmId] })).toEqual({ affected: 1 })
    expect(
      (await admin.send(schoolInfoApi.terms, {})).records.map(({ tmName, lessonCount }) => [tmName, lessonCount]),
    ).toEqual(records.slice(1).map(({ tmName }) => [tmName, tmName === used.tmName ? 1 : 0]))
  })
})

describe('holidays', () => {
  test('a year is entered at once, by ranges; working days follow', async () => {
    const { admin } = school
    const workday = async (from: string, days: number) =>
      (await teacher.client.send(schoolApi.workday, { from, days })).to
    expect(await workday('2030-09-30', 2)).toBe('2030-10-01')
    const ranges = [
      { hdName: '元旦', hdStart: '2030-01-01', hdEnd: '2030-01-01' },
      { hdName: '国庆节', hdStart: '2030-10-01', hdEnd: '2030-10-07' },
      { hdName: '国庆节调休', hdStart: '2030-10-12', hdEnd: '2030-10-12', hdKind: holidayKind.workday },
    ]
    expect(
      await admin.ask(schoolInfoApi.saveHolidays, {
        ranges: [...ranges, { hdName: '重复', hdStart: '2030-10-07', hdEnd: '2030-10-08' }],
      }),
    ).toMatchObject({ errors: [{ field: 'ranges.3.hdStart', msg: '2030-10-07 与“国庆节”重复' }] })
    expect(
      await admin.ask(schoolInfoApi.saveHolidays, {
        ranges: [
          { hdName: '倒置', hdStart: '2030-10-07', hdEnd: '2030-10-01' },
          { hdName: '寒假', hdStart: '2030-01-01', hdEnd: '2030-05-01' },
        ],
      }),
    ).toMatchObject({
      errors: [{ field: 'ranges.0.hdEnd' }, { field: 'ranges.1.hdEnd', msg: '一段假期不能超过 93 天' }],
    })
    expect(await admin.send(schoolInfoApi.saveHolidays, { ranges })).toEqual({ affected: 9 })
    expect(await workday('2030-09-30', 2)).toBe('2030-10-08')
    expect(await workday('2030-10-11', 2)).toBe('2030-10-12')
    await admin.send(schoolInfoApi.saveHolidays, {
      ranges: [{ hdName: '国庆中秋', hdStart: '2030-10-06', hdEnd: '2030-10-08' }],
    })
    const days = await admin.send(schoolInfoApi.holidays, { year: 2030 })
    expect(days).toHaveLength(10)
    expect(days.filter(({ hdName }) => hdName === '国庆中秋').map(({ hdDate }) => hdDate)).toEqual([
      '2030-10-06',
      '2030-10-07',
      '2030-10-08',
    ])
    await admin.send(schoolInfoApi.saveHolidays, {
      replaces: ['2030-10-06', '2030-10-07', '2030-10-08'],
      ranges: [{ hdName: '国庆中秋', hdStart: '2030-10-07', hdEnd: '2030-10-08' }],
    })
    expect(
      (await admin.send(schoolInfoApi.holidays, { year: 2030 }))
        .filter(({ hdName }) => hdName === '国庆中秋')
        .map(({ hdDate }) => hdDate),
    ).toEqual(['2030-10-07', '2030-10-08'])
    expect(
      await admin.send(schoolInfoApi.removeHolidays, { dates: ['2030-10-08', '2030-10-08', '2031-01-01'] }),
    ).toEqual({ affected: 1 })
    expect(await admin.send(schoolInfoApi.holidays, { year: 2031 })).toEqual([])
    const trail = (await history(school)).filter(({ action }) => action.includes('节假日'))
    expect(trail.map(({ action }) => action)).toEqual([
      '删除节假日“国庆中秋”',
      '保存节假日“国庆中秋”',
      '保存节假日“国庆中秋”',
      '保存节假日“元旦、国庆节、国庆节调休”',
    ])
    expect(trail[2]!.changes).toEqual([
      { label: '国庆中秋', before: '', after: '2030-10-06 至 2030-10-08' },
      { label: '国庆节', before: '2030-10-06 至 2030-10-07', after: '' },
    ])
    expect(trail[3]!.changes).toContainEqual({ label: '国庆节调休（上班）', before: '', after: '2030-10-12' })
  })
})

describe('settings', () => {
  test('are kept sparsely, judged together, and leave a trail of what changed', async () => {
    const fresh = await newSchool()
    const { admin, ctx, schoolId } = fresh
    const first = await admin.send(schoolInfoApi.settings, {})
    expect(first).toEqual({ values: settingDefaults, version: 0, can: ['edit'] })
    const save = (version: number, values: object, reason?: string) =>
      admin.ask(schoolInfoApi.saveSettings, { version, values, ...(reason && { reason }) })
    expect(await save(0, { publictyMin: 8 })).toMatchObject({
      errors: [
        { field: 'values.publictyMax', msg: '最长公示期不能短于最短公示期' },
        { field: 'values.publictyDefault' },
      ],
    })
    expect(await save(0, { publictyMin: 0, nothing: 1 })).toMatchObject({ code: 300, reason: 'invalid-input' })
    expect(await save(0, { publictyMin: 2, hoursPerDay: 6, leadDays: 3 }, '校团委〔2026〕3 号')).toMatchObject({
      data: { affected: 2, version: 1 },
    })
    expect(await save(0, { publictyMin: 3 })).toMatchObject({ status: 409 })
    const kept = async () =>
      (await ctx.db.selectFrom('school').select('settings').where('schoolId', '=', schoolId).executeTakeFirstOrThrow())
        .settings
    expect(await kept()).toEqual({ publictyMin: 2, hoursPerDay: '6' })
    expect(await admin.send(schoolApi.rules, {})).toMatchObject({ publictyMin: 2, hoursPerDay: '6', leadDays: 3 })
    expect(await save(1, { publictyMin: 3, hoursPerDay: '6.00' })).toMatchObject({ data: { affected: 1, version: 2 } })
    expect(await kept()).toEqual({ hoursPerDay: '6' })
    expect(await save(2, { hoursPerDay: '6' })).toMatchObject({ data: { affected: 0, version: 2 } })
    await save(2, { certificateHours: [{ level: '5', hours: '0.75' }] })
    const trail = await history(fresh)
    expect(
      trail.map(({ action, reason, actorName, changes }) => ({ action, reason, actorName, changes })).slice(1),
    ).toEqual([
      {
        action: '修改规则设置',
        reason: '',
        actorName: '管理员',
        changes: [{ label: '最短公示期', before: '2 个工作日', after: '3 个工作日' }],
      },
      {
        action: '修改规则设置',
        reason: '校团委〔2026〕3 号',
        actorName: '管理员',
        changes: expect.arrayContaining([
          { label: '最短公示期', before: '3 个工作日', after: '2 个工作日' },
          { label: '每日学时上限', before: '8 学时', after: '6 学时' },
        ]) as unknown,
      },
    ])
    expect(trail[0]!.changes).toEqual([
      {
        label: '志愿证书换算学时',
        before: expect.stringContaining('国家级，学时 2') as string,
        after: '校级，学时 0.75',
      },
    ])
  })

  test('hold from the moment they are saved, and in a transaction as it sees them', async () => {
    const fresh = await newSchool()
    const read = () => schoolSettings(fresh.ctx, fresh.schoolId)
    for (let n = 1; n <= 5; n++) {
      const [, { remindDays }] = await Promise.all([fresh.rules({ remindDays: n }), read()])
      expect([1, 2, 3, 4, 5]).toContain(remindDays)
      expect((await read()).remindDays).toBe(n)
    }
    await inTransaction(fresh.ctx, async (tx) => {
      await tx.db
        .updateTable('school')
        .set({ settings: JSON.stringify({ remindDays: 2 }) })
        .where('schoolId', '=', fresh.schoolId)
        .execute()
      expect((await schoolSettings(tx, fresh.schoolId)).remindDays).toBe(2)
      expect((await read()).remindDays).toBe(5)
    })
  })
})
