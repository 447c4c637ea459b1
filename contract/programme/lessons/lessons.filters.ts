import { sortedBy } from '../../core/paging.ts'
import { z } from 'zod'
import { flag, id, rangeEnd, rangeStart, search } from '../../core/fields.ts'

/** What a course list may be sorted by. */
export const lessonSorting = sortedBy(
  'createTime',
  'startTime',
  'endTime',
  'liName',
  'liNo',
  'passCount',
  'quota',
  'liHours',
  'pendingCount',
)

/**
 * Filters that every course list takes; `liStatus` also takes a status with its phase, `30.2`, and several separated by
 * commas.
 */
export const lessonFilters = {
  liName: search('课程名称').optional(),
  lsId: id('课程体系').optional(),
  liStatus: z
    .string()
    .max(60)
    .regex(/^\d{1,2}(\.[1-5])?(,\d{1,2}(\.[1-5])?)*$/, '课程状态不正确')
    .optional(),
  liLevel: z.string().max(10).optional(),
  liCollegeId: id('学院').optional(),
  atId: id('奖励模板').optional(),
  myLesson: flag('我的课程').optional(),
  /** Courses in which registrations wait for an answer. */
  pending: flag('有待审核的报名').optional(),
  liScheme: z.enum(['standard', 'industry']).optional(),
  /** The first of a series: itself and those after it. */
  parentLiId: id('系列课程').optional(),
  /** A period: courses that take place in it, wholly or in part. */
  startTime: rangeStart('活动开始时间').optional(),
  endTime: rangeEnd('活动结束时间').optional(),
  createStartDate: rangeStart('创建开始时间').optional(),
  createEndDate: rangeEnd('创建结束时间').optional(),
}
