import { createHash } from 'node:crypto'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { checkParts } from '../../core/backup/check-backup.ts'
import { partPath, type Backup } from '../../core/backup/manifest.ts'
import type { Progress } from '../../core/backup/write-backup.ts'
import { StartFault } from '../../core/base/start-fault.ts'
import { installationHash, schoolTables, whileAlone } from '../../core/database/owner-queries.ts'
import { wallClockText } from '../../core/database/wall-clock.ts'
import type { FileStore } from '../../core/files/files.ts'
import { movesByItself, schoolQueries, staysBehind } from '../school-archive/contents.ts'
import { inOrderOfReference, withoutTriggers } from '../school-archive/owner.ts'

/** Rows removed in one transaction: others wait to write into that table for no longer than it takes. */
const batchSize = 5000

/** What is on record of a removal, and stands in its certificate. Moments are wall-clock text. */
export interface Removal {
  schoolId: string
  name: string
  startTime: string
  endTime: string
  removedBy: string
  archive: { name: string; sha256: string; time: string }
  files: number
  /** Rows by table. */
  counts: Record<string, number>
}

interface Options {
  schoolId: string
  /** The name of the school, typed by whoever wants it gone. */
  confirm: string
  /** Written by `export-school` after the school was suspended. */
  archive: Backup
  files: FileStore
  /** Folder of the audit archives. */
  archives: string
  removedBy: string
  onProgress: Progress
}

/**
 * Removes every row of a suspended school and its files, for good. What was interrupted goes on where it stopped when
 * it is called again: the row of the school itself goes last, together with the end of the removal.
 * @param client of the owner: the ledger and the trail give nothing up to anybody else
 * @throws StartFault before anything is removed
 */
export async function removeSchool(client: pg.Client, options: Options): Promise<Removal> {
  const { schoolId } = options
  const alone = await whileAlone(client, 'school-removal', schoolId, () => removeAlone(client, options))
  if (!alone) throw new StartFault(`学校 ${schoolId} 的另一次删除正在进行，请等它结束。`)
  return alone.done
}

async function removeAlone(client: pg.Client, options: Options): Promise<Removal> {
  const { schoolId, onProgress } = options
  const { isBegun } = await assertRemovable(client, options)
  if (!isBegun) await assertArchived(client, options)
  await beginRemoval(client, options)
  await removeFiles(client, options)
  const tables = await tablesOfSchools(client)
  // a process that seals or counts may add a row behind us; the last round finds nothing
  for (let round = 0; ; round++) {
    try {
      let removed = 0
      for (const [at, table] of tables.entries()) {
        onProgress(`删除 ${table}`, at / tables.length)
        removed += await removeAll(client, table, schoolId)
      }
      if (removed > 0) continue
      await endRemoval(client, schoolId)
      break
    } catch (error) {
      if (round > 20 || !isInTheWay(error)) throw error
    }
  }
  return (await removalsOf(client, schoolId)).at(-1)!
}

/** Whether a removal of a school was begun and has not come to its end; the row of the school may be gone already. */
export async function isGoing(client: pg.Client, schoolId: string): Promise<boolean> {
  const { rowCount } = await client.query(
    'select from "schoolRemoval" where "schoolId" = $1 and "endTime" is null limit 1',
    [schoolId],
  )
  return rowCount === 1
}

interface SchoolState {
  name: string
  isSuspended: boolean
  since: string
  /** Whether this removal was begun before: what is compared with the archive is partly gone. */
  isBegun: boolean
}

/** Earlier versions removed the row of the school in the middle; what they left is known by the record alone. */
const stateQuery = `
  select coalesce(s."schName", r."schName") "name",
    s."schoolId" is null or s."suspendedTime" is not null "isSuspended",
    coalesce(${wallClockText('s."suspendedTime"')}, '') "since",
    r."schoolId" is not null and (s."schoolId" is null or r."startTime" >= s."suspendedTime") "isBegun"
  from (select $1::text "schoolId") one
  left join "school" s on s."schoolId" = one."schoolId"
  left join "schoolRemoval" r on r."schoolId" = one."schoolId" and r."endTime" is null
  where s."schoolId" is not null or r."schoolId" is not null`

