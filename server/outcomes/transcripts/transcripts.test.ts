import { describe, expect, test } from 'vitest'
import { yearVerdict } from '../../../contract/core/codes/outcomes.ts'
import { enableStatus } from '../../../contract/core/codes/platform.ts'
import { partakeMode } from '../../../contract/core/codes/programme.ts'
import { convertFrom, convertTo } from '../../../contract/core/codes/rules.ts'
import { transcriptApi } from '../../../contract/outcomes/transcripts/transcripts.calls.ts'
import { transformationApi } from '../../../contract/rules/transformation/transformation.calls.ts'
import {
  grantRecord,
  oneClass,
  recordPlans,
  reverseRecord,
  type KeptRecord,
  type TestStudent,
} from '../../testing/ledger.ts'
import { pdfWords } from '../../testing/pdf.ts'
import { newSchool } from '../../testing/school.ts'

/** Hundredths as decimal text, told otherwise than the product does it. */
const text = (value: number) => String(value / 100)
const sum = (values: number[]) => values.reduce((all, one) => all + one, 0)
const nameOf: Record<string, string> = { SXCL: '思想成长', ZYGY: '志愿公益', CXCY: '创新创业' }

describe('a transcript', () => {
  test('says what the ledger says, added up independently, on screen and on paper', async () => {
    const school = await newSchool()
    const { students } = await oneClass(school)
    const [student, other] = (await students(2)) as [TestStudent, TestStudent]
    const kept: KeptRecord[] = []
    for (const plan of recordPlans) kept.push(await grantRecord(school, student, plan))
    await grantRecord(school, other, { ...recordPlans[0]!, hours: 9900 }, kept[0]!.bizId)

    const header = await school.admin.send(transcriptApi.header, { suId: student.suId })
    expect(header.student).toMatchObject({
      suId: student.suId,
      suiName: student.suiName,
      suiNumber: student.suiNumber,
      suiGrade: '2024',
    })
    expect(header.extract).toBeNull()
    expect(header.summary).toMatchObject({
      totalHours: text(sum(recordPlans.map(({ hours }) => hours))),
      totalCredit: text(sum(recordPlans.map(({ credit = 0 }) => credit))),
      totalPoints: text(sum(recordPlans.map(({ points = 0 }) => points))),
      volunteerHours: text(400),
      requiredHours: '64',
      pass: false,
    })
    expect(header.years).toEqual([
      { yearName: '2025—2026 学年', hours: '28.07', gap: '0', verdict: yearVerdict.excellent },
    ])
    expect(
      (await school.admin.send(transcriptApi.header, { suId: student.suId, startTime: '2026-01-01' })).years,
    ).toEqual([])
    // modules in the school's order: 5 x 8 hours, two of 2 hours that nobody must take, and 4 hours of labour
    const module = (name: string) => header.modules.find(({ lsName }) => lsName === name)
    expect(header.modules.map(({ lsName }) => lsName)).toEqual([
      '思想成长',
      '实践实习',
      '志愿公益',
      '创新创业',
      '文体活动',
      '工作履历',
      '技能特长',
      '劳动教育',
    ])
    expect(module('思想成长')).toMatchObject({ required: '8', have: '8', gap: '0', stars: 3, pass: true, count: 2 })
    expect(module('志愿公益')).toMatchObject({ required: '8', have: '4', gap: '4', stars: 2, pass: false, count: 1 })
    expect(module('创新创业')).toMatchObject({ required: '8', have: '16.07', gap: '0', stars: 5, pass: true, count: 2 })
    expect(module('技能特长')).toMatchObject({ must: false, required: '2', have: '0', pass: false })
    expect(module('文体活动')).toMatchObject({ must: true, have: '0', gap: '8', stars: 0, pass: false, count: 0 })
    // fifteen labels are too many for one figure: it shows the five groups
    expect(header.ability.map(({ name, score }) => [name, score])).toEqual([
      ['德', '1.5'],
      ['智', '0'],
      ['体', '0'],
      ['美', '0'],
      ['劳', '4'],
    ])

    const { records, total } = await school.admin.send(transcriptApi.rows, { suId: student.suId, pageSize: 50 })
    expect(total).toBe(recordPlans.length)
    expect(records.map(({ name }) => name)).toEqual(
      recordPlans.toSorted((a, b) => (a.on < b.on ? 1 : -1)).map(({ name }) => name),
    )
    for (const plan of kept) {
      expect(records.find(({ name }) => name === plan.name)).toMatchObject({
        hours: text(plan.hours),
        credit: text(plan.credit ?? 0),
        points: text(plan.points ?? 0),
        source: plan.source ?? 'LESSON',
        moduleId: school.curriculum[plan.module],
        lsName: plan.node ?? module(nameOf[plan.module]!)!.lsName,
        liId: plan.source ? null : plan.bizId,
        lisId: plan.source ? plan.bizId : null,
        awardName: plan.award ?? '',
        partakeMode: plan.source ? partakeMode.participant : partakeMode.volunteer,
        org: plan.source ? '校外单位' : '计算机学院团委',
        levelName: { '2': '国家级', '3': '省（部）级', '5': '校级' }[plan.level ?? '5'],
        status: '1',
        honesty: '0.2',
        startTime: `${plan.on} ${plan.source ? '00:00:00' : '14:00:00'}`,
        grantTime: `${plan.on} 20:00:00`,
      })
      expect(records.find(({ name }) => name === plan.name)!.explain).toContain(
        `${plan.name}得 ${text(plan.hours)}（1）`,
      )
    }

    const file = await school.admin.download(transcriptApi.export, { suIds: [student.suId] })
    expect(file.name).toBe(`第二课堂成绩单-${student.suiNumber}-${student.suiName}.pdf`)
    const words = await pdfWords(file.bytes)
    expect(words).toContain(`总学时${header.summary.totalHours}要求64总学分${header.summary.totalCredit}`)
    for (const { name, hours, credit = 0, on } of recordPlans) {
      expect(words).toContain(name)
      expect(words).toContain(`${on}${text(hours)}/${text(credit)}`)
    }
    for (const { lsName, required, have, count, pass, must } of header.modules)
      expect(words).toContain(`${lsName}${required}${have}${count}${pass ? '是' : must ? '否' : '选修'}`)
    expect(words.split('星级按已获学时').length - 1).toBe(1)
  })

  test('passes when every required module is reached, and only then', async () => {
    const school = await newSchool()
    const [student] = (await (await oneClass(school)).students(1)) as [TestStudent]
    const needed: [string, number][] = [
      ['SXCL', 2800],
      ['SJSX', 800],
      ['ZYGY', 800],
      ['CXCY', 800],
      ['WTHD', 800],
      ['LDJY', 399],
    ]
    for (const [module, hours] of needed)
      await grantRecord(school, student, { name: `${module}活动`, module, on: '2026-03-05', hours })
    const pass = async () => [
      (await school.admin.send(transcriptApi.header, { suId: student.suId })).summary.pass,
      (await school.admin.send(transcriptApi.list, {})).records[0]!.pass,
    ]
    expect(await pass()).toEqual([false, false])
    await grantRecord(school, student, { name: '打扫教室', module: 'LDJY', on: '2026-03-06', hours: 1 })
    expect(await pass()).toEqual([true, true])
  })

  test('nets a reversed record out and still shows it, in whichever period it was reversed', async () => {
    const school = await newSchool()
    const [student] = (await (await oneClass(school)).students(1)) as [TestStudent]
    const [first, second] = [
      await grantRecord(school, student, recordPlans[0]!),
      await grantRecord(school, student, { ...recordPlans[3]!, ability: [] }),
    ]
    await reverseRecord(school, student, second, '2026-09-01')
    const { suId } = student
    const header = await school.admin.send(transcriptApi.header, { suId })
    expect(header.summary).toMatchObject({
      totalHours: text(first.hours),
      totalCredit: text(first.credit!),
      totalPoints: text(first.points!),
    })
    expect(header.modules.find(({ lsName }) => lsName === '创新创业')).toMatchObject({ have: '0', stars: 0, count: 0 })
    const { records } = await school.admin.send(transcriptApi.rows, { suId })
    expect(records.map(({ name, hours, credit, status }) => [name, hours, credit, status])).toEqual([
      [second.name, '0', '0', '3'],
      [first.name, '2.5', '0.25', '1'],
    ])
    expect(records[0]!.explain).toContain('质疑成立，冲正')
    expect(records[0]!.liId).toBe(second.bizId)

    const spring = { startTime: '2026-01-01', endTime: '2026-06-30' }
    expect((await school.admin.send(transcriptApi.header, { suId, ...spring })).summary.totalHours).toBe('2.5')
    expect((await school.admin.send(transcriptApi.rows, { suId, startTime: '2026-07-01' })).total).toBe(0)
    expect((await school.admin.send(transcriptApi.list, {})).records[0]).toMatchObject({
      totalHours: '2.5',
      totalCredit: '0.25',
      rowCount: 1,
    })
    const scores = await school.admin.send(transcriptApi.stuScore, {})
    expect(scores.records.map(({ name, hours, credit, status }) => [name, hours, credit, status])).toEqual([
      [second.name, '0', '0', '3'],
      [first.name, '2.5', '0.25', '1'],
    ])
    expect(await pdfWords((await school.admin.download(transcriptApi.export, { suIds: [suId] })).bytes)).toContain(
      '已冲正',
    )
  })

  test('shows a period or a branch alone, and says so', async () => {
    const school = await newSchool()
    const [student] = (await (await oneClass(school)).students(1)) as [TestStudent]
    for (const plan of recordPlans) await grantRecord(school, student, plan)
    const { suId } = student
    const names = async (filter: object) =>
      (await school.admin.send(transcriptApi.rows, { suId, ...filter })).records.map(({ name }) => name).toSorted()
    const within = (from: string, to: string) => recordPlans.filter(({ on }) => on >= from && on <= to)
    const spring = { startTime: '2026-03-05', endTime: '2026-05-17' }
    expect(await names(spring)).toEqual(
      within('2026-03-05', '2026-05-17')
        .map(({ name }) => name)
        .toSorted(),
    )
    expect(await names({ endTime: '2026-03-05 13:59:59' })).toEqual(
      within('2025-01-01', '2026-03-04')
        .map(({ name }) => name)
        .toSorted(),
    )
    expect(await names({ lsId: school.curriculum['SXCL'] })).toEqual(
      [recordPlans[0]!.name, recordPlans[1]!.name].toSorted(),
    )
    expect(await names({ lsId: school.curriculum['SXCL/主题教育'] })).toEqual([recordPlans[0]!.name])
    const header = await school.admin.send(transcriptApi.header, { suId, ...spring })
    expect(header).toMatchObject({
      extract: '2026-03-05 至 2026-05-17',
      summary: {
        totalHours: text(sum(within('2026-03-05', '2026-05-17').map(({ hours }) => hours))),
        volunteerHours: '0',
      },
    })
    expect(header.ability.map(({ name, score }) => [name, score])).toContainEqual(['劳', '0'])
    const words = await pdfWords(
      (await school.admin.download(transcriptApi.export, { suIds: [suId], ...spring })).bytes,
    )
    expect(words).toContain('（2026-03-05至2026-05-17）')
    expect(words).not.toContain('社区敬老服务')
  })

  test('without any record is empty, not missing', async () => {
    const school = await newSchool()
    const [student] = (await (await oneClass(school)).students(1)) as [TestStudent]
    const header = await school.admin.send(transcriptApi.header, { suId: student.suId })
    expect(header.summary).toMatchObject({ totalHours: '0', totalCredit: '0', pass: false })
    expect((await school.admin.send(transcriptApi.rows, { suId: student.suId })).records).toEqual([])
    expect(
      await pdfWords((await school.admin.download(transcriptApi.export, { suIds: [student.suId] })).bytes),
    ).toContain('暂无记录')
  })

  test('comes page by page', async () => {
    const school = await newSchool()
    const [student] = (await (await oneClass(school)).students(1)) as [TestStudent]
    for (let n = 0; n < 7; n++)
      await grantRecord(school, student, { name: `讲座${n}`, module: 'CXCY', on: `2026-04-0${n + 1}`, hours: 100 })
    const page = async (current: number) =>
      school.admin.send(transcriptApi.rows, { suId: student.suId, current, pageSize: 3 })
    expect((await page(1)).records.map(({ name }) => name)).toEqual(['讲座6', '讲座5', '讲座4'])
    expect(await page(3)).toMatchObject({ records: [{ name: '讲座0' }], total: 7, pages: 3 })
  })
})

