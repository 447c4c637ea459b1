import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { approvalApi } from '../../contract/programme/approvals/approvals.calls.ts'
import { circleApi } from '../../contract/programme/circles/circles.calls.ts'
import type { Call } from '../../contract/core/call.ts'
import { applyStatus } from '../../contract/core/codes/programme.ts'
import { personType } from '../../contract/core/codes/school.ts'
import { messageApi } from '../../contract/school/messages/messages.calls.ts'
import { screens } from '../../contract/screens.ts'
import { ownActivityApi } from '../../contract/student/activities.calls.ts'
import { ownSupplementApi } from '../../contract/student/supplements.calls.ts'
import { grantsOf } from '../school/roles/grants.service.ts'
import { leapYearToCome } from '../testing/clock.ts'
import { testApp, type TestApp } from '../testing/app.ts'
import { signIn, type Client } from '../testing/client.ts'
import { unique } from '../testing/school.ts'
import { personas } from './demo-accounts.ts'
import { demoSize, makeDemoSchool } from './demo-school.ts'
import { demoPassword, demoAccounts } from './account-list.ts'

let app: TestApp
const schoolId = `d${unique()}`
const clients = new Map<string, Client>()
beforeAll(async () => {
  app = await testApp()
  app.clock.travelTo(`${leapYearToCome}-11-22 15:00:00`)
  await makeDemoSchool(app.ctx, schoolId, '演示大学', demoSize(300))
  for (const { username } of demoAccounts)
    clients.set(username, await signIn(app.address, schoolId, username, demoPassword))
}, 120_000)

/** Screens that may be empty, and why. */
const mayBeEmpty: Record<string, string> = {
  '/personalCenter/modifyPwd': 'a form',
  '/personalCenter/sendMessage': 'a form',
  // kept for guides: who guides no circle has none of their own
  '/personalCenter/community': 'tested below for the account that guides',
  '/integration/identity': 'a demo school has no other system',
  '/integration/keys': 'a demo school has no other system',
  '/integration/webhooks': 'a demo school has no other system',
  '/integration/deliveries': 'a demo school has no other system',
  '/integration/channels': 'a demo school has no mail server',
  '/integration/messages': 'a demo school has no mail server',
  '/personnelAdmin/dataSources': 'a demo school has no other system to fetch from',
  '/basicConfig/Transformation': 'a school converts nothing until it decides to',
  '/personalCenter/message': 'nobody writes to those who only look on',
}

/** How many rows, or figures other than nought, an answer holds. */
function contents(data: unknown): number {
  if (Array.isArray(data)) return data.length
  if (data === null || typeof data !== 'object')
    return Number(typeof data === 'string' ? Number(data) > 0 : Boolean(data))
  const { records } = data as { records?: unknown[] }
  return records ? records.length : Object.values(data).reduce<number>((sum, one) => sum + contents(one), 0)
}

async function permitsOf(name: string): Promise<Set<string>> {
  const { suId } = await app.ctx.db
    .selectFrom('account')
    .select('suId')
    .where('schoolId', '=', schoolId)
    .where('suLoginName', '=', name)
    .executeTakeFirstOrThrow()
  return new Set((await grantsOf(app.ctx, schoolId, suId)).flatMap(({ permits }) => permits))
}

test.each(demoAccounts.filter(({ page }) => page === 'console').map(({ username }) => username))(
  '%s finds something on every screen of the menu',
  async (name) => {
    const permits = await permitsOf(name)
    const { lsId } = await app.ctx.db
      .selectFrom('curriculum')
      .select('lsId')
      .where('schoolId', '=', schoolId)
      .where('lsPid', 'is', null)
      .executeTakeFirstOrThrow()
    const empty: string[] = []
    for (const screen of screens) {
      const needs: Call = screen.needs
      const excused = screen.path in mayBeEmpty || `${name} ${screen.path}` in mayBeEmpty
      if ('hidden' in screen || excused || (needs.permit.includes(':') && !permits.has(needs.permit))) continue
      const input =
        screen.path === '/basicConfig/CurriculumSystem'
          ? { lsId }
          : // who only looks on has nothing to decide, and sees what others hold
            screen.path.startsWith('/checkAdmin/') && name === 'auditor'
            ? { tab: 'all' }
            : {}
      const reply = await clients.get(name)!.ask(needs, input)
      if (reply.code !== 200 || contents(reply.data) === 0)
        empty.push(`${screen.path} ${reply.code} ${JSON.stringify(reply.errors ?? reply.msg)}`)
    }
    expect(empty).toEqual([])
  },
)

