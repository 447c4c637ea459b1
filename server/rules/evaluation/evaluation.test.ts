import { describe, expect, test } from 'vitest'
import type { Input } from '../../../contract/core/call.ts'
import { enableStatus } from '../../../contract/core/codes/platform.ts'
import { partakeMode } from '../../../contract/core/codes/programme.ts'
import { evaluationApi } from '../../../contract/rules/evaluation/evaluation.calls.ts'
import { curriculumApi } from '../../../contract/rules/curriculum/curriculum.calls.ts'
import { lessonApi } from '../../../contract/programme/lessons/lessons.calls.ts'
import { newSchool, type TestSchool } from '../../testing/school.ts'
import { storeLesson } from '../../testing/stored-lesson.ts'

const rules = (school: TestSchool) => ({
  modeRules: [{ partakeMode: partakeMode.organiser, factor: '1.5' }],
  awardRules: [{ adName: '一等奖', hours: '1', credit: '0.25', points: '10' }],
  abilityRules: [
    { sqlId: school.labels['理想信念']!, weight: 60 },
    { sqlId: school.labels['家国情怀']!, weight: 40 },
  ],
})
const ruled = async (school: TestSchool, lsId = school.curriculum['SXCL']!) => {
  const levels = [
    { esLessonLevel: '5', baseHours: '2', hourCap: '4', credit: '0.2', points: '20' },
    { esLessonLevel: '6', baseHours: '1.5' },
  ]
  return school.admin.send(evaluationApi.add, { lsId, esName: '思想类', levels, ...rules(school) })
}
/** A course that scores by a rule. */
const useRule = (school: TestSchool, esId: string) => storeLesson(school, { esId })
/** A rule as the edit form sends it back. */
async function formOf(school: TestSchool, esId: string): Promise<Input<typeof evaluationApi.edit>> {
  const rule = await school.admin.send(evaluationApi.query, { esId })
  const { esName, version, baseHours, credit, points, modeRules, awardRules, abilityRules, effectFrom, enable } = rule
  return {
    esId,
    esName,
    version,
    baseHours,
    hourCap: rule.hourCap ?? undefined,
    credit,
    points,
    modeRules,
    awardRules,
    abilityRules: abilityRules.map(({ sqlId, weight }) => ({ sqlId, weight })),
    effectFrom,
    enable,
  } as Input<typeof evaluationApi.edit>
}

