import { z } from 'zod'
import { call } from '../../core/call.ts'
import { codesOf } from '../../core/codes/code-list.ts'
import { alarmKind, backupKind, backupStatus, jobStatus, processKind } from '../../core/codes/platform.ts'
import { done, id, nothing } from '../../core/fields.ts'
import { fileCall } from '../../core/file.ts'
import { paged, paging } from '../../core/paging.ts'

/** One thing that is as it should be, or not, in a sentence. */
const finding = z.object({
  name: z.string(),
  state: z.enum(['good', 'warning', 'bad']),
  text: z.string(),
})
export type Finding = z.infer<typeof finding>

/** What concerns the installation and not one school; moments as wall-clock text, sizes in bytes, times in ms. */
const installation = z.object({
  versions: z.object({ program: z.string(), schema: z.string(), postgres: z.string(), node: z.string() }),
  processes: z.array(
    z.object({
      instance: z.string(),
      pbKind: z.enum(codesOf(processKind)),
      programVersion: z.string(),
      startTime: z.string(),
      beatTime: z.string(),
      /** False where nothing has been heard of it for a minute. */
      isAlive: z.boolean(),
      memory: z.number(),
      loopDelay: z.number(),
      poolBusy: z.number(),
      poolWaiting: z.number(),
    }),
  ),
  slow: z.array(
    z.object({
      text: z.string(),
      call: z.string(),
      count: z.number(),
      meanMs: z.number(),
      maxMs: z.number(),
      lastTime: z.string(),
    }),
  ),
  storage: z.object({
    database: z.number(),
    /** Room on the disk of the data folder; null where it cannot be asked. */
    diskFree: z.number().nullable(),
    diskSize: z.number().nullable(),
    /** Files that records name, and their bytes. */
    files: z.number(),
    fileBytes: z.number(),
    tables: z.array(z.object({ name: z.string(), bytes: z.number(), rows: z.number() })),
  }),
  backups: z.array(
    z.object({
      brKind: z.enum(codesOf(backupKind)),
      brStatus: z.enum(codesOf(backupStatus)),
      backupName: z.string(),
      startTime: z.string(),
      endTime: z.string().nullable(),
      size: z.number().nullable(),
      error: z.string(),
    }),
  ),
})

const job = z.object({
  jobId: z.string(),
  jobKind: z.string(),
  /** What it does, in words. */
  kindName: z.string(),
  /** Of the installation and not of the school. */
  isCommon: z.boolean(),
  jobStatus: z.enum(codesOf(jobStatus)),
  attempts: z.number(),
  runAt: z.string(),
  endTime: z.string().nullable(),
  /** The process that runs it or ran it last; empty for whoever may not know of the installation. */
  runner: z.string(),
  error: z.string(),
  can: z.array(z.enum(['retry'])),
})

/** How the program is doing: of the whole installation only for whoever may know of it (decision 054). */
export const runtimeApi = {
  overview: call('GET', '/runtime/overview', {
    summary: '运行状态',
    permit: 'runtime:view',
    input: nothing,
    output: z.object({
      at: z.string(),
      health: z.array(finding),
      alarms: z.array(z.object({ alKind: z.enum(codesOf(alarmKind)), alText: z.string(), raiseTime: z.string() })),
      /** Null for whoever sees their school only. */
      installation: installation.nullable(),
    }),
  }),
  jobs: call('GET', '/runtime/jobs', {
    summary: '任务列表',
    permit: 'runtime:view',
    input: paging.extend({ jobStatus: z.enum(codesOf(jobStatus), '请选择状态').optional() }),
    output: paged(job),
  }),
  retry: call('POST', '/runtime/retry', {
    summary: '重试任务',
    permit: 'runtime:retry',
    input: z.strictObject({ jobId: id('任务') }),
    output: done,
  }),
  diagnostics: fileCall('GET', '/runtime/diagnostics', {
    summary: '下载诊断包',
    permit: 'runtime:diagnose',
    input: nothing,
  }),
}
