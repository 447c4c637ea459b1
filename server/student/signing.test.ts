import { expect, test } from 'vitest'
import { applyWay, signType } from '../../contract/core/codes/programme.ts'
import { signingApi } from '../../contract/programme/lessons/signing.calls.ts'
import { ownActivityApi } from '../../contract/student/activities.calls.ts'
import { lessonWorld } from '../testing/lessons.ts'
import { beginsIn, signedIn, type StudentClient } from '../testing/own-side.ts'
import { applying } from '../testing/participants.ts'

test('wrong digits of one student keep neither another one nor the course from signing in', async () => {
  const world = await lessonWorld()
  const [guesser, other] = (await signedIn(world, 2)) as [StudentClient, StudentClient]
  const liId = await applying(world, {
    applyWay: applyWay.firstCome,
    signType: [signType.activityCode, signType.password],
  })
  for (const { client } of [guesser, other]) await client.send(ownActivityApi.join, { liId })
  await beginsIn(world, liId, 10)
  const { typed, code } = await world.teacher.client.send(signingApi.board, { liId })
  const wrong = typed === '000000' ? '000001' : '000000'
  const typing = (text: string, { client }: StudentClient) => client.ask(ownActivityApi.sign, { liId, code: text })
  const tries = await Promise.all(Array.from({ length: 12 }, () => typing(wrong, guesser)))
  expect(tries.filter(({ reason }) => reason === 'code-wrong')).toHaveLength(8)
  expect(await typing(typed!, guesser)).toMatchObject({ reason: 'code-tries' })
  expect(await typing(typed!, other)).toMatchObject({ code: 200 })
  // whoever is out of tries can still scan
  expect(await typing(code!, guesser)).toMatchObject({ code: 200 })
})
