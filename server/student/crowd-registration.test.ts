import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { yesNo } from '../../contract/core/codes/platform.ts'
import { applyStatus, applyWay } from '../../contract/core/codes/programme.ts'
import { messageApi } from '../../contract/school/messages/messages.calls.ts'
import { ownActivityApi } from '../../contract/student/activities.calls.ts'
import { addDays } from '../core/base/clock.ts'
import { lessonWorld } from '../testing/lessons.ts'
import { signedIn } from '../testing/own-side.ts'
import { applying } from '../testing/participants.ts'

test('a crowd registers together, in the order in which it came, each with their own word and trail', async () => {
  const world = await lessonWorld()
  const { school } = world
  const { db } = school.ctx
  const students = await signedIn(world, 12)
  const [black] = students.slice(5)
  await db
    .updateTable('person')
    .set({ blackUntil: addDays(school.clock.now(), 30) })
    .where('schoolId', '=', school.schoolId)
    .where('suId', '=', black!.suId)
    .execute()
  const liId = await applying(world, {
    applyWay: applyWay.firstCome,
    quota: 3,
    waitlistOn: yesNo.yes,
    applyQuestions: '衣服尺码',
  })
  const answers = [{ question: '衣服尺码', answer: 'L' }]
  // the course is held while they come, one after another; the first of them waits at the database already
  const replies = await db.transaction().execute(async (tx) => {
    await sql`select from "lesson" where "schoolId" = ${school.schoolId} and "liId" = ${liId} for update`.execute(tx)
    const asked = []
    for (const [at, { client }] of students.entries()) {
      asked.push(client.ask(ownActivityApi.join, { liId, answers: at === 7 ? [] : answers }))
      if (at === 4) asked.push(client.ask(ownActivityApi.join, { liId, answers }))
      await new Promise((next) => setTimeout(next, at === 0 ? 300 : 60))
    }
    return asked
  })
  const words = await Promise.all(replies)
  // 12 students, of whom the fifth pressed twice
  expect(words.filter(({ code }) => code === 200)).toHaveLength(10)
  expect(words.filter(({ code }) => code !== 200).map(({ reason, errors }) => reason ?? errors?.[0]?.field)).toEqual(
    expect.arrayContaining(['already-registered', 'blacklisted']),
  )
  expect(words.find(({ errors }) => errors)?.errors).toEqual([{ field: 'answers', msg: '请回答“衣服尺码”' }])
  const rows = await db
    .selectFrom('registration')
    .select(['suId', 'laStatus', 'waitNo', 'auditBy', 'applyAnswers', sql<string>`xmin::text`.as('transaction')])
    .where('schoolId', '=', school.schoolId)
    .where('liId', '=', liId)
    .orderBy('laId')
    .execute()
  expect(rows.filter(({ laStatus }) => laStatus === applyStatus.accepted)).toHaveLength(3)
  expect(rows.slice(3).map(({ waitNo }) => waitNo)).toEqual([1, 2, 3, 4, 5, 6, 7])
  const came = students.filter((one, at) => one !== black && at !== 7).map(({ suId }) => suId)
  expect(rows.map(({ suId }) => suId).toSorted()).toEqual(came.toSorted())
  for (const row of rows) expect(row).toMatchObject({ auditBy: row.suId, applyAnswers: answers })
  // the first alone, and those who came meanwhile together
  expect(new Set(rows.map(({ transaction }) => transaction)).size).toBeLessThan(rows.length / 2)
  const trail = await db
    .selectFrom('auditLog')
    .select(['actorId', 'requestId'])
    .where('schoolId', '=', school.schoolId)
    .where('bizId', '=', liId)
    .where('action', '=', '报名')
    .orderBy('logId')
    .execute()
  expect(trail.map(({ actorId }) => actorId)).toEqual(rows.map(({ suId }) => suId))
  expect(new Set(trail.map(({ requestId }) => requestId)).size).toBe(came.length)
  // what they read on their own screen is not told to them once more
  expect((await students[2]!.client.send(messageApi.inbox, {})).total).toBe(0)
  const { applyCount, passCount } = await db
    .selectFrom('lesson')
    .select(['applyCount', 'passCount'])
    .where('schoolId', '=', school.schoolId)
    .where('liId', '=', liId)
    .executeTakeFirstOrThrow()
  expect([applyCount, passCount]).toEqual([10, 3])
})
