import { z } from 'zod'
import { personSex } from '../../core/codes/school.ts'
import { call } from '../../core/call.ts'
import { exportReason } from '../../core/exports.ts'
import { flag, nothing, option, pick } from '../../core/fields.ts'
import { fileCall } from '../../core/file.ts'
import { paged, paging, sortedBy } from '../../core/paging.ts'
import { cards, includingLeavers, flat, inOrder, lacking, period, place, subject } from './statistics.schema.ts'
import { statisticCalls } from './statistic-call.ts'

const permit = 'studentstat:list' as const
const statistic = statisticCalls(permit)
/** Students; of what they have, what is told is to this day. */
const asOfToday = { ...place, ...includingLeavers }
/**
 * Of what students have, what they earned in the period, of a node of the curriculum and of a level; without these all
 * to this day.
 */
const which = { ...asOfToday, ...period, ...subject }
const input = inOrder(z.object(which))
const share = z.object({
  key: z.string(),
  name: z.string(),
  value: z.number().nullable(),
  avgHours: z.number().nullable(),
})

/** Whom a card counts, as a filter of the list behind it. */
export const studentStages = [
  ['recorded', '有记录'],
  ['none', '无记录'],
  ['met', '已达标'],
  ['unmet', '未达标'],
  ['zero', '零学时'],
  ['black', '限制报名'],
  ['counted', '计入平均数'],
  ['circle', '参加圈子'],
] as const
/** Sexes as figures put them together: those that are not known or not told are one. */
export const sexChoices = [
  [personSex.male, '男'],
  [personSex.female, '女'],
  ['unknown', '未知与未说明'],
  [personSex.unknown, '未知'],
  [personSex.notStated, '未说明'],
] as const
/** The keys of the cards. */
export const studentFigures = [
  'people',
  'recorded',
  'coverage',
  'avgHours',
  'avgActivities',
  'metRate',
  'zero',
  'black',
] as const
/** Credibility in bands: the lowest value of each, from the highest down. */
export const credibilityBands = [
  ['100', '100 分及以上', 100],
  ['90', '90—99 分', 90],
  ['80', '80—89 分', 80],
  ['60', '60—79 分', 60],
  ['0', '60 分以下', 0],
] as const
/**
 * Credits in bands: the lowest value of each in hundredths, from the highest down. Those who have none are a band of
 * their own.
 */
export const creditBands = [
  ['c8', '8 学分及以上', 800],
  ['c6', '6—7.99 学分', 600],
  ['c4', '4—5.99 学分', 400],
  ['c2', '2—3.99 学分', 200],
  ['c0', '不足 2 学分', 1],
  ['none', '没有学分', 0],
] as const

const detail = paging.extend({
  ...which,
  ...lacking,
  stage: pick(
    '情况',
    studentStages.map(([key]) => key) as ['recorded', 'none', 'met', 'unmet', 'zero', 'black', 'counted', 'circle'],
  ).optional(),
  band: pick('诚信分', ['100', '90', '80', '60', '0']).optional(),
  creditBand: pick('学分', ['c8', 'c6', 'c4', 'c2', 'c0', 'none']).optional(),
  sex: pick('性别', [personSex.unknown, personSex.male, personSex.female, personSex.notStated, 'unknown']).optional(),
  ...sortedBy('suiNumber', 'hours', 'credit', 'activities', 'suiCredibility', 'lastTime'),
})

export const studentStatApi = {
  colleges: call('GET', '/studentStatistics/getCollege', {
    summary: '学生统计：学院',
    permit,
    input: nothing,
    output: z.array(option),
  }),
  grades: call('GET', '/studentStatistics/getGrade', {
    summary: '学生统计：年级',
    permit,
    input: nothing,
    output: z.array(option),
  }),
  total: statistic('GET', '/studentStatistics/Total', {
    summary: '学生统计：总览',
    input,
    output: z.object({ ...cards, ...flat(studentFigures) }),
  }),
  activity: statistic('GET', '/studentStatistics/AverageActivityScore', {
    summary: '学生统计：参与指数',
    input,
    /** Credited activities per student. */
    output: z.array(
      z.object({
        collegeId: z.string(),
        collegeName: z.string(),
        grade: z.string(),
        students: z.number(),
        score: z.number(),
      }),
    ),
  }),
  score: statistic('GET', '/studentStatistics/AverageScore', {
    summary: '学生统计：人均学时与学分',
    input,
    output: z.array(
      z.object({
        collegeId: z.string(),
        collegeName: z.string(),
        grade: z.string(),
        students: z.number(),
        avgHours: z.number(),
        avgCredit: z.number(),
      }),
    ),
  }),
  credit: statistic('GET', '/studentStatistics/CreditValue', {
    summary: '学生统计：诚信分与学分分布',
    input,
    /** Two series, one after the other: students by credibility and by credits. */
    output: z.array(
      z.object({
        series: z.enum(['credibility', 'credit']),
        key: z.string(),
        range: z.string(),
        count: z.number(),
        avgHours: z.number().nullable(),
        avgCredit: z.number().nullable(),
      }),
    ),
  }),
  gradeSex: statistic('GET', '/studentStatistics/GradeSex', {
    summary: '学生统计：年级与性别',
    input: z.object(asOfToday),
    output: z.array(z.object({ grade: z.string(), male: z.number(), female: z.number(), unknown: z.number() })),
  }),
  ranking: statistic('GET', '/studentStatistics/AchievemenRankings', {
    summary: '学生统计：学时排行',
    /** `anonymous`: names and numbers are masked, for showing to others. */
    input: inOrder(z.object({ ...which, anonymous: flag('隐去姓名').optional() })),
    output: z.array(
      z.object({
        rank: z.number(),
        suId: z.string(),
        suiName: z.string(),
        suiNumber: z.string(),
        collegeName: z.string(),
        total: z.number(),
        opens: z.boolean(),
      }),
    ),
  }),
  political: statistic('GET', '/studentStatistics/PoliticalOutlook', {
    summary: '学生统计：政治面貌',
    input: z.object(asOfToday),
    output: z.array(share),
  }),
  sex: statistic('GET', '/studentStatistics/Sex', {
    summary: '学生统计：性别',
    input,
    output: z.array(share),
  }),
  detail: statistic('GET', '/studentStatistics/Detailed', {
    summary: '学生统计明细',
    input: inOrder(detail),
    output: paged(
      z.object({
        suId: z.string(),
        suiName: z.string(),
        suiNumber: z.string(),
        collegeName: z.string(),
        className: z.string(),
        grade: z.string(),
        hours: z.string(),
        credit: z.string(),
        activities: z.number(),
        modules: z.array(z.object({ lsId: z.string(), lsName: z.string(), hours: z.string() })),
        gap: z.string(),
        met: z.boolean(),
        suiCredibility: z.number(),
        absences: z.number(),
        warnLevel: z.string(),
        lastTime: z.string().nullable(),
        opens: z.boolean(),
      }),
    ),
  }),
  exportDetail: fileCall('POST', '/studentStatistics/exportDetailed', {
    summary: '导出学生统计明细',
    permit: 'studentstat:export',
    needsFreshCode: true,
    input: inOrder(detail.extend({ reason: exportReason })),
  }),
}