test('open conversion rules stand on the whole transcript, on screen and on paper, and on no extract', async () => {
  const school = await newSchool()
  const { students } = await oneClass(school)
  const [student] = (await students(1)) as [TestStudent]
  for (const plan of recordPlans) await grantRecord(school, student, plan)
  const rule = {
    fromType: convertFrom.hours,
    toType: convertTo.mark,
    mode: '3',
    segments: [
      { min: '5', value: '70' },
      { min: '10', value: '85' },
    ],
  } as const
  const { trId } = await school.admin.send(transformationApi.add, {
    trName: '第二课堂成绩',
    ...rule,
    segments: [...rule.segments],
    scopeGrades: ['2024'],
  })
  await school.admin.send(transformationApi.add, {
    trName: '旧生成绩',
    ...rule,
    segments: [...rule.segments],
    scopeGrades: ['2020'],
  })
  await school.admin.send(transformationApi.add, {
    trName: '停用的',
    ...rule,
    toType: convertTo.stars,
    mode: '1',
    ratio: '1',
    segments: [],
    enable: enableStatus.disabled,
  })
  const hours = text(sum(recordPlans.map((plan) => plan.hours)))
  const { conversions } = await school.admin.send(transcriptApi.header, { suId: student.suId })
  expect(conversions).toEqual([
    { trId, trName: '第二课堂成绩', toType: convertTo.mark, value: '85', explain: `${hours} 学时：达到 10 ＝ 85 成绩` },
  ])
  const file = await school.admin.download(transcriptApi.export, { suIds: [student.suId] })
  expect(await pdfWords(file.bytes)).toContain(`第二课堂成绩：${hours}学时：达到10＝85成绩`)
  expect(
    (await school.admin.send(transcriptApi.header, { suId: student.suId, startTime: '2026-03-01' })).conversions,
  ).toEqual([])
})
