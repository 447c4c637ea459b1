import { beforeAll, describe, expect, test } from 'vitest'
import { yesNo } from '../../../contract/core/codes/platform.ts'
import {
  flowCheckerType,
  flowStatus,
  flowStepType,
  flowType,
  timeoutAction,
} from '../../../contract/core/codes/rules.ts'
import { trialApi } from '../../../contract/rules/workflow/trial.calls.ts'
import { workflowApi } from '../../../contract/rules/workflow/workflow.calls.ts'
import { newId } from '../../core/base/ids.ts'
import { newSchool, unique, type TestPerson, type TestSchool } from '../../testing/school.ts'
import { whileLocked } from '../../testing/while-locked.ts'

type Form = Parameters<TestSchool['admin']['send']>[1]

let school: TestSchool
let teacher: TestPerson
let leader: TestPerson
let wfcId: string
beforeAll(async () => {
  school = await newSchool()
  const scId = await school.college()
  teacher = await school.person('GUIDE_TEACHER', [], { suiCollegeId: scId })
  leader = await school.person('COLLEGE_LEAGUE', [{ caType: 'college', caTarget: scId }], { suiCollegeId: scId })
  wfcId = (await school.admin.send(workflowApi.saveType, { wfcName: '试用', wfcSort: 1 })).wfcId
})

const first = {
  wfsNodeName: 'PUBLISH' as const,
  wfsStepName: '院系初审',
  wfsStepType: flowStepType.anyOne,
  wfsCheckerType: flowCheckerType.startersCollege,
}
const second = () => ({
  wfsNodeName: 'PUBLISH' as const,
  wfsStepName: '终审',
  wfsStepType: flowStepType.anyOne,
  wfsCheckerType: flowCheckerType.people,
  checkers: [school.adminId],
  minCredit: '1',
  timeoutDays: 2,
  timeoutAction: timeoutAction.autoPass,
})
const form = (more: object = {}) => ({
  wfName: `流程${unique()}`,
  wfcId,
  wfType: flowType.lesson,
  steps: [first, second()],
  ...more,
})
const save = (more: object = {}) => school.admin.send(workflowApi.save, form(more) as never)
/** Removes all flows, so that each test starts with its own. */
const clear = () => school.ctx.db.deleteFrom('workflow').where('schoolId', '=', school.schoolId).execute()
const trial = (more: object = {}) => ({
  wfType: flowType.lesson,
  suId: teacher.suId,
  lsId: school.curriculum['SXCL/主题教育']!,
  liLevel: '5',
  credit: '0.5',
  ...more,
})

