import type { Checked } from '../../../contract/core/call.ts'
import { enableStatus } from '../../../contract/core/codes/platform.ts'
import { convertMode } from '../../../contract/core/codes/rules.ts'
import { Failure, invalidInput } from '../../../contract/core/failure.ts'
import type { transformationApi } from '../../../contract/rules/transformation/transformation.calls.ts'
import { anyOf } from '../../core/database/any-of.ts'
import { audit, auditMany, changedFields } from '../../core/audit/audit.ts'
import type { Context } from '../../core/request/context.ts'
import { assertVersion } from '../../core/request/scope-check.ts'
import { newId } from '../../core/base/ids.ts'
import { updatedColumns, createdColumns } from '../../core/request/stamp-columns.ts'
import { from } from '../../core/database/tenant.ts'
import { inLockedTransaction } from '../../core/request/advisory-lock.ts'
import { ruleOf, transformationRows, visibleTransformations } from './transformation.queries.ts'

type CallInput<K extends keyof typeof transformationApi> = Checked<(typeof transformationApi)[K]>
type Form = Omit<CallInput<'edit'>, 'trId' | 'version'>

/** Adds a rule. */
export const addTransformation = (ctx: Context, form: CallInput<'add'>) =>
  inLockedTransaction(ctx, 'transformation', async (tx) => {
    await assertValid(tx, form)
    const trId = newId()
    const row = columns(form)
    await tx.db
      .insertInto('transformation')
      .values({ ...createdColumns(tx), trId, ...row, segments: JSON.stringify(row.segments) })
      .execute()
    await audit(tx, {
      action: '新增转换规则',
      bizType: 'transformation',
      bizId: trId,
      bizName: form.trName,
      after: row,
    })
    return { trId }
  })

/** Changes a rule; transcripts made from then on follow it. */
export const editTransformation = (ctx: Context, { trId, version, ...form }: CallInput<'edit'>) =>
  inLockedTransaction(ctx, 'transformation', async (tx) => {
    const before = await transformationRows(tx).where('t.trId', '=', trId).executeTakeFirst()
    assertVersion(tx, before, version)
    await assertValid(tx, form, trId)
    const row = columns(form)
    await tx.db
      .updateTable('transformation')
      .set({ ...row, segments: JSON.stringify(row.segments), ...updatedColumns(tx) })
      .where('schoolId', '=', tx.actor.schoolId)
      .where('trId', '=', trId)
      .execute()
    await audit(tx, {
      action: '编辑转换规则',
      bizType: 'transformation',
      bizId: trId,
      bizName: form.trName,
      ...changedFields<object>(ruleOf(before), row),
    })
    return { affected: 1 }
  })

/** Deletes rules; nothing hangs on them, for results are calculated when they are shown. */
export const deleteTransformations = (ctx: Context, { trIds }: CallInput<'remove'>) =>
  inLockedTransaction(ctx, 'transformation', async (tx) => {
    const rows = await visibleTransformations(tx).select(['t.trId', 't.trName']).where(anyOf('t.trId', trIds)).execute()
    if (rows.length !== trIds.length) throw new Failure('not-found')
    await tx.db
      .deleteFrom('transformation')
      .where('schoolId', '=', tx.actor.schoolId)
      .where(anyOf('trId', trIds))
      .execute()
    await auditMany(
      tx,
      rows.map(({ trId, trName }) => ({
        action: '删除转换规则',
        bizType: 'transformation',
        bizId: trId,
        bizName: trName,
        before: { trName },
      })),
    )
    return { affected: rows.length }
  })

/**
 * A name of its own, known nodes and term, and no other open rule that would convert the same again for the same
 * students.
 */
async function assertValid(tx: Context, form: Form, except?: string): Promise<void> {
  const others = (await transformationRows(tx).execute()).filter(({ trId }) => trId !== except)
  if (others.some(({ trName }) => trName === form.trName))
    throw new Failure('name-taken', { what: '转换规则', name: form.trName })
  const nodes = await from(tx, 'curriculum').select(['lsId', 'lsPath']).execute()
  const pathOf = new Map(nodes.map(({ lsId, lsPath }) => [lsId, lsPath]))
  if (form.scopeLsIds.some((lsId) => !pathOf.has(lsId)))
    throw invalidInput([{ field: 'scopeLsIds', msg: '所选课程体系不存在，请重新选择' }])
  if (form.effectTerm) {
    const term = await from(tx, 'term').select('tmId').where('tmId', '=', form.effectTerm).executeTakeFirst()
    if (!term) throw invalidInput([{ field: 'effectTerm', msg: '所选学期不存在，请重新选择' }])
  }
  if (form.enable !== enableStatus.enabled) return
  const meets = (a: readonly string[], b: readonly string[], overlap: (x: string, y: string) => boolean) =>
    a.length === 0 || b.length === 0 || a.some((x) => b.some((y) => overlap(x, y)))
  const nested = (x: string, y: string) => (pathOf.get(x) ?? [x]).includes(y) || (pathOf.get(y) ?? [y]).includes(x)
  const twin = others.find(
    (other) =>
      other.enable === enableStatus.enabled &&
      other.fromType === form.fromType &&
      other.toType === form.toType &&
      meets(other.scopeGrades, form.scopeGrades, (x, y) => x === y) &&
      meets(other.scopeLsIds, form.scopeLsIds, nested),
  )
  if (twin) throw new Failure('transformation-overlap', { name: twin.trName })
}

const columns = (form: Form) => ({
  trName: form.trName,
  trDesc: form.trDesc ?? '',
  fromType: form.fromType,
  toType: form.toType,
  mode: form.mode,
  // what the chosen way does not use is not kept
  ratio: form.mode === convertMode.linear ? (form.ratio ?? null) : null,
  segments: form.mode === convertMode.linear ? [] : form.segments,
  rounding: form.rounding,
  decimals: form.decimals,
  cap: form.cap ?? null,
  scopeLsIds: form.scopeLsIds,
  scopeGrades: form.scopeGrades,
  effectTerm: form.effectTerm ?? null,
  enable: form.enable,
})
