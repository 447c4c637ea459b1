import { describe, expect, test } from 'vitest'
import { lessonApi } from '../../../contract/programme/lessons/lessons.calls.ts'
import { supplementApi } from '../../../contract/programme/supplements/supplements.calls.ts'
import { approvalApi } from '../../../contract/programme/approvals/approvals.calls.ts'
import { flowCheckerType, flowStepType } from '../../../contract/core/codes/rules.ts'
import type { Call } from '../../../contract/core/call.ts'
import { makeFlow, type TestStep } from '../../testing/flows.ts'
import { lessonWorld } from '../../testing/lessons.ts'
import { newSchool, type TestPerson } from '../../testing/school.ts'
import { lessonForm } from '../../testing/stored-lesson.ts'
import { supplementWorldOfTests } from '../../testing/supplements.ts'

/** The whole envelope of a refusal, with what stands beside its text. */
const refusalOf = async (person: Pick<TestPerson, 'client'>, call: Call, input: unknown) =>
  (await person.client.ask(call, input)) as unknown as {
    code: number
    reason: string
    msg: string
    details: Record<string, string | null>
    help?: { label: string; link: string }
  }

describe('a course that nobody could decide on', () => {
  const submitted = async (step: Omit<TestStep, 'node'>) => {
    const school = await newSchool()
    const wfId = await makeFlow(school, [{ node: 'PUBLISH', ...step }])
    const admin = { client: school.admin }
    const principal = await school.person('GUIDE_TEACHER', [], { suiCollegeId: await school.college() })
    const refusal = await refusalOf(admin, lessonApi.save, {
      ...lessonForm(school, principal.suId),
      submit: '1',
    })
    return { school, wfId, refusal }
  }

  test('without a college: the only administrator is led to appoint another one, and then gets it through', async () => {
    const { school, refusal } = await submitted({
      checkerType: flowCheckerType.startersCollege,
      noApproverPolicy: 'admin',
    })
    const srId = school.roles['SCHOOL_ADMIN']!
    expect(refusal).toMatchObject({
      code: 300,
      reason: 'workflow-no-checker',
      details: { stepName: '步骤1', wfsCheckerType: flowCheckerType.startersCollege, kind: 'role', id: srId },
      help: { label: '去再任命一名校级管理员', link: `/personnelAdmin/memberAdmin?srId=${srId}` },
    })
    expect(refusal.msg).toContain('步骤“步骤1”')
    expect(refusal.msg).toContain('未指定学院')
    const second = await school.person('SCHOOL_ADMIN')
    const principal = await school.person('GUIDE_TEACHER')
    const { liId } = await school.admin.send(lessonApi.save, { ...lessonForm(school, principal.suId), submit: '1' })
    const tasks = await second.client.send(approvalApi.publishQueue, {})
    expect(tasks.records.map(({ bizId }) => bizId)).toEqual([liId])
    expect((await school.admin.send(approvalApi.publishQueue, {})).total).toBe(0)
  })

  test('by its role: told that only they are in it, with the members of that role', async () => {
    const own = await newSchool()
    const srId = own.roles['SCHOOL_ADMIN']!
    await makeFlow(own, [{ node: 'PUBLISH', checkerType: flowCheckerType.role, checkers: [srId] }])
    const principal = await own.person('GUIDE_TEACHER')
    const refusal = await refusalOf({ client: own.admin }, lessonApi.save, {
      ...lessonForm(own, principal.suId),
      submit: '1',
    })
    expect(refusal.msg).toContain('只有您本人，本人的事项须由他人审批')
    expect(refusal.help?.link).toBe(`/personnelAdmin/memberAdmin?srId=${srId}`)
  })

  test('by people of the flow: led to the flow', async () => {
    const { wfId, refusal } = await submitted({ checkerType: flowCheckerType.people })
    expect(refusal.details).toMatchObject({ kind: 'step', wfId })
    expect(refusal.help?.link).toBe(`/basicConfig/ProcessManagement/editProcessManagement?wfId=${wfId}`)
  })

  test('whoever may not appoint is told whom to ask, and gets no link', async () => {
    const world = await lessonWorld(({ school }) => [
      { node: 'PUBLISH', checkerType: flowCheckerType.role, checkers: [school.roles['CLUB_MGR']!] },
    ])
    await world.school.person('SCHOOL_ADMIN', [], { suiName: '贺知秋' })
    const refusal = await refusalOf(world.teacher, lessonApi.save, { ...world.form(), submit: '1' })
    expect(refusal.help).toBeUndefined()
    expect(refusal.details).toMatchObject({ kind: 'role', id: world.school.roles['CLUB_MGR'] })
    expect(refusal.msg).toMatch(/请联系校级管理员（.*贺知秋.*）为“社团管理部”添加成员/)
  })
})

