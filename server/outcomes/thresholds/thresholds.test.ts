import { beforeAll, describe, expect, test } from 'vitest'
import { warnLevel } from '../../../contract/core/codes/outcomes.ts'
import { messageType, yesNo, jobStatus } from '../../../contract/core/codes/platform.ts'
import { studentStatus } from '../../../contract/core/codes/school.ts'
import { studentApi } from '../../../contract/school/people/students.calls.ts'
import { importApi } from '../../../contract/platform/imports/imports.calls.ts'
import { thresholdApi } from '../../../contract/outcomes/thresholds/thresholds.calls.ts'
import { thresholdSheet } from '../../../contract/outcomes/thresholds/thresholds.sheets.ts'
import { sheetIn } from '../../testing/sheet-in.ts'
import { addDays } from '../../core/base/clock.ts'
import { newId } from '../../core/base/ids.ts'
import { systemContext } from '../../core/request/system.ts'
import { csvOf } from '../../testing/csv.ts'
import { testApp, type TestApp } from '../../testing/app.ts'
import { useOwnDatabase } from '../../testing/database.ts'
import { grantRecord, type TestStudent } from '../../testing/ledger.ts'
import { base, save, thresholdWorld } from '../../testing/thresholds.ts'
import { recalculateSchool } from './recalculate.service.ts'
import { startNight } from './threshold-jobs.ts'

await useOwnDatabase()

let app: TestApp
beforeAll(async () => {
  app = await testApp()
})

