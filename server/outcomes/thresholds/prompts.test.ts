import { beforeAll, describe, expect, test } from 'vitest'
import { helpWay, warnLevel } from '../../../contract/core/codes/outcomes.ts'
import { yesNo } from '../../../contract/core/codes/platform.ts'
import { applyStatus, lessonStatus } from '../../../contract/core/codes/programme.ts'
import { thresholdApi } from '../../../contract/outcomes/thresholds/thresholds.calls.ts'
import { newId } from '../../core/base/ids.ts'
import { sheetIn } from '../../testing/sheet-in.ts'
import { testApp, type TestApp } from '../../testing/app.ts'
import { oneClass, type TestStudent } from '../../testing/ledger.ts'
import { base, save, thresholdWorld } from '../../testing/thresholds.ts'
import { storeLesson } from '../../testing/stored-lesson.ts'

let app: TestApp
beforeAll(async () => {
  app = await testApp()
})

describe('reminding and helping', () => {
  test('each gets their own words; what was said and whether it was read is kept', async () => {
    const { school, grade, students, recalculate, hours } = await thresholdWorld()
    const [a, b, fine] = (await students(3)) as [TestStudent, TestStudent, TestStudent]
    await hours(b, 500)
    await hours(fine, 2000)
    await save(school, grade, [base(2, '16', ['16', '12', '4'])])
    await recalculate()
    expect(
      await school.admin.send(thresholdApi.prompt, { ids: [a.suId], content: '{姓名}：{预警等级}，{学时缺口}。' }),
    ).toEqual({ affected: 1, failed: [] })
    // as places were written before
    expect(
      await school.admin.send(thresholdApi.prompt, { ids: [b.suId], content: '【姓名】{level}【重要】：【学时缺口】' }),
    ).toEqual({ affected: 1, failed: [] })
    const unknown = await school.admin.ask(thresholdApi.prompt, { ids: [a.suId], content: '{姓名}：{班级}，请参加' })
    expect(unknown.errors).toMatchObject([{ field: 'content', msg: '没有“{班级}”，请从可用的占位中选择' }])
    const { records } = await school.admin.send(thresholdApi.prompts, {})
    expect(records.map(({ suId, content, isRead }) => [suId, content, isRead]).toSorted()).toEqual(
      [
        [a.suId, `${a.suiName}：严重警告，总学时还差 16。`, false],
        [b.suId, `${b.suiName}警告【重要】：总学时还差 11`, false],
      ].toSorted(),
    )
    await school.services.db
      .updateTable('informationReceiver')
      .set({ isRead: yesNo.yes, readTime: app.clock.now() })
      .where('suId', '=', a.suId)
      .execute()
    expect(
      (await school.admin.send(thresholdApi.prompts, { isRead: yesNo.yes })).records.map(({ suId }) => suId),
    ).toEqual([a.suId])
    expect(
      (await school.admin.send(thresholdApi.list, { prompted: yesNo.yes })).records.map(
        ({ promptCount }) => promptCount,
      ),
    ).toEqual([1, 1])
  })

  test('by the filters of the list and without words of their own, as a program asks that knows no more', async () => {
    const { school, grade, students, recalculate, hours } = await thresholdWorld()
    const [a, b, fine] = (await students(3)) as [TestStudent, TestStudent, TestStudent]
    await hours(b, 500)
    await hours(fine, 2000)
    await save(school, grade, [base(2, '16', ['16', '12', '4'])])
    await recalculate()
    expect(await school.admin.ask(thresholdApi.prompt, { filter: { warnLevel: warnLevel.severe } })).toMatchObject({
      code: 200,
      data: { affected: 1, failed: [] },
    })
    const template = '{姓名}，请尽快报名'
    expect(await school.admin.ask(thresholdApi.prompt, { filter: { all: yesNo.yes }, template })).toMatchObject({
      data: { affected: 2, failed: [] },
    })
    const { records } = await school.admin.send(thresholdApi.prompts, {})
    expect(records.map(({ suId, content }) => [suId, content]).toSorted()).toEqual(
      [
        [a.suId, expect.stringContaining(`${a.suiName}同学：您的第二课堂学时进度目前为“严重警告”`)],
        [a.suId, `${a.suiName}，请尽快报名`],
        [b.suId, `${b.suiName}，请尽快报名`],
      ].toSorted(),
    )
    expect(await school.admin.ask(thresholdApi.prompt, {})).toMatchObject({ errors: [{ field: 'ids' }] })
  })

  test('only who is warned is reminded; how many are left out is told before', async () => {
    const { school, grade, students, recalculate, hours } = await thresholdWorld()
    const [a, fine, other] = (await students(3)) as [TestStudent, TestStudent, TestStudent]
    await hours(fine, 2000)
    await hours(other, 2000)
    await save(school, grade, [base(2, '16', ['16', '12', '4'])])
    await recalculate()
    const everybody = { filter: { all: '1' as const } }
    const chosen = { ids: [a.suId, fine.suId] }
    expect(await school.admin.send(thresholdApi.promptCount, everybody)).toEqual({ count: 1, unwarned: 2, beyond: 0 })
    expect(await school.admin.send(thresholdApi.promptCount, { filter: {} })).toEqual({
      count: 1,
      unwarned: 0,
      beyond: 0,
    })
    expect(await school.admin.send(thresholdApi.promptCount, chosen)).toEqual({ count: 1, unwarned: 1, beyond: 0 })
    expect((await school.admin.ask(thresholdApi.promptCount, { ids: [newId()] })).reason).toBe('not-found')
    expect(
      (await school.admin.send(thresholdApi.list, { all: '1' })).records.map(({ suId, can }) => [suId, can]).toSorted(),
    ).toEqual(
      [
        [a.suId, ['prompt', 'help']],
        [fine.suId, ['help']],
        [other.suId, ['help']],
      ].toSorted(),
    )
    expect(await school.admin.send(thresholdApi.prompt, { ...chosen, content: '请尽快参加活动' })).toEqual({
      affected: 1,
      failed: [{ id: fine.suId, name: fine.suiName, msg: '目前没有预警，不需要提醒' }],
    })
    expect((await school.admin.ask(thresholdApi.prompt, { ids: [fine.suId], content: '请尽快参加活动' })).reason).toBe(
      'no-students-to-prompt',
    )
    expect((await school.admin.send(thresholdApi.prompts, {})).records.map(({ suId }) => suId)).toEqual([a.suId])
  })

  test('the list of whom to help says why, and who looks after them', async () => {
    const { school, grade, students, recalculate, hours, scClassId } = await thresholdWorld()
    const [a, b, fine] = (await students(3)) as [TestStudent, TestStudent, TestStudent]
    await hours(b, 500)
    await hours(fine, 2000)
    await save(school, grade, [base(2, '16', ['16', '12', '4'])])
    await recalculate()
    const [counselor, tutor] = [await school.person('COUNSELOR'), await school.person('CLASS_TUTOR')]
    await school.services.db
      .updateTable('schoolClass')
      .set({ counselorId: counselor.suId, headTeacherId: tutor.suId })
      .where('scClassId', '=', scClassId)
      .execute()
    await school.admin.send(thresholdApi.saveHelp, {
      suId: a.suId,
      helpDate: '2026-11-02',
      helpWay: helpWay.talk,
      helperName: '李老师',
      helpContent: '谈话并约定计划',
    })
    const listed = async (input: object) => {
      const [headers, ...rows] = (
        await sheetIn((await school.admin.download(thresholdApi.exportHelpList, input)).bytes)
      ).lines.map(({ cells }) => cells)
      return rows.map((row) =>
        ['学号', '预警等级', '帮扶原因', '辅导员', '班主任', '最近帮扶人', '最近帮扶日期'].map(
          (header) => row[headers!.indexOf(header)] ?? '',
        ),
      )
    }
    const names = [counselor, tutor].map(({ suiName }) => suiName)
    const [rowA, rowB] = [
      [a.suiNumber, '严重警告', '总学时还差 16', ...names, '李老师', '2026-11-02'],
      [b.suiNumber, '警告', '总学时还差 11', ...names, '', ''],
    ]
    expect(await listed({ all: '1' })).toEqual([rowA, rowB].toSorted())
    expect(await listed({ warnLevel: warnLevel.moderate })).toEqual([rowB])
    expect(await listed({ ids: [a.suId, fine.suId] })).toEqual([rowA])
    expect((await school.admin.ask(thresholdApi.exportHelpList, { warnLevel: warnLevel.normal })).reason).toBe(
      'nothing-to-export',
    )
  })

  test('help is recorded, corrected and removed; the list tells who helps', async () => {
    const { school, grade, students, recalculate } = await thresholdWorld()
    const [a] = (await students(1)) as [TestStudent]
    await save(school, grade, [base(2, '16', ['16', '12', '4'])])
    await recalculate()
    const form = {
      suId: a.suId,
      helpDate: '2026-11-02',
      helpWay: helpWay.talk,
      helperName: '李老师',
      helpContent: '谈话，约定每周参加一次志愿活动',
    } as const
    const { thId } = await school.admin.send(thresholdApi.saveHelp, form)
    await school.admin.send(thresholdApi.saveHelp, { ...form, thId, version: 0, helperName: '王老师' })
    expect((await school.admin.ask(thresholdApi.saveHelp, { ...form, thId, version: 0 })).reason).toBe('stale-version')
    const { warning, helps } = await school.admin.send(thresholdApi.detail, { suId: a.suId })
    expect([warning.helperName, warning.helpCount, helps.length, helps[0]!.helperName]).toEqual([
      '王老师',
      1,
      1,
      '王老师',
    ])
    expect((await school.admin.send(thresholdApi.list, { helped: yesNo.yes })).total).toBe(1)
    await school.admin.send(thresholdApi.delHelp, { ids: [thId] })
    expect((await school.admin.send(thresholdApi.detail, { suId: a.suId })).warning).toMatchObject({
      helpCount: 0,
      helperName: '',
    })
  })

  test('open courses of the missing module are suggested, and only those the student can join', async () => {
    const { school, grade, students, recalculate, scId } = await thresholdWorld()
    const [a] = (await students(1)) as [TestStudent]
    await save(school, grade, [base(2, '8', ['8', '8', '8'], school.curriculum['ZYGY'])])
    await recalculate()
    const { schoolId, curriculum } = school
    const lesson = (liName: string, more: Parameters<typeof storeLesson>[1] = {}) =>
      storeLesson(school, {
        liName,
        lsPath: [curriculum['ZYGY']!],
        liStatus: lessonStatus.published,
        liHours: 200,
        startTime: '2099-01-01 08:00:00',
        endTime: '2099-01-01 10:00:00',
        ...more,
      })
    await lesson('敬老服务', { liHours: 400 })
    await lesson('支教', { rangeColleges: [scId] })
    await lesson('别的学院的', { rangeColleges: [newId()] })
    await lesson('满员的', { passCount: 10 })
    await lesson('过去的', { startTime: '2020-01-01 08:00:00', endTime: '2020-01-01 10:00:00' })
    await lesson('别的模块', { lsId: curriculum['SXCL']!, lsPath: [curriculum['SXCL']!] })
    await lesson('未发布', { liStatus: lessonStatus.publishPassed })
    const joined = await lesson('已报名的')
    await school.services.db
      .insertInto('registration')
      .values({ schoolId, laId: newId(), liId: joined, suId: a.suId, laStatus: applyStatus.accepted })
      .execute()
    const { suggestions } = await school.admin.send(thresholdApi.detail, { suId: a.suId })
    expect(suggestions.map(({ liName, hours, moduleName }) => [liName, hours, moduleName])).toEqual([
      ['敬老服务', '4', '志愿公益'],
      ['支教', '2', '志愿公益'],
    ])
  })

  test('everybody sees and reaches their own area only', async () => {
    const { school, grade, students, recalculate, scClassId } = await thresholdWorld()
    const [own] = (await students(1)) as [TestStudent]
    const other = await oneClass(school)
    const [foreign] = await other.students(1)
    await school.services.db.updateTable('person').set({ suiGrade: grade }).where('suId', '=', foreign!.suId).execute()
    await save(school, grade, [base(2, '16', ['16', '12', '4'])])
    await recalculate()
    const { client } = await school.person('COUNSELOR', [{ caType: 'class', caTarget: scClassId }])
    expect((await client.send(thresholdApi.list, {})).records.map(({ suId, can }) => [suId, can])).toEqual([
      [own.suId, ['prompt', 'help']],
    ])
    expect(await client.send(thresholdApi.overview, {})).toMatchObject({ total: 1, level3: 1 })
    expect((await client.ask(thresholdApi.detail, { suId: foreign!.suId })).reason).toBe('not-found')
    expect((await client.ask(thresholdApi.exportHelpList, { ids: [foreign!.suId] })).reason).toBe('nothing-to-export')
    expect(await client.send(thresholdApi.promptCount, { filter: {} })).toEqual({ count: 1, unwarned: 0, beyond: 0 })
    expect((await client.ask(thresholdApi.promptCount, { ids: [foreign!.suId] })).reason).toBe('not-found')
    expect(
      (await client.ask(thresholdApi.prompt, { ids: [own.suId, foreign!.suId], content: '请尽快参加活动' })).reason,
    ).toBe('not-found')
    expect(await client.send(thresholdApi.prompt, { ids: [own.suId], content: '请尽快参加活动' })).toEqual({
      affected: 1,
      failed: [],
    })
    expect((await school.admin.send(thresholdApi.prompts, {})).records.map(({ suId }) => suId)).toEqual([own.suId])
    expect(
      (
        await client.ask(thresholdApi.saveHelp, {
          suId: foreign!.suId,
          helpDate: '2026-11-02',
          helpWay: helpWay.talk,
          helperName: '李',
          helpContent: '谈话并制定计划',
        })
      ).reason,
    ).toBe('not-found')
    expect((await client.ask(thresholdApi.save, { grade, version: 1, rows: [] })).status).toBe(403)
    const viewer = await school.person('DATA_VIEWER')
    expect((await viewer.client.send(thresholdApi.list, {})).records.map(({ can }) => can)).toEqual([[], []])
  })
})