describe('adding', () => {
  test('one rule for every level named, with amounts, factors and weights', async () => {
    const school = await newSchool()
    const { esIds } = await ruled(school)
    expect(esIds).toHaveLength(2)
    const page = await school.admin.send(evaluationApi.all, { lsId: school.curriculum['SXCL'] })
    expect(page.records).toMatchObject([
      {
        esLessonLevel: '5',
        levelName: '校级',
        baseHours: '2',
        hourCap: '4',
        credit: '0.2',
        points: '20',
        versionNo: 1,
        lessonCount: 0,
        can: ['edit', 'delete'],
      },
      { esLessonLevel: '6', levelName: '院（系）级', baseHours: '1.5', hourCap: null, credit: '0', points: '0' },
    ])
    expect(page.records[0]).toMatchObject({
      lsFullName: '思想成长',
      modeRules: [{ partakeMode: partakeMode.organiser, factor: '1.5' }],
      awardRules: [{ adName: '一等奖', hours: '1', credit: '0.25', points: '10' }],
      abilityRules: [
        { sqlName: '理想信念', weight: 60 },
        { sqlName: '家国情怀', weight: 40 },
      ],
    })
  })

  test('a second rule for the same system and level is refused, and none of the others is made', async () => {
    const school = await newSchool()
    await ruled(school)
    const again = await school.admin.ask(evaluationApi.add, {
      lsId: school.curriculum['SXCL'],
      levels: [
        { esLessonLevel: '7', baseHours: '1' },
        { esLessonLevel: '5', baseHours: '1' },
      ],
    })
    expect(again.msg).toBe('该体系与级别已有评价规则')
    expect((await school.admin.send(evaluationApi.all, {})).total).toBe(2)
    expect(
      (await school.admin.send(evaluationApi.lessonLevel, { lsId: school.curriculum['SXCL'] }))
        .filter(({ taken }) => taken)
        .map(({ id }) => id),
    ).toEqual(['5', '6'])
  })

  test.each([
    ['weights of 90', { abilityRules: [{ sqlId: 0, weight: 90 }] }, '能力权重合计须为 100%'],
    [
      'weights of 110',
      {
        abilityRules: [
          { sqlId: 0, weight: 60 },
          { sqlId: 1, weight: 50 },
        ],
      },
      '能力权重合计须为 100%',
    ],
    [
      'an ability twice',
      {
        abilityRules: [
          { sqlId: 0, weight: 50 },
          { sqlId: 0, weight: 50 },
        ],
      },
      '能力标签不能重复',
    ],
    [
      'a mode twice',
      {
        modeRules: [
          { partakeMode: partakeMode.participant, factor: '1' },
          { partakeMode: partakeMode.participant, factor: '2' },
        ],
      },
      '参与方式不能重复',
    ],
    [
      'three decimal places',
      { levels: [{ esLessonLevel: '5', baseHours: '1.005' }] },
      '学时须为 0 至 1000 之间、最多两位小数的数',
    ],
    ['no level', { levels: [] }, '请至少填写一个级别'],
    ['an unknown level', { levels: [{ esLessonLevel: '77', baseHours: '1' }] }, '所选级别不存在'],
    ['an end before the start', { effectFrom: '2026-05-01', effectTo: '2026-04-01' }, '失效日期不能早于生效日期'],
  ])('%s is refused', async (_, change, msg) => {
    const school = await newSchool()
    const ids = [school.labels['理想信念']!, school.labels['家国情怀']!]
    const fixed =
      'abilityRules' in change
        ? { abilityRules: change.abilityRules!.map(({ sqlId, weight }) => ({ sqlId: ids[sqlId], weight })) }
        : change
    const reply = await school.admin.ask(evaluationApi.add, {
      lsId: school.curriculum['SXCL'],
      levels: [{ esLessonLevel: '5', baseHours: '1' }],
      ...fixed,
    })
    expect([reply.code, reply.msg]).toEqual([300, msg])
  })

  test('a level the system does not allow is refused by name', async () => {
    const school = await newSchool()
    const { lsId } = await school.admin.send(curriculumApi.add, { lsName: '仅校级', allowLevels: ['5'] })
    expect(
      (await school.admin.ask(evaluationApi.add, { lsId, levels: [{ esLessonLevel: '6', baseHours: '1' }] })).msg,
    ).toBe('课程体系“仅校级”不允许级别“院（系）级”，请先在课程体系中放开')
  })

  test('an ability of another school does not exist, and a group is none', async () => {
    const [school, other] = [await newSchool(), await newSchool()]
    const reply = await school.admin.ask(evaluationApi.add, {
      lsId: school.curriculum['SXCL'],
      levels: [{ esLessonLevel: '5', baseHours: '1' }],
      abilityRules: [{ sqlId: other.labels['理想信念'], weight: 100 }],
    })
    expect(reply.errors).toEqual([{ field: 'abilityRules', msg: '所选能力标签不存在或已删除' }])
    const group = await school.admin.ask(evaluationApi.add, {
      lsId: school.curriculum['SXCL'],
      levels: [{ esLessonLevel: '5', baseHours: '1' }],
      abilityRules: [{ sqlId: school.labels['德'], weight: 100 }],
    })
    expect(group.errors?.[0]?.field).toBe('abilityRules')
  })
})

