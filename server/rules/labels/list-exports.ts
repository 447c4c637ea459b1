import type { Checked } from '../../../contract/core/call.ts'
import { labelOf } from '../../../contract/core/dictionary.ts'
import { toHundredths } from '../../../contract/core/fields.ts'
import type { FileAnswer } from '../../../contract/core/file.ts'
import type { SheetColumn } from '../../../contract/core/sheets.ts'
import type { labelApi } from '../../../contract/rules/labels/labels.calls.ts'
import type { Context } from '../../core/request/context.ts'
import { exportList } from '../../core/export/exports.ts'
import { listLabels } from './labels.service.ts'

const columns: SheetColumn[] = [
  { key: 'groupName', label: '分组', width: 14 },
  { key: 'sqlName', label: '标签名称', width: 20 },
  { key: 'sqlCode', label: '编码', width: 14 },
  { key: 'sqlColor', label: '颜色', width: 10 },
  { key: 'fullScore', label: '满分', kind: 'amount' },
  { key: 'usedCount', label: '采用规则', kind: 'integer' },
  { key: 'inModel', label: '素质模型', width: 10 },
  { key: 'levels', label: '等级说明', width: 50 },
  { key: 'enable', label: '状态', width: 10 },
  { key: 'sqlDesc', label: '说明', width: 40 },
]

/** The labels of the list as a workbook, group by group. */
export function exportLabels(ctx: Context, input: Checked<typeof labelApi.exportList>): Promise<FileAnswer> {
  async function* rows() {
    const groups = await listLabels(ctx, input)
    yield groups.flatMap(({ children, ...group }) =>
      [group, ...children].map(({ can: _, ...label }) => ({
        ...label,
        groupName: group.sqlName,
        sqlName: label.sqlPid === null ? '' : label.sqlName,
        fullScore: toHundredths(label.fullScore),
        inModel: label.inModel ? '是' : '',
        levels: label.levels.map((text, at) => `${at + 1} 级：${text || '—'}`).join('；'),
        enable: labelOf('enable_status', label.enable),
      })),
    )
  }
  return exportList(ctx, { title: '素质标签', columns, rows: rows(), filter: input })
}
