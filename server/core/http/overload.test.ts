import underPressure from '@fastify/under-pressure'
import Fastify from 'fastify'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { asFailure, sendFailure } from './http-errors.ts'
import { overloadAt } from './overload.ts'

/** Keeps the event loop from doing anything else. */
function keepBusy(ms: number): void {
  const until = performance.now() + ms
  while (performance.now() < until);
}

async function guarded(busyAfter: number) {
  const app = Fastify()
  onTestFinished(() => app.close())
  app.setErrorHandler((error, request, reply) => sendFailure(reply, asFailure(error), request.id))
  await app.register(underPressure, overloadAt(busyAfter, app.server))
  app.get('/', () => 'well')
  await app.ready()
  return app
}

test('who asks at once after a start that kept the process busy is answered', async () => {
  const app = await guarded(5000)
  keepBusy(1500)
  await sleep(0)
  // it knows nothing of its delay yet, which counts as the longest there is
  expect(app.memoryUsage().eventLoopDelay).toBe(Infinity)
  expect((await app.inject('/')).statusCode).toBe(200)
})

test('what a start measured of itself is not held against who comes in its first seconds', async () => {
  const app = await guarded(100)
  // in pieces, as a start is: mounting, connecting, reading
  const start = performance.now() + 1200
  while (performance.now() < start) {
    keepBusy(350)
    await sleep(0)
  }
  const address = await app.listen({ port: 0, host: '127.0.0.1' })
  expect(app.memoryUsage().eventLoopDelay).toSatisfy((delay: number) => delay > 100 && delay < Infinity)
  expect((await fetch(address)).status).toBe(200)
  // afterwards it is
  await sleep(3100)
  const until = performance.now() + 2500
  while (performance.now() < until) {
    keepBusy(700)
    await sleep(0)
  }
  expect((await app.inject('/')).statusCode).toBe(503)
})

test('a process that cannot keep up sends requests away, and says when to come again', async () => {
  const app = await guarded(100)
  const until = performance.now() + 2500
  while (performance.now() < until) {
    keepBusy(300)
    await sleep(0)
  }
  const refused = await app.inject('/')
  expect([refused.statusCode, refused.headers['retry-after']]).toEqual([503, '1'])
  expect(refused.json()).toMatchObject({ code: 503, msg: expect.stringContaining('服务暂时不可用') as string })
})
