import { describe, expect, test } from 'vitest'
import type { Input } from '../../../contract/core/call.ts'
import { enableStatus, yesNo } from '../../../contract/core/codes/platform.ts'
import { creditType } from '../../../contract/core/codes/programme.ts'
import { convertFrom, convertTo, curriculumType } from '../../../contract/core/codes/rules.ts'
import { curriculumApi } from '../../../contract/rules/curriculum/curriculum.calls.ts'
import { transformationApi } from '../../../contract/rules/transformation/transformation.calls.ts'
import { newId } from '../../core/base/ids.ts'
import { newSchool, type TestSchool } from '../../testing/school.ts'
import { storeLesson } from '../../testing/stored-lesson.ts'

const putLesson = (school: TestSchool, lsPath: string[], more: { delFlag?: string } = {}) =>
  storeLesson(school, { lsPath, ...more })
const pathOf = async (school: TestSchool, lsId: string) =>
  (
    await school.services.db
      .selectFrom('curriculum')
      .select('lsPath')
      .where('lsId', '=', lsId)
      .executeTakeFirstOrThrow()
  ).lsPath
const editable = async (school: TestSchool, lsId: string) => {
  const {
    lsPath: _,
    lsSort: __,
    ownerRoleName: ___,
    uses: ____,
    ...node
  } = await school.admin.send(curriculumApi.getEdit, { lsId })
  return Object.fromEntries(
    Object.entries(node).filter(([, value]) => value !== null && value !== ''),
  ) as unknown as Input<typeof curriculumApi.edit>
}

const everyMonth = Array.from({ length: 12 }, (_, at) => at + 1)

describe('the tree', () => {
  test('comes whole, in order, with verdicts for those who may change it and none for others', async () => {
    const school = await newSchool()
    await school.rules({ supMonths: everyMonth })
    const teacher = await school.person('GUIDE_TEACHER')
    await putLesson(school, [school.curriculum['SXCL']!, school.curriculum['SXCL/主题教育']!])
    const tree = await school.admin.send(curriculumApi.all, { withCounts: '1' })
    expect(tree.map(({ lsName }) => lsName)).toEqual([
      '思想成长',
      '实践实习',
      '志愿公益',
      '创新创业',
      '文体活动',
      '工作履历',
      '技能特长',
      '劳动教育',
    ])
    const [module] = tree
    expect(module).toMatchObject({
      minHours: '8',
      depth: 1,
      isLeaf: false,
      lessonCount: 1,
      can: ['edit', 'move', 'add'],
      lsIcon: 'flag',
      isSupOpen: true,
    })
    expect(module!.children[0]).toMatchObject({ lsName: '主题教育', lessonCount: 1, can: ['edit', 'move', 'add'] })
    expect(module!.children[1]).toMatchObject({
      lsName: '党团学习',
      lessonCount: 0,
      can: ['edit', 'move', 'add', 'delete'],
    })
    const seen = await teacher.client.send(curriculumApi.all, {})
    expect(seen).toHaveLength(8)
    expect(seen[0]!.can).toEqual([])
  })

  test('is narrowed to one use and to open nodes, with all below a closed one', async () => {
    const school = await newSchool()
    const { admin } = school
    await school.rules({ supMonths: everyMonth })
    const top = await admin.send(curriculumApi.add, {
      lsName: '补录模块',
      lsType: curriculumType.supplements,
      enable: enableStatus.disabled,
    })
    await admin.send(curriculumApi.add, { lsName: '下级', lsType: curriculumType.supplements, lsPid: top.lsId })
    const names = async (input: object) => (await admin.send(curriculumApi.all, input)).map(({ lsName }) => lsName)
    expect(await names({ lsType: curriculumType.supplements })).toContain('补录模块')
    expect(await names({ lsType: curriculumType.lessons })).not.toContain('补录模块')
    expect(await names({ enable: enableStatus.enabled })).not.toContain('补录模块')
    const options = await admin.send(curriculumApi.dropdown, { lsName: '主题' })
    expect(options.map(({ lsFullName }) => lsFullName)).toEqual(['思想成长 / 主题教育', '思想成长 / 主题团日班会'])
    expect(
      (await admin.send(curriculumApi.recordingClass, { lsId: school.curriculum['ZYGY']! })).map(
        ({ lsName }) => lsName,
      ),
    ).toContain('社区服务')
  })
})

