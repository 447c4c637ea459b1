import { Failure } from '../../../contract/core/failure.ts'
import { collegeSheet } from '../../../contract/school/organisation/organisation.sheets.ts'
import type { BulkTable } from '../../core/request/bulk-edit.ts'
import { from } from '../../core/database/tenant.ts'
import { scopeIncludes } from '../../core/request/scope-check.ts'
import { importer } from '../../platform/imports/importer.ts'
import { collegesInUse } from './colleges.queries.ts'
import { addedIds, takeBack, writeRows } from './import-undo.ts'

const table = {
  table: 'college',
  id: 'scId',
  columns: { scCode: 'text', scName: 'text', scShort: 'text', scSort: 'int' },
} as const satisfies BulkTable<string>

/** Colleges from a sheet, told apart by their code. */
export const collegeImporter = importer({
  sheet: collegeSheet,
  permit: 'college:edit',
  unique: [['scCode'], ['scName']],
  async load({ db, actor, scope }) {
    const rows = await from({ db, actor }, 'college')
      .select(['scId as id', 'scCode', 'scName', 'scShort', 'scSort', 'version'])
      .execute()
    return {
      scope,
      byCode: new Map(rows.map((row) => [row.scCode, row])),
      byName: new Map(rows.map((row) => [row.scName, row])),
    }
  },
  check({ scCode, scName }, { scope, byCode, byName }) {
    const known = byCode.get(scCode)
    const twin = byName.get(scName)
    const conflicts =
      twin && twin.id !== known?.id ? [{ key: 'scName' as const, msg: `已有同名学院，编码为 ${twin.scCode}` }] : []
    if (!known)
      return {
        faults: scope.whole ? [] : [{ key: 'scCode', msg: '您只能更新本学院，不能新增学院' }],
        conflicts,
        found: undefined,
      }
    if (!scopeIncludes(scope, { college: known.id }))
      return { faults: [{ key: 'scCode', msg: '该学院不在您的管理范围内' }], found: undefined }
    return { conflicts, existing: known, found: known }
  },
  commit: (ctx, _target, rows) =>
    writeRows(
      ctx,
      table,
      rows.map(({ row, found }) => ({ values: { ...row, scSort: row.scSort ?? 0 }, known: found })),
    ),
  async undo(ctx, _target, rows) {
    const [used] = await collegesInUse(ctx, addedIds(rows))
    if (used) throw new Failure('import-undo-late', { what: `学院“${used.scName}”已在使用` })
    await takeBack(ctx, table, 'scName', rows)
  },
})
