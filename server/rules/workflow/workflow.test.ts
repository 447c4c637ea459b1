import { describe, expect, test } from 'vitest'
import { sql } from 'kysely'
import { yesNo } from '../../../contract/core/codes/platform.ts'
import { approvalStatus } from '../../../contract/core/codes/programme.ts'
import {
  flowCheckerType,
  flowStatus,
  flowStepType,
  flowType,
  timeoutAction,
} from '../../../contract/core/codes/rules.ts'
import { accountStatus } from '../../../contract/core/codes/school.ts'
import { workflowApi } from '../../../contract/rules/workflow/workflow.calls.ts'
import { newId } from '../../core/base/ids.ts'
import { newSchool } from '../../testing/school.ts'
import { category, formOf, runApproval, steps, storedForm } from '../../testing/workflow.ts'

describe('categories', () => {
  test('are kept in order, hold their names, and go only when empty', async () => {
    const school = await newSchool()
    const { admin } = school
    const two = await admin.send(workflowApi.saveType, { wfcName: '乙', wfcSort: 2 })
    const one = await admin.send(workflowApi.saveType, { wfcName: '甲', wfcSort: 1 })
    expect((await admin.ask(workflowApi.saveType, { wfcName: '甲', wfcSort: 3 })).msg).toBe('流程分类“甲”已存在')
    await admin.send(workflowApi.saveType, { wfcId: two.wfcId, wfcName: '丙', wfcSort: 0, version: 0 })
    expect(
      (await admin.ask(workflowApi.saveType, { wfcId: two.wfcId, wfcName: '丁', wfcSort: 0, version: 0 })).reason,
    ).toBe('stale-version')
    await admin.send(workflowApi.save, { ...(await formOf(school)), wfcId: one.wfcId })
    const rows = await admin.send(workflowApi.typeList, {})
    expect(rows.slice(0, 2).map(({ wfcName, flowCount }) => [wfcName, flowCount])).toEqual([
      ['丙', 0],
      ['甲', 1],
    ])
    expect((await admin.ask(workflowApi.deleteType, { wfcId: one.wfcId })).msg).toBe('该分类下仍有 1 个流程，不能删除')
    expect(await admin.send(workflowApi.deleteType, { wfcId: two.wfcId })).toEqual({ affected: 1 })
  })
})

test('categories are put into a new order whole', async () => {
  const { admin } = await newSchool()
  const ids = []
  for (const [at, wfcName] of ['甲', '乙', '丙'].entries())
    ids.push((await admin.send(workflowApi.saveType, { wfcName, wfcSort: at })).wfcId)
  expect(await admin.send(workflowApi.sortTypes, { wfcIds: ids.toReversed() })).toEqual({ affected: 3 })
  expect((await admin.send(workflowApi.typeList, {})).map(({ wfcName }) => wfcName)).toEqual(['丙', '乙', '甲'])
  expect((await admin.ask(workflowApi.sortTypes, { wfcIds: ids.slice(1) })).reason).toBe('stale-version')
  expect((await admin.ask(workflowApi.sortTypes, { wfcIds: [...ids.slice(1), newId()] })).reason).toBe('stale-version')
})

