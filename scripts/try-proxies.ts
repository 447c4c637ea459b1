import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { admin, openInstallation, schoolId, until, type Installation } from '../bench/installation.ts'
import { fullPath } from '../contract/core/call.ts'
import { fileApi, fileKinds } from '../contract/platform/files/files.calls.ts'
import { callbackPath } from '../contract/school/identity/identity.calls.ts'
import { messageApi } from '../contract/school/messages/messages.calls.ts'
import { sessionApi } from '../contract/school/session/session.calls.ts'
import { feedPath } from '../server/programme/personal/calendar-feeds.service.ts'
import { signIn, type Client } from '../server/testing/client.ts'
import { hasProgram, needDebian } from '../server/testing/debian-package.ts'
import { freePort } from '../server/testing/free-port.ts'

/**
 * `npm run try-proxies [-- nginx haproxy caddy]`: tries the samples in `deploy/` with the real programs before the real
 * service. Only what a machine must set is changed in them (addresses, ports, certificate, name). Each is checked by
 * its own program, then met with what people do: the way to HTTPS, signing in, the students' pages, ways back from a
 * provider, credentials and calendars, the largest document and one that is too large, the bell's stream, a forged
 * address, a stop of the service and its return. At the end no log may hold what is secret in an address. What is
 * missing is installed from Debian, as root; the console must have been built.
 */

interface Proxy {
  file: string
  /** Debian's package. */
  from: string
  program: string
  /** The sample as it can run here. */
  fit(text: string, at: Place): string
  check(file: string): string[]
  run(file: string): string[]
  /** The log in which it tells of requests, if it does. */
  tells?: string
}

interface Place {
  folder: string
  http: number
  https: number
  /** Of the service. */
  service: number
}

const name = 'dekt.example.edu.cn'

/** Replaces something that must be there. */
function replaced(text: string, what: string | RegExp, by: string): string {
  const changed = text.replaceAll(what instanceof RegExp ? new RegExp(what, 'gm') : what, by)
  if (changed === text) throw new Error(`the sample has no ${String(what)} any more`)
  return changed
}