describe('editing', () => {
  test('changes the rule in place while no course scores by it', async () => {
    const school = await newSchool()
    const { esIds } = await ruled(school)
    const answer = await school.admin.send(evaluationApi.edit, { ...(await formOf(school, esIds[0]!)), baseHours: '3' })
    expect(answer).toEqual({ esId: esIds[0], versionNo: 1, newVersion: false })
    expect((await school.admin.send(evaluationApi.query, { esId: esIds[0]! })).baseHours).toBe('3')
  })

  test('a deleted course is not counted, yet keeps the version it scored by', async () => {
    const school = await newSchool()
    const { esIds } = await ruled(school)
    const [esId] = esIds as [string]
    const liId = await useRule(school, esId)
    const shown = async () =>
      (await school.admin.send(evaluationApi.all, { lsId: school.curriculum['SXCL'] })).records.find(
        (row) => row.esId === esId,
      )!
    expect(await shown()).toMatchObject({ lessonCount: 1, can: ['edit'] })
    await school.admin.send(lessonApi.del, { liId: [liId] })
    expect(await shown()).toMatchObject({ lessonCount: 0, can: ['edit'] })
    expect(await school.admin.send(evaluationApi.query, { esId })).toMatchObject({
      lessonCount: 0,
      versions: [{ versionNo: 1, lessonCount: 0 }],
    })
    expect((await school.admin.ask(evaluationApi.remove, { ids: [esId] })).reason).toBe('evaluation-in-use')
    const answer = await school.admin.send(evaluationApi.edit, { ...(await formOf(school, esId)), baseHours: '3' })
    expect(answer).toMatchObject({ versionNo: 2, newVersion: true })
  })

  test('leaves courses their version and gives new ones the next', async () => {
    const school = await newSchool()
    const { esIds } = await ruled(school)
    const old = esIds[0]!
    const liId = await useRule(school, old)
    const answer = await school.admin.send(evaluationApi.edit, { ...(await formOf(school, old)), baseHours: '3' })
    expect(answer).toMatchObject({ versionNo: 2, newVersion: true })
    expect(answer.esId).not.toBe(old)
    const lesson = await school.services.db
      .selectFrom('lesson')
      .select('esId')
      .where('liId', '=', liId)
      .executeTakeFirstOrThrow()
    expect(lesson.esId).toBe(old)
    expect(await school.admin.send(evaluationApi.query, { esId: old })).toMatchObject({
      baseHours: '2',
      current: false,
      lessonCount: 1,
    })
    expect(await school.admin.send(evaluationApi.query, { esId: answer.esId })).toMatchObject({
      baseHours: '3',
      current: true,
      lessonCount: 0,
      versions: [
        { versionNo: 2, lessonCount: 0 },
        { versionNo: 1, lessonCount: 1 },
      ],
    })
    expect((await school.admin.send(evaluationApi.all, { esLessonLevel: '5' })).total).toBe(1)
  })

  test('a new name or state of a rule in use makes no version', async () => {
    const school = await newSchool()
    const { esIds } = await ruled(school)
    await useRule(school, esIds[0]!)
    expect(
      await school.admin.send(evaluationApi.edit, {
        ...(await formOf(school, esIds[0]!)),
        esName: '改名',
        enable: enableStatus.disabled,
      }),
    ).toMatchObject({ esId: esIds[0], newVersion: false })
  })

  test('a stale version, and an ended one, are refused', async () => {
    const school = await newSchool()
    const { esIds } = await ruled(school)
    const form = await formOf(school, esIds[0]!)
    await useRule(school, esIds[0]!)
    await school.admin.send(evaluationApi.edit, { ...form, esName: '改名' })
    expect((await school.admin.ask(evaluationApi.edit, { ...form, esName: '又改' })).reason).toBe('stale-version')
    const next = await school.admin.send(evaluationApi.edit, { ...(await formOf(school, esIds[0]!)), points: '99' })
    expect(next.newVersion).toBe(true)
    expect((await school.admin.ask(evaluationApi.edit, { ...form, version: 2 })).reason).toBe('not-found')
  })
})

describe('deleting', () => {
  test('is refused for a rule in use, with the number of courses', async () => {
    const school = await newSchool()
    const { esIds } = await ruled(school)
    await useRule(school, esIds[0]!)
    expect((await school.admin.ask(evaluationApi.remove, { ids: esIds })).msg).toBe(
      '已有 1 门课程采用该评价规则，不能删除',
    )
    expect((await school.admin.send(evaluationApi.all, {})).total).toBe(2)
  })

  test('leaves the versions that courses keep, and the pair may be ruled again', async () => {
    const school = await newSchool()
    const { esIds } = await ruled(school)
    await useRule(school, esIds[0]!)
    const next = await school.admin.send(evaluationApi.edit, { ...(await formOf(school, esIds[0]!)), baseHours: '3' })
    await school.admin.send(evaluationApi.remove, { ids: [next.esId] })
    expect(await school.admin.send(evaluationApi.query, { esId: esIds[0]! })).toMatchObject({ current: false })
    const again = await school.admin.send(evaluationApi.add, {
      lsId: school.curriculum['SXCL']!,
      levels: [{ esLessonLevel: '5', baseHours: '9' }],
    })
    expect((await school.admin.send(evaluationApi.query, { esId: again.esIds[0]! })).versionNo).toBe(2)
  })
})