async function assertRemovable(
  client: pg.Client,
  { schoolId, confirm, archive, onProgress }: Options,
): Promise<SchoolState> {
  const [school] = (await client.query<SchoolState>(stateQuery, [schoolId])).rows
  if (!school) throw new StartFault(`没有学校 ${schoolId}。`)
  if (school.name !== confirm)
    throw new StartFault(`--confirm 须逐字填写学校名称“${school.name}”，您填写的是“${confirm}”。`)
  if (!school.isSuspended)
    throw new StartFault(`学校 ${schoolId} 仍在使用。请先运行 dekt schools suspend ${schoolId} --why "原因"。`)
  const { manifest } = archive
  if (manifest.school !== schoolId)
    throw new StartFault(`${archive.folder} 不是学校 ${schoolId} 的归档。请先运行 export-school。`)
  if (manifest.startTime < school.since)
    throw new StartFault(
      `归档写于 ${manifest.startTime}，早于暂停（${school.since}），其后的数据不在其中。请重新运行 export-school。`,
    )
  if (manifest.installation !== (await installationHash(client)))
    throw new StartFault(`${archive.folder} 是另一个安装的归档。`)
  await checkParts(archive, onProgress)
  return school
}

/**
 * Seconds until a suspension has reached every process and the jobs under way, and by which the clocks of the database
 * and of whoever writes the archive may differ.
 */
const settling = 6

/**
 * Refuses an archive that misses what was written while the suspension took hold: an archive tells its moment by the
 * second, and its snapshot is older than that. Rows are compared, and the trail is asked for changes that add no rows.
 * Fewer rows than archived are no loss: upkeep has removed them, and the archive has them.
 * @throws StartFault
 */
async function assertArchived(client: pg.Client, { schoolId, archive, onProgress }: Options): Promise<void> {
  const { rows: left } = await client.query<{ seconds: number }>(
    `select greatest(0, $2 - extract(epoch from now() - "suspendedTime"))::float8 "seconds"
    from "school" where "schoolId" = $1`,
    [schoolId, settling],
  )
  await sleep((left[0]?.seconds ?? 0) * 1000)
  const { manifest } = archive
  const archived = new Map(manifest.tables.map(({ name, rows }) => [name, rows]))
  // figures are made of the other tables, also of those of a school that stands still
  const names = (await schoolTables(client)).filter(
    (name) => !staysBehind.has(name) && !movesByItself.has(name) && !name.startsWith('stat'),
  )
  const missing: string[] = []
  for (const [at, name] of names.entries()) {
    onProgress(`核对行数 ${name}`, at / names.length)
    const { rows } = await client.query<{ n: number }>(
      `select count(*)::float8 "n" from ${pg.escapeIdentifier(name)} where "schoolId" = $1`,
      [schoolId],
    )
    const [there, inArchive] = [rows[0]!.n, archived.get(name) ?? 0]
    if (there > inArchive) missing.push(`${name}（现有 ${there} 行，归档中 ${inArchive} 行）`)
  }
  const { rowCount: acts } = await client.query(
    `select from "auditLog"
    where "schoolId" = $1
      and "logTime" >= $2::timestamp at time zone 'Asia/Shanghai' - make_interval(secs => $3)
      and "actorId" is not null
      and "result" = 'ok'
      and "bizType" <> 'session'
    limit 1`,
    [schoolId, manifest.startTime, settling],
  )
  if (acts) missing.push('auditLog（写归档前后仍有人操作）')
  if (missing.length > 0)
    throw new StartFault(
      `归档缺少暂停前后写入的数据：${missing.join('、')}。没有删除任何内容，请重新运行 export-school。`,
    )
}

/** One that was begun goes on under its record, which names the archive it began with. */
async function beginRemoval(client: pg.Client, { schoolId, archive, removedBy }: Options): Promise<void> {
  const sha256 = createHash('sha256')
    .update(await readFile(partPath.manifest(archive.folder)))
    .digest('hex')
  await client.query(
    `insert into "schoolRemoval"
      ("schoolId", "startTime", "schName", "removedBy", "archiveName", "archiveSha256", "archiveTime")
    select "schoolId", now(), "schName", $2, $3, $4, $5::timestamp at time zone 'Asia/Shanghai'
    from "school"
    where "schoolId" = $1
    on conflict ("schoolId") where "endTime" is null do nothing`,
    [schoolId, removedBy, archive.manifest.name, sha256, archive.manifest.startTime],
  )
}

