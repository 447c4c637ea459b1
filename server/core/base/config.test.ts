import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parseConfig, settingNames } from './config.ts'
import { loadSecrets } from '../secrets/secrets.ts'

test('without any setting the documented defaults hold', () => {
  expect(parseConfig({})).toMatchObject({
    port: 8080,
    host: '127.0.0.1',
    dataDir: join(process.cwd(), 'data'),
    databaseUrl: undefined,
    demoStudents: 6000,
    logLevel: 'info',
    outputChecks: true,
    production: false,
  })
})

test('an empty setting counts as not given', () => {
  expect(parseConfig({ PORT: '', DATABASE_URL: ' ', DEMO_STUDENTS: '0' })).toMatchObject({
    port: 8080,
    databaseUrl: undefined,
    demoStudents: 0,
  })
})

test('all faults are told together', () => {
  const read = () =>
    parseConfig({
      PORT: 'abc',
      DATABASE_URL: 'mysql://x',
      LOG_LEVEL: 'loud',
      PUBLIC_ORIGINS: 'https://a.cn/path',
      SECRET_PEPPER: 'short',
    })
  for (const name of ['PORT', 'DATABASE_URL', 'LOG_LEVEL', 'PUBLIC_ORIGINS', 'SECRET_PEPPER'])
    expect(read).toThrow(new RegExp(`^  ${name}：`, 'm'))
})

test('production has no demo school and checks no answers', () => {
  expect(parseConfig({ NODE_ENV: 'production', DEMO_STUDENTS: '300' })).toMatchObject({
    production: true,
    demoStudents: 0,
    outputChecks: false,
    firstSchool: undefined,
  })
})

test.each([
  [{}, false],
  [{ WEB_CONCURRENCY: '2' }, true],
  [{ DATABASE_URL: 'postgres://x@y/z' }, true],
  [{ DATABASE_URL: 'postgres://x@y/z', RATE_LIMITS: 'own' }, false],
])('with %o limits are counted together: %s', (env, shares) => {
  expect(parseConfig(env as Record<string, string>).sharesLimits).toBe(shares)
})

test('a stopping process goes on answering for some seconds in production, and as long as it is told', () => {
  const drain = (env: Record<string, string>) => parseConfig(env).drainSeconds
  expect([drain({}), drain({ NODE_ENV: 'production' }), drain({ DRAIN_SECONDS: '20' })]).toEqual([0, 5, 20])
  expect(() => drain({ DRAIN_SECONDS: '61' })).toThrow('DRAIN_SECONDS 不能大于 60')
})

test.each([
  ['0', 0],
  ['1', 1],
  ['7', 7],
  ['20000', 20_000],
])('DEMO_STUDENTS %s', (given, read) => {
  expect(parseConfig({ DEMO_STUDENTS: given }).demoStudents).toBe(read)
})

test.each([
  ['20001', '不能大于 20000'],
  ['-1', '不能小于 0'],
  ['1.5', '须为整数'],
  ['many', '须为整数'],
])('DEMO_STUDENTS %s is refused', (given, words) => {
  expect(() => parseConfig({ DEMO_STUDENTS: given })).toThrow(`演示学生数 DEMO_STUDENTS ${words}`)
})

test.each([
  ['unix:/run/clamav/clamd.ctl', { path: '/run/clamav/clamd.ctl' }],
  ['clamd.example.edu.cn:3310', { host: 'clamd.example.edu.cn', port: 3310 }],
  ['[::1]:3310', { host: '::1', port: 3310 }],
])('CLAMD %s', (given, read) => expect(parseConfig({ CLAMD: given }).clamd).toEqual(read))

test.each([
  '/run/clamav/clamd.ctl',
  'unix:clamd.ctl',
  'localhost',
  'localhost:0',
  'localhost:70000',
  'tcp://a:3310',
  '::1',
])('CLAMD %s is refused', (given) =>
  expect(() => parseConfig({ CLAMD: given })).toThrow('CLAMD 须写作 unix:/run/clamav/clamd.ctl 或 主机:端口'),
)

