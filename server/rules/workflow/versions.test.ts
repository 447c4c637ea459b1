import { describe, expect, test } from 'vitest'
import { flowStatus } from '../../../contract/core/codes/rules.ts'
import { workflowApi } from '../../../contract/rules/workflow/workflow.calls.ts'
import { newSchool } from '../../testing/school.ts'
import { formOf, runApproval, steps, storedForm } from '../../testing/workflow.ts'

describe('versions', () => {
  test('are kept with what each changed, and with how many approvals still run by them', async () => {
    const school = await newSchool()
    const { admin } = school
    const { wfId } = await admin.send(workflowApi.save, await formOf(school))
    await runApproval(school, wfId)
    const form = await storedForm(school, wfId)
    const [first, second, third] = form.steps
    await admin.send(workflowApi.save, {
      ...form,
      levels: ['5'],
      steps: [
        { ...second!, wfsSort: undefined, canReject: 'prev' as const },
        { ...first!, wfsSort: undefined },
        { ...third!, wfsSort: undefined, wfsNodeName: 'PUBLICITY' as const },
      ],
    })
    const again = await storedForm(school, wfId)
    await admin.send(workflowApi.save, { ...again, wfDesc: '说明', steps: again.steps.slice(0, 2) })
    const versions = await admin.send(workflowApi.versions, { wfId })
    expect(
      versions.map(({ wfVersion, isCurrent, runningCount, createName }) => [
        wfVersion,
        isCurrent,
        runningCount,
        createName,
      ]),
    ).toEqual([
      [3, true, 0, '管理员'],
      [2, false, 0, '管理员'],
      [1, false, 1, '管理员'],
    ])
    expect(versions[0]!.changes.map(({ field }) => field)).toEqual(['流程说明', '删除步骤：公示与质疑 · 结果审核'])
    expect(versions[1]!.changes).toEqual([
      { field: '适用级别', before: '全部', after: '校级' },
      {
        field: '步骤：发布 · 校团委终审',
        before: '会签，指定角色：校级审核员、校级管理员，无审批人时阻止提交',
        after: '会签，指定角色：校级审核员、校级管理员，无审批人时阻止提交，可退回发起人或上一步',
      },
      {
        field: '步骤：公示与质疑 · 结果审核',
        before: '结果 · 结果审核，或签，指定人员：管理员，72 小时内处理，超时仅标记逾期，无审批人时阻止提交',
        after: '公示与质疑 · 结果审核，或签，指定人员：管理员，72 小时内处理，超时仅标记逾期，无审批人时阻止提交',
      },
      { field: '发布环节的顺序', before: '院系初审 → 校团委终审', after: '校团委终审 → 院系初审' },
    ])
    expect(versions[2]!).toMatchObject({
      changes: [],
      steps: [{ wfsStepName: '院系初审' }, { checkerNames: ['校级审核员', '校级管理员'] }, {}],
    })
    const other = await newSchool()
    expect((await other.admin.ask(workflowApi.versions, { wfId })).reason).toBe('not-found')
  })

  test('of two administrators who edit at once one wins and the other is told', async () => {
    const school = await newSchool()
    const { wfId } = await school.admin.send(workflowApi.save, await formOf(school))
    const second = await school.person('SCHOOL_ADMIN')
    const [mine, theirs] = [await storedForm(school, wfId), await storedForm(school, wfId)]
    const replies = await Promise.all([
      school.admin.ask(workflowApi.save, { ...mine, wfDesc: '甲改的' }),
      second.client.ask(workflowApi.save, { ...theirs, wfDesc: '乙改的' }),
    ])
    expect(replies.map(({ code }) => code).toSorted()).toEqual([200, 409])
    const lost = replies.find(({ code }) => code !== 200)!
    expect([lost.reason, lost.msg]).toEqual(['stale-version', '数据已被他人修改，请刷新后重试'])
    const { flow } = await school.admin.send(workflowApi.editInit, { wfId })
    expect([flow.wfVersion, flow.wfDesc]).toEqual([2, replies[0]!.code === 200 ? '甲改的' : '乙改的'])
    expect(flow.steps).toHaveLength(3)
  })
})

describe('a draft', () => {
  test('may be without steps, applies to nothing, and is enabled when it has some', async () => {
    const school = await newSchool()
    const { admin } = school
    const form = await formOf(school, { wfStatus: flowStatus.draft, steps: [] })
    const { wfId } = await admin.send(workflowApi.save, form)
    expect((await admin.send(workflowApi.list, { wfStatus: flowStatus.draft })).records).toMatchObject([
      { wfId, stepCount: 0, can: ['edit', 'enable', 'delete'] },
    ])
    expect((await admin.ask(workflowApi.switchStatus, { wfIds: [wfId], wfStatus: flowStatus.enabled })).msg).toBe(
      `流程“${form.wfName}”还没有步骤，请补充后再启用`,
    )
    await admin.send(workflowApi.save, { ...form, wfId, version: 0, steps: steps(school) })
    expect(await admin.send(workflowApi.switchStatus, { wfIds: [wfId], wfStatus: flowStatus.enabled })).toEqual({
      affected: 1,
      changed: [],
    })
  })
})