test('a module owner changes the rules of their module only', async () => {
  const school = await newSchool()
  await school.services.db
    .updateTable('role')
    .set({ permits: ['evaluation:list', 'evaluation:edit', 'evaluation:delete'] })
    .where('srId', '=', school.roles['MODULE_OWNER']!)
    .execute()
  const owner = await school.person('MODULE_OWNER', [{ caType: 'curriculum', caTarget: school.curriculum['ZYGY']! }])
  const own = await ruled(school, school.curriculum['ZYGY/社区服务'])
  const foreign = await ruled(school)
  const page = await owner.client.send(evaluationApi.all, {})
  expect(page.records.map(({ lsFullName, can }) => [lsFullName, can.length > 0])).toEqual([
    ['思想成长', false],
    ['思想成长', false],
    ['志愿公益 / 社区服务', true],
    ['志愿公益 / 社区服务', true],
  ])
  expect((await owner.client.send(evaluationApi.remove, { ids: own.esIds })).affected).toBe(2)
  expect((await owner.client.ask(evaluationApi.remove, { ids: foreign.esIds })).reason).toBe('not-found')
  expect(
    (await owner.client.ask(evaluationApi.edit, { ...(await formOf(school, foreign.esIds[0]!)), esName: '改' })).reason,
  ).toBe('not-found')
  expect(
    (
      await owner.client.ask(evaluationApi.add, {
        lsId: school.curriculum['CXCY'],
        levels: [{ esLessonLevel: '5', baseHours: '1' }],
      })
    ).reason,
  ).toBe('not-found')
})

test('ten additions at once make one set of rules', async () => {
  const school = await newSchool()
  const replies = await Promise.all(
    Array.from({ length: 10 }, () =>
      school.admin.ask(evaluationApi.add, {
        lsId: school.curriculum['WTHD'],
        levels: [{ esLessonLevel: '5', baseHours: '1' }],
      }),
    ),
  )
  expect(replies.filter(({ code }) => code === 200)).toHaveLength(1)
  expect(replies.filter(({ reason }) => reason === 'evaluation-exists')).toHaveLength(9)
})

describe('levels', () => {
  const read = async (school: TestSchool) => school.admin.send(evaluationApi.levels, {})
  const kept = (levels: { llId: string; llName: string; llFactor: string; enable: string; usedBy: string }[]) =>
    levels.map(({ usedBy: _, ...level }) => ({ ...level, enable: level.enable as '1' }))

  test('are added, renamed, ordered, closed and deleted together', async () => {
    const school = await newSchool()
    const before = await read(school)
    const [first, second, ...rest] = kept(before.levels)
    await school.admin.send(evaluationApi.saveLevels, {
      version: before.version,
      levels: [
        { ...second!, llName: first!.llName },
        { ...first!, llName: second!.llName, llFactor: '2.5', enable: enableStatus.disabled },
        ...rest.slice(0, -1),
        { llName: '宿舍级', llFactor: '0.25' },
      ],
    })
    const after = await read(school)
    expect(after.levels.map(({ llName }) => llName)).toEqual([
      first!.llName,
      second!.llName,
      ...rest.slice(0, -1).map(({ llName }) => llName),
      '宿舍级',
    ])
    expect(after.levels[1]).toMatchObject({ llId: first!.llId, llFactor: '2.5', enable: enableStatus.disabled })
    expect(after.version).toBe(before.version + 1)
    expect((await school.admin.send(curriculumApi.levels, {})).map(({ llName }) => llName)).toContain('宿舍级')
    expect(
      (await school.admin.ask(evaluationApi.saveLevels, { version: before.version, levels: kept(after.levels) }))
        .reason,
    ).toBe('stale-version')
  })
  test('that are used stay, and it is told by what', async () => {
    const school = await newSchool()
    await ruled(school)
    const { version, levels } = await read(school)
    const used = levels.find(({ usedBy }) => usedBy)!
    expect(used.usedBy.trim()).toBe('1 条评价规则')
    expect(
      (
        await school.admin.ask(evaluationApi.saveLevels, {
          version,
          levels: kept(levels.filter(({ llId }) => llId !== used.llId)),
        })
      ).msg,
    ).toBe(`级别“${used.llName}”已有 1 条评价规则使用，不能删除；可改为停用`)
  })
  test('have names of their own, told at the row', async () => {
    const school = await newSchool()
    const { version, levels } = await read(school)
    const twice = kept(levels).map((level, at) => (at === 1 ? { ...level, llName: levels[0]!.llName } : level))
    expect((await school.admin.ask(evaluationApi.saveLevels, { version, levels: twice })).errors).toEqual([
      { field: 'levels.1.llName', msg: `级别“${levels[0]!.llName}”重复` },
    ])
  })
})
