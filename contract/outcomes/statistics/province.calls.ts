import { z } from 'zod'
import { operatorPermit } from '../../school/runtime/schools.calls.ts'
import { call } from '../../core/call.ts'
import { search } from '../../core/fields.ts'
import { paged, paging } from '../../core/paging.ts'

/** Groups of fewer people than this are shown to nobody outside their school. */
export const smallGroup = 10

/**
 * The figures of a school that its operator sees: of which of the eight screens, which of its cards, and whether it
 * counts people, who are told only in groups that are not small.
 */
export const provinceFigures = [
  { key: 'students', screen: 'student', card: 'people', name: '学生人数', unit: '人', isPeople: true },
  { key: 'coverage', screen: 'student', card: 'coverage', name: '覆盖率', unit: '%', isPeople: false },
  { key: 'avgHours', screen: 'student', card: 'avgHours', name: '人均学时', unit: '学时', isPeople: false },
  { key: 'metRate', screen: 'student', card: 'metRate', name: '达标率', unit: '%', isPeople: false },
  { key: 'abilityRate', screen: 'ability', card: 'coverage', name: '能力覆盖率', unit: '%', isPeople: false },
  { key: 'teacherRate', screen: 'teacher', card: 'rate', name: '教师参与率', unit: '%', isPeople: false },
  { key: 'lessons', screen: 'lesson', card: 'count', name: '发布课程', unit: '门', isPeople: false },
  { key: 'applied', screen: 'lesson', card: 'applied', name: '报名人次', unit: '人次', isPeople: false },
  { key: 'signRate', screen: 'lesson', card: 'signRate', name: '签到率', unit: '%', isPeople: false },
  { key: 'supplements', screen: 'supplement', card: 'pass', name: '通过补录', unit: '条', isPeople: false },
  { key: 'circles', screen: 'circle', card: 'active', name: '启用圈子', unit: '个', isPeople: false },
  { key: 'circlePeople', screen: 'circle', card: 'persons', name: '圈子成员', unit: '人', isPeople: true },
  { key: 'monthActive', screen: 'login', card: 'month', name: '月活跃', unit: '人', isPeople: true },
] as const
export type ProvinceFigure = (typeof provinceFigures)[number]['key']

const keys = provinceFigures.map(({ key }) => key) as [ProvinceFigure, ...ProvinceFigure[]]

/** What the statistics' screens tell of each school, side by side, for the operator of the installation. */
export const provinceApi = {
  schools: call('GET', '/operator/statistics', {
    summary: '各校统计',
    permit: operatorPermit,
    cost: 'statistic',
    input: paging.extend({
      search: search('学校名称或代码').optional(),
      /** Each school is worked out for itself. */
      pageSize: z.coerce.number('每页条数不正确').int().min(1).max(20, '每页最多 20 条').default(10),
    }),
    output: paged(
      z.object({
        schoolId: z.string(),
        schName: z.string(),
        /** It has so few students that every figure of theirs would tell of some of them. */
        isMasked: z.boolean(),
        /** Null where there is none, or too few people are behind it. */
        figures: z.record(z.enum(keys), z.number().nullable()),
        /** The moment until which every change is in them. */
        asOf: z.string(),
      }),
    ),
  }),
}
