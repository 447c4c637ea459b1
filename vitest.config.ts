import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

const file = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

/** Files that take the longest without being the largest. */
const slowFiles = [
  'server/setup/backup/point-in-time.test.ts',
  'server/demo/demo-any.test.ts',
  'server/setup/backup/backup.test.ts',
  'server/setup/school-move/school-move.test.ts',
  'server/contract.test.ts',
  'server/web-processes.test.ts',
  'server/setup/backup/other-databases.test.ts',
  'server/setup/backup/interrupted.test.ts',
  'server/setup/school-archive/school-archive.test.ts',
  'server/main.test.ts',
  'server/setup/schools/remove.test.ts',
  'server/core/database/stepwise.test.ts',
  'server/first-start.test.ts',
  'server/permission-matrix.test.ts',
  'server/platform/imports/long.test.ts',
  'server/setup/backup/drill.test.ts',
  'server/drain.test.ts',
  'server/outcomes/statistics/statistics.property.test.ts',
  'server/core/postgres/crash.test.ts',
  'server/exports.scope.test.ts',
]

/** Begins with the slow files: one that begins last leaves the other cores waiting. */
class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const isSlow = ({ moduleId }: TestSpecification) => slowFiles.some((name) => moduleId.endsWith(name))
    return [...sorted.filter(isSlow), ...sorted.filter((spec) => !isSlow(spec))]
  }
}

export default defineConfig({
  resolve: {
    alias: [
      { find: '@node-rs/argon2', replacement: file('./server/testing/cheap-argon2.ts') },
      // both builds of the router would be loaded otherwise, each with its own context
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
    // one more than there are cores: some tests wait for minutes, for PostgreSQL to give up or to try again
    maxWorkers: availableParallelism() + 1,
    sequence: { sequencer: SlowFirst },
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
})
