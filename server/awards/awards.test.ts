import { describe, expect, test } from 'vitest'
import { awardApi } from '../../contract/awards/awards.calls.ts'
import { newId } from '../core/ids.ts'
import { newSchool, unique, type TestSchool } from '../testing/school.ts'

const grades = () => ({ atName: `等级奖${unique()}`, atType: '1' as const, details: [{ adName: '一等奖', hours: '2', credit: '0.25', points: '20', quotaType: '1' as const, quota: 3 }, { adName: '二等奖', hours: '1.5', needProof: '1' }] })
const stored = (school: TestSchool, atId: string) => school.services.db.selectFrom('awardDetail').select(['adId', 'adName', 'adSort', 'delFlag', 'hours']).where('atId', '=', atId).orderBy('delFlag').orderBy('adSort').execute()

/** A course with the template, in which somebody holds an award. */
async function giveAward(school: TestSchool, atId: string, adId: string) {
  const { schoolId, services } = school
  const lesson = { schoolId, liId: newId(), liNo: unique(), liName: '课程', lsId: school.curriculum['SXCL']!, lsPath: [school.curriculum['SXCL']!], liLevel: '5', liPrincipalId: school.adminId, quota: 10, startTime: '2030-01-01 08:00:00', endTime: '2030-01-01 10:00:00', atId }
  await services.db.insertInto('lesson').values(lesson).execute()
  await services.db.insertInto('registration').values({ schoolId, laId: newId(), liId: lesson.liId, suId: school.adminId, adId }).execute()
  return lesson.liId
}

describe('templates', () => {
  test('are added, listed and shown with their awards in order', async () => {
    const { admin } = await newSchool()
    const form = grades()
    const { atId } = await admin.send(awardApi.add, form)
    const page = await admin.send(awardApi.list, { atName: form.atName })
    expect(page.records).toMatchObject([{ atId, awardNames: ['一等奖', '二等奖'], usedCount: 0, can: ['edit', 'delete'] }])
    const detail = await admin.send(awardApi.detail, { atId })
    expect(detail.details).toMatchObject([
      { adName: '一等奖', hours: '2', credit: '0.25', points: '20', quotaType: '1', quota: 3, needProof: '0', adSort: 0 },
      { adName: '二等奖', hours: '1.5', credit: '0', quotaType: '0', quota: null, needProof: '1', adSort: 1 },
    ])
    expect((await admin.send(awardApi.select, {})).map((row) => row.atId)).toContain(atId)
  })

  test.each([
    ['no award', { details: [] }, 'details', '请至少添加一个奖项'],
    ['a name twice', { details: [{ adName: '甲' }, { adName: '甲' }] }, 'details.1.adName', '奖项“甲”重复'],
    ['a quota without number', { details: [{ adName: '甲', quotaType: '1' }] }, 'details.0.quota', '请填写名额'],
    ['more than all', { details: [{ adName: '甲', quotaType: '2', quota: 101 }] }, 'details.0.quota', '占比不能超过 100%'],
    ['no name', { atName: '', details: [{ adName: '甲' }] }, 'atName', '请输入模板名称'],
  ])('%s is refused at the field', async (_, change, field, msg) => {
    const { admin } = await newSchool()
    expect((await admin.ask(awardApi.add, { ...grades(), ...change })).errors).toEqual([{ field, msg }])
  })

  test('have names of their own', async () => {
    const { admin } = await newSchool()
    const form = grades()
    await admin.send(awardApi.add, form)
    expect((await admin.ask(awardApi.add, form)).msg).toBe(`奖励模板“${form.atName}”已存在`)
  })
})

describe('editing', () => {
  test('swaps names, adds and drops rows, and refuses a stale version', async () => {
    const school = await newSchool()
    const { admin } = school
    const form = grades()
    const { atId } = await admin.send(awardApi.add, form)
    const [first, second] = (await admin.send(awardApi.detail, { atId })).details
    const edit = { ...form, atId, version: 0, details: [{ adId: second!.adId, adName: '一等奖', hours: '3' }, { adId: first!.adId, adName: '二等奖' }, { adName: '三等奖' }] }
    await admin.send(awardApi.edit, edit)
    expect((await admin.send(awardApi.detail, { atId })).details.map(({ adId, adName }) => [adId, adName]).slice(0, 2)).toEqual([[second!.adId, '一等奖'], [first!.adId, '二等奖']])
    expect((await admin.ask(awardApi.edit, edit)).reason).toBe('stale-version')
    await admin.send(awardApi.edit, { ...edit, version: 1, details: [{ adName: '优秀奖' }] })
    expect(await stored(school, atId)).toMatchObject([{ adName: '优秀奖', delFlag: '0' }])
  })

  test('an award somebody holds is kept out of sight, and its name may be used again', async () => {
    const school = await newSchool()
    const { admin } = school
    const form = grades()
    const { atId } = await admin.send(awardApi.add, form)
    const [first] = (await admin.send(awardApi.detail, { atId })).details
    const liId = await giveAward(school, atId, first!.adId)
    await admin.send(awardApi.edit, { ...form, atId, version: 0, details: [{ adName: '一等奖', hours: '9' }] })
    const rows = await stored(school, atId)
    expect(rows).toMatchObject([{ adName: '一等奖', delFlag: '0', hours: 900 }, { adId: first!.adId, adName: '一等奖', delFlag: '1', hours: 200 }])
    expect((await admin.send(awardApi.ofLesson, { liId })).map(({ hours }) => hours)).toEqual(['9'])
    expect((await admin.ask(awardApi.remove, { atIds: [atId] })).msg).toBe('已有 1 门课程采用该奖励模板，不能删除')
    expect((await admin.send(awardApi.list, {})).records.find((row) => row.atId === atId)).toMatchObject({ usedCount: 1, can: ['edit'] })
  })

  test('an award of another template is not taken over', async () => {
    const { admin } = await newSchool()
    const one = await admin.send(awardApi.add, grades())
    const form = grades()
    const two = await admin.send(awardApi.add, form)
    const [foreign] = (await admin.send(awardApi.detail, { atId: one.atId })).details
    expect((await admin.ask(awardApi.edit, { ...form, atId: two.atId, version: 0, details: [{ adId: foreign!.adId, adName: '抢' }] })).reason).toBe('not-found')
    expect((await admin.send(awardApi.detail, { atId: one.atId })).details[0]!.adName).toBe('一等奖')
  })
})

test('deleting takes the awards along; another school’s template does not exist', async () => {
  const [school, other] = [await newSchool(), await newSchool()]
  const { atId } = await school.admin.send(awardApi.add, grades())
  expect((await other.admin.ask(awardApi.remove, { atIds: [atId] })).reason).toBe('not-found')
  expect((await other.admin.ask(awardApi.detail, { atId })).status).toBe(404)
  expect(await school.admin.send(awardApi.remove, { atIds: [atId] })).toEqual({ affected: 1 })
  expect(await stored(school, atId)).toEqual([])
})
