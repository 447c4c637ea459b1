import { sql } from 'kysely'
import { yesNo } from '../../../contract/core/codes/platform.ts'
import { personType } from '../../../contract/core/codes/school.ts'
import { Failure } from '../../../contract/core/failure.ts'
import { peopleText, type NamedPerson } from '../../core/base/people-text.ts'
import { forgetActors } from '../../core/request/actor-cache.ts'
import { anyOf } from '../../core/database/any-of.ts'
import { insertMany, updateMany, type BulkTable } from '../../core/request/bulk-edit.ts'
import { recordset } from '../../core/database/bulk.ts'
import type { Context } from '../../core/request/context.ts'
import { seal, sealedKey, unseal } from '../../core/secrets/field-crypto.ts'
import { from } from '../../core/database/tenant.ts'
import { newId } from '../../core/base/ids.ts'
import { schoolSettings } from '../school/settings.service.ts'
import { closeAccounts, foldLoginName, openAccounts } from './accounts.service.ts'
import { peopleInUse, recordsOf } from './removal.service.ts'

/** People of the school that rows of a file are about, or that stand in their way. */
export async function peopleByNumber(
  { db, actor, secrets }: Context,
  rows: readonly { suiNumber: string; suiIdCard?: string }[],
) {
  const numbers = [...new Set(rows.map(({ suiNumber }) => suiNumber))]
  const hashes = rows.flatMap(({ suiIdCard }) => (suiIdCard ? [sealedKey(suiIdCard, secrets)!] : []))
  const [people, holders, accounts] = await Promise.all([
    from({ db, actor }, 'person')
      .selectAll()
      .where(sql<boolean>`"suiNumber" = any(${numbers}::text[])`)
      .execute(),
    hashes.length === 0
      ? []
      : from({ db, actor }, 'person')
          .select(['suId', 'suiNumber', 'suiIdCardHash'])
          .where(sql<boolean>`"suiIdCardHash" = any(${hashes}::bytea[])`)
          .execute(),
    from({ db, actor }, 'account')
      .select(['suId', 'suLoginName'])
      .where(sql<boolean>`"suLoginName" = any(${numbers.map(foldLoginName)}::text[])`)
      .execute(),
  ])
  const byHash = new Map(holders.map((one) => [one.suiIdCardHash!.toString('base64'), one]))
  const byLogin = new Map(accounts.map((one) => [one.suLoginName, one.suId]))
  return {
    byNumber: new Map(people.map((person) => [person.suiNumber, person])),
    holderOf: (idCard: string) => byHash.get(sealedKey(idCard, secrets)!.toString('base64')),
    /** Whether somebody else signs in by the name that this number makes. */
    isLoginTaken: (suiNumber: string, suId: string | undefined) =>
      byLogin.has(foldLoginName(suiNumber)) && byLogin.get(foldLoginName(suiNumber)) !== suId,
    plain: (sealed: Buffer | null) => unseal(sealed, secrets) ?? '',
  }
}
type PeopleLookups = Awaited<ReturnType<typeof peopleByNumber>>
export type KnownPerson = PeopleLookups['byNumber'] extends ReadonlyMap<string, infer P> ? P : never

/**
 * Numbers of students who have the name and the birthday of a row, by `name birthday`: perhaps the same person under
 * another number. Only for a look beforehand: inside a transaction, where rows are written, it is not asked for.
 */
export async function namesakesOf(
  { db, actor }: Context,
  rows: readonly { suiName: string; birth: string }[],
): Promise<ReadonlyMap<string, string>> {
  const asked = rows.filter(({ birth }) => birth !== '')
  if (db.isTransaction || asked.length === 0) return new Map()
  const { rows: found } = await sql<{ suiName: string; birth: string; suiNumber: string }>`
      select p."suiName", p."birth", min(p."suiNumber") "suiNumber"
      from "person" p
      join ${recordset(asked, { suiName: 'text', birth: 'date' })} on p."suiName" = r."suiName"
        and p."birth" = r."birth"
      where p."schoolId" = ${actor.schoolId} and p."suiType" = ${sql.lit(personType.student)} and p."delFlag" = '0'
      group by p."suiName", p."birth"`.execute(db)
  return new Map(found.map(({ suiName, birth, suiNumber }) => [`${suiName} ${birth}`, suiNumber]))
}

const hex = (bytes: Buffer | null): string | null => bytes && `\\x${bytes.toString('hex')}`

/** Phone and papers of a row as the bulk writer takes them; an empty cell keeps what is stored. */
export function sealedCells(
  ctx: Pick<Context, 'secrets'>,
  row: { suiPhone: string; suiIdCard?: string },
  known: KnownPerson | undefined,
) {
  const { secrets } = ctx
  const phone = row.suiPhone
    ? [seal(row.suiPhone, secrets), sealedKey(row.suiPhone, secrets)]
    : [known?.suiPhone ?? null, known?.suiPhoneHash ?? null]
  const idCard = row.suiIdCard
    ? [seal(row.suiIdCard.toUpperCase(), secrets), sealedKey(row.suiIdCard, secrets)]
    : [known?.suiIdCard ?? null, known?.suiIdCardHash ?? null]
  return {
    suiPhone: hex(phone[0]!),
    suiPhoneHash: hex(phone[1]!),
    suiIdCard: hex(idCard[0]!),
    suiIdCardHash: hex(idCard[1]!),
  }
}

