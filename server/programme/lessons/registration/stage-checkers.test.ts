import { expect, test } from 'vitest'
import { yesNo } from '../../../../contract/core/codes/platform.ts'
import { applyStatus, signStatus } from '../../../../contract/core/codes/programme.ts'
import { flowCheckerType, flowStepType, flowType } from '../../../../contract/core/codes/rules.ts'
import { lessonApi } from '../../../../contract/programme/lessons/lessons.calls.ts'
import { registrationApi } from '../../../../contract/programme/lessons/registration.calls.ts'
import { trialApi } from '../../../../contract/rules/workflow/trial.calls.ts'
import { makeFlow } from '../../../testing/flows.ts'
import { lessonWorld } from '../../../testing/lessons.ts'
import { applying, messageTitles, move, rowsOf } from '../../../testing/participants.ts'
import { asOwner } from '../../../testing/database.ts'

/** A school whose flow for guide teachers names one person for registration and another one for sign-in. */
async function stagedWorld() {
  const world = await lessonWorld()
  const { school } = world
  const person = () => school.person('GUIDE_TEACHER')
  const [admits, signs, stranger] = [await person(), await person(), await person()]
  await makeFlow(
    school,
    [
      { node: 'SIGNUP', checkers: [admits.suId] },
      { node: 'SIGNUP', checkers: [stranger.suId], more: { minCredit: 10_000 } },
      { node: 'SIGNUP', checkerType: flowCheckerType.startersDepartmentHead },
      { node: 'SIGNIN', checkers: [signs.suId] },
      { node: 'SIGNIN', checkers: [stranger.suId], stepType: flowStepType.copy },
    ],
    { isDefault: yesNo.no, roleIds: [school.roles['GUIDE_TEACHER']!] },
  )
  return { world, admits, signs, stranger }
}

test('people named for registration decide on it, those for sign-in sign, and nobody else does', async () => {
  const { world, admits, signs, stranger } = await stagedWorld()
  const [one, other, third] = await world.students(3)
  const liId = await applying(world)
  const [first, second, last] = (await world.enrol(liId, [one!, other!, third!])) as [string, string, string]
  const detail = await world.teacher.client.send(lessonApi.details, { liId })
  expect(detail.signUpCheckers.map(({ suId }) => suId)).toEqual([admits.suId])
  expect(detail.signInCheckers.map(({ suId }) => suId)).toEqual([signs.suId])
  expect(await messageTitles(world, admits.suId)).toEqual([`《${detail.liName}》已发布，请您审核报名`])
  expect(await messageTitles(world, signs.suId)).toEqual([`《${detail.liName}》已发布，请您管理签到`])
  expect(await messageTitles(world, stranger.suId)).toEqual([])

  for (const { client } of [signs, stranger])
    expect((await client.ask(registrationApi.pass, { laId: first })).code, 'not theirs to decide').not.toBe(200)
  await admits.client.send(registrationApi.pass, { laId: first })
  await admits.client.send(registrationApi.refuse, { laId: second, reason: '不符合报名条件' })
  await world.teacher.client.send(registrationApi.pass, { laId: last })
  const rows = await rowsOf(world, liId)
  expect([first, second, last].map((laId) => rows.get(laId)!.laStatus)).toEqual([
    applyStatus.accepted,
    applyStatus.refused,
    applyStatus.accepted,
  ])

  await move(world, liId, { startTime: world.school.clock.now() })
  const sign = { laIds: [first], laSignStatus: signStatus.signedIn }
  for (const { client } of [admits, stranger])
    expect((await client.ask(registrationApi.sign, sign)).code, 'not theirs to sign').not.toBe(200)
  await signs.client.send(registrationApi.sign, sign)
  expect((await rowsOf(world, liId)).get(first)!.laSignStatus).toBe(signStatus.signedIn)
})

test('who is named is looked up anew whenever the course is published', async () => {
  const { world, admits, signs, stranger } = await stagedWorld()
  const { school, teacher } = world
  const liId = await applying(world)
  await asOwner((db) =>
    db
      .updateTable('workflowChecker')
      .set({ wfcCheckerId: stranger.suId })
      .where('schoolId', '=', school.schoolId)
      .where('wfcCheckerId', '=', admits.suId)
      .execute(),
  )
  const named = async () =>
    (await teacher.client.send(lessonApi.details, { liId })).signUpCheckers.map(({ suId }) => suId)
  expect(await named()).toEqual([admits.suId])
  await teacher.client.send(lessonApi.unpublish, { liId, reason: '时间需要另行安排' })
  await teacher.client.send(lessonApi.publish, { liId })
  expect(await named()).toEqual([stranger.suId])
  expect(await messageTitles(world, signs.suId), 'told once').toHaveLength(1)
})

test('trying a case out says who may act at these stages, and stops nothing where nobody is found', async () => {
  const { world, admits, signs } = await stagedWorld()
  const { admin, curriculum } = world.school
  const tried = await admin.send(trialApi.sandbox, {
    wfType: flowType.lesson,
    suId: world.teacher.suId,
    lsId: curriculum['SXCL/主题教育']!,
    liLevel: '6',
    credit: '0.2',
  })
  const stepsOf = (name: string) => tried.nodes.find(({ nodeName }) => nodeName === name)!.steps
  expect(stepsOf('SIGNUP')).toMatchObject([
    { fate: 'ask', people: [{ id: admits.suId }], note: '可与课程负责人一同审核报名', limit: '' },
    { fate: 'unasked', people: [], note: '学分不大于 100，不经过该步骤' },
    { fate: 'skip', people: [], note: '找不到人员，由课程负责人审核报名', limit: '' },
  ])
  expect(stepsOf('SIGNIN')).toMatchObject([
    { fate: 'ask', people: [{ id: signs.suId }], note: '可与签到负责人一同管理签到' },
    { fate: 'skip', people: [], note: '找不到人员，由签到负责人管理签到' },
  ])
  expect(tried.blocks).toEqual([])
})