describe('adding and editing', () => {
  test('three levels and no fourth, names once below a parent, uses within the parent’s', async () => {
    const { admin, curriculum } = await newSchool()
    const parent = curriculum['SXCL/主题教育']!
    const { lsId } = await admin.send(curriculumApi.add, {
      lsPid: parent,
      lsName: '三级',
      minHours: '1.5',
      maxHours: '3',
      allowLevels: ['5', '6'],
    })
    expect(await admin.send(curriculumApi.getEdit, { lsId })).toMatchObject({
      lsPath: [curriculum['SXCL'], parent, lsId],
      minHours: '1.5',
      maxHours: '3',
      allowLevels: ['5', '6'],
      version: 0,
    })
    expect((await admin.ask(curriculumApi.add, { lsPid: lsId, lsName: '四级' })).reason).toBe('curriculum-too-deep')
    expect((await admin.ask(curriculumApi.add, { lsPid: parent, lsName: '三级' })).msg).toBe('课程体系“三级”已存在')
    expect((await admin.ask(curriculumApi.add, { lsName: '坏', minHours: '3', maxHours: '2' })).errors).toEqual([
      { field: 'maxHours', msg: '累计学时上限不能小于毕业最低学时' },
    ])
    expect((await admin.ask(curriculumApi.add, { lsName: '坏', allowLevels: ['99'] })).errors).toEqual([
      { field: 'allowLevels', msg: '所选级别不存在' },
    ])
    const only = await admin.send(curriculumApi.add, { lsName: '只补录', lsType: curriculumType.supplements })
    expect(
      (await admin.ask(curriculumApi.add, { lsPid: only.lsId, lsName: '课程', lsType: curriculumType.lessons })).reason,
    ).toBe('curriculum-type-outside')
  })

  test('a stale version changes nothing', async () => {
    const school = await newSchool()
    const node = await editable(school, school.curriculum['JNTC']!)
    await school.admin.send(curriculumApi.edit, { ...node, lsName: '技能与特长' })
    const again = await school.admin.ask(curriculumApi.edit, { ...node, lsName: '别的' })
    expect([again.status, again.reason]).toEqual([409, 'stale-version'])
    expect((await school.admin.send(curriculumApi.getEdit, { lsId: node.lsId })).lsName).toBe('技能与特长')
  })

  test('moving takes everything below along, courses included', async () => {
    const school = await newSchool()
    const { admin, curriculum } = school
    const from = curriculum['SXCL/主题教育']!
    const leaf = (await admin.send(curriculumApi.add, { lsPid: from, lsName: '三级' })).lsId
    const liId = await putLesson(school, [curriculum['SXCL']!, from, leaf])
    const node = await editable(school, from)
    expect((await admin.ask(curriculumApi.edit, { ...node, lsPid: leaf })).reason).toBe('curriculum-loop')
    expect((await admin.ask(curriculumApi.edit, { ...node, lsPid: curriculum['ZYGY/社区服务'] })).reason).toBe(
      'curriculum-too-deep',
    )
    await admin.send(curriculumApi.edit, { ...node, lsPid: curriculum['ZYGY']! })
    expect(await pathOf(school, leaf)).toEqual([curriculum['ZYGY'], from, leaf])
    const lesson = await school.services.db
      .selectFrom('lesson')
      .select('lsPath')
      .where('liId', '=', liId)
      .executeTakeFirstOrThrow()
    expect(lesson.lsPath).toEqual([curriculum['ZYGY'], from, leaf])
  })
})