describe('a flow', () => {
  test('is saved whole and comes back with names, stage by stage', async () => {
    const school = await newSchool()
    const form = await formOf(school, {
      wfIcon: 'school',
      roleIds: [school.roles['GUIDE_TEACHER']],
      lsIds: [school.curriculum['SXCL']],
      levels: ['5', '6'],
    })
    const { wfId } = await school.admin.send(workflowApi.save, form)
    const { flow, roles, levels } = await school.admin.send(workflowApi.editInit, { wfId })
    expect(flow).toMatchObject({
      wfName: form.wfName,
      wfVersion: 1,
      version: 0,
      levels: ['5', '6'],
      isDefault: yesNo.no,
    })
    expect(
      flow.steps.map(({ wfsNodeName, wfsSort, wfsStepName, checkerNames, timeoutHours }) => [
        wfsNodeName,
        wfsSort,
        wfsStepName,
        checkerNames,
        timeoutHours,
      ]),
    ).toEqual([
      ['PUBLISH', 1, '院系初审', [], null],
      ['PUBLISH', 2, '校团委终审', ['校级审核员', '校级管理员'], null],
      ['RESULT', 1, '结果审核', ['管理员'], 72],
    ])
    expect([roles.length, levels.length]).toEqual([15, 8])
    const page = await school.admin.send(workflowApi.list, { wfName: form.wfName })
    expect(page.records).toMatchObject([
      {
        roles: ['指导老师'],
        classes: ['思想成长'],
        levelNames: ['校级', '院（系）级'],
        stepCount: 3,
        runningCount: 0,
        can: ['edit', 'disable', 'delete'],
      },
    ])
  })

  test('keeps the ids of its steps and counts its versions', async () => {
    const school = await newSchool()
    const { wfId } = await school.admin.send(workflowApi.save, await formOf(school))
    const form = await storedForm(school, wfId)
    const [first, second, third] = form.steps
    const turned = {
      ...form,
      steps: [
        { ...second!, wfsSort: undefined },
        { ...first!, wfsSort: undefined },
        { ...third!, wfsSort: undefined },
      ],
    }
    expect(await school.admin.send(workflowApi.save, turned)).toEqual({ wfId, wfVersion: 2 })
    const after = await school.admin.send(workflowApi.editInit, { wfId })
    expect(after.flow.steps.map(({ wfsId, wfsSort }) => [wfsId, wfsSort])).toEqual([
      [second!.wfsId, 1],
      [first!.wfsId, 2],
      [third!.wfsId, 1],
    ])
    expect((await school.admin.ask(workflowApi.save, turned)).reason).toBe('stale-version')
  })

  test.each([
    ['no steps', { steps: [] }, 'steps', '请至少添加一个步骤'],
    ['a stage of another type', { wfType: flowType.supplement }, 'steps.0.wfsNodeName', '该类型的流程没有这个环节'],
    [
      'a step without checkers',
      {
        steps: [
          {
            wfsNodeName: 'PUBLISH',
            wfsStepName: '审',
            wfsStepType: flowStepType.anyOne,
            wfsCheckerType: flowCheckerType.role,
            checkers: [],
          },
        ],
      },
      'steps.0.checkers',
      '请至少选择一个审批人',
    ],
    [
      'a time of no hours',
      {
        steps: [
          {
            wfsNodeName: 'PUBLISH',
            wfsStepName: '审',
            wfsStepType: flowStepType.anyOne,
            wfsCheckerType: flowCheckerType.startersCollege,
            timeoutHours: 0,
          },
        ],
      },
      'steps.0.timeoutHours',
      '处理时限（小时）不能小于 1',
    ],
    ['no steps while it is enabled', { steps: [], wfStatus: flowStatus.disabled }, 'steps', '请至少添加一个步骤'],
    [
      'hours and working days',
      {
        steps: [
          {
            wfsNodeName: 'PUBLISH',
            wfsStepName: '审',
            wfsStepType: flowStepType.anyOne,
            wfsCheckerType: flowCheckerType.startersCollege,
            timeoutHours: 5,
            timeoutDays: 1,
          },
        ],
      },
      'steps.0.timeoutDays',
      '处理时限只能按小时或按工作日设置一种',
    ],
    [
      'an action without a time',
      {
        steps: [
          {
            wfsNodeName: 'PUBLISH',
            wfsStepName: '审',
            wfsStepType: flowStepType.anyOne,
            wfsCheckerType: flowCheckerType.startersCollege,
            timeoutAction: timeoutAction.autoPass,
          },
        ],
      },
      'steps.0.timeoutAction',
      '请先设置处理时限',
    ],
    [
      'escalation to nobody',
      {
        steps: [
          {
            wfsNodeName: 'PUBLISH',
            wfsStepName: '审',
            wfsStepType: flowStepType.anyOne,
            wfsCheckerType: flowCheckerType.startersCollege,
            timeoutDays: 1,
            timeoutAction: timeoutAction.escalate,
          },
        ],
      },
      'steps.0.timeoutRoleId',
      '请选择升级给哪个角色',
    ],
    [
      'people named by nobody',
      {
        steps: [
          {
            wfsNodeName: 'PUBLISH',
            wfsStepName: '审',
            wfsStepType: flowStepType.anyOne,
            wfsCheckerType: flowCheckerType.namedByLastStep,
          },
        ],
      },
      'steps.0.wfsCheckerType',
      '此前没有审批步骤，无人可以指定审批人',
    ],
    ['a role that does not exist', { roleIds: [newId()] }, 'roleIds', '适用角色中有不存在的角色'],
    ['a level that does not exist', { levels: ['x'] }, 'levels', '适用级别中有不存在的级别'],
    [
      'a checker that does not exist',
      {
        steps: [
          {
            wfsNodeName: 'PUBLISH',
            wfsStepName: '审',
            wfsStepType: flowStepType.anyOne,
            wfsCheckerType: flowCheckerType.people,
            checkers: [newId()],
          },
        ],
      },
      'steps',
      '步骤中有不存在的审批人或角色，请重新选择',
    ],
  ])('%s is refused at the field', async (_, change, field, msg) => {
    const school = await newSchool()
    expect((await school.admin.ask(workflowApi.save, { ...(await formOf(school)), ...change })).errors?.[0]).toEqual({
      field,
      msg,
    })
  })

  test('of another school does not exist', async () => {
    const [school, other] = [await newSchool(), await newSchool()]
    const { wfId } = await school.admin.send(workflowApi.save, await formOf(school))
    for (const call of [workflowApi.editInit, workflowApi.remove, workflowApi.cloneInit, workflowApi.occupied])
      expect((await other.admin.ask(call, { wfId })).reason).toBe('not-found')
    expect(
      (await other.admin.ask(workflowApi.switchStatus, { wfIds: [wfId], wfStatus: flowStatus.disabled })).reason,
    ).toBe('not-found')
    expect((await other.admin.ask(workflowApi.move, { wfId: [wfId], wfcId: await category(other) })).reason).toBe(
      'not-found',
    )
    expect(
      (await school.admin.ask(workflowApi.save, { ...(await formOf(school)), wfcId: await category(other) })).reason,
    ).toBe('not-found')
    expect(
      (await school.admin.ask(workflowApi.save, { ...(await formOf(school)), roleIds: [other.roles['GUIDE_TEACHER']] }))
        .code,
    ).toBe(300)
  })
})