describe('the sandbox', () => {
  test('says which flow, why, and who by name; what would block; in what time', async () => {
    await clear()
    const { wfId } = await save({ lsIds: [school.curriculum['SXCL']] })
    const other = await save({ levels: ['6'], wfName: `院级${unique()}` })
    const tried = await school.admin.send(trialApi.sandbox, trial())
    expect(tried.flow).toMatchObject({ wfId, wfVersion: 1 })
    expect(tried.why).toBe('适用范围最具体，采用本流程')
    expect(tried.others).toEqual([
      { wfId: other.wfId, wfName: expect.any(String) as string, isChosen: false, why: '级别不在适用范围内' },
    ])
    const [publish] = tried.nodes
    expect(publish!.steps).toMatchObject([
      {
        stepName: '院系初审',
        fate: 'ask',
        people: [{ id: leader.suId, name: leader.suiName }],
        checkerText: '发起人所在学院团委',
        limit: '3 个工作日未处理则催办，5 个工作日升级给校级管理员',
      },
      { stepName: '终审', fate: 'unasked', note: '学分不大于 1，不经过该步骤', limit: '' },
    ])
    expect(tried.nodes.map(({ nodeName }) => nodeName)).toEqual(['PUBLISH', 'SIGNUP', 'SIGNIN', 'RESULT', 'PUBLICITY'])
    const rich = await school.admin.send(trialApi.sandbox, trial({ credit: '1.5' }))
    expect(rich.nodes[0]!.steps[1]).toMatchObject({
      fate: 'ask',
      people: [{ name: '管理员' }],
      checkerText: '指定人员：管理员',
      limit: '2 个工作日，超时自动通过',
    })
    const own = await school.admin.send(trialApi.sandbox, trial({ suId: leader.suId, credit: '1.5' }))
    expect(own.nodes[0]!.steps[0]).toMatchObject({ fate: 'self', note: '发起人在审批人之列，其本人的部分自动通过' })
    const outside = await school.admin.send(trialApi.sandbox, trial({ suId: school.adminId }))
    expect(outside.blocks).toEqual(['发布环节的“院系初审”没有可用的审批人，提交会被拒绝'])
    expect((await school.admin.send(trialApi.sandbox, trial({ lsId: school.curriculum['ZYGY'] }))).flow).toBeNull()
  })
  test('whose name an id has is told to nobody who does not see the whole school, wherever the person stands', async () => {
    await clear()
    const owner = {
      wfsNodeName: 'PUBLISH' as const,
      wfsStepName: '负责人确认',
      wfsStepType: flowStepType.anyOne,
      wfsCheckerType: flowCheckerType.principal,
    }
    await save({ steps: [owner, { ...second(), minCredit: undefined }] })
    const elsewhere = await school.college()
    const stranger = await school.person('GUIDE_TEACHER', [], { suiCollegeId: elsewhere })
    const tried = await leader.client.ask(trialApi.sandbox, trial({ suId: stranger.suId }))
    expect(tried.code).toBe(200)
    expect(tried.data.initiator).toEqual({ suId: stranger.suId, suiName: '' })
    const [own] = tried.data.nodes[0]!.steps
    expect(own!.people.map(({ id }) => id)).toEqual([stranger.suId])
    expect(JSON.stringify(tried.data)).not.toContain(stranger.suiName)
    const known = await school.admin.send(trialApi.sandbox, trial({ suId: stranger.suId }))
    expect(JSON.stringify(known.initiator)).toContain(stranger.suiName)
  })
  test('names those whose area covers the case: places add up, years and modules narrow', async () => {
    await clear()
    await save({
      wfType: flowType.supplement,
      steps: [
        {
          wfsNodeName: 'SUPPLEMENT',
          wfsStepName: '辅导员',
          wfsStepType: flowStepType.anyOne,
          wfsCheckerType: flowCheckerType.counsellor,
          noApproverPolicy: 'skip',
        },
      ],
    })
    const [scId, elsewhere, { SXCL, ZYGY }] = [await school.college(), await school.college(), school.curriculum]
    const majorId = await school.major(scId)
    const scClassId = await school.schoolClass(majorId, scId, { scClassGrade: '2024' })
    const [student] = await school.students(1, { suiCollegeId: scId, majorId, scClassId, suiGrade: '2024' })
    const named = async (targets: Parameters<TestSchool['person']>[1], is: boolean) => {
      const { suId } = await school.person('COUNSELOR', targets)
      const { nodes } = await school.admin.send(
        trialApi.sandbox,
        trial({ wfType: flowType.supplement, suId: student!.suId, lsId: SXCL }),
      )
      expect(
        nodes[0]!.steps[0]!.people.some(({ id }) => id === suId),
        JSON.stringify(targets),
      ).toBe(is)
    }
    await named([{ caType: 'major', caTarget: majorId }], true)
    await named(
      [
        { caType: 'college', caTarget: elsewhere },
        { caType: 'class', caTarget: scClassId },
      ],
      true,
    )
    await named(
      [
        { caType: 'college', caTarget: scId },
        { caType: 'grade', caTarget: '2024' },
      ],
      true,
    )
    await named(
      [
        { caType: 'college', caTarget: scId },
        { caType: 'grade', caTarget: '2023' },
      ],
      false,
    )
    await named(
      [
        { caType: 'college', caTarget: scId },
        { caType: 'curriculum', caTarget: ZYGY! },
      ],
      false,
    )
    await named(
      [
        { caType: 'college', caTarget: elsewhere },
        { caType: 'curriculum', caTarget: SXCL! },
      ],
      false,
    )
    await named(
      [
        { caType: 'curriculum', caTarget: SXCL! },
        { caType: 'grade', caTarget: '2024' },
      ],
      true,
    )
    await named([], false)
  })

  test('nobody else’s people, systems or levels can be tried', async () => {
    const other = await newSchool()
    const reply = await school.admin.ask(trialApi.sandbox, trial({ suId: other.adminId, lsId: newId(), liLevel: 'x' }))
    expect(reply.errors?.map(({ field }) => field)).toEqual(['suId', 'lsId', 'liLevel'])
  })
})

