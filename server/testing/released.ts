import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gunzipSync, gzipSync } from 'node:zlib'
import type { SchoolSum } from '../core/backup/manifest.ts'

const folder = fileURLToPath(new URL('../setup/released/', import.meta.url))

export interface ReleasedTable {
  name: string
  rows: number
}

/** The database of a version that was released, as a small demo school left it. */
export interface Release {
  version: string
  /** What wrote the dump. */
  postgres: string
  /** That had run, in their order. */
  migrations: string[]
  /** Of that demo school and of nothing else, as settings take them. */
  secrets: { pepper: string; fieldKey: string }
  tables: ReleasedTable[]
  schools: SchoolSum[]
}

/** The versions whose databases are kept, in any order. */
export const releasedVersions = (): string[] => (existsSync(folder) ? readdirSync(folder) : [])

/** What is told about a kept database. */
export const releaseOf = (version: string): Release =>
  JSON.parse(readFileSync(join(folder, version, 'about.json'), 'utf8')) as Release

/** The statements that make a kept database in an empty one. */
export const dumpOf = (version: string): string =>
  gunzipSync(readFileSync(join(folder, version, 'dump.sql.gz'))).toString()

/** SHA-256 of all that is kept of a version. */
export function sumOf(version: string): string {
  const sum = createHash('sha256')
  for (const name of ['about.json', 'dump.sql.gz']) sum.update(readFileSync(join(folder, version, name)))
  return sum.digest('hex')
}

/** Keeps the database of a version; one kept before under that version is replaced. @returns the folder */
export function keepRelease(release: Release, dump: string): string {
  const path = join(folder, release.version)
  mkdirSync(path, { recursive: true })
  writeFileSync(join(path, 'about.json'), `${JSON.stringify(release, null, 2)}\n`)
  writeFileSync(join(path, 'dump.sql.gz'), gzipSync(dump, { level: 9 }))
  return path
}
