import { describe, expect, test } from 'vitest'
import { awardApi } from '../../../contract/rules/awards/awards.calls.ts'
import { enableStatus, yesNo } from '../../../contract/core/codes/platform.ts'
import { resultStatus, signStatus } from '../../../contract/core/codes/programme.ts'
import { awardTier, awardType, quotaType } from '../../../contract/core/codes/rules.ts'
import { lessonApi } from '../../../contract/programme/lessons/lessons.calls.ts'
import { registrationApi } from '../../../contract/programme/lessons/registration.calls.ts'
import { newId } from '../../core/base/ids.ts'
import { lessonWorld } from '../../testing/lessons.ts'
import { newSchool, unique, type TestSchool } from '../../testing/school.ts'
import { storeLesson } from '../../testing/stored-lesson.ts'

const grades = () => ({
  atName: `等级奖${unique()}`,
  atType: awardType.grade,
  details: [
    {
      adName: '一等奖',
      adLevel: awardTier.first,
      abilityFactor: '1.5',
      hours: '2',
      credit: '0.25',
      points: '20',
      quotaType: quotaType.count,
      quota: 3,
    },
    { adName: '二等奖', hours: '1.5', needProof: yesNo.yes },
  ],
})
const stored = (school: TestSchool, atId: string) =>
  school.services.db
    .selectFrom('awardDetail')
    .select(['adId', 'adName', 'adSort', 'delFlag', 'hours'])
    .where('atId', '=', atId)
    .orderBy('delFlag')
    .orderBy('adSort')
    .execute()

/** A course with the template, in which somebody holds an award. */
async function giveAward(school: TestSchool, atId: string, adId: string) {
  const { schoolId, services } = school
  const liId = await storeLesson(school, { atId })
  await services.db
    .insertInto('registration')
    .values({ schoolId, laId: newId(), liId, suId: school.adminId, adId })
    .execute()
  return liId
}

