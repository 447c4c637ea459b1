import { expect, test } from 'vitest'
import { yesNo } from '../../../contract/core/codes/platform.ts'
import { flowStatus, flowType } from '../../../contract/core/codes/rules.ts'
import { lessonApi } from '../../../contract/programme/lessons/lessons.calls.ts'
import { workflowApi } from '../../../contract/rules/workflow/workflow.calls.ts'
import { makeFlow } from '../../testing/flows.ts'
import { lessonWorld } from '../../testing/lessons.ts'

test('stopping the default flow tells how many courses could not be submitted any more, unless another one stands in', async () => {
  const world = await lessonWorld(({ leader }) => [{ node: 'PUBLISH', checkers: [leader.suId] }])
  const { admin, ctx, schoolId, curriculum } = world.school
  const { wfId } = await ctx.db
    .selectFrom('workflow')
    .select('wfId')
    .where('schoolId', '=', schoolId)
    .executeTakeFirstOrThrow()
  const impact = () => admin.send(workflowApi.stopImpact, { wfIds: [wfId] })
  expect(await impact()).toMatchObject({
    gaps: [{ role: '全部角色', class: '全部课程体系', level: '全部级别', noCredit: false }],
    waiting: 0,
  })
  // the check of the flow, as the editor would save it, tells the same
  const checked = (wfStatus: '0' | '1') =>
    admin.send(workflowApi.validate, { wfId, wfType: flowType.lesson, isDefault: yesNo.yes, wfStatus })
  expect(await checked(flowStatus.enabled)).toMatchObject({ ok: true, isOff: false, gaps: [] })
  expect(await checked(flowStatus.disabled)).toMatchObject({
    ok: true,
    isOff: true,
    gaps: [{ role: '全部角色', class: '全部课程体系', level: '全部级别' }],
  })
  await world.teacher.client.send(lessonApi.save, world.form())
  await world.teacher.client.send(lessonApi.save, world.form())
  // one under approval has nothing to submit now
  await world.teacher.client.send(lessonApi.save, { ...world.form(), submit: '1' })
  expect((await impact()).waiting).toBe(2)
  // a flow for the module of these courses takes them over; the other modules stay open
  await makeFlow(world.school, [{ node: 'PUBLISH', checkers: [world.leader.suId] }], {
    isDefault: yesNo.no,
    lsIds: [curriculum['SXCL']!],
  })
  const after = await impact()
  expect(after.waiting).toBe(0)
  expect(after.gaps.map(({ class: node }) => node)).not.toContain('思想成长')
  expect(after.gaps.length).toBeGreaterThan(0)
  // what is not in use stops nothing
  await admin.send(workflowApi.switchStatus, { wfIds: [wfId], wfStatus: flowStatus.disabled })
  expect(await impact()).toEqual({ gaps: [], waiting: 0 })
})

test('a flow without steps is not found right; ranges alone may be asked about', async () => {
  const { school } = await lessonWorld()
  const asked = { wfType: flowType.lesson, levelIds: '1' }
  const { admin } = school
  expect(await admin.send(workflowApi.validate, { ...asked, steps: [] })).toMatchObject({ ok: false, noSteps: true })
  expect(await admin.send(workflowApi.validate, asked)).toMatchObject({ ok: true, noSteps: false })
})
