import type { Checked } from '../../../contract/core/call.ts'
import type { FileAnswer } from '../../../contract/core/file.ts'
import type { labelApi } from '../../../contract/rules/labels/labels.calls.ts'
import { amount, code, count, text, yesOrEmpty } from '../../core/export/columns.ts'
import { exportList } from '../../core/export/exports.ts'
import type { Context } from '../../core/request/context.ts'
import { listLabels } from './labels.service.ts'

const columns = [
  text('分组', 'groupName', 14),
  text('标签名称', ({ sqlPid, sqlName }: { sqlPid: string | null; sqlName: string }) => sqlPid && sqlName, 20),
  text('编码', 'sqlCode', 14),
  text('颜色', 'sqlColor', 10),
  amount('满分', 'fullScore'),
  count('采用规则', 'usedCount'),
  yesOrEmpty('素质模型', 'inModel', 10),
  text(
    '等级说明',
    ({ levels }: { levels: readonly string[] }) =>
      levels.map((level, at) => `${at + 1} 级：${level || '—'}`).join('；'),
    50,
  ),
  code('状态', 'enable_status', 'enable', 10),
  text('说明', 'sqlDesc', 40),
]

/** The labels of the list as a workbook, group by group. */
export function exportLabels(ctx: Context, input: Checked<typeof labelApi.exportList>): Promise<FileAnswer> {
  async function* rows() {
    const groups = await listLabels(ctx, input)
    yield groups.flatMap(({ children, ...group }) =>
      [group, ...children].map((label) => ({ ...label, groupName: group.sqlName })),
    )
  }
  return exportList(ctx, { title: '素质标签', columns, rows: rows(), filter: input })
}