describe('templates', () => {
  test('are added, listed and shown with their awards in order', async () => {
    const { admin } = await newSchool()
    const form = grades()
    const { atId } = await admin.send(awardApi.add, form)
    const page = await admin.send(awardApi.list, { atName: form.atName })
    expect(page.records).toMatchObject([
      { atId, awardNames: ['一等奖', '二等奖'], usedCount: 0, can: ['edit', 'delete'] },
    ])
    const detail = await admin.send(awardApi.detail, { atId })
    expect(detail.details).toMatchObject([
      {
        adName: '一等奖',
        adLevel: awardTier.first,
        hours: '2',
        credit: '0.25',
        points: '20',
        abilityFactor: '1.5',
        quotaType: quotaType.count,
        quota: 3,
        needProof: yesNo.no,
        adSort: 0,
        givenCount: 0,
      },
      {
        adName: '二等奖',
        adLevel: awardTier.ungraded,
        abilityFactor: '1',
        hours: '1.5',
        credit: '0',
        quotaType: quotaType.unlimited,
        quota: null,
        needProof: yesNo.yes,
        adSort: 1,
      },
    ])
    expect((await admin.send(awardApi.select, {})).map((row) => row.atId)).toContain(atId)
  })

  test.each([
    ['no award', { details: [] }, 'details', '请至少添加一个奖项'],
    ['a name twice', { details: [{ adName: '甲' }, { adName: '甲' }] }, 'details.1.adName', '奖项“甲”重复'],
    [
      'a quota without number',
      { details: [{ adName: '甲', quotaType: quotaType.count }] },
      'details.0.quota',
      '请填写名额',
    ],
    [
      'more than all',
      { details: [{ adName: '甲', quotaType: quotaType.percent, quota: 101 }] },
      'details.0.quota',
      '占比不能超过 100%',
    ],
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
    const edit = {
      ...form,
      atId,
      version: 0,
      details: [
        { adId: second!.adId, adName: '一等奖', hours: '3' },
        { adId: first!.adId, adName: '二等奖' },
        { adName: '三等奖' },
      ],
    }
    await admin.send(awardApi.edit, edit)
    expect(
      (await admin.send(awardApi.detail, { atId })).details.map(({ adId, adName }) => [adId, adName]).slice(0, 2),
    ).toEqual([
      [second!.adId, '一等奖'],
      [first!.adId, '二等奖'],
    ])
    expect((await admin.ask(awardApi.edit, edit)).reason).toBe('stale-version')
    await admin.send(awardApi.edit, { ...edit, version: 1, details: [{ adName: '优秀奖' }] })
    expect(await stored(school, atId)).toMatchObject([{ adName: '优秀奖', delFlag: yesNo.no }])
  })

  test('an award somebody holds stays in its template; its worth and its name may change', async () => {
    const school = await newSchool()
    const { admin } = school
    const form = grades()
    const { atId } = await admin.send(awardApi.add, form)
    const [first, second] = (await admin.send(awardApi.detail, { atId })).details
    const liId = await giveAward(school, atId, first!.adId)
    expect((await admin.send(awardApi.detail, { atId })).details.map(({ givenCount }) => givenCount)).toEqual([1, 0])
    expect(
      (await admin.ask(awardApi.edit, { ...form, atId, version: 0, details: [{ adName: '一等奖', hours: '9' }] })).msg,
    ).toBe('奖项“一等奖”已颁发给 1 人，不能从模板中删除')
    expect(await stored(school, atId)).toHaveLength(2)
    await admin.send(awardApi.edit, {
      ...form,
      atId,
      version: 0,
      details: [{ adId: first!.adId, adName: '头奖', hours: '9' }],
    })
    expect((await stored(school, atId)).map(({ adId, adName }) => [adId, adName])).toEqual([[first!.adId, '头奖']])
    expect(second!.adId).not.toBe(first!.adId)
    expect((await admin.send(awardApi.ofLesson, { liId })).map(({ hours }) => hours)).toEqual(['9'])
    expect((await admin.ask(awardApi.remove, { atIds: [atId] })).msg).toBe(
      '已有 1 门课程（含已删除的）采用该奖励模板，不能删除；可改为停用',
    )
    expect((await admin.send(awardApi.list, {})).records.find((row) => row.atId === atId)).toMatchObject({
      usedCount: 1,
      can: ['edit'],
    })
    await school.services.db.updateTable('lesson').set({ delFlag: yesNo.yes }).where('liId', '=', liId).execute()
    expect((await admin.send(awardApi.list, {})).records.find((row) => row.atId === atId)).toMatchObject({
      usedCount: 0,
      can: ['edit'],
    })
  })

  test('of two who save at once one wins and the other is told', async () => {
    const school = await newSchool()
    const { admin } = school
    const other = await school.person('SCHOOL_ADMIN')
    const form = grades()
    const { atId } = await admin.send(awardApi.add, form)
    const edit = (adName: string) => ({ ...form, atId, version: 0, details: [{ adName }] })
    const replies = await Promise.all([
      admin.ask(awardApi.edit, edit('甲')),
      other.client.ask(awardApi.edit, edit('乙')),
    ])
    expect(replies.map(({ code }) => code).toSorted()).toEqual([200, 409])
    expect(replies.find(({ code }) => code === 409)!.msg).toBe('数据已被他人修改，请刷新后重试')
    const winner = replies[0]!.code === 200 ? '甲' : '乙'
    expect((await admin.send(awardApi.detail, { atId })).details.map(({ adName }) => adName)).toEqual([winner])
  })

  test('an award of another template is not taken over', async () => {
    const { admin } = await newSchool()
    const one = await admin.send(awardApi.add, grades())
    const form = grades()
    const two = await admin.send(awardApi.add, form)
    const [foreign] = (await admin.send(awardApi.detail, { atId: one.atId })).details
    expect(
      (
        await admin.ask(awardApi.edit, {
          ...form,
          atId: two.atId,
          version: 0,
          details: [{ adId: foreign!.adId, adName: '抢' }],
        })
      ).reason,
    ).toBe('not-found')
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

describe('ready-made templates', () => {
  test('are added as they were shown, without what the school has, and once of two who add at once', async () => {
    const school = await newSchool()
    const { admin } = school
    await admin.send(awardApi.add, { ...grades(), atName: '名次奖' })
    const ready = await admin.send(awardApi.ready, {})
    expect(ready.map(({ atName, exists, details }) => [atName, exists, details.length])).toEqual([
      ['等级奖', false, 6],
      ['名次奖', true, 8],
      ['金银铜奖', false, 3],
      ['荣誉称号', false, 6],
      ['合格制', false, 4],
      ['任职考核', false, 4],
    ])
    expect(ready[0]!.details[1]).toMatchObject({
      adName: '一等奖',
      adLevel: awardTier.first,
      hours: '3',
      abilityFactor: '1.5',
      quotaType: quotaType.percent,
      quota: 5,
      needProof: yesNo.no,
    })
    expect(ready[3]!.details[0]).toMatchObject({ quotaType: quotaType.unlimited, quota: null, needProof: yesNo.yes })
    const other = await school.person('SCHOOL_ADMIN')
    const ids = ready.map(({ readyId }) => readyId)
    const replies = await Promise.all([admin, other.client].map((client) => client.ask(awardApi.addReady, { ids })))
    expect(replies.map(({ code, msg }) => [code, msg]).toSorted()).toEqual([
      [200, expect.anything()],
      [300, '所选模板本校都已有同名模板，没有可添加的'],
    ])
    const { records } = await admin.send(awardApi.list, { pageSize: 50 })
    expect(records).toHaveLength(6)
    const title = records.find(({ atName }) => atName === '荣誉称号')!
    const shown = ({ adId: _, adSort: __, givenCount: ___, ...row }: Awaited<ReturnType<typeof detailOf>>[number]) =>
      row
    const detailOf = async (atId: string) => (await admin.send(awardApi.detail, { atId })).details
    expect((await detailOf(title.atId)).map(shown)).toEqual(ready[3]!.details)
    expect((await admin.ask(awardApi.addReady, { ids: ['none'] })).reason).toBe('not-found')
  })

  test('templates close and open, and closed ones are not offered in the course form', async () => {
    const { admin } = await newSchool()
    const { atId } = await admin.send(awardApi.add, grades())
    const offered = async () => (await admin.send(awardApi.select, {})).length
    expect(await offered()).toBe(1)
    expect(await admin.send(awardApi.enable, { atIds: [atId], enable: enableStatus.disabled })).toEqual({ affected: 1 })
    expect(await admin.send(awardApi.enable, { atIds: [atId], enable: enableStatus.disabled })).toEqual({ affected: 0 })
    expect(await offered()).toBe(0)
    expect((await admin.send(awardApi.detail, { atId })).version).toBe(1)
  })
})

describe('courses', () => {
  test('are found by their template, keep one that was closed since and may not choose it anew', async () => {
    const world = await lessonWorld()
    const {
      school: { admin },
      teacher: { client },
      atId,
    } = world
    const { liId, version } = await client.send(lessonApi.save, world.form({ atId }))
    await client.send(lessonApi.save, world.form({ atId: undefined }))
    expect((await admin.send(lessonApi.view, { atId })).records.map((row) => row.liId)).toEqual([liId])
    await admin.send(awardApi.enable, { atIds: [atId], enable: enableStatus.disabled })
    expect((await client.ask(lessonApi.save, world.form({ atId }))).errors).toEqual([
      { field: 'atId', msg: '所选奖励模板不存在或已停用' },
    ])
    expect(
      (await client.ask(lessonApi.save, { ...world.form({ atId, liName: '改了名的课程' }), liId, version })).code,
    ).toBe(200)
    expect((await admin.send(awardApi.select, { withClosed: yesNo.yes })).map((row) => row.atId)).toContain(atId)
  })

  test('an award given at the moment its row is taken out is either given or refused, never lost', async () => {
    const world = await lessonWorld()
    const {
      school: { admin },
      teacher: { client },
      atId,
      awards,
    } = world
    const liId = await world.published({ atId }, -30)
    const [laId] = await world.enrol(liId, await world.students(1))
    await client.send(registrationApi.sign, { laIds: [laId!], laSignStatus: signStatus.madeUp, reason: '现场核实到场' })
    const { atName, atType, version, details } = await admin.send(awardApi.detail, { atId })
    const kept = details.filter(({ adId }) => adId !== awards.first).map(({ adId, adName }) => ({ adId, adName }))
    const [given, dropped] = await Promise.all([
      client.ask(registrationApi.setAward, { laIds: [laId!], laResult: resultStatus.awarded, adId: awards.first }),
      admin.ask(awardApi.edit, { atId, version, atName, atType, details: kept }),
    ])
    expect([given.code, dropped.code].toSorted()).toEqual([200, 300])
    const row = (await client.send(registrationApi.view, { liId })).records[0]!
    expect([
      row.laResult,
      (await admin.send(awardApi.ofLesson, { liId })).some(({ adId }) => adId === awards.first),
    ]).toEqual(given.code === 200 ? [resultStatus.awarded, true] : [resultStatus.unrated, false])
  })
})
