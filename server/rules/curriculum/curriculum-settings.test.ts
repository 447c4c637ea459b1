import { describe, expect, test } from 'vitest'
import type { Input } from '../../../contract/core/call.ts'
import { enableStatus, yesNo } from '../../../contract/core/codes/platform.ts'
import { curriculumType, supProof } from '../../../contract/core/codes/rules.ts'
import { curriculumApi, type CurriculumNode } from '../../../contract/rules/curriculum/curriculum.calls.ts'
import { lessonApi } from '../../../contract/programme/lessons/lessons.calls.ts'
import { transcriptApi } from '../../../contract/outcomes/transcripts/transcripts.calls.ts'
import { grantRecord, oneClass, type TestStudent } from '../../testing/ledger.ts'
import { lessonWorld } from '../../testing/lessons.ts'
import { newSchool, type TestSchool } from '../../testing/school.ts'
import { recordingOf, type RecordingNode } from './recording.ts'

const tree = (school: TestSchool) => school.admin.send(curriculumApi.all, {})
const orderBelow = async (school: TestSchool, code: string) =>
  (await tree(school)).find(({ lsId }) => lsId === school.curriculum[code])!.children.map(({ lsName }) => lsName)
/** A node as its form would send it back, with changes. */
async function editInput(
  school: TestSchool,
  lsId: string,
  change: object = {},
): Promise<Input<typeof curriculumApi.edit>> {
  const {
    lsPath: _,
    lsSort: __,
    ownerRoleName: ___,
    uses: ____,
    ...node
  } = await school.admin.send(curriculumApi.getEdit, { lsId })
  return Object.fromEntries(
    Object.entries({ ...node, ...change }).filter(([, value]) => value !== null && value !== ''),
  ) as never
}

describe('moving', () => {
  test('puts a node behind another or first, within its parent, below another parent and among the modules', async () => {
    const school = await newSchool()
    const { admin, curriculum } = school
    const [first, second] = [curriculum['SXCL/主题教育']!, curriculum['SXCL/党团学习']!]
    await admin.send(curriculumApi.move, { lsId: first, version: 0, lsPid: curriculum['SXCL']!, after: second })
    expect((await orderBelow(school, 'SXCL')).slice(0, 3)).toEqual(['党团学习', '主题教育', '主题团日班会'])
    await admin.send(curriculumApi.move, { lsId: first, version: 1, lsPid: curriculum['SXCL']! })
    expect((await orderBelow(school, 'SXCL')).slice(0, 2)).toEqual(['主题教育', '党团学习'])
    await admin.send(curriculumApi.move, {
      lsId: first,
      version: 2,
      lsPid: curriculum['LDJY']!,
      after: curriculum['LDJY/校园劳动']!,
    })
    expect(await orderBelow(school, 'LDJY')).toEqual(['校园劳动', '主题教育', '生产劳动', '服务性劳动'])
    await admin.send(curriculumApi.move, { lsId: first, version: 3, after: curriculum['SXCL']! })
    expect((await tree(school)).map(({ lsName }) => lsName).slice(0, 3)).toEqual(['思想成长', '主题教育', '实践实习'])
    expect(await admin.send(curriculumApi.getEdit, { lsId: first })).toMatchObject({
      lsPid: null,
      lsPath: [first],
      version: 4,
    })
  })

  test('of two who move the same node at once one wins and the other is told; different nodes do not disturb each other', async () => {
    const school = await newSchool()
    const { admin, curriculum } = school
    const other = await school.person('SCHOOL_ADMIN')
    const [lsId, lsPid] = [curriculum['SXCL/主题教育']!, curriculum['SXCL']!]
    const replies = await Promise.all([
      admin.ask(curriculumApi.move, { lsId, version: 0, lsPid: curriculum['ZYGY']! }),
      other.client.ask(curriculumApi.move, { lsId, version: 0, lsPid: curriculum['LDJY']! }),
    ])
    expect(replies.map(({ code }) => code).toSorted()).toEqual([200, 409])
    expect(replies.find(({ code }) => code === 409)!.msg).toBe('数据已被他人修改，请刷新后重试')
    await Promise.all([
      admin.send(curriculumApi.move, { lsId: curriculum['SXCL/理论宣讲']!, version: 0, lsPid }),
      other.client.send(curriculumApi.move, {
        lsId: curriculum['SXCL/党团学习']!,
        version: 0,
        lsPid,
        after: curriculum['SXCL/形势政策报告']!,
      }),
    ])
    expect(await orderBelow(school, 'SXCL')).toEqual(['理论宣讲', '主题团日班会', '形势政策报告', '党团学习'])
    // the neighbour they saw has gone elsewhere
    expect(
      (await admin.ask(curriculumApi.move, { lsId: curriculum['SXCL/理论宣讲'], version: 1, lsPid, after: lsId }))
        .reason,
    ).toBe('stale-version')
  })

  test('keeps to three levels, to itself, to names once and to the area of the person', async () => {
    const school = await newSchool()
    const { admin, curriculum } = school
    const [module, node] = [curriculum['SXCL']!, curriculum['SXCL/主题教育']!]
    const { lsId: third } = await admin.send(curriculumApi.add, { lsPid: node, lsName: '三级' })
    const refused = async (input: object) => (await admin.ask(curriculumApi.move, { version: 0, ...input })).reason
    expect(await refused({ lsId: module, lsPid: node })).toBe('curriculum-loop')
    expect(await refused({ lsId: node, lsPid: curriculum['ZYGY/社区服务'] })).toBe('curriculum-too-deep')
    await admin.send(curriculumApi.add, { lsPid: curriculum['ZYGY']!, lsName: '主题教育' })
    expect(await refused({ lsId: node, lsPid: curriculum['ZYGY'] })).toBe('name-taken')
    expect(await refused({ lsId: third, lsPid: third })).toBe('curriculum-loop')
    await school.services.db
      .updateTable('role')
      .set({ permits: ['curriculum:list', 'curriculum:edit'] })
      .where('schoolId', '=', school.schoolId)
      .where('srCode', '=', 'MODULE_OWNER')
      .execute()
    const owner = await school.person('MODULE_OWNER', [{ caType: 'curriculum', caTarget: module }])
    expect(
      (await owner.client.ask(curriculumApi.move, { lsId: third, version: 0, lsPid: curriculum['ZYGY'] })).reason,
    ).toBe('not-found')
    expect((await owner.client.ask(curriculumApi.move, { lsId: third, version: 0 })).reason).toBe('not-found')
    expect(
      await owner.client.send(curriculumApi.move, { lsId: third, version: 0, lsPid: curriculum['SXCL/党团学习']! }),
    ).toEqual({ affected: 1 })
  })
})