test('a record of a class without secretary: the only administrator is led to that class, and the one appointed decides', async () => {
  const world = await supplementWorldOfTests(() => [
    { node: 'SUPPLEMENT', checkerType: flowCheckerType.classSecretary, noApproverPolicy: 'admin' },
  ])
  const { school } = world
  const majorId = await school.major(world.scId)
  const scClassId = await school.schoolClass(majorId, world.scId, { scClassName: '无团支书一班' })
  const [student] = await school.students(1, { suiCollegeId: world.scId, majorId, scClassId })
  const admin = { client: school.admin }
  const refusal = await refusalOf(admin, supplementApi.save, { ...world.form(student!.suId), submit: '1' })
  expect(refusal).toMatchObject({
    reason: 'workflow-no-checker',
    msg: '步骤“步骤1”没有可用的审批人：无团支书一班的团支书目前空缺，也没有其他校级管理员可以代为审批。请先任命该班团支书后再提交',
    details: { kind: 'class', id: scClassId, office: '无团支书一班的团支书' },
    help: {
      label: '去任命该班团支书',
      link: `/personnelAdmin/classAdmin?scClassName=${encodeURIComponent('无团支书一班')}`,
    },
  })
  const secretary = await school.person('LEAGUE_SEC', [{ caType: 'class', caTarget: scClassId }])
  await school.admin.send(supplementApi.save, { ...world.form(student!.suId), submit: '1' })
  expect((await secretary.client.send(approvalApi.supQueue, {})).total).toBe(1)
})

describe('the form tells it ahead of the submission', () => {
  test('which office is empty, with the way there for whoever may fill it and whom to ask for others', async () => {
    const world = await lessonWorld(({ school }) => [
      { node: 'PUBLISH', checkerType: flowCheckerType.role, checkers: [school.roles['CLUB_MGR']!] },
      { node: 'RESULT', checkerType: flowCheckerType.teacher },
      { node: 'RESULT', stepType: flowStepType.autoPass },
    ])
    await world.school.person('SCHOOL_ADMIN', [], { suiName: '贺知秋' })
    const { lsId, liLevel, liPrincipalId } = world.form()
    const asked = { lsId, liLevel, liPrincipalId }
    const stepsFor = async (client: TestPerson['client']) =>
      (await client.send(lessonApi.flowPreview, asked)).nodes.flatMap(({ steps }) => steps)
    const [vacant, open, auto] = await stepsFor(world.school.admin)
    expect(vacant).toMatchObject({
      people: [],
      note: '',
      vacancy: {
        text: '“社团管理部”目前空缺。请先为“社团管理部”添加成员',
        help: {
          label: '去为“社团管理部”添加成员',
          link: `/personnelAdmin/memberAdmin?srId=${world.school.roles['CLUB_MGR']!}`,
        },
      },
    })
    expect(open).toMatchObject({ note: '提交时按课程填写的老师确定', vacancy: null })
    expect(auto).toMatchObject({ note: '系统自动通过', vacancy: null })
    const [told] = await stepsFor(world.teacher.client)
    expect(told!.vacancy!.text).toMatch(/^“社团管理部”目前空缺。请联系校级管理员（.*贺知秋.*）为“社团管理部”添加成员$/)
    expect(told!.vacancy!.help).toBeUndefined()
    await world.school.person('CLUB_MGR')
    expect((await stepsFor(world.school.admin))[0]).toMatchObject({ vacancy: null })
  })

  test('what to choose first where a step asks the college or the department of a course without one', async () => {
    const school = await newSchool()
    const principal = await school.person('GUIDE_TEACHER')
    const [scId, sdId] = [await school.college(), await school.department()]
    await makeFlow(school, [
      { node: 'PUBLISH', checkerType: flowCheckerType.startersCollege },
      { node: 'PUBLISH', checkerType: flowCheckerType.startersDepartmentHead },
    ])
    const { lsId, liLevel, liPrincipalId } = lessonForm(school, principal.suId)
    const told = async (host: { liCollegeId?: string; liDepartmentId?: string }) =>
      (await school.admin.send(lessonApi.flowPreview, { lsId, liLevel, liPrincipalId, ...host })).nodes.flatMap(
        ({ steps }) => steps.map(({ note, vacancy }) => note || vacancy!.text),
      )
    expect(await told({})).toEqual(['请先选择主办学院或部门', '请先选择主办学院或部门'])
    expect(await told({ liDepartmentId: sdId })).toEqual([
      '请先选择主办学院',
      expect.stringContaining('的负责人目前空缺'),
    ])
    expect(await told({ liCollegeId: scId })).toEqual([expect.stringContaining('目前空缺'), '请先选择主办部门'])
  })

  test('that no flow applies, with the way to the flows for whoever arranges them', async () => {
    const school = await newSchool()
    const teacher = await school.person('GUIDE_TEACHER', [], { suiCollegeId: await school.college() })
    const form = lessonForm(school, teacher.suId)
    const help = { label: '去流程管理', link: '/basicConfig/ProcessManagement' }
    const missing = async (client: TestPerson['client']) =>
      (await client.send(lessonApi.flowPreview, { lsId: form.lsId, liLevel: form.liLevel })).missing
    expect(await missing(school.admin)).toEqual({ text: '请先在“流程管理”中配置适用的流程', help })
    expect(await missing(teacher.client)).toEqual({ text: '请联系校级管理员（管理员）在“流程管理”中配置适用的流程' })
    expect(await refusalOf({ client: school.admin }, lessonApi.save, { ...form, submit: '1' })).toMatchObject({
      reason: 'workflow-missing',
      msg: '未配置适用的审批流程。请先在“流程管理”中配置适用的流程后再提交',
      help,
    })
  })
})
