import ICAL from 'ical.js'
import { expect, test } from 'vitest'
import { applyWay } from '../../../contract/core/codes/programme.ts'
import { accountStatus } from '../../../contract/core/codes/school.ts'
import { lessonApi } from '../../../contract/programme/lessons/lessons.calls.ts'
import { calendarFeedApi } from '../../../contract/programme/personal/calendar-feeds.calls.ts'
import { auditApi } from '../../../contract/school/audit/audit.calls.ts'
import { ownActivityApi } from '../../../contract/student/activities.calls.ts'
import { ownCalendarApi } from '../../../contract/student/calendar.calls.ts'
import { addMinutes, epochOf } from '../../core/base/clock.ts'
import { clientHash } from '../../core/secrets/passwords.ts'
import { setPassword } from '../../school/people/accounts.service.ts'
import { signIn } from '../../testing/client.ts'
import { lessonWorld, untilNoon, type LessonWorld } from '../../testing/lessons.ts'
import { applying, move } from '../../testing/participants.ts'
import { testPassword } from '../../testing/school.ts'

/** The address of a feed as this test reaches it. */
const reached = ({ school }: LessonWorld, address: string) => school.address + new URL(address).pathname
const fetched = async (world: LessonWorld, address: string, headers: Record<string, string> = {}) =>
  fetch(reached(world, address), { headers })

/** What another library reads in a calendar: its events by name. */
async function eventsOf(world: LessonWorld, address: string) {
  const answer = await fetched(world, address)
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/calendar; charset=utf-8'])
  const text = await answer.text()
  const changes = text.split('\r\n').filter((line) => /^(DTSTAMP|LAST-MODIFIED)/.test(line))
  // RFC 5545, 3.8.7: when something was written is told in UTC
  for (const line of changes) expect(line).toMatch(/^[A-Z-]+:\d{8}T\d{6}Z$/)
  const calendar = new ICAL.Component(ICAL.parse(text) as never)
  for (const zone of calendar.getAllSubcomponents('vtimezone')) ICAL.TimezoneService.register(new ICAL.Timezone(zone))
  return new Map(
    calendar.getAllSubcomponents('vevent').map((part) => {
      const event = new ICAL.Event(part)
      const { uid, startDate, endDate, location, sequence } = event
      const at = (time: ICAL.Time) => time.toUnixTime() * 1000
      const status = part.getFirstPropertyValue('status')
      const changed = at(part.getFirstPropertyValue('last-modified') as ICAL.Time)
      const times = { startDate, start: at(startDate), end: at(endDate), changed }
      return [event.summary, { uid, location, sequence, status, ...times }]
    }),
  )
}

async function student(world: LessonWorld) {
  const [one] = await world.students(1)
  const { school } = world
  await setPassword(school.ctx, school.schoolId, one!.suId, clientHash(testPassword))
  return { ...one!, client: await signIn(school.address, school.schoolId, one!.suiNumber, testPassword) }
}