describe('the settings of a node', () => {
  test('are kept as they were given, and a change of nothing is no change', async () => {
    const school = await newSchool()
    const { admin, curriculum, services } = school
    const settings = {
      lsIcon: 'star',
      supWindow: { way: 'dates', months: [], dates: [{ start: '2026-11-01', end: '2026-11-30' }] },
      supProofs: [supProof.image, supProof.certificateNumber],
      supNote: '原件扫描',
      starRule: { unit: '2', steps: ['1', '4', '8', '12.5', '20'] },
    }
    const lsId = curriculum['JNTC']!
    await admin.send(curriculumApi.edit, await editInput(school, lsId, settings))
    expect(await admin.send(curriculumApi.getEdit, { lsId })).toMatchObject({
      ...settings,
      allowSup: yesNo.yes,
      version: 1,
    })
    await admin.send(curriculumApi.edit, await editInput(school, lsId))
    const last = await services.db
      .selectFrom('auditLog')
      .select(['before', 'after'])
      .where('bizId', '=', lsId)
      .orderBy('logId', 'desc')
      .executeTakeFirstOrThrow()
    expect(last).toEqual({ before: {}, after: {} })
  })

  test.each([
    [
      { starRule: { unit: '1', steps: ['50', '100', '100', '150', '200'] } },
      'starRule.steps.2',
      '三星的标准须高于二星',
    ],
    [{ starRule: { unit: '1', steps: ['50'] } }, 'starRule.steps', '请填写一星至五星的标准'],
    [{ supWindow: { way: 'months' } }, 'supWindow.months', '请选择开放月份'],
    [{ supProofs: ['9'] }, 'supProofs.0', '请选择证明材料'],
    [{ lsIcon: 'nothing' }, 'lsIcon', '请选择图标'],
  ])('%j is refused at %s', async (change, field, msg) => {
    const school = await newSchool()
    expect(
      (await school.admin.ask(curriculumApi.edit, await editInput(school, school.curriculum['JNTC']!, change))).errors,
    ).toEqual([{ field, msg }])
  })

  test('stars stand on modules only', async () => {
    const school = await newSchool()
    const reply = await school.admin.ask(
      curriculumApi.edit,
      await editInput(school, school.curriculum['SXCL/主题教育']!, {
        starRule: { unit: '2', steps: ['1', '2', '3', '4', '5'] },
      }),
    )
    expect(reply.errors).toEqual([{ field: 'starRule', msg: '星级标准只在一级模块上设置' }])
  })

  test('steps of its own rate a module on the transcript, and the paper says so', async () => {
    const school = await newSchool()
    const [student] = (await (await oneClass(school)).students(1)) as [TestStudent]
    await grantRecord(school, student, { name: '证书', module: 'JNTC', on: '2026-03-05', hours: 850 })
    const module = async () =>
      (await school.admin.send(transcriptApi.header, { suId: student.suId })).modules.find(
        ({ lsName }) => lsName === '技能特长',
      )!
    expect(await module()).toMatchObject({ stars: 5 })
    await school.admin.send(
      curriculumApi.edit,
      await editInput(school, school.curriculum['JNTC']!, {
        starRule: { unit: '2', steps: ['1', '4', '8', '12', '20'] },
      }),
    )
    expect(await module()).toMatchObject({ stars: 3 })
    const { notes } = await school.admin.send(transcriptApi.header, { suId: student.suId })
    expect(notes.at(-1)).toBe(
      '以下模块的星级标准另定：技能特长 一星 1 学时、二星 4 学时、三星 8 学时、四星 12 学时、五星 20 学时。',
    )
  })
})

