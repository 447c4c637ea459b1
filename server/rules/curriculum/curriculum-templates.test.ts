import { describe, expect, test } from 'vitest'
import { enableStatus, yesNo } from '../../../contract/core/codes/platform.ts'
import { curriculumType, supProof } from '../../../contract/core/codes/rules.ts'
import { curriculumApi } from '../../../contract/rules/curriculum/curriculum.calls.ts'
import { sheetIn } from '../../testing/sheet-in.ts'
import { newSchool } from '../../testing/school.ts'
import { treeTemplates } from './tree-templates.ts'

describe('ready-made trees', () => {
  test('have codes and names once, at most three levels, and say what the school has already', async () => {
    const { admin } = await newSchool()
    const templates = await admin.send(curriculumApi.templates, {})
    expect(templates.map(({ templateId, modules }) => [templateId, modules.length])).toEqual([
      ['common8', 8],
      ['hfut9', 9],
      ['swjtu7', 7],
      ['wuyu5', 5],
    ])
    expect(templates.map(({ modules }) => modules.every(({ exists }) => exists))).toEqual([true, false, false, false])
    for (const { modules } of treeTemplates) {
      expect(new Set(modules.flatMap(([code, name]) => [code, name])).size).toBe(modules.length * 2)
      for (const [, , children] of modules) expect(new Set(children).size).toBe(children.length)
    }
  })

  test('are added behind the own modules, without what the school has, and once only', async () => {
    const { admin, services, schoolId } = await newSchool()
    await admin.send(curriculumApi.add, { lsName: '德育' })
    const five = { templateId: 'wuyu5', codes: ['DE', 'ZHI', 'TI'] }
    expect(await admin.send(curriculumApi.addTemplate, five)).toEqual({ affected: 8 })
    const tree = await admin.send(curriculumApi.all, {})
    expect(
      tree.slice(8).map(({ lsName, minHours, required, children }) => [lsName, minHours, required, children.length]),
    ).toEqual([
      ['德育', yesNo.no, yesNo.yes, 0],
      ['智育', '8', yesNo.yes, 3],
      ['体育', '8', yesNo.yes, 3],
    ])
    expect(tree.at(-1)!.children[0]).toMatchObject({
      lsName: '体质健身',
      lsCode: 'TI01',
      depth: 2,
      isLeaf: true,
      can: ['edit', 'move', 'add', 'delete'],
    })
    expect((await admin.ask(curriculumApi.addTemplate, five)).msg).toBe('所选模块本校都已有同名体系，没有可添加的')
    expect((await admin.ask(curriculumApi.addTemplate, { ...five, codes: ['SXCL'] })).reason).toBe('not-found')
    expect((await admin.ask(curriculumApi.addTemplate, { ...five, templateId: 'none' })).reason).toBe('not-found')
    const audited = await services.db
      .selectFrom('auditLog')
      .select('bizName')
      .where('schoolId', '=', schoolId)
      .where('action', '=', '从模板添加课程体系')
      .execute()
    expect(audited).toHaveLength(8)
  })

  test('of two who add the same at once, one adds', async () => {
    const school = await newSchool()
    const other = await school.person('SCHOOL_ADMIN')
    const input = { templateId: 'wuyu5', codes: ['DE'] }
    const replies = await Promise.all(
      [school.admin, other.client].map((client) => client.ask(curriculumApi.addTemplate, input)),
    )
    expect(replies.map(({ code }) => code).toSorted()).toEqual([200, 300])
  })

  test('are not for those whose area is a part of the tree', async () => {
    const school = await newSchool()
    await school.services.db
      .updateTable('role')
      .set({ permits: ['curriculum:list', 'curriculum:edit'] })
      .where('schoolId', '=', school.schoolId)
      .where('srCode', '=', 'MODULE_OWNER')
      .execute()
    const owner = await school.person('MODULE_OWNER', [{ caType: 'curriculum', caTarget: school.curriculum['SXCL']! }])
    expect((await owner.client.ask(curriculumApi.addTemplate, { templateId: 'wuyu5', codes: ['DE'] })).reason).toBe(
      'not-found',
    )
  })
})

test('the tree as a workbook: one row a node, in its order, with its settings in words', async () => {
  const { admin, curriculum } = await newSchool()
  const { lsId } = await admin.send(curriculumApi.add, {
    lsName: '证书',
    lsType: curriculumType.supplements,
    minHours: '2.5',
    maxHours: '10',
    allowLevels: ['5', '2'],
    supWindow: { way: 'months', months: [3, 9] },
    supProofs: [supProof.image, supProof.certificateNumber],
    starRule: { unit: '2', steps: ['1', '2', '3', '4', '5'] },
  })
  await admin.send(curriculumApi.add, { lsPid: lsId, lsName: '英语', lsType: curriculumType.supplements })
  await admin.send(curriculumApi.enable, { lsId: [curriculum['LDJY']!], enable: enableStatus.disabled })
  const { name, bytes } = await admin.download(curriculumApi.exportList, {})
  expect(name).toMatch(/^课程体系_\d{4}-\d\d-\d\d\.xlsx$/)
  const { lines } = await sheetIn(bytes)
  const cells = lines.map((line) => line.cells)
  expect(cells).toHaveLength(1 + 8 + 42 + 2)
  expect(cells[1]!.slice(0, 5)).toEqual(['SXCL', '思想成长', '课程与补录', '是', '8'])
  expect(cells.at(-2)).toEqual([
    '',
    '证书',
    '补录',
    '是',
    '2.5',
    '10',
    '',
    '校级、国家级',
    '',
    '每年 3、9 月',
    '图片、证书编号',
    '一星 1 学时、二星 2 学时、三星 3 学时、四星 4 学时、五星 5 学时',
    '0',
    '启用',
  ])
  expect([cells.at(-1)![1], cells.at(-1)![9]]).toEqual(['证书 / 英语', '同上级'])
  expect(cells.find((row) => row[1] === '劳动教育')!.at(-1)).toBe('停用')
  const open = await admin.download(curriculumApi.exportList, {
    lsType: curriculumType.lessons,
    enable: enableStatus.enabled,
  })
  expect((await sheetIn(open.bytes)).lines).toHaveLength(1 + 8 + 42 - 4)
})
