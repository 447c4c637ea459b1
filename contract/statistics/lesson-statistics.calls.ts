import { z } from 'zod'
import { call } from '../core/call.ts'
import { exportReason } from '../core/exports.ts'
import { id, pick } from '../core/fields.ts'
import { fileOutput } from '../core/file.ts'
import { paged, paging } from '../core/paging.ts'
import { lessonLiveliness } from './liveliness.ts'
import { cards, count, inOrder, period, subject } from './statistics.schema.ts'

const permit = 'lessonstat:list' as const
/** Courses by the moment of their publication and the college that holds them. */
const which = { ...period, collegeId: id('主办学院').optional(), ...subject }
const input = inOrder(z.object(which))

/** What a card counts, as a filter of the list behind it. */
export const lessonStages = [['running', '进行中'], ['done', '已完成'], ['stopped', '取消或异常'], ['rated', '有评分']] as const

/** Kinds of who holds a course. */
export const organiserKinds = { circle: '社团与圈子', college: '院系', school: '校级组织' } as const

const detail = paging.extend({ ...which, stage: pick('进展', lessonStages.map(([key]) => key) as ['running', 'done', 'stopped', 'rated']).optional(), sort: z.enum(['publishTime', 'applied', 'passed', 'signed', 'hours'], '不能按该列排序').optional() })

export const lessonStatApi = {
  info: call('POST', '/statistics/lesson/lessonsInfo', {
    summary: '发布统计：总览',
    permit,
    cost: 'statistic',
    writes: false,
    input,
    output: z.object({
      ...cards,
      /** By day, or by month over more than three months. */
      trend: z.array(z.object({ date: z.string(), count: z.number(), times: z.number() })),
      funnel: z.array(z.object({ key: z.string(), name: z.string(), value: z.number(), unit: z.string() })),
      modules: z.array(z.object({ ...count, count: z.number(), rate: z.number(), times: z.number(), hours: z.number() })),
      organisers: z.array(z.object({ key: z.string(), name: z.string(), count: z.number(), rate: z.number(), times: z.number() })),
    }),
  }),
  colleges: call('POST', '/statistics/lesson/collegeLessons', {
    summary: '发布统计：各学院',
    permit,
    cost: 'statistic',
    writes: false,
    input,
    output: z.array(z.object({ ...count, count: z.number(), rate: z.number(), times: z.number(), levels: z.array(z.object({ llId: z.string(), name: z.string(), count: z.number() })), ...lessonLiveliness })),
  }),
  evaluate: call('POST', '/statistics/lesson/evaluate', {
    summary: '发布统计：评价',
    permit,
    cost: 'statistic',
    writes: false,
    input,
    /** `dist`: how many gave one to five stars. */
    output: z.object({ avg: z.number().nullable(), times: z.number(), dist: z.array(z.number()).length(5), byClass: z.array(z.object({ ...count, avg: z.number(), times: z.number() })) }),
  }),
  level: call('POST', '/statistics/lesson/level', { summary: '发布统计：级别', permit, cost: 'statistic', writes: false, input, output: z.array(z.object({ llId: z.string(), name: z.string(), count: z.number(), rate: z.number() })) }),
  activityScore: call('POST', '/statistics/lesson/lessonActivityScore', {
    summary: '发布统计：课程活跃度',
    permit,
    cost: 'statistic',
    writes: false,
    input,
    /** The fifty liveliest courses that have begun. */
    output: z.array(z.object({ rank: z.number(), liId: z.string(), liName: z.string(), collegeName: z.string(), ...lessonLiveliness })),
  }),
  detail: call('POST', '/statistics/detail/lessonsDetail', {
    summary: '发布明细',
    permit,
    cost: 'statistic',
    writes: false,
    input: inOrder(detail),
    output: paged(
      z.object({
        liId: z.string(), liName: z.string(), lsName: z.string(), levelName: z.string(), liSponsorName: z.string(), liPrincipalName: z.string(), liStatus: z.string(),
        applied: z.number(), passed: z.number(), signed: z.number(), qualified: z.number(), signRate: z.number().nullable(), hours: z.string(), rating: z.number().nullable(), publishTime: z.string(), opens: z.boolean(),
      }),
    ),
  }),
  exportDetail: call('POST', '/statistics/detail/exportLessonsDetail', { summary: '导出发布明细', permit, writes: false, gives: 'file', input: inOrder(detail.extend({ reason: exportReason })), output: fileOutput }),
}