describe('ranges that overlap', () => {
  test('are refused by the other flow’s name while enabled, allowed while disabled, refused at enabling', async () => {
    const school = await newSchool()
    const { admin } = school
    const range = { lsIds: [school.curriculum['SXCL']], levels: ['5'] }
    const first = await formOf(school, range)
    await admin.send(workflowApi.save, first)
    const second = await formOf(school, {
      lsIds: [school.curriculum['SXCL'], school.curriculum['ZYGY']],
      levels: ['5', '6'],
    })
    expect((await admin.ask(workflowApi.save, second)).msg).toBe(`与流程“${first.wfName}”的适用范围重叠，请调整范围`)
    const { wfId } = await admin.send(workflowApi.save, { ...second, wfStatus: flowStatus.disabled })
    expect((await admin.ask(workflowApi.switchStatus, { wfIds: [wfId], wfStatus: flowStatus.enabled })).reason).toBe(
      'workflow-conflict',
    )
    expect((await admin.send(workflowApi.list, { wfName: second.wfName })).records[0]!.wfStatus).toBe(
      flowStatus.disabled,
    )
    const verdict = await admin.send(workflowApi.validate, {
      wfId,
      wfType: flowType.lesson,
      classIds: second['lsIds' as never],
      levelIds: '5, 6',
    })
    expect(verdict).toMatchObject({
      ok: false,
      conflicts: [{ wfName: first.wfName, role: '全部角色', class: '思想成长', level: '校级' }],
    })
  })

  test('a node below is more specific, and another type another matter', async () => {
    const school = await newSchool()
    await school.admin.send(workflowApi.save, await formOf(school, { lsIds: [school.curriculum['SXCL']] }))
    await school.admin.send(workflowApi.save, await formOf(school, { lsIds: [school.curriculum['SXCL/主题教育']] }))
    const supplement = [
      {
        wfsNodeName: 'SUPPLEMENT',
        wfsStepName: '审',
        wfsStepType: flowStepType.anyOne,
        wfsCheckerType: flowCheckerType.classSecretary,
      },
    ]
    await school.admin.send(
      workflowApi.save,
      await formOf(school, { wfType: flowType.supplement, lsIds: [school.curriculum['SXCL']], steps: supplement }),
    )
    expect((await school.admin.send(workflowApi.list, {})).total).toBe(3)
  })

  test('one default a type; it has no ranges and closes all gaps', async () => {
    const school = await newSchool()
    const { admin } = school
    const open = await admin.send(workflowApi.validate, { wfType: flowType.lesson, levelIds: '5' })
    expect(open).toMatchObject({
      ok: true,
      gaps: [
        {
          role: '全部角色',
          class: '全部课程体系',
          level: '国际级、国家级、省（部）级、市级、院（系）级、班（团支部）级、社团级',
        },
      ],
    })
    const form = await formOf(school, { isDefault: yesNo.yes, levels: ['5'] })
    const { wfId } = await admin.send(workflowApi.save, form)
    expect((await admin.send(workflowApi.editInit, { wfId })).flow).toMatchObject({ isDefault: yesNo.yes, levels: [] })
    expect((await admin.ask(workflowApi.save, await formOf(school, { isDefault: yesNo.yes }))).msg).toBe(
      `“${form.wfName}”已是该类型启用中的默认流程，请先停用它或取消其默认`,
    )
    expect((await admin.send(workflowApi.validate, { wfType: flowType.lesson, levelIds: '5' })).gaps).toEqual([])
  })

  test('of two that are saved at once, one is refused', async () => {
    const school = await newSchool()
    const forms = await Promise.all(Array.from({ length: 6 }, () => formOf(school, { levels: ['7'] })))
    const replies = await Promise.all(forms.map((form) => school.admin.ask(workflowApi.save, form)))
    expect(replies.map(({ code }) => code).toSorted()).toEqual([200, 300, 300, 300, 300, 300])
  })
})

