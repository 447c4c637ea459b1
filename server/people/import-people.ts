import { sql } from 'kysely'
import { Failure } from '../../contract/core/failure.ts'
import { forgetActors } from '../core/actor-cache.ts'
import { among } from '../core/among.ts'
import { insertMany, updateMany, type BulkTable } from '../core/bulk-edit.ts'
import { chunksOf, recordset } from '../core/bulk.ts'
import type { Context } from '../core/context.ts'
import { seal, sealedKey, unseal } from '../core/field-crypto.ts'
import { newId } from '../core/ids.ts'
import { schoolSettings } from '../school/settings.service.ts'
import { foldLoginName, openAccounts } from './accounts.service.ts'
import { peopleInUse, recordsOf } from './removal.service.ts'

/** People of the school that rows of a file are about, or that stand in their way. */
export async function peopleByNumber({ db, actor, secrets }: Context, rows: readonly { suiNumber: string; suiIdCard?: string }[]) {
  const numbers = [...new Set(rows.map(({ suiNumber }) => suiNumber))]
  const hashes = rows.flatMap(({ suiIdCard }) => (suiIdCard ? [sealedKey(suiIdCard, secrets)!] : []))
  const [people, holders, accounts] = await Promise.all([
    db.selectFrom('person').selectAll().where('schoolId', '=', actor.schoolId).where('delFlag', '=', '0').where(sql<boolean>`"suiNumber" = any(${numbers}::text[])`).execute(),
    hashes.length === 0 ? [] : db.selectFrom('person').select(['suId', 'suiNumber', 'suiIdCardHash']).where('schoolId', '=', actor.schoolId).where('delFlag', '=', '0').where(sql<boolean>`"suiIdCardHash" = any(${hashes}::bytea[])`).execute(),
    db.selectFrom('account').select(['suId', 'suLoginName']).where('schoolId', '=', actor.schoolId).where(sql<boolean>`"suLoginName" = any(${numbers.map(foldLoginName)}::text[])`).execute(),
  ])
  const byHash = new Map(holders.map((one) => [one.suiIdCardHash!.toString('base64'), one]))
  const byLogin = new Map(accounts.map((one) => [one.suLoginName, one.suId]))
  return {
    byNumber: new Map(people.map((person) => [person.suiNumber, person])),
    holderOf: (idCard: string) => byHash.get(sealedKey(idCard, secrets)!.toString('base64')),
    /** Whether somebody else signs in by the name that this number makes. */
    isLoginTaken: (suiNumber: string, suId: string | undefined) => byLogin.has(foldLoginName(suiNumber)) && byLogin.get(foldLoginName(suiNumber)) !== suId,
    plain: (sealed: Buffer | null) => unseal(sealed, secrets) ?? '',
  }
}
export type PeopleLookups = Awaited<ReturnType<typeof peopleByNumber>>
export type KnownPerson = PeopleLookups['byNumber'] extends ReadonlyMap<string, infer P> ? P : never

const hex = (bytes: Buffer | null): string | null => bytes && `\\x${bytes.toString('hex')}`

/** Phone and papers of a row as the bulk writer takes them; an empty cell keeps what is stored. */
export function sealedCells(ctx: Pick<Context, 'secrets'>, row: { suiPhone: string; suiIdCard?: string }, known: KnownPerson | undefined) {
  const { secrets } = ctx
  const phone = row.suiPhone ? [seal(row.suiPhone, secrets), sealedKey(row.suiPhone, secrets)] : [known?.suiPhone ?? null, known?.suiPhoneHash ?? null]
  const idCard = row.suiIdCard ? [seal(row.suiIdCard.toUpperCase(), secrets), sealedKey(row.suiIdCard, secrets)] : [known?.suiIdCard ?? null, known?.suiIdCardHash ?? null]
  return { suiPhone: hex(phone[0]!), suiPhoneHash: hex(phone[1]!), suiIdCard: hex(idCard[0]!), suiIdCardHash: hex(idCard[1]!) }
}

