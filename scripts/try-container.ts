import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parse } from 'yaml'
import about from '../package.json' with { type: 'json' }
import { commandOf, settingsOf, stagesOf, wordsOf, type Stage } from './dockerfile.ts'

/**
 * `npm run try-container`: goes through the steps of `deploy/container/Dockerfile` with the release archive, without
 * Docker: in a Debian of its own (debootstrap) with this machine's Node, as the image it begins with has it. Then runs
 * it as `compose.yaml` says: its user and no rights, a root that is only read, places for what it writes, no network;
 * makes a school, starts, asks for its health by its own command, and stops it. As root, on Linux, after
 * `npm run release`.
 */

const place = new URL('../deploy/container/', import.meta.url)
const release = fileURLToPath(new URL('../dist/release/', import.meta.url))
const school = { SCHOOL_ID: 'try', SCHOOL_NAME: '试用学校', ADMIN_PASSWORD: 'Try-Container-92' }

function must(holds: unknown, text: string): asserts holds {
  if (!holds) throw new Error(text)
}

function run(program: string, args: string[], env: Record<string, string | undefined> = process.env): string {
  const { status, stdout, stderr, error } = spawnSync(program, args, {
    encoding: 'utf8',
    env: env as NodeJS.ProcessEnv,
  })
  must(status === 0, `${program} ${args.join(' ').slice(0, 300)}: ${error?.message ?? ''}${stdout}${stderr}`)
  return stdout
}

/** A Debian as small as the image that the Dockerfile begins with, kept for the next time. */
function base(folder: string): string {
  const kept = join(homedir(), '.cache/second-classroom/bookworm')
  if (!existsSync(join(kept, 'done'))) {
    if (spawnSync('sh', ['-c', 'command -v debootstrap']).status !== 0)
      run('sh', ['-c', 'apt-get update -qq && apt-get install -y -qq --no-install-recommends debootstrap'])
    rmSync(kept, { recursive: true, force: true })
    mkdirSync(kept, { recursive: true })
    run('debootstrap', ['--variant=minbase', '--include=ca-certificates', 'bookworm', join(kept, 'root')])
    writeFileSync(join(kept, 'done'), '')
  }
  const own = join(folder, 'base')
  run('cp', ['-a', join(kept, 'root'), own])
  copyFileSync(process.execPath, join(own, 'usr/local/bin/node'))
  chmodSync(join(own, 'usr/local/bin/node'), 0o755)
  return own
}

/** Goes through the steps of a stage. @returns its root, and what it says of how it is run */
function build(stage: Stage, root: string, stages: Map<string, string>) {
  let env: Record<string, string> = {}
  let folder = '/'
  for (const step of stage.steps) {
    const { flags, words } = wordsOf(step)
    if (step.word === 'ENV') env = { ...env, ...settingsOf(step) }
    else if (step.word === 'WORKDIR') mkdirSync(join(root, (folder = step.rest)), { recursive: true })
    else if (step.word === 'RUN')
      run('chroot', [root, 'sh', '-ec', `cd ${folder}; ${step.rest}`], {
        PATH: '/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
        ...env,
      })
    else if (step.word === 'COPY') {
      const from = flags['from'] ? stages.get(flags['from'])! : release
      const to = words.at(-1)!
      const sources = words.slice(0, -1).flatMap((each) =>
        run('sh', ['-c', `ls -d ${join(from, each)}`])
          .trim()
          .split('\n')
          // archives of former versions may lie beside it
          .filter((source) => from !== release || basename(source).includes(`-console-${about.version}-`)),
      )
      for (const source of sources)
        run('cp', [
          '-a',
          '--no-preserve=ownership',
          source,
          to.endsWith('/') ? join(root, folder, to, basename(source)) : join(root, to),
        ])
    } else must(['USER', 'VOLUME', 'EXPOSE', 'STOPSIGNAL', 'HEALTHCHECK', 'CMD'].includes(step.word), `${step.word}?`)
  }
  const of = (word: string) => stage.steps.find((step) => step.word === word)!
  return {
    env,
    folder,
    user: of('USER')?.rest ?? '0:0',
    volume: of('VOLUME')?.rest,
    health: of('HEALTHCHECK'),
    command: of('CMD'),
  }
}

