import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { accountStatus } from '../../../contract/core/codes/school.ts'
import { sessionApi } from '../../../contract/school/session/session.calls.ts'
import { schoolApi } from '../../../contract/school/school/school.calls.ts'
import { addDays, addSeconds } from '../../core/base/clock.ts'
import { clientHash } from '../../core/secrets/passwords.ts'
import { jobHandlers } from '../../setup/job-handlers.ts'
import { testApp, type TestApp } from '../../testing/app.ts'
import { Client, signIn } from '../../testing/client.ts'
import { asOwner, useOwnDatabase } from '../../testing/database.ts'
import { newSchool, unique, type TestSchool } from '../../testing/school.ts'
import { finishAfterwards } from './afterwards.ts'
import { keptCodes } from './delivery.ts'
import { whileLocked } from '../../testing/while-locked.ts'

await useOwnDatabase()

const good = 'Test-2026!x'
let app: TestApp
let school: TestSchool
beforeAll(async () => {
  app = await testApp()
  school = await newSchool()
})

/** The codes of a person that wait to be passed on. */
const keptFor = async ({ suId }: { suId: string }) =>
  (await keptCodes(app.services, app.clock.now())).codes.filter((message) => message.suId === suId)
/** A new person of the school with an account and the test password. */
const someone = () => school.person('GUIDE_TEACHER')
const token = (body: object) =>
  school.nobody.ask(sessionApi.token, { grant_type: 'password', schoolId: school.schoolId, ...body })

describe('the token call', () => {
  test('answers the fields of RFC 6749 at the top level and again in data', async () => {
    const reply = (await token({ username: 'admin', password: good })) as unknown as Record<string, unknown> & {
      data: Record<string, unknown>
    }
    expect(reply).toMatchObject({ status: 200, code: 200, token_type: 'bearer' })
    expect(reply['access_token']).toBe(reply.data['access_token'])
    expect(reply['expires_in']).toBeGreaterThan(0)
  })
  test('takes the parameters from the query, a form body or JSON, and the hash in either case', async () => {
    const hash = createHash('sha256').update(good).digest('hex')
    const query = new URLSearchParams({
      schoolId: school.schoolId,
      username: 'admin',
      password: hash.toUpperCase(),
      grant_type: 'password',
    })
    const byQuery = await fetch(`${app.address}/api/auth2/oauth/token?${query.toString()}`, { method: 'POST' })
    const byForm = await fetch(`${app.address}/api/auth2/oauth/token`, { method: 'POST', body: query })
    expect(byQuery.status).toBe(200)
    expect(byForm.status).toBe(200)
  })
  test('refuses the same field told twice and differently', async () => {
    const reply = await fetch(`${app.address}/api/auth2/oauth/token?username=a`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"username":"b","grant_type":"password"}',
    })
    expect(reply.status).toBe(400)
  })
  test('an installation may refuse what gets somebody in where it stands in the address', async () => {
    const { suiNumber: username } = await someone()
    const { config } = school.services
    config.allowQueryCredentials = false
    try {
      const query = new URLSearchParams({
        schoolId: school.schoolId,
        username,
        password: clientHash(good),
        grant_type: 'password',
      })
      const reply = await fetch(`${app.address}/api/auth2/oauth/token?${query.toString()}`, { method: 'POST' })
      expect(await reply.json()).toMatchObject({ code: 300, errors: [{ field: 'password' }] })
      expect(await token({ username, password: good })).toMatchObject({ status: 200 })
    } finally {
      config.allowQueryCredentials = true
    }
  })

  test('a plain caller is refused as OAuth refuses, the console with a sentence to show', async () => {
    const query = new URLSearchParams({
      schoolId: school.schoolId,
      username: `nobody${unique()}`,
      password: createHash('sha256').update(good).digest('hex'),
      grant_type: 'password',
    })
    const ask = (headers: Record<string, string>) =>
      fetch(`${app.address}/api/auth2/oauth/token?${query.toString()}`, { method: 'POST', headers })
    const plain = await ask({})
    const sentence = '账号或密码错误，或账号已临时锁定，请稍后再试'
    expect([plain.status, await plain.json()]).toEqual([
      400,
      expect.objectContaining({ error: 'invalid_grant', status: 300, code: 300, msg: sentence }),
    ])
    const strict = await ask({ prefer: 'handling=strict' })
    const told = (await strict.json()) as object
    expect([strict.status, told]).toEqual([200, expect.objectContaining({ code: 300, msg: sentence })])
    expect(told).not.toHaveProperty('error')
  })
  test('unknown name, wrong password, disabled account and other school are told apart by nothing', async () => {
    const disabled = await someone()
    await app.ctx.db
      .updateTable('account')
      .set({ suStatus: accountStatus.disabled })
      .where('suId', '=', disabled.suId)
      .execute()
    const other = await newSchool()
    const replies = await Promise.all([
      token({ username: `nobody${unique()}`, password: good }),
      token({ username: (await someone()).suiNumber, password: 'Wrong-2026!' }),
      token({ username: disabled.suiNumber, password: good }),
      token({ schoolId: other.schoolId, username: (await someone()).suiNumber, password: good }),
    ])
    const shown = replies.map(({ status, code, msg, data }) => ({ status, code, msg, data }))
    expect(new Set(shown.map((one) => JSON.stringify(one))).size).toBe(1)
    expect(shown[0]).toMatchObject({ code: 300, data: null })
  })
  test('a code of somebody who has no second factor is refused, an empty one is none', async () => {
    const { suiNumber } = await someone()
    expect(await token({ username: suiNumber, password: good, totp: '123456' })).toMatchObject({
      code: 300,
      reason: 'totp-without-factor',
    })
    expect((await token({ username: suiNumber, password: good, totp: ' ' })).code).toBe(200)
  })
  test('name variants of width and case are one account', async () => {
    const person = await school.person('GUIDE_TEACHER', [], { suiNumber: `Abc${unique()}` })
    expect((await token({ username: ` ${person.suiNumber.toUpperCase()} `, password: good })).code).toBe(200)
  })
})