export const sealedTypes = { suiPhone: 'bytea', suiPhoneHash: 'bytea', suiIdCard: 'bytea', suiIdCardHash: 'bytea' } as const

/** What takes an imported person back. */
export interface PersonUndo {
  id: string
  before: Record<string, unknown> | null
  version: number
}

export interface PersonRow<C extends string> {
  values: Record<C, unknown> & { suiNumber: string; suiName: string }
  known: KnownPerson | undefined
}

/** Writes imported people, opens accounts for the new ones, and keeps names of accounts in step. */
export async function writePeople<C extends string>(ctx: Context, table: BulkTable<C>, suiType: '1' | '2', rows: readonly PersonRow<NoInfer<C>>[], ibId: string): Promise<PersonUndo[]> {
  const { credibilityStart } = await schoolSettings(ctx, ctx.actor.schoolId)
  const withIds = rows.map(({ values, known }) => ({ ...values, suiType, importBatchId: ibId, suiCredibility: credibilityStart, id: known?.suId ?? newId(), isNew: !known, known }))
  const typed = { ...table, columns: { ...table.columns, suiType: 'text', importBatchId: 'uuid', suiCredibility: 'int' } } as unknown as BulkTable<string>
  const fresh = withIds.filter(({ isNew }) => isNew)
  await insertMany(ctx, typed, fresh)
  await openAccounts(ctx, ctx.actor.schoolId, fresh.map(({ id, suiNumber, suiName }) => ({ suId: id, suiNumber, suiName, suType: suiType })))
  await updateMany(ctx, table, withIds.filter(({ isNew }) => !isNew))
  const names = Object.keys(table.columns)
  return withIds.map(({ id, known }) => {
    const value = (name: string) => known![name as keyof KnownPerson]
    const before = known ? Object.fromEntries(names.map((name) => [name, Buffer.isBuffer(value(name)) ? hex(value(name) as Buffer) : value(name)])) : null
    return { id, before, version: known ? known.version + 1 : 0 }
  })
}

/** Takes imported people back: new ones without any record go for good, changed ones become what they were. */
export async function takeBackPeople<C extends string>(ctx: Context, table: BulkTable<C>, rows: readonly PersonUndo[]): Promise<void> {
  const { db, actor } = ctx
  const added = rows.filter(({ before }) => before === null)
  const altered = rows.flatMap(({ id, before, version }) => (before ? [{ ...before, id, version }] : []))
  const ids = added.map(({ id }) => id)
  const [used] = await peopleInUse(ctx, ids)
  if (used) throw new Failure('import-undo-late', { what: `${used.suiName} 已有${await recordsOf(ctx, used.suId)}` })
  const granted = await db.selectFrom('roleUser').innerJoin('person', (join) => join.onRef('person.schoolId', '=', 'roleUser.schoolId').onRef('person.suId', '=', 'roleUser.suId')).select('person.suiName').where('roleUser.schoolId', '=', actor.schoolId).where(among('roleUser.suId', ids)).limit(1).executeTakeFirst()
  if (granted) throw new Failure('import-undo-late', { what: `${granted.suiName} 已被授予角色` })
  let removed = 0
  for await (const part of chunksOf(added, 2000)) {
    const done = await sql`delete from "person" using ${recordset(part, { id: 'uuid', version: 'int' })} where "person"."schoolId" = ${actor.schoolId} and "person"."suId" = r."id" and "person"."version" = r."version"`.execute(db)
    removed += Number(done.numAffectedRows ?? 0)
  }
  if (removed !== added.length) throw new Failure('import-undo-late', { what: '部分新增的人员已被修改' })
  if ((await updateMany(ctx, table as BulkTable<string>, altered)) !== altered.length) throw new Failure('import-undo-late', { what: '部分更新的人员已再次被修改' })
  forgetActors(actor.schoolId, ids)
}