describe('closing a node', () => {
  test('shuts it and all below it to new courses and choices, and leaves what exists', async () => {
    const world = await lessonWorld()
    const { curriculum, admin } = world.school
    const { client } = world.teacher
    const lsId = curriculum['SXCL/主题教育']!
    const { liId, version } = await client.send(lessonApi.save, world.form({ lsId }))
    expect(
      await admin.send(curriculumApi.enable, { lsId: [curriculum['SXCL']!], enable: enableStatus.disabled }),
    ).toEqual({
      affected: 1,
    })
    expect(
      await admin.send(curriculumApi.enable, { lsId: [curriculum['SXCL']!], enable: enableStatus.disabled }),
    ).toEqual({
      affected: 0,
    })
    expect((await client.ask(lessonApi.save, world.form({ lsId }))).errors).toEqual([
      { field: 'lsId', msg: '所选课程体系不存在、已停用或不用于课程' },
    ])
    expect((await admin.send(curriculumApi.dropdown, { lsName: '主题' })).map(({ lsName }) => lsName)).toEqual([])
    for (const names of [
      await admin.send(curriculumApi.all, { enable: enableStatus.enabled }),
      await admin.send(curriculumApi.recordingClass, {}),
    ])
      expect(names.map(({ lsName }) => lsName)).not.toContain('思想成长')
    expect(
      (await client.ask(lessonApi.save, { ...world.form({ lsId, liName: '改了名的课程' }), liId, version })).code,
    ).toBe(200)
    await admin.send(curriculumApi.enable, { lsId: [curriculum['SXCL']!], enable: enableStatus.enabled })
    expect((await client.ask(lessonApi.save, world.form({ lsId }))).code).toBe(200)
  })
})

