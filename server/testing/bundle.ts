import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const modules = fileURLToPath(new URL('../../node_modules/', import.meta.url))

/** Bundles a program of ours for tests that start it as a process of its own, many times. Returns its path and a way to remove it. */
export async function bundleProgram(source: URL): Promise<{ path: string; remove: () => void }> {
  mkdirSync(join(modules, '.cache'), { recursive: true })
  // below node_modules, so that the packages left outside are found from there
  const folder = mkdtempSync(join(modules, '.cache', 'program-'))
  const path = join(folder, 'program.mjs')
  await build({ entryPoints: [fileURLToPath(source)], outfile: path, bundle: true, platform: 'node', format: 'esm', packages: 'external', target: 'node20', logLevel: 'error' })
  return { path, remove: () => rmSync(dirname(path), { recursive: true, force: true }) }
}
