import { z } from 'zod'
import { enableStatus } from '../../core/codes/platform.ts'
import { call } from '../../core/call.ts'
import { valuesOf } from '../../core/dictionary.ts'
import { exportReason } from '../../core/exports.ts'
import {
  amount,
  done,
  id,
  ids,
  listed,
  nothing,
  optionalText,
  pick,
  search,
  text,
  version,
  integer,
} from '../../core/fields.ts'
import { fileCall } from '../../core/file.ts'

/** The form of a label; without `sqlId` one of the school's own. A label without `sqlPid` is a group. */
const labelForm = z.strictObject({
  sqlId: id('标签').optional(),
  version: version.optional(),
  sqlPid: id('所属分组').optional(),
  sqlName: text('标签名称', 20),
  sqlCode: optionalText('编码', 20),
  sqlDesc: optionalText('说明', 200),
  sqlColor: z
    .string()
    .regex(/^#[0-9a-fA-F]{6}$/, '颜色格式不正确')
    .optional()
    .meta({ label: '颜色' }),
  /** Left out: as it is, or last of its group. */
  sqlSort: integer('排序', 0, 9999).optional(),
  fullScore: amount('满分', 1000).prefault('100'),
  /** What levels 1 to 5 mean, in this order; the five parts of the full score. */
  levels: z
    .array(z.string().trim().max(100, '等级说明不能超过 100 个字'))
    .max(5, '最多五级')
    .default([])
    .meta({ label: '等级说明' }),
  enable: pick('状态', valuesOf('enable_status')).default(enableStatus.enabled),
})

const label = z.object({
  sqlId: z.string(),
  sqlPid: z.string().nullable(),
  sqlName: z.string(),
  sqlCode: z.string(),
  sqlDesc: z.string(),
  sqlColor: z.string(),
  sqlSort: z.number(),
  fullScore: z.string(),
  levels: z.array(z.string()),
  platformId: z.string().nullable(),
  enable: z.string(),
  version: z.number(),
  /** Scoring rules, in all their versions, that give points for this label. */
  usedCount: z.number(),
  /** Whether the quality model shows it. */
  inModel: z.boolean(),
  can: z.array(z.enum(['edit', 'delete'])),
})
/** A group with its labels. */
const group = label.extend({ children: z.array(label) })

const platformLabel = z.object({
  platformId: z.string(),
  sqlName: z.string(),
  sqlColor: z.string(),
  sqlDesc: z.string(),
  adopted: z.boolean(),
})

const filters = { sqlName: search('标签名称').optional(), enable: pick('状态', valuesOf('enable_status')).optional() }

export const labelApi = {
  all: call('GET', '/schoolQualityLable/getAll', {
    summary: '素质标签列表',
    permit: 'label:list',
    input: z.object(filters),
    output: z.array(group),
  }),
  exportList: fileCall('POST', '/schoolQualityLable/lableExport', {
    summary: '导出素质标签',
    permit: 'label:list',
    input: z.object({ ...filters, reason: exportReason }),
  }),
  platform: call('GET', '/schoolQualityLable/getPlatformLable', {
    summary: '平台标签库',
    permit: 'label:list',
    input: nothing,
    output: z.array(platformLabel.extend({ children: z.array(platformLabel) })),
  }),
  adopt: call('POST', '/schoolQualityLable/saveLable', {
    summary: '采用平台标签',
    permit: 'label:edit',
    input: z.strictObject({ ids: listed(z.array(z.string().max(40)).min(1, '请至少选择一个标签').max(200)) }),
    output: done,
  }),
  edit: call('POST', '/schoolQualityLable/edit', {
    summary: '编辑素质标签',
    permit: 'label:edit',
    input: labelForm,
    output: z.object({ sqlId: z.string() }),
  }),
  move: call('POST', '/schoolQualityLable/move', {
    summary: '移动素质标签',
    permit: 'label:edit',
    /** A label goes into the group `sqlPid`, a group has none; without `after` to the first place there. */
    input: z.strictObject({
      sqlId: id('标签'),
      version,
      sqlPid: id('所属分组').optional(),
      after: id('前一个标签').optional(),
    }),
    output: done,
  }),
  enable: call('POST', '/schoolQualityLable/enable', {
    summary: '启用或停用素质标签',
    permit: 'label:edit',
    input: z.strictObject({ sqlId: ids, enable: pick('状态', valuesOf('enable_status')) }),
    output: done,
  }),
  uses: call('GET', '/schoolQualityLable/getUses', {
    summary: '采用标签的评价规则',
    permit: 'label:list',
    input: z.object({ sqlId: id('标签') }),
    output: z.array(
      z.object({
        esId: z.string(),
        esName: z.string(),
        lsFullName: z.string(),
        levelName: z.string(),
        versionNo: z.number(),
        current: z.boolean(),
        weight: z.number(),
      }),
    ),
  }),
  delIds: call('GET', '/schoolQualityLable/delIds', {
    summary: '删除素质标签',
    permit: 'label:edit',
    writes: true,
    input: z.object({ sqlId: ids }),
    output: done,
  }),
  del: call('POST', '/schoolQualityLable/del', {
    summary: '删除素质标签',
    permit: 'label:edit',
    input: z.strictObject({ sqlId: ids }),
    output: done,
  }),
  lessonLabel: call('GET', '/platformLessonLable/LessonLabel', {
    summary: '课程标签',
    base: '/api/platformbase',
    permit: 'signed-in',
    input: nothing,
    output: z.array(z.object({ id: z.string(), name: z.string(), groupName: z.string() })),
  }),
}
