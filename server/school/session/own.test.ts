import { expect, test } from 'vitest'
import { maxPreferences, preferenceApi } from '../../../contract/school/session/preferences.calls.ts'
import { ownSessionApi } from '../../../contract/school/session/own-sessions.calls.ts'
import { sessionApi } from '../../../contract/school/session/session.calls.ts'
import { newId } from '../../core/base/ids.ts'
import { signIn } from '../../testing/client.ts'
import { newSchool } from '../../testing/school.ts'

test('a person keeps settings for themselves, changes and forgets them', async () => {
  const school = await newSchool()
  const { client } = await school.person('GUIDE_TEACHER')
  const pfKey = 'columns:/courseManagement/CurriculumList:list'
  await client.send(preferenceApi.save, { pfKey, pfValue: { hidden: ['liNo'] } })
  await client.send(preferenceApi.save, { pfKey: 'density:/home:list', pfValue: 'tight' })
  await client.send(preferenceApi.save, { pfKey, pfValue: ['liName'] })
  expect(await client.send(preferenceApi.list, {})).toEqual([
    { pfKey, pfValue: ['liName'] },
    { pfKey: 'density:/home:list', pfValue: 'tight' },
  ])
  expect(await school.admin.send(preferenceApi.list, {})).toEqual([])
  expect(await client.send(preferenceApi.save, { pfKey })).toEqual({ affected: 1 })
  expect(await client.send(preferenceApi.save, { pfKey })).toEqual({ affected: 0 })
  expect(await client.ask(preferenceApi.save, { pfKey: '<b>', pfValue: 1 })).toMatchObject({
    code: 300,
    errors: [{ field: 'pfKey' }],
  })
  expect(await client.ask(preferenceApi.save, { pfKey: 'x', pfValue: 'x'.repeat(4001) })).toMatchObject({
    code: 300,
    errors: [{ field: 'pfValue', msg: '设置内容过长' }],
  })
  for (const pfValue of ['a\u0000', { deep: ['\ud800'] }, { 'name\u0000': 1 }])
    expect(await client.ask(preferenceApi.save, { pfKey: 'x', pfValue })).toMatchObject({
      code: 300,
      errors: [{ field: 'pfValue', msg: '设置内容含有无法保存的字符' }],
    })
})

test('there is an end to their number', async () => {
  const { client, suId } = await (async () => {
    const school = await newSchool()
    return { ...(await school.person('GUIDE_TEACHER')), school }
  })()
  for (let from = 0; from < maxPreferences; from += 50)
    await Promise.all(
      Array.from({ length: 50 }, (_, at) => client.send(preferenceApi.save, { pfKey: `k${from + at}`, pfValue: suId })),
    )
  expect(await client.ask(preferenceApi.save, { pfKey: 'one-more', pfValue: 1 })).toMatchObject({
    code: 300,
    reason: 'too-many-preferences',
  })
  expect(await client.send(preferenceApi.save, { pfKey: 'k7', pfValue: 1 })).toEqual({ affected: 1 })
})

test('a person sees where they are signed in and ends the others, never their own or somebody else’s', async () => {
  const school = await newSchool()
  const { client, suiNumber } = await school.person('GUIDE_TEACHER')
  const other = await signIn(school.address, school.schoolId, suiNumber, 'Test-2026!x')
  const third = await signIn(school.address, school.schoolId, suiNumber, 'Test-2026!x')
  const sessions = await client.send(ownSessionApi.list, {})
  expect(sessions.map(({ isCurrent }) => isCurrent).toSorted()).toEqual([false, false, true])
  expect(JSON.stringify(sessions)).not.toContain(client.token)
  const current = sessions.find(({ isCurrent }) => isCurrent)!.sessionId
  const otherId = (await other.send(ownSessionApi.list, {})).find(({ isCurrent }) => isCurrent)!.sessionId
  expect(await client.ask(ownSessionApi.end, { sessionId: current })).toMatchObject({
    code: 300,
    reason: 'own-session',
  })
  expect(await school.admin.ask(ownSessionApi.end, { sessionId: otherId })).toMatchObject({ status: 404 })
  expect(await client.ask(ownSessionApi.end, { sessionId: newId() })).toMatchObject({ status: 404 })
  expect(await client.send(ownSessionApi.end, { sessionId: otherId })).toEqual({ affected: 1 })
  expect(await other.ask(sessionApi.menuTree)).toMatchObject({ status: 401 })
  expect(await third.ask(sessionApi.menuTree)).toMatchObject({ code: 200 })
  expect(await client.send(ownSessionApi.end, {})).toEqual({ affected: 1 })
  expect(await third.ask(sessionApi.menuTree)).toMatchObject({ status: 401 })
  expect(await client.send(ownSessionApi.end, {})).toEqual({ affected: 0 })
  expect(await client.send(ownSessionApi.list, {})).toHaveLength(1)
})