describe('checkers', () => {
  test('are offered by type, people by name or number', async () => {
    const school = await newSchool()
    const teacher = await school.person('GUIDE_TEACHER', [], { suiName: '欧阳审批' })
    const people = await school.admin.send(workflowApi.choiceChecker, {
      wfsCheckerType: flowCheckerType.people,
      search: '阳审',
    })
    expect(people).toMatchObject({ mode: 'user', options: [{ id: teacher.suId, name: '欧阳审批' }] })
    expect(
      (
        await school.admin.send(workflowApi.choiceChecker, {
          wfsCheckerType: flowCheckerType.people,
          search: teacher.suiNumber,
        })
      ).options,
    ).toHaveLength(1)
    const kept = await school.admin.send(workflowApi.choiceChecker, {
      wfsCheckerType: flowCheckerType.people,
      search: '阳审',
      chosen: [school.adminId],
    })
    expect(kept.options.map(({ id }) => id)).toEqual([school.adminId, teacher.suId])
    const roles = await school.admin.send(workflowApi.choiceChecker, { wfsCheckerType: flowCheckerType.role })
    expect(roles.options).toHaveLength(15)
    expect(roles.options[0]).toMatchObject({ name: '校级管理员', note: '1 名成员' })
    await school.department('教务处')
    expect(
      (await school.admin.send(workflowApi.choiceChecker, { wfsCheckerType: flowCheckerType.department })).options,
    ).toMatchObject([{ name: '教务处', note: '0 名成员' }])
    expect(await school.admin.send(workflowApi.choiceChecker, { wfsCheckerType: flowCheckerType.principal })).toEqual({
      type: '8',
      mode: 'none',
      options: [],
    })
  })

  test('a step nobody could decide is told before it is saved', async () => {
    const school = await newSchool()
    const ask = (rows: object[]) =>
      school.admin.send(workflowApi.validate, { wfType: flowType.lesson, steps: rows as never })
    const verdict = await ask(steps(school))
    expect(verdict.ok).toBe(false)
    expect(verdict.emptyCheckers).toEqual([
      { at: 0, blocks: true, wfsNodeName: 'PUBLISH', wfsStepName: '院系初审', reason: '全校尚无院系团委成员' },
    ])
    const handed = await ask([
      {
        wfsNodeName: 'PUBLISH',
        wfsStepName: '审',
        wfsStepType: flowStepType.anyOne,
        wfsCheckerType: flowCheckerType.startersCollege,
        noApproverPolicy: 'admin',
      },
    ])
    expect(handed).toMatchObject({
      ok: true,
      emptyCheckers: [{ blocks: false, reason: '全校尚无院系团委成员，将转校级管理员' }],
    })
    const college = await school.college()
    await school.person('COLLEGE_LEAGUE', [{ caType: 'college', caTarget: college }])
    expect(await ask(steps(school))).toMatchObject({ ok: true, emptyCheckers: [] })
    const leaver = await school.person('GUIDE_TEACHER')
    await sql`
      update "account"
      set "suStatus" = ${sql.lit(accountStatus.disabled)}
      where "suId" = ${leaver.suId}`.execute(school.services.db)
    const only = await ask([
      {
        wfsNodeName: 'PUBLISH',
        wfsStepName: '审',
        wfsStepType: flowStepType.anyOne,
        wfsCheckerType: flowCheckerType.people,
        checkers: [leaver.suId],
      },
    ])
    expect(only.emptyCheckers[0]!.reason).toBe('所选人员均不在岗或账号已停用')
  })

  test('fewer levels than the school asks for are told, and stop nothing', async () => {
    const school = await newSchool()
    const step = (wfsNodeName: string, wfsStepType: string = flowStepType.anyOne) => ({
      wfsNodeName,
      wfsStepName: '审',
      wfsStepType,
      wfsCheckerType: flowCheckerType.people,
      checkers: [school.adminId],
    })
    const ask = (input: object, rows: object[]) =>
      school.admin.send(workflowApi.validate, { wfType: flowType.lesson, ...input, steps: rows as never })
    // one deciding step and one that only tells: enough from school level on, one too few below
    const rows = [step('PUBLISH'), step('PUBLISH', flowStepType.copy)]
    const college = { wfsNodeName: 'PUBLISH', of: 'college', steps: 1, demanded: 2 }
    expect(await ask({}, rows)).toMatchObject({ ok: true, short: [college] })
    expect((await ask({ levelIds: '2,5' }, rows)).short).toEqual([])
    expect((await ask({ levelIds: '5,6' }, rows)).short).toEqual([college])
    expect((await ask({ wfType: flowType.supplement }, [step('SUPPLEMENT'), step('SUPPLEMENT')])).short).toEqual([
      { wfsNodeName: 'SUPPLEMENT', of: 'sup', steps: 2, demanded: 3 },
    ])
    await school.rules({ approvalLevels: 1, approvalLevelsSchool: 2, approvalLevelsSup: 2 })
    expect((await ask({ levelIds: '5,6' }, rows)).short).toEqual([{ ...college, of: 'school' }])
    expect((await ask({ wfType: flowType.supplement }, [step('SUPPLEMENT'), step('SUPPLEMENT')])).short).toEqual([])
  })
})

