import { z } from 'zod'
import { enableStatus } from '../../core/codes/platform.ts'
import { awardTier, awardType, quotaType as quotaTypeCodes } from '../../core/codes/rules.ts'
import { call } from '../../core/call.ts'
import { valuesOf } from '../../core/dictionary.ts'
import { exportReason } from '../../core/exports.ts'
import {
  amount,
  done,
  flag,
  id,
  ids,
  nothing,
  optionalText,
  pick,
  search,
  text,
  version,
  integer,
} from '../../core/fields.ts'
import { fileCall } from '../../core/file.ts'
import { paged, paging, sortedBy } from '../../core/paging.ts'

const maxPercent = 100

/** One award of a template. The order of the rows is the order of the awards. */
const detailForm = z
  .strictObject({
    adId: id('奖项').optional(),
    adName: text('奖项名称', 30),
    adLevel: pick('奖项等级', valuesOf('award_tier')).default(awardTier.ungraded),
    hours: amount('学时').default(0),
    credit: amount('学分').default(0),
    points: amount('积分').default(0),
    /** By which the abilities of holders count: 1.5 gives half as much again. */
    abilityFactor: amount('能力系数', 10).prefault('1'),
    quotaType: pick('名额类型', valuesOf('quota_type')).default(quotaTypeCodes.unlimited),
    quota: integer('名额', 1, 100_000).optional(),
    needProof: flag('需要证明').default(false),
  })
  .check((ctx) => {
    const { quotaType, quota } = ctx.value
    const fault = (message: string) => ctx.issues.push({ code: 'custom', input: quota, path: ['quota'], message })
    if (quotaType !== quotaTypeCodes.unlimited && quota === undefined) fault('请填写名额')
    if (quotaType === quotaTypeCodes.percent && quota !== undefined && quota > maxPercent) fault('占比不能超过 100%')
  })

const fields = {
  atName: text('模板名称', 50),
  atType: pick('奖励类型', valuesOf('award_type')),
  atDesc: optionalText('说明', 200),
  enable: pick('状态', valuesOf('enable_status')).default(enableStatus.enabled),
  details: z
    .array(detailForm)
    .min(1, '请至少添加一个奖项')
    .max(50, '一个模板最多 50 个奖项')
    .meta({ label: '奖项' })
    .check((ctx) => {
      const seen = new Set<string>()
      ctx.value.forEach(({ adName }, at) => {
        if (seen.has(adName))
          ctx.issues.push({ code: 'custom', input: adName, path: [at, 'adName'], message: `奖项“${adName}”重复` })
        seen.add(adName)
      })
    }),
}
const awardAddForm = z.strictObject(fields)
const awardEditForm = z.strictObject({ atId: id('奖励模板'), version, ...fields })

/** An award as it is shown and chosen; amounts are decimal text. */
export const awardDetail = z.object({
  adId: z.string(),
  adName: z.string(),
  adLevel: z.string(),
  hours: z.string(),
  credit: z.string(),
  points: z.string(),
  abilityFactor: z.string(),
  quotaType: z.string(),
  quota: z.number().nullable(),
  needProof: z.string(),
  adSort: z.number(),
})
const template = z.object({
  atId: z.string(),
  atName: z.string(),
  atType: z.string(),
  atDesc: z.string(),
  enable: z.string(),
  version: z.number(),
})

const filters = {
  atName: search('模板名称').optional(),
  atType: pick('奖励类型', valuesOf('award_type')).optional(),
  enable: pick('状态', valuesOf('enable_status')).optional(),
  ...sortedBy('updateTime', 'atName', 'atType', 'enable', 'createName'),
}

export const awardApi = {
  select: call('GET', '/awardTemplate/selectAward', {
    summary: '奖励模板下拉',
    permit: 'signed-in',
    input: z.object({ withClosed: flag('包括已停用的').optional() }),
    output: z.array(
      z.object({ atId: z.string(), atName: z.string(), atType: z.string(), details: z.array(awardDetail) }),
    ),
  }),
  list: call('GET', '/awardTemplate/selectAwardTemplate', {
    summary: '奖励模板列表',
    permit: 'award:list',
    input: paging.extend(filters),
    output: paged(
      template.extend({
        awardNames: z.array(z.string()),
        usedCount: z.number(),
        createName: z.string(),
        updateTime: z.string(),
        can: z.array(z.enum(['edit', 'delete'])),
      }),
    ),
  }),
  exportList: fileCall('POST', '/awardTemplate/awardExport', {
    summary: '导出奖励模板',
    permit: 'award:list',
    input: paging.extend({ ...filters, reason: exportReason }),
  }),
  detail: call('GET', '/awardTemplate/selectAwardTemplateDetail', {
    summary: '奖励模板详情',
    permit: 'signed-in',
    input: z.object({ atId: id('奖励模板') }),
    /** `givenCount`: who holds the award now; an award that somebody holds stays in its template. */
    output: template.extend({
      usedCount: z.number(),
      details: z.array(awardDetail.extend({ givenCount: z.number() })),
    }),
  }),
  add: call('POST', '/awardTemplate/add', {
    summary: '新增奖励模板',
    permit: 'award:edit',
    /** Grades are what most templates give. */
    whenLeftOut: () => ({ atType: awardType.grade }),
    input: awardAddForm,
    output: z.object({ atId: z.string() }),
  }),
  edit: call('POST', '/awardTemplate/edit', {
    summary: '编辑奖励模板',
    permit: 'award:edit',
    input: awardEditForm,
    output: done,
  }),
  enable: call('POST', '/awardTemplate/enable', {
    summary: '启用或停用奖励模板',
    permit: 'award:edit',
    input: z.strictObject({ atIds: ids, enable: pick('状态', valuesOf('enable_status')) }),
    output: done,
  }),
  ready: call('GET', '/awardTemplate/getReady', {
    summary: '常用奖励模板',
    permit: 'award:list',
    input: nothing,
    /** `exists`: the school already has a template of this name. */
    output: z.array(
      z.object({
        readyId: z.string(),
        atName: z.string(),
        atType: z.string(),
        atDesc: z.string(),
        exists: z.boolean(),
        details: z.array(awardDetail.omit({ adId: true, adSort: true })),
      }),
    ),
  }),
  addReady: call('POST', '/awardTemplate/addReady', {
    summary: '添加常用奖励模板',
    permit: 'award:edit',
    input: z.strictObject({ ids: z.array(z.string().max(20)).min(1, '请至少选择一个模板').max(20) }),
    output: done,
  }),
  remove: call('POST', '/awardTemplate/del', {
    summary: '删除奖励模板',
    permit: 'award:delete',
    alsoNamed: { atId: 'atIds' },
    input: z.strictObject({ atIds: ids }),
    output: done,
  }),
  ofLesson: call('GET', '/homePage/awardDetailSup', {
    summary: '课程的奖项',
    permit: 'signed-in',
    input: z.object({ liId: id('课程') }),
    output: z.array(awardDetail),
  }),
}