describe('checking a school', () => {
  test('by base values of its own: levels, gaps and forecasts as the ledger stands, on the list, in the export and on the student', async () => {
    const { school, grade, students, recalculate, hours } = await thresholdWorld()
    const [none, some, enough] = (await students(3)) as [TestStudent, TestStudent, TestStudent]
    await save(school, grade, [
      base(2, '16', ['16', '12', '4']),
      base(4, '32', ['32', '24', '16']),
      base(4, '8', ['8', '4', '0'], school.curriculum['SXCL']),
    ])
    await hours(none, 300)
    await hours(some, 1250)
    await hours(enough, 1200)
    await hours(enough, 800, 'SXCL')
    expect(await recalculate()).toEqual({ students: 3, changed: 3, worsened: 0 })
    const { records, total } = await school.admin.send(thresholdApi.list, {})
    expect([
      total,
      records.map(({ suId, warnLevel, totalHave, totalNeed, totalGap }) => [
        suId,
        warnLevel,
        totalHave,
        totalNeed,
        totalGap,
      ]),
    ]).toEqual([
      2,
      [
        [none.suId, warnLevel.severe, warnLevel.severe, '32', '29'],
        [some.suId, warnLevel.mild, '12.5', '32', '19.5'],
      ],
    ])
    expect(records[1]!.gaps).toMatchObject([
      { key: 'total', level: '1', required: '32', have: '12.5', gap: '19.5', checkpointTerm: 4 },
      { key: school.curriculum['SXCL'], level: '0', have: '0', gap: '8' },
    ])
    expect(Number(records[1]!.gaps[0]!.forecast)).toBeGreaterThan(12.5)
    expect((await school.admin.send(thresholdApi.list, { all: '1' })).total).toBe(3)
    expect(
      (await school.admin.send(thresholdApi.list, { lsId: school.curriculum['SXCL'] })).records.map(({ suId }) => suId),
    ).toEqual([none.suId, some.suId])
    expect(
      (await school.admin.send(thresholdApi.list, { warnLevel: warnLevel.mild })).records.map(({ suId }) => suId),
    ).toEqual([some.suId])
    expect(await school.admin.send(thresholdApi.overview, {})).toMatchObject({
      total: 3,
      level1: 1,
      level2: 0,
      level3: 1,
      colleges: [{ total: 3, level3: 1 }],
      grades: [{ id: grade, total: 3 }],
      modules: [{ lsId: school.curriculum['SXCL'], name: '思想成长', count: 2 }],
    })
    // the student list knows the level, shows it and filters by it
    expect(
      (await school.admin.send(studentApi.list, { warnLevel: warnLevel.severe })).records.map(({ suId, warnLevel }) => [
        suId,
        warnLevel,
      ]),
    ).toEqual([[none.suId, warnLevel.severe]])
    const [headers, ...rows] = (
      await sheetIn((await school.admin.download(thresholdApi.exportList, {})).bytes)
    ).lines.map(({ cells }) => cells)
    const cell = (row: string[], header: string) => row[headers!.indexOf(header)]
    expect(rows.map((row) => [cell(row, '学号'), cell(row, '预警等级'), cell(row, '还差学时')]).toSorted()).toEqual(
      [
        [none.suiNumber, '严重警告', '29'],
        [some.suiNumber, '一般警告', '19.5'],
      ].toSorted(),
    )
  })

  test('every figure is the number of students that the list of the same filters shows', async () => {
    const { school, grade, scId, students, recalculate, hours } = await thresholdWorld()
    const [one, two, three] = (await students(3)) as [TestStudent, TestStudent, TestStudent]
    const lsId = school.curriculum['SXCL']!
    await save(school, grade, [
      base(2, '16', ['16', '12', '4']),
      base(4, '8', ['8', '4', '0'], lsId),
      base(4, '4', ['4', '0', '0'], school.curriculum['ZYGY']),
    ])
    await hours(one, 300)
    await hours(two, 1250, 'SXCL')
    await hours(three, 7000)
    await hours(three, 800, 'SXCL')
    await recalculate()
    await school.admin.send(thresholdApi.prompt, { ids: [one.suId], content: '请尽快参加活动' })
    for (const filter of [
      {},
      { search: one.suiNumber },
      { lsId },
      { prompted: yesNo.yes },
      { finalShort: yesNo.yes },
      { collegeId: scId, grade, helped: yesNo.no },
    ]) {
      const { cards, colleges, grades, modules, gaps } = await school.admin.send(thresholdApi.overview, filter)
      const listed = async (more: object) => (await school.admin.send(thresholdApi.list, { ...filter, ...more })).total
      for (const level of [warnLevel.normal, warnLevel.mild, warnLevel.moderate, warnLevel.severe] as const)
        expect(cards.find(({ key }) => key === `level${level}`)!.value).toBe(await listed({ warnLevel: level }))
      expect(cards.find(({ key }) => key === 'finalShort')!.value).toBe(await listed({ finalShort: yesNo.yes }))
      for (const { id, level3 } of colleges)
        expect(level3).toBe(await listed({ collegeId: id, warnLevel: warnLevel.severe }))
      for (const { id, total } of grades) expect(total).toBe(await listed({ grade: id, all: '1' }))
      for (const { lsId: module, count } of modules) expect(count).toBe(await listed({ lsId: module }))
      for (const { collegeId, grade: year, lsId: module, count } of gaps)
        expect(count).toBe(await listed({ collegeId, grade: year, lsId: module }))
    }
    const { cards, gaps } = await school.admin.send(thresholdApi.overview, {})
    expect(Object.fromEntries(cards.map(({ key, value }) => [key, value]))).toEqual({
      level3: 1,
      level2: 0,
      level1: 1,
      level0: 1,
      rate: 66.67,
      finalShort: 2,
    })
    expect(gaps.map(({ collegeId, lsId: module, count }) => [collegeId, module, count])).toEqual([
      [scId, lsId, 1],
      [scId, school.curriculum['ZYGY'], 3],
    ])
  })

  test('the gap at graduation is that of the last term of the studies, wherever the base values end', async () => {
    const { school, grade, students, recalculate, hours } = await thresholdWorld()
    const [four, three, own] = (await students(3)) as [TestStudent, TestStudent, TestStudent]
    await school.services.db.updateTable('person').set({ suiStudyYears: 3 }).where('suId', '=', three.suId).execute()
    await school.services.db.updateTable('person').set({ suiStudyYears: 2 }).where('suId', '=', own.suId).execute()
    // nothing at all: what will be missing is all that is asked for
    await save(school, grade, [base(2, '16', ['16', '12', '4']), base(4, '20', ['20', '12', '4'])])
    await recalculate()
    const messagesOf = async ({ suId }: TestStudent) => {
      const { totalHave, totalNeed, finalGap } = (await school.admin.send(thresholdApi.detail, { suId })).warning
      return [totalHave, totalNeed, finalGap]
    }
    expect([await messagesOf(four), await messagesOf(three), await messagesOf(own)]).toEqual([
      ['0', '20', '64'],
      ['0', '20', '64'],
      ['0', '20', '20'],
    ])
    await school.admin.send(thresholdApi.save, {
      grade,
      version: 1,
      rows: [base(4, '8', ['8', '4', '0'], school.curriculum['SXCL'])],
    })
    await hours(four, 100)
    await recalculate()
    expect((await messagesOf(four)).slice(0, 2)).toEqual(['1', '64'])
    expect(Number((await messagesOf(four))[2])).toBeLessThan(63)
    expect(await messagesOf(three)).toEqual(['0', '64', '64'])
  })

  test('keeps how many were warned term by term, for everybody of their own part of the school', async () => {
    const { school, grade, students, hours } = await thresholdWorld()
    const [one, two] = (await students(2)) as [TestStudent, TestStudent]
    await save(school, grade, [base(2, '16', ['16', '12', '4'])])
    await hours(one, 300)
    await hours(two, 2000)
    const ctx = systemContext(school.services, school.schoolId)
    const now = app.clock.now()
    for (const day of [addDays(now, -200), addDays(now, -199), now, now])
      await recalculateSchool({ ...ctx, clock: { ...ctx.clock, now: () => day } })
    const overview = await school.admin.send(thresholdApi.overview, { grade })
    expect(overview.terms).toHaveLength(2)
    expect(overview.terms[0]!.id < overview.terms[1]!.id).toBe(true)
    expect(overview.terms.map(({ total }) => total)).toEqual([2, 2])
    expect(overview.terms[1]).toMatchObject({ level1: 0, level2: 0, level3: 1, name: expect.stringContaining('学期') })
    // the cards tell what was at the end of the term before, as long as only places are asked for
    const level3 = async (input: object) =>
      (await school.admin.send(thresholdApi.overview, input)).cards.find(({ key }) => key === 'level3')!
    expect(await level3({ grade })).toMatchObject({ value: 1, prev: 0, changeRate: null, lastYear: null })
    expect(overview.cards.find(({ key }) => key === 'level0')).toMatchObject({ value: 1, prev: 2, changeRate: -50 })
    expect([overview.previous?.startTime.slice(0, 10), overview.terms.map(({ isNow }) => isNow)]).toEqual([
      overview.terms[0]!.id,
      [false, true],
    ])
    expect(await level3({ grade, prompted: yesNo.no })).toMatchObject({ value: 1, prev: null })
    expect((await school.admin.send(thresholdApi.overview, { grade: '1999' })).terms).toEqual([])
    const elsewhere = await school.person('COUNSELOR', [{ caType: 'college', caTarget: await school.college() }])
    expect((await elsewhere.client.send(thresholdApi.overview, {})).terms).toEqual([])
  })

  test('checks only those for whom something changed, and tells when a level has become worse', async () => {
    const { school, grade, students, recalculate, hours, level, scClassId } = await thresholdWorld()
    const [a, b] = (await students(2)) as [TestStudent, TestStudent]
    const counselor = await school.person('COUNSELOR')
    await school.services.db
      .updateTable('schoolClass')
      .set({ counselorId: counselor.suId })
      .where('scClassId', '=', scClassId)
      .execute()
    for (const one of [a, b]) await hours(one, 1400)
    await save(school, grade, [base(2, '16', ['16', '12', '4'])])
    await recalculate()
    expect(await level(a)).toBe('1')
    app.clock.travel(3 * 3600)
    expect((await recalculate()).students).toBe(0)
    // new hours of one student: only they are evaluated, and better is no news
    await grantRecord(school, a, { name: '补上的活动', module: 'CXCY', on: app.clock.now().slice(0, 10), hours: 300 })
    expect(await recalculate()).toEqual({ students: 1, changed: 1, worsened: 0 })
    const sent = () =>
      school.services.db
        .selectFrom('information as i')
        .innerJoin('informationReceiver as r', (join) =>
          join.onRef('r.schoolId', '=', 'i.schoolId').onRef('r.iiId', '=', 'i.iiId'),
        )
        .select(['r.suId', 'i.iiTitle', 'i.iiContent', 'i.iiType'])
        .where('i.schoolId', '=', school.schoolId)
        .where('i.iiType', '=', messageType.warning)
        .execute()
    expect(await sent()).toEqual([])
    await school.services.db.deleteFrom('thresholdBase').where('schoolId', '=', school.schoolId).execute()
    await school.services.db
      .insertInto('thresholdBase')
      .values({
        schoolId: school.schoolId,
        tbId: newId(),
        grade,
        tbTarget: 'total',
        checkpointTerm: 2,
        required: 3000,
        warn1: 3000,
        warn2: 2000,
        warn3: 0,
      })
      .execute()
    expect(await recalculate()).toEqual({ students: 2, changed: 2, worsened: 2 })
    expect((await sent()).map(({ suId, iiTitle }) => [suId, iiTitle]).toSorted()).toEqual(
      [
        [a.suId, '第二课堂学时警告'],
        [b.suId, '第二课堂学时警告'],
        [counselor.suId, '2 名学生的预警等级上升'],
      ].toSorted(),
    )
    expect((await sent()).find(({ suId }) => suId === a.suId)!.iiContent).toContain('总学时还差 13')
    // who has left the school is warned no more
    await school.services.db
      .updateTable('person')
      .set({ suiStatus: studentStatus.graduated })
      .where('suId', '=', a.suId)
      .execute()
    await recalculate()
    const row = await school.services.db
      .selectFrom('person')
      .select('warnLevel')
      .where('suId', '=', a.suId)
      .executeTakeFirstOrThrow()
    expect(row.warnLevel).toBe(warnLevel.normal)
  })

  test('without base values the rules of the school hold; a term without hours is severe', async () => {
    const { school, students, recalculate, hours, level } = await thresholdWorld({ zero: true })
    const [idle, busy] = (await students(2)) as [TestStudent, TestStudent]
    const now = app.clock.now()
    // in the middle of the term before the running one
    const before = new Date(Date.parse(`${now.slice(0, 10)}T00:00:00Z`) - 183 * 86_400_000).toISOString().slice(0, 10)
    await grantRecord(school, busy, { name: '上学期的活动', module: 'CXCY', on: before, hours: 1600 })
    await hours(idle, 6400)
    await recalculate()
    expect([await level(idle), await level(busy)]).toEqual(['3', '0'])
    expect((await school.admin.send(thresholdApi.detail, { suId: idle.suId })).warning.zeroTerm).toBe(true)
    expect(await school.admin.send(thresholdApi.all, {})).toMatchObject({ isDefault: true, version: 0, termNo: 3 })
  })

  test('every school is checked once a night', async () => {
    const { school } = await thresholdWorld()
    const at = (now: string) => ({ ...school.services, clock: { now: () => now } })
    const asked = () =>
      school.services.db
        .selectFrom('job')
        .select('jobKey')
        .where('schoolId', '=', school.schoolId)
        .where('jobKind', '=', 'threshold:calc')
        .where('jobStatus', '=', jobStatus.waiting)
        .execute()
    expect(await startNight(at('2099-01-01 01:30:00'))).toBe(0)
    expect(await asked()).toEqual([])
    expect(await startNight(at('2099-01-01 02:30:00'))).toBeGreaterThanOrEqual(1)
    expect(await asked()).toHaveLength(1)
    await recalculateSchool(systemContext(at('2099-01-01 02:31:00'), school.schoolId))
    await school.services.db.deleteFrom('job').where('schoolId', '=', school.schoolId).execute()
    await startNight(at('2099-01-01 09:00:00'))
    expect(await asked()).toEqual([])
  })
})

