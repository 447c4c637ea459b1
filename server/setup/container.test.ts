import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { commandOf, settingsOf, stagesOf, wordsOf } from '../../scripts/dockerfile.ts'
import { parseConfig, settingNames } from '../core/base/config.ts'

/**
 * The image and the composition of `deploy/container/` go with what the program needs. That its steps work is tried by
 * `npm run try-container`.
 */

const place = new URL('../../deploy/container/', import.meta.url)
const stages = stagesOf(new URL('Dockerfile', place))
const last = stages.at(-1)!
const step = (word: string) => last.steps.find((each) => each.word === word)!
const env = settingsOf(step('ENV'))

interface Service {
  read_only: boolean
  cap_drop: string[]
  security_opt: string[]
  tmpfs: string[]
  volumes: string[]
  environment: Record<string, string>
  stop_grace_period?: string
  init?: boolean
  expose?: string[]
  depends_on?: Record<string, { condition: string }>
}
const { services, volumes } = parse(readFileSync(new URL('compose.yaml', place), 'utf8')) as {
  services: Record<'dekt' | 'proxy', Service>
  volumes: Record<string, unknown>
}

test('the last stage has what an earlier one unpacked, and neither archive nor tools', () => {
  expect(stages.map(({ image }) => image)).toEqual(['node:22-bookworm-slim', 'node:22-bookworm-slim'])
  const copies = last.steps.filter(({ word }) => word === 'COPY').map(wordsOf)
  expect(copies.map(({ flags }) => flags['from'])).toEqual([stages[0]!.name])
  expect(stages[0]!.steps.find(({ word }) => word === 'RUN')!.rest).toMatch(/^sha256sum -c/)
})

test('it runs as a user without rights, known by number, and nothing it needs is root’s to write', () => {
  expect(step('USER').rest).toMatch(/^[1-9]\d+:[1-9]\d+$/)
  const user = last.steps.findIndex(({ word }) => word === 'USER')
  expect(last.steps.slice(user).some(({ word }) => word === 'RUN')).toBe(false)
  expect(step('RUN').rest).toContain(`--uid ${step('USER').rest.split(':')[0]} `)
})

test('its settings are the program’s, and are refused without a proxy in front', () => {
  const known = new Set<string>([...settingNames, 'TMPDIR'])
  expect(Object.keys(env).filter((name) => !known.has(name))).toEqual([])
  expect(() => parseConfig(env)).toThrow('TRUST_PROXY')
  const config = parseConfig({ ...env, ...services.dekt.environment })
  expect(step('EXPOSE').rest).toBe(String(config.port))
  expect(services.dekt.expose).toEqual([String(config.port)])
  expect(services.proxy.environment['DEKT']).toBe(`dekt:${config.port}`)
  expect(config.logFile).toBeUndefined()
})

test('its root is only read: what it writes has a place, and outlives it where it must', () => {
  for (const service of Object.values(services)) {
    expect(service).toMatchObject({
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
    })
  }
  expect(step('VOLUME').rest).toBe(env['DATA_DIR'])
  expect(services.dekt.volumes).toEqual([`data:${env['DATA_DIR']}`])
  const [user, group] = step('USER').rest.split(':')
  expect(services.dekt.tmpfs).toEqual(['/tmp:mode=1777', `${env['TMPDIR']}:uid=${user},gid=${group},mode=0700`])
  // certificates that Caddy has asked for: those who issue them give only so many a week
  expect(services.proxy.volumes).toContain('caddy:/data')
  expect(Object.keys(volumes)).toEqual(['data', 'caddy'])
})

test('its health is its readiness, and it gets the time to stop that it takes', () => {
  const health = step('HEALTHCHECK')
  expect(commandOf(health).join(' ')).toContain('/readyz')
  expect(services.proxy.depends_on!['dekt']!.condition).toBe('service_healthy')
  const { drainSeconds } = parseConfig({ NODE_ENV: 'production' })
  expect(parseInt(services.dekt.stop_grace_period!, 10)).toBeGreaterThanOrEqual(drainSeconds + 20)
  expect([step('STOPSIGNAL').rest, services.dekt.init]).toEqual(['SIGTERM', true])
  expect(commandOf(step('CMD'))).toEqual(['node', 'scripts/start.mjs'])
})
