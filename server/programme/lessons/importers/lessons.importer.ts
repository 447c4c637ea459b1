import { sql } from 'kysely'
import { enableStatus, yesNo } from '../../../../contract/core/codes/platform.ts'
import { lessonStatus } from '../../../../contract/core/codes/programme.ts'
import { curriculumType } from '../../../../contract/core/codes/rules.ts'
import { dictionary } from '../../../../contract/core/dictionary.ts'
import { Failure, type FieldFault } from '../../../../contract/core/failure.ts'
import { fromHundredths } from '../../../../contract/core/fields.ts'
import { richFromPlain } from '../../../../contract/core/rich-text.ts'
import type { SheetColumn, SheetRow } from '../../../../contract/core/sheets.ts'
import { maxImportRows } from '../../../../contract/platform/imports/imports.schema.ts'
import { lessonField } from '../../../../contract/programme/lessons/lesson-fields.ts'
import { lessonApi } from '../../../../contract/programme/lessons/lessons.calls.ts'
import { lessonForm } from '../../../../contract/programme/lessons/lessons.schema.ts'
import { lessonSheet } from '../../../../contract/programme/lessons/lessons.sheets.ts'
import type { SchoolSettings } from '../../../../contract/school/school/settings.ts'
import { anyOf } from '../../../core/database/any-of.ts'
import { auditMany } from '../../../core/audit/audit.ts'
import type { Context } from '../../../core/request/context.ts'
import { updatedColumns } from '../../../core/request/stamp-columns.ts'
import { from } from '../../../core/database/tenant.ts'
import { lockSchool } from '../../../core/request/advisory-lock.ts'
import { importer } from '../../../platform/imports/importer.ts'
import { schoolSettings } from '../../../school/school/settings.service.ts'
import { columnsOf } from '../form/lesson-columns.service.ts'
import { lessonValuesFrom, type GivenValues } from '../form/lesson-form.ts'
import { insertLesson } from '../planning/lesson-save.service.ts'

type Row = SheetRow<typeof lessonSheet>
type Key = keyof Row
type Fault = { key?: Key; msg: string }
interface CheckedRow {
  values: GivenValues | undefined
  faults: Fault[]
  conflicts: Fault[]
}

const maxRows = maxImportRows('lesson')

/**
 * Courses from a sheet: every row becomes a draft, after the same checks as the form. Drafts that were touched since
 * are not taken back.
 */
export const lessonImporter = importer({
  sheet: lessonSheet,
  permit: lessonApi.save.permit,
  unique: [['liName']],

  async choices(ctx) {
    const { nodes, levels, templates } = await wordsOf(ctx, [])
    return {
      lsName: nodes.filter(({ isOpen }) => isOpen).map(({ fullName }) => fullName),
      levelName: levels.map(({ llName }) => llName),
      atName: templates.map(({ atName }) => atName),
    }
  },

  async load(ctx, _target, rows: readonly Row[]) {
    const [words, rules] = await Promise.all([wordsOf(ctx, rows), schoolSettings(ctx, ctx.actor.schoolId)])
    const checkedRows = new Map<string, CheckedRow>()
    for (const [at, row] of rows.entries())
      checkedRows.set(
        row.liName,
        at < maxRows
          ? await checkRow(ctx, row, words, rules)
          : { values: undefined, faults: [{ msg: `一次最多导入 ${maxRows} 门课程，请分次导入` }], conflicts: [] },
      )
    return checkedRows
  },

  check(row, checkedRows) {
    const { values, faults, conflicts } = checkedRows.get(row.liName) ?? {
      values: undefined,
      faults: [],
      conflicts: [],
    }
    return { faults, conflicts, found: values }
  },

  async commit(ctx, _target, rows) {
    await lockSchool(ctx, 'lesson-save')
    const made: { id: string; version: number }[] = []
    for (const { found } of rows) {
      const { liId, version } = await insertLesson(ctx, found!, { action: '导入课程' })
      made.push({ id: liId, version })
    }
    return made
  },

  async undo(ctx, _target, rows: readonly { id: string; version: number }[]) {
    const { schoolId } = ctx.actor
    const now = await from(ctx, 'lesson')
      .select(['liId', 'liName', 'liStatus', 'version'])
      .where(
        anyOf(
          'liId',
          rows.map(({ id }) => id),
        ),
      )
      .orderBy('liId')
      .forUpdate()
      .execute()
    const left = new Map(rows.map(({ id, version }) => [id, version]))
    const used = now.find(
      ({ liId, liStatus, version }) => liStatus !== lessonStatus.draft || left.get(liId) !== version,
    )
    if (used || now.length < rows.length)
      throw new Failure('import-undo-late', {
        what: used ? `课程“${used.liName}”在导入之后已被修改或提交` : '部分课程在导入之后已被删除',
      })
    await ctx.db
      .updateTable('lesson')
      .set({ delFlag: yesNo.yes, ...updatedColumns(ctx) })
      .where('schoolId', '=', schoolId)
      .where(
        anyOf(
          'liId',
          rows.map(({ id }) => id),
        ),
      )
      .execute()
    await auditMany(
      ctx,
      now.map(({ liId, liName }) => ({
        action: '撤销导入课程',
        bizType: 'lesson' as const,
        bizId: liId,
        bizName: liName,
      })),
    )
  },
})

type Words = Awaited<ReturnType<typeof wordsOf>>

