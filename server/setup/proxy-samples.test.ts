import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { Failure } from '../../contract/core/failure.ts'
import { fullPath } from '../../contract/core/call.ts'
import { messageApi } from '../../contract/school/messages/messages.calls.ts'
import { buildApp } from '../app.ts'
import { parseConfig } from '../core/base/config.ts'
import { idleMs } from '../core/http/connections.ts'
import { maxHeaderSize } from '../core/http/unreadable.ts'
import { beatMs } from '../platform/notifications/live.service.ts'
import { feedPath } from '../programme/personal/calendar-feeds.service.ts'
import { testApp } from '../testing/app.ts'

/**
 * What the samples of `deploy/` say must go with what the service does. That the programs take them, and what people
 * meet through them, is tried by `npm run try-proxies`.
 */

const config = parseConfig({ NODE_ENV: 'production' })
const units: Record<string, number> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 }

/** Milliseconds of a time as all three write it. */
function ms(text: string | undefined): number {
  const [, number, unit] = /^(\d+)(ms|s|m|h)$/.exec(text ?? '') ?? []
  if (!unit) throw new Error(`no time: ${text}`)
  return Number(number) * units[unit]!
}

/** A sample without its comments, and what it says where: every match of a pattern's one group. */
function sample(file: string) {
  const text = readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8').replace(/^\s*(#|\/\/).*$/gm, '')
  const all = (pattern: RegExp): string[] => [...text.matchAll(new RegExp(pattern, 'gm'))].map(([, found]) => found!)
  return { text, all, first: (pattern: RegExp) => all(pattern)[0] }
}

const mebi = 1_048_576
const nginx = sample('deploy/nginx.conf')
const haproxy = sample('deploy/haproxy.cfg')
const caddy = sample('deploy/Caddyfile')

