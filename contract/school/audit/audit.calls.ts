import { z } from 'zod'
import { call } from '../../core/call.ts'
import { valuesOf } from '../../core/dictionary.ts'
import { id, nothing, pick, rangeEnd, rangeStart, search } from '../../core/fields.ts'
import { exportReason } from '../../core/exports.ts'
import { fileCall } from '../../core/file.ts'
import { paged, pagedUpTo, paging, sortedBy } from '../../core/paging.ts'
import { auditArchive, auditDetail, auditRow, auditVerification, timelineEntry } from './audit.schema.ts'

const filters = {
  ...sortedBy('logTime'),
  logStartDate: rangeStart('开始时间').optional(),
  logEndDate: rangeEnd('结束时间').optional(),
  actor: search('操作人姓名或学工号').optional(),
  action: search('操作').optional(),
  bizType: pick('记录类型', valuesOf('audit_kind')).optional(),
  bizName: search('记录名称').optional(),
  result: pick('结果', valuesOf('audit_result')).optional(),
  ip: search('IP 地址').optional(),
  requestId: search('请求编号').optional(),
}

export const auditApi = {
  /** Sorted by time, newest first unless given. */
  list: call('GET', '/auditLog/list', {
    summary: '操作日志列表',
    permit: 'audit:list',
    input: paging.extend(filters),
    output: pagedUpTo(auditRow),
  }),
  detail: call('GET', '/auditLog/detail', {
    summary: '操作日志详情',
    permit: 'audit:list',
    input: z.object({ logId: id('日志') }),
    output: auditDetail,
  }),
  exportList: fileCall('POST', '/auditLog/export', {
    summary: '导出操作日志',
    permit: 'audit:export',
    needsFreshCode: true,
    input: paging.extend({ ...filters, reason: exportReason }),
  }),
  /**
   * Starts a verification in the background, or joins the one that runs. Only for those who read the trail of the whole
   * school.
   */
  verify: call('POST', '/auditLog/verify', {
    summary: '校验操作日志',
    permit: 'audit:verify',
    input: z.strictObject({}),
    output: auditVerification,
  }),
  verification: call('GET', '/auditLog/verification', {
    summary: '操作日志校验结果',
    permit: 'audit:verify',
    input: nothing,
    output: auditVerification,
  }),
  archives: call('GET', '/auditLog/archives', {
    summary: '操作日志归档',
    permit: 'audit:verify',
    input: paging,
    output: paged(auditArchive),
  }),
  /**
   * Whoever may see the record may read what happened to it; so may whoever reads the audit trail of the whole school,
   * also of what is deleted.
   */
  timeline: call('GET', '/auditLog/timeline', {
    summary: '记录动态',
    permit: 'signed-in',
    /**
     * `bizType`: a value of the dictionary `audit_kind`. The school itself (`school`, with its terms, holidays and
     * settings) needs no id.
     */
    input: paging.extend({ bizType: z.string('请选择记录类型').max(40), bizId: id('记录').optional() }),
    output: paged(timelineEntry),
  }),
}