const queues = {
  publish: approvalApi.publishQueue,
  result: approvalApi.resultQueue,
  supplement: approvalApi.supQueue,
  question: approvalApi.questionQueue,
}

test.each([
  ['reviewer', ['publish', 'result', 'supplement', 'question']],
  ['college', ['publish', 'result', 'supplement', 'question']],
  ['counselor', ['publish', 'result', 'supplement', 'question']],
  ['admin', ['publish', 'result', 'supplement', 'question']],
  ['secretary', ['supplement']],
] as const)('%s has matters to decide, late ones and decided ones', async (name, kinds) => {
  let decided = 0
  for (const kind of kinds) {
    const total = async (tab: 'todo' | 'overdue' | 'done') =>
      (await clients.get(name)!.send(queues[kind], { tab })).total
    expect([kind, await total('todo')]).toEqual([kind, expect.toSatisfy((n: number) => n >= 5 && n <= 15)])
    expect([kind, await total('overdue')]).toEqual([kind, expect.toSatisfy((n: number) => n > 0)])
    decided += await total('done')
  }
  expect(decided).toBeGreaterThan(0)
})

test('a matter in each queue can be decided by whom it waits for', async () => {
  for (const [name, queue, pass] of [
    ['counselor', approvalApi.publishQueue, approvalApi.publishPass],
    ['admin', approvalApi.publishQueue, approvalApi.publishPass],
    ['counselor', approvalApi.supQueue, approvalApi.supPass],
    ['admin', approvalApi.supQueue, approvalApi.supPass],
    ['counselor', approvalApi.questionQueue, approvalApi.questionPass],
    ['reviewer', approvalApi.resultQueue, approvalApi.resultPass],
  ] as const) {
    const client = clients.get(name)!
    const [task] = (await client.send(queue, { tab: 'todo' })).records
    const reply = await client.ask(pass, { taskIds: [task!.taskId], opinion: '同意' })
    expect([name, reply.code, reply.data?.failed]).toEqual([name, 200, []])
  }
})

test('the guide of courses guides circles too', async () => {
  expect((await clients.get('teacher')!.send(circleApi.list, { mine: '1' })).total).toBeGreaterThan(0)
})

test('the student has an activity to come, waits for a place, has records, and something to mend', async () => {
  const student = clients.get('student')!
  const { records: mine } = await student.send(ownActivityApi.list, { mine: '1', pageSize: 100 })
  expect(mine.map(({ laStatus }) => laStatus)).toEqual(
    expect.arrayContaining([applyStatus.accepted, applyStatus.waitlisted]),
  )
  expect((await student.send(ownSupplementApi.list, {})).total).toBeGreaterThan(0)
  expect((await student.send(messageApi.inbox, {})).total).toBeGreaterThan(0)
})

test('demo people have the names that their accounts are known by', async () => {
  const rows = await app.ctx.db
    .selectFrom('account')
    .select(['suLoginName', 'suNickname'])
    .where('schoolId', '=', schoolId)
    .where('suLoginName', 'in', Object.keys(personas))
    .execute()
  expect(Object.fromEntries(rows.map(({ suLoginName, suNickname }) => [suLoginName, suNickname]))).toEqual(personas)
})

test('few classes have two students of one name, and classes are called as schools call them', async () => {
  const { rows } = await sql<{
    doubled: number
    classes: string[]
  }>`select (
      select count(*)::int
      from (
        select 1
        from "person"
        where "schoolId" = ${schoolId} and "suiType" = ${sql.lit(personType.student)}
        group by "scClassId", "suiName"
        having count(*) > 1
      ) d
    ) "doubled", array(select "scClassName" from "schoolClass" where "schoolId" = ${schoolId}) "classes"`.execute(
    app.ctx.db,
  )
  expect(rows[0]!.doubled).toBeLessThanOrEqual(2)
  for (const name of rows[0]!.classes) expect(name).toMatch(/^\p{Script=Han}{2,3}\d{4}班$/u)
})