test.each([
  {
    name: 'nginx',
    to: nginx.all(/^\s*server (127\S+);/),
    body: Number(nginx.first(/client_max_body_size (\d+)m;/)) * mebi,
    answer: ms(nginx.first(/^ {4}proxy_read_timeout (\w+);/)),
    // of the stream alone
    quiet: ms(nginx.first(/^ {8}proxy_read_timeout (\w+);/)),
    // nginx's own default
    idle: 60_000,
    ready: nginx.text.includes('location = /readyz'),
    neverTwice: nginx.text.includes('proxy_next_upstream off;'),
  },
  {
    name: 'HAProxy',
    to: haproxy.all(/^\s*server \w+ (127\S+)/),
    body: Number(haproxy.first(/deny_status 413 if \{ req\.hdr_val\(content-length\) gt (\d+) \}/)),
    answer: ms(haproxy.first(/timeout server (\w+)/)),
    quiet: Math.min(ms(haproxy.first(/timeout server (\w+)/)), ms(haproxy.first(/timeout client (\w+)/))),
    // HAProxy's own default for idle connections to a server
    idle: 5000,
    ready: haproxy.text.includes('option httpchk GET /readyz'),
    neverTwice: haproxy.first(/retry-on (.+)$/) === 'conn-failure',
  },
  {
    name: 'Caddy',
    to: caddy.all(/reverse_proxy \{\$DEKT:(127\S+)\} \{/),
    body: Math.min(
      Number(caddy.first(/max_size (\d+)MiB/)) * mebi,
      Number(caddy.first(/int\(\{http\.request\.header\.Content-Length\}\) > (\d+)`/)),
    ),
    answer: ms(caddy.first(/response_header_timeout (\w+)/)),
    // without limit unless one is set
    quiet: caddy.text.includes('read_timeout') ? 0 : Infinity,
    idle: ms(caddy.first(/keepalive (\w+)/)),
    ready: caddy.text.includes('health_uri /readyz'),
    neverTwice: /lb_retry_match \{\s*method HEAD\s*\}/.test(caddy.text),
  },
])('the sample for $name', ({ to, body, answer, quiet, idle, ready, neverTwice }) => {
  expect(to).toEqual([`127.0.0.1:${config.port}`])
  // a form has some fields beside the file
  expect(body).toBeGreaterThanOrEqual(config.uploadLimit + 100_000)
  expect(body).toBeLessThan(config.uploadLimit + 2 * mebi)
  // the service itself gives up first: a request has a minute to come, and as long to be answered
  expect(answer).toBeGreaterThanOrEqual(120_000)
  expect(quiet).toBeGreaterThan(3 * beatMs)
  expect(idle).toBeLessThan(idleMs)
  expect({ ready, neverTwice }).toEqual({ ready: true, neverTwice: true })
})

test('a process that drains is taken out by the balancers before it stops to answer', () => {
  const { inter, fall } = /inter (?<inter>\w+) fall (?<fall>\d+)/.exec(haproxy.text)!.groups!
  expect(ms(inter) * Number(fall)).toBeLessThan(config.drainSeconds * 1000)
  expect(ms(caddy.first(/health_interval (\w+)/)) + ms(caddy.first(/health_timeout (\w+)/))).toBeLessThan(
    config.drainSeconds * 1000,
  )
})

test('all three forbid the world /readyz, speak no old TLS, and none sends a header that the service sends', () => {
  expect(nginx.text).toMatch(/ssl_protocols TLSv1\.2 TLSv1\.3;/)
  expect(haproxy.text).toMatch(/ssl-min-ver TLSv1\.2/)
  expect(nginx.text).toMatch(/location = \/readyz \{\s*allow 127\.0\.0\.1;\s*allow ::1;\s*deny all;/)
  expect(haproxy.text).toMatch(/deny deny_status 403 if \{ path \/readyz \} !\{ src 127\.0\.0\.1 ::1 \}/)
  expect(caddy.text).toMatch(/path \/readyz\s+not remote_ip 127\.0\.0\.1 ::1\s*\}\s*respond @outside 403/)
  for (const { text } of [nginx, haproxy, caddy]) expect(text).not.toContain('Strict-Transport-Security')
})

test('what a client says of the host it asked for counts for nothing', () => {
  expect(nginx.text).toMatch(/^ {4}proxy_set_header X-Forwarded-Host \$host;/m)
  expect(haproxy.text).toMatch(/^ {4}http-request set-header X-Forwarded-Host %\[req\.hdr\(host\)\]$/m)
  // Caddy sets it by itself, unless it is told to trust who is before it
  expect(caddy.text).not.toContain('trusted_proxies')
})

test('where no process answers, or breaks off, or takes too long, all three say so as the service does', () => {
  const away = ['502', '503', '504']
  expect(nginx.first(/error_page ([\d ]+) = @away;/)?.split(' ')).toEqual(away)
  expect(nginx.text).toMatch(/location @away \{[^}]*add_header Retry-After 5 always;[^}]*return 503 /)
  expect(haproxy.all(/http-error status (\d+) .* hdr retry-after 5$/)).toEqual(away)
  expect(haproxy.text).toContain('http-after-response set-status 503 if { status 502 504 }')
  expect(caddy.first(/@away expression `\{http\.error\.status_code\} in \[([\d, ]+)\]`/)?.split(', ')).toEqual(away)
  expect(caddy.text).toMatch(/header @away Retry-After 5\s/)
  for (const { text } of [nginx, haproxy, caddy]) {
    const said = text.match(/\{"code":503[^}]*\}/g)!
    const own = { code: 503, msg: new Failure('unavailable').msg, data: null, success: false, reason: 'unavailable' }
    for (const each of said) expect(JSON.parse(each)).toEqual(own)
  }
})

/** What is answered outside of `/api` besides the files and pages of the console and the students' side. */
const atTheRoot = ['/credentials', '/healthz', '/readyz']

test('what the service answers outside of /api is known, passes the samples and the development server', async () => {
  const { services } = await testApp()
  const app = await buildApp(services)
  const entries = app
    .printRoutes({ commonPrefix: false })
    .split('\n')
    .flatMap((line) => {
      const [, before, name] = /^([│ ]*)[├└]── \/?([a-z][\w-]*)?/.exec(line) ?? []
      return before === undefined ? [] : [{ depth: before.length, name }]
    })
  // where the console is built, all stand below the route of its pages
  const deepest = entries.some(({ depth, name }) => depth === 0 && name === undefined) ? 4 : 0
  const routes = entries.flatMap(({ depth, name }) => (depth <= deepest && name ? [name] : []))
  await app.close()
  // a new one: may the world have it, may it stand in logs, and must it be among `passedOn` of vite.config.ts?
  expect(new Set(routes)).toEqual(new Set(['api', ...atTheRoot.map((path) => path.slice(1))]))
  const [passedOn] = sample('vite.config.ts').all(/^const passedOn = \[(.+)\]$/)
  expect(passedOn).toBe(['/api', ...atTheRoot].map((path) => `'${path}'`).join(', '))
  // all go to the service but for those that a sample names, and it names no others
  expect(nginx.all(/^ {4}location (.+) \{$/).sort()).toEqual([
    '/',
    '= /readyz',
    '@away',
    '~ ^/api/[a-z]+/informationInfo/stream$',
  ])
  expect(haproxy.all(/\bpath(?:\S* -m beg -i)? (\/\S+)/)).toEqual([feedPath, feedPath, '/readyz'])
  expect(haproxy.all(/^ {4}(default_backend|use_backend) /)).toEqual(['default_backend'])
  expect(caddy.all(/^\t\tpath (.+)$/)).toEqual(['/readyz'])
  expect(caddy.all(/^\treverse_proxy (.)/)).toEqual(['{'])
  expect(fullPath(messageApi.stream)).toMatch(new RegExp(nginx.first(/location ~ (\S+stream\$)/)!))
})

test('no sample writes the secret address of a calendar into its logs, nor what stands behind a question mark', () => {
  expect(nginx.text).toContain(`~*^${feedPath} ${feedPath}-;`)
  expect(nginx.first(/log_format dekt ('[^;]+);/)).not.toMatch(
    /\$(request|request_uri|args|query_string|http_referer)\b/,
  )
  expect(nginx.all(/(?:access|error)_log (.+);/)).toEqual([
    '/var/log/nginx/dekt-access.log dekt',
    '/var/log/nginx/dekt-error.log crit',
  ])
  const frontends = haproxy.text.split(/^(?=frontend)/m).slice(1)
  expect(frontends).toHaveLength(2)
  for (const each of frontends)
    expect(each).toMatch(
      new RegExp(`set-var\\(txn.told\\) path\n.+ str\\(${feedPath}-\\) if { path,url_dec -m beg -i ${feedPath} }`),
    )
  expect(haproxy.text).not.toContain('httplog')
  expect(haproxy.first(/log-format "(.+)"/)).not.toMatch(/%(\{[^}]*\})?(r|HU|HQ|HP|HPO)\b/)
  const [, pattern = '', by = ''] = /request>uri regexp "(?:\(\?i\))(.+)" "(.+)"/.exec(caddy.text) ?? []
  const told = (uri: string) => uri.replaceAll(new RegExp(pattern, 'gi'), by)
  expect([`${feedPath}abc.ics?x=1`, '/m/login?identityCode=1', '/api/version'].map(told)).toEqual([
    `${feedPath}--`,
    '/m/login-',
    '/api/version',
  ])
})

test('nginx takes as long an address as the service, which then says in words that it is too long', () => {
  expect(Number(nginx.first(/large_client_header_buffers \d+ (\d+)k;/)) * 1024).toBe(maxHeaderSize)
})
