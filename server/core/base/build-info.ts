import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** Which program this is. */
interface BuildInfo {
  /** As in package.json, by semantic versioning. */
  version: string
  /** Commit it was built from, followed by `-dirty` where files differed from it; null where nothing tells. */
  commit: string | null
  /** Moment of building in ISO 8601, UTC; null for a program that runs from its sources. */
  builtAt: string | null
}

/** Lies beside the bundle, written by `scripts/build.mjs`. */
const built = fileURLToPath(new URL('./build.json', import.meta.url))
/** Of the sources, and of a bundle whose note is missing. */
const manifests = ['../../../package.json', '../../package.json'].map((path) =>
  fileURLToPath(new URL(path, import.meta.url)),
)

let known: BuildInfo | undefined

/** What was written down when this program was built; of one that runs from its sources only the version is known. */
export const buildInfo = (): BuildInfo => (known ??= read())

function read(): BuildInfo {
  if (existsSync(built)) return JSON.parse(readFileSync(built, 'utf8')) as BuildInfo
  const manifest = manifests.find(existsSync)
  const { version } = manifest ? (JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }) : { version: '?' }
  return { version, commit: null, builtAt: null }
}
