import { z } from 'zod'
import { call } from '../../core/call.ts'
import { codesOf } from '../../core/codes/code-list.ts'
import { backgroundKind, backgroundStatus } from '../../core/codes/platform.ts'
import { done, flag, id, integer } from '../../core/fields.ts'
import { fileCall } from '../../core/file.ts'
import { paged, paging } from '../../core/paging.ts'

/** The most records of one action. */
export const maxForAll = 50_000
/** Minutes after its end for which an action on all can be taken back. */
export const undoMinutes = 30
/** Days for which the file of an export is kept, and for which what was done is told. */
export const fileDays = 7
export const taskDays = 30

const path = (label: string) => z.string(`缺少${label}`).max(120, `${label}不正确`).meta({ label })
const fields = (label: string) => z.record(z.string().max(40), z.unknown(), `${label}不正确`).meta({ label })
const btId = id('后台任务')
const one = z.strictObject({ btId })

/** Something that goes on in the background, or did. */
export const backgroundTask = z.object({
  btId: z.string(),
  /** `act`, `export`, `import` or `print`. */
  btKind: z.enum(codesOf(backgroundKind)),
  btTitle: z.string(),
  btStatus: z.enum(codesOf(backgroundStatus)),
  /** Records of an action, rows of an export; null where nobody knows how many there will be. */
  total: z.number().nullable(),
  doneCount: z.number(),
  refusedCount: z.number(),
  /** 0 to 100; null where the total is not known. */
  progress: z.number().nullable(),
  /** Seconds that it will still take, by what has been done so far; null before that can be told. */
  secondsLeft: z.number().nullable(),
  /** Why it ended early; empty for all others. */
  fault: z.string(),
  fileName: z.string().nullable(),
  fileSize: z.number().nullable(),
  createTime: z.string(),
  endTime: z.string().nullable(),
  /** Imports and prints are looked after on their own screens. */
  can: z.array(z.enum(['cancel', 'undo', 'results', 'download', 'remove'])),
})
export type BackgroundTask = z.infer<typeof backgroundTask>

/**
 * Work that goes on behind the back of whoever asked for it: an action on all records that fit a filter, and long
 * exports. The right is that of the call which is carried out, asked for at the start and again while it runs. Tasks
 * belong to whoever started them.
 */
export const backgroundApi = {
  countAll: call('POST', '/background/countAll', {
    summary: '统计符合条件的记录数',
    permit: 'signed-in',
    writes: false,
    /** `list`: the path of the list call; `filter`: its input. */
    input: z.strictObject({ list: path('列表'), filter: fields('筛选条件').default({}) }),
    output: z.object({ total: z.number() }),
  }),
  actOnAll: call('POST', '/background/actOnAll', {
    summary: '对全部符合条件的记录操作',
    permit: 'signed-in',
    // finding up to 50,000 rows costs what a search does
    cost: 'search',
    /**
     * `act`: the path of the call that is to be done to every row; `given`: its input without the ids; `total`: the
     * number that the person has confirmed.
     */
    input: z.strictObject({
      list: path('列表'),
      filter: fields('筛选条件').default({}),
      act: path('操作'),
      given: fields('操作内容').default({}),
      /** What the task is called beside its list; the name of the call unless given. */
      title: z.string().trim().max(40, '名称不能超过 40 个字').optional(),
      total: integer('条数', 1, 10_000_000),
    }),
    output: z.object({ btId: z.string(), total: z.number() }),
  }),
  undo: call('POST', '/background/undo', {
    summary: '撤销批量操作',
    permit: 'signed-in',
    input: one,
    output: z.object({ btId: z.string(), total: z.number() }),
  }),
  exportFile: call('POST', '/background/export', {
    summary: '在后台导出',
    permit: 'signed-in',
    cost: 'export',
    /** `call`: the path of an export that takes a reason; `rows`: how many there are about, for its progress. */
    input: z.strictObject({
      call: path('导出'),
      input: fields('导出条件').default({}),
      rows: integer('行数', 0, 100_000_000).optional(),
      csv: flag('文本格式').optional(),
    }),
    output: z.object({ btId: z.string() }),
  }),
  list: call('GET', '/background/list', {
    summary: '后台任务',
    permit: 'signed-in',
    input: paging,
    output: paged(backgroundTask),
  }),
  cancel: call('POST', '/background/cancel', {
    summary: '取消后台任务',
    permit: 'signed-in',
    input: one,
    output: done,
  }),
  remove: call('POST', '/background/remove', {
    summary: '删除后台导出的文件',
    permit: 'signed-in',
    input: one,
    output: done,
  }),
  results: fileCall('GET', '/background/results', {
    summary: '下载批量操作的结果',
    permit: 'signed-in',
    needsFreshCode: true,
    input: z.object({ btId }),
  }),
  download: fileCall('GET', '/background/download', {
    summary: '下载后台导出的文件',
    permit: 'signed-in',
    needsFreshCode: true,
    input: z.object({ btId }),
  }),
}