describe('a flow in use', () => {
  test('may be edited and moved, but not deleted until nothing runs by it', async () => {
    const school = await newSchool()
    const { admin, services } = school
    const { wfId } = await admin.send(workflowApi.save, await formOf(school))
    const insId = await runApproval(school, wfId)
    expect(await admin.send(workflowApi.occupied, { wfId })).toEqual({ occupied: true, runningCount: 1 })
    expect((await admin.ask(workflowApi.remove, { wfId })).msg).toBe('流程有 1 个运行中的实例，不能删除')
    expect((await admin.send(workflowApi.list, {})).records[0]!.can).toEqual(['edit', 'disable'])
    await admin.send(workflowApi.move, { wfId: [wfId], wfcId: await category(school) })
    await admin.send(workflowApi.save, { ...(await storedForm(school, wfId)), wfDesc: '改过' })
    await services.db
      .updateTable('approval')
      .set({ insStatus: approvalStatus.passed })
      .where('insId', '=', insId)
      .execute()
    expect(await admin.send(workflowApi.remove, { wfId })).toEqual({ affected: 1 })
    expect((await admin.ask(workflowApi.editInit, { wfId })).status).toBe(404)
  })

  test('its copy is a flow of its own, a draft', async () => {
    const school = await newSchool()
    const form = await formOf(school)
    const { wfId } = await school.admin.send(workflowApi.save, form)
    const { flow } = await school.admin.send(workflowApi.cloneInit, { wfId })
    expect(flow).toMatchObject({ wfId: null, wfName: `${form.wfName}（副本）`, wfStatus: flowStatus.draft })
    const clone = await school.admin.send(workflowApi.addClone, {
      ...form,
      fromWfId: wfId,
      wfName: flow.wfName,
      wfStatus: flowStatus.disabled,
    })
    expect(clone.wfId).not.toBe(wfId)
    const alone = { ...form, wfName: `${form.wfName}二`, wfStatus: flowStatus.disabled }
    expect((await school.admin.send(workflowApi.addClone, alone)).wfId).not.toBe(wfId)
    const traces = await school.services.db
      .selectFrom('auditLog')
      .select(['action', 'reason'])
      .where('bizId', '=', clone.wfId)
      .execute()
    expect(traces).toEqual([{ action: '克隆流程', reason: `克隆自“${form.wfName}”` }])
  })
})
