import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const file = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

export default defineConfig({
  // both builds of the router would be loaded otherwise, each with its own context
  resolve: {
    alias: [
      { find: /^react-router$/, replacement: file('./node_modules/react-router/dist/development/index.mjs') },
      { find: /^react-router\/dom$/, replacement: file('./node_modules/react-router/dist/development/dom-export.mjs') },
    ],
  },
  test: {
    include: ['*.test.ts', '{contract,server,web,scripts,bench}/**/*.test.{ts,tsx}'],
    globalSetup: ['server/testing/database.setup.ts'],
    pool: 'forks',
    // the files of a process share its modules: reading the whole service anew for each of them took longer than their
    // tests
    isolate: false,
    setupFiles: ['server/testing/each-file.ts'],
    // by itself it leaves one core to somebody who watches
    maxWorkers: availableParallelism(),
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
})
