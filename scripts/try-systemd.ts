import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  appendFileSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import about from '../package.json' with { type: 'json' }

/**
 * `npm run try-systemd`: does to the letter what docs/operations.md says about production and backups, with the release
 * archive, in a clean Debian 13 (debootstrap) that a systemd of its own runs (systemd-nspawn) and that has no network:
 * installs, makes a school, starts the unit, lets it back itself up, backs up by hand, verifies, drills, restores,
 * rotates the logs, stops. Lines that open an editor are left out. As root, on Linux, after `npm run release`.
 */

const release = fileURLToPath(new URL('../dist/release/', import.meta.url))
const page = readFileSync(new URL('../docs/operations.md', import.meta.url), 'utf8')
const packages = 'ca-certificates,systemd,systemd-sysv,dbus,nodejs,logrotate,curl,iproute2,procps'
const school = 'export SCHOOL_ID=try SCHOOL_NAME=试用学校 ADMIN_PASSWORD=Try-Systemd-92\n'

function must(holds: unknown, text: string): asserts holds {
  if (!holds) throw new Error(text)
}

function run(program: string, args: string[]): string {
  const { status, stdout, stderr, error } = spawnSync(program, args, { encoding: 'utf8' })
  must(status === 0, `${program} ${args.join(' ').slice(0, 200)}: ${error?.message ?? ''}${stdout}${stderr}`)
  return stdout
}

/** The fenced blocks of a section of the manual, in their order. */
function blocksOf(heading: string, language = 'sh'): string[] {
  const from = page.indexOf(`\n${heading}\n`)
  must(from >= 0, `the manual has no ${heading}`)
  const level = /^#+/.exec(heading)![0].length
  const rest = page.slice(from + heading.length + 2)
  const end = rest.search(new RegExp(`^#{1,${level}} `, 'm'))
  const blocks = [...rest.slice(0, end).matchAll(new RegExp(`^( *)\`\`\`${language}\n([^]*?)^ *\`\`\`$`, 'gm'))]
  return blocks.map(([, indent, text]) => text!.replaceAll(new RegExp(`^${indent}`, 'gm'), ''))
}

/** A clean Debian, kept for the next time. */
function base(folder: string): string {
  const kept = join(homedir(), '.cache/second-classroom/trixie')
  const missing = ['debootstrap', 'systemd-nspawn'].some(
    (program) => spawnSync('sh', ['-c', `command -v ${program}`]).status !== 0,
  )
  if (missing)
    run('sh', [
      '-c',
      'apt-get update -qq && apt-get install -y -qq --no-install-recommends debootstrap systemd-container',
    ])
  if (!existsSync(join(kept, 'done'))) {
    rmSync(kept, { recursive: true, force: true })
    mkdirSync(kept, { recursive: true })
    run('debootstrap', ['--variant=minbase', `--include=${packages}`, 'trixie', join(kept, 'root')])
    writeFileSync(join(kept, 'done'), '')
  }
  const own = join(folder, 'root')
  run('cp', ['-a', join(kept, 'root'), own])
  return own
}

/** Runs a script in the machine, whose first process is `leader`. @throws where a command of it fails */
function within(leader: string, script: string): string {
  const args = ['-t', leader, '-m', '-u', '-i', '-n', '-p', '-C', '-r', '-w', '/usr/bin/env', '-i']
  const env = ['PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', 'HOME=/root', 'LANG=C.UTF-8']
  const { status, stdout, stderr } = spawnSync('nsenter', [...args, ...env, 'bash', '-ec', `cd /root\n${script}`], {
    encoding: 'utf8',
  })
  must(status === 0, `${script}\n${stdout}${stderr}`)
  return stdout
}

