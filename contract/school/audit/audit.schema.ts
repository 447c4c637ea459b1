import { z } from 'zod'

/** One field that an action changed, in words: `学院` from `文学院` to `理学院`. Of something new, `before` is empty. */
const auditChange = z.object({ label: z.string(), before: z.string(), after: z.string() })
export type AuditChange = z.infer<typeof auditChange>

/** One point of a record's timeline. */
export const timelineEntry = z.object({
  logId: z.string(),
  logTime: z.string(),
  actorName: z.string(),
  action: z.string(),
  /** `refused` for an attempt that was turned away. */
  result: z.string(),
  reason: z.string(),
  changes: z.array(auditChange),
})
export type TimelineEntry = z.infer<typeof timelineEntry>

/** A line of the audit trail. */
export const auditRow = z.object({
  logId: z.string(),
  logTime: z.string(),
  /** Who acted; null for what the program did by itself. */
  actorId: z.string().nullable(),
  actorName: z.string(),
  actorNumber: z.string(),
  action: z.string(),
  result: z.string(),
  bizType: z.string(),
  bizName: z.string(),
  reason: z.string(),
  ip: z.string(),
  requestId: z.string(),
})

export const auditDetail = auditRow.extend({
  bizId: z.string(),
  /** The device, as its browser describes itself. */
  agent: z.string(),
  /** All fields that differ; those without a Chinese name under the name they are stored by. */
  changes: z.array(auditChange),
  /** The number of the seal the row is under; null until the next sealing. */
  sealNo: z.number().nullable(),
})

/** What a verification may find. Rows are named by id and, where they are still there, by what they say. */
export const auditFaults = {
  'row-changed': '日志内容与封存时不一致',
  'row-missing': '已封存的日志不在数据库中',
  'row-unsealed': '日志未经程序写入：时间早于最近的封存，却不在任何封存之内',
  'row-returned': '已归档移出的日志又出现在数据库中',
  'seal-changed': '封存记录的内容被改动',
  'seal-broken': '封存记录与上一条不衔接',
  'seal-missing': '封存记录缺失',
  'archive-early': '归档记录移出了未到期的日志',
} as const

const auditFault = z.object({
  kind: z.enum(Object.keys(auditFaults) as (keyof typeof auditFaults)[]),
  sealNo: z.number().nullable(),
  logId: z.string().nullable(),
  /** The row as it is now: time, person, act and record. */
  row: z.string(),
})
export type AuditFault = z.infer<typeof auditFault>

/** What a verification of a school's trail has found. */
const auditVerdict = z.object({
  /** Rows whose content was compared, rows that are in archives, and rows that wait for the next seal. */
  rows: z.number(),
  archivedRows: z.number(),
  waitingRows: z.number(),
  seals: z.number(),
  lastSeal: z.object({ sealNo: z.number(), sealTime: z.string(), hash: z.string() }).nullable(),
  /** How many faults there are, and the first ones. */
  faultCount: z.number(),
  faults: z.array(auditFault),
})
export type AuditVerdict = z.infer<typeof auditVerdict>

export const auditVerification = z.object({
  /** `none`: never asked for within thirty days. */
  state: z.enum(['none', 'waiting', 'running', 'done', 'failed']),
  /** 0 to 100. */
  progress: z.number(),
  createTime: z.string().nullable(),
  endTime: z.string().nullable(),
  verdict: auditVerdict.nullable(),
})

/** A file into which rows older than the retention went. */
export const auditArchive = z.object({
  arcNo: z.number(),
  fromSeal: z.number(),
  throughSeal: z.number(),
  rowCount: z.number(),
  firstTime: z.string(),
  lastTime: z.string(),
  fileName: z.string(),
  size: z.number(),
  sha256: z.string(),
  createTime: z.string(),
})
