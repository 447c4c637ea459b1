import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { defineConfig, type HtmlTagDescriptor, type IndexHtmlTransformContext, type Plugin, type Rolldown } from 'vite'

/** The service that a development server passes calls on to. */
const service = process.env['SERVICE'] ?? 'http://127.0.0.1:8080'

/** What a development server passes on: whatever the service answers besides pages. */
const passedOn = ['/api', '/credentials', '/healthz', '/readyz']

const kit = (...parts: string[]) => `node_modules/(antd/es|@rc-component)/(${parts.join('|')})/`
/** A file of the build: what belongs to it by the ends of its paths; the higher priority takes a module. */
export const chunk = (name: string, priority: number, ...tests: string[]) => ({
  name,
  priority,
  test: new RegExp(tests.join('|')),
})

/** Where the list of courses begins: what these ask for is read before it stands. */
const firstList = ['web/main.tsx', 'web/app/shell.tsx', 'web/programme/lessons/lesson-list.page.tsx']

/**
 * A chunk of what the list of courses needs and, beside it (`-later`), one of what belongs there too and only other
 * screens need.
 */
const chunksByFirstList = (name: string, priority: number, ...tests: string[]) => [
  {
    ...chunk(name, priority, ...tests),
    debugName: name,
    name: (module: string, context: Rolldown.ChunkingContext) => (isOfFirstList(module, context) ? name : null),
  },
  chunk(`${name}-later`, priority - 1, ...tests),
]

/** What the list of courses needs; known once the first module is asked about, when all have been read. */
let ofFirstList: Set<string> | undefined
const isOfFirstList = (module: string, context: Rolldown.ChunkingContext): boolean =>
  (ofFirstList ??= withImportsOf(firstList, context)).has(module)

/** The modules of these paths, and all that they import from the beginning. */
function withImportsOf(paths: string[], context: Rolldown.ChunkingContext): Set<string> {
  const found = new Set(paths.map((path) => resolve(path)))
  const missing = [...found].filter((module) => !context.getModuleInfo(module))
  if (missing.length > 0) throw new Error(`the build has no ${missing.join(', ')}`)
  for (const module of found)
    for (const imported of context.getModuleInfo(module)?.importedIds ?? []) found.add(imported)
  return found
}

/**
 * What is always wanted together is one chunk: dozens of small ones cost more in heads and in worse compression than
 * they save. A chunk takes the dependencies of its modules along unless one of higher priority has them, so what the
 * login page needs comes first. Everything else is split by the bundler, screen by screen.
 */
const chunks = [
  chunk(
    'base',
    100,
    'node_modules/(react|react-dom|scheduler|react-router|zod|@noble/hashes)/',
    'contract/core/(call|fields|paging|file|password-rule|provider-refusals|quotes|codes/(code-list|platform|school))\\.',
    'contract/school/(identity/identity|session/(session|preferences|demo)|school/school)\\.',
    'web/core/\\w+/(api|brand|busy|dictionary-store|draft|empty|notice|notice-store|open-screens|prefs|sha256|site|storage|store|term|wire)\\.',
    'web/app/(session|theme|crash|public-)',
    'preload-helper',
    'rolldown/runtime',
  ),
  ...chunksByFirstList('icons', 95, 'node_modules/@ant-design/icons').map((icons) => ({ ...icons, minShareCount: 2 })),
  chunk(
    'kit',
    90,
    kit(
      '_util',
      'button',
      'input',
      'theme',
      'style',
      'modal',
      'menu',
      'dropdown',
      'tooltip',
      'popover',
      'form',
      'config-provider',
      'trigger',
      'motion',
      'portal',
      'dialog',
      'overflow',
      'resize-observer',
      'util',
      'skeleton',
      'empty',
      'space',
      'progress',
    ),
    'node_modules/(@ant-design/(?!icons)|@tanstack/|stylis/)',
    'node_modules/(antd|@rc-component)/.*/locale/',
    'node_modules/dayjs/dayjs',
    'web/core/\\w+/(action-dialog|action|form-field|buttons|rights|tab|use-call|prefs|use-width|schema|page-head|empty-state|quiet-icon)\\.',
  ),
  chunk(
    'controls',
    80,
    kit(
      'select',
      'virtual-list',
      'checkbox',
      'radio',
      'table',
      'pagination',
      'spin',
      'context',
      'cascader',
      'segmented',
    ),
    // tables and cascades reckon with parts of the tree that they do not draw
    'node_modules/@rc-component/tree/es/util',
  ),
  // the warnings' calls are made of it: screens that only lead to them need no charts, and charts no lists
  chunk('statistics-schema', 76, 'contract/outcomes/statistics/statistics\\.schema\\.'),
  // read once somebody chooses days
  chunk('calendars', 75, kit('date-picker', 'time-picker', 'picker'), 'node_modules/dayjs/plugin/'),
  ...chunksByFirstList(
    'records',
    70,
    'contract/(core|school/(people|organisation|messages)|programme/lessons|rules/(curriculum|awards)|platform/(imports|files))/',
    'web/core/\\w+/(list-|columns|use-(?!initial|import)|filters|fields|dialog-form|scoped-form|dictionary-text|pagination|phone-list|row-actions|export|import-button|date-|tree(?!-fields)|cascade-|switch-filter|open-screens|presence|term)',
    'web/shared/.*/(places|curriculum-tree|lesson-status|supplement-status|circle-class-filter|rules|flow-paths|warn-tones)\\.',
    'web/(shared/lessons/lessons|core/parts/small-table)\\.',
  ),
  chunk(
    'forms',
    65,
    'web/core/\\w+/(tree-fields|form-page|use-initial-data|leave-button|file-fields|image-field|stored-file)\\.',
    kit('tree', 'tree-select', 'alert'),
  ),
  chunk(
    'figures',
    60,
    'web/outcomes/statistics/',
    'web/shared/dashboard/',
    'contract/outcomes/statistics/',
    'web/core/chart/chart(-text)?\\.',
  ),
]

