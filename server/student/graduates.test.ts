import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { applyStatus, applyUnit, applyWay } from '../../contract/core/codes/programme.ts'
import { yesNo } from '../../contract/core/codes/platform.ts'
import { studentStatus } from '../../contract/core/codes/school.ts'
import { circleApi } from '../../contract/programme/circles/circles.calls.ts'
import { sessionApi } from '../../contract/school/session/session.calls.ts'
import { ownActivityApi } from '../../contract/student/activities.calls.ts'
import { ownCalendarApi } from '../../contract/student/calendar.calls.ts'
import { ownCircleApi } from '../../contract/student/circles.calls.ts'
import { ownContactApi } from '../../contract/student/contact.calls.ts'
import { ownTeamApi } from '../../contract/student/teams.calls.ts'
import { addMinutes } from '../core/base/clock.ts'
import { actorLifetime } from '../core/request/actor-cache.ts'
import { lessonWorld } from '../testing/lessons.ts'
import { signedIn } from '../testing/own-side.ts'
import { applying } from '../testing/participants.ts'

test('what is a graduate’s own says that nothing can be done about it, and so does their profile', async () => {
  const world = await lessonWorld()
  const { school } = world
  const [me, other] = await signedIn(world, 2)
  const { client, suId } = me!
  await school.rules({ contactSelf: yesNo.yes, clubFounders: 1, clubTeachers: 0, clubUnitNeeded: yesNo.no })
  await school.rules({ clubCharterNeeded: yesNo.no })
  const { ccId } = (await school.admin.send(circleApi.classes, {}))[0]!
  await school.admin.send(circleApi.add, { ciName: '摄影社', ciClass: ccId, cpiPersonId: other!.suId } as never)
  const joined = await applying(world, { applyWay: applyWay.firstCome })
  // at another time than that one
  const startTime = addMinutes(school.clock.now(), 72 * 60)
  const times = { startTime, endTime: addMinutes(startTime, 120) }
  const open = await applying(world, { applyWay: applyWay.firstCome, ...times })
  const forTeams = await applying(world, {
    applyUnit: applyUnit.team,
    teamMin: 2,
    teamMax: 3,
    applyWay: applyWay.firstCome,
  })
  await client.send(ownActivityApi.join, { liId: joined })
  const look = async () => ({
    isGraduate: (await client.send(sessionApi.landLoad, {})).isGraduate,
    joined: (await client.send(ownActivityApi.detail, { liId: joined })).can,
    open: (await client.send(ownActivityApi.detail, { liId: open })).can,
    forTeams: (await client.send(ownActivityApi.detail, { liId: forTeams })).can,
    contact: (await client.send(ownContactApi.read, {})).can,
    circle: (await client.send(ownCircleApi.list, { current: 1, pageSize: 10 })).records[0]!.can,
  })
  expect(await look()).toEqual({
    isGraduate: false,
    joined: ['cancel', 'leave', 'sign'],
    open: ['join'],
    forTeams: ['team'],
    contact: ['edit'],
    circle: ['join'],
  })
  await school.ctx.db
    .updateTable('person')
    .set({ suiStatus: studentStatus.graduated })
    .where('suId', '=', suId)
    .execute()
  await sleep(actorLifetime)
  expect(await look()).toEqual({ isGraduate: true, joined: [], open: [], forTeams: [], contact: [], circle: [] })
  const verdict = expect.stringMatching(/^已毕业，账号只读/) as string
  expect(await client.send(ownActivityApi.detail, { liId: open })).toMatchObject({ verdict, laStatus: null })
  expect(await client.send(ownActivityApi.detail, { liId: joined })).toMatchObject({
    verdict: '',
    laStatus: applyStatus.accepted,
  })
  expect(await client.send(ownTeamApi.view, { liId: forTeams })).toMatchObject({ verdict, team: null })
  // whoever stops an address that has become known can have another
  expect((await client.send(ownCalendarApi.makeFeed, {})).address).toContain('/')
  expect(await client.ask(ownCalendarApi.revokeFeed, {})).toMatchObject({ code: 200 })
})
