import { describe, expect, test } from 'vitest'
import { enableStatus } from '../../../contract/core/codes/platform.ts'
import { evaluationApi } from '../../../contract/rules/evaluation/evaluation.calls.ts'
import { labelApi } from '../../../contract/rules/labels/labels.calls.ts'
import { newSchool, type TestSchool } from '../../testing/school.ts'

describe('the list', () => {
  test('groups with their labels, found by name', async () => {
    const school = await newSchool()
    const all = await school.admin.send(labelApi.all, {})
    expect(all.map(({ sqlName, children }) => [sqlName, children.length])).toEqual([
      ['德', 3],
      ['智', 5],
      ['体', 2],
      ['美', 2],
      ['劳', 3],
    ])
    const found = await school.admin.send(labelApi.all, { sqlName: '创新' })
    expect(found.map(({ sqlName, children }) => [sqlName, children.map((label) => label.sqlName)])).toEqual([
      ['智', ['创新创造']],
    ])
    const abilities = await school.admin.send(evaluationApi.selectAbility, {})
    expect(abilities).toHaveLength(15)
    expect(abilities[0]).toMatchObject({ sqlName: '理想信念', groupName: '德' })
  })
})

describe('the catalogue', () => {
  test('marks what the school has, and adopting adds only what it has not, group included', async () => {
    const school = await newSchool()
    const catalogue = await school.admin.send(labelApi.platform, {})
    expect(catalogue.filter(({ adopted }) => !adopted).map(({ sqlName }) => sqlName)).toEqual(['综合'])
    const general = catalogue.find(({ sqlName }) => sqlName === '综合')!
    const ids = [
      general.children[0]!.platformId,
      general.children[1]!.platformId,
      catalogue[0]!.children[0]!.platformId,
    ]
    expect(await school.admin.send(labelApi.adopt, { ids })).toEqual({ affected: 3 })
    expect(await school.admin.send(labelApi.adopt, { ids })).toEqual({ affected: 0 })
    const own = (await school.admin.send(labelApi.all, {})).at(-1)!
    expect([own.sqlName, own.children.map(({ sqlName }) => sqlName)]).toEqual(['综合', ['沟通表达', '团队协作']])
    expect((await school.admin.ask(labelApi.adopt, { ids: ['nothing'] })).reason).toBe('not-found')
    expect(await school.admin.send(labelApi.lessonLabel, {})).toHaveLength(20)
  })
})

describe('one label', () => {
  test('is added, changed once per version, and its name stays its own', async () => {
    const { admin, labels } = await newSchool()
    const { sqlId } = await admin.send(labelApi.edit, { sqlPid: labels['体'], sqlName: '团队竞技', fullScore: '50' })
    const row = (await admin.send(labelApi.all, { sqlName: '团队竞技' }))[0]!.children[0]!
    expect(row).toMatchObject({ sqlId, sqlColor: '#E39A2D', fullScore: '50', version: 0, can: ['edit', 'delete'] })
    await admin.send(labelApi.edit, {
      sqlId,
      version: 0,
      sqlPid: labels['体'],
      sqlName: '竞技',
      enable: enableStatus.disabled,
    })
    expect((await admin.ask(labelApi.edit, { sqlId, version: 0, sqlPid: labels['体'], sqlName: '别的' })).reason).toBe(
      'stale-version',
    )
    expect((await admin.ask(labelApi.edit, { sqlName: '身心健康' })).msg).toBe('素质标签“身心健康”已存在')
    expect((await admin.ask(labelApi.edit, { sqlName: '三层', sqlPid: sqlId })).reason).toBe('not-found')
    expect(
      (await admin.ask(labelApi.edit, { sqlId: labels['体'], version: 0, sqlName: '体', sqlPid: labels['德'] })).reason,
    ).toBe('label-in-use')
  })

  test('is deleted only when nothing scores by it; a group only when empty', async () => {
    const { admin, labels, curriculum } = await newSchool()
    await admin.send(evaluationApi.add, {
      lsId: curriculum['SXCL']!,
      levels: [{ esLessonLevel: '5', baseHours: '1' }],
      abilityRules: [{ sqlId: labels['理想信念']!, weight: 100 }],
    })
    expect((await admin.ask(labelApi.delIds, { sqlId: labels['理想信念'] })).msg).toBe(
      '标签“理想信念”已被 1 条评价规则采用，不能删除；可改为停用',
    )
    expect((await admin.ask(labelApi.del, { sqlId: [labels['体']] })).msg).toBe(
      '标签“体”下仍有 2 个标签，不能删除；可改为停用',
    )
    expect(
      await admin.send(labelApi.del, { sqlId: [labels['体']!, labels['身心健康']!, labels['意志毅力']!] }),
    ).toEqual({ affected: 3 })
    expect(await admin.send(labelApi.delIds, { sqlId: labels['道德诚信']! })).toEqual({ affected: 1 })
    const used = (await admin.send(labelApi.all, { sqlName: '理想信念' }))[0]!.children[0]!
    expect([used.usedCount, used.can]).toEqual([1, ['edit']])
  })

  test('of another school does not exist', async () => {
    const [school, other] = [await newSchool(), await newSchool()]
    expect((await school.admin.ask(labelApi.del, { sqlId: [other.labels['理想信念']] })).reason).toBe('not-found')
    expect(
      (await school.admin.ask(labelApi.edit, { sqlId: other.labels['理想信念'], version: 0, sqlName: '偷' })).reason,
    ).toBe('not-found')
  })
})