describe('locking', () => {
  test('after five wrong tries the right password is refused too, and works again after the rest', async () => {
    const { suiNumber } = await someone()
    for (let i = 0; i < 5; i++)
      expect((await token({ username: suiNumber, password: 'Wrong-2026!' })).code).not.toBe(200)
    expect((await token({ username: suiNumber, password: good })).code).toBe(300)
    app.clock.travel(16 * 60)
    expect((await token({ username: suiNumber, password: good })).code).toBe(200)
  })
  test('of 60 parallel wrong tries at most five are looked at', async () => {
    const { suiNumber, suId } = await someone()
    await Promise.all(Array.from({ length: 60 }, () => token({ username: suiNumber, password: 'Wrong-2026!' })))
    const refused = await app.ctx.db
      .selectFrom('auditLog')
      .select('logId')
      .where('actorId', '=', suId)
      .where('action', '=', '登录')
      .where('result', '=', 'refused')
      .execute()
    expect(refused.length).toBeLessThanOrEqual(5)
    app.clock.travel(3600)
  })
  test('a lock of one account leaves others behind the same address alone', async () => {
    const [a, b] = [await someone(), await someone()]
    for (let i = 0; i < 6; i++) await token({ username: a.suiNumber, password: 'Wrong-2026!' })
    expect((await token({ username: b.suiNumber, password: good })).code).toBe(200)
    app.clock.travel(3600)
  })
})

