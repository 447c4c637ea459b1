import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
const { keepRunning, stateOf } = (await import(new URL('./build.mjs', import.meta.url).href)) as {
  keepRunning: (place: string, fresh: string) => void
  stateOf: (half: 'server' | 'web', env: Record<string, string>) => string
}

test('a setting that is built into the console means building it anew, and only it', () => {
  const settings = { VITE_CLIENT_CREDENTIAL: 'console:console', VITE_DEFAULT_SCHOOL: 'demo' }
  const web = stateOf('web', settings)
  expect(stateOf('web', { PATH: '/bin', VITE_DEFAULT_SCHOOL: 'demo', VITE_CLIENT_CREDENTIAL: 'console:console' })).toBe(
    web,
  )
  expect(stateOf('web', { ...settings, VITE_DEFAULT_SCHOOL: 'other' })).not.toBe(web)
  expect(stateOf('web', { VITE_DEFAULT_SCHOOL: 'demo' })).not.toBe(web)
  expect(stateOf('server', { ...settings, VITE_DEFAULT_SCHOOL: 'other' })).toBe(stateOf('server', settings))
})

test('parts of the former build stay beside the new one for a program that still runs, but not for ever', () => {
  const folder = mkdtempSync(join(tmpdir(), 'console-build-'))
  const [place, fresh] = [join(folder, 'server'), join(folder, 'server.new')]
  for (const one of [place, fresh]) mkdirSync(one)
  for (const name of ['main.js', 'xlsx-AAAAAAAA.js', 'xlsx-AAAAAAAA.js.map', 'pdf-BBBBBBBB.js', 'old-CCCCCCCC.js'])
    writeFileSync(join(place, name), name)
  const longAgo = Date.now() / 1000 - 30 * 86_400
  utimesSync(join(place, 'old-CCCCCCCC.js'), longAgo, longAgo)
  for (const name of ['main.js', 'pdf-BBBBBBBB.js']) writeFileSync(join(fresh, name), 'new')
  keepRunning(place, fresh)
  expect(readdirSync(fresh).toSorted()).toEqual([
    'main.js',
    'pdf-BBBBBBBB.js',
    'xlsx-AAAAAAAA.js',
    'xlsx-AAAAAAAA.js.map',
  ])
  rmSync(folder, { recursive: true })
})
