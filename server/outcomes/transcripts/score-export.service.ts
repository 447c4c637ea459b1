import { sql } from 'kysely'
import type { Checked } from '../../../contract/core/call.ts'
import type { FileAnswer } from '../../../contract/core/file.ts'
import type { scoreExportApi } from '../../../contract/outcomes/transcripts/score-export.calls.ts'
import { anyOf } from '../../core/database/any-of.ts'
import type { Context } from '../../core/request/context.ts'
import { amount, code, text, type ExportColumn } from '../../core/export/columns.ts'
import { exportList, inBatches } from '../../core/export/exports.ts'
import { moduleScores, type ModuleScore } from '../../programme/credits/statement.service.ts'
import { modulesOf, type Module } from '../../rules/curriculum/modules.service.ts'
import { filteredStudents } from '../../school/people/student-filter.service.ts'
import { visibleStudentsWithPlace } from '../../school/people/students.service.ts'

const batch = 1000
const kinds = [
  ['hours', '学时'],
  ['credit', '学分'],
  ['points', '积分'],
] as const
const origins = [
  ['LESSON', '课程'],
  ['SUP', '补录'],
  ['OTHER', '其他'],
] as const

const whoColumns = [
  text('学号', 'suiNumber', 18),
  text('姓名', 'suiName', 12),
  text('学院', 'scName', 26),
  text('专业', 'smName', 24),
  text('班级', 'scClassName', 20),
  text('年级', 'suiGrade', 8),
  code('学籍状态', 'student_status', 'suiStatus', 10),
]

interface Sums {
  sums: Readonly<Record<string, number>>
}

/** Three columns for what was got in one place: a module, all together, or a source. */
const sumColumns = (place: string, name: string): ExportColumn<Sums>[] =>
  kinds.map(([kind, word]) => amount(`${name}${word}`, ({ sums }: Sums) => sums[`${place}/${kind}`]))

const columnsFor = (modules: readonly Module[]) => [
  ...whoColumns,
  ...sumColumns('all', '合计'),
  ...modules.flatMap(({ lsId, lsName }) => sumColumns(lsId, lsName)),
  ...origins.flatMap(([origin, name]) => sumColumns(origin, name)),
]

/**
 * The scores of the students that the filters find, as a workbook: what each got in the period by module, altogether,
 * and from where. A record counts in the period in which it occurred, and its reversals with it; students without any
 * stand there with zeros.
 */
export async function exportScores(
  ctx: Context,
  { suIds, startTime, endTime, ...filter }: Checked<typeof scoreExportApi.export>,
): Promise<FileAnswer> {
  const modules = await modulesOf(ctx, { closed: true })
  const rows = inBatches(async (last: { suiNumber: string } | undefined) => {
    let keys = filteredStudents(ctx, filter).select('person.suId').orderBy('person.suiNumber').limit(batch)
    if (suIds) keys = keys.where(anyOf('person.suId', suIds))
    if (last) keys = keys.where('person.suiNumber', '>', last.suiNumber)
    const students = await visibleStudentsWithPlace(ctx)
      .select(['person.suId', 'suiNumber', 'suiName', 'scName', 'smName', 'scClassName', 'suiGrade', 'suiStatus'])
      .where(sql<boolean>`"person"."suId" in (${keys})`)
      .orderBy('suiNumber')
      .execute()
    const scores = bySuId(
      students.length === 0
        ? []
        : await moduleScores(
            ctx,
            students.map(({ suId }) => suId),
            { startTime, endTime },
          ),
    )
    return students.map((student) => ({ ...student, sums: sumsOf(modules, scores.get(student.suId) ?? []) }))
  })
  return exportList(ctx, {
    title: '学生成绩',
    columns: columnsFor(modules),
    rows,
    filter: { ...filter, ...(suIds && { suIds: suIds.length }), startTime, endTime },
  })
}

function bySuId(scores: readonly ModuleScore[]): Map<string, ModuleScore[]> {
  const groups = new Map<string, ModuleScore[]>()
  for (const score of scores) groups.set(score.suId, [...(groups.get(score.suId) ?? []), score])
  return groups
}

function sumsOf(modules: readonly Module[], scores: readonly ModuleScore[]): Record<string, number> {
  const sums: Record<string, number> = Object.fromEntries(
    ['all', ...modules.map(({ lsId }) => lsId), ...origins.map(([origin]) => origin)].flatMap((place) =>
      kinds.map(([kind]) => [`${place}/${kind}`, 0]),
    ),
  )
  for (const score of scores) {
    for (const [kind] of kinds)
      for (const place of ['all', score.moduleId, score.origin])
        sums[`${place}/${kind}`] = (sums[`${place}/${kind}`] ?? 0) + score[kind]
  }
  return sums
}