describe('base values', () => {
  test('are tried before they are saved: the trial says what the checking then does', async () => {
    const { school, grade, students, recalculate, hours, level } = await thresholdWorld()
    const all = await students(4)
    for (const [at, student] of all.entries()) await hours(student, (at + 1) * 400)
    const rows = [base(2, '20', ['14', '10', '6'])]
    const trial = await school.admin.send(thresholdApi.preview, { grade, rows })
    // by the rules of the school: under 16 after the first year is a first warning
    expect(trial).toMatchObject({ total: 4, now: [1, 3, 0, 0], planned: [1, 1, 1, 1], worse: 2, better: 0 })
    expect(trial.examples.map(({ suiNumber, now, planned }) => [suiNumber, now, planned]).toSorted()).toEqual(
      [
        [all[0]!.suiNumber, '1', '3'],
        [all[1]!.suiNumber, '1', '2'],
      ].toSorted(),
    )
    expect((await school.admin.send(thresholdApi.all, {})).isDefault).toBe(true)
    await save(school, grade, rows)
    await recalculate()
    expect(await Promise.all(all.map(level))).toEqual(['3', '2', '1', '0'])
    expect(await school.admin.send(thresholdApi.all, { grade })).toMatchObject({
      isDefault: false,
      version: 1,
      rows: [{ tbTarget: 'total', checkpointTerm: 2, required: '20', warn1: '14', warn2: '10', warn3: '6' }],
    })
    // of two who save at once one is told
    expect((await school.admin.ask(thresholdApi.save, { grade, version: 0, rows })).reason).toBe('stale-version')
    await school.admin.send(thresholdApi.save, { grade, version: 1, rows, copyTo: ['2019'] })
    expect((await school.admin.send(thresholdApi.all, { grade: '2019' })).isDefault).toBe(false)
    await school.admin.send(thresholdApi.del, { grade, version: 2 })
    await recalculate()
    expect(await Promise.all(all.map(level))).toEqual(['1', '1', '1', '0'])
  })

  test('that contradict themselves are refused where they do', async () => {
    const { school, grade } = await thresholdWorld()
    const fault = async (rows: object[]) =>
      (await school.admin.ask(thresholdApi.save, { grade, version: 0, rows })).errors
    expect(await fault([{ ...base(2, '10', ['12', '4', '5']) }])).toEqual([
      { field: 'rows.0.warn1', msg: '一般警告线不能高于要求' },
      { field: 'rows.0.warn3', msg: '严重警告线不能高于警告线' },
    ])
    expect(await fault([base(2, '10', ['1', '1', '1']), base(2, '12', ['1', '1', '1'])])).toEqual([
      { field: 'rows.1.checkpointTerm', msg: '同一指标在同一学期只能设置一行' },
    ])
    expect(await fault([base(2, '10', ['1', '1', '1'], newId())])).toEqual([
      { field: 'rows.0.lsId', msg: '模块不存在或已停用，请重新选择' },
    ])
    expect(await fault([])).toEqual([{ field: 'rows', msg: '请至少设置一行，或恢复默认基准值' }])
  })

  test('leave as a sheet', async () => {
    const { school, grade, students } = await thresholdWorld()
    await students(1)
    await save(school, grade, [
      base(2, '16', ['16', '12', '4.5']),
      base(4, '8', ['8', '4', '0'], school.curriculum['SXCL']),
    ])
    const lines = (await sheetIn((await school.admin.download(thresholdApi.exportTemplate, {})).bytes)).lines.map(
      ({ cells }) => cells,
    )
    expect(lines[0]).toEqual(['年级*', '指标*', '检查点学期*', '要求*', '一般警告线*', '警告线*', '严重警告线*'])
    expect(lines.slice(1)).toEqual([
      [grade, '总学时', '2', '16', '16', '12', '4.5'],
      [grade, '思想成长', '4', '8', '8', '4', '0'],
    ])
  })
})

