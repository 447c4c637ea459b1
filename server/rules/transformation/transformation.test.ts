import { describe, expect, test } from 'vitest'
import type { Input } from '../../../contract/core/call.ts'
import { enableStatus } from '../../../contract/core/codes/platform.ts'
import { creditType, partakeMode } from '../../../contract/core/codes/programme.ts'
import { convertFrom, convertMode, convertTo } from '../../../contract/core/codes/rules.ts'
import { studentStatus } from '../../../contract/core/codes/school.ts'
import { transformationApi } from '../../../contract/rules/transformation/transformation.calls.ts'
import { newId } from '../../core/base/ids.ts'
import { grant } from '../../programme/credits/ledger.service.ts'
import { newSchool, unique, type TestSchool } from '../../testing/school.ts'

type Form = Input<typeof transformationApi.add>
const rule = {
  fromType: convertFrom.hours,
  toType: convertTo.mark,
  mode: convertMode.lookup,
  segments: [
    { min: '30', value: '80' },
    { min: '40', value: '90' },
    { min: '50', value: '100' },
  ],
} as const
const form = (more: Partial<Form> = {}): Form => ({
  trName: `规则${unique()}`,
  ...rule,
  segments: [...rule.segments],
  ...more,
})

async function studentsWith(
  school: TestSchool,
  hours: number[],
  clType: string = creditType.hours,
  at = '2026-03-01 08:00:00',
  module = 'SXCL',
) {
  const scId = await school.college()
  const majorId = await school.major(scId)
  const scClassId = await school.schoolClass(majorId, scId)
  const students = await school.students(hours.length, { suiCollegeId: scId, majorId, scClassId })
  await give(
    school,
    students.map(({ suId }, i) => [suId, hours[i]!]),
    clType,
    at,
    module,
  )
  return { scId, students }
}
const give = (
  school: TestSchool,
  gains: [string, number][],
  clType: string = creditType.hours,
  at = '2026-03-01 08:00:00',
  module = 'SXCL',
) => {
  const lsId = school.curriculum[module]!
  return grant(
    school.ctx,
    school.schoolId,
    gains.map(([suId, clValue]) => ({
      suId,
      clType,
      sqlId: null,
      lsId,
      moduleId: lsId,
      clValue,
      source: 'LESSON' as const,
      bizId: newId(),
      bizName: '课程',
      ruleVersion: 1,
      occurTime: at,
      explain: { base: clValue, factor: 100, award: 0, partakeMode: partakeMode.participant, ruleVersion: 1, text: '' },
    })),
  )
}

describe('rules', () => {
  test('are added, changed, listed and deleted', async () => {
    const { admin, curriculum } = await newSchool()
    const { trId } = await admin.send(
      transformationApi.add,
      form({ trName: '成绩折算', scopeLsIds: [curriculum['SXCL']!], scopeGrades: ['2024'], cap: '95' }),
    )
    expect((await admin.send(transformationApi.all, {})).records).toMatchObject([
      {
        trId,
        text: '学时：≥30 为 80，≥40 为 90，≥50 为 100 → 成绩，最高 95',
        scopeLsNames: ['思想成长'],
        can: ['edit', 'delete'],
      },
    ])
    await admin.send(transformationApi.edit, {
      trId,
      version: 0,
      trName: '线性',
      fromType: convertFrom.hours,
      toType: convertTo.credit,
      mode: convertMode.linear,
      ratio: '0.05',
      segments: [{ min: '1', value: '1' }],
    })
    expect(await admin.send(transformationApi.query, { trId })).toMatchObject({
      trName: '线性',
      ratio: '0.05',
      segments: [],
      cap: null,
      scopeGrades: [],
      version: 1,
    })
    expect(
      (
        await admin.ask(transformationApi.edit, {
          trId,
          version: 0,
          trName: '旧',
          fromType: convertFrom.hours,
          toType: convertTo.credit,
          mode: convertMode.linear,
          ratio: '1',
        })
      ).msg,
    ).toBe('数据已被他人修改，请刷新后重试')
    expect(await admin.send(transformationApi.all, { fromType: convertFrom.credit })).toMatchObject({ total: 0 })
    await admin.send(transformationApi.remove, { trIds: [trId] })
    expect(await admin.send(transformationApi.all, {})).toMatchObject({ total: 0 })
  })

  test.each([
    ['no ratio', { mode: convertMode.linear, segments: [] }, 'ratio', '请输入折算比例'],
    ['no rows', { segments: [] }, 'segments', '请至少添加一段'],
    [
      'rows out of order',
      {
        segments: [
          { min: '40', value: '1' },
          { min: '40', value: '2' },
        ],
      },
      'segments.1.min',
      '起点须逐行增大',
    ],
    ['six stars', { toType: convertTo.stars, cap: '6' }, 'cap', '星级最高为 5'],
    ['a strange term', { effectTerm: newId() }, 'effectTerm', '所选学期不存在，请重新选择'],
    ['a strange node', { scopeLsIds: [newId()] }, 'scopeLsIds', '所选课程体系不存在，请重新选择'],
  ] satisfies [string, Partial<Form>, string, string][])(
    '%s is refused at the field',
    async (_, change, field, msg) => {
      const { admin } = await newSchool()
      expect((await admin.ask(transformationApi.add, form(change))).errors).toEqual([{ field, msg }])
    },
  )

  test('never convert the same twice: of overlapping ones only one is open', async () => {
    const { admin, curriculum } = await newSchool()
    await admin.send(
      transformationApi.add,
      form({ trName: '甲', scopeGrades: ['2023', '2024'], scopeLsIds: [curriculum['SXCL']!] }),
    )
    const refused = '与规则“甲”的来源、结果、课程体系和年级都有重叠，同一学生会折算两次，请调整范围或停用其中一条'
    expect((await admin.ask(transformationApi.add, form())).msg).toBe(refused)
    expect(
      (
        await admin.ask(
          transformationApi.add,
          form({ scopeGrades: ['2024'], scopeLsIds: [curriculum['SXCL/主题教育']!] }),
        )
      ).msg,
    ).toBe(refused)
    await admin.send(transformationApi.add, form({ scopeGrades: ['2025'] }))
    await admin.send(transformationApi.add, form({ scopeGrades: ['2024'], scopeLsIds: [curriculum['ZYGY']!] }))
    await admin.send(transformationApi.add, form({ fromType: convertFrom.volunteerHours }))
    await admin.send(transformationApi.add, form({ enable: enableStatus.disabled }))
    const both = await Promise.all([
      admin.ask(transformationApi.add, form({ toType: convertTo.stars })),
      admin.ask(transformationApi.add, form({ toType: convertTo.stars })),
    ])
    expect(both.map(({ code }) => code).toSorted()).toEqual([200, 300])
  })
})

