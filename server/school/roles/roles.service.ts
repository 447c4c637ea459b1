import type { Checked } from '../../../contract/core/call.ts'
import { enableStatus } from '../../../contract/core/codes/platform.ts'
import { roleType } from '../../../contract/core/codes/school.ts'
import { Failure, invalidInput } from '../../../contract/core/failure.ts'
import { allPermits } from '../../../contract/index.ts'
import type { roleApi } from '../../../contract/school/roles/roles.calls.ts'
import { forgetActors } from '../../core/request/actor-cache.ts'
import { anyOf } from '../../core/database/any-of.ts'
import { audit, auditMany } from '../../core/audit/audit.ts'
import type { Context } from '../../core/request/context.ts'
import { assertVersion } from '../../core/request/scope-check.ts'
import { newId } from '../../core/base/ids.ts'
import { updatedColumns, createdColumns } from '../../core/request/stamp-columns.ts'
import { inTransaction } from '../../core/request/transaction.ts'
import { useOfRoles, visibleRoles, whatUses } from './roles.queries.ts'

type Form = Checked<typeof roleApi.save>

/**
 * Adds or changes a role. Nobody puts a right into a role, or takes it out, that they do not hold for the whole school
 * themselves, because a role may be given to anybody anywhere. Of built-in roles only description, order and whether
 * they are on can be changed.
 */
export async function saveRole(ctx: Context, { srId, version, ...given }: Form) {
  const { schoolId } = ctx.actor
  if (!ctx.scope.whole) throw new Failure('grant-exceeds-own')
  const fields = { ...given, srDesc: given.srDesc ?? '', permits: [...new Set(given.permits)].toSorted() }
  const unknown = fields.permits.find((permit) => !allPermits.has(permit))
  if (unknown) throw invalidInput([{ field: 'permits', msg: `没有名为“${unknown}”的权限` }])
  const saved = await inTransaction(ctx, async (tx) => {
    const before = srId
      ? await visibleRoles(tx).selectAll().where('srId', '=', srId).forUpdate().executeTakeFirst()
      : undefined
    if (srId) assertVersion(tx, before, version)
    const row = { ...fields, srCode: fields.srCode ?? before?.srCode ?? `ROLE_${newId().slice(-8).toUpperCase()}` }
    if (before?.srType === roleType.builtIn && touchesBuiltIn(before, row)) throw new Failure('role-built-in-fixed')
    const isReshaped = !before || before.dataScope !== row.dataScope || before.enable !== row.enable
    assertHoldsPermits(
      tx,
      isReshaped ? [...new Set([...row.permits, ...(before?.permits ?? [])])] : differing(before.permits, row.permits),
    )
    await assertUnique(tx, srId, row)
    if (!before) {
      const added = newId()
      await tx.db
        .insertInto('role')
        .values({ ...createdColumns(tx), srId: added, ...row })
        .execute()
      await audit(tx, { action: '新增角色', bizType: 'role', bizId: added, bizName: row.srName, after: row })
      return { srId: added }
    }
    await tx.db
      .updateTable('role')
      .set({ ...row, ...updatedColumns(tx) })
      .where('schoolId', '=', schoolId)
      .where('srId', '=', before.srId)
      .execute()
    await audit(tx, {
      action: '编辑角色',
      bizType: 'role',
      bizId: before.srId,
      bizName: row.srName,
      ...roleChanges(before, row),
    })
    return { srId: before.srId }
  })
  forgetActors(schoolId)
  return saved
}

interface RoleFields {
  srName: string
  srCode: string
  srDesc: string
  srSort: number
  enable: string
  dataScope: string
  permits: string[]
}

const touchesBuiltIn = (before: RoleFields, row: RoleFields): boolean =>
  before.srName !== row.srName ||
  before.srCode !== row.srCode ||
  before.dataScope !== row.dataScope ||
  before.permits.toSorted().join() !== row.permits.join() ||
  (before.srCode === 'SCHOOL_ADMIN' && row.enable !== enableStatus.enabled)

/** For the whole school: a member of the role may be anywhere in it. */
function assertHoldsPermits({ actor }: Context, permits: readonly string[]): void {
  if (!permits.every((permit) => actor.permits.has(permit) && actor.scopeFor(permit as `${string}:${string}`).whole))
    throw new Failure('grant-exceeds-own')
}

/** The rights that one of two lists has and the other lacks. */
const differing = (one: readonly string[], other: readonly string[]): string[] => [
  ...one.filter((permit) => !other.includes(permit)),
  ...other.filter((permit) => !one.includes(permit)),
]

async function assertUnique(tx: Context, srId: string | undefined, { srName, srCode }: RoleFields): Promise<void> {
  const others = await visibleRoles(tx)
    .select(['srId', 'srName'])
    .where((or) => or.or([or('srName', '=', srName), or('srCode', '=', srCode)]))
    .execute()
  const other = others.find((one) => one.srId !== srId)
  if (!other) return
  const [reason, field, what, name] =
    other.srName === srName
      ? (['name-taken', 'srName', '角色', srName] as const)
      : (['number-taken', 'srCode', '角色编码', srCode] as const)
  const { msg } = new Failure(reason, { what, name, number: name })
  throw new Failure(reason, { what, name, number: name }, { errors: [{ field, msg }] })
}

/** What an edit changed; of the rights, those that came and those that went. */
function roleChanges(before: RoleFields, after: RoleFields) {
  const names = ['srName', 'srCode', 'srDesc', 'srSort', 'enable', 'dataScope'] as const
  const altered = names.filter((name) => before[name] !== after[name])
  const part = (of: RoleFields) => Object.fromEntries(altered.map((name) => [name, of[name]]))
  return {
    before: { ...part(before), permits: before.permits.filter((permit) => !after.permits.includes(permit)) },
    after: { ...part(after), permits: after.permits.filter((permit) => !before.permits.includes(permit)) },
  }
}

/** Removes roles without members that no flow names; built-in ones stay. All or none. */
export function removeRoles(ctx: Context, { ids }: Checked<typeof roleApi.remove>) {
  if (!ctx.scope.whole) throw new Failure('grant-exceeds-own')
  return inTransaction(ctx, async (tx) => {
    const rows = await visibleRoles(tx)
      .select(['srId', 'srName', 'srType'])
      .where(anyOf('srId', ids))
      .forUpdate()
      .execute()
    if (rows.length !== ids.length) throw new Failure('not-found')
    if (rows.some(({ srType }) => srType === roleType.builtIn)) throw new Failure('role-built-in')
    const used = (await useOfRoles(tx, ids)).find((use) => whatUses(use))
    if (used) throw new Failure('role-in-use', { name: used.srName, what: whatUses(used) })
    await tx.db.deleteFrom('role').where('schoolId', '=', tx.actor.schoolId).where(anyOf('srId', ids)).execute()
    await auditMany(
      tx,
      rows.map(({ srId, srName }) => ({ action: '删除角色', bizType: 'role', bizId: srId, bizName: srName })),
    )
    return { affected: rows.length }
  })
}
