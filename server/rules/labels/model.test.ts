import { describe, expect, test } from 'vitest'
import { enableStatus } from '../../../contract/core/codes/platform.ts'
import { studentStatus } from '../../../contract/core/codes/school.ts'
import { evaluationApi } from '../../../contract/rules/evaluation/evaluation.calls.ts'
import { labelApi } from '../../../contract/rules/labels/labels.calls.ts'
import { modelApi, modelPreviewApi } from '../../../contract/rules/labels/model.calls.ts'
import { transcriptApi } from '../../../contract/outcomes/transcripts/transcripts.calls.ts'
import { refreshSchool } from '../../outcomes/statistics/refresh.service.ts'
import { grantRecord, oneClass, type TestStudent } from '../../testing/ledger.ts'
import { pdfWords } from '../../testing/pdf.ts'
import { newSchool, type TestSchool } from '../../testing/school.ts'

const names = ['理想信念', '家国情怀', '创新创造', '志愿奉献', '身心健康']
const listOf = (
  { labels }: TestSchool,
  change: (row: { sqlId: string; name: string; max: string }, at: number) => object = (row) => row,
) =>
  names.map((name, at) => change({ sqlId: labels[name]!, name, max: '10' }, at)) as {
    sqlId: string
    name: string
    max: string
    color?: string
  }[]

describe('the model', () => {
  test('is empty at first, kept as it was ordered, and saved once per version', async () => {
    const school = await newSchool()
    const { admin } = school
    const empty = await admin.send(modelApi.list, {})
    expect([empty.version, empty.list, empty.labels.length]).toEqual([0, [], 15])
    expect(empty.labels[0]).toMatchObject({ sqlName: '理想信念', groupName: '德', fullScore: '100', levels: [] })
    const list = listOf(school, (row, at) => ({
      ...row,
      name: at === 0 ? '信念' : row.name,
      max: String(10 + at),
      color: '#1C9C8C',
    })).toReversed()
    expect(await admin.send(modelApi.addList, { version: 0, list })).toEqual({ version: 1 })
    const saved = await admin.send(modelApi.list, {})
    expect(saved).toMatchObject({ version: 1, updateName: '管理员', list })
    expect((await admin.send(labelApi.all, { sqlName: '理想信念' }))[0]!.children[0]).toMatchObject({
      inModel: true,
      can: ['edit'],
    })
    expect((await admin.ask(labelApi.del, { sqlId: [school.labels['理想信念']] })).msg).toBe(
      '标签“理想信念”已选入素质模型，不能删除；可改为停用',
    )
    // a label closed since stays to be chosen, for it is shown
    await admin.send(labelApi.enable, {
      sqlId: [school.labels['理想信念']!, school.labels['国际视野']!],
      enable: enableStatus.disabled,
    })
    expect((await admin.send(modelApi.list, {})).labels.map(({ sqlName }) => sqlName)).toContain('理想信念')
    expect((await admin.send(modelApi.list, {})).labels.map(({ sqlName }) => sqlName)).not.toContain('国际视野')
    expect((await admin.ask(modelApi.del, { version: 0 })).reason).toBe('stale-version')
    expect(await admin.send(modelApi.del, { version: 1 })).toEqual({ affected: 1 })
    expect((await admin.ask(modelApi.del, { version: 1 })).reason).toBe('not-found')
    expect((await admin.send(modelApi.list, {})).version).toBe(0)
  })

  test.each([0, 1])('of two who save over version %i at once one wins and the other is told', async (version) => {
    const school = await newSchool()
    const other = await school.person('SCHOOL_ADMIN')
    if (version === 1) await school.admin.send(modelApi.addList, { version: 0, list: listOf(school) })
    const lists = [listOf(school), listOf(school).toReversed()]
    const replies = await Promise.all(
      [school.admin, other.client].map((client, at) => client.ask(modelApi.addList, { version, list: lists[at]! })),
    )
    expect(replies.map(({ code }) => code).toSorted()).toEqual([200, 409])
    expect(replies.find(({ code }) => code === 409)!.msg).toBe('数据已被他人修改，请刷新后重试')
    const winner = replies.findIndex(({ code }) => code === 200)
    expect((await school.admin.send(modelApi.list, {})).list.map(({ name }) => name)).toEqual(
      lists[winner]!.map(({ name }) => name),
    )
  })

  test.each<[string, (list: ReturnType<typeof listOf>, school: TestSchool) => object[], string, string]>([
    ['four labels', (list) => list.slice(1), 'list', '至少选择 5 个标签'],
    ['a label twice', (list) => [...list, { ...list[0]!, name: '又' }], 'list.5.sqlId', '同一标签只能选择一次'],
    [
      'a name twice',
      (list) => list.with(1, { ...list[1]!, name: '理想信念' }),
      'list.1.name',
      '显示名称“理想信念”重复',
    ],
    ['no score', (list) => list.with(2, { ...list[2]!, max: '0' }), 'list.2.max', '满分须大于 0'],
    [
      'a group',
      (list, { labels }) => list.with(3, { ...list[3]!, sqlId: labels['德']! }),
      'list.3.sqlId',
      '标签“志愿奉献”不存在或已删除，请刷新后重试',
    ],
  ])('%s is refused at the field', async (_, change, field, msg) => {
    const school = await newSchool()
    expect(
      (await school.admin.ask(modelApi.addList, { version: 0, list: change(listOf(school), school) })).errors,
    ).toEqual([{ field, msg }])
  })

  test('another school’s labels do not exist', async () => {
    const [school, other] = [await newSchool(), await newSchool()]
    expect((await other.admin.ask(modelApi.addList, { version: 0, list: listOf(school) })).errors?.[0]?.field).toBe(
      'list.0.sqlId',
    )
  })
})

