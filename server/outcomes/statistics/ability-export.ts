import type { Checked } from '../../../contract/core/call.ts'
import type { FileAnswer } from '../../../contract/core/file.ts'
import type { abilityStatApi } from '../../../contract/outcomes/statistics/ability-statistics.calls.ts'
import type { Context } from '../../core/request/context.ts'
import { exportList, inPages, mapped } from '../../core/export/exports.ts'
import { scoredLabels } from '../../rules/labels/label-names.service.ts'
import { abilityByCollege } from './ability-statistics.queries.ts'

/** Figures stand in sheets as hundredths. */
const cell = (score: number): number => Math.round(score * 100)

/** The means of the colleges as a workbook, with a column for every ability. */
export async function exportAbilities(
  ctx: Context,
  input: Checked<typeof abilityStatApi.exportList>,
): Promise<FileAnswer> {
  const labels = await scoredLabels(ctx)
  return exportList(ctx, {
    title: '能力统计',
    columns: [
      { key: 'collegeName', label: '学院', width: 24 },
      { key: 'rank', label: '排名', kind: 'integer' },
      { key: 'students', label: '学生人数', kind: 'integer' },
      ...labels.map(({ sqlId, sqlName }) => ({ key: sqlId, label: sqlName, kind: 'amount' as const })),
      { key: 'total', label: '合计', kind: 'amount' },
    ],
    filter: input,
    rows: mapped(
      inPages((page) => abilityByCollege(ctx, page), input),
      ({ collegeName, rank, students, labels: own, total }) => ({
        collegeName,
        rank,
        students,
        total: cell(total),
        ...Object.fromEntries(own.map(({ sqlId, score }) => [sqlId, cell(score)])),
      }),
    ),
  })
}
