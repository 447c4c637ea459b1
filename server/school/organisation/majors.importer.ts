import { eduLevel as eduLevelCodes } from '../../../contract/core/codes/school.ts'
import { dictionary, labelOf } from '../../../contract/core/dictionary.ts'
import { Failure } from '../../../contract/core/failure.ts'
import { majorSheet } from '../../../contract/school/organisation/organisation.sheets.ts'
import type { BulkTable } from '../../core/request/bulk-edit.ts'
import { from } from '../../core/database/tenant.ts'
import { scopeIncludes } from '../../core/request/scope-check.ts'
import { importer } from '../../platform/imports/importer.ts'
import { addedIds, takeBack, writeRows } from './import-undo.ts'
import { majorsInUse } from './majors.queries.ts'
import { placeIndex } from './place-index.service.ts'

const table = {
  table: 'major',
  id: 'smId',
  columns: { smCode: 'text', smName: 'text', scId: 'uuid', eduLevel: 'text', years: 'int' },
} as const satisfies BulkTable<string>

/**
 * Majors from a sheet, told apart by their code. One that exists is not moved to another college this way: its classes
 * hang on it.
 */
export const majorImporter = importer({
  sheet: majorSheet,
  permit: 'major:edit',
  unique: [['smCode'], ['scName', 'smName']],
  choices: async (ctx) => ({
    scName: (await placeIndex(ctx)).colleges
      .filter(({ scId }) => scopeIncludes(ctx.scope, { college: scId }))
      .map(({ scName }) => scName),
  }),
  async load(ctx) {
    const [places, rows] = await Promise.all([
      placeIndex(ctx),
      from(ctx, 'major').select(['smId as id', 'smCode', 'smName', 'scId', 'eduLevel', 'years', 'version']).execute(),
    ])
    return { scope: ctx.scope, places, byCode: new Map(rows.map((row) => [row.smCode, row])) }
  },
  check({ smCode, smName, scName }, { scope, places, byCode }) {
    const college = places.college(scName)
    if (!college)
      return { faults: scName ? [{ key: 'scName', msg: `没有名为“${scName}”的学院` }] : [], found: undefined }
    const known = byCode.get(smCode)
    if (!scopeIncludes(scope, { college: college.scId, major: known?.id }))
      return { faults: [{ key: 'scName', msg: '该学院不在您的管理范围内' }], found: undefined }
    if (known && known.scId !== college.scId)
      return { conflicts: [{ key: 'scName', msg: '该专业已属于其他学院，请在专业管理中调整' }], found: undefined }
    const twin = places.major(college.scId, smName)
    const conflicts =
      twin?.smName === smName && twin.smId !== known?.id
        ? [{ key: 'smName' as const, msg: `该学院已有同名专业，代码为 ${twin.smCode}` }]
        : []
    return {
      conflicts,
      existing: known && {
        smCode,
        smName: known.smName,
        scName,
        eduLevel: labelOf('edu_level', known.eduLevel),
        years: known.years,
      },
      found: { scId: college.scId, known },
    }
  },
  commit: (ctx, _target, rows) =>
    writeRows(
      ctx,
      table,
      rows.map(({ row: { smCode, smName, eduLevel, years }, found }) => ({
        values: {
          smCode,
          smName,
          scId: found!.scId,
          eduLevel: dictionary.edu_level.find(([, label]) => label === eduLevel)?.[0] ?? eduLevelCodes.bachelor,
          years: years ?? 4,
        },
        known: found!.known,
      })),
    ),
  async undo(ctx, _target, rows) {
    const [used] = await majorsInUse(ctx, addedIds(rows))
    if (used) throw new Failure('import-undo-late', { what: `专业“${used.smName}”已在使用` })
    await takeBack(ctx, table, 'smName', rows)
  },
})
