import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { expect, test } from 'vitest'
import { buildApp } from '../../app.ts'
import { testApp } from '../../testing/app.ts'
import { newSchool } from '../../testing/school.ts'
import { atFileEnd } from '../../testing/file-end.ts'
import { headerLimits } from './connections.ts'

/** The answer to a request written by hand: its status, its headers in lower case, and its body. */
async function asked(address: string, lines: readonly string[]) {
  const { hostname, port } = new URL(address)
  const socket = connect(Number(port), hostname)
  socket.end([...lines, 'host: x', 'connection: close', '', ''].join('\r\n'))
  let text = ''
  for await (const piece of socket as AsyncIterable<Buffer>) text += piece.toString()
  const [head = '', body = ''] = text.split('\r\n\r\n')
  const [status = '', ...headers] = head.split('\r\n')
  return { status: Number(status.split(' ')[1]), headers: headers.map((line) => line.toLowerCase()), body }
}

test('an address that cannot be read is refused with the headers of every answer', async () => {
  const { address } = await testApp()
  const [bad, good] = await Promise.all([
    asked(address, ['GET /api/%zz HTTP/1.1']),
    asked(address, ['GET /healthz HTTP/1.1']),
  ])
  expect(bad.status).toBe(400)
  const guarding = (headers: string[]) =>
    headers
      .filter((line) => /^(content-security-policy|x-|strict-|referrer-|cross-origin-)/.test(line))
      .map((line) => line.split(':')[0])
  expect(guarding(bad.headers)).toEqual(guarding(good.headers).filter((name) => name !== 'x-request-id'))
  expect(guarding(bad.headers)).toContain('content-security-policy')
})

test('what cannot be read as a request, an address that is too long among it, is refused in words like any other', async () => {
  const { address } = await testApp()
  const [long, broken, good] = await Promise.all([
    asked(address, [`GET /api?ids=${'a'.repeat(100_000)} HTTP/1.1`]),
    asked(address, ['GET /api HTTP/9.9', 'no header']),
    asked(address, ['GET /healthz HTTP/1.1']),
  ])
  const names = ({ headers }: typeof good) =>
    headers.map((line) => line.split(':')[0]).filter((name) => /^(content-security-policy|x-|strict-)/.test(name!))
  expect(names(long)).toEqual(names(good))
  const requestId = expect.stringMatching(/^[\da-f-]{36}$/) as string
  const refusal = { data: null, success: false, requestId }
  expect([long.status, JSON.parse(long.body)]).toEqual([
    431,
    {
      ...refusal,
      code: 431,
      reason: 'address-too-long',
      msg: '请求的地址与请求头合计超过 16 KB，无法处理，请减少一次选择的条目或缩短查询内容后重试',
    },
  ])
  expect([broken.status, JSON.parse(broken.body)]).toEqual([
    400,
    { ...refusal, code: 400, reason: 'bad-request', msg: '请求格式不正确' },
  ])
})

test('two credentials that differ are refused, the same one twice is not', async () => {
  const { address } = await testApp()
  const ask = (...tokens: string[]) =>
    asked(address, ['GET /healthz HTTP/1.1', ...tokens.map((token) => `Authorization: Bearer ${token}`)])
  expect((await ask('a'.repeat(30), 'b'.repeat(30))).status).toBe(400)
  expect((await ask('a'.repeat(30), 'a'.repeat(30))).status).toBe(200)
})

test('who sends headers slowly is cut off within half a minute', async () => {
  const { services } = await testApp()
  const app = await buildApp(services)
  atFileEnd(() => app.close())
  const { headersTimeout, connectionsCheckingInterval } = headerLimits
  expect(app.server.headersTimeout).toBe(headersTimeout)
  expect(headersTimeout + connectionsCheckingInterval).toBeLessThan(30_000)
})

test('one address holds so many connections and no more; each that ends makes room', async () => {
  const { services } = await testApp()
  const app = await buildApp({ ...services, config: { ...services.config, connectionsPerAddress: 3 } })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as { port: number }
  const opened: Socket[] = []
  const open = async () => {
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => undefined)
    opened.push(socket)
    socket.write('GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n')
    const [event] = await Promise.race([
      once(socket, 'data').then(() => ['answered']),
      once(socket, 'close').then(() => ['closed']),
    ])
    return event
  }
  expect([await open(), await open(), await open(), await open()]).toEqual([
    'answered',
    'answered',
    'answered',
    'closed',
  ])
  opened[0]!.end()
  await once(opened[0]!, 'close')
  await expect.poll(open).toBe('answered')
  for (const socket of opened) socket.destroy()
  await app.close()
})

test('connections of people who are signed in do not count for their address: a lecture hall has one', async () => {
  const { admin, services } = await newSchool()
  const app = await buildApp({ ...services, config: { ...services.config, connectionsPerAddress: 2 } })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as { port: number }
  const opened: Socket[] = []
  const open = async (...headers: string[]) => {
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => undefined)
    opened.push(socket)
    socket.write(['GET /api/schoolbase/UserLoad/MenuTree HTTP/1.1', 'host: x', ...headers, '', ''].join('\r\n'))
    return Promise.race([
      once(socket, 'data').then(([bytes]) => Number(String(bytes).split(' ')[1])),
      once(socket, 'close').then(() => 'closed'),
    ])
  }
  const signedIn = `authorization: Bearer ${admin.token}`
  for (let at = 0; at < 5; at++) expect(await open(signedIn)).toBe(200)
  expect([await open(), await open(), await open()]).toEqual([401, 401, 'closed'])
  for (const socket of opened) socket.destroy()
  await app.close()
})
