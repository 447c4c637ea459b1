import { code, count, moment, range, text } from '../../core/export/columns.ts'
import { pagedExport } from '../../core/export/exports.ts'
import { listFlows } from './workflow.service.ts'

/** The flows of the list as a workbook. */
export const exportFlows = pagedExport(
  '流程',
  [
    text('流程名称', 'wfName', 26),
    text('分类', 'wfcName', 18),
    code('类型', 'wf_type', 'wfType', 12),
    code('默认流程', 'yes_no', 'isDefault', 10),
    range('适用角色', 'roles', 30),
    range('适用课程体系', 'classes', 40),
    range('适用级别', 'levelNames', 24),
    count('步骤数', 'stepCount'),
    count('运行中', 'runningCount'),
    count('版本', 'wfVersion'),
    code('状态', 'flow_status', 'wfStatus', 10),
    moment('更新时间', 'updateTime'),
  ],
  listFlows,
)
