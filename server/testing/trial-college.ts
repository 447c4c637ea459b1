import { sql } from 'kysely'
import { Failure } from '../../contract/core/failure.ts'
import { sheet } from '../../contract/core/sheets.ts'
import { importApi } from '../../contract/platform/imports/imports.calls.ts'
import { chunksOf, recordset } from '../core/database/bulk.ts'
import { newId } from '../core/base/ids.ts'
import type { Route } from '../core/request/routes.ts'
import { importer, type Importers } from '../platform/imports/importer.ts'
import { importRoutes } from '../platform/imports/imports.routes.ts'

/** A small import of colleges, for tests of the machine. Its `scPhone` stands for a sensitive column. */
export const tryCollegeSheet = sheet({
  kind: 'college',
  title: '试验学院',
  version: 1,
  columns: [
    { key: 'scCode', label: '学院编码', required: true, max: 20 },
    { key: 'scName', label: '学院名称', required: true, max: 50 },
    { key: 'scShort', label: '简称', max: 20 },
    { key: 'scSort', label: '排序', kind: 'integer', max: 9999 },
    { key: 'scPhone', label: '电话', max: 20, sensitive: true },
    { key: 'scType', label: '类型', max: 20 },
  ],
})

/** Lets a test hold the import between two steps: whoever comes to a shut gate waits until it is opened. */
export const gates: { load?: Promise<void>; commit?: Promise<void>; undo?: Promise<void> } = {}

interface Undo {
  scId: string
  before: { scName: string; scShort: string; scPhone: string } | null
}

const tryCollege = importer({
  sheet: tryCollegeSheet,
  permit: 'college:edit',
  unique: [['scCode'], ['scName']],
  rowsAtOnce: 2000,
  choices: async () => ({ scType: ['学院', '研究院'] }),
  async load({ db, actor }) {
    await gates.load
    const rows = await db.selectFrom('college').selectAll().where('schoolId', '=', actor.schoolId).execute()
    return {
      byCode: new Map(rows.map((row) => [row.scCode, row])),
      byName: new Map(rows.map((row) => [row.scName, row])),
    }
  },
  check(row, { byCode, byName }) {
    const known = byCode.get(row.scCode)
    const twin = byName.get(row.scName)
    const faults = row.scName.includes('坏') ? [{ key: 'scName' as const, msg: '学院名称不能含“坏”字' }] : []
    const conflicts =
      twin && twin.scCode !== row.scCode ? [{ key: 'scName' as const, msg: `学院名称已属于 ${twin.scCode}` }] : []
    return {
      faults,
      conflicts,
      existing: known && {
        scCode: known.scCode,
        scName: known.scName,
        scShort: known.scShort,
        scSort: known.scSort,
        scPhone: known.scPhone,
      },
      found: known,
    }
  },
  async commit({ db, actor }, _target, rows) {
    await gates.commit
    const undo: Undo[] = rows.map(({ found }) =>
      found
        ? { scId: found.scId, before: { scName: found.scName, scShort: found.scShort, scPhone: found.scPhone } }
        : { scId: newId(), before: null },
    )
    const written = rows.map(({ row }, at) => ({ ...row, scSort: row.scSort ?? 0, scId: undo[at]!.scId }))
    for await (const chunk of chunksOf(written, 5000)) {
      await sql`
          insert into "college" ("schoolId", "scId", "scCode", "scName", "scShort", "scSort", "scPhone")
          select ${actor.schoolId}, r.*
          from
          ${recordset(chunk, { scId: 'uuid', scCode: 'text', scName: 'text', scShort: 'text', scSort: 'int', scPhone: 'text' })}
          on conflict ("schoolId", "scId") do update set "scName" = excluded."scName", "scShort" = excluded."scShort",
            "scPhone" = excluded."scPhone"`.execute(db)
    }
    return undo
  },
  async undo({ db, actor }, _target, rows) {
    await gates.undo
    const ids = rows.map((row) => row.scId)
    const used = await db
      .selectFrom('college')
      .select('scName')
      .where('schoolId', '=', actor.schoolId)
      .where('scId', '=', sql<string>`any(${ids}::uuid[])`)
      .where((eb) =>
        eb.exists(
          eb
            .selectFrom('major')
            .select('smId')
            .whereRef('major.schoolId', '=', 'college.schoolId')
            .whereRef('major.scId', '=', 'college.scId'),
        ),
      )
      .executeTakeFirst()
    if (used) throw new Failure('import-undo-late', { what: used.scName })
    for (const { scId, before } of rows)
      if (before)
        await db
          .updateTable('college')
          .set(before)
          .where('schoolId', '=', actor.schoolId)
          .where('scId', '=', scId)
          .execute()
    const made = rows.filter(({ before }) => !before).map(({ scId }) => scId)
    await db
      .deleteFrom('college')
      .where('schoolId', '=', actor.schoolId)
      .where('scId', '=', sql<string>`any(${made}::uuid[])`)
      .execute()
  },
})

/** The import calls at an address of their own, beside those of the service. */
export const tryApi = Object.fromEntries(
  Object.entries(importApi).map(([name, call]) => [
    name,
    { ...call, path: call.path.replace('/import/', '/importTry/') },
  ]),
) as unknown as typeof importApi

export const tryImporters: Importers = { college: tryCollege, lesson: { ...tryCollege, needs: ['liId'] } }

export const tryRoutes: Route[] = importRoutes(tryImporters).map((route) => ({
  ...route,
  call: { ...route.call, path: route.call.path.replace('/import/', '/importTry/') },
}))
