import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eicar, startClamd } from '../../testing/clamd.ts'
import { parseConfig } from '../base/config.ts'
import { openVirusScanner, verdictOf } from './virus-scanner.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'scan-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const file = async (content: string | Buffer) => {
  const path = join(folder, `${Math.random()}`)
  await writeFile(path, content)
  return path
}
/** A scanner with the words it has logged. */
function scannerAt(address: string, timeouts?: { connectMs: number; answerMs: number }) {
  const logged: string[] = []
  const log = pino({}, { write: (line: string) => void logged.push((JSON.parse(line) as { msg: string }).msg) })
  return { scanner: openVirusScanner(parseConfig({ CLAMD: address }), log, timeouts)!, logged }
}

test('without the setting there is no scanner', () =>
  expect(openVirusScanner(parseConfig({}), pino({ level: 'silent' }))).toBeUndefined())

test.each([
  ['stream: OK', { is: 'clean' }],
  ['stream: Win.Test.EICAR_HDB-1 FOUND', { is: 'infected', virus: 'Win.Test.EICAR_HDB-1' }],
  [
    'stream: Heuristics.Limits.Exceeded.MaxFileSize FOUND',
    { is: 'infected', virus: 'Heuristics.Limits.Exceeded.MaxFileSize' },
  ],
  ['INSTREAM size limit exceeded. ERROR', { is: 'too-large' }],
  ["stream: Can't allocate memory ERROR", undefined],
  ['COMMAND READ TIMED OUT', undefined],
  ['UNKNOWN COMMAND', undefined],
  ['', undefined],
])('%j means %j', (answer, verdict) => expect(verdictOf(answer)).toEqual(verdict))

describe.each(['unix', 'tcp'] as const)('a clamd over %s', (over) => {
  let clamd: Awaited<ReturnType<typeof startClamd>>
  beforeAll(async () => {
    clamd = await startClamd({ over, maxLength: 300_000 })
  })
  afterAll(() => clamd.stop())

  test('gets every byte and tells what it finds', async () => {
    const { scanner, logged } = scannerAt(clamd.address)
    const content = Buffer.from('第二课堂'.repeat(20_000))
    expect(await scanner.scan(await file(content))).toEqual({ is: 'clean' })
    expect(clamd.state.received.at(-1)?.equals(content)).toBe(true)
    expect(await scanner.scan(await file(`%PDF-1.7\n${eicar}`))).toEqual({
      is: 'infected',
      virus: 'Eicar-Test-Signature',
    })
    expect(await scanner.scan(await file(''))).toEqual({ is: 'clean' })
    expect(logged).toEqual(['the virus scanner answers'])
  })

  test('says that a content is too large while it is still being sent', async () => {
    const { scanner } = scannerAt(clamd.address)
    const large = await file(Buffer.alloc(8_000_000))
    // again and again: whether the answer comes before the connection breaks is a matter of luck
    for (let n = 0; n < 40; n++) expect(await scanner.scan(large)).toEqual({ is: 'too-large' })
  })

  test('looks at many at once', async () => {
    const { scanner } = scannerAt(clamd.address)
    const [clean, bad] = [await file('x'.repeat(200_000)), await file(eicar)]
    const verdicts = await Promise.all(Array.from({ length: 40 }, (_, n) => scanner.scan(n % 2 ? bad : clean)))
    expect(verdicts.map(({ is }) => is)).toEqual(Array.from({ length: 40 }, (_, n) => (n % 2 ? 'infected' : 'clean')))
  })

  test('that cannot look at a file is not away', async () => {
    const { scanner } = scannerAt(clamd.address)
    clamd.state.mood = 'confused'
    expect(await scanner.scan(await file('x'))).toEqual({ is: 'failed', why: "stream: Can't allocate memory ERROR" })
    clamd.state.mood = 'hangs-up'
    expect(await scanner.scan(await file('x'))).toMatchObject({ is: 'failed' })
    clamd.state.mood = 'well'
  })

  test('that falls silent is away, is told once, and again when it is back', async () => {
    const { scanner, logged } = scannerAt(clamd.address, { connectMs: 200, answerMs: 200 })
    const path = await file('x')
    clamd.state.mood = 'silent'
    expect(await scanner.scan(path)).toEqual({ is: 'away', why: 'clamd did not answer within 200 ms' })
    expect(await scanner.scan(path)).toMatchObject({ is: 'away' })
    expect(await scanner.isThere()).toBe(false)
    clamd.state.mood = 'well'
    expect(await scanner.scan(path)).toEqual({ is: 'clean' })
    expect(await scanner.isThere()).toBe(true)
    expect(logged).toEqual(['the virus scanner does not answer', 'the virus scanner answers'])
  })
})

test('where nobody listens it is away', async () => {
  const path = await file('x')
  expect(await scannerAt(`unix:${join(folder, 'nobody')}`).scanner.scan(path)).toMatchObject({ is: 'away' })
  expect(await scannerAt('127.0.0.1:1').scanner.scan(path)).toMatchObject({ is: 'away' })
})

test('one that talks and talks is no clamd', async () => {
  const talker = createServer((socket) => {
    socket.on('error', () => {})
    const timer = setInterval(() => socket.write('x'.repeat(1000)), 1)
    socket.on('close', () => clearInterval(timer))
  })
  await new Promise<void>((ready) => talker.listen(0, '127.0.0.1', ready))
  const { scanner } = scannerAt(`127.0.0.1:${(talker.address() as AddressInfo).port}`)
  expect(await scanner.scan(await file('x'))).toEqual({ is: 'away', why: 'clamd answered more than a line' })
  talker.close()
})