describe('the map', () => {
  test('tells holes, overlaps and who rules a cell', async () => {
    await clear()
    const { wfId } = await save({
      lsIds: [school.curriculum['SXCL']],
      levels: ['5'],
      roleIds: [school.roles['GUIDE_TEACHER']],
    })
    const map = await school.admin.send(trialApi.coverage, { wfType: flowType.lesson })
    expect(map.rows[0]).toMatchObject({ lsName: '思想成长', depth: 1 })
    expect(map.rows[1]).toMatchObject({ lsName: '主题教育', depth: 2 })
    expect(map.rows[0]!.cells.find(({ level }) => level === '5')).toEqual({
      level: '5',
      kind: 'partial',
      wfIds: [wfId],
    })
    expect(map.rows[0]!.cells.find(({ level }) => level === '6')).toEqual({ level: '6', kind: 'hole', wfIds: [] })
    const mine = await school.admin.send(trialApi.coverage, {
      wfType: flowType.lesson,
      srId: school.roles['GUIDE_TEACHER']!,
      lsId: school.curriculum['SXCL']!,
    })
    expect(mine.rows).toHaveLength(6)
    expect(mine.counts).toEqual({ flow: 6, hole: 42, default: 0, overlap: 0, partial: 0 })
    const cell = await school.admin.send(trialApi.coverageCell, {
      wfType: flowType.lesson,
      lsId: school.curriculum['SXCL/主题教育']!,
      liLevel: '5',
    })
    expect(cell.find(({ srId }) => srId === school.roles['GUIDE_TEACHER'])).toMatchObject({
      kind: 'flow',
      flows: [{ wfId, isChosen: true }],
    })
    expect(cell.find(({ srId }) => srId === school.roles['LEAGUE_SEC'])).toMatchObject({
      kind: 'hole',
      flows: [{ wfId, isChosen: false, why: '发起人的角色不在适用范围内' }],
    })
    await save({ isDefault: yesNo.yes })
    expect((await school.admin.send(trialApi.coverage, { wfType: flowType.lesson })).counts).toMatchObject({
      hole: 0,
      partial: 0,
    })
    expect(
      await school.admin.send(trialApi.coverageCell, {
        wfType: flowType.supplement,
        lsId: school.curriculum['SXCL']!,
        liLevel: '5',
      }),
    ).toMatchObject([{ srId: null, srName: '所有发起人', kind: 'hole' }])
    expect(
      (await school.admin.ask(trialApi.coverage, { wfType: flowType.lesson, srId: school.roles['NEWS_EDITOR']! })).code,
    ).toBe(300)
  })
})