export default defineConfig({
  plugins: [react(), studentsPages(), shellAhead(), precompressed(), packagesTold()],
  // the kit's icons are drawn by quiet-icon.tsx, which keeps their English names to itself
  resolve: {
    alias: [
      { find: /^\.\.\/components\/AntdIconLight$/, replacement: resolve('web/core/parts/quiet-icon.tsx') },
      { find: /^\.\/FilterDropdown$/, replacement: resolve('web/core/list/no-column-filters.ts') },
    ],
  },
  build: {
    outDir: 'dist/web',
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 1200,
    modulePreload: { polyfill: false },
    // how long the compression of what was built takes is no warning to whoever starts the program for the first time
    rolldownOptions: { output: { codeSplitting: { groups: chunks } }, checks: { bundlerTimings: false } },
  },
  // the database writes below data all the time; watching that would keep a core busy
  server: {
    // under the browser's own address: a sign-in with a provider comes back to it
    proxy: Object.fromEntries(passedOn.map((path) => [path, { target: service, changeOrigin: false }])),
    watch: { ignored: ['**/data/**', '**/dist/**', '**/test-results/**'] },
  },
})

/** A development server gives the students' page for every screen under `/m`, as the service does once it is built. */
function studentsPages(): Plugin {
  return {
    name: 'students-pages',
    apply: 'serve',
    configureServer: ({ middlewares }) => {
      middlewares.use((request, _, next) => {
        if (/^\/m(\/[^.?]*)?(\?|$)/.test(request.url ?? '')) request.url = '/m/index.html'
        next()
      })
    },
  }
}

/**
 * Tells the page which files the shell consists of: whoever is signed in has them loaded by `boot.js` while the first
 * ones are still being read.
 */
function shellAhead(): Plugin {
  return {
    name: 'shell-ahead',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler: (_, { bundle = {} }) => [shellTag(wantedBeside(bundle, '/web/app/shell.tsx'))],
    },
  }
}

/** Names the files that `boot.js` has loaded for whoever is signed in. */
export const shellTag = (files: readonly string[]): HtmlTagDescriptor => ({
  tag: 'meta',
  attrs: { name: 'shell', content: files.join(' ') },
  injectTo: 'head-prepend',
})

type Bundle = NonNullable<IndexHtmlTransformContext['bundle']>

/**
 * The addresses of the files that a module comes with, without those that the page asks for anyway.
 * @param module how its path ends; it is fetched later than the page's own script
 */
export function wantedBeside(bundle: Bundle, module: string): string[] {
  const files = Object.values(bundle).filter((file) => file.type === 'chunk')
  /** The files of these names and all that they import from the beginning. */
  const withImports = (names: string[], known = new Set<string>()): Set<string> => {
    for (const { fileName, imports } of files.filter(
      (file) => names.includes(file.fileName) && !known.has(file.fileName),
    ))
      withImports(imports, known.add(fileName))
    return known
  }
  const wanted = files.find(({ moduleIds }) => moduleIds.some((id) => id.endsWith(module)))
  const entry = files.find(({ isEntry }) => isEntry)
  if (!wanted || !entry) throw new Error(`the build has no ${module}`)
  const first = withImports([entry.fileName])
  return [...withImports([wanted.fileName])].filter((name) => !first.has(name)).map((name) => `/${name}`)
}

/**
 * Writes beside the console which packages are in it, for the notices of a release (`scripts/notices.mjs`).
 * @param adds for a build that comes after another one, whose packages stay on the list
 * @param also packages that are built in by other means
 */
export function packagesTold({ adds = false, also = [] }: { adds?: boolean; also?: string[] } = {}): Plugin {
  return {
    name: 'packages-told',
    apply: 'build',
    async writeBundle({ dir }, bundle) {
      const modules = Object.values(bundle).flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []))
      const names = modules.flatMap((id) => /.*\/(node_modules\/(?:@[^/]+\/)?[^/]+)/.exec(id)?.[1] ?? [])
      const file = join(dir!, '../web-packages.json')
      const before = adds ? (JSON.parse(await readFile(file, 'utf8')) as string[]) : []
      await writeFile(file, `${JSON.stringify([...new Set([...before, ...names, ...also])].sort(), null, 2)}\n`)
    },
  }
}

/** Leaves a brotli and a gzip copy beside every text file, so that the service never compresses on the way. */
export function precompressed(): Plugin {
  let folder = ''
  return {
    name: 'precompressed',
    apply: 'build',
    configResolved: (config) => {
      folder = resolve(config.root, config.build.outDir)
    },
    writeBundle: async () => {
      const entries = await readdir(folder, { recursive: true, withFileTypes: true })
      const known = new Set(entries.map((entry) => join(entry.parentPath, entry.name)))
      const texts = entries.filter(
        (entry) =>
          entry.isFile() &&
          /\.(js|css|html|svg|json)$/.test(entry.name) &&
          !known.has(`${join(entry.parentPath, entry.name)}.br`),
      )
      await Promise.all(
        texts.map(async (entry) => {
          const path = join(entry.parentPath, entry.name)
          const content = await readFile(path)
          const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: content.length }
          await writeFile(`${path}.br`, await promisify(brotliCompress)(content, { params }))
          await writeFile(`${path}.gz`, await promisify(gzip)(content, { level: 9 }))
        }),
      )
    },
  }
}
