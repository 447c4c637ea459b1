import { expect, test } from 'vitest'
import { recordStatus } from '../../contract/core/codes/outcomes.ts'
import { partakeMode } from '../../contract/core/codes/programme.ts'
import { politicalStatus } from '../../contract/core/codes/school.ts'
import { studentApi } from '../../contract/school/people/students.calls.ts'
import { ownProfileApi } from '../../contract/student/profile.calls.ts'
import { ownRecordApi } from '../../contract/student/record.calls.ts'
import { creditWorld } from '../testing/credits.ts'
import { signedIn } from '../testing/own-side.ts'

test('a record that was corrected tells its student what it was, since when and why, and nobody’s name', async () => {
  const world = await creditWorld()
  const [me, other] = await signedIn(world, 2)
  const lisId = await world.supplement(me!)
  const untouched = await world.course(me!)
  const entries = async () => (await me!.client.send(ownRecordApi.entries, {})).records
  const corrected = async () => (await entries()).find((row) => row.lisId === lisId)!
  expect((await entries()).map(({ corrections }) => corrections)).toEqual([[], []])

  // the ledger's moments are seconds: what is taken back within that of its grant would have been worth nothing before
  world.school.clock.travel(60)
  await world.correctSupplement(lisId, { lisPartakeMode: partakeMode.teamMember })
  const once = await corrected()
  expect(once).toMatchObject({
    hours: '1.5',
    status: recordStatus.valid,
    corrections: [{ before: { hours: '3' }, after: { hours: '1.5' }, why: '更正：核对原件后更正' }],
  })
  expect(once.corrections[0]!.time).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
  world.school.clock.travel(60)
  await world.removeSupplement(lisId)
  const { status, corrections } = await corrected()
  expect(status).toBe(recordStatus.reversed)
  expect(corrections).toMatchObject([
    { before: { hours: '3' }, after: { hours: '1.5' } },
    { before: { hours: '1.5' }, after: { hours: '0', credit: '0', points: '0' }, why: '补录已删除：证书系伪造' },
  ])
  expect((await entries()).find((row) => row.liId === untouched)!.corrections).toEqual([])
  expect(JSON.stringify(await entries())).not.toContain(world.leader.suiName)
  expect((await other!.client.send(ownRecordApi.entries, {})).total).toBe(0)
})

test('the student reads what the school keeps about them, papers masked, and whom to tell when it is wrong', async () => {
  const world = await creditWorld()
  const { school } = world
  const [me] = await signedIn(world, 1)
  await school.ctx.db
    .updateTable('person')
    .set({ suiPolitical: politicalStatus.leagueMember, birth: '2007-03-09' })
    .where('schoolId', '=', school.schoolId)
    .where('suId', '=', me!.suId)
    .execute()
  const shown = await me!.client.send(ownProfileApi.read, {})
  const kept = await school.admin.send(studentApi.detail, { id: me!.suId })
  expect(shown).toMatchObject({
    suiName: me!.suiName,
    suiNumber: me!.suiNumber,
    suiPolitical: politicalStatus.leagueMember,
    suiCollegeName: kept.suiCollegeName,
    scClassName: kept.scClassName,
    counselorName: kept.counselorName ?? '',
  })
  expect(shown.birth).toContain('*')
  expect(JSON.stringify(shown)).not.toContain('2007-03-09')
  expect((await school.admin.ask(ownProfileApi.read, {})).status).toBe(403)
})