describe('base values from a sheet', () => {
  test('are checked, written and taken back', async () => {
    const { school, grade, students } = await thresholdWorld()
    await students(1)
    await save(school, grade, [base(2, '16', ['16', '12', '4'])])
    const row = (
      target: string,
      checkpointTerm: number,
      [required, warn1, warn2, warn3]: [number, number, number, number],
    ) => ({ grade, target, checkpointTerm, required, warn1, warn2, warn3 })
    const csv = csvOf(thresholdSheet, [
      row('总学时', 2, [20, 16, 12, 4]),
      row('思想成长', 4, [8, 6, 4, 0]),
      row('不存在的模块', 4, [8, 6, 4, 0]),
      row('志愿时长', 4, [8, 9, 4, 0]),
    ])
    const { data } = await school.admin.upload(importApi.upload, csv, { kind: 'threshold' })
    expect(data).toMatchObject({ newCount: 1, updateCount: 1, faultCount: 2 })
    await school.admin.send(importApi.commit, { kind: 'threshold', ibId: data.ibId, skipFaults: true })
    const rows = async () =>
      (await school.admin.send(thresholdApi.all, { grade })).rows
        .map(({ name, required, warn1 }) => [name, required, warn1])
        .toSorted()
    expect(await rows()).toEqual(
      [
        ['思想成长', '8', '6'],
        ['总学时', '20', '16'],
      ].toSorted(),
    )
    await school.admin.send(importApi.undo, { kind: 'threshold', ibId: data.ibId })
    expect(await rows()).toEqual([['总学时', '16', '16']])
  })
})
