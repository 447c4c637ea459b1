import { expect, test } from 'vitest'
import { personType, studentStatus } from '../../../contract/core/codes/school.ts'
import { studentApi } from '../../../contract/school/people/students.calls.ts'
import type { Client } from '../../testing/client.ts'
import { world } from '../../testing/two-colleges.ts'

test('who graduates whom, and who gives a graduate their roles back, is not outranked by them', async () => {
  const { school, own, collegeAdmin } = await world()
  const student = await school.person('SCHOOL_ADMIN', [], { suiType: personType.student })
  await school.ctx.db.updateTable('person').set(own).where('suId', '=', student.suId).execute()
  const { suId, suiNumber, suiName } = student
  const say = async (client: Client, suiStatus: '1' | '4') => {
    const { version } = await school.admin.send(studentApi.detail, { id: suId })
    return client.ask(studentApi.save, { suId, version, suiNumber, suiName, ...own, suiStatus })
  }
  const stands = async () => (await school.admin.send(studentApi.detail, { id: suId })).suiStatus
  const { enrolled, graduated } = studentStatus
  expect(await say(collegeAdmin.client, graduated)).toMatchObject({ reason: 'outranks-you' })
  expect(await say(student.client, graduated)).toMatchObject({ reason: 'own-graduation' })
  expect(await stands()).toBe(enrolled)
  expect(await say(school.admin, graduated)).toMatchObject({ code: 200 })
  expect(await say(collegeAdmin.client, enrolled)).toMatchObject({ reason: 'outranks-you' })
  expect(await stands()).toBe(graduated)
  expect(await say(school.admin, enrolled)).toMatchObject({ code: 200 })

  const [plain] = await school.students(1, own)
  const { version } = await collegeAdmin.client.send(studentApi.detail, { id: plain!.suId })
  expect(
    await collegeAdmin.client.ask(studentApi.save, { ...plain!, version, ...own, suiStatus: graduated }),
  ).toMatchObject({ code: 200 })
})