async function trySystemd(folder: string): Promise<void> {
  const root = base(folder)
  const { version } = about
  // archives of former versions may lie beside it
  const archive = readdirSync(release).find((name) => name.includes(`-console-${version}-`) && name.endsWith('.tar.gz'))
  must(archive, 'no release: npm run release first')
  for (const name of [archive, `${archive}.sha256`]) copyFileSync(join(release, name), join(root, 'root', name))
  const machine = spawn(
    'systemd-nspawn',
    ['-q', '-D', root, '--register=no', '--keep-unit', '--private-network', '--boot', '--console=pipe'],
    {
      stdio: 'ignore',
      env: { ...process.env, SYSTEMD_NSPAWN_UNIFIED_HIERARCHY: '1' },
    },
  )
  const ended = once(machine, 'exit')
  try {
    const leader = await leaderOf(machine.pid!)
    const inside = (script: string): string => within(leader, script)
    const said = install(inside, root, version)
    said.push(...(await backUp(inside, root)))
    said.push(rotate(inside))
    console.log(said.join('; '))
    inside('systemctl stop dekt && test -z "$(ls /var/cache/dekt)" && (systemctl poweroff || true)')
    await Promise.race([ended, sleep(30_000, undefined, { ref: false })])
  } finally {
    machine.kill('SIGKILL')
  }
}

/** The first process of the machine, once it is up. */
async function leaderOf(nspawn: number): Promise<string> {
  for (let tries = 0; tries < 300; tries++) {
    await sleep(200)
    const [leader] = readFileSync(`/proc/${nspawn}/task/${nspawn}/children`, 'utf8').trim().split(' ')
    if (!leader) continue
    try {
      if (/running|degraded/.test(within(leader, 'systemctl is-system-running || true'))) return leader
    } catch {
      // not yet
    }
  }
  throw new Error('the machine did not start')
}

type Inside = (script: string) => string

function install(inside: Inside, root: string, version: string): string[] {
  const [unpack, settings, make, start] = blocksOf('## 生产环境')
  for (const block of [unpack!, settings!, make!, start!])
    inside(
      `${school}${block
        .replaceAll('版本', version)
        .split('\n')
        .filter((line) => !line.startsWith('editor '))
        .join('\n')}`,
    )
  inside('systemd-analyze verify dekt.service')
  const exposure = Number(
    /level for dekt.service: ([\d.]+)/.exec(inside('systemd-analyze security dekt --no-pager'))?.[1],
  )
  must(exposure <= 1.4, `systemd-analyze security: ${exposure}`)
  must(readFileSync(join(root, 'etc/dekt/dekt.env'), 'utf8').includes('PORT=8080'), 'dekt.env')
  return [
    `Debian ${readFileSync(join(root, 'etc/debian_version'), 'utf8').trim()}: installed, started`,
    `exposure ${exposure}`,
  ]
}

async function backUp(inside: Inside, root: string): Promise<string[]> {
  const recipient = /age1\w+/.exec(inside(blocksOf('### 第一次')[0]!))?.[0]
  must(recipient, 'no key was made')
  const [lines] = blocksOf('### 每天自动备份', 'ini')
  appendFileSync(join(root, 'etc/dekt/dekt.env'), lines!.replace('age1…', recipient))
  inside(`mkdir -p /mnt/backup\n${blocksOf('### 每天自动备份')[0]}`)
  const made = () => readdirSync(join(root, 'mnt/backup/dekt')).filter((name) => /^\d{4}-/.test(name))
  for (const until = Date.now() + 180_000; made().length === 0; await sleep(1000))
    must(Date.now() < until, `no backup by itself: ${inside('tail -5 /var/log/dekt/service.log')}`)
  const said = inside(`install -d -o dekt -g dekt -m 0750 /var/lib/dekt-new\n${blocksOf('### 命令')[0]}`)
  for (const words of ['已备份到', '校验值全部相符', '恢复演练：通过', '已恢复备份'])
    must(said.includes(words), `not said: ${words}\n${said}`)
  must(!/Warning/.test(said), said)
  must(
    inside('find /mnt/backup/dekt /var/lib/dekt-new ! -user dekt; ls -A /run | grep dekt-key || true') === '',
    'owners',
  )
  return ['backed up by itself and by hand, verified, drilled, restored']
}

/** No line is lost and the program goes on. */
function rotate(inside: Inside): string {
  inside(`logrotate -f /etc/logrotate.d/dekt; sleep 1; curl -fs http://127.0.0.1:8080/api/version; sleep 1
    grep -q api/version /var/log/dekt/service.log; ls /var/log/dekt/service.log-*; systemctl is-active dekt`)
  return 'logs rotated'
}

must(process.getuid?.() === 0, 'as root: Debian and its machine are made')
const folder = mkdtempSync(join(tmpdir(), 'try-systemd-'))
try {
  await trySystemd(folder)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
