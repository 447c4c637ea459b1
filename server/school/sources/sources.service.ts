import { yesNo } from '../../../contract/core/codes/platform.ts'
import { sourceWay } from '../../../contract/core/codes/school.ts'
import { Failure } from '../../../contract/core/failure.ts'
import type { Checked } from '../../../contract/core/call.ts'
import type { ImportKind } from '../../../contract/platform/imports/imports.schema.ts'
import type { sourceApi } from '../../../contract/school/sources/sources.calls.ts'
import { audit, auditMany, changedFields } from '../../core/audit/audit.ts'
import { newId } from '../../core/base/ids.ts'
import { anyOf } from '../../core/database/any-of.ts'
import type { Context } from '../../core/request/context.ts'
import { assertVersion } from '../../core/request/scope-check.ts'
import { createdColumns, updatedColumns } from '../../core/request/stamp-columns.ts'
import { inTransaction } from '../../core/request/transaction.ts'
import { seal } from '../../core/secrets/field-crypto.ts'
import type { Importers } from '../../platform/imports/importer.ts'
import type { SourceConnection } from './source-connection.ts'
import { nextRunAfter } from './source-rules.ts'
import { visibleSources } from './sources.queries.ts'

/**
 * Adds or changes a source. It runs with the rights of whoever saved it last, who therefore must hold those of the kind
 * it brings.
 */
export function saveSource(ctx: Context, importers: Importers, input: Checked<typeof sourceApi.save>) {
  const {
    isId,
    version,
    secret,
    isEnabled,
    fileName,
    address,
    format,
    jsonPath,
    viewName,
    scimFilter,
    columns,
    ...fields
  } = input
  const permit = importers[fields.isKind as ImportKind]!.permit
  if (!ctx.actor.permits.has(permit)) throw new Failure('not-permitted')
  return inTransaction(ctx, async (tx) => {
    const place: SourceConnection = {
      fileName: fileName ?? '',
      address: address ?? '',
      format,
      jsonPath: jsonPath ?? '',
      viewName: viewName ?? '',
      scimFilter: scimFilter ?? '',
      hostKey: '',
      columns,
    }
    const values = {
      ...fields,
      place: JSON.stringify(place),
      isEnabled: isEnabled ? yesNo.yes : yesNo.no,
      nextRun: isEnabled ? nextRunAfter(tx.clock.now(), fields.runAt) : null,
      ownerId: tx.actor.suId,
      ...(secret && { secret: seal(secret, tx.secrets) }),
    }
    // of a secret the trail tells that it was set, and nothing else
    const shown = { ...fields, ...place, columns: JSON.stringify(columns), isEnabled: values.isEnabled }
    const named = { bizType: 'importSource', bizName: fields.isName } as const
    if (!isId) {
      const id = newId()
      await tx.db
        .insertInto('importSource')
        .values({ ...createdColumns(tx), isId: id, ...values })
        .execute()
      await audit(tx, { action: '新增数据来源', ...named, bizId: id, after: { ...shown, secretSet: Boolean(secret) } })
      return { isId: id }
    }
    const before = await visibleSources(tx).selectAll().where('isId', '=', isId).forUpdate().executeTakeFirst()
    assertVersion(tx, before, version)
    // another place must not learn what was meant for the former one
    const former = before.place as unknown as SourceConnection
    const hasMoved = before.isWay !== fields.isWay || hostOf(former.address) !== hostOf(place.address)
    // who was accepted as the server at this address stays so
    if (!hasMoved) place.hostKey = former.hostKey ?? ''
    await tx.db
      .updateTable('importSource')
      .set({
        ...values,
        place: JSON.stringify(place),
        ...(hasMoved && !secret && { secret: null }),
        ...updatedColumns(tx),
      })
      .where('schoolId', '=', tx.actor.schoolId)
      .where('isId', '=', isId)
      .execute()
    const { place: _place, secret: _secret, ...rest } = before
    await audit(tx, {
      action: '编辑数据来源',
      ...named,
      bizId: isId,
      ...changedFields({ ...rest, ...former, columns: JSON.stringify(former.columns) }, shown),
    })
    return { isId }
  })
}

/**
 * Takes the key that a server showed at a test as its own. The trail keeps which.
 * @throws Failure `stale-version`
 */
export function trustHost(ctx: Context, { isId, version, hostKey }: Checked<typeof sourceApi.trust>) {
  return inTransaction(ctx, async (tx) => {
    const before = await visibleSources(tx).selectAll().where('isId', '=', isId).forUpdate().executeTakeFirst()
    assertVersion(tx, before, version)
    if (before.isWay !== sourceWay.sftp) throw new Failure('not-found')
    const former = before.place as unknown as SourceConnection
    await tx.db
      .updateTable('importSource')
      .set({ place: JSON.stringify({ ...former, hostKey }), ...updatedColumns(tx) })
      .where('schoolId', '=', tx.actor.schoolId)
      .where('isId', '=', isId)
      .execute()
    await audit(tx, {
      action: '信任主机密钥',
      bizType: 'importSource',
      bizId: isId,
      bizName: before.isName,
      before: { hostKey: former.hostKey ?? '' },
      after: { hostKey },
    })
    return { isId }
  })
}

const hostOf = (address: string): string => (URL.canParse(address) ? new URL(address).host : '')

/** Removes sources with their history; what they brought stays. */
export function removeSources(ctx: Context, { ids }: Checked<typeof sourceApi.remove>) {
  return inTransaction(ctx, async (tx) => {
    const rows = await visibleSources(tx).select(['isId', 'isName']).where(anyOf('isId', ids)).forUpdate().execute()
    if (rows.length !== ids.length) throw new Failure('not-found')
    await tx.db.deleteFrom('importSource').where('schoolId', '=', tx.actor.schoolId).where(anyOf('isId', ids)).execute()
    await auditMany(
      tx,
      rows.map(({ isId, isName }) => ({
        action: '删除数据来源',
        bizType: 'importSource',
        bizId: isId,
        bizName: isName,
      })),
    )
    return { affected: rows.length }
  })
}