export const sealedTypes = {
  suiPhone: 'bytea',
  suiPhoneHash: 'bytea',
  suiIdCard: 'bytea',
  suiIdCardHash: 'bytea',
} as const

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
export async function writePeople<C extends string>(
  ctx: Context,
  table: BulkTable<C>,
  suiType: '1' | '2',
  rows: readonly PersonRow<NoInfer<C>>[],
  ibId: string,
): Promise<PersonUndo[]> {
  const { credibilityStart } = await schoolSettings(ctx, ctx.actor.schoolId)
  const withIds = rows.map(({ values, known }) => ({
    ...values,
    suiType,
    importBatchId: ibId,
    suiCredibility: credibilityStart,
    id: known?.suId ?? newId(),
  }))
  const typed = {
    ...table,
    columns: { ...table.columns, suiType: 'text', importBatchId: 'uuid', suiCredibility: 'int' },
  } as unknown as BulkTable<string>
  const fresh = withIds.filter((_, at) => !rows[at]!.known)
  await insertMany(ctx, typed, fresh)
  await openAccounts(
    ctx,
    ctx.actor.schoolId,
    fresh.map(({ id, suiNumber, suiName }) => ({ suId: id, suiNumber, suiName, suType: suiType })),
  )
  await updateMany(
    ctx,
    table,
    withIds.filter((_, at) => rows[at]!.known),
  )
  const names = Object.keys(table.columns)
  return withIds.map(({ id }, at) => {
    const { known } = rows[at]!
    return known ? { id, before: valuesOf(names, known), version: known.version + 1 } : { id, before: null, version: 0 }
  })
}

/** The values of a person that an import may change, as the bulk writer takes them back. */
function valuesOf(names: readonly string[], known: KnownPerson): Record<string, unknown> {
  const value = (name: string) => known[name as keyof KnownPerson]
  return Object.fromEntries(
    names.map((name) => [name, Buffer.isBuffer(value(name)) ? hex(value(name) as Buffer) : value(name)]),
  )
}

/**
 * Takes imported people back: changed ones become what they were; new ones without any record end like removed ones,
 * with everything that is known of them but name and number, which are free again.
 */
export async function takeBackPeople<C extends string>(
  ctx: Context,
  table: BulkTable<C>,
  rows: readonly PersonUndo[],
): Promise<void> {
  const added = rows.filter((row) => row.before === null).map(({ id }) => id)
  const altered = rows.filter((row) => row.before !== null)
  await assertUnused(ctx, added)
  await assertUnchanged(ctx, rows)
  await closeAccounts(ctx.db, ctx.actor.schoolId, added)
  await ctx.db
    .updateTable('person')
    .set({ delFlag: yesNo.yes, ...forgotten, updateBy: ctx.actor.suId, updateTime: ctx.clock.now() })
    .where('schoolId', '=', ctx.actor.schoolId)
    .where(anyOf('suId', added))
    .execute()
  await updateMany(
    ctx,
    table as BulkTable<string>,
    altered.map(({ id, before }) => ({ ...before, id })),
  )
  forgetActors(ctx.actor.schoolId, added)
}

const forgotten = {
  suiCollegeId: null,
  majorId: null,
  scClassId: null,
  suiPhone: null,
  suiPhoneHash: null,
  suiIdCard: null,
  suiIdCardHash: null,
  suiEmail: null,
  birth: null,
  suiNation: null,
  suiPolitical: null,
  provinceId: null,
  cityId: null,
  areaId: null,
}

/** New people of an import who have records, roles or posts by now stay, and with them the whole import. */
async function assertUnused(ctx: Context, ids: readonly string[]): Promise<void> {
  const refuse = (people: readonly NamedPerson[], why: string) => {
    if (people.length > 0) throw new Failure('import-undo-late', { what: `${peopleText(people)}${why}` })
  }
  const { db, actor } = ctx
  const used = await peopleInUse(ctx, ids)
  if (used.length === 1) refuse(used, `已有${await recordsOf(ctx, used[0]!.suId)}`)
  refuse(used, '已有课程、审批或学分记录')
  const named = (join: string, why: string) =>
    sql<NamedPerson>`
      select distinct p."suiName", p."suiNumber"
      from "person" p
      join ${sql.raw(join)}
      where p."schoolId" = ${actor.schoolId} and p."suId" = any(${ids}::uuid[])
      order by p."suiNumber"`
      .execute(db)
      .then(({ rows }) => refuse(rows, why))
  await named('"roleUser" u on u."schoolId" = p."schoolId" and u."suId" = p."suId"', '已被授予角色')
  await named(
    '"schoolClass" c on c."schoolId" = p."schoolId" and p."suId" in (c."counselorId", c."headTeacherId")',
    '已是班级的辅导员或班主任',
  )
  await named('"department" d on d."schoolId" = p."schoolId" and d."sdLeaderId" = p."suId"', '已是部门负责人')
  await named('"departmentUser" m on m."schoolId" = p."schoolId" and m."suId" = p."suId"', '已加入部门')
}

/** Nobody may have been changed or removed since; they are locked, so that nobody is until the undo has ended. */
async function assertUnchanged({ db, actor }: Context, rows: readonly PersonUndo[]): Promise<void> {
  const left = await sql<NamedPerson & { suId: string; version: number; delFlag: string }>`
      select "suId", "suiName", "suiNumber", "version", "delFlag"
      from "person"
      where "schoolId" = ${actor.schoolId} and "suId" = any(${rows.map(({ id }) => id)}::uuid[])
      order by "suId"
      for update`.execute(db)
  const known = new Map(left.rows.map((one) => [one.suId, one]))
  const changed = rows.flatMap(({ id, version }) =>
    known.get(id) && (known.get(id)!.version !== version || known.get(id)!.delFlag !== yesNo.no)
      ? [known.get(id)!]
      : [],
  )
  if (changed.length > 0)
    throw new Failure('import-undo-late', { what: `${peopleText(changed)}的资料在导入之后已被修改或删除` })
  if (left.rows.length < rows.length) throw new Failure('import-undo-late', { what: '部分人员已不存在' })
}
