import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbedded } from '../server/core/postgres/embedded.ts'
import { migrate } from '../server/core/database/migrate.ts'
import { schemaFiles } from '../server/testing/schema-files.ts'
import { migrations } from '../server/migrations/index.ts'

/** npm run schema: writes everything that tells of the schema, from a database that all migrations have run on. */
const dataDir = mkdtempSync(join(tmpdir(), 'console-schema-'))
chmodSync(dataDir, 0o755)
const database = await startEmbedded({ dataDir, forTests: true })
try {
  await migrate(database.connection, migrations)
  for (const [file, textOf] of Object.entries(schemaFiles))
    writeFileSync(new URL(`../${file}`, import.meta.url), await textOf(database.connection))
} finally {
  await database.stop()
  rmSync(dataDir, { recursive: true })
}
