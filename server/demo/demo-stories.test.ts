import { beforeAll, expect, test } from 'vitest'
import { warnLevel } from '../../contract/core/codes/outcomes.ts'
import { applyStatus } from '../../contract/core/codes/programme.ts'
import { teamStatus } from '../../contract/core/codes/teams.ts'
import { ownActivityApi } from '../../contract/student/activities.calls.ts'
import { ownCircleApi } from '../../contract/student/circles.calls.ts'
import { ownNoticeApi } from '../../contract/student/notices.calls.ts'
import { ownProfileApi } from '../../contract/student/profile.calls.ts'
import { ownRecordApi } from '../../contract/student/record.calls.ts'
import { ownSupplementApi } from '../../contract/student/supplements.calls.ts'
import { ownTeamApi } from '../../contract/student/teams.calls.ts'
import { testApp } from '../testing/app.ts'
import { signIn, type Client } from '../testing/client.ts'
import { leapYearToCome } from '../testing/clock.ts'
import { unique } from '../testing/school.ts'
import { demoPassword } from './account-list.ts'
import { demoSize, makeDemoSchool } from './demo-school.ts'

/** What the cards of the students' accounts say is what their pages show. */
const clients: Record<string, Client> = {}
const page = { current: 1, pageSize: 200 }

beforeAll(async () => {
  const app = await testApp()
  app.clock.travelTo(`${leapYearToCome}-11-22 15:00:00`)
  const schoolId = `d${unique()}`
  await makeDemoSchool(app.ctx, schoolId, '演示大学', demoSize(300))
  for (const username of ['student', 'senior', 'warned', 'captain', 'freshman'])
    clients[username] = await signIn(app.address, schoolId, username, demoPassword)
}, 120_000)

const mine = async (who: Client) => (await who.send(ownActivityApi.list, { ...page, mine: '1' })).records

test('the student waits for a place and has applied for a transcript', async () => {
  const who = clients['student']!
  expect((await mine(who)).map(({ laStatus }) => laStatus)).toContain(applyStatus.waitlisted)
  expect(await who.send(ownRecordApi.applications, {})).toMatchObject({ total: 1, isOffered: true })
})

test('the one whose hours are nearly full has a course in public notice that names them', async () => {
  const who = clients['senior']!
  const { summary } = await who.send(ownRecordApi.summary, {})
  const share = Number(summary.totalHours) / Number(summary.requiredHours)
  expect(share).toBeGreaterThanOrEqual(0.7)
  expect(share).toBeLessThan(1)
  const { suiNumber } = await who.send(ownProfileApi.read, {})
  const noticed = (await who.send(ownNoticeApi.lessons, page)).records
  const own = new Set((await mine(who)).map(({ liId }) => liId))
  const named = await Promise.all(
    noticed
      .filter(({ liId }) => own.has(liId))
      .map(async ({ liId }) => (await who.send(ownNoticeApi.people, { liId, suiNumber })).records),
  )
  expect(named.flat().filter(({ hours }) => Number(hours) > 0).length).toBeGreaterThan(0)
})

test('the warned one reads what they lack and what would help', async () => {
  const { warning, suggestions } = await clients['warned']!.send(ownRecordApi.prospect, {})
  expect([warnLevel.severe, warnLevel.moderate]).toContain(warning!.warnLevel)
  expect(Number(warning!.totalGap)).toBeGreaterThan(0)
  expect(suggestions.length).toBeGreaterThan(0)
})

test('the captain has a team that still forms', async () => {
  const who = clients['captain']!
  const open = (await who.send(ownActivityApi.list, { ...page, open: '1' })).records
  const details = await Promise.all(open.map(({ liId }) => who.send(ownActivityApi.detail, { liId })))
  const views = await Promise.all(
    details.filter(({ can }) => can.includes('team')).map(({ liId }) => who.send(ownTeamApi.view, { liId })),
  )
  const teams = views.flatMap(({ team }) => team ?? [])
  expect(teams).toMatchObject([{ teamStatus: teamStatus.forming }])
  expect(teams[0]!.members.find(({ isMe }) => isMe)!.isCaptain).toBe(true)
  expect(teams[0]!.can).toContain('confirm')
})

test('the freshman has nothing yet, and something to begin with', async () => {
  const who = clients['freshman']!
  expect(await mine(who)).toEqual([])
  expect((await who.send(ownRecordApi.entries, page)).total).toBe(0)
  expect((await who.send(ownSupplementApi.list, page)).total).toBe(0)
  expect((await who.send(ownCircleApi.list, { ...page, mine: '1' })).total).toBe(0)
  expect((await who.send(ownActivityApi.list, { ...page, open: '1' })).total).toBeGreaterThan(0)
})
