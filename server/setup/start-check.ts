import { assertArchiver } from '../core/backup/archiver.ts'
import type { Config } from '../core/base/config.ts'
import { assertRestored, assertWritable } from '../core/base/data-folder.ts'
import { StartFault } from '../core/base/start-fault.ts'
import { checkEngine } from '../core/database/citus.ts'
import { openDatabase, type Db } from '../core/database/pool.ts'
import { checkPooler } from '../core/database/pooler.ts'
import { schoolBinder } from '../core/database/school-binder.ts'
import { openFiles } from '../core/files/files.ts'
import { lookAtFileStore } from '../core/files/store-mark.ts'
import { readSecrets } from '../core/secrets/secrets.ts'
import { refuseOpenDemo } from '../demo/refuse-in-production.ts'
import { walArchiveOf } from './backup/configured-wal-archive.ts'
import type { Addresses } from './addresses.ts'
import { asStartFault } from './open-services.ts'
import { assertSameDatabase, serviceRoleOf } from './prepare-database.ts'

/** Something that a start looks at, in words, and the look, which writes nothing and throws what the start would. */
interface Check {
  what: string
  look: () => unknown
}

/** What a start of this version would say to its settings and data, in Chinese. */
export interface StartOutlook {
  /** What was found in order. */
  passed: string[]
  /** Why it would be refused. */
  refused: string[]
  /** What could not be looked at now, and why. */
  unknown: string[]
}

/** What a start looks at before it opens the database, in its order. */
export const lookAtPlace = (config: Config): Promise<StartOutlook> =>
  outlookOf(config, [
    { what: '恢复是否完成', look: () => assertRestored(config.dataDir) },
    { what: '数据目录', look: () => assertWritable(config.dataDir) },
    ...(config.walArchive === undefined ? [] : [{ what: '归档位置', look: () => lookAtArchive(config) }]),
  ])

/** What a start looks at in the database and beside it, in its order, but for what it does to the schema. */
export async function lookAtDatabase(config: Config, { connection, direct, owner }: Addresses): Promise<StartOutlook> {
  const { databaseUrl, migrationDatabaseUrl, preparedStatements, databaseEngine, production } = config
  const bind = databaseEngine === 'citus' ? await schoolBinder() : undefined
  const { db, pool, close } = openDatabase(connection, { max: 2, preparedStatements, direct, bind })
  const reading = <R>(look: (db: Db) => Promise<R>): Promise<R> =>
    db.transaction().setAccessMode('read only').execute(look)
  try {
    return await outlookOf(config, [
      ...(databaseUrl === undefined
        ? []
        : [{ what: '连接池', look: () => checkPooler({ connection, direct, owner }, config) }]),
      ...(direct
        ? [{ what: 'DIRECT_DATABASE_URL', look: () => assertSameDatabase(pool, direct, 'DIRECT_DATABASE_URL') }]
        : []),
      ...(databaseUrl === undefined || migrationDatabaseUrl === undefined
        ? []
        : [{ what: 'MIGRATION_DATABASE_URL', look: () => serviceRoleOf(pool, owner) }]),
      { what: 'DATABASE_ENGINE', look: () => checkEngine(owner, databaseEngine) },
      { what: '密钥', look: () => reading((tx) => readSecrets(tx, config)) },
      { what: '文件存储', look: () => reading((tx) => lookAtFileStore(tx, openFiles(config))) },
      ...(production ? [{ what: '演示学校', look: () => reading((tx) => lookForDemo(tx, config)) }] : []),
    ])
  } finally {
    await close()
  }
}

async function lookAtArchive(config: Config): Promise<void> {
  await walArchiveOf(config)
  await assertArchiver(config.walArchive!, config.dataDir)
}

async function lookForDemo(db: Db, config: Config): Promise<void> {
  const secrets = await readSecrets(db, config)
  if (secrets) await refuseOpenDemo({ db, secrets })
}

async function outlookOf(config: Config, checks: Check[]): Promise<StartOutlook> {
  const outlook: StartOutlook = { passed: [], refused: [], unknown: [] }
  for (const { what, look } of checks)
    try {
      await look()
      outlook.passed.push(what)
    } catch (error) {
      const fault = asStartFault(error, config)
      if (!(fault instanceof StartFault)) outlook.unknown.push(`${what}：${reasonOf(error)}`)
      // of an address that leads nowhere several checks say the same
      else if (!outlook.refused.includes(fault.message)) outlook.refused.push(fault.message)
    }
  return outlook
}

/** Why something could not be looked at: a database of an older version may lack what this one reads. */
function reasonOf(error: unknown): string {
  const { code, message } = error as { code?: string; message: string }
  return ['42703', '42P01'].includes(code ?? '') ? '数据库还是较旧的结构，启动时才能核对' : message
}
