import { expect, test } from 'vitest'
import { flowCheckerType, flowType } from '../../../contract/core/codes/rules.ts'
import { trialApi } from '../../../contract/rules/workflow/trial.calls.ts'
import { makeFlow } from '../../testing/flows.ts'
import { newSchool } from '../../testing/school.ts'

/** What the sandbox and the map of coverage tell of who decides on questions is what happens to a question. */

async function world(checkerType: string, checkers: (auditor: string) => string[]) {
  const school = await newSchool()
  await school.ctx.db.deleteFrom('workflow').where('schoolId', '=', school.schoolId).execute()
  const scId = await school.college()
  const auditor = await school.person('SCHOOL_AUDIT', [], { suiCollegeId: scId })
  const more = { node: 'PUBLICITY' as const, checkerType, checkers: checkers(auditor.suId) }
  for (const wfType of [flowType.lesson, flowType.supplement])
    await makeFlow(
      school,
      [{ node: wfType === flowType.lesson ? 'PUBLISH' : 'SUPPLEMENT', checkers: [school.adminId] }, more],
      { wfType },
    )
  const at = { lsId: school.curriculum['JNTC']!, liLevel: '2' }
  const tried = (wfType: '1' | '2') =>
    school.admin.send(trialApi.sandbox, { wfType, suId: auditor.suId, credit: '1', ...at })
  const cell = (wfType: '1' | '2') => school.admin.send(trialApi.coverageCell, { wfType, ...at })
  return { school, auditor, tried, cell }
}
const questionStep = ({
  nodes,
}: {
  nodes: { nodeName: string; steps: { fate: string; people: { id: string }[] }[] }[]
}) => nodes.find(({ nodeName }) => nodeName === 'PUBLICITY')!.steps[0]!

test('whoever starts a course or enters a record may be asked about its questions: they only take them up', async () => {
  const { auditor, tried, cell } = await world(flowCheckerType.people, (suId) => [suId])
  for (const wfType of [flowType.lesson, flowType.supplement]) {
    const trial = await tried(wfType)
    expect(questionStep(trial)).toMatchObject({ fate: 'ask', people: [{ id: auditor.suId }] })
    expect(trial.blocks).toEqual([])
    for (const { flows } of await cell(wfType))
      expect(flows.filter(({ isChosen }) => isChosen)).toMatchObject([
        { questionsText: expect.stringMatching(/^质疑由指定人员：.+认定$/) },
      ])
  }
})

test('nobody is responsible for a record: such a step stops the entry of questions, and not the record', async () => {
  const { tried } = await world(flowCheckerType.principal, () => [])
  expect(questionStep(await tried(flowType.lesson))).toMatchObject({ fate: 'ask' })
  const ofRecord = await tried(flowType.supplement)
  expect(questionStep(ofRecord)).toMatchObject({ fate: 'block', note: '找不到审批人，登记质疑会被拒绝' })
  expect(ofRecord.blocks).toEqual(['公示与质疑环节的“步骤2”没有可用的审批人，登记质疑会被拒绝'])
})

test('without a stage the map names those who decide then, of courses and of records', async () => {
  const { school, cell } = await world(flowCheckerType.people, (suId) => [suId])
  await school.ctx.db
    .deleteFrom('workflowStep')
    .where('schoolId', '=', school.schoolId)
    .where('wfsNodeName', '=', 'PUBLICITY')
    .execute()
  const texts = async (wfType: '1' | '2') =>
    new Set((await cell(wfType)).flatMap(({ flows }) => flows.map(({ questionsText }) => questionsText)))
  expect([...(await texts(flowType.lesson))]).toEqual(['质疑由课程负责人或有质疑处理权限的人员认定'])
  expect([...(await texts(flowType.supplement))]).toEqual(['质疑由有质疑处理权限的学院、学校人员认定'])
})
