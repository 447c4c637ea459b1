import { expect, test } from 'vitest'
import { pageWithin } from './page-within.ts'

const page = (text: string, status = 200) => new Response(text, { status })
const never = () => new Promise<Response>(() => {})
const kept = async () => page('kept')

test.each([
  ['what the network gives, in time', async () => page('new'), 'new'],
  ['a refusal as it is', async () => page('refused', 404), 'refused'],
  ['the kept one without a network', () => Promise.reject(new TypeError('offline')), 'kept'],
  ['the kept one while the service restarts', async () => page('bad gateway', 502), 'kept'],
  ['the kept one where nothing comes', never, 'kept'],
])('a page is %s', async (_, fetched, expected) => {
  expect(await (await pageWithin(fetched, kept, 20)).text()).toBe(expected)
})

test('with nothing kept it is what the network gives, however late or bad', async () => {
  const none = async () => undefined
  expect((await pageWithin(async () => page('', 502), none, 20)).status).toBe(502)
  await expect(pageWithin(() => Promise.reject(new TypeError('offline')), none, 20)).rejects.toThrow('offline')
})