const proxies: Record<string, Proxy> = {
  nginx: {
    file: 'nginx.conf',
    from: 'nginx-light',
    program: 'nginx',
    fit(text, { folder, http, https, service }) {
      const own = [
        [/listen (\[::\]:)?80;/, `listen $1${http};`],
        [/listen (\[::\]:)?443 ssl/, `listen $1${https} ssl`],
        ['127.0.0.1:8080', `127.0.0.1:${service}`],
        [name, 'localhost'],
        ['https://$host$', `https://$host:${https}$`],
        ['/etc/ssl/dekt/', `${folder}/`],
        ['/var/log/nginx/', `${folder}/`],
      ] as const
      const inside = own.reduce((all, [what, by]) => replaced(all, what, by), text)
      const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
        .map((kind) => `${kind}_temp_path ${folder}/nginx-${kind};`)
        .join('\n')
      return `daemon off;\npid ${folder}/nginx.pid;\nerror_log ${folder}/nginx-error.log;\nevents {}\nhttp {\n${temporary}\n${inside}\n}\n`
    },
    tells: 'dekt-access.log',
    check: (file) => ['-t', '-c', file],
    run: (file) => ['-c', file],
  },
  haproxy: {
    file: 'haproxy.cfg',
    from: 'haproxy',
    program: 'haproxy',
    fit: (text, { folder, http, https, service }) =>
      (
        [
          [/bind (\[::\])?:80\b/, `bind $1:${http}`],
          [/bind (\[::\])?:443\b/, `bind $1:${https}`],
          ['redirect scheme https code 301', `redirect location https://localhost:${https}%[capture.req.uri] code 301`],
          ['127.0.0.1:8080', `127.0.0.1:${service}`],
          ['/etc/ssl/dekt/', `${folder}/`],
          ['log /dev/log local0', 'log stdout format raw local0'],
          [/^ {4}(user|group).*\n/, ''],
        ] as const
      ).reduce((all, [what, by]) => replaced(all, what, by), text),
    tells: 'haproxy.log',
    check: (file) => ['-c', '-f', file],
    run: (file) => ['-db', '-f', file],
  },
  caddy: {
    file: 'Caddyfile',
    from: 'caddy',
    program: 'caddy',
    fit: (text, { folder, http, https, service }) =>
      (
        [
          [/^\{$/, `{\n\tadmin off\n\thttp_port ${http}\n\thttps_port ${https}\n\tstorage file_system ${folder}/caddy`],
          [name, 'localhost'],
          ['127.0.0.1:8080', `127.0.0.1:${service}`],
          ['/etc/ssl/dekt/', `${folder}/`],
        ] as const
      ).reduce((all, [what, by]) => replaced(all, what, by), text),
    check: (file) => ['validate', '--adapter', 'caddyfile', '--config', file],
    run: (file) => ['run', '--adapter', 'caddyfile', '--config', file],
  },
}

function startAgain(): number {
  const folder = mkdtempSync(join(tmpdir(), 'try-proxies-'))
  chmodSync(folder, 0o755)
  try {
    const certificate = join(folder, 'fullchain.pem')
    const made = spawnSync(
      'openssl',
      `req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost -addext subjectAltName=DNS:localhost -keyout ${join(folder, 'privkey.pem')} -out ${certificate}`.split(
        ' ',
      ),
      { encoding: 'utf8' },
    )
    if (made.status !== 0) throw new Error(`openssl: ${made.stderr}`)
    writeFileSync(
      join(folder, 'dekt.pem'),
      [certificate, join(folder, 'privkey.pem')].map((path) => readFileSync(path, 'utf8')).join(''),
    )
    return (
      spawnSync(process.execPath, ['--import', 'tsx', fileURLToPath(import.meta.url), ...process.argv.slice(2)], {
        stdio: 'inherit',
        env: { ...process.env, NODE_EXTRA_CA_CERTS: certificate, TRY_PROXIES: folder },
      }).status ?? 1
    )
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function tryAll(folder: string, wanted: string[]): Promise<void> {
  const names = wanted.length > 0 ? wanted : Object.keys(proxies)
  const unknown = names.filter((each) => !proxies[each])
  if (unknown.length > 0) throw new Error(`no sample for ${unknown.join(', ')}`)
  if (!existsSync(new URL('../dist/web/m/worker.js', import.meta.url))) throw new Error('npm run build first')
  for (const { program, from } of names.map((each) => proxies[each]!)) needDebian(from, () => hasProgram(program))
  const installation = await openInstallation(1, () => ({
    TRUST_PROXY: '1',
    DRAIN_SECONDS: '0',
    PUBLIC_ORIGINS: 'https://localhost',
  }))
  try {
    for (const each of names) {
      const found = await tryOne(proxies[each]!, folder, installation)
      console.log(`${each} (deploy/${proxies[each]!.file}): ${found}`)
    }
  } finally {
    await installation.close()
  }
}

async function tryOne(proxy: Proxy, folder: string, installation: Installation): Promise<string> {
  const node = installation.nodes[0]!
  const place = { folder, http: await freePort(), https: await freePort(), service: node.port }
  const file = join(folder, proxy.file)
  const sample = readFileSync(new URL(`../deploy/${proxy.file}`, import.meta.url), 'utf8')
  writeFileSync(file, proxy.fit(sample, place))
  // its folders are made as root, and used by a user of its own
  chmodSync(folder, 0o777)
  const checked = spawnSync(proxy.program, proxy.check(file), { encoding: 'utf8' })
  must(checked.status === 0, `${proxy.program} refuses the sample: ${checked.stdout}${checked.stderr}`)
  const log = join(folder, `${proxy.program}.log`)
  const out = openSync(log, 'w')
  const child = spawn(proxy.program, proxy.run(file), { stdio: ['ignore', out, out] })
  try {
    const address = `https://localhost:${place.https}`
    await until(async () => (await fetch(`${address}/readyz`)).ok, proxy.program, 20)
    const done = [await entrance(place, address), await passed(address), await uploads(address), await bell(address)]
    done.push(await forged(address, installation), await outage(address, installation))
    done.push(kept(proxy, [folder, installation.folder]))
    return done.join('; ')
  } catch (error) {
    throw new Error(`${proxy.program}: ${(error as Error).message}\n${readFileSync(log, 'utf8').slice(-2000)}`)
  } finally {
    await ended(child)
  }
}

function must(holds: unknown, text: string): asserts holds {
  if (!holds) throw new Error(text)
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const end = once(child, 'exit')
  child.kill('SIGTERM')
  await Promise.race([end, sleep(5000, undefined, { ref: false }).then(() => child.kill('SIGKILL'))])
}

const signedIn = (address: string): Promise<Client> => signIn(address, schoolId, admin.username, admin.password)

async function entrance({ http, https }: Place, address: string): Promise<string> {
  const plain = await fetch(`http://localhost:${http}/login`, { redirect: 'manual' })
  must(plain.status === 301 || plain.status === 308, `plain HTTP answers ${plain.status}`)
  const to = plain.headers.get('location') ?? ''
  must(to.startsWith('https://localhost') && to.endsWith('/login'), `plain HTTP goes to ${to}`)
  const page = await fetch(`${address}/api/version`)
  const once = page.headers.get('strict-transport-security')
  must(once?.startsWith('max-age=') && !once.includes(','), `Strict-Transport-Security: ${once}`)
  // another address of this machine is nobody who may look
  const status = await new Promise<number>((done, fail) =>
    request(
      {
        host: '127.0.0.1',
        localAddress: '127.0.0.2',
        port: https,
        servername: 'localhost',
        path: '/readyz',
        headers: { host: `localhost:${https}` },
      },
      (answer) => {
        answer.resume()
        done(answer.statusCode!)
      },
    )
      .on('error', fail)
      .end(),
  )
  must(status === 403, `/readyz answers others with ${status}`)
  return 'HTTPS'
}

/** Of a calendar and of a sign-in: whoever reads one in a log could use it. */
const secrets = { calendar: 'Kept-Out-Of-Every-Log-Kept-Out-Of-Every-Log', code: 'kept-out-of-every-log-as-well' }
const calendar = `${feedPath}${secrets.calendar}.ics`

/** What lies outside of the console's own calls, answered by the service itself. */
async function passed(address: string): Promise<string> {
  const get = (path: string, more: RequestInit = {}) => fetch(`${address}${path}`, { redirect: 'manual', ...more })
  for (const path of ['/m/', '/m/login', `/m/login?identityCode=${secrets.code}`]) {
    const page = await (await get(path)).text()
    must(page.includes('/m/manifest.webmanifest'), `${path} is not the students' page: ${page.slice(0, 200)}`)
  }
  const worker = await get('/m/worker.js')
  const type = worker.headers.get('content-type') ?? ''
  must(worker.ok && type.includes('javascript'), `the worker: ${worker.status} ${type}`)
  const provider = `${callbackPath}00000000-0000-4000-8000-000000000000`
  const back = await get(`${provider}?code=${secrets.code}&state=${secrets.code}`)
  must(back.status === 302 && back.headers.get('location')?.includes('identityFault='), `a way back: ${back.status}`)
  const out = await get(provider, { method: 'POST', body: new URLSearchParams({ logout_token: secrets.code }) })
  must(out.status >= 400 && out.status < 500, `a sign-out by a provider: ${out.status}`)
  for (const path of [`/credentials/${schoolId}`, calendar, `${calendar}?a=${secrets.code}`]) {
    const answer = await get(path)
    must(answer.headers.get('x-request-id'), `${path} is not answered by the service: ${answer.status}`)
    must(!(await answer.text()).includes('<div'), `${path} answers a page`)
  }
  return "students' pages, providers, credentials and calendars"
}

/** No log of these folders holds a secret, and the proxy's own tells of the requests. */
function kept({ tells }: Proxy, folders: string[]): string {
  const logs = folders.flatMap((each) =>
    readdirSync(each)
      .filter((file) => file.endsWith('.log'))
      .map((file) => ({ file, text: readFileSync(join(each, file), 'utf8') })),
  )
  for (const { file, text } of logs)
    for (const secret of Object.values(secrets)) must(!text.includes(secret), `${file} holds a secret address or code`)
  const told = !tells || logs.some(({ file, text }) => file === tells && text.includes(`${feedPath}-`))
  must(told, `${tells} does not tell of a calendar that was asked for`)
  return `no secret in ${logs.length} logs`
}

async function uploads(address: string): Promise<string> {
  const client = await signedIn(address)
  const pdf = (size: number) => ({ name: '大.pdf', bytes: Buffer.concat([Buffer.from('%PDF-1.7\n')], size) })
  const { limit } = fileKinds.document
  const began = performance.now()
  const kept = await client.upload(fileApi.upload, pdf(limit), { kind: 'document' })
  must(kept.code === 200 && kept.data.size === limit, `20 MB: ${kept.status} ${kept.msg}`)
  const ms = Math.round(performance.now() - began)
  const got = await client.download(fileApi.view, { id: kept.data.fileId })
  must(got.bytes.length === limit, `of 20 MB came back ${got.bytes.length}`)
  // a proxy may close the connection on whoever still sends
  const status = await client
    .upload(fileApi.upload, pdf(limit + 3 * 1_048_576), { kind: 'document' })
    .then((answer) => answer.status)
    .catch((error: Error) => (error instanceof SyntaxError || /fetch failed/.test(error.message) ? 413 : 0))
  must(status === 413, `23 MB: ${status}`)
  return `20 MB up in ${ms} ms and down`
}

/** Its first word at once, a beat while nothing happens, and its end as soon as the session ends. */
async function bell(address: string): Promise<string> {
  const client = await signedIn(address)
  const began = performance.now()
  const since = () => Math.round(performance.now() - began)
  const answer = await client.fetch(messageApi.stream, {})
  const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader()
  const next = async (within: number) =>
    Promise.race([reader.read(), sleep(within, undefined, { ref: false }).then(() => undefined)])
  const first = await next(3000)
  must(first?.value?.includes('event: unread'), `the stream begins with ${JSON.stringify(first)}`)
  const at = since()
  const beat = await next(20_000)
  must(beat?.value?.startsWith(':'), `the stream goes on with ${JSON.stringify(beat)}`)
  await (await client.fetch(sessionApi.logout, {})).text()
  const told = since()
  const last = await next(20_000)
  must(last?.done, `${fullPath(messageApi.stream)} goes on after the session's end: ${JSON.stringify(last)}`)
  return `bell after ${at} ms, beat passed on, end ${since() - told} ms after the session's`
}

/** Whoever names another address for himself is known by his own. */
async function forged(address: string, { folder }: Installation): Promise<string> {
  await fetch(`${address}/api/version`, { headers: { 'x-forwarded-for': '203.0.113.9' } })
  await sleep(300)
  const lines = readFileSync(join(folder, 'node-0.log'), 'utf8').trim().split('\n')
  const { ip } = JSON.parse(lines.findLast((line) => line.includes('"/api/version"'))!) as { ip: string }
  must(ip === '127.0.0.1' || ip === '::1', `a forged address is believed: ${ip}`)
  return 'forged address not believed'
}

/** While nobody answers it says so within its time and in the service's own words, and comes back by itself. */
async function outage(address: string, { nodes }: Installation): Promise<string> {
  await nodes[0]!.stop()
  await sleep(2500)
  const began = performance.now()
  const away = await fetch(`${address}/api/version`)
  const ms = Math.round(performance.now() - began)
  await fetch(`${address}${calendar}`)
  must(away.status === 502 || away.status === 503, `without a service it answers ${away.status}`)
  must(ms < 15_000, `without a service it answers after ${ms} ms`)
  const { reason } = (await away.json().catch(() => ({}))) as { reason?: string }
  must(reason === 'unavailable', `without a service it answers ${away.status} in words of its own`)
  must(Number(away.headers.get('retry-after')) > 0, 'without a service it does not tell when to come again')
  await nodes[0]!.start()
  const back = performance.now()
  await until(async () => (await fetch(`${address}/api/version`)).ok, 'the way back', 15)
  return `without service ${away.status} after ${ms} ms, back ${Math.round(performance.now() - back)} ms after its start`
}

// Node reads the certificates that it is to trust once, at its start: this program starts itself again with its own
if (process.env['TRY_PROXIES']) await tryAll(process.env['TRY_PROXIES'], process.argv.slice(2))
else process.exitCode = startAgain()
