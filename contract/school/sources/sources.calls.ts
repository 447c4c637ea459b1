import { z } from 'zod'
import { call } from '../../core/call.ts'
import { codesOf, isOneOf } from '../../core/codes/code-list.ts'
import { leaverRule, sourceFormat, sourceKind, sourceRunStatus, sourceWay } from '../../core/codes/school.ts'
import { done, flag, id, ids, integer, optionalText, pick, search, text, version } from '../../core/fields.ts'
import { paged, paging, sortedPaging } from '../../core/paging.ts'
import { importColumn, importRow, verdicts } from '../../platform/imports/imports.schema.ts'

/** Which field of the source goes into which column of the import template. */
const sourceColumn = z.strictObject({ from: text('来源字段', 120), to: text('模板列名', 60) })

/**
 * A source as its form sends it. Which of the places are needed depends on the way; `secret` is written and never read:
 * left out, what is kept stays.
 */
const sourceForm = z
  .strictObject({
    isId: id('数据来源').optional(),
    version: version.optional(),
    isName: text('名称', 50),
    isKind: pick('同步内容', codesOf(sourceKind)),
    isWay: pick('取数方式', codesOf(sourceWay)),
    /** Folder: a file name in the school's folder, `*` for any characters; the newest one is taken. */
    fileName: optionalText('文件名', 100),
    /**
     * HTTP: an address; SCIM: the base of the service; database: `postgres://user@host:port/name`; SFTP:
     * `sftp://user@host:port/folder`; without the password.
     */
    address: optionalText('地址', 500),
    format: pick('数据格式', codesOf(sourceFormat)).default(sourceFormat.csv),
    /** HTTP with JSON: where the rows stand, such as `data.records`; empty where the answer itself is the list. */
    jsonPath: optionalText('数据所在路径', 100),
    /** Database: the view, such as `dw.v_students`. */
    viewName: optionalText('视图名', 120),
    /** SCIM: which of the people or groups, such as `userType eq "student"`; empty for all. */
    scimFilter: optionalText('筛选条件', 200),
    columns: z.array(sourceColumn).max(60, '对应关系最多 60 项').default([]),
    /** SFTP: the password, or a private key. */
    secret: optionalText('密钥', 8000),
    /** HH:mm of every day; empty: by hand only. */
    runAt: z
      .union([z.literal(''), z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, '时间须为 00:00 至 23:59')])
      .default('')
      .meta({ label: '每日运行时间' }),
    /** Per cent of the known records beyond which changes, faults or leavers stop a run until a person has decided. */
    changeLimit: integer('变更上限', 1, 100).default(20),
    leaverRule: pick('来源中不再出现的学生', codesOf(leaverRule)).default(leaverRule.tell),
    leaverLimit: integer('离校上限', 1, 100).default(5),
    isEnabled: flag('启用').default(false),
  })
  .check(({ value, issues }) => {
    const missing = (field: 'fileName' | 'address' | 'viewName', message: string) =>
      issues.push({ code: 'custom', path: [field], message, input: value })
    const isFile = value.isWay === sourceWay.folder || value.isWay === sourceWay.sftp
    if (isFile && !value.fileName) missing('fileName', '请输入文件名')
    if (isFile && /[/\\]|^\./.test(value.fileName ?? '')) missing('fileName', '只填文件名，不带文件夹')
    if (
      value.isWay === sourceWay.sftp &&
      !/^sftp:\/\/[^\s:@/]+@[^\s:@/]+(:\d{1,5})?(\/[^\s?#]*)?$/.test(value.address ?? '')
    )
      missing('address', '请按 sftp://账号@主机:端口/文件夹 填写，口令或私钥填在下面')
    if (isOneOf(value.isWay, sourceWay.http, sourceWay.scim) && !/^https?:\/\/[^\s@]+$/.test(value.address ?? ''))
      missing('address', '请输入 http:// 或 https:// 开头的地址，账号与口令填在密钥中')
    if (
      value.isWay === sourceWay.database &&
      !/^postgres(ql)?:\/\/[^\s:@/]+@[^\s@]+\/[^\s/]+$/.test(value.address ?? '')
    )
      missing('address', '请按 postgres://账号@主机:端口/库名 填写，口令填在密钥中')
    if (value.isWay === sourceWay.scim && value.columns.length === 0)
      issues.push({ code: 'custom', path: ['columns'], message: '请添加列的对应，至少一列', input: value })
    if (value.isWay === sourceWay.scim && value.isKind === sourceKind.timetable)
      issues.push({ code: 'custom', path: ['isWay'], message: 'SCIM 接口没有课表，请换一种取数方式', input: value })
    if (
      value.isWay === sourceWay.database &&
      !/^[\p{L}_][\p{L}\p{N}_]*(\.[\p{L}_][\p{L}\p{N}_]*)?$/u.test(value.viewName ?? '')
    )
      missing('viewName', '请输入视图名，可带模式名，如 dw.v_students')
  })

const counts = z.object({
  rows: z.number(),
  new: z.number(),
  update: z.number(),
  same: z.number(),
  conflict: z.number(),
  fault: z.number(),
  /** Students who are enrolled here and no longer in the source. */
  leavers: z.number(),
})

const sourceRun = z.object({
  runId: z.string(),
  runStatus: z.enum(codesOf(sourceRunStatus)),
  isByHand: z.boolean(),
  createName: z.string(),
  startTime: z.string(),
  endTime: z.string().nullable(),
  fileName: z.string(),
  counts,
  /** Why it failed or waits, in sentences; empty where all went well. */
  fault: z.string(),
  /** `accept`, `discard`: a run that waits; `undo`: one that was written. */
  can: z.array(z.enum(['accept', 'discard', 'undo'])),
})
export type SourceRun = z.infer<typeof sourceRun>

const sourceRow = z.object({
  isId: z.string(),
  isName: z.string(),
  isKind: z.enum(codesOf(sourceKind)),
  isWay: z.enum(codesOf(sourceWay)),
  fileName: z.string(),
  address: z.string(),
  format: z.enum(codesOf(sourceFormat)),
  jsonPath: z.string(),
  viewName: z.string(),
  scimFilter: z.string(),
  columns: z.array(sourceColumn),
  hasSecret: z.boolean(),
  runAt: z.string(),
  changeLimit: z.number(),
  leaverRule: z.enum(codesOf(leaverRule)),
  leaverLimit: z.number(),
  isEnabled: z.boolean(),
  nextRun: z.string().nullable(),
  /** With whose rights it runs: whoever saved it last. */
  ownerName: z.string(),
  version: z.number(),
  createTime: z.string(),
  lastRun: sourceRun.nullable(),
  can: z.array(z.enum(['edit', 'delete', 'run'])),
})
export type SourceRow = z.infer<typeof sourceRow>

/** One thing that a test tried, in words. */
const testStep = z.object({ name: z.string(), isGood: z.boolean(), text: z.string() })

/** Where people and organisation come from by themselves, into the same importers as sheets (decision 089). */
export const sourceApi = {
  list: call('GET', '/importSource/list', {
    summary: '数据来源列表',
    permit: 'source:list',
    input: sortedPaging.extend({ isName: search('名称').optional() }),
    output: paged(sourceRow),
  }),
  save: call('POST', '/importSource/save', {
    summary: '保存数据来源',
    permit: 'source:edit',
    input: sourceForm,
    output: z.object({ isId: z.string() }),
  }),
  remove: call('POST', '/importSource/del', {
    summary: '删除数据来源',
    permit: 'source:edit',
    input: z.strictObject({ ids }),
    output: done,
  }),
  /** Reads the source and changes nothing: whether it is reached, what its columns are and how they fit. */
  test: call('POST', '/importSource/test', {
    summary: '测试数据来源',
    permit: 'source:edit',
    writes: false,
    input: z.strictObject({ isId: id('数据来源') }),
    output: z.object({
      steps: z.array(testStep),
      rows: z.number(),
      columns: z.array(z.string()),
      /** SFTP: the key that the server showed and that nobody has accepted; empty otherwise. */
      hostKey: z.string(),
    }),
  }),
  /** Accepts the key of an SFTP server, as the test has shown it. */
  trust: call('POST', '/importSource/trust', {
    summary: '信任主机密钥',
    permit: 'source:edit',
    input: z.strictObject({
      isId: id('数据来源'),
      version,
      hostKey: z
        .string()
        .regex(/^SHA256:[A-Za-z0-9+/]{43}$/, '主机密钥指纹不正确')
        .meta({ label: '主机密钥指纹' }),
    }),
    output: z.object({ isId: z.string() }),
  }),
  run: call('POST', '/importSource/run', {
    summary: '立即同步',
    permit: 'source:run',
    input: z.strictObject({ isId: id('数据来源') }),
    output: z.object({ runId: z.string() }),
  }),
  runs: call('GET', '/importSource/runs', {
    summary: '同步记录',
    permit: 'source:list',
    input: paging.extend({ isId: id('数据来源') }),
    output: paged(sourceRun),
  }),
  /** The rows of a run, with what each would change or has changed. */
  rows: call('GET', '/importSource/runRows', {
    summary: '同步明细',
    permit: 'source:list',
    input: paging.extend({ runId: id('同步记录'), verdict: z.enum(verdicts, '结论不正确').optional() }),
    output: paged(importRow).extend({ columns: z.array(importColumn) }),
  }),
  /** Students who are no longer in the source. */
  leavers: call('GET', '/importSource/leavers', {
    summary: '来源中不再出现的学生',
    permit: 'source:list',
    input: paging.extend({ runId: id('同步记录') }),
    output: paged(z.object({ suId: z.string(), suiNumber: z.string(), suiName: z.string() })),
  }),
  accept: call('POST', '/importSource/accept', {
    summary: '确认同步',
    permit: 'source:run',
    input: z.strictObject({ runId: id('同步记录') }),
    output: done,
  }),
  discard: call('POST', '/importSource/discard', {
    summary: '放弃同步',
    permit: 'source:run',
    input: z.strictObject({ runId: id('同步记录') }),
    output: done,
  }),
  undo: call('POST', '/importSource/undo', {
    summary: '撤销同步',
    permit: 'source:run',
    input: z.strictObject({ runId: id('同步记录') }),
    output: done,
  }),
}