describe('order and levels', () => {
  const orderOf = async (school: TestSchool, group: string) =>
    (await school.admin.send(labelApi.all, {}))
      .find(({ sqlName }) => sqlName === group)!
      .children.map(({ sqlName }) => sqlName)

  test('labels move within their group and into another, groups among groups', async () => {
    const school = await newSchool()
    const { admin, labels } = school
    await admin.send(labelApi.move, {
      sqlId: labels['理想信念']!,
      version: 0,
      sqlPid: labels['德']!,
      after: labels['家国情怀']!,
    })
    expect(await orderOf(school, '德')).toEqual(['道德诚信', '家国情怀', '理想信念'])
    await admin.send(labelApi.move, { sqlId: labels['理想信念']!, version: 1, sqlPid: labels['体']! })
    expect([await orderOf(school, '德'), await orderOf(school, '体')]).toEqual([
      ['道德诚信', '家国情怀'],
      ['理想信念', '身心健康', '意志毅力'],
    ])
    await admin.send(labelApi.move, { sqlId: labels['劳']!, version: 0 })
    expect((await admin.send(labelApi.all, {})).map(({ sqlName }) => sqlName)).toEqual(['劳', '德', '智', '体', '美'])
    const refused = async (input: object) => (await admin.ask(labelApi.move, { version: 0, ...input })).reason
    expect(await refused({ sqlId: labels['德'], sqlPid: labels['体'] })).toBe('not-found')
    expect(await refused({ sqlId: labels['身心健康'] })).toBe('not-found')
    expect(await refused({ sqlId: labels['身心健康'], sqlPid: labels['意志毅力'] })).toBe('not-found')
    expect(await refused({ sqlId: labels['身心健康'], sqlPid: labels['体'], after: labels['道德诚信'] })).toBe(
      'stale-version',
    )
  })

  test('of two who change the same label at once one wins and the other is told', async () => {
    const school = await newSchool()
    const { admin, labels } = school
    const other = await school.person('SCHOOL_ADMIN')
    const edit = (sqlName: string) => ({ sqlId: labels['身心健康']!, version: 0, sqlPid: labels['体']!, sqlName })
    const replies = await Promise.all([
      admin.ask(labelApi.edit, edit('健康')),
      other.client.ask(labelApi.edit, edit('体魄')),
      other.client.ask(labelApi.move, { sqlId: labels['身心健康'], version: 0, sqlPid: labels['德'] }),
    ])
    expect(replies.map(({ code }) => code).toSorted()).toEqual([200, 409, 409])
    for (const { code, msg } of replies) if (code === 409) expect(msg).toBe('数据已被他人修改，请刷新后重试')
  })

  test('levels are kept in their order, empty ones at the end not; a change keeps the place', async () => {
    const { admin, labels } = await newSchool()
    const put = (levels: string[], version: number) =>
      admin.send(labelApi.edit, {
        sqlId: labels['意志毅力']!,
        version,
        sqlPid: labels['体']!,
        sqlName: '意志毅力',
        levels,
      })
    await put(['起步', '', '熟练', '', ''], 0)
    const row = async () => (await admin.send(labelApi.all, { sqlName: '意志毅力' }))[0]!.children[0]!
    expect(await row()).toMatchObject({ levels: ['起步', '', '熟练'], sqlSort: 1 })
    expect(
      (await admin.ask(labelApi.edit, { sqlName: '六级', levels: ['1', '2', '3', '4', '5', '6'] })).errors,
    ).toEqual([{ field: 'levels', msg: '最多五级' }])
  })

  test('closing shuts a label to new rules and says who uses it', async () => {
    const { admin, labels, curriculum } = await newSchool()
    await admin.send(evaluationApi.add, {
      lsId: curriculum['SXCL/主题教育']!,
      levels: [{ esLessonLevel: '5', baseHours: '1' }],
      abilityRules: [
        { sqlId: labels['理想信念']!, weight: 30 },
        { sqlId: labels['家国情怀']!, weight: 70 },
      ],
    })
    expect(await admin.send(labelApi.uses, { sqlId: labels['家国情怀']! })).toMatchObject([
      { lsFullName: '思想成长 / 主题教育', levelName: '校级', versionNo: 1, current: true, weight: 70 },
    ])
    expect(
      await admin.send(labelApi.enable, {
        sqlId: [labels['家国情怀']!, labels['理想信念']!],
        enable: enableStatus.disabled,
      }),
    ).toEqual({ affected: 2 })
    expect((await admin.send(evaluationApi.selectAbility, {})).map(({ sqlName }) => sqlName)).not.toContain('家国情怀')
    expect((await admin.ask(labelApi.uses, { sqlId: curriculum['SXCL'] })).reason).toBe('not-found')
  })
})
