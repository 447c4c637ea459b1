import { createHash } from 'node:crypto'
import { sql } from 'kysely'

/**
 * How audit rows and seals are put into bytes and hashed (decision 009). Anything changed here needs a new form number,
 * because what is sealed is never sealed again.
 */
export const sealForm = 1

/** An audit row as it is sealed: every column as the database writes it, the time in whole microseconds. */
export interface SealedRow {
  logId: string
  actorId: string | null
  actorName: string
  onBehalfOf: string | null
  action: string
  result: string
  bizType: string
  bizId: string
  bizName: string
  before: string | null
  after: string | null
  reason: string
  requestId: string
  ip: string
  agent: string
  logTime: string
}

/** The order in which a row's columns are sealed, after the school. */
export const sealedColumns = [
  'logId',
  'actorId',
  'actorName',
  'onBehalfOf',
  'action',
  'result',
  'bizType',
  'bizId',
  'bizName',
  'before',
  'after',
  'reason',
  'requestId',
  'ip',
  'agent',
  'logTime',
] as const satisfies readonly (keyof SealedRow)[]

const microseconds = (column: string) => sql<string>`(extract(epoch from ${sql.ref(column)}) * 1000000)::bigint::text`

/**
 * The columns of a query over `auditLog` that give {@link SealedRow}s: texts of the database's own, so that nothing is
 * lost in reading.
 */
export const sealedSelection = [
  'actorName',
  'action',
  'result',
  'bizType',
  'bizId',
  'bizName',
  'reason',
  'requestId',
  'ip',
  'agent',
  sql<string>`"logId"::text`.as('logId'),
  sql<string | null>`"actorId"::text`.as('actorId'),
  sql<string | null>`"onBehalfOf"::text`.as('onBehalfOf'),
  sql<string | null>`"before"::text`.as('before'),
  sql<string | null>`"after"::text`.as('after'),
  microseconds('auditLog.logTime').as('logTime'),
] as const

/** The line that is hashed, and that an archive keeps: a JSON list of the school and the columns. */
export const lineOf = (schoolId: string, row: SealedRow): string =>
  JSON.stringify([schoolId, ...sealedColumns.map((name) => row[name])])

/** A seal as it is stored; times in whole microseconds. */
export interface Seal {
  schoolId: string
  sealNo: number
  form: number
  sealTime: string
  firstTime: string
  lastTime: string
  rowCount: number
  logIds: readonly string[]
  rowHashes: Buffer
  prevHash: Buffer
  hash: Buffer
}

/** The columns of a query over `auditSeal` that give {@link Seal}s. */
export const sealSelection = [
  'schoolId',
  'sealNo',
  'form',
  'rowCount',
  'rowHashes',
  'prevHash',
  'hash',
  sql<string[]>`"logIds"::text[]`.as('logIds'),
  microseconds('auditSeal.sealTime').as('sealTime'),
  microseconds('auditSeal.firstTime').as('firstTime'),
  microseconds('auditSeal.lastTime').as('lastTime'),
] as const

/** What stands before the first seal of a school. */
export const noSeal = Buffer.alloc(32)

/**
 * The hash of a seal: over the hash of the one before, everything it says of itself, and id and hash of each of its
 * rows in order.
 */
export function hashOf({
  schoolId,
  sealNo,
  form,
  sealTime,
  firstTime,
  lastTime,
  rowCount,
  prevHash,
  logIds,
  rowHashes,
}: Omit<Seal, 'hash'>): Buffer {
  const hash = createHash('sha256').update(
    JSON.stringify([form, schoolId, sealNo, sealTime, firstTime, lastTime, rowCount, prevHash.toString('hex')]),
  )
  for (const [at, logId] of logIds.entries()) hash.update(`\n${logId} ${rowHashAt({ rowHashes }, at).toString('hex')}`)
  return hash.digest()
}

/** The hash of the row at a place under a seal. */
export const rowHashAt = ({ rowHashes }: Pick<Seal, 'rowHashes'>, at: number): Buffer =>
  rowHashes.subarray(at * 32, at * 32 + 32)