describe('sample cases', () => {
  test('are kept beside the flow that applies; a save that leads them elsewhere is stopped, told, and may be confirmed', async () => {
    await clear()
    const { admin } = school
    const { wfId } = await save({ wfName: '样例流程' })
    const { wsId } = await admin.send(trialApi.saveSample, { ...trial({ credit: '1.5' }), wsName: '讲座一学分半' })
    expect((await admin.ask(trialApi.saveSample, { ...trial(), wsName: '讲座一学分半' })).msg).toBe(
      '样例“讲座一学分半”已存在',
    )
    await admin.send(trialApi.saveSample, { ...trial(), wsName: '讲座半学分' })
    expect(await admin.send(trialApi.samples, { wfId })).toMatchObject([
      { wsName: '讲座一学分半', isRight: true },
      { wsName: '讲座半学分', isRight: true, credit: '0.5', suiName: teacher.suiName },
    ])
    const { flow } = await admin.send(workflowApi.editInit, { wfId })
    const [one] = flow.steps
    const shorter: Form = {
      ...form({ wfId, version: flow.version, wfName: flow.wfName, steps: [{ ...first, wfsId: one!.wfsId }] }),
    }
    const verdict = await admin.send(workflowApi.validate, { wfId, wfType: flowType.lesson, steps: [first] })
    expect(verdict.samples).toEqual([
      {
        wsId,
        wsName: '讲座一学分半',
        was: ['样例流程', '发布 · 院系初审（或签，发起人所在学院团委）', '发布 · 终审（或签，指定人员：管理员）'],
        now: ['样例流程', '发布 · 院系初审（或签，发起人所在学院团委）'],
      },
    ])
    const stopped = await admin.ask(workflowApi.save, shorter as never)
    expect([stopped.reason, stopped.msg]).toEqual([
      'workflow-samples-change',
      '保存后 1 个样例的结果将改变：讲座一学分半。请核对后确认保存',
    ])
    expect((await admin.send(workflowApi.editInit, { wfId })).flow.wfVersion).toBe(1)
    await admin.send(workflowApi.save, { ...(shorter as object), confirmSamples: '1' } as never)
    expect((await admin.send(trialApi.samples, {})).every(({ isRight }) => isRight)).toBe(true)
  })
  test('another flow that takes a case away is stopped as well; switching tells', async () => {
    await clear()
    const { admin } = school
    const { wfId } = await save({ wfName: '原来的流程' })
    await admin.send(trialApi.saveSample, { ...trial(), wsName: '一般讲座' })
    const taking = form({ levels: ['5'], wfName: '抢走的流程' })
    expect((await admin.ask(workflowApi.save, taking as never)).reason).toBe('workflow-samples-change')
    const off = await admin.send(workflowApi.save, { ...taking, wfStatus: flowStatus.disabled } as never)
    expect(await admin.send(workflowApi.switchStatus, { wfIds: [off.wfId], wfStatus: flowStatus.enabled })).toEqual({
      affected: 1,
      changed: ['一般讲座'],
    })
    const [row] = await admin.send(trialApi.samples, {})
    expect(row).toMatchObject({
      wfId,
      isRight: false,
      now: ['抢走的流程', '发布 · 院系初审（或签，发起人所在学院团委）'],
    })
    expect(await admin.send(trialApi.acceptSamples, { wsIds: [row!.wsId] })).toEqual({ affected: 1 })
    expect(await admin.send(trialApi.samples, {})).toMatchObject([{ isRight: true }])
    expect(
      (await admin.ask(trialApi.saveSample, { ...trial(), wsId: row!.wsId, wsName: '改名', version: 0 })).reason,
    ).toBe('stale-version')
    expect(await admin.send(trialApi.removeSamples, { wsIds: [row!.wsId] })).toEqual({ affected: 1 })
    expect((await admin.ask(trialApi.removeSamples, { wsIds: [row!.wsId] })).reason).toBe('not-found')
  })
  test('of one name saved at once are one, and the other is told', async () => {
    await clear()
    await save()
    const { admin, ctx, schoolId } = school
    let both: Promise<{ code: number; reason?: string | undefined }>[] = []
    await whileLocked(
      ctx.db,
      // whoever writes a sample of this person waits
      (db) =>
        db
          .selectFrom('person')
          .select('suId')
          .where('schoolId', '=', schoolId)
          .where('suId', '=', teacher.suId)
          .forUpdate()
          .execute(),
      async (untilWaiting) => {
        both = [1, 2].map(() => admin.ask(trialApi.saveSample, { ...trial(), wsName: '同名样例' }))
        await untilWaiting(2)
      },
    )
    expect((await Promise.all(both)).map(({ code, reason }) => [code, reason]).toSorted()).toEqual([
      [200, undefined],
      [300, 'name-taken'],
    ])
    expect(await admin.send(trialApi.samples, {})).toMatchObject([{ wsName: '同名样例' }])
  })
  test('of another school are not there', async () => {
    await clear()
    await save()
    const { wsId } = await school.admin.send(trialApi.saveSample, { ...trial(), wsName: '别人的' })
    const other = await newSchool()
    expect(await other.admin.send(trialApi.samples, {})).toEqual([])
    expect((await other.admin.ask(trialApi.acceptSamples, { wsIds: [wsId] })).reason).toBe('not-found')
    expect((await other.admin.ask(trialApi.removeSamples, { wsIds: [wsId] })).reason).toBe('not-found')
  })
})
