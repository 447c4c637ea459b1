import type { Checked } from '../../../contract/core/call.ts'
import { labelOf } from '../../../contract/core/dictionary.ts'
import type { FileAnswer } from '../../../contract/core/file.ts'
import type { SheetColumn } from '../../../contract/core/sheets.ts'
import type { workflowApi } from '../../../contract/rules/workflow/workflow.calls.ts'
import type { Context } from '../../core/request/context.ts'
import { exportList, inPages, mapped } from '../../core/export/exports.ts'
import { listFlows } from './workflow.service.ts'

const columns: SheetColumn[] = [
  { key: 'wfName', label: '流程名称', width: 26 },
  { key: 'wfcName', label: '分类', width: 18 },
  { key: 'wfType', label: '类型', width: 12 },
  { key: 'isDefault', label: '默认流程', width: 10 },
  { key: 'roles', label: '适用角色', width: 30 },
  { key: 'classes', label: '适用课程体系', width: 40 },
  { key: 'levelNames', label: '适用级别', width: 24 },
  { key: 'stepCount', label: '步骤数', kind: 'integer' },
  { key: 'runningCount', label: '运行中', kind: 'integer' },
  { key: 'wfVersion', label: '版本', kind: 'integer' },
  { key: 'wfStatus', label: '状态', width: 10 },
  { key: 'updateTime', label: '更新时间', kind: 'moment' },
]
/** An empty range means all. */
const range = (names: readonly string[]) => names.join('、') || '全部'

/** The flows of the list as a workbook. */
export function exportFlows(ctx: Context, input: Checked<typeof workflowApi.exportList>): Promise<FileAnswer> {
  const rows = mapped(
    inPages((page) => listFlows(ctx, page), input),
    (row) => ({
      wfName: row.wfName,
      wfcName: row.wfcName,
      wfType: labelOf('wf_type', row.wfType),
      isDefault: labelOf('yes_no', row.isDefault),
      roles: range(row.roles),
      classes: range(row.classes),
      levelNames: range(row.levelNames),
      stepCount: row.stepCount,
      runningCount: row.runningCount,
      wfVersion: row.wfVersion,
      wfStatus: labelOf('flow_status', row.wfStatus),
      updateTime: row.updateTime,
    }),
  )
  return exportList(ctx, { title: '流程', columns, rows, filter: input })
}
