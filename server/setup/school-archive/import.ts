import { createReadStream, existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { Failure } from '../../../contract/core/failure.ts'
import type { Config } from '../../core/base/config.ts'
import { StartFault } from '../../core/base/start-fault.ts'
import { assertOpens, checkParts, countRows, textOf } from '../../core/backup/check-backup.ts'
import type { DecryptionKey } from '../../core/backup/keys.ts'
import { analyze, differences } from '../../core/backup/load-rows.ts'
import {
  partPath,
  readIndex,
  type Backup,
  type SchoolSum,
  type StoredFile,
  type TablePart,
} from '../../core/backup/manifest.ts'
import { readPart } from '../../core/backup/parts.ts'
import type { Progress } from '../../core/backup/write-backup.ts'
import type { Connection } from '../../core/database/connection.ts'
import { storeMark, whileAlone } from '../../core/database/owner-queries.ts'
import { openFiles } from '../../core/files/files.ts'
import { assertOwnStore } from '../../core/files/store-mark.ts'
import { loadSecrets, secretsOf, type Secrets } from '../../core/secrets/secrets.ts'
import { archiveFolder, secretsText } from '../backup/back-up.ts'
import type { ReachedDatabase } from '../backup/reach-database.ts'
import { restoreFile } from '../backup/restore.ts'
import { schoolQueries } from './contents.ts'
import { inOrderOfReference, withOwner, withoutTriggers } from './owner.ts'
import { resealed } from './reseal.ts'

interface Importing {
  backup: Backup
  identity: DecryptionKey
  onProgress: Progress
  /** Only tried: everything is written and taken back. Files stay: contents never change under their key. */
  isRehearsal?: boolean
}

/** Thrown at the end of a rehearsal, so that its transaction is taken back. */
class RehearsalOver extends Error {}

/** Set by PostgreSQL where a value is there already that may be there once. */
const uniqueViolation = '23505'

/**
 * Puts the school of an archive into an installation beside those that it has; all or nothing. Everything that can be
 * refused is refused before anything is written.
 * @returns the school, and what to tell of what was to follow, where that failed
 * @throws StartFault
 */
export async function importSchool(
  config: Config,
  { connection }: ReachedDatabase,
  importing: Importing,
): Promise<{ school: string; faults: string[] }> {
  const { backup, identity } = importing
  const { school } = backup.manifest
  if (!school) throw new StartFault('这是整个安装的备份，不是学校的归档。请用 dekt restore 恢复。')
  secretsText(config)
  await assertOpens(backup, identity)
  return withOwner(connection, async (client) => {
    const alone = await whileAlone(client, 'school-import', school, () =>
      importAlone(client, config, connection, importing, school),
    )
    if (!alone) throw new StartFault(`学校 ${school} 的另一次导入正在进行，请等它结束。没有导入任何内容。`)
    return { school, faults: alone.done }
  })
}

async function importAlone(
  client: pg.Client,
  config: Config,
  connection: Connection,
  { backup, identity, onProgress, isRehearsal = false }: Importing,
  school: string,
): Promise<string[]> {
  const { folder, manifest } = backup
  await assertSameVersion(client, backup)
  await assertOwnStore(await storeMark(client), openFiles(config))
  await assertFree(client, backup, school)
  await checkParts(backup, (text, share) => onProgress(text, 0.2 * share))
  await countRows(backup, identity, (text, share) => onProgress(text, 0.2 + 0.2 * share))
  const kept = JSON.parse(await textOf(await readPart(partPath.secrets(folder), identity))) as Record<
    'pepper' | 'fieldKey',
    string
  >
  const secrets = {
    from: secretsOf({ pepper: Buffer.from(kept.pepper, 'hex'), fieldKey: Buffer.from(kept.fieldKey, 'hex') }),
    to: loadSecrets(config),
  }
  const written: StoredFile[] = []
  try {
    for (const [at, file] of readIndex(folder).entries()) {
      onProgress(`文件 ${at + 1}/${manifest.files.count}`, 0.4 + (0.2 * at) / manifest.files.count)
      // an archive lies in a folder that nothing sweeps
      if (file.kind === 'archive' && isRehearsal) continue
      // a rehearsal has brought most of them
      if (await isThere(config, file)) continue
      written.push(file)
      await restoreFile(config, backup.place, file, identity)
    }
    await importRows(client, { backup, identity, onProgress, isRehearsal }, school, secrets)
  } catch (error) {
    if (error instanceof RehearsalOver) return []
    // the answer to the end of the transaction may be lost: then the school is there and needs them
    if (!(await isSchoolThere(connection, school))) await takeFilesBack(config, written)
    const { code, table } = error as { code?: string; table?: string }
    if (code === uniqueViolation)
      throw new StartFault(`编号冲突：归档中表 ${table} 的一行在这个安装中已经存在。没有导入任何内容。`)
    throw error
  }
  // the school is there now: what fails from here on is told and takes nothing back
  const unstored = await storeArchives(client, config, school).then(
    () => undefined,
    (error: Error) =>
      `操作日志的归档没有放入文件存储（${error.message}）。它们在 ${archiveFolder(config.dataDir)} 中，程序下次启动时会补做。`,
  )
  onProgress('正在统计数据分布（analyze）', 0.98)
  return [unstored, await analyze(client)].filter((fault) => fault !== undefined)
}

/** Asked over a connection of its own, for the one that was used may be lost; where nobody answers, it may be there. */
const isSchoolThere = (connection: Connection, school: string): Promise<boolean> =>
  withOwner(
    connection,
    async (client) => (await client.query('select from "school" where "schoolId" = $1', [school])).rowCount === 1,
  ).catch(() => true)

async function assertSameVersion(client: pg.Client, { manifest }: Backup): Promise<void> {
  const { rows } = await client.query<{ name: string }>('select name from kysely_migration order by name')
  const here = rows.map(({ name }) => name)
  const [newer] = manifest.migrations.filter((name) => !here.includes(name))
  const [older] = here.filter((name) => !manifest.migrations.includes(name))
  if (newer || older)
    throw new StartFault(
      `版本不同：归档由${newer ? '较新' : '较旧'}的程序（${manifest.program}）写成，${newer ? `含 ${newer}` : `没有 ${older}`}。请把两边升级到同一版本后，重新导出再导入。`,
    )
}

/** Refuses what is there already: the school, anything left of it, and contents under the same keys. */
async function assertFree(client: pg.Client, { folder, manifest }: Backup, school: string) {
  for (const { name } of manifest.tables) {
    const { rowCount } = await client.query(`select from ${pg.escapeIdentifier(name)} where "schoolId" = $1 limit 1`, [
      school,
    ])
    if (rowCount)
      throw new StartFault(`学校 ${school} 在这个安装中已经存在（表 ${name} 中有它的数据）。没有导入任何内容。`)
  }
  const files = readIndex(folder)
  const keys = files.filter(({ kind }) => kind === 'file').map(({ key }) => key)
  const archives = files.filter(({ kind }) => kind === 'archive').map(({ key }) => key)
  const { rowCount } = await client.query(
    `select from "file" where "storeKey" = any($1::text[])
    union all select from "transcriptBatch" where "storeKey" = any($1::text[])
    union all select from "backgroundTask" where "storeKey" = any($1::text[])
    union all select from "auditArchive" where "fileName" = any($2::text[])`,
    [keys, archives],
  )
  if (rowCount) throw new StartFault('归档中的文件在这个安装中已经存在。没有导入任何内容。')
}

async function importRows(
  client: pg.Client,
  { backup, identity, onProgress, isRehearsal }: Importing,
  school: string,
  { from, to }: { from: Secrets; to: Secrets },
): Promise<void> {
  const { folder, manifest } = backup
  const byName = new Map(manifest.tables.map((table) => [table.name, table]))
  const order = await inOrderOfReference(client, [...byName.keys()])
  await withoutTriggers(client, order, async () => {
    for (const [at, name] of order.entries()) {
      const table = byName.get(name)!
      onProgress(`数据表 ${at + 1}/${order.length} ${name}（${table.rows} 行）`, 0.6 + (0.38 * at) / order.length)
      const rows = await readPart(partPath.table(folder, name), identity)
      await copyRows(client, table, resealed(table, rows, from, to))
      const { rows: own } = await client.query<{ n: number }>(
        `select count(*)::int n from ${pg.escapeIdentifier(name)} where "schoolId" = $1`,
        [school],
      )
      if (own[0]!.n !== table.rows)
        throw new StartFault(
          `归档与清单不符：表 ${name} 应有 ${table.rows} 行属于学校 ${school}，实有 ${own[0]!.n} 行。`,
        )
    }
    for (const { table, column, last } of manifest.counters) await raiseCounter(client, table, column, last)
    const { rows: sums } = await client.query<SchoolSum>(schoolQueries(school).schools)
    const wrong = differences(manifest.schools, sums)
    if (wrong.length > 0) throw new StartFault(`导入的数据与清单不符：${wrong.join('；')}。`)
    if (isRehearsal) throw new RehearsalOver()
  })
}

async function copyRows(client: pg.Client, { name, columns, rows }: TablePart, source: NodeJS.ReadableStream) {
  const list = columns.map((column) => pg.escapeIdentifier(column)).join(', ')
  const target = client.query(copyFrom(`copy ${pg.escapeIdentifier(name)} (${list}) from stdin`))
  await pipeline(source, target)
  if (target.rowCount !== rows)
    throw new StartFault(`归档与清单不符：表 ${name} 应有 ${rows} 行，实有 ${target.rowCount} 行。`)
}

/** Numbers that the other installation gave out are never given out again; those of this one neither. */
async function raiseCounter(client: pg.Client, table: string, column: string, last: number): Promise<void> {
  const { rows } = await client.query<{ sequence: string }>(
    'select pg_get_serial_sequence(quote_ident($1), $2) "sequence"',
    [table, column],
  )
  const { sequence } = rows[0]!
  await client.query(`select setval($1, $2) from ${sequence} where last_value < $2`, [sequence, last])
}

/** Puts the archives of the trail into the store, from where the processes of all machines read them. */
async function storeArchives(client: pg.Client, config: Config, school: string): Promise<void> {
  const { rows } = await client.query<{ key: string; storeKey: string }>(schoolQueries(school).archives)
  for (const { key, storeKey } of rows) {
    const path = join(archiveFolder(config.dataDir), key)
    if (existsSync(path)) await openFiles(config).put(createReadStream(path), { storeKey })
  }
}

/** Whether a content of the store is there already: one under the same key is the same. */
async function isThere(config: Config, { kind, key }: Pick<StoredFile, 'kind' | 'key'>): Promise<boolean> {
  if (kind !== 'file') return false
  try {
    ;(await openFiles(config).get(key)).destroy()
    return true
  } catch (error) {
    if (error instanceof Failure && error.reason === 'not-found') return false
    throw error
  }
}

/** What this import has written before the rows were refused. */
async function takeFilesBack(config: Config, written: readonly StoredFile[]): Promise<void> {
  const files = openFiles(config)
  for (const { kind, key } of written)
    if (kind === 'file') await files.remove(key).catch(() => {})
    else rmSync(join(archiveFolder(config.dataDir), key), { force: true })
}
