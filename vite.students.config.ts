import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import react from '@vitejs/plugin-react'
import { build } from 'esbuild'
import { defineConfig, type Plugin } from 'vite'
import { chunk, packagesTold, precompressed, shellTag, wantedBeside } from './vite.config.ts'

/** What the worker is made of. */
const workerPackages = ['workbox-core', 'workbox-precaching', 'workbox-routing', 'workbox-strategies'].map(
  (name) => `node_modules/${name}`,
)

/**
 * What comes together is one file: on a weak network each further one is a wait. The first file needs the first of
 * these, the sign-in page the second besides, the pages of a student the third.
 */
const chunks = [
  chunk(
    'open',
    100,
    'node_modules/(preact|@tanstack|dayjs|@noble/hashes)/',
    'contract/core/(call|fields|file|paging|failure|password-rule|codes/(code-list|platform|programme|school))\\.',
    'contract/school/(session/(session|preferences)|school/school)\\.',
    'contract/student/activities\\.',
    'contract/programme/lessons/(apply-questions|signing)\\.',
    'web/core/service/(api|brand|busy|dictionary-store|empty|notice-store|open-screens|prefs|sha256|site|storage|store|term|use-call|wire)\\.',
    'web/app/(session|theme)\\.',
    'web/student/(first-asks|no-schemas|own-pages|parts/ask-ahead|activities/(ask-activities|activity-filters))\\.',
    'preload-helper',
    'rolldown/runtime',
  ),
  chunk(
    'program',
    90,
    'node_modules/react-router/',
    'contract/core/(quotes|provider-refusals)\\.',
    'contract/school/(identity/identity|session/demo)\\.',
    'web/core/service/notice\\.',
    'web/app/(crash|held|identity|school-field|use-identity-buttons)\\.',
    'web/student/(held|login|main|offline|router|parts/(demo-student|fields|page)|worker/register)\\.',
  ),
  chunk(
    'pages',
    80,
    'contract/school/messages/',
    'web/app/(event-stream|use-unread)\\.',
    'web/student/(frame|parts/(fresh-code|pages-list|pieces|use-pages|use-pull)|activities/(activities|activity|activity-words|filters|stars)|signing/kept-scans)\\.',
  ),
]

/** React's own names, answered by Preact: a seventh of the bytes, and less for a slow phone to read (decision 130). */
const preact = [
  { find: /^react(-dom)?$/, replacement: 'preact/compat' },
  { find: /^react-dom\/client$/, replacement: 'preact/compat/client' },
  { find: /^react\/jsx-runtime$/, replacement: 'preact/jsx-runtime' },
]

/**
 * The students' side under `/m`, built after the console into the same folder and by itself: a phone loads what its own
 * pages need and nothing of the console's kit.
 */
export default defineConfig({
  plugins: [
    react(),
    withoutSchemas(),
    withoutReact(),
    programAhead(),
    keptByWorker(),
    precompressed(),
    packagesTold({ adds: true, also: workerPackages }),
  ],
  resolve: { alias: preact },
  build: {
    // what is in public has come with the console
    copyPublicDir: false,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: resolve('m/index.html'),
      output: { codeSplitting: { groups: chunks } },
      // as in vite.config.ts
      checks: { bundlerTimings: false },
    },
  },
})

/** Leaves out of the contract what only checking needs (`web/student/no-schemas.ts`). */
function withoutSchemas(): Plugin {
  return {
    name: 'without-schemas',
    apply: 'build',
    enforce: 'pre',
    resolveId: (source, importer = '') =>
      source === 'zod' || (source.endsWith('/dictionary.ts') && importer.includes('/contract/'))
        ? resolve('web/student/no-schemas.ts')
        : undefined,
  }
}

/**
 * Refuses what Preact cannot stand for: a package that brings React in by another name, and a part of React that Preact
 * lacks. The router asks itself whether there is `useOptimistic`, and does without.
 */
function withoutReact(): Plugin {
  return {
    name: 'without-react',
    apply: 'build',
    onLog(level, { code, message }) {
      if (code !== 'IMPORT_IS_UNDEFINED') return undefined
      if (message.includes('`useOptimistic`')) return false
      throw new Error(message)
    },
    generateBundle(_, bundle) {
      const modules = Object.values(bundle).flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []))
      const found = modules.find((id) => /node_modules\/(react|react-dom|scheduler)\//.test(id))
      if (found) throw new Error(`the students' pages bring React: ${found}`)
    },
  }
}

/**
 * Has the program loaded beside the first file, which asks for it when it runs, and tells the page which files a
 * signed-in student needs besides: `boot.js` has those loaded.
 */
function programAhead(): Plugin {
  return {
    name: 'program-ahead',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler: (_, { bundle = {} }) => {
        const program = wantedBeside(bundle, '/web/student/main.tsx')
        const shell = wantedBeside(bundle, '/web/student/frame.tsx').filter((href) => !program.includes(href))
        return [
          ...program.map((href) => ({
            tag: 'link',
            attrs: { rel: 'modulepreload', crossorigin: true, href },
            injectTo: 'head' as const,
          })),
          shellTag(shell),
        ]
      },
    },
  }
}

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