describe('trying a rule out', () => {
  test('shows real students and the spread over all of them', async () => {
    const school = await newSchool()
    const { students } = await studentsWith(school, [5500, 4000, 3999, 100, 0])
    const answer = await school.admin.send(transformationApi.preview, {
      rule: { ...rule, segments: [...rule.segments] },
      pageSize: 2,
    })
    expect(answer).toMatchObject({
      total: 5,
      converted: 3,
      average: '54',
      spread: [
        { to: '100', people: 1 },
        { to: '90', people: 1 },
        { to: '80', people: 1 },
        { to: '0', people: 2 },
      ],
    })
    const all = await school.admin.send(transformationApi.preview, {
      rule: { ...rule, segments: [...rule.segments] },
      search: students[0]!.suiNumber,
    })
    expect(all.records).toMatchObject([
      { suId: students[0]!.suId, from: '55', to: '100', explain: '55 学时：达到 50 ＝ 100 成绩' },
    ])
  })

  test('shows those whose graduation is delayed too, and nobody who has left', async () => {
    const school = await newSchool()
    const { students } = await studentsWith(school, [5500, 4000, 3999])
    for (const [at, suiStatus] of [studentStatus.delayed, studentStatus.graduated].entries())
      await school.ctx.db
        .updateTable('person')
        .set({ suiStatus })
        .where('schoolId', '=', school.schoolId)
        .where('suId', '=', students[at]!.suId)
        .execute()
    const answer = await school.admin.send(transformationApi.preview, {
      rule: { ...rule, segments: [...rule.segments] },
    })
    expect(answer).toMatchObject({
      total: 2,
      spread: [
        { to: '100', people: 1 },
        { to: '80', people: 1 },
      ],
    })
  })

  test('counts only the nodes, the kind of value and the time the rule names', async () => {
    const school = await newSchool()
    const { students } = await studentsWith(school, [1000])
    const { suId } = students[0]!
    await give(school, [[suId, 300]], creditType.hours, '2026-03-01 08:00:00', 'ZYGY')
    await give(school, [[suId, 7000]], creditType.credit)
    await give(school, [[suId, -400]])
    const tmId = newId()
    await school.ctx.db
      .insertInto('term')
      .values({ schoolId: school.schoolId, tmId, tmName: '秋季', tmStart: '2035-08-16', tmEnd: '2036-02-14' })
      .execute()
    await give(school, [[suId, 200]], creditType.hours, '2035-09-01 08:00:00')
    const of = async (more: object) =>
      (
        await school.admin.send(transformationApi.preview, {
          rule: {
            fromType: convertFrom.hours,
            toType: convertTo.credit,
            mode: convertMode.linear,
            ratio: '1',
            ...more,
          },
        })
      ).records[0]!.from
    expect(await of({})).toBe('11')
    expect(await of({ scopeLsIds: [school.curriculum['SXCL']!] })).toBe('8')
    expect(await of({ effectTerm: tmId })).toBe('2')
    expect(await of({ fromType: convertFrom.credit })).toBe('70')
    expect(await of({ fromType: convertFrom.certificates })).toBe('0')
    expect((await school.admin.send(transformationApi.terms, {})).map(({ name }) => name)).toContain('秋季')
  })

  test('never shows students out of reach', async () => {
    const school = await newSchool()
    const { scId, students } = await studentsWith(school, [3000])
    await studentsWith(school, [5000])
    await school.ctx.db
      .updateTable('role')
      .set({ permits: ['transformation:list'] })
      .where('srId', '=', school.roles['COLLEGE_LEAGUE']!)
      .execute()
    const college = await school.person('COLLEGE_LEAGUE', [{ caType: 'college', caTarget: scId }])
    const answer = await college.client.send(transformationApi.preview, {
      rule: { ...rule, segments: [...rule.segments] },
    })
    expect(answer).toMatchObject({ total: 1, spread: [{ to: '80', people: 1 }] })
    expect(answer.records.map(({ suId }) => suId)).toEqual([students[0]!.suId])
  })
})