describe('tokens', () => {
  test('no token, a made-up one, a row of the table and a token in the query are all refused with 401/40101', async () => {
    const row = await app.ctx.db.selectFrom('session').select('accessHash').executeTakeFirstOrThrow()
    for (const bad of [undefined, 'x'.repeat(43), row.accessHash.toString('base64url')]) {
      expect(await new Client(app.address, bad).ask(sessionApi.menuTree)).toMatchObject({ status: 401, code: 40101 })
    }
    expect(
      (await fetch(`${app.address}/api/schoolbase/UserLoad/MenuTree?access_token=${school.admin.token}`)).status,
    ).toBe(401)
  })
  test('logout ends the token at once', async () => {
    const { suiNumber } = await someone()
    const client = await signIn(app.address, school.schoolId, suiNumber, good)
    await client.send(sessionApi.menuTree, {})
    await client.send(sessionApi.logout, {})
    expect((await client.ask(sessionApi.menuTree)).code).toBe(40101)
  })
  test('half an hour without use ends a session, use keeps it alive, twelve hours end it in any case', async () => {
    const { suiNumber } = await someone()
    const idle = await signIn(app.address, school.schoolId, suiNumber, good)
    const busy = await signIn(app.address, school.schoolId, suiNumber, good)
    for (let i = 0; i < 2; i++) {
      app.clock.travel(20 * 60)
      await busy.send(sessionApi.menuTree, {})
    }
    expect((await idle.ask(sessionApi.menuTree)).code).toBe(40101)
    for (let i = 0; i < 35; i++) {
      app.clock.travel(20 * 60)
      await busy.ask(sessionApi.menuTree)
    }
    expect((await busy.ask(sessionApi.menuTree)).code).toBe(40101)
  })
  test('a sixth session ends the oldest', async () => {
    const { suiNumber } = await someone()
    const clients: Client[] = []
    for (let i = 0; i < 6; i++) {
      clients.push(await signIn(app.address, school.schoolId, suiNumber, good))
      app.clock.travel(1)
    }
    expect((await clients[0]!.ask(sessionApi.menuTree)).code).toBe(40101)
    expect((await clients[5]!.ask(sessionApi.menuTree)).code).toBe(200)
  })
  test('a refresh token works once; used again later it ends the session', async () => {
    const { suiNumber } = await someone()
    const first = (await token({ username: suiNumber, password: good })).data
    const refresh = (refresh_token: string) =>
      school.nobody.ask(sessionApi.token, { grant_type: 'refresh_token', refresh_token })
    const second = (await refresh(first.refresh_token)).data
    expect(second.access_token).toBeTruthy()
    expect((await new Client(app.address, first.access_token).ask(sessionApi.menuTree)).code).toBe(40101)
    app.clock.travel(30)
    expect((await refresh(first.refresh_token)).code).toBe(40101)
    expect((await new Client(app.address, second.access_token).ask(sessionApi.menuTree)).code).toBe(40101)
  })
})

