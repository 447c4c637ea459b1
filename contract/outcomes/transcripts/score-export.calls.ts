import { exportReason } from '../../core/exports.ts'
import { ids, rangeEnd, rangeStart } from '../../core/fields.ts'
import { fileCall } from '../../core/file.ts'
import { studentApi } from '../../school/people/students.calls.ts'

export const scoreExportApi = {
  export: fileCall('POST', '/lessonsInfo/xscjExport', {
    summary: '导出学生成绩',
    permit: 'transcript:export',
    needsFreshCode: true,
    /** The filters of the student list, or single students, and a period; without one everything earned so far. */
    input: studentApi.list.input
      .omit({ current: true, pageSize: true, sort: true, order: true })
      .extend({
        suIds: ids.optional(),
        startTime: rangeStart('开始时间').optional(),
        endTime: rangeEnd('结束时间').optional(),
        reason: exportReason,
      })
      .refine(({ startTime, endTime }) => !startTime || !endTime || startTime <= endTime, {
        message: '结束时间不能早于开始时间',
        path: ['endTime'],
      }),
  }),
}
