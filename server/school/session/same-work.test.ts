import { beforeEach, expect, test, vi } from 'vitest'
import { sessionApi } from '../../../contract/school/session/session.calls.ts'
import { systemClock } from '../../core/base/clock.ts'
import { openDatabaseClock } from '../../core/database/database-clock.ts'
import { useOwnDatabase } from '../../testing/database.ts'
import { recording } from '../../testing/recorded-statements.ts'
import { newSchool, testPassword, unique, type TestSchool } from '../../testing/school.ts'
import { finishAfterwards } from './afterwards.ts'

await useOwnDatabase()

let school: TestSchool
beforeEach(async () => void (school = await newSchool()))

/** The statements that are sent before an answer, without their values. */
async function before(work: () => Promise<unknown>): Promise<string[]> {
  await finishAfterwards()
  const statements = await recording(async () => void (await work()))
  await finishAfterwards()
  return statements.map(({ text }) => text)
}

const wrongPassword = (username: string) =>
  school.nobody.ask(sessionApi.token, {
    grant_type: 'password',
    schoolId: school.schoolId,
    username,
    password: 'Wrong-2026!',
  })
const asksForCode = (username: string) =>
  school.nobody.ask(sessionApi.retrievePwd, { schoolId: school.schoolId, username })
const wrongCode = (username: string) =>
  school.nobody.ask(sessionApi.retrievePwd, {
    schoolId: school.schoolId,
    username,
    code: 'AAAAAAAA',
    newPassword: 'Neues-Passw0rt-2',
  })

test.each([
  ['a wrong password', wrongPassword],
  ['asking for a code', asksForCode],
  ['a wrong code', wrongCode],
])('%s sends the database the same for known and unknown names', async (_, ask) => {
  const { suiNumber } = await school.person('GUIDE_TEACHER')
  // what a process prepares once is no part of it
  await before(() => ask(suiNumber))
  const known = await before(() => ask(suiNumber))
  expect(known.length).toBeGreaterThan(0)
  expect(await before(() => ask(`nobody${unique()}`))).toEqual(known)
})

test('a wrong code likewise for who has asked for one and who has not, and five wrong ones use it up', async () => {
  const [one, other] = [await school.person('GUIDE_TEACHER'), await school.person('GUIDE_TEACHER')]
  await asksForCode(one.suiNumber)
  await finishAfterwards()
  expect(await before(() => wrongCode(one.suiNumber))).toEqual(await before(() => wrongCode(other.suiNumber)))
  for (let i = 0; i < 5; i++) expect((await wrongCode(one.suiNumber)).reason).toBe('reset-code-wrong')
  const counters = await school.ctx.db
    .selectFrom('loginCounter')
    .select(['failures', 'lockedUntil'])
    .where('counterKey', 'like', 'reset:%')
    .where('lockedUntil', 'is not', null)
    .execute()
  expect(counters).toHaveLength(1)
})

test('sessions and locks that a process a day ahead makes live no longer than others', async () => {
  const { suiNumber, suId } = await school.person('GUIDE_TEACHER')
  const { db } = school.ctx
  const { clock } = school.services
  const right = systemClock.now()
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 86_400_000 })
  const machine = await openDatabaseClock(db, school.services.log)
  school.services.clock = machine
  try {
    expect(systemClock.now().slice(0, 10) > right.slice(0, 10), 'the machine is a day ahead').toBe(true)
    const reply = await school.nobody.ask(sessionApi.token, {
      grant_type: 'password',
      schoolId: school.schoolId,
      username: suiNumber,
      password: testPassword,
    })
    expect(reply.code).toBe(200)
    for (let i = 0; i < 6; i++) await wrongPassword(suiNumber)
  } finally {
    school.services.clock = clock
    machine.close()
    vi.useRealTimers()
  }
  const hours = (moment: string) =>
    (Date.parse(`${moment.replace(' ', 'T')}+08:00`) - Date.parse(`${right.replace(' ', 'T')}+08:00`)) / 3_600_000
  const sessions = await db.selectFrom('session').select('absoluteExpiry').where('suId', '=', suId).execute()
  const last = sessions.map(({ absoluteExpiry }) => hours(absoluteExpiry)).toSorted((a, b) => a - b)
  expect(last[0]).toBeGreaterThan(11.9)
  expect(last[0]).toBeLessThan(12.1)
  const counters = await db
    .selectFrom('loginCounter')
    .select('lockedUntil')
    .where('counterKey', 'like', `%${suiNumber.toLowerCase()}%`)
    .where('lockedUntil', 'is not', null)
    .execute()
  expect(counters).toHaveLength(1)
  expect(hours(counters[0]!.lockedUntil!)).toBeLessThan(0.3)
})