/** What the words of the sheet mean in this school: three small tables, and the people the rows name. */
async function wordsOf({ db, actor }: Context, rows: readonly Row[]) {
  const { schoolId } = actor
  const numbers = [...new Set(rows.map(({ principalNumber }) => principalNumber))]
  const [nodes, levels, templates, colleges, people] = await Promise.all([
    sql<{
      lsId: string
      lsName: string
      lsCode: string
      fullName: string
      isOpen: boolean
    }>`
      select c."lsId", c."lsName", c."lsCode", string_agg(u."lsName", ' / ' order by p."at") "fullName",
        bool_and(u."enable" = '1')
        and c."lsType" <> ${sql.lit(curriculumType.supplements)} "isOpen"
      from "curriculum" c, unnest(c."lsPath") with ordinality p("id", "at")
      join "curriculum" u on u."lsId" = p."id"
      where c."schoolId" = ${schoolId} and u."schoolId" = ${schoolId}
      group by c."lsId", c."lsName", c."lsCode", c."lsType"
      order by 4`
      .execute(db)
      .then((found) => found.rows),
    from({ db, schoolId }, 'lessonLevel')
      .select(['llId', 'llName'])
      .where('enable', '=', enableStatus.enabled)
      .orderBy('llSort')
      .execute(),
    from({ db, schoolId }, 'awardTemplate')
      .select(['atId', 'atName'])
      .where('enable', '=', enableStatus.enabled)
      .orderBy('atName')
      .execute(),
    from({ db, schoolId }, 'college').select(['scId', 'scName']).execute(),
    from({ db, schoolId }, 'person')
      .select(['suId', 'suiNumber'])
      .where('suiNumber', '=', sql<string>`any(${numbers}::text[])`)
      .execute(),
  ])
  return { nodes, levels, templates, colleges, people }
}

/** Which column a field of the form is filled from. */
const columns: Partial<Record<string, Key>> = {
  lsId: 'lsName',
  liLevel: 'levelName',
  liPrincipalId: 'principalNumber',
  liCollegeId: 'collegeName',
  liDepartmentId: 'collegeName',
  atId: 'atName',
}
const known = new Set<string>(lessonSheet.columns.map(({ key }) => key))
const asFault = ({ field, msg }: FieldFault): Fault => {
  const key = columns[field] ?? field
  return known.has(key) ? { key: key as Key, msg } : { msg }
}

/** The columns that are fields of the form under the same name, as the form takes them. */
const enteredIn = (row: Row) =>
  Object.fromEntries(
    lessonSheet.columns.flatMap((column: SheetColumn) => {
      const field = lessonField(column.key)
      if (!field) return []
      const value = row[column.key as Key]
      if (value === null || (value === '' && !column.required)) return []
      const entered = field.dictionary
        ? dictionary[field.dictionary].find(([, label]) => label === value)?.[0]
        : column.kind === 'amount'
          ? fromHundredths(value as number)
          : field.format === 'rich'
            ? richFromPlain(value as string)
            : value
      return [[column.key, entered]]
    }),
  )

/** What the form would say to a row: first what it takes, then what the school's records say. */
async function checkRow(
  ctx: Context,
  row: Row,
  { nodes, levels, templates, colleges, people }: Words,
  { signLateMinutes, publictyDefault }: SchoolSettings,
): Promise<CheckedRow> {
  const faults: Fault[] = []
  /** The id of what a word names; several of one name must be told apart. */
  const idOf = <T>(
    key: Key,
    list: readonly T[],
    fits: (one: T) => boolean,
    what: string,
    id: (one: T) => string,
  ): string | undefined => {
    if (row[key] === '' || row[key] === null) return undefined
    const found = list.filter(fits)
    if (found.length !== 1)
      faults.push({
        key,
        msg: found.length === 0 ? `没有${what}“${row[key]}”` : `有多个${what}“${row[key]}”，请写全上级名称`,
      })
    return found.length === 1 ? id(found[0]!) : undefined
  }
  const path = row.lsName.replaceAll(/\s*[/／]\s*/g, ' / ')
  const form = {
    ...enteredIn(row),
    lsId: idOf(
      'lsName',
      nodes,
      (one) => one.fullName === path || one.lsName === path || (one.lsCode !== '' && one.lsCode === path),
      '课程体系',
      ({ lsId }) => lsId,
    ),
    liLevel: idOf(
      'levelName',
      levels,
      ({ llName }) => llName === row.levelName,
      '级别',
      ({ llId }) => llId,
    ),
    liCollegeId: idOf(
      'collegeName',
      colleges,
      ({ scName }) => scName === row.collegeName,
      '学院',
      ({ scId }) => scId,
    ),
    liPrincipalId: idOf(
      'principalNumber',
      people,
      ({ suiNumber }) => suiNumber === row.principalNumber,
      '学工号',
      ({ suId }) => suId,
    ),
    atId: idOf(
      'atName',
      templates,
      ({ atName }) => atName === row.atName,
      '奖励模板',
      ({ atId }) => atId,
    ),
  }
  const parsed = lessonForm.safeParse(
    Object.fromEntries(Object.entries(form).filter(([, value]) => value !== undefined && value !== null)),
  )
  if (!parsed.success) {
    const reportedKeys = new Set(faults.map(({ key }) => key))
    faults.push(
      ...parsed.error.issues
        .map((issue) => asFault({ field: issue.path.join('.'), msg: issue.message }))
        .filter(({ key }) => key === undefined || !reportedKeys.has(key)),
    )
  }
  if (!parsed.success || faults.length > 0) return { values: undefined, faults, conflicts: [] }
  const { liId: _id, version: _version, submit: _submit, ...values } = parsed.data
  try {
    await columnsOf(ctx, lessonValuesFrom(values, { lateMinutes: signLateMinutes, publictyDays: publictyDefault }))
    return { values, faults, conflicts: [] }
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    const { errors } = error
    return errors && errors.length > 0
      ? { values, faults: errors.map(asFault), conflicts: [] }
      : { values, faults, conflicts: [{ key: 'liName', msg: error.msg }] }
  }
}
