import { z } from 'zod'
import { codesOf } from '../../core/codes/code-list.ts'
import { loginState, peopleKind } from '../../core/codes/outcomes.ts'
import { paged, paging, sortedBy } from '../../core/paging.ts'
import { exportReason } from '../../core/exports.ts'
import { pick, integer } from '../../core/fields.ts'
import { fileCall } from '../../core/file.ts'
import { cards, count, includingLeavers, inOrder, lacking, period, place } from './statistics.schema.ts'
import { statisticCalls } from './statistic-call.ts'

const permit = 'loginstat:list' as const
const statistic = statisticCalls(permit)
/** `tab`: whose sign-ins. */
const whose = {
  ...period,
  ...place,
  ...includingLeavers,
  tab: pick('人员', codesOf(peopleKind)).default(peopleKind.all),
}

/** Days of the week as the heat map names them, Monday first. */
export const weekdays = ['周一', '周二', '周三', '周四', '周五', '周六', '周日'] as const

/** `weekday` (1 Monday) and `hour`: those who came then, and how often then; only of those who came within a span. */
const detail = paging.extend({
  ...whose,
  ...lacking,
  loginState: pick('登录情况', codesOf(loginState)).default(loginState.withinPeriod),
  weekday: pick('星期', ['1', '2', '3', '4', '5', '6', '7']).optional(),
  hour: integer('时段', 0, 23).optional(),
  ...sortedBy('suiNumber', 'times'),
})

/** People who signed in (`people`), sign-ins (`times`), all who could (`total`) and people of them in per cent. */
const bar = z.object({
  ...count,
  people: z.number(),
  times: z.number(),
  total: z.number(),
  rate: z.number().nullable(),
})
const series = {
  xAxis: z.array(z.string()),
  series: z.array(z.object({ name: z.string(), data: z.array(z.number()) })),
}

export const loginStatApi = {
  college: statistic('POST', '/statistics/login/collegeloginInfo', {
    summary: '登录统计：总览与各学院',
    input: inOrder(z.object(whose)),
    output: z.object({
      ...cards,
      ...series,
      rows: z.array(bar),
      /** By day, or by month (`yyyy-MM`) over more than three months. */
      trend: z.array(z.object({ date: z.string(), people: z.number(), times: z.number() })),
      /** Sign-ins by weekday (Monday first) and hour. */
      heat: z.array(z.array(z.number())),
    }),
  }),
  grade: statistic('POST', '/statistics/login/gradeloginInfo', {
    summary: '登录统计：各年级',
    input: inOrder(z.object(whose)),
    output: z.object({ ...series, rows: z.array(bar) }),
  }),
  detail: statistic('POST', '/statistics/detail/loginDetail', {
    summary: '登录明细',
    input: inOrder(detail),
    output: paged(
      z.object({
        suId: z.string(),
        suiName: z.string(),
        suiNumber: z.string(),
        suiType: z.string(),
        collegeName: z.string(),
        grade: z.string(),
        times: z.number(),
        lastTime: z.string().nullable(),
        terminal: z.string(),
        ip: z.string(),
        opens: z.boolean(),
      }),
    ),
  }),
  exportDetail: fileCall('POST', '/statistics/detail/exportLoginDetail', {
    summary: '导出登录明细',
    permit: 'loginstat:export',
    needsFreshCode: true,
    input: inOrder(detail.extend({ reason: exportReason })),
  }),
}

export const activeApi = {
  info: statistic('POST', '/statistics/index/userActiveInfo', {
    summary: '用户活跃情况',
    input: inOrder(z.object(period)),
    /**
     * People who signed in today, in the last 7 and in the last 30 days; the trend covers the period asked for, or the
     * last 30 days.
     */
    output: z.object({
      today: z.number(),
      week: z.number(),
      month: z.number(),
      trend: z.array(z.object({ date: z.string(), people: z.number(), times: z.number() })),
    }),
  }),
}
