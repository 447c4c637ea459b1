import { createHash } from 'node:crypto'
import { pipeline } from 'node:stream/promises'
import pg from 'pg'
import type { PublicContext } from '../../core/request/context.ts'
import { differences } from '../../core/backup/load-rows.ts'
import type { SchoolSum } from '../../core/backup/manifest.ts'
import { schoolTables } from '../../core/database/owner-queries.ts'
import { from } from '../../core/database/tenant.ts'
import { openFiles } from '../../core/files/files.ts'
import { verifyTrail } from '../../school/audit/verification.service.ts'
import { verifySerial } from '../../outcomes/transcripts/verify.service.ts'
import { openServices, type OpenServices } from '../open-services.ts'
import { movesByItself, schoolQueries, staysBehind } from '../school-archive/contents.ts'
import { withOwner } from '../school-archive/owner.ts'
import type { Move, Side } from './move.ts'

/** One thing that was compared; `fault` says what differs. */
export interface Check {
  name: string
  count: number
  fault?: string | undefined
}

/** Files whose contents, and papers whose signatures, are compared one by one: spread over all of them. */
const sampled = { files: 200, papers: 25 }

/**
 * Compares a school that has arrived with what it was at the source, both standing still: seals of the trail, files,
 * signed papers, sums of the ledger and rows table by table. The rows come last: whatever was still written at the
 * source meanwhile is found there.
 */
export async function verifyMove(move: Move): Promise<Check[]> {
  const { source, target } = move
  const [here, there] = [await servicesOf(source), await servicesOf(target)]
  try {
    return [
      await sealsHold(move.schoolId, here, there),
      await filesAgree(move),
      await papersHold(move, here, there),
      await sumsAgree(move),
      await rowsAgree(move),
    ]
  } finally {
    await here.close()
    await there.close()
  }
}

/** The services of an installation as a guest of whatever runs there. */
const servicesOf = ({ config, database }: Side): Promise<OpenServices> =>
  openServices(config, () => {}, config.databaseUrl ? undefined : database.connection)

/** How many rows a table has of a school, and when one of them changed last where the table tells. */
interface Extent {
  rows: number
  changed: string | null
}

async function rowsAgree({ schoolId, source, target }: Move): Promise<Check> {
  const extentsOf = ({ database }: Side) =>
    withOwner(database.connection, async (client) => {
      const stamped = new Set(
        (
          await client.query<{ name: string }>(
            `select table_name "name" from information_schema.columns
            where table_schema = current_schema() and column_name = 'updateTime'`,
          )
        ).rows.map(({ name }) => name),
      )
      const found = new Map<string, Extent>()
      for (const name of (await schoolTables(client)).filter(
        (one) => !staysBehind.has(one) && !movesByItself.has(one),
      )) {
        const { rows } = await client.query<Extent>(
          `select count(*)::float8 "rows", ${stamped.has(name) ? 'max("updateTime")::text' : 'null'} "changed"
          from ${pg.escapeIdentifier(name)} where "schoolId" = $1`,
          [schoolId],
        )
        found.set(name, rows[0]!)
      }
      return found
    })
  const [here, there] = [await extentsOf(source), await extentsOf(target)]
  const wrong = [...here].flatMap(([name, { rows, changed }]) => {
    const arrived = there.get(name)
    if (arrived?.rows !== rows) return [`${name} 应有 ${rows} 行，实有 ${arrived?.rows ?? 0} 行`]
    return name !== 'school' && arrived.changed !== changed ? [`${name} 在复制之后又有修改`] : []
  })
  return {
    name: '各表行数',
    count: [...here.values()].reduce((sum, { rows }) => sum + rows, 0),
    fault: wrong.length > 0 ? wrong.join('，') : undefined,
  }
}

async function sumsAgree({ schoolId, source, target }: Move): Promise<Check> {
  const sumsOf = ({ database }: Side) =>
    withOwner(
      database.connection,
      async (client) => (await client.query<SchoolSum>(schoolQueries(schoolId).schools)).rows,
    )
  const [here, there] = [await sumsOf(source), await sumsOf(target)]
  const wrong = differences(here, there)
  return { name: '学分台账', count: here[0]?.entries ?? 0, fault: wrong.length > 0 ? wrong.join('；') : undefined }
}

