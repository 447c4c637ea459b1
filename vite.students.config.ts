import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import react from '@vitejs/plugin-react'
import { build } from 'esbuild'
import { defineConfig, type Plugin } from 'vite'
import { packagesTold, precompressed } from './vite.config.ts'

/** What the worker is made of. */
const workerPackages = ['workbox-core', 'workbox-precaching', 'workbox-routing', 'workbox-strategies'].map(
  (name) => `node_modules/${name}`,
)

/**
 * The students' side under `/m`, built after the console into the same folder and by itself: a phone loads what its own
 * pages need and nothing of the console's kit.
 */
export default defineConfig({
  plugins: [react(), keptByWorker(), precompressed(), packagesTold({ adds: true, also: workerPackages })],
  build: {
    // what is in public has come with the console
    copyPublicDir: false,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: { input: resolve('m/index.html') },
  },
})

/** Files of `public` that the page asks for. */
const publicFiles = ['boot.js', 'favicon.svg', 'm/manifest.webmanifest']

const revisionOf = (content: string | Uint8Array): string =>
  createHash('sha256').update(content).digest('hex').slice(0, 16)

/**
 * Builds the worker that keeps the files of this build on the phone (web/student/worker/worker.ts), and tells it which
 * these are. Names with a hash are their own revision.
 */
function keptByWorker(): Plugin {
  return {
    name: 'kept-by-worker',
    apply: 'build',
    enforce: 'post',
    generateBundle: {
      order: 'post',
      async handler(_, bundle) {
        const built = Object.values(bundle).map((file) => ({
          url: `/${file.fileName}`,
          revision: file.fileName.endsWith('.html') ? revisionOf((file as { source: string }).source) : null,
        }))
        if (!built.some(({ revision }) => revision)) throw new Error('the build has no page')
        const others = publicFiles.map((name) => ({
          url: `/${name}`,
          revision: revisionOf(readFileSync(`public/${name}`)),
        }))
        const { outputFiles } = await build({
          entryPoints: [resolve('web/student/worker/worker.ts')],
          bundle: true,
          write: false,
          minify: true,
          format: 'iife',
          target: 'es2020',
          define: { shellFiles: JSON.stringify([...built, ...others]), 'process.env.NODE_ENV': '"production"' },
        })
        this.emitFile({ type: 'asset', fileName: 'm/worker.js', source: outputFiles[0]!.text })
      },
    },
  }
}
