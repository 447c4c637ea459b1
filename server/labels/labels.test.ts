import { describe, expect, test } from 'vitest'
import { evaluationApi } from '../../contract/evaluation/evaluation.calls.ts'
import { labelApi } from '../../contract/labels/labels.calls.ts'
import { newSchool } from '../testing/school.ts'

describe('the list', () => {
  test('groups with their labels, found by name', async () => {
    const school = await newSchool()
    const all = await school.admin.send(labelApi.all, {})
    expect(all.map(({ sqlName, children }) => [sqlName, children.length])).toEqual([['德', 3], ['智', 5], ['体', 2], ['美', 2], ['劳', 3]])
    const found = await school.admin.send(labelApi.all, { sqlName: '创新' })
    expect(found.map(({ sqlName, children }) => [sqlName, children.map((label) => label.sqlName)])).toEqual([['智', ['创新创造']]])
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
    const ids = [general.children[0]!.platformId, general.children[1]!.platformId, catalogue[0]!.children[0]!.platformId]
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
    await admin.send(labelApi.edit, { sqlId, version: 0, sqlPid: labels['体'], sqlName: '竞技', enable: '0' })
    expect((await admin.ask(labelApi.edit, { sqlId, version: 0, sqlPid: labels['体'], sqlName: '别的' })).reason).toBe('stale-version')
    expect((await admin.ask(labelApi.edit, { sqlName: '身心健康' })).msg).toBe('素质标签“身心健康”已存在')
    expect((await admin.ask(labelApi.edit, { sqlName: '三层', sqlPid: sqlId })).reason).toBe('not-found')
    expect((await admin.ask(labelApi.edit, { sqlId: labels['体'], version: 0, sqlName: '体', sqlPid: labels['德'] })).reason).toBe('label-in-use')
  })

  test('is deleted only when nothing scores by it; a group only when empty', async () => {
    const { admin, labels, curriculum } = await newSchool()
    await admin.send(evaluationApi.add, { lsId: curriculum['SXCL']!, levels: [{ esLessonLevel: '5', baseHours: '1' }], abilityRules: [{ sqlId: labels['理想信念']!, weight: 100 }] })
    expect((await admin.ask(labelApi.delIds, { sqlId: labels['理想信念'] })).msg).toBe('标签“理想信念”已被评价规则采用，不能删除；可改为停用')
    expect((await admin.ask(labelApi.del, { sqlId: [labels['体']] })).msg).toBe('标签“体”下仍有标签，不能删除；可改为停用')
    expect(await admin.send(labelApi.del, { sqlId: [labels['体']!, labels['身心健康']!, labels['意志毅力']!] })).toEqual({ affected: 3 })
    expect(await admin.send(labelApi.delIds, { sqlId: labels['道德诚信']! })).toEqual({ affected: 1 })
    const used = (await admin.send(labelApi.all, { sqlName: '理想信念' }))[0]!.children[0]!
    expect([used.usedCount, used.can]).toEqual([1, ['edit']])
  })

  test('of another school does not exist', async () => {
    const [school, other] = [await newSchool(), await newSchool()]
    expect((await school.admin.ask(labelApi.del, { sqlId: [other.labels['理想信念']] })).reason).toBe('not-found')
    expect((await school.admin.ask(labelApi.edit, { sqlId: other.labels['理想信念'], version: 0, sqlName: '偷' })).reason).toBe('not-found')
  })
})
