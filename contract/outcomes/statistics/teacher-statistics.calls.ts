import { z } from 'zod'
import { yesNo } from '../../core/codes/platform.ts'
import { personSex } from '../../core/codes/school.ts'
import { exportReason } from '../../core/exports.ts'
import { id, pick } from '../../core/fields.ts'
import { fileCall } from '../../core/file.ts'
import { paged, paging, sortedBy } from '../../core/paging.ts'
import { cards, flat, inOrder, noCollege, period, subject } from './statistics.schema.ts'
import { statisticCalls } from './statistic-call.ts'

const permit = 'teacherstat:list' as const
const statistic = statisticCalls(permit)
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

const guided = paging.extend({
  ...which,
  suId: id('教师').optional(),
  ...sortedBy('startTime', 'signed', 'hours', 'rating'),
})
const detail = paging.extend({
  ...which,
  ...noCollege,
  guides: pick('指导情况', [yesNo.yes, yesNo.no, 'rated', 'circle']).optional(),
  sex: pick('性别', [personSex.unknown, personSex.male, personSex.female, personSex.notStated]).optional(),
  ...sortedBy('suiNumber', 'lessons', 'circles', 'times', 'hours', 'handled'),
})

export const teacherStatApi = {
  total: statistic('GET', '/teacherStatistics/Total', {
    summary: '教师统计：总览',
    input,
    output: z.object({ ...cards, ...flat(teacherFigures) }),
  }),
  activities: statistic('GET', '/teacherStatistics/ActivityNum', {
    summary: '教师统计：指导场次排行',
    input,
    output: z.array(z.object({ ...ranked, num: z.number(), opens: z.boolean() })),
  }),
  score: statistic('GET', '/teacherStatistics/Score', {
    summary: '教师统计：评分排行',
    input,
    output: z.array(z.object({ ...ranked, score: z.number(), times: z.number(), opens: z.boolean() })),
  }),
  political: statistic('GET', '/teacherStatistics/PoliticalOutlook', {
    summary: '教师统计：政治面貌',
    input,
    output: z.array(z.object({ key: z.string(), name: z.string(), value: z.number().nullable() })),
  }),
  sex: statistic('GET', '/teacherStatistics/Sex', {
    summary: '教师统计：性别',
    input,
    output: z.array(z.object({ key: z.string(), name: z.string(), value: z.number().nullable() })),
  }),
  colleges: statistic('GET', '/teacherStatistics/College', {
    summary: '教师统计：各学院',
    input,
    output: z.array(
      z.object({ ...ranked, num: z.number(), people: z.number(), total: z.number(), rate: z.number().nullable() }),
    ),
  }),
  lessons: statistic('GET', '/teacherStatistics/ActDetailed', {
    summary: '教师指导课程明细',
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
  detail: statistic('POST', '/teacherStatistics/Detailed', {
    summary: '教师统计明细',
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
  exportDetail: fileCall('POST', '/teacherStatistics/exportDetailed', {
    summary: '导出教师统计明细',
    permit: 'teacherstat:export',
    needsFreshCode: true,
    input: inOrder(detail.extend({ reason: exportReason })),
  }),
  exportLessons: fileCall('POST', '/teacherStatistics/exportActDetailed', {
    summary: '导出教师指导课程明细',
    permit: 'teacherstat:export',
    input: inOrder(guided.extend({ reason: exportReason })),
  }),
}
