import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

/** The service that a development server passes calls on to. */
const service = process.env['SERVICE'] ?? 'http://127.0.0.1:8080'

const kit = (...parts: string[]) => new RegExp(`node_modules/(antd/es|@rc-component)/(${parts.join('|')})/`)

/**
 * What is always wanted together is one chunk: dozens of small ones cost more in heads and in worse compression than they
 * save. Everything else is split by the bundler, screen by screen.
 */
const chunks = [
  { name: 'dates', test: kit('date-picker', 'time-picker', 'picker'), priority: 60 },
  { name: 'trees', test: kit('tree', 'tree-select', 'cascader'), priority: 60 },
  { name: 'choices', test: kit('select', 'virtual-list', 'checkbox', 'radio'), priority: 50 },
  { name: 'list', test: new RegExp(`${kit('table', 'pagination', 'spin', 'context').source}|web/core/(list-|columns|use-list|filters|row-acts|page-head|status-chip|dict\\.)`), priority: 40 },
  {
    name: 'kit',
    test: new RegExp(`${kit('_util', 'button', 'input', 'theme', 'style', 'modal', 'menu', 'dropdown', 'tooltip', 'popover', 'form', 'config-provider', 'trigger', 'motion', 'portal', 'dialog', 'overflow', 'resize-observer', 'util', 'skeleton', 'empty', 'space').source}|node_modules/(@ant-design/(cssinjs|colors|fast-color)|@tanstack|stylis)`),
    priority: 30,
  },
]

export default defineConfig({
  plugins: [react(), precompressed()],
  build: {
    outDir: 'dist/web',
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 1200,
    modulePreload: { polyfill: false },
    rolldownOptions: { output: { codeSplitting: { groups: chunks } } },
  },
  // the database writes below data all the time; watching that would keep a core busy
  server: { proxy: { '/api': service }, watch: { ignored: ['**/data/**', '**/dist/**', '**/test-results/**'] } },
})

/** Leaves a brotli and a gzip copy beside every text file, so that the service never compresses on the way. */
function precompressed(): Plugin {
  let folder = ''
  return {
    name: 'precompressed',
    apply: 'build',
    configResolved: (config) => {
      folder = resolve(config.root, config.build.outDir)
    },
    closeBundle: async () => {
      const entries = await readdir(folder, { recursive: true, withFileTypes: true })
      const texts = entries.filter((entry) => entry.isFile() && /\.(js|css|html|svg|json)$/.test(entry.name))
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