describe('passwords', () => {
  test('the first password must be changed before anything else works', async () => {
    const person = await someone()
    await app.ctx.db.updateTable('account').set({ mustChangePwd: true }).where('suId', '=', person.suId).execute()
    const client = await signIn(app.address, school.schoolId, person.suiNumber, good)
    expect((await client.ask(schoolApi.isGydx)).reason).toBe('change-password-first')
    await client.send(sessionApi.editPassword, { oldPassword: good, newPassword: 'Neues-Passw0rt-1' })
    expect((await client.ask(schoolApi.isGydx)).code).toBe(200)
  })
  const weak: [string, string, string][] = [
    ['too short', 'Ab1!', 'password-too-weak'],
    ['two classes only', 'abcdefgh1', 'password-too-weak'],
    ['too long', `${'Ab1!'.repeat(32)}x`, 'password-too-weak'],
    ['common', 'Passw0rd!', 'password-guessable'],
    ['a hash instead of the password', 'a'.repeat(64), 'password-hash-refused'],
  ]
  test.each(weak)('%s is refused', async (_, newPassword, reason) => {
    const { client } = await someone()
    expect((await client.ask(sessionApi.editPassword, { oldPassword: good, newPassword })).reason).toBe(reason)
  })
  test('the longest password that the rule allows is taken, and signs in', async () => {
    const { client, suiNumber } = await someone()
    const longest = '😀'.repeat(124) + 'Ab1!'
    await client.send(sessionApi.editPassword, { oldPassword: good, newPassword: longest })
    expect((await token({ username: suiNumber, password: longest })).code).toBe(200)
  })
  test('the rule is that of the installation, told to who is signed in and to who asks for a code', async () => {
    const { config } = app.services
    const { client, suiNumber } = await someone()
    const edit = (newPassword: string) => client.ask(sessionApi.editPassword, { oldPassword: good, newPassword })
    const profiles = async () => [
      (await client.send(sessionApi.landLoad, {})).passwordProfile,
      (await school.nobody.send(sessionApi.retrievePwd, { schoolId: school.schoolId, username: unique() }))
        .passwordProfile,
    ]
    expect(await profiles()).toEqual(['dengbao', 'dengbao'])
    expect((await edit('one long phrase')).msg).toBe('密码须 8–128 位，至少含大写字母、小写字母、数字、符号中的三类')
    config.passwordProfile = 'asvs'
    try {
      expect(await profiles()).toEqual(['asvs', 'asvs'])
      expect((await edit('phrase')).msg).toBe('密码须 8–128 位')
      expect((await edit('one long phrase')).code).toBe(200)
    } finally {
      config.passwordProfile = 'dengbao'
    }
    expect((await token({ username: suiNumber, password: 'one long phrase' })).code).toBe(200)
  })
  test('the old password is asked for, the number of the person is no password, old ones do not return, other sessions end', async () => {
    const person = await someone()
    const elsewhere = await signIn(app.address, school.schoolId, person.suiNumber, good)
    const edit = (oldPassword: string, newPassword: string) =>
      person.client.ask(sessionApi.editPassword, { oldPassword, newPassword })
    expect((await edit('Wrong-2026!', 'Neues-Passw0rt-1')).reason).toBe('old-password-wrong')
    expect((await edit(good, `${person.suiNumber}Ab!`)).reason).toBe('password-guessable')
    expect((await edit(good, 'Neues-Passw0rt-1')).code).toBe(200)
    expect((await edit('Neues-Passw0rt-1', good)).reason).toBe('password-used-before')
    expect((await elsewhere.ask(sessionApi.menuTree)).code).toBe(40101)
    expect((await token({ username: person.suiNumber, password: good })).code).toBe(300)
  })
  test('recovery: same answer for everybody, the code works once and never comes over the wire', async () => {
    const person = await someone()
    const ask = (username: string) => school.nobody.ask(sessionApi.retrievePwd, { schoolId: school.schoolId, username })
    const [known, unknown] = [await ask(person.suiNumber), await ask(`nobody${unique()}`)]
    expect(known.data).toEqual(unknown.data)
    const sent = async () => (await keptFor(person))[0]
    await expect.poll(sent).toBeTruthy()
    const { code } = (await sent())!
    expect(JSON.stringify(known)).not.toContain(code)
    const use = (tried: string) =>
      school.nobody.ask(sessionApi.retrievePwd, {
        schoolId: school.schoolId,
        username: person.suiNumber,
        code: tried,
        newPassword: 'Neues-Passw0rt-2',
      })
    expect((await use('AAAAAAAA')).reason).toBe('reset-code-wrong')
    expect((await use(code)).code).toBe(200)
    expect((await use(code)).reason).toBe('reset-code-wrong')
    expect((await person.client.ask(sessionApi.menuTree)).code).toBe(40101)
    expect((await token({ username: person.suiNumber, password: 'Neues-Passw0rt-2' })).code).toBe(200)
  })
})

