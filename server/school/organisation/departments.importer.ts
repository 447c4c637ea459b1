import { departmentType } from '../../../contract/core/codes/school.ts'
import { dictionary, labelOf } from '../../../contract/core/dictionary.ts'
import { Failure } from '../../../contract/core/failure.ts'
import { departmentSheet } from '../../../contract/school/organisation/organisation.sheets.ts'
import type { BulkTable } from '../../core/request/bulk-edit.ts'
import { scopeIncludes } from '../../core/request/scope-check.ts'
import { newId } from '../../core/base/ids.ts'
import { from } from '../../core/database/tenant.ts'
import { lockSchool } from '../../core/request/advisory-lock.ts'
import { importer } from '../../platform/imports/importer.ts'
import { departmentsInUse } from './departments.service.ts'
import { addedIds, takeBack, writeRows } from './import-undo.ts'

const table = {
  table: 'department',
  id: 'sdId',
  columns: { sdCode: 'text', sdName: 'text', sdPid: 'uuid', sdType: 'text' },
} as const satisfies BulkTable<string>

interface Entry {
  id: string | null
  code: string
  name: string
  parent: string | null
}

/**
 * Departments from a sheet, told apart by their code. A parent may be a department of the school or another row of the
 * file.
 */
export const departmentImporter = importer({
  sheet: departmentSheet,
  permit: 'department:edit',
  unique: [['sdCode']],
  async load({ db, actor, scope }, _target, rows) {
    const all = await from({ db, actor }, 'department')
      .select(['sdId as id', 'sdCode', 'sdName', 'sdPid', 'sdType', 'version'])
      .execute()
    const codes = new Map(all.map((one) => [one.id, one.sdCode]))
    const entries = new Map<string, Entry>(
      all.map((one) => [
        one.sdCode,
        { id: one.id, code: one.sdCode, name: one.sdName, parent: one.sdPid ? codes.get(one.sdPid)! : null },
      ]),
    )
    for (const { sdCode, sdName, parentName } of rows) {
      const known = entries.get(sdCode)
      entries.set(sdCode, {
        id: known?.id ?? null,
        code: sdCode,
        name: sdName,
        parent: known?.parent ?? null,
        ...(parentName ? { parent: parentName } : {}),
      })
    }
    const named = new Map<string, Entry[]>()
    for (const entry of entries.values()) named.set(entry.name, [...(named.get(entry.name) ?? []), entry])
    return {
      scope,
      byCode: new Map(all.map((one) => [one.sdCode, one])),
      entries,
      named,
      nameOf: new Map(all.map((one) => [one.id, one.sdName])),
    }
  },
  check({ sdCode, sdName, parentName }, { scope, byCode, entries, named, nameOf }) {
    const known = byCode.get(sdCode)
    const find = (word: string) =>
      entries.get(word) ?? (named.get(word)?.length === 1 ? named.get(word)![0] : undefined)
    const parent = parentName ? find(parentName) : known?.sdPid ? find(entries.get(sdCode)!.parent!) : undefined
    const faults: { key: 'parentName' | 'sdCode'; msg: string }[] = []
    if (parentName && !parent)
      faults.push({
        key: 'parentName',
        msg:
          (named.get(parentName)?.length ?? 0) > 1
            ? '有多个同名部门，请填写上级部门的编码'
            : `没有名为“${parentName}”的部门`,
      })
    for (let above = parent, steps = 0; above; above = above.parent ? find(above.parent) : undefined) {
      if (above.code !== sdCode && steps++ < 50) continue
      faults.push({ key: 'parentName', msg: '上级部门不能是自己或自己的下级' })
      break
    }
    if (!scopeIncludes(scope, { department: known?.id ?? parent?.id ?? null }))
      faults.push({ key: 'sdCode', msg: '该部门不在您的管理范围内' })
    const twins = (named.get(sdName) ?? []).filter(
      (other) => other.code !== sdCode && (other.parent ? find(other.parent)?.code : undefined) === parent?.code,
    )
    const conflicts =
      twins.length > 0 ? [{ key: 'sdName' as const, msg: `同级已有同名部门，编码为 ${twins[0]!.code}` }] : []
    const existing = known && {
      sdCode,
      sdName: known.sdName,
      parentName: known.sdPid ? (parentName && parent?.id === known.sdPid ? parentName : nameOf.get(known.sdPid)!) : '',
      sdType: labelOf('department_type', known.sdType),
    }
    return { faults, conflicts, existing, found: { known, parent: parent?.code ?? null, parentId: parent?.id ?? null } }
  },
  async commit(ctx, _target, rows) {
    await lockSchool(ctx, 'departments')
    const fresh = new Map(rows.filter(({ verdict }) => verdict === 'new').map(({ row }) => [row.sdCode, newId()]))
    return writeRows(
      ctx,
      table,
      rows.map(({ row: { sdCode, sdName, sdType }, found }) => ({
        id: fresh.get(sdCode)!,
        values: {
          sdCode,
          sdName,
          sdPid: found.parentId ?? (found.parent ? fresh.get(found.parent)! : null),
          sdType:
            dictionary.department_type.find(([, label]) => label === sdType)?.[0] ?? departmentType.administration,
        },
        known: found.known,
      })),
    )
  },
  async undo(ctx, _target, rows) {
    // departments below that were not imported along are kept by the foreign key
    const used = (await departmentsInUse(ctx, addedIds(rows))).find(
      ({ members, lessons, areas, steps }) => members + lessons + areas + steps > 0,
    )
    if (used) throw new Failure('import-undo-late', { what: `部门“${used.sdName}”已在使用` })
    await takeBack(ctx, table, 'sdName', rows)
  },
})
