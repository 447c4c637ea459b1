import { z } from 'zod'
import { call } from '../../core/call.ts'
import { day, nothing } from '../../core/fields.ts'
import { lessonRow } from '../lessons/lessons.schema.ts'

const counts = z.object({
  publish: z.number(),
  result: z.number(),
  supplement: z.number(),
  question: z.number(),
  registration: z.number(),
  circle: z.number(),
  transcript: z.number(),
  overdue: z.number(),
  total: z.number(),
})

/** A course as the first screen shows it. */
const course = lessonRow.pick({
  liId: true,
  liName: true,
  liScheme: true,
  liStatus: true,
  liPhase: true,
  startTime: true,
  endTime: true,
  placeText: true,
  liPrincipalName: true,
  passCount: true,
  quota: true,
  signCount: true,
  pendingCount: true,
  liPublictySdate: true,
  liPublictyEdate: true,
  can: true,
})
export type HomeLesson = z.output<typeof course>
/** A course of the calendar. `mine`: the person made, leads, guides it or signs for it. */
const event = course.extend({ mine: z.boolean() })
export type HomeEvent = z.output<typeof event>
/**
 * A day of the calendar: all courses that take place on it by number, and the first of them. `exam`: the exam week that
 * it lies in; '' for none.
 */
const agendaDay = z.object({ date: z.string(), total: z.number(), exam: z.string(), events: z.array(event) })
export type HomeDay = z.output<typeof agendaDay>
const notice = z.object({
  kind: z.enum(['publicty', 'news']),
  id: z.string(),
  title: z.string(),
  time: z.string(),
  /** A screen of the console. */ link: z.string(),
})
export type HomeNotice = z.output<typeof notice>
/**
 * A card of what is to be done: how many of which unit, how many of them late, and the list it leads to, which has as
 * many rows. `detail`: what the number alone does not tell.
 */
const todo = z.object({
  kind: z.string(),
  title: z.string(),
  count: z.number(),
  unit: z.string(),
  detail: z.string(),
  overdue: z.number(),
  link: z.string(),
})

const warnings = z.object({
  calcTime: z.string().nullable(),
  level1: z.number(),
  level2: z.number(),
  level3: z.number(),
})
export type HomeWarnings = z.output<typeof warnings>

/** The first screen (docs/rules.md R52). Everybody may ask; what is answered is what their rights let them see. */
export const homeApi = {
  auditCount: call('GET', '/lessonsApplyInfo/queryHomeAuditCount', {
    summary: '首页待办数',
    permit: 'signed-in',
    input: nothing,
    output: counts,
  }),
  /** The person's own courses by status; `liStatus` asks for one of them. */
  lessonsCount: call('GET', '/lessonsApplyInfo/queryHomeLessonsCount', {
    summary: '首页我的课程数',
    permit: 'signed-in',
    input: z.object({
      liStatus: z
        .string()
        .max(60)
        .regex(/^\d{1,2}(,\d{1,2})*$/, '课程状态不正确')
        .optional(),
    }),
    output: z.object({ total: z.number(), byStatus: z.array(z.object({ liStatus: z.string(), count: z.number() })) }),
  }),
  todos: call('GET', '/index/getList', {
    summary: '首页待办',
    permit: 'signed-in',
    input: nothing,
    output: z.array(todo),
  }),
  lessons: call('GET', '/index/tableList', {
    summary: '首页近期课程',
    permit: 'signed-in',
    input: nothing,
    output: z.array(course),
  }),
  notices: call('GET', '/index/list', {
    summary: '首页通知',
    permit: 'signed-in',
    input: nothing,
    output: z.array(notice),
  }),
  /**
   * What takes place on these days, at most two weeks; today when left out. Of each day the number of all courses and
   * the first `perDay` of them; days without any are left out.
   */
  agenda: call('GET', '/homePage/agenda', {
    summary: '首页活动日历',
    permit: 'signed-in',
    input: z.object({
      startDate: day('开始日期').optional(),
      endDate: day('结束日期').optional(),
      perDay: z.coerce.number().int().min(1).max(20).default(6),
    }),
    output: z.array(agendaDay),
  }),
  /**
   * How many students are warned at which level, where the person may see them; null for others, `calcTime` null where
   * nothing has been calculated.
   */
  warnings: call('GET', '/homePage/warnings', {
    summary: '首页学时预警',
    permit: 'signed-in',
    input: nothing,
    output: warnings.nullable(),
  }),
  /** Courses whose public notice ends next. */
  publicty: call('GET', '/homePage/publictyEnding', {
    summary: '首页即将结束的公示',
    permit: 'signed-in',
    input: nothing,
    output: z.array(course),
  }),
}
