import { expect, test } from 'vitest'
const { stateOf } = (await import(new URL('./build.mjs', import.meta.url).href)) as {
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