async function sealsHold(schoolId: string, here: OpenServices, there: OpenServices): Promise<Check> {
  const [own, arrived] = [await verifyTrail(here.services, schoolId), await verifyTrail(there.services, schoolId)]
  const fault =
    // what did not fit before does not fit afterwards either, and stays to be looked into
    arrived.faultCount > own.faultCount
      ? `操作日志有 ${arrived.faultCount} 处与封存不符，原系统有 ${own.faultCount} 处`
      : (await hasSealOf(here, there, schoolId))
        ? undefined
        : '最后一个封存与原系统的不同'
  return { name: '日志封存', count: arrived.seals, fault }
}

/**
 * Whether the last seal that has arrived is one of the source's. The source may have more: its trail is sealed while
 * the school stands still, and what was not sealed when it was copied the target seals by itself.
 */
async function hasSealOf(here: OpenServices, there: OpenServices, schoolId: string): Promise<boolean> {
  const sealOf = async ({ services: { db } }: OpenServices, sealNo?: number) => {
    let query = from({ db, schoolId }, 'auditSeal').select(['sealNo', 'hash'])
    if (sealNo !== undefined) query = query.where('sealNo', '=', sealNo)
    return query.orderBy('sealNo', 'desc').limit(1).executeTakeFirst()
  }
  const arrived = await sealOf(there)
  if (!arrived) return true
  const own = await sealOf(here, arrived.sealNo)
  return own !== undefined && own.hash.equals(arrived.hash)
}

/** At most so many of them, evenly spread. */
const spread = <T>(all: readonly T[], most: number): T[] =>
  all.length <= most ? [...all] : Array.from({ length: most }, (_, at) => all[Math.floor((at * all.length) / most)]!)

async function filesAgree({ schoolId, source, target }: Move): Promise<Check> {
  const { files, archives } = schoolQueries(schoolId)
  const keys = await withOwner(target.database.connection, async (client) => [
    ...(await client.query<{ storeKey: string }>(archives)).rows.map(({ storeKey }) => storeKey),
    ...(await client.query<{ key: string }>(files)).rows.map(({ key }) => key),
  ])
  const [here, there] = [openFiles(source.config), openFiles(target.config)]
  const digestOf = async (store: typeof here, key: string): Promise<string> => {
    const hash = createHash('sha256')
    await pipeline(await store.get(key), hash)
    return hash.digest('hex')
  }
  const wrong: string[] = []
  for (const key of spread(keys, sampled.files)) {
    // what the source has lost before cannot have arrived
    const wanted = await digestOf(here, key).catch(() => undefined)
    if (wanted !== undefined && (await digestOf(there, key).catch(() => '')) !== wanted) wrong.push(key)
  }
  return { name: '文件', count: keys.length, fault: wrong.length > 0 ? `${wrong.length} 个内容不同或缺少` : undefined }
}

async function papersHold({ schoolId }: Move, here: OpenServices, there: OpenServices): Promise<Check> {
  const { rows } = await here.pool.query<{ serial: string }>(
    `select "serial" from "transcriptIssue" where "schoolId" = $1 order by "serial"`,
    [schoolId],
  )
  const asking = (opened: OpenServices): PublicContext => ({
    ...opened.services,
    // no address whose tries are counted
    config: { ...opened.services.config, requestsPerMinute: 0 },
    origin: { requestId: 'move', ip: '127.0.0.1', agent: 'command' },
  })
  const wrong: string[] = []
  for (const { serial } of spread(rows, sampled.papers)) {
    const [own, arrived] = await Promise.all(
      [here, there].map((opened) => verifySerial(asking(opened), { serial }).catch(() => undefined)),
    )
    if (own === undefined || JSON.stringify(own) !== JSON.stringify(arrived)) wrong.push(serial)
  }
  return {
    name: '成绩单核验',
    count: Math.min(rows.length, sampled.papers),
    fault: wrong.length > 0 ? `${wrong.join('、')} 的核验结果不同` : undefined,
  }
}
