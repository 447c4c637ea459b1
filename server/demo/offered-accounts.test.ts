import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { accountStatus } from '../../contract/core/codes/school.ts'
import { demoApi } from '../../contract/school/session/demo.calls.ts'
import { sessionApi } from '../../contract/school/session/session.calls.ts'
import { buildApp } from '../app.ts'
import { parseConfig } from '../core/base/config.ts'
import { leapYearToCome } from '../testing/clock.ts'
import { testApp } from '../testing/app.ts'
import { Client, signIn } from '../testing/client.ts'
import { useOwnDatabase } from '../testing/database.ts'
import { atFileEnd } from '../testing/file-end.ts'
import { demoPassword, demoAccounts } from './account-list.ts'
import { demoSize, makeDemoSchool } from './demo-school.ts'

await useOwnDatabase()
const { ctx, services, address, clock } = await testApp()
const nobody = new Client(address, undefined)

/** What a service in production answers that stands on the same database. */
async function inProduction(): Promise<string> {
  const production = parseConfig({ NODE_ENV: 'production', DATA_DIR: services.config.dataDir })
  const app = await buildApp({ ...services, config: production })
  atFileEnd(() => app.close())
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  const response = await fetch(`http://127.0.0.1:${port}/api/schoolbase/demo/accounts`)
  expect(response.status).toBe(200)
  return response.text()
}

test('where there is no demo school, no account is offered', async () => {
  expect(await nobody.send(demoApi.accounts, {})).toEqual([])
})

test('a demo offers its accounts, and each signs in and has the role it is offered with', async () => {
  clock.travelTo(`${leapYearToCome}-11-22 15:00:00`)
  await makeDemoSchool(ctx, 'demo', '演示大学', demoSize(300))
  const offered = await nobody.send(demoApi.accounts, {})
  expect(offered).toEqual(demoAccounts.map((account) => ({ ...account, schoolId: 'demo', password: demoPassword })))
  expect(offered).toHaveLength(13)
  for (const { schoolId, username, password, role, page } of offered) {
    const client = await signIn(address, schoolId, username, password)
    const { roles, mustChangePwd } = await client.send(sessionApi.landLoad, {})
    expect({ username, roles: roles.map(({ srName }) => srName), mustChangePwd }).toEqual({
      username,
      // a student holds no office
      roles: page === 'phone' ? [] : [role],
      mustChangePwd: false,
    })
  }
}, 120_000)

test('in production nothing is offered, though the database holds a demo school', async () => {
  const answer = await inProduction()
  expect(JSON.parse(answer)).toMatchObject({ code: 200, data: [] })
  expect(answer).not.toContain(demoPassword)
})

test('an account that has been closed is no longer offered', async () => {
  await ctx.db
    .updateTable('account')
    .set({ suStatus: accountStatus.disabled })
    .where('schoolId', '=', 'demo')
    .where('suLoginName', '=', 'viewer')
    .execute()
  const offered = await nobody.send(demoApi.accounts, {})
  expect(offered.map(({ username }) => username)).toEqual(
    demoAccounts.flatMap(({ username }) => (username === 'viewer' ? [] : [username])),
  )
})
