import { z } from 'zod'
import { exportReason } from '../../core/exports.ts'
import { id, pick } from '../../core/fields.ts'
import { fileCall } from '../../core/file.ts'
import { paged, paging, sortedBy } from '../../core/paging.ts'
import { lessonLiveliness } from './liveliness.ts'
import { cards, count, flat, inOrder, noCollege, period, subject } from './statistics.schema.ts'
import { statisticCalls } from './statistic-call.ts'

const permit = 'lessonstat:list' as const
const statistic = statisticCalls(permit)
/** Courses by the moment of their publication and the college that holds them. */
const which = { ...period, collegeId: id('主办学院').optional(), ...subject }
const input = inOrder(z.object(which))

/** What a card counts, as a filter of the list behind it. */
export const lessonStages = [
  ['running', '进行中'],
  ['done', '已完成'],
  ['stopped', '取消或异常'],
  ['begun', '已开始'],
  ['granted', '有成长记录'],
  ['rated', '有评分'],
  ['decided', '审批已结束'],
  ['first', '一次通过'],
  ['again', '首次被驳回'],
] as const
const stageKeys = lessonStages.map(([key]) => key) as [
  'running',
  'done',
  'stopped',
  'begun',
  'granted',
  'rated',
  'decided',
  'first',
  'again',
]
/** The keys of the cards. */
export const lessonFigures = [
  'count',
  'running',
  'done',
  'stopped',
  'applied',
  'signRate',
  'perLesson',
  'hours',
  'granted',
  'rating',
  'decideHours',
  'firstPass',
] as const

/** Kinds of who holds a course. */
export const organiserKinds = { circle: '社团与圈子', college: '院系', school: '校级组织' } as const

/** `star`: courses to which somebody gave so many stars. */
const detail = paging.extend({
  ...which,
  ...noCollege,
  stage: pick('进展', stageKeys).optional(),
  organiser: pick('主办类型', ['circle', 'college', 'school']).optional(),
  star: pick('评价星级', ['1', '2', '3', '4', '5']).optional(),
  ...sortedBy('publishTime', 'applied', 'passed', 'signed', 'qualified', 'granted', 'hours'),
})

export const lessonStatApi = {
  info: statistic('POST', '/statistics/lesson/lessonsInfo', {
    summary: '发布统计：总览',
    input,
    output: z.object({
      ...cards,
      ...flat(lessonFigures),
      /** By day, or by month over more than three months. */
      trend: z.array(z.object({ date: z.string(), count: z.number(), times: z.number() })),
      funnel: z.array(z.object({ key: z.string(), name: z.string(), value: z.number(), unit: z.string() })),
      modules: z.array(
        z.object({ ...count, count: z.number(), rate: z.number(), times: z.number(), hours: z.number() }),
      ),
      organisers: z.array(
        z.object({
          key: z.enum(['circle', 'college', 'school']),
          name: z.string(),
          count: z.number(),
          rate: z.number(),
          times: z.number(),
        }),
      ),
    }),
  }),
  colleges: statistic('POST', '/statistics/lesson/collegeLessons', {
    summary: '发布统计：各学院',
    input,
    output: z.array(
      z.object({
        ...count,
        count: z.number(),
        rate: z.number(),
        times: z.number(),
        levels: z.array(z.object({ llId: z.string(), name: z.string(), count: z.number() })),
        ...lessonLiveliness,
      }),
    ),
  }),
  evaluate: statistic('POST', '/statistics/lesson/evaluate', {
    summary: '发布统计：评价',
    input,
    /** `dist`: how many gave one to five stars. */
    output: z.object({
      avg: z.number().nullable(),
      times: z.number(),
      dist: z.array(z.number()).length(5),
      byClass: z.array(z.object({ ...count, avg: z.number(), times: z.number() })),
    }),
  }),
  level: statistic('POST', '/statistics/lesson/level', {
    summary: '发布统计：级别',
    input,
    output: z.array(z.object({ llId: z.string(), name: z.string(), count: z.number(), rate: z.number() })),
  }),
  activityScore: statistic('POST', '/statistics/lesson/lessonActivityScore', {
    summary: '发布统计：课程活跃度',
    input,
    /** The fifty liveliest courses that have begun. */
    output: z.array(
      z.object({
        rank: z.number(),
        liId: z.string(),
        liName: z.string(),
        collegeName: z.string(),
        opens: z.boolean(),
        ...lessonLiveliness,
      }),
    ),
  }),
  detail: statistic('POST', '/statistics/detail/lessonsDetail', {
    summary: '发布明细',
    input: inOrder(detail),
    output: paged(
      z.object({
        liId: z.string(),
        liName: z.string(),
        lsName: z.string(),
        levelName: z.string(),
        liSponsorName: z.string(),
        liPrincipalName: z.string(),
        liStatus: z.string(),
        applied: z.number(),
        passed: z.number(),
        signed: z.number(),
        qualified: z.number(),
        granted: z.number(),
        signRate: z.number().nullable(),
        hours: z.string(),
        rating: z.number().nullable(),
        publishTime: z.string(),
        opens: z.boolean(),
      }),
    ),
  }),
  exportDetail: fileCall('POST', '/statistics/detail/exportLessonsDetail', {
    summary: '导出发布明细',
    permit: 'lessonstat:export',
    input: inOrder(detail.extend({ reason: exportReason })),
  }),
}