test('a calendar program reads the activities of a student at a secret address, as they are now', async () => {
  const world = await lessonWorld()
  const { school, teacher } = world
  const me = await student(world)
  const startTime = addMinutes(school.clock.now(), untilNoon(school.clock.now()) * 60)
  const times = { startTime, endTime: addMinutes(startTime, 90) }
  const way = { applyWay: applyWay.firstCome, ...times }
  const liId = await applying(world, { ...way, liName: '讲座, 第一; 场', placeText: '东区礼堂' })
  const second = await applying(world, {
    applyWay: applyWay.review,
    liName: '待定的活动',
    startTime: addMinutes(startTime, 300),
    endTime: addMinutes(startTime, 360),
  })
  for (const id of [liId, second]) await me.client.send(ownActivityApi.join, { liId: id })

  const day = startTime.slice(0, 10)
  const month = await me.client.send(ownCalendarApi.list, { beginDate: day, endDate: day })
  expect(month).toMatchObject([
    { liId, ...times, placeText: '东区礼堂', isCancelled: false, clash: null },
    { liId: second, clash: null },
  ])
  // staff move the other one onto it: nobody refuses that, and the calendar says so
  await school.ctx.db.updateTable('lessonSession').set(times).where('liId', '=', second).execute()
  const clashing = await me.client.send(ownCalendarApi.list, { beginDate: day, endDate: day })
  expect(new Map(clashing.map((one) => [one.liId, one.clash]))).toEqual(
    new Map([
      [liId, '待定的活动'],
      [second, '讲座, 第一; 场'],
    ]),
  )
  expect((await me.client.ask(ownCalendarApi.list, { beginDate: day, endDate: '2199-01-01' })).code).toBe(300)

  expect(await me.client.send(ownCalendarApi.feed, {})).toBeNull()
  const { address } = await me.client.send(ownCalendarApi.makeFeed, {})
  const [token] = /[\w-]{43}(?=\.ics$)/.exec(address)!
  const stored = await school.ctx.db.selectFrom('calendarFeed').selectAll().where('suId', '=', me.suId).execute()
  expect(JSON.stringify([stored, await school.admin.send(auditApi.list, {})])).not.toContain(token)
  const events = await eventsOf(world, address)
  expect(events.get('讲座, 第一; 场')).toMatchObject({
    start: epochOf(startTime),
    end: epochOf(times.endTime),
    location: '东区礼堂',
    status: 'CONFIRMED',
  })
  const sinceChange = epochOf(school.clock.now()) - events.get('讲座, 第一; 场')!.changed
  expect(sinceChange).toBeGreaterThanOrEqual(0)
  expect(sinceChange).toBeLessThan(3_600_000)
  expect(events.get('讲座, 第一; 场')!.startDate.zone.tzid).toBe('Asia/Shanghai')
  expect(events.get('待定的活动')).toMatchObject({ status: 'TENTATIVE' })
  expect((await me.client.send(ownCalendarApi.feed, {}))?.lastTime).toEqual(expect.any(String))

  const tag = (await fetched(world, address)).headers.get('etag')!
  expect((await fetched(world, address, { 'if-none-match': `"other", ${tag}` })).status).toBe(304)
  await me.client.send(ownActivityApi.cancel, { liId })
  const changed = await fetched(world, address, { 'if-none-match': tag })
  expect([changed.status, changed.headers.get('etag') === tag]).toEqual([200, false])
  const after = (await eventsOf(world, address)).get('讲座, 第一; 场')!
  expect(after).toMatchObject({ status: 'CANCELLED', uid: events.get('讲座, 第一; 场')!.uid })
  expect(after.sequence).toBeGreaterThan(events.get('讲座, 第一; 场')!.sequence)
  expect((await me.client.send(ownCalendarApi.list, { beginDate: day, endDate: day })).map((one) => one.liId)).toEqual([
    second,
  ])

  // another address ends the first; ended, neither is there
  const { address: next } = await me.client.send(ownCalendarApi.makeFeed, {})
  expect((await fetched(world, address)).status).toBe(404)
  expect((await eventsOf(world, next)).size).toBe(2)
  await me.client.send(ownCalendarApi.revokeFeed, {})
  expect((await fetched(world, next)).status).toBe(404)
  expect((await me.client.ask(ownCalendarApi.revokeFeed, {})).status).toBe(404)
  expect((await teacher.client.ask(ownCalendarApi.makeFeed, {})).status).toBe(403)
})

test('a calendar of a college shows what its maker may see now, and ends with account, right and school', async () => {
  const world = await lessonWorld()
  const { school, leader, scId } = world
  const liName = '学院的活动'
  const liId = await world.published({ liName })
  const elsewhere = await school.college()
  expect((await leader.client.send(calendarFeedApi.list, {})).colleges.map(({ id }) => id)).toEqual([scId])
  expect((await leader.client.ask(calendarFeedApi.make, { scId: elsewhere })).status).toBe(404)
  const { address } = await leader.client.send(calendarFeedApi.make, { scId })
  expect([...(await eventsOf(world, address)).keys()]).toEqual([liName])
  await world.teacher.client.send(lessonApi.unpublish, { liId, reason: '场地维修，改期举行' } as never)
  expect((await eventsOf(world, address)).get(liName)).toMatchObject({ status: 'CANCELLED' })
  const { address: other } = await school.admin.send(calendarFeedApi.make, { scId: elsewhere })
  expect((await eventsOf(world, other)).size).toBe(0)
  await move(world, liId, { liCollegeId: elsewhere })
  expect([(await eventsOf(world, address)).size, (await eventsOf(world, other)).size]).toEqual([0, 1])

  const statusOf = async () => (await fetched(world, address)).status
  const { db } = school.ctx
  const account = (suStatus: string) =>
    db.updateTable('account').set({ suStatus }).where('suId', '=', leader.suId).execute()
  await account(accountStatus.disabled)
  expect(await statusOf()).toBe(404)
  await account(accountStatus.active)
  expect(await statusOf()).toBe(200)
  const suspended = (suspendedTime: string | null) =>
    db.updateTable('school').set({ suspendedTime }).where('schoolId', '=', school.schoolId).execute()
  await suspended(school.clock.now())
  expect(await statusOf()).toBe(404)
  await suspended(null)
  await db.deleteFrom('roleUser').where('suId', '=', leader.suId).execute()
  expect(await statusOf()).toBe(404)
  const { feeds } = await school.admin.send(calendarFeedApi.list, {})
  expect(feeds).toMatchObject([{ scId: elsewhere, lastTime: expect.any(String) as string }])
  expect((await world.teacher.client.ask(calendarFeedApi.revoke, { feedId: feeds[0]!.feedId })).status).toBe(404)
  await school.admin.send(calendarFeedApi.revoke, { feedId: feeds[0]!.feedId })
  expect((await fetched(world, other)).status).toBe(404)
  expect((await fetch(`${school.address}/api/schoolbase/calendar/${'x'.repeat(43)}.ics`)).status).toBe(404)
})
