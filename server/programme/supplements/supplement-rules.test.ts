import { expect, test } from 'vitest'
import { approvalActionApi } from '../../../contract/programme/approvals/actions.calls.ts'
import { supplementType } from '../../../contract/core/codes/programme.ts'
import { personType } from '../../../contract/core/codes/school.ts'
import { supplementApi } from '../../../contract/programme/supplements/supplements.calls.ts'
import { supplementWorldOfTests, taskOf } from '../../testing/supplements.ts'

test('its student does not decide it, whatever role they have', async () => {
  const lookups = await supplementWorldOfTests(({ secretary, leader, auditor }) => [
    { node: 'SUPPLEMENT', checkers: [secretary.suId, leader.suId] },
    { node: 'SUPPLEMENT', checkers: [auditor.suId] },
  ])
  const { secretary, leader, school } = lookups
  await school.ctx.db
    .updateTable('person')
    .set({ suiType: personType.student })
    .where('schoolId', '=', school.schoolId)
    .where('suId', '=', secretary.suId)
    .execute()
  const [other] = await lookups.students(1)
  const preview = await school.admin.send(supplementApi.flowPreview, lookups.form(secretary.suId) as never)
  expect(preview.nodes[0]!.steps.map(({ people }) => people)).toEqual([[leader.suiName], [lookups.auditor.suiName]])
  const enter = async (suId: string) =>
    (await school.admin.send(supplementApi.save, { ...lookups.form(suId), submit: '1' })).lisId
  const [own, others] = [await enter(secretary.suId), await enter(other!.suId)]
  expect([await taskOf(secretary, own), await taskOf(secretary, others)]).toEqual([undefined, expect.anything()])
  const task = (await taskOf(leader, own))!
  expect(
    (await leader.client.ask(approvalActionApi.transfer, { taskId: task.taskId, toSuId: secretary.suId })).reason,
  ).toBe('person-concerned')
})
test('a competition without a rule gives the credit of the school’s table', async () => {
  const lookups = await supplementWorldOfTests()
  const { school } = lookups
  const [student] = await lookups.students(1)
  const credit = async (more: object) => {
    const { reckoning } = await school.admin.send(
      supplementApi.flowPreview,
      lookups.form(student!.suId, {
        lsId: school.curriculum['SXCL/主题教育']!,
        lisType: supplementType.competitionAward,
        lisHoursDeclared: '2',
        ...more,
      }) as never,
    )
    return reckoning.find(({ clType }) => clType === '学分')?.value
  }
  expect([
    await credit({ lisAward: '一等奖' }),
    await credit({ lisAward: '三等奖', lisLevel: '3' }),
    await credit({}),
    await credit({ lisType: supplementType.certificate }),
  ]).toEqual(['4', '1.5', '2', undefined])
})
