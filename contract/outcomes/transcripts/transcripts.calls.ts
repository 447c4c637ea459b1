import { z } from 'zod'
import { call } from '../../core/call.ts'
import { exportReason } from '../../core/exports.ts'
import { id, ids, pick, rangeEnd, rangeStart, search } from '../../core/fields.ts'
import { fileCall, fileOutput } from '../../core/file.ts'
import { paged, pagedUpTo, paging, sortedBy, sortedPaging, wholeList } from '../../core/paging.ts'
import { transcriptHeader, transcriptRow } from './transcripts.schema.ts'

const suId = id('学生')

/** How a transcript is printed. */
export const printOptions = {
  lang: pick('语言', ['zh', 'en']).default('zh'),
}
export const transcriptPeriod = {
  startTime: rangeStart('开始时间').optional(),
  endTime: rangeEnd('结束时间').optional(),
}

/** `startTime` and `endTime` frame when what was credited took place. */
const scoreFilters = {
  liName: search('名称').optional(),
  lsId: id('课程体系').optional(),
  llId: z.string().max(10).optional(),
  search: search('姓名或学号').optional(),
  ...transcriptPeriod,
  ...sortedBy('startTime'),
}

/** A student with what they have, for the transcript list. Amounts are decimal text. */
const transcriptStudentRow = z.object({
  suId: z.string(),
  suiName: z.string(),
  suiNumber: z.string(),
  collegeName: z.string(),
  majorName: z.string(),
  className: z.string(),
  suiGrade: z.string().nullable(),
  totalHours: z.string(),
  totalCredit: z.string(),
  requiredHours: z.string(),
  pass: z.boolean(),
  rowCount: z.number(),
})
export type TranscriptStudentRow = z.infer<typeof transcriptStudentRow>

export const transcriptApi = {
  list: call('POST', '/transcript/getTranscriptList', {
    summary: '成绩单列表',
    permit: 'transcript:list',
    writes: false,
    input: sortedPaging.extend({
      search: search('姓名或学号').optional(),
      collegeId: id('学院').optional(),
      majorId: id('专业').optional(),
      classId: id('班级').optional(),
      grade: z.string().max(10).optional(),
    }),
    output: paged(transcriptStudentRow),
  }),
  header: call('POST', '/transcript/getAchievementHeader', {
    summary: '成绩单概要',
    permit: 'transcript:list',
    writes: false,
    input: z.object({ suId, ...transcriptPeriod, ...printOptions }),
    output: transcriptHeader,
  }),
  rows: call('POST', '/transcript/getAchievement', {
    summary: '成绩单明细',
    permit: 'transcript:list',
    writes: false,
    whenLeftOut: wholeList,
    input: paging.extend({ suId, lsId: id('课程体系').optional(), ...transcriptPeriod }),
    /**
     * `explain`: how the value came about, one Chinese sentence; `explainId`: the entry of the ledger that it is about;
     * `honesty`: credibility points that the school attaches to every record, decimal text; `opens`: the asking person
     * may open the course or supplement record that it is for.
     */
    output: paged(
      transcriptRow.extend({
        explainId: z.string(),
        explain: z.string(),
        termName: z.string(),
        honesty: z.string(),
        opens: z.boolean(),
      }),
    ),
  }),
  export: call('POST', '/transcript/exportAchievement', {
    summary: '导出成绩单',
    permit: 'transcript:export',
    gives: 'file',
    /** `recIds`: only these records of one student. */
    input: z
      .strictObject({ suIds: ids, recIds: ids.optional(), ...transcriptPeriod, ...printOptions, reason: exportReason })
      .refine(({ suIds, recIds }) => !recIds || suIds.length === 1, {
        message: '选择记录打印时只能选择一名学生',
        path: ['recIds'],
      }),
    output: fileOutput,
  }),
  exportStuScore: fileCall('POST', '/transcript/exportStuScore', {
    summary: '导出得分明细',
    permit: 'transcript:export',
    needsFreshCode: true,
    input: paging.extend({ ...scoreFilters, reason: exportReason }),
  }),
  stuScore: call('POST', '/transcript/getStuScore', {
    summary: '学生得分明细',
    permit: 'transcript:list',
    writes: false,
    input: paging.extend(scoreFilters),
    /** `opens` as in `rows`. */
    output: pagedUpTo(
      transcriptRow.extend({
        suId: z.string(),
        suiName: z.string(),
        suiNumber: z.string(),
        collegeName: z.string(),
        opens: z.boolean(),
      }),
    ),
  }),
}