describe('supplements', () => {
  const node = (lsId: string, lsPath: string[], more: Partial<RecordingNode> = {}): RecordingNode => ({
    lsId,
    lsPath,
    lsType: curriculumType.both,
    enable: enableStatus.enabled,
    allowSup: yesNo.yes,
    supWindow: null,
    supProofs: [],
    supNote: '',
    ...more,
  })
  const march = { way: 'months' as const, months: [3], dates: [] }
  test.each<[string, Partial<RecordingNode>, Partial<RecordingNode>, unknown]>([
    ['nothing said', {}, {}, { isOpen: true, window: null, supProofs: [], supNote: '' }],
    ['window from above', { supWindow: march }, {}, { isOpen: false, window: march }],
    ['own window first', { supWindow: march }, { supWindow: { way: 'year', months: [], dates: [] } }, { isOpen: true }],
    [
      'proofs and note from above',
      { supProofs: [supProof.image], supNote: '上' },
      {},
      { supProofs: [supProof.image], supNote: '上' },
    ],
    [
      'own proofs and note first',
      { supProofs: [supProof.image], supNote: '上' },
      { supProofs: [supProof.certificateNumber], supNote: '下' },
      { supProofs: [supProof.certificateNumber], supNote: '下' },
    ],
    ['not allowed above', { allowSup: yesNo.no }, {}, null],
    ['not allowed itself', {}, { allowSup: yesNo.no }, null],
    ['closed above', { enable: enableStatus.disabled }, {}, null],
    ['for courses only', {}, { lsType: curriculumType.lessons }, null],
  ])('%s', (_, above, own, expected) => {
    const nodes = [node('a', ['a'], above), node('b', ['a', 'b'], own)]
    const state = recordingOf(nodes[1]!, new Map(nodes.map((one) => [one.lsId, one])), '2026-11-20')
    if (expected === null) expect(state).toBeNull()
    else expect(state).toMatchObject(expected as object)
  })

  test('are offered where the window is open today, with it and the proof asked for', async () => {
    const school = await newSchool()
    const { admin, curriculum, services } = school
    await school.rules({ supMonths: Array.from({ length: 12 }, (_, at) => at + 1) })
    const today = services.clock.now().slice(0, 10)
    const thisMonth = Number(today.slice(5, 7))
    const closed = { way: 'months', months: [(thisMonth % 12) + 1] }
    await admin.send(
      curriculumApi.edit,
      await editInput(school, curriculum['ZYGY']!, {
        supWindow: closed,
        supProofs: [supProof.image, supProof.file],
        supNote: '盖章的服务证明',
      }),
    )
    await admin.send(curriculumApi.edit, await editInput(school, curriculum['SJSX']!, { allowSup: yesNo.no }))
    const names = async (input: object) =>
      (await admin.send(curriculumApi.recordingClass, input)).map(({ lsName }) => lsName)
    expect(await names({})).not.toContain('志愿公益')
    expect(await names({ withClosed: yesNo.yes })).toContain('志愿公益')
    expect(await names({ withClosed: yesNo.yes })).not.toContain('实践实习')
    expect(await names({ lsId: curriculum['ZYGY'] })).toEqual([])
    await admin.send(
      curriculumApi.edit,
      await editInput(school, curriculum['ZYGY/无偿献血']!, {
        supWindow: { way: 'dates', dates: [{ start: today, end: today }] },
        supProofs: [supProof.certificateNumber],
      }),
    )
    const module = (await admin.send(curriculumApi.recordingClass, {})).find(({ lsName }) => lsName === '志愿公益')!
    expect(module).toMatchObject({
      isOpen: false,
      window: `每年 ${closed.months[0]} 月`,
      openUntil: null,
      supProofs: [supProof.image, supProof.file],
    })
    expect(module.opensOn).toMatch(/-01$/)
    expect(await admin.send(curriculumApi.recordingClass, { lsId: curriculum['ZYGY']! })).toMatchObject([
      {
        lsName: '无偿献血',
        lsFullName: '志愿公益 / 无偿献血',
        isOpen: true,
        isLeaf: true,
        window: today,
        openUntil: today,
        opensOn: null,
        supProofs: [supProof.certificateNumber],
        supNote: '盖章的服务证明',
      },
    ])
    const open = (nodes: CurriculumNode[]): string[] =>
      nodes.flatMap((one) => [...(one.isSupOpen ? [] : [one.lsName]), ...open(one.children)])
    await school.rules({ supMonths: [(thisMonth % 12) + 1] })
    expect(await names({})).toEqual(['志愿公益'])
    await school.rules({ supMonths: [thisMonth] })
    expect(open(await tree(school))).toEqual([
      '实践实习',
      '暑期三下乡',
      '寒假实践',
      '专业实习',
      '社会调查',
      '勤工助学',
      '挂职锻炼',
      '志愿公益',
      '社区服务',
      '支教助残',
      '赛会服务',
      '环保公益',
      '校内服务',
    ])
  })
})