describe('deleting', () => {
  test('is refused while anything hangs on the node, and says what and how many', async () => {
    const school = await newSchool()
    const { admin, curriculum, services, schoolId } = school
    await putLesson(school, [curriculum['SXCL']!, curriculum['SXCL/主题教育']!])
    await putLesson(school, [curriculum['SXCL']!, curriculum['SXCL/主题教育']!])
    await putLesson(school, [curriculum['SXCL']!, curriculum['SXCL/主题团日班会']!], { delFlag: yesNo.yes })
    for (const esLessonLevel of ['5', '6'])
      await services.db
        .insertInto('evaluation')
        .values({ schoolId, esId: newId(), lsId: curriculum['SXCL/理论宣讲']!, esLessonLevel })
        .execute()
    await school.person('MODULE_OWNER', [{ caType: 'curriculum', caTarget: curriculum['SXCL/党团学习']! }])
    const reason = async (lsId: string) => (await admin.ask(curriculumApi.delLs, { lsId })).msg
    expect(await reason(curriculum['SXCL']!)).toBe(
      '课程体系“思想成长”下存在 5 个下级体系、2 门课程、2 条评价规则、1 名成员的管理范围、1 条已删除的课程或补录，不能删除；可改为停用',
    )
    expect(await reason(curriculum['SXCL/主题教育']!)).toBe('课程体系“主题教育”下存在 2 门课程，不能删除；可改为停用')
    expect(await reason(curriculum['SXCL/主题团日班会']!)).toBe(
      '课程体系“主题团日班会”下存在 1 条已删除的课程或补录，不能删除；可改为停用',
    )
    expect(await reason(curriculum['SXCL/理论宣讲']!)).toBe(
      '课程体系“理论宣讲”下存在 2 条评价规则，不能删除；可改为停用',
    )
    expect(await reason(curriculum['SXCL/党团学习']!)).toBe(
      '课程体系“党团学习”下存在 1 名成员的管理范围，不能删除；可改为停用',
    )
    expect((await admin.send(curriculumApi.getEdit, { lsId: curriculum['SXCL']! })).uses).toEqual({
      children: 5,
      lessons: 2,
      supplements: 0,
      gone: 1,
      rules: 2,
      flows: 0,
      conversions: 0,
      bases: 0,
      areas: 1,
    })
  })

  test('is refused while conversions or warnings calculate with the node', async () => {
    const { admin, curriculum, services, schoolId } = await newSchool()
    const { trId } = await admin.send(transformationApi.add, {
      trName: '技能折算',
      fromType: convertFrom.hours,
      toType: convertTo.credit,
      mode: '1',
      ratio: '0.05',
      scopeLsIds: [curriculum['JNTC/其他技能']!],
    })
    const { lsId } = await admin.send(curriculumApi.add, { lsName: '新模块' })
    await services.db
      .insertInto('thresholdBase')
      .values({
        schoolId,
        tbId: newId(),
        grade: '2024',
        tbTarget: 'module',
        lsId,
        checkpointTerm: 2,
        required: 800,
        warn1: 800,
        warn2: 400,
        warn3: 200,
      })
      .execute()
    expect((await admin.ask(curriculumApi.delLs, { lsId })).msg).toBe(
      '课程体系“新模块”下存在 1 条预警基准值，不能删除；可改为停用',
    )
    expect((await admin.ask(curriculumApi.delLs, { lsId: curriculum['JNTC']! })).msg).toContain('1 条转换规则')
    await admin.send(transformationApi.remove, { trIds: [trId] })
    expect((await admin.ask(curriculumApi.delLs, { lsId: curriculum['JNTC']! })).msg).not.toContain('转换规则')
  })

  test('is refused while credits were given under it, though no course is left', async () => {
    const school = await newSchool()
    const { admin, curriculum, services, schoolId, adminId } = school
    const lsId = curriculum['LDJY/校园劳动']!
    await services.db
      .insertInto('creditLedger')
      .values({
        schoolId,
        clId: newId(),
        suId: adminId,
        clType: creditType.hours,
        lsId,
        moduleId: curriculum['LDJY']!,
        clValue: 100,
        source: 'ADJUST',
        bizId: newId(),
        bizName: '调整',
        explain: '{}',
        occurTime: '2026-01-01 08:00:00',
      })
      .execute()
    expect((await admin.ask(curriculumApi.del, { lsId: [lsId] })).msg).toBe(
      '课程体系“校园劳动”下存在已入账的学分记录，不能删除；可改为停用',
    )
  })

  test('works by GET and by its POST twin, a parent together with its children', async () => {
    const { admin, curriculum } = await newSchool()
    await admin.send(curriculumApi.delLs, { lsId: curriculum['LDJY/校园劳动']! })
    const { affected } = await admin.send(curriculumApi.del, {
      lsId: [curriculum['LDJY']!, curriculum['LDJY/生产劳动']!, curriculum['LDJY/服务性劳动']!],
    })
    expect(affected).toBe(3)
    expect((await admin.send(curriculumApi.all, {})).map(({ lsName }) => lsName)).not.toContain('劳动教育')
    expect((await admin.ask(curriculumApi.del, { lsId: [curriculum['LDJY']] })).reason).toBe('not-found')
  })

  test('another school’s node does not exist', async () => {
    const [mine, other] = [await newSchool(), await newSchool()]
    const lsId = other.curriculum['LDJY/校园劳动']!
    expect((await mine.admin.ask(curriculumApi.delLs, { lsId })).reason).toBe('not-found')
    expect((await mine.admin.ask(curriculumApi.getEdit, { lsId })).status).toBe(404)
    expect(await mine.admin.send(curriculumApi.dropdown, { lsId })).toEqual([])
  })
})

test('every change leaves its trace', async () => {
  const { admin, services, schoolId } = await newSchool()
  const { lsId } = await admin.send(curriculumApi.add, { lsName: '新模块' })
  await admin.send(curriculumApi.del, { lsId: [lsId] })
  const rows = await services.db
    .selectFrom('auditLog')
    .select(['action', 'bizName'])
    .where('schoolId', '=', schoolId)
    .where('bizId', '=', lsId)
    .orderBy('logId')
    .execute()
  expect(rows).toEqual([
    { action: '新增课程体系', bizName: '新模块' },
    { action: '删除课程体系', bizName: '新模块' },
  ])
})
