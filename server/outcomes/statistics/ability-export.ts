import type { Checked } from '../../../contract/core/call.ts'
import type { FileAnswer } from '../../../contract/core/file.ts'
import type { abilityStatApi } from '../../../contract/outcomes/statistics/ability-statistics.calls.ts'
import type { Context } from '../../core/request/context.ts'
import { count, figure, text } from '../../core/export/columns.ts'
import { exportList, inPages } from '../../core/export/exports.ts'
import { scoredLabels } from '../../rules/labels/label-names.service.ts'
import { abilityByCollege } from './ability-statistics.queries.ts'

interface Row {
  labels: readonly { sqlId: string; score: number }[]
}

/** The means of the colleges as a workbook, with a column for every ability. */
export async function exportAbilities(
  ctx: Context,
  input: Checked<typeof abilityStatApi.exportList>,
): Promise<FileAnswer> {
  const labels = await scoredLabels(ctx)
  return exportList(ctx, {
    title: '能力统计',
    columns: [
      text('学院', 'collegeName', 24),
      count('排名', 'rank'),
      count('学生人数', 'students'),
      ...labels.map(({ sqlId, sqlName }) =>
        figure(sqlName, (row: Row) => row.labels.find((label) => label.sqlId === sqlId)?.score),
      ),
      figure('合计', 'total'),
    ],
    filter: input,
    rows: inPages((page) => abilityByCollege(ctx, page), input),
  })
}
