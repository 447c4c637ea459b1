import { Failure } from '../../../contract/core/failure.ts'
import { fromHundredths } from '../../../contract/core/fields.ts'
import { thresholdSheet } from '../../../contract/outcomes/thresholds/thresholds.sheets.ts'
import { thresholdTargets } from '../../../contract/outcomes/thresholds/thresholds.calls.ts'
import { deleteMany, insertMany, updateMany, type BulkTable } from '../../core/request/bulk-edit.ts'
import { newId } from '../../core/base/ids.ts'
import { modulesOf } from '../../rules/curriculum/modules.service.ts'
import { importer } from '../../platform/imports/importer.ts'
import { askForCalc } from './bases.service.ts'
import { baseColumns, keyOf, storedBases } from './expectations.service.ts'

const amounts = { required: 'int', warn1: 'int', warn2: 'int', warn3: 'int' } as const
const table = {
  table: 'thresholdBase',
  id: 'tbId',
  columns: { grade: 'text', tbTarget: 'text', lsId: 'uuid', checkpointTerm: 'int', ...amounts },
} as const satisfies BulkTable<string>

type Column = keyof typeof table.columns

interface Amounts {
  required: number
  warn1: number
  warn2: number
  warn3: number
}
interface Found {
  tbTarget: string
  lsId: string | null
  known: (Amounts & { id: string; version: number }) | undefined
}
interface Undo extends Omit<Found, 'known'>, Amounts {
  id: string
  version: number
  isNew: boolean
  grade: string
  checkpointTerm: number
}

const placeOf = (grade: string, key: string, term: number | null) => `${grade}/${key}/${term}`

/** Base values from a sheet, told apart by year, measure and term. */
export const thresholdImporter = importer({
  sheet: thresholdSheet,
  permit: 'threshold:edit',
  unique: [['grade', 'target', 'checkpointTerm']],
  choices: async (ctx) => ({
    target: [
      ...(await modulesOf(ctx)).map(({ lsName }) => lsName),
      ...Object.entries(thresholdTargets)
        .filter(([key]) => key !== 'module')
        .map(([, label]) => label),
    ],
  }),
  async load(ctx) {
    const [modules, rows] = await Promise.all([
      modulesOf(ctx),
      storedBases(ctx)
        .select([...baseColumns, 'b.tbId as id'])
        .execute(),
    ])
    return {
      modules: new Map(modules.map(({ lsName, lsId }) => [lsName, lsId])),
      known: new Map(rows.map((row) => [placeOf(row.grade, keyOf(row), row.checkpointTerm), row])),
    }
  },
  check({ grade, target, checkpointTerm, required, warn1, warn2, warn3 }, { modules, known }) {
    const lsId = modules.get(target) ?? null
    const tbTarget = lsId
      ? 'module'
      : Object.entries(thresholdTargets).find(([key, label]) => key !== 'module' && label === target)?.[0]
    const faults = [
      ...(target && !tbTarget ? [{ key: 'target' as const, msg: `没有名为“${target}”的模块或指标` }] : []),
      ...(grade && !/^(19|20)\d\d$/.test(grade) ? [{ key: 'grade' as const, msg: '年级须为四位年份，如 2023' }] : []),
      ...((warn1 ?? 0) > (required ?? 0)
        ? [{ key: 'warn1' as const, msg: `一般警告线不能高于要求 ${fromHundredths(required ?? 0)}` }]
        : []),
      ...((warn2 ?? 0) > (warn1 ?? 0) ? [{ key: 'warn2' as const, msg: '警告线不能高于一般警告线' }] : []),
      ...((warn3 ?? 0) > (warn2 ?? 0) ? [{ key: 'warn3' as const, msg: '严重警告线不能高于警告线' }] : []),
    ]
    const stored = tbTarget ? known.get(placeOf(grade, keyOf({ tbTarget, lsId }), checkpointTerm)) : undefined
    const found: Found | undefined = tbTarget ? { tbTarget, lsId, known: stored } : undefined
    return {
      faults,
      existing: stored && {
        grade,
        target,
        checkpointTerm,
        required: stored.required,
        warn1: stored.warn1,
        warn2: stored.warn2,
        warn3: stored.warn3,
      },
      found,
    }
  },
  async commit(ctx, _target, rows) {
    const written = rows.map(({ row, found }) => {
      const { tbTarget, lsId, known } = found!
      return {
        id: known?.id ?? newId(),
        isNew: !known,
        before: known,
        grade: row.grade,
        tbTarget,
        lsId,
        checkpointTerm: row.checkpointTerm!,
        required: row.required!,
        warn1: row.warn1!,
        warn2: row.warn2!,
        warn3: row.warn3!,
      }
    })
    await insertMany<Column>(
      ctx,
      table,
      written.filter(({ isNew }) => isNew),
    )
    await updateMany<Column>(
      ctx,
      table,
      written.filter(({ isNew }) => !isNew),
    )
    await askForCalc(ctx)
    return written.map(({ id, isNew, before, grade, tbTarget, lsId, checkpointTerm }): Undo => ({
      id,
      isNew,
      grade,
      tbTarget,
      lsId,
      checkpointTerm,
      version: before ? before.version + 1 : 0,
      required: before?.required ?? 0,
      warn1: before?.warn1 ?? 0,
      warn2: before?.warn2 ?? 0,
      warn3: before?.warn3 ?? 0,
    }))
  },
  async undo(ctx, _target, rows) {
    const [added, altered] = [rows.filter(({ isNew }) => isNew), rows.filter(({ isNew }) => !isNew)]
    const undone = (await deleteMany(ctx, table, added)) + (await updateMany<Column>(ctx, table, altered))
    if (undone !== rows.length) throw new Failure('import-undo-late', { what: '部分基准值在导入之后已被修改' })
    await askForCalc(ctx)
  },
})
