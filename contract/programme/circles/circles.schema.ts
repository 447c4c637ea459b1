import { z } from 'zod'
import { circleJoinMode, circleLevel } from '../../core/codes/programme.ts'
import { valuesOf } from '../../core/dictionary.ts'
import {
  choice,
  day,
  flag,
  fileIds,
  id,
  optionalText,
  pick,
  rangeEnd,
  rangeStart,
  search,
  text,
  textOfList,
  integer,
} from '../../core/fields.ts'

/**
 * Filters of circles tell moments as `2026-11-21T00:00:00.000Z` and mean the wall clock of the school: the Z says
 * nothing (docs/rules.md R54).
 */
const wallClock = (value: string) => value.replace(/^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(?:\.\d{1,6})?Z?$/, '$1 $2')
/** The days between which something was made; either side may stand alone. */
export const circleDays = {
  createStartDate: z.string().transform(wallClock).pipe(rangeStart('开始日期')).optional(),
  createEndDate: z.string().transform(wallClock).pipe(rangeEnd('结束日期')).optional(),
}

const idList = (label: string, missing: string) =>
  z
    .union([z.array(id(label)), textOfList], missing)
    .pipe(z.array(id(label)).min(1, missing).max(1000, '一次最多处理 1000 条记录'))
    .meta({ label })

/**
 * Circles with the person in charge of each, as the person who acts has them before their eyes: two lists in the same
 * order. A pair that is no longer true stops the action, so nobody decides on what has changed meanwhile (docs/rules.md
 * R44).
 */
export const circlePairs = <F extends z.ZodRawShape>(more: F) =>
  z
    .strictObject({
      ciIds: idList('所选圈子', '请至少选择一条记录'),
      cpiPersonIds: idList('负责人', '缺少圈子负责人，请刷新后重试'),
      ...more,
    })
    .check((ctx) => {
      const { ciIds, cpiPersonIds } = ctx.value as { ciIds: string[]; cpiPersonIds: string[] }
      const fault = (path: string, message: string) =>
        ctx.issues.push({ code: 'custom', input: ctx.value, path: [path], message })
      if (ciIds.length !== cpiPersonIds.length) fault('cpiPersonIds', '所选圈子与负责人的数目不一致，请刷新后重试')
      else if (new Set(ciIds.map((ciId, at) => `${ciId} ${cpiPersonIds[at]}`)).size !== ciIds.length)
        fault('ciIds', '所选记录重复，请刷新后重试')
    })

/** What the one form of a circle says; an id beside it selects update. The person in charge is one of the members. */
export const circleForm = {
  ciName: text('圈子名称', 50).min(2, '圈子名称至少 2 个字'),
  ciClass: choice('圈子分类'),
  ciLevel: pick('圈子级别', valuesOf('circle_level')).default(circleLevel.school),
  ciCollegeId: id('挂靠学院').optional(),
  guideUnitId: id('业务指导单位').optional(),
  ciDesc: optionalText('圈子简介', 2000),
  imgList: fileIds('图片', 9, '张'),
  charterFile: id('章程').optional(),
  cpiPersonId: choice('负责人'),
  teacherIds: z.array(id('指导老师')).max(20, '指导老师最多 20 人').default([]).meta({ label: '指导老师' }),
  /** Left out, the members stay as they are: circles of more than a form can hold. */
  personIds: z
    .array(id('成员'))
    .max(1000, '一次最多提交 1000 名成员，更多请批量导入')
    .optional()
    .meta({ label: '成员' }),
  foundDate: day('成立日期').optional(),
  memberMax: integer('人数上限', 1, 10_000).optional(),
  joinMode: pick('入会方式', valuesOf('circle_join_mode')).default(circleJoinMode.reviewed),
}

export const circleFilters = {
  ciName: search('圈子名称').optional(),
  ciClass: id('圈子分类').optional(),
  ciStatus: pick('状态', valuesOf('circle_status')).optional(),
  ciAuthStatus: pick('审核状态', valuesOf('circle_auth_status')).optional(),
  ciCollegeId: id('挂靠学院').optional(),
  /** Of the last yearly review. */
  star: pick('星级', valuesOf('circle_star')).optional(),
  /** Only those the asking person leads or guides. */
  mine: flag('我负责或指导的').optional(),
  ...circleDays,
}

const circleAction = z.enum(['edit', 'enable', 'disable', 'delete', 'apply', 'exit'])
export type CircleAction = z.output<typeof circleAction>

export const circlePerson = z.object({
  suId: z.string(),
  suiName: z.string(),
  suiNumber: z.string(),
  collegeName: z.string(),
  className: z.string(),
})

/** A circle as lists show it. `activityCount`: its courses that have been published. */
export const circleRow = z.object({
  ciId: z.string(),
  ciNo: z.string(),
  ciName: z.string(),
  ciClass: z.string(),
  ccName: z.string(),
  ciLevel: z.string(),
  ciCollegeId: z.string().nullable(),
  collegeName: z.string(),
  guideUnitId: z.string().nullable(),
  guideUnitName: z.string(),
  cpiPersonId: z.string(),
  cpiPersonName: z.string(),
  teacherNames: z.array(z.string()),
  memberCount: z.number(),
  activityCount: z.number(),
  ciStatus: z.string(),
  ciAuthStatus: z.string(),
  /** `dictionary.circle_star` of its last yearly review; null where that gave none. */
  star: z.string().nullable(),
  foundDate: z.string().nullable(),
  createName: z.string(),
  createTime: z.string(),
  version: z.number(),
  can: z.array(circleAction),
})
export type CircleRow = z.output<typeof circleRow>

export const circleReview = z.object({
  crYear: z.number(),
  crResult: z.string(),
  /** `dictionary.circle_star`; null: none was given. */ crStar: z.string().nullable(),
  activityCount: z.number(),
  reviewTime: z.string(),
})

/** A circle with everything its pages show. `persons` are its members, the person in charge first. */
export const circleDetail = circleRow.extend({
  ciDesc: z.string(),
  imgList: z.array(z.string()),
  charter: z.object({ id: z.string(), name: z.string() }).nullable(),
  memberMax: z.number().nullable(),
  joinMode: z.string(),
  /** Why it was refused, put right or closed. */
  reason: z.string(),
  principal: circlePerson,
  teachers: z.array(circlePerson),
  persons: z.array(circlePerson.extend({ cmRole: z.string() })),
  /** The ids of both, as the form sends them. */
  teacherIds: z.array(z.string()),
  personIds: z.array(z.string()),
  reviews: z.array(circleReview),
  /** Applications that wait for a decision. */
  pendingCount: z.number(),
})
export type CircleDetail = z.output<typeof circleDetail>
