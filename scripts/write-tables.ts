import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbedded } from '../server/core/database/embedded.ts'
import { migrate } from '../server/core/database/migrate.ts'
import { tableTypes } from '../server/core/database/table-types.ts'
import { migrations } from '../server/migrations/index.ts'

/** npm run tables: writes server/core/database/tables.ts from a database that all migrations have run on. */
const dataDir = mkdtempSync(join(tmpdir(), 'console-tables-'))
chmodSync(dataDir, 0o755)
const database = await startEmbedded({ dataDir, forTests: true })
try {
  await migrate(database.connection, migrations)
  writeFileSync(new URL('../server/core/database/tables.ts', import.meta.url), await tableTypes(database.connection))
} finally {
  await database.stop()
  rmSync(dataDir, { recursive: true })
}