describe('the preview', () => {
  /** Six students of grade 2024 and one of 2023; scores 理想信念 4, 1, four times 2.5, and 10. */
  async function scored() {
    const school = await newSchool()
    const { scId, smId, scClassId, students } = await oneClass(school)
    const [first, second, ...others] = (await students(6)) as [TestStudent, TestStudent, ...TestStudent[]]
    const [older] = (await school.students(1, { suiCollegeId: scId, majorId: smId, scClassId, suiGrade: '2023' })) as [
      TestStudent,
    ]
    const plan = (value: number) => ({
      name: '主题团日',
      module: 'SXCL',
      on: '2026-03-05',
      hours: 100,
      ability: [['理想信念', value]] as [string, number][],
    })
    await grantRecord(school, first, {
      ...plan(400),
      ability: [
        ['理想信念', 400],
        ['志愿奉献', 150],
      ],
    })
    await grantRecord(school, second, plan(100))
    await grantRecord(school, older, plan(1000))
    for (const other of others) await grantRecord(school, other, plan(250))
    await refreshSchool(school.ctx, school.schoolId)
    await school.admin.send(evaluationApi.add, {
      lsId: school.curriculum['SXCL']!,
      levels: [{ esLessonLevel: '5', baseHours: '1' }],
      abilityRules: [
        { sqlId: school.labels['理想信念']!, weight: 60 },
        { sqlId: school.labels['志愿奉献']!, weight: 40 },
      ],
    })
    await school.admin.send(evaluationApi.add, {
      lsId: school.curriculum['ZYGY/社区服务']!,
      levels: [{ esLessonLevel: '5', baseHours: '1' }],
      abilityRules: [{ sqlId: school.labels['志愿奉献']!, weight: 100 }],
    })
    return { school, scId, first, second, older }
  }

  test('sets a student beside the means of their grade and of the school, added up independently', async () => {
    const { school, first, older } = await scored()
    const preview = await school.admin.send(modelPreviewApi.preview, { suId: first.suId })
    expect(preview).toMatchObject({
      student: { suId: first.suId, suiName: first.suiName, suiGrade: '2024' },
      gradePeople: 6,
      schoolPeople: 7,
    })
    expect(preview.scores).toHaveLength(15)
    const of = (scores: typeof preview.scores, name: string) =>
      scores.find(({ sqlId }) => sqlId === school.labels[name])
    expect(of(preview.scores, '理想信念')).toMatchObject({
      score: '4',
      avgGrade: '2.5',
      avgSchool: '3.57',
      high: '6.4',
      modules: ['思想成长'],
    })
    expect(of(preview.scores, '志愿奉献')).toMatchObject({
      score: '1.5',
      avgGrade: '0.25',
      avgSchool: '0.21',
      high: null,
      modules: ['志愿公益', '思想成长'],
    })
    expect(of(preview.scores, '国际视野')).toMatchObject({
      score: '0',
      avgGrade: '0',
      avgSchool: '0',
      high: null,
      modules: [],
    })
    expect(
      of((await school.admin.send(modelPreviewApi.preview, { suId: older.suId })).scores, '理想信念'),
    ).toMatchObject({ score: '10', avgGrade: null, avgSchool: '3.57' })
    const alone = await school.admin.send(modelPreviewApi.preview, {})
    expect([alone.student, of(alone.scores, '理想信念')]).toMatchObject([
      null,
      { score: '0', avgGrade: null, avgSchool: '3.57' },
    ])
  })

  test('tells no mean of few: with two in a grade it would tell what the other one has', async () => {
    const school = await newSchool()
    const { students } = await oneClass(school)
    const [first, second] = (await students(2)) as [TestStudent, TestStudent]
    for (const [student, value] of [
      [first, 400],
      [second, 100],
    ] as const)
      await grantRecord(school, student, {
        name: '主题团日',
        module: 'SXCL',
        on: '2026-03-05',
        hours: 100,
        ability: [['理想信念', value]],
      })
    await refreshSchool(school.ctx, school.schoolId)
    const { scores, gradePeople } = await school.admin.send(modelPreviewApi.preview, { suId: first.suId })
    expect(gradePeople).toBe(2)
    expect(scores.find(({ sqlId }) => sqlId === school.labels['理想信念'])).toMatchObject({
      score: '4',
      avgGrade: null,
      avgSchool: null,
      high: null,
    })
  })

  test('leaves those who have left out of the means, and shows no student out of sight', async () => {
    const { school, scId, first, second } = await scored()
    await school.services.db
      .updateTable('person')
      .set({ suiStatus: studentStatus.withdrawn })
      .where('suId', '=', second.suId)
      .execute()
    await refreshSchool(school.ctx, school.schoolId)
    const own = await school.person('COLLEGE_LEAGUE', [{ caType: 'college', caTarget: scId }])
    const preview = await own.client.send(modelPreviewApi.preview, { suId: first.suId })
    expect(preview.scores.find(({ sqlId }) => sqlId === school.labels['理想信念'])).toMatchObject({
      avgGrade: '2.8',
      avgSchool: '4',
    })
    const elsewhere = await school.person('COLLEGE_LEAGUE', [{ caType: 'college', caTarget: await school.college() }])
    expect((await elsewhere.client.ask(modelPreviewApi.preview, { suId: first.suId })).status).toBe(404)
    expect((await elsewhere.client.ask(modelApi.addList, { version: 0, list: listOf(school) })).status).toBe(403)
  })

  test('and the transcript follow the model: its labels, names, order and maxima', async () => {
    const { school, first } = await scored()
    const header = async () => school.admin.send(transcriptApi.header, { suId: first.suId })
    expect((await header()).modelled).toBe(false)
    const list = listOf(school, (row) =>
      row.name === '志愿奉献' ? { ...row, name: '奉献', max: '3', color: '#8A5CC9' } : row,
    ).toReversed()
    await school.admin.send(modelApi.addList, { version: 0, list })
    const { modelled, ability } = await header()
    expect(modelled).toBe(true)
    expect(ability.map(({ name, score, max }) => [name, score, max])).toEqual([
      ['身心健康', '0', '10'],
      ['奉献', '1.5', '3'],
      ['创新创造', '0', '10'],
      ['家国情怀', '0', '10'],
      ['理想信念', '4', '10'],
    ])
    expect(ability[1]!.color).toBe('#8A5CC9')
    const words = await pdfWords((await school.admin.download(transcriptApi.export, { suIds: [first.suId] })).bytes)
    for (const word of ['奉献1.5', '理想信念4', '外圈为各项满分']) expect(words).toContain(word)
  })
})