/** Before the rows that name them; a content that is gone already is no error. */
async function removeFiles(client: pg.Client, { schoolId, files, archives, onProgress }: Options): Promise<void> {
  const queries = schoolQueries(schoolId)
  const stored = (await client.query<{ key: string }>(queries.files)).rows
  for (const [at, { key }] of stored.entries()) {
    onProgress('删除文件', at / stored.length)
    await files.remove(key)
  }
  for (const { key, storeKey } of (await client.query<{ key: string; storeKey: string }>(queries.archives)).rows) {
    await files.remove(storeKey)
    await rm(join(archives, key), { force: true })
  }
  // an interrupted removal finds the same names again until their rows are gone
  await client.query(
    `update "schoolRemoval" set "files" = greatest("files", $2) where "schoolId" = $1 and "endTime" is null`,
    [schoolId, stored.length],
  )
}

/**
 * Tables with rows of schools, each before those that it refers to. What is kept of the removal is not among them, nor
 * the schools themselves: whoever goes on must find the school until nothing else is left, and its code stays taken.
 */
async function tablesOfSchools(client: pg.Client): Promise<string[]> {
  const names = (await schoolTables(client)).filter((name) => name !== 'schoolRemoval' && name !== 'school')
  return (await inOrderOfReference(client, names)).toReversed()
}

/** A row that came behind us refers to one that is to go, or somebody waits for us as we wait for them. */
const isInTheWay = (error: unknown): boolean => ['23503', '40P01'].includes((error as { code?: string }).code ?? '')

async function removeAll(client: pg.Client, table: string, schoolId: string): Promise<number> {
  let all = 0
  for (let removed = -1; removed !== 0; all += removed) removed = await removeBatch(client, table, schoolId)
  return all
}

/** @returns rows removed */
async function removeBatch(client: pg.Client, table: string, schoolId: string): Promise<number> {
  const { rowCount: there } = await client.query(
    `select from ${pg.escapeIdentifier(table)} where "schoolId" = $1 limit 1`,
    [schoolId],
  )
  if (!there) return 0
  let removed = 0
  await withoutTriggers(client, [table], async () => {
    removed = await deleteCounted(client, table, schoolId)
  })
  return removed
}

/** One batch of a table; counted in the same transaction, so that an interruption loses none of the count. */
async function deleteCounted(client: pg.Client, table: string, schoolId: string): Promise<number> {
  const name = pg.escapeIdentifier(table)
  const { rowCount: removed } = await client.query(
    `delete from ${name}
    where ctid = any(array(select ctid from ${name} where "schoolId" = $1 limit ${batchSize})) and "schoolId" = $1`,
    [schoolId],
  )
  await client.query(
    `update "schoolRemoval"
    set "counts" = "counts" || jsonb_build_object($2::text, coalesce(("counts" ->> $2)::bigint, 0) + $3::bigint)
    where "schoolId" = $1 and "endTime" is null`,
    [schoolId, table, removed ?? 0],
  )
  return removed ?? 0
}

/** The school itself and the end of its removal in one: at no moment is there neither a school nor a certificate. */
const endRemoval = (client: pg.Client, schoolId: string): Promise<void> =>
  withoutTriggers(client, ['school'], async () => {
    await deleteCounted(client, 'school', schoolId)
    await client.query(`update "schoolRemoval" set "endTime" = now() where "schoolId" = $1 and "endTime" is null`, [
      schoolId,
    ])
  })

/** Removals of a school that came to their end, the oldest first. */
export async function removalsOf(client: pg.Client, schoolId: string): Promise<Removal[]> {
  const { rows } = await client.query<Omit<Removal, 'archive'> & Record<'archiveName' | 'sha256' | 'time', string>>(
    `select "schoolId", "schName" "name", ${wallClockText('"startTime"')} "startTime",
      ${wallClockText('"endTime"')} "endTime", "removedBy", "files", "counts", "archiveName", "archiveSha256" "sha256", ${wallClockText('"archiveTime"')} "time"
    from "schoolRemoval"
    where "schoolId" = $1 and "endTime" is not null
    order by "schoolRemoval"."startTime"`,
    [schoolId],
  )
  return rows.map(({ archiveName: name, sha256, time, ...removal }) => ({
    ...removal,
    archive: { name, sha256, time },
  }))
}
