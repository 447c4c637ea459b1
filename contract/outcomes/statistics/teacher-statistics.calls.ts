import { z } from 'zod'
import { yesNo } from '../../core/codes/platform.ts'
import { personSex } from '../../core/codes/school.ts'
import { call } from '../../core/call.ts'
import { exportReason } from '../../core/exports.ts'
import { id, pick } from '../../core/fields.ts'
import { fileOutput } from '../../core/file.ts'
import { paged, paging } from '../../core/paging.ts'
import { cards, flat, inOrder, noCollege, period, subject } from './statistics.schema.ts'

const permit = 'teacherstat:list' as const
/**
 * Teachers by their college, and the courses that they guide by the day they begin: published ones that were not called
 * off.
 */
const which = { ...period, collegeId: id('学院').optional(), ...subject }
const input = inOrder(z.object(which))
const ranked = { id: z.string(), name: z.string() }
/** The keys of the cards. */
export const teacherFigures = ['people', 'rate', 'perTeacher', 'hours', 'times', 'rating'] as const
/** Whom a figure counts, as a filter of the list behind it. */
export const guideKinds = [
  [yesNo.yes, '指导过课程'],
  [yesNo.no, '未指导课程'],
  ['rated', '所指导课程有评分'],
  ['circle', '指导圈子'],
] as const

const guided = paging.extend({ ...which, suId: id('教师').optional() })
const detail = paging.extend({
  ...which,
  ...noCollege,
  guides: pick('指导情况', [yesNo.yes, yesNo.no, 'rated', 'circle']).optional(),
  sex: pick('性别', [personSex.unknown, personSex.male, personSex.female, personSex.notStated]).optional(),
  sort: z.enum(['suiNumber', 'lessons', 'circles', 'times', 'hours', 'handled'], '不能按该列排序').optional(),
})

export const teacherStatApi = {
  total: call('GET', '/teacherStatistics/Total', {
    summary: '教师统计：总览',
    permit,
    cost: 'statistic',
    input,
    output: z.object({ ...cards, ...flat(teacherFigures) }),
  }),
  activities: call('GET', '/teacherStatistics/ActivityNum', {
    summary: '教师统计：指导场次排行',
    permit,
    cost: 'statistic',
    input,
    output: z.array(z.object({ ...ranked, num: z.number(), opens: z.boolean() })),
  }),
  score: call('GET', '/teacherStatistics/Score', {
    summary: '教师统计：评分排行',
    permit,
    cost: 'statistic',
    input,
    output: z.array(z.object({ ...ranked, score: z.number(), times: z.number(), opens: z.boolean() })),
  }),
  political: call('GET', '/teacherStatistics/PoliticalOutlook', {
    summary: '教师统计：政治面貌',
    permit,
    cost: 'statistic',
    input,
    output: z.array(z.object({ key: z.string(), name: z.string(), value: z.number().nullable() })),
  }),
  sex: call('GET', '/teacherStatistics/Sex', {
    summary: '教师统计：性别',
    permit,
    cost: 'statistic',
    input,
    output: z.array(z.object({ key: z.string(), name: z.string(), value: z.number().nullable() })),
  }),
  colleges: call('GET', '/teacherStatistics/College', {
    summary: '教师统计：各学院',
    permit,
    cost: 'statistic',
    input,
    output: z.array(
      z.object({ ...ranked, num: z.number(), people: z.number(), total: z.number(), rate: z.number().nullable() }),
    ),
  }),
  lessons: call('GET', '/teacherStatistics/ActDetailed', {
    summary: '教师指导课程明细',
    permit,
    cost: 'statistic',
    input: inOrder(guided),
    output: paged(
      /** `id`: one a teacher and course. */
      z.object({
        id: z.string(),
        liId: z.string(),
        liName: z.string(),
        suId: z.string(),
        suiName: z.string(),
        suiNumber: z.string(),
        collegeName: z.string(),
        levelName: z.string(),
        liStatus: z.string(),
        startTime: z.string(),
        signed: z.number(),
        hours: z.string(),
        rating: z.number().nullable(),
        opens: z.boolean(),
      }),
    ),
  }),
  detail: call('POST', '/teacherStatistics/Detailed', {
    summary: '教师统计明细',
    permit,
    cost: 'statistic',
    writes: false,
    input: inOrder(detail),
    output: paged(
      z.object({
        suId: z.string(),
        suiName: z.string(),
        suiNumber: z.string(),
        collegeName: z.string(),
        title: z.string(),
        lessons: z.number(),
        circles: z.number(),
        times: z.number(),
        hours: z.string(),
        rating: z.number().nullable(),
        handled: z.number(),
        handleHours: z.number().nullable(),
        opens: z.boolean(),
      }),
    ),
  }),
  exportDetail: call('POST', '/teacherStatistics/exportDetailed', {
    summary: '导出教师统计明细',
    permit,
    writes: false,
    gives: 'file',
    input: inOrder(detail.extend({ reason: exportReason })),
    output: fileOutput,
  }),
  exportLessons: call('POST', '/teacherStatistics/exportActDetailed', {
    summary: '导出教师指导课程明细',
    permit,
    writes: false,
    gives: 'file',
    input: inOrder(guided.extend({ reason: exportReason })),
    output: fileOutput,
  }),
}