test('the first school needs id, name and password', () => {
  expect(parseConfig({ SCHOOL_ID: 'a', ADMIN_PASSWORD: 'Long-enough-1' }).firstSchool).toBeUndefined()
  expect(parseConfig({ SCHOOL_ID: 'a', SCHOOL_NAME: '甲校', ADMIN_PASSWORD: 'Long-enough-1' }).firstSchool).toEqual({
    schoolId: 'a',
    schName: '甲校',
    username: 'admin',
    password: 'Long-enough-1',
  })
})

test.each([
  ['0', false],
  ['1', 1],
  ['10.0.0.0/8,127.0.0.1', '10.0.0.0/8,127.0.0.1'],
  ['fd00::/8', 'fd00::/8'],
])('TRUST_PROXY %s', (given, read) => {
  expect(parseConfig({ TRUST_PROXY: given }).trustProxy).toBe(read)
})

test.each(['true', '-1', 'proxy.example', '10.0.0.0/33', '10.0.0.0/8;1'])(
  'TRUST_PROXY %s, which would let clients choose their address or mean nothing, is refused',
  (given) => {
    expect(() => parseConfig({ TRUST_PROXY: given })).toThrow(/TRUST_PROXY 须为/)
  },
)

test.each([
  [{ HOST: '0.0.0.0' }, false],
  [{ HOST: '::' }, false],
  [{ HOST: '10.1.2.3' }, false],
  [{ HOST: '127.0.0.1.example.cn' }, false],
  [{ HOST: '0.0.0.0', TRUST_PROXY: '0' }, false],
  [{}, true],
  [{ HOST: '127.0.0.2' }, true],
  [{ HOST: '::1' }, true],
  [{ HOST: 'localhost' }, true],
  [{ HOST: '0.0.0.0', TRUST_PROXY: '1' }, true],
  [{ HOST: '0.0.0.0', TRUST_PROXY: '10.0.0.0/8' }, true],
  [{ HOST: '0.0.0.0', ALLOW_PLAIN_HTTP: '1' }, true],
])('production on %j without TLS in front: allowed %s', (given, isAllowed) => {
  const read = () => parseConfig({ NODE_ENV: 'production', ...given })
  if (isAllowed) expect(read().production).toBe(true)
  else expect(read).toThrow(/不经 HTTPS 直接访问[^]*TRUST_PROXY[^]*ALLOW_PLAIN_HTTP=1/)
  expect(parseConfig(given).production).toBe(false)
})

test('operations.md lists every setting', () => {
  const page = readFileSync(new URL('../../../docs/operations.md', import.meta.url), 'utf8')
  expect(settingNames.filter((name) => !new RegExp(`^\\| \`${name}\` +\\|`, 'm').test(page))).toEqual([])
})

test('secrets are made once, kept private, and a broken file is refused', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'console-secrets-'))
  const path = join(dataDir, 'secrets.json')
  const first = loadSecrets(parseConfig({ DATA_DIR: dataDir }))
  expect(loadSecrets(parseConfig({ DATA_DIR: dataDir }))).toEqual(first)
  expect(statSync(path).mode & 0o777).toBe(0o600)
  expect(new Set([first.pepper, first.fieldKey, first.hashKey].map((key) => key.toString('hex'))).size).toBe(3)
  const pepper = 'ab'.repeat(32)
  expect(loadSecrets(parseConfig({ DATA_DIR: dataDir, SECRET_PEPPER: pepper }))).toEqual({
    ...first,
    pepper: Buffer.from(pepper, 'hex'),
  })
  chmodSync(path, 0o600)
  writeFileSync(path, '{"pepper": "12"}')
  expect(() => loadSecrets(parseConfig({ DATA_DIR: dataDir }))).toThrow(/已损坏/)
  rmSync(dataDir, { recursive: true })
})
