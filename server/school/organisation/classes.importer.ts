import { sql } from 'kysely'
import { personType } from '../../../contract/core/codes/school.ts'
import { Failure } from '../../../contract/core/failure.ts'
import { classSheet } from '../../../contract/school/organisation/organisation.sheets.ts'
import type { BulkTable } from '../../core/request/bulk-edit.ts'
import { from } from '../../core/database/tenant.ts'
import { scopeIncludes } from '../../core/request/scope-check.ts'
import { importer } from '../../platform/imports/importer.ts'
import { classesInUse } from './classes.queries.ts'
import { addedIds, takeBack, writeRows } from './import-undo.ts'
import { gradeIn, placeIndex } from './place-index.service.ts'

const table = {
  table: 'schoolClass',
  id: 'scClassId',
  columns: {
    scClassCode: 'text',
    scClassName: 'text',
    scId: 'uuid',
    smId: 'uuid',
    scClassGrade: 'text',
    counselorId: 'uuid',
  },
} as const satisfies BulkTable<string>

/** Classes from a sheet, told apart by major, year and name. A code names one class of the school. */
export const classImporter = importer({
  sheet: classSheet,
  permit: 'class:edit',
  unique: [['scName', 'smName', 'scClassGrade', 'scClassName'], ['scClassCode']],
  async choices(ctx) {
    const { colleges, majors } = await placeIndex(ctx)
    return {
      scName: colleges.filter(({ scId }) => scopeIncludes(ctx.scope, { college: scId })).map(({ scName }) => scName),
      smName: [
        ...new Set(
          majors
            .filter(({ scId, smId }) => scopeIncludes(ctx.scope, { college: scId, major: smId }))
            .map(({ smName }) => smName),
        ),
      ],
    }
  },
  async load(ctx, _target, rows) {
    const { db, actor, scope } = ctx
    const numbers = [...new Set(rows.map(({ counselorNumber }) => counselorNumber).filter(Boolean))]
    const [places, classes, teachers] = await Promise.all([
      placeIndex(ctx),
      from({ db, actor }, 'schoolClass')
        .select([
          'scClassId as id',
          'scClassCode',
          'scClassName',
          'scId',
          'smId',
          'scClassGrade',
          'counselorId',
          'version',
        ])
        .execute(),
      from({ db, actor }, 'person')
        .select(['suId', 'suiNumber'])
        .where('suiType', '<>', personType.student)
        .where((or) =>
          or.or([
            sql<boolean>`"suiNumber" = any(${numbers}::text[])`,
            or(
              'suId',
              'in',
              or
                .selectFrom('schoolClass')
                .select('counselorId')
                .where('schoolId', '=', actor.schoolId)
                .where('counselorId', 'is not', null)
                .$castTo<string>(),
            ),
          ]),
        )
        .execute(),
    ])
    return {
      scope,
      places,
      classes: new Map(classes.map((one) => [one.id, one])),
      byNumber: new Map(teachers.map((one) => [one.suiNumber, one.suId])),
      numberOf: new Map(teachers.map((one) => [one.suId, one.suiNumber])),
    }
  },
  check(
    { scClassCode, scName, smName, scClassGrade, scClassName, counselorNumber },
    { scope, places, classes, byNumber, numberOf },
  ) {
    const faults: { key: 'scName' | 'smName' | 'scClassGrade' | 'counselorNumber'; msg: string }[] = []
    const college = places.college(scName)
    if (!college) faults.push({ key: 'scName', msg: `没有名为“${scName}”的学院` })
    const major = college && places.major(college.scId, smName)
    if (college && !major) faults.push({ key: 'smName', msg: `${college.scName}没有名为“${smName}”的专业` })
    const grade = gradeIn(scClassGrade)
    if (!grade) faults.push({ key: 'scClassGrade', msg: '年级须为四位年份，如 2023' })
    const counselorId = counselorNumber ? byNumber.get(counselorNumber) : undefined
    if (counselorNumber && !counselorId)
      faults.push({ key: 'counselorNumber', msg: `没有工号为“${counselorNumber}”的教师` })
    if (!college || !major || !grade) return { faults, found: undefined }
    const known = places.class(major.smId, grade, scClassName)
    if (!scopeIncludes(scope, { college: college.scId, major: major.smId, class: known?.scClassId, grade }))
      faults.push({ key: 'scName', msg: '该学院或班级不在您的管理范围内' })
    const record = known && known.scClassName === scClassName ? classes.get(known.scClassId) : undefined
    const holder = scClassCode
      ? places.classes.find((one) => one.scClassCode === scClassCode && one.scClassId !== record?.id)
      : undefined
    const conflicts = holder
      ? [{ key: 'scClassCode' as const, msg: `班级编码已属于 ${holder.scClassGrade} 级的“${holder.scClassName}”` }]
      : []
    return {
      faults,
      conflicts,
      existing: record && {
        scClassCode: record.scClassCode,
        scClassName,
        scName,
        smName,
        scClassGrade,
        counselorNumber: record.counselorId ? (numberOf.get(record.counselorId) ?? '') : '',
      },
      found: { scId: college.scId, smId: major.smId, grade, counselorId: counselorId ?? null, known: record },
    }
  },
  commit: (ctx, _target, rows) =>
    writeRows(
      ctx,
      table,
      rows.map(({ row: { scClassCode, scClassName }, found }) => {
        const { scId, smId, grade, counselorId, known } = found!
        return {
          values: {
            scClassCode,
            scClassName,
            scId,
            smId,
            scClassGrade: grade,
            counselorId: counselorId ?? known?.counselorId ?? null,
          },
          known,
        }
      }),
    ),
  async undo(ctx, _target, rows) {
    const [used] = await classesInUse(ctx, addedIds(rows))
    if (used) throw new Failure('import-undo-late', { what: `班级“${used.scClassName}”已在使用` })
    await takeBack(ctx, table, 'scClassName', rows)
  },
})