async function tryContainer(folder: string): Promise<void> {
  const began = performance.now()
  const clean = base(folder)
  const stages = new Map<string, string>()
  let image!: ReturnType<typeof build>
  let root = ''
  for (const [at, stage] of stagesOf(new URL('Dockerfile', place)).entries()) {
    root = join(folder, `stage-${at}`)
    run('cp', ['-a', clean, root])
    image = build(stage, root, stages)
    if (stage.name) stages.set(stage.name, root)
  }
  const built = Math.round((performance.now() - began) / 1000)
  const { services } = parse(readFileSync(new URL('compose.yaml', place), 'utf8')) as {
    services: { dekt: { tmpfs: string[]; environment: Record<string, string> } }
  }
  const [uid, gid] = image.user.split(':') as [string, string]
  const data = join(folder, 'data')
  // a new volume takes the rights of the folder that it covers
  run('cp', ['-a', join(root, image.volume!), data])
  const mounts = [
    `mount --bind ${root} ${root}`,
    `mount --bind ${data} ${root}${image.volume}`,
    ...services.dekt.tmpfs.map((each) => {
      const [path, options] = each.split(':', 2) as [string, string]
      return `mount -t tmpfs -o ${options} tmpfs ${root}${path}`
    }),
    `mount -t proc proc ${root}/proc`,
    ...['null', 'zero', 'random', 'urandom'].map(
      (each) => `touch ${root}/dev/${each}; mount --bind /dev/${each} ${root}/dev/${each}`,
    ),
    `mkdir -p ${root}/dev/shm; mount -t tmpfs -o mode=1777,size=256m tmpfs ${root}/dev/shm`,
    `mount -o remount,bind,ro ${root}`,
    'ip link set lo up',
  ]
  const unprivileged = `setpriv --reuid ${uid} --regid ${gid} --clear-groups --bounding-set=-all --inh-caps=-all --no-new-privs`
  const script = `set -e; ${mounts.join('; ')}; cd ${root}; exec chroot ${root} /usr/bin/env -C ${image.folder} ${unprivileged} "$@"`
  const env = { PATH: '/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', ...image.env, ...services.dekt.environment }
  const inside = (args: string[]) => [
    '--mount',
    '--net',
    '--pid',
    '--fork',
    '--kill-child=SIGTERM',
    'sh',
    '-c',
    script,
    '-',
    ...args,
  ]
  const made = spawnSync('unshare', inside(['bin/dekt', 'create-school']), {
    env: { ...env, ...school },
    encoding: 'utf8',
  })
  must(made.stdout.includes('已建立学校'), `create-school: ${made.stdout}${made.stderr}`)
  const child = spawn('unshare', inside(commandOf(image.command)), { env })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)))
  const ended = once(child, 'close')
  try {
    const pid = await processIn(child.pid!)
    const within = (args: string[]) =>
      spawnSync('nsenter', ['-t', pid, '-m', '-n', '-p', '-r', '-S', uid, '-G', gid, '--', ...args], {
        env: { ...env },
        encoding: 'utf8',
      })
    const health = commandOf(image.health)
    for (const until = Date.now() + 120_000; within(health).status !== 0; await sleep(500))
      must(child.exitCode === null && Date.now() < until, `not healthy: ${output}${within(health).stderr}`)
    for (const path of ['/opt/dekt/x', '/etc/x', '/usr/x'])
      must(within(['touch', path]).status !== 0, `${path} can be written`)
    must(/^CapEff:\t0+$/m.test(readFileSync(`/proc/${pid}/status`, 'utf8')), 'it has rights')
    must(statSync(join(data, 'secrets.json')).uid === Number(uid), 'its data are not its own')
    const began2 = performance.now()
    process.kill(Number(pid), 'SIGTERM')
    const [code] = (await ended) as [number]
    must(code === 0 && output.includes('已停止'), `stopped with ${code}: ${output.slice(-2000)}`)
    console.log(
      `image built in ${built} s by its own steps; as ${image.user}, without rights, network or a root to write: school made, healthy, stopped in ${Math.round((performance.now() - began2) / 1000)} s`,
    )
  } finally {
    child.kill('SIGKILL')
  }
}

/** The program that `unshare` began, as the outside knows it. */
async function processIn(parent: number): Promise<string> {
  for (let tries = 0; tries < 100; tries++) {
    const [child] = readFileSync(`/proc/${parent}/task/${parent}/children`, 'utf8').trim().split(' ')
    if (child && readFileSync(`/proc/${child}/comm`, 'utf8').trim() !== 'sh') return child
    await sleep(100)
  }
  throw new Error('it did not start')
}

must(process.getuid?.() === 0, 'as root: Debian, its mounts and its users are made')
must(existsSync(release), 'no release: npm run release first')
const folder = mkdtempSync(join(tmpdir(), 'try-container-'))
chmodSync(folder, 0o755)
try {
  await tryContainer(folder)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
