// When the database that is kept of a version may still be written anew, which keep-schema and release ask.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './root.mjs'

/** CHANGELOG.md as it is now. */
export const changelogText = () => readFileSync(join(root, 'CHANGELOG.md'), 'utf8')

/** The versions that a changelog tells as released, by a heading with a date. @param {string} changelog */
export const datedVersions = (changelog) =>
  [...changelog.matchAll(/^## \[(\d[^\]]*)\] - \d{4}-\d{2}-\d{2}\b/gm)].map(([, version]) => version)

/**
 * Whether the database of a version may be kept, in place of one kept before. A version that is dated and whose
 * database is committed has been released: later ones are tested to upgrade what is installed, which is that very one.
 * @param {string} version @param {string} changelog @param {boolean} committed
 */
export const mayKeep = (version, changelog, committed) => !(committed && datedVersions(changelog).includes(version))

/** Whether the kept database of a version is committed; without git, whether it is there. @param {string} version */
export function isCommitted(version) {
  const folder = `server/setup/released/${version}`
  const { status, stdout } = spawnSync('git', ['ls-tree', 'HEAD', folder], { cwd: root, encoding: 'utf8' })
  return status === 0 ? stdout !== '' : existsSync(join(root, folder))
}
