import { z } from 'zod'
import { valuesOf } from '../../core/dictionary.ts'
import { exportReason } from '../../core/exports.ts'
import { id, pick } from '../../core/fields.ts'
import { fileCall } from '../../core/file.ts'
import { paged, paging, sortedBy } from '../../core/paging.ts'
import { circleLiveliness } from './liveliness.ts'
import { cards, count, flat, inOrder, noCollege, period, subject } from './statistics.schema.ts'
import { statisticCalls } from './statistic-call.ts'

const permit = 'circlestat:list' as const
const statistic = statisticCalls(permit)
/**
 * Circles by what they are, and the activities they published in the period; a node of the curriculum and a level
 * narrow the activities only.
 */
const which = {
  ...period,
  collegeId: id('挂靠学院').optional(),
  ciClass: id('圈子分类').optional(),
  ciLevel: pick('圈子级别', valuesOf('circle_level')).optional(),
  ...subject,
}
const input = inOrder(z.object(which))

/** Which circles a card counts, as a filter of the list behind it. */
export const circleStages = [
  ['active', '启用'],
  ['disabled', '停用'],
  ['mending', '限期整改'],
  ['added', '本期新增'],
  ['closed', '本期注销'],
  ['idle', '久无活动'],
  ['guided', '有指导教师'],
] as const
/** The keys of the cards. */
export const circleFigures = [
  'count',
  'active',
  'disabled',
  'added',
  'closed',
  'lessons',
  'perCircle',
  'members',
  'persons',
  'joinRate',
  'teachers',
  'idle',
] as const
/** Circles by members: the fewest of each band, from the largest down. */
export const circleSizes = [
  ['100', '100 人及以上', 100],
  ['50', '50—99 人', 50],
  ['20', '20—49 人', 20],
  ['0', '20 人以下', 0],
] as const
/** Days without an activity after which a circle counts as idle. */
export const idleDays = 90

const detail = paging.extend({
  ...which,
  ...noCollege,
  stage: pick(
    '情况',
    circleStages.map(([key]) => key) as ['active', 'disabled', 'mending', 'added', 'closed', 'idle', 'guided'],
  ).optional(),
  size: pick('成员数', circleSizes.map(([key]) => key) as ['100', '50', '20', '0']).optional(),
  ...sortedBy('ciNo', 'members', 'lessons', 'people', 'lastTime'),
})

const held = paging.extend({
  ...which,
  ciId: id('圈子').optional(),
  ...sortedBy('startTime', 'applied', 'passed', 'signed', 'rating'),
})

export const circleStatApi = {
  total: statistic('GET', '/circleStatistics/Total', {
    summary: '圈子统计：总览',
    input,
    output: z.object({ ...cards, ...flat(circleFigures) }),
  }),
  classes: statistic('GET', '/circleStatistics/LessonsNum', {
    summary: '圈子统计：各分类的活动',
    input,
    output: z.array(
      z.object({ ccId: z.string(), ccName: z.string(), num: z.number(), circles: z.number(), people: z.number() }),
    ),
  }),
  members: statistic('GET', '/circleStatistics/NumPeople', {
    summary: '圈子统计：成员分布',
    input,
    /** By category (`class`) and by the size of the circle (`size`): memberships and how many circles. */
    output: z.array(z.object({ kind: z.enum(['class', 'size']), ...count, num: z.number(), circles: z.number() })),
  }),
  colleges: statistic('GET', '/circleStatistics/CollegeRelease', {
    summary: '圈子统计：各学院的活动',
    input,
    output: z.array(z.object({ ...count, num: z.number(), circles: z.number(), people: z.number() })),
  }),
  releases: statistic('GET', '/circleStatistics/CircleRelease', {
    summary: '圈子统计：发布活动排行',
    input,
    output: z.array(
      z.object({ ciId: z.string(), ciName: z.string(), num: z.number(), people: z.number(), opens: z.boolean() }),
    ),
  }),
  ranking: statistic('GET', '/circleStatistics/GroupRanking', {
    summary: '圈子统计：圈子活跃度',
    input,
    /** The fifty liveliest circles that held anything; rates in per cent. */
    output: z.array(
      z.object({
        rank: z.number(),
        ciId: z.string(),
        ciName: z.string(),
        lessons: z.number(),
        people: z.number(),
        signRate: z.number().nullable(),
        rating: z.number().nullable(),
        memberRate: z.number().nullable(),
        opens: z.boolean(),
        ...circleLiveliness,
      }),
    ),
  }),
  lessons: statistic('GET', '/circleStatistics/ActDetailed', {
    summary: '圈子活动明细',
    input: inOrder(held),
    output: paged(
      z.object({
        liId: z.string(),
        liName: z.string(),
        ciId: z.string(),
        ciName: z.string(),
        lsName: z.string(),
        levelName: z.string(),
        liStatus: z.string(),
        startTime: z.string(),
        applied: z.number(),
        passed: z.number(),
        signed: z.number(),
        members: z.number(),
        membersSigned: z.number(),
        rating: z.number().nullable(),
        opens: z.boolean(),
      }),
    ),
  }),
  detail: statistic('GET', '/circleStatistics/Detailed', {
    summary: '圈子统计明细',
    input: inOrder(detail),
    output: paged(
      z.object({
        ciId: z.string(),
        ciNo: z.string(),
        ciName: z.string(),
        ccName: z.string(),
        collegeName: z.string(),
        cpiPersonName: z.string(),
        teacherNames: z.array(z.string()),
        ciStatus: z.string(),
        members: z.number(),
        lessons: z.number(),
        people: z.number(),
        signRate: z.number().nullable(),
        memberRate: z.number().nullable(),
        rating: z.number().nullable(),
        crYear: z.number().nullable(),
        crResult: z.string().nullable(),
        /** `dictionary.circle_star`. */ crStar: z.string().nullable(),
        lastTime: z.string().nullable(),
        isIdle: z.boolean(),
        opens: z.boolean(),
      }),
    ),
  }),
  exportLessons: fileCall('POST', '/circleStatistics/exportActDetailed', {
    summary: '导出圈子活动明细',
    permit: 'circlestat:export',
    input: inOrder(held.extend({ reason: exportReason })),
  }),
  exportList: fileCall('POST', '/circleStatistics/DetailedExport', {
    summary: '导出圈子统计',
    permit: 'circlestat:export',
    input: inOrder(detail.extend({ reason: exportReason })),
  }),
}
