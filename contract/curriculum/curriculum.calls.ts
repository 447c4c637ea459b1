import { z } from 'zod'
import { call } from '../core/call.ts'
import { valuesOf } from '../core/dictionary.ts'
import { exportReason } from '../core/exports.ts'
import { amount, done, flag, id, ids, nothing, optionalText, pick, search, text, version } from '../core/fields.ts'
import { fileOutput } from '../core/file.ts'

const enabled = valuesOf('enable_status')
const lsType = pick('适用范围', valuesOf('curriculum_type'))

/** What a person fills in for a node; hours are least and most hours until graduation and most per term. */
const fields = {
  lsPid: id('上级体系').optional(),
  lsName: text('体系名称', 30),
  lsCode: optionalText('编码', 20),
  lsType: lsType.default('3'),
  lsColor: z.string().regex(/^#[0-9a-fA-F]{6}$/, '颜色格式不正确').optional().meta({ label: '颜色' }),
  required: pick('必修', valuesOf('yes_no')).default('1'),
  minHours: amount('毕业最低学时').default(0),
  maxHours: amount('累计学时上限').optional(),
  termCap: amount('每学期学时上限').optional(),
  ownerRoleId: id('模块负责人角色').optional(),
  allowLevels: z.array(z.string().max(8)).max(50).default([]).meta({ label: '允许的级别' }),
  lsFormScheme: pick('课程表单', ['standard', 'industry']).default('standard'),
  enable: pick('状态', enabled).default('1'),
}

const hoursInOrder = (ctx: z.core.ParsePayload<{ minHours: number; maxHours?: number | undefined }>) => {
  const { minHours, maxHours } = ctx.value
  if (maxHours !== undefined && maxHours < minHours) ctx.issues.push({ code: 'custom', input: maxHours, path: ['maxHours'], message: '累计学时上限不能小于毕业最低学时' })
}

/** The form of a new node, and of one that is changed; another `lsPid` moves the node with all below it. */
export const curriculumForm = z.strictObject(fields).check(hoursInOrder)
export const curriculumEditForm = z.strictObject({ lsId: id('体系'), version, ...fields }).check(hoursInOrder)

const node = z.object({
  lsId: z.string(),
  lsPid: z.string().nullable(),
  /** Ids from the module down to the node itself. */
  lsPath: z.array(z.string()),
  lsName: z.string(),
  lsCode: z.string(),
  lsType: z.string(),
  lsSort: z.number(),
  lsColor: z.string(),
  required: z.string(),
  minHours: z.string(),
  maxHours: z.string().nullable(),
  termCap: z.string().nullable(),
  ownerRoleId: z.string().nullable(),
  ownerRoleName: z.string(),
  allowLevels: z.array(z.string()),
  lsFormScheme: z.string(),
  enable: z.string(),
  version: z.number(),
})

/** A node of the tree, with its place and what may be done to it now. */
export type CurriculumNode = z.output<typeof node> & {
  depth: number
  isLeaf: boolean
  /** Courses in the node and below it; 0 unless asked for. */
  lessonCount: number
  can: string[]
  children: CurriculumNode[]
}
const curriculumNode: z.ZodType<CurriculumNode> = node.extend({
  depth: z.number(),
  isLeaf: z.boolean(),
  lessonCount: z.number(),
  can: z.array(z.string()),
  children: z.array(z.lazy(() => curriculumNode)),
})

const place = z.object({ lsId: z.string(), lsPid: z.string().nullable(), lsName: z.string(), lsFullName: z.string(), lsPath: z.array(z.string()), isLeaf: z.boolean() })
const asked = { lsType: pick('适用范围', ['1', '2']).optional(), enable: pick('状态', enabled).optional() }

export const curriculumApi = {
  all: call('GET', '/lessonsClass/getAll', {
    summary: '课程体系树',
    permit: 'signed-in',
    input: z.object({ ...asked, withCounts: flag('统计课程数').optional() }),
    output: z.array(curriculumNode),
  }),
  exportList: call('POST', '/lessonsClass/lessonsClassExport', { summary: '导出课程体系', permit: 'curriculum:list', writes: false, gives: 'file', input: z.object({ ...asked, lsName: search('体系名称').optional(), reason: exportReason }), output: fileOutput }),
  dropdown: call('GET', '/lessonsClass/dropdown', {
    summary: '课程体系下拉',
    permit: 'signed-in',
    input: z.object({ lsPid: id('上级体系').optional(), lsId: id('体系').optional(), lsName: search('体系名称').optional() }),
    output: z.array(place),
  }),
  recordingClass: call('GET', '/lessonsClass/getRecordingClass', { summary: '可补录的课程体系', permit: 'signed-in', input: z.object({ lsId: id('体系').optional() }), output: z.array(place) }),
  levels: call('GET', '/homePage/selectLevel', {
    summary: '课程级别',
    permit: 'signed-in',
    input: nothing,
    output: z.array(z.object({ llId: z.string(), llName: z.string(), llFactor: z.string(), llSort: z.number() })),
  }),
  getEdit: call('GET', '/lessonsClass/getEdit', { summary: '课程体系详情', permit: 'curriculum:list', input: z.object({ lsId: id('体系') }), output: node }),
  add: call('POST', '/lessonsClass/add', { summary: '新增课程体系', permit: 'curriculum:edit', input: curriculumForm, output: z.object({ lsId: z.string() }) }),
  edit: call('POST', '/lessonsClass/edit', { summary: '编辑课程体系', permit: 'curriculum:edit', input: curriculumEditForm, output: done }),
  sort: call('POST', '/lessonsClass/sort', {
    summary: '调整课程体系顺序',
    permit: 'curriculum:edit',
    input: z.strictObject({ lsId: id('体系'), to: pick('方向', ['up', 'down']) }),
    output: done,
  }),
  delLs: call('GET', '/lessonsClass/delLs', { summary: '删除课程体系', permit: 'curriculum:delete', writes: true, input: z.object({ lsId: ids }), output: done }),
  del: call('POST', '/lessonsClass/del', { summary: '删除课程体系', permit: 'curriculum:delete', input: z.strictObject({ lsId: ids }), output: done }),
}