test('what sign-in leaves behind is removed in its time: codes, ended sessions, requests and counters', async () => {
  const { db } = app.ctx
  const person = await someone()
  const invented = `nobody${unique()}`
  await token({ username: invented, password: 'Wrong-2026!' })
  await school.nobody.ask(sessionApi.retrievePwd, { schoolId: school.schoolId, username: person.suiNumber })
  const codes = () =>
    db
      .selectFrom('resetRequest')
      .select('sealedMessage')
      .where('suId', '=', person.suId)
      .where('sealedMessage', 'is not', null)
      .execute()
  await expect.poll(codes).toHaveLength(1)
  const [{ code } = { code: '' }] = await keptFor(person)
  expect((await codes())[0]!.sealedMessage!.includes(code)).toBe(false)
  const counters = () =>
    db.selectFrom('loginCounter').select('counterKey').where('counterKey', 'like', `%${invented}%`).execute()
  const requests = () => db.selectFrom('resetRequest').select('rqId').where('suId', '=', person.suId).execute()
  const sessions = () => db.selectFrom('session').select('sessionId').where('suId', '=', person.suId).execute()
  const left = async () => [
    (await codes()).length,
    (await sessions()).length,
    (await requests()).length,
    (await counters()).length,
  ]
  const later = (seconds: number) =>
    jobHandlers({ ...app.services, clock: { now: () => addSeconds(app.clock.now(), seconds) } })['session:tidy']!.run(
      {} as never,
    )
  await later(540)
  expect(await left()).toEqual([1, 1, 1, 2])
  await later(660)
  expect(await left()).toEqual([0, 1, 1, 2])
  const now = app.clock.now()
  await db
    .updateTable('session')
    .set({ absoluteExpiry: addSeconds(now, -60) })
    .where('suId', '=', person.suId)
    .execute()
  await db
    .updateTable('resetRequest')
    .set({ expireTime: addDays(now, -2) })
    .where('suId', '=', person.suId)
    .execute()
  await db
    .updateTable('loginCounter')
    .set({ windowStart: addDays(now, -2) })
    .where('counterKey', 'like', `%${invented}%`)
    .execute()
  await later(0)
  expect(await left()).toEqual([0, 0, 0, 0])
})

test('login tells who holds the token and what they may do', async () => {
  const { client, suiName } = await someone()
  const profile = await client.send(sessionApi.login, {})
  expect(profile).toMatchObject({ suNickname: suiName, schoolId: school.schoolId, mustChangePwd: false })
  expect(profile.permissions).toContain('lesson:edit')
  expect(profile.permissions).not.toContain('role:edit')
})

test('the sign-in before the present one is told, which is not one’s own', async () => {
  const { client, suiNumber } = await someone()
  const first = await client.send(sessionApi.login, {})
  expect(first.previousLoginTime).toBeNull()
  app.clock.travel(3600)
  const again = await signIn(app.address, school.schoolId, suiNumber, good)
  const { lastLoginTime, previousLoginTime } = await again.send(sessionApi.login, {})
  expect(previousLoginTime).toBe(first.lastLoginTime)
  expect(lastLoginTime! > previousLoginTime!).toBe(true)
})

test('a sign-in that the service could not finish is no wrong try', async () => {
  const { suiNumber: username } = await someone()
  // what earlier sign-ins leave to be done would wait for the lock as well, and be taken for this one
  await finishAfterwards()
  const counted = async () =>
    (
      await school.ctx.db
        .selectFrom('loginCounter')
        .select('failures')
        .where('counterKey', 'like', `login:${school.schoolId}:${username.toLowerCase()}%`)
        .execute()
    ).map(({ failures }) => failures)
  await asOwner((db) =>
    whileLocked(
      db,
      (held) => sql`lock table "account" in access exclusive mode`.execute(held),
      async (untilWaiting) => {
        const asked = token({ username, password: good })
        await untilWaiting(1)
        expect(await counted()).toEqual([1, 1])
        await sql`
          select pg_terminate_backend("pid") from pg_stat_activity
          where "datname" = current_database() and cardinality(pg_blocking_pids("pid")) > 0`.execute(db)
        expect(await asked).toMatchObject({ status: 503, reason: 'unavailable' })
      },
    ),
  )
  await finishAfterwards()
  expect(await counted()).toEqual([0, 0])
  expect(await token({ username, password: good })).toMatchObject({ status: 200 })
})

test('the profile brings the dictionaries along where the browser has none, or others', async () => {
  const { client } = await someone()
  const { dictVersion, dictionaries: unasked } = await client.send(sessionApi.landLoad, {})
  expect(unasked).toBeUndefined()
  const { types } = await school.nobody.send(schoolApi.allDict, { schoolId: school.schoolId })
  for (const dictOf of ['-', `${school.schoolId}:0`, `another:${dictVersion}`])
    expect((await client.send(sessionApi.landLoad, { dictOf })).dictionaries).toEqual(types)
  const same = { dictOf: `${school.schoolId}:${dictVersion}` }
  expect((await client.send(sessionApi.landLoad, same)).dictionaries).toBeUndefined()
})
