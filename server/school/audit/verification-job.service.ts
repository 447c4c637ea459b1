import { jobStatus } from '../../../contract/core/codes/platform.ts'
import type { auditApi } from '../../../contract/school/audit/audit.calls.ts'
import type { AuditVerdict } from '../../../contract/school/audit/audit.schema.ts'
import type { Checked } from '../../../contract/core/call.ts'
import { Failure } from '../../../contract/core/failure.ts'
import { audit } from '../../core/audit/audit.ts'
import type { Context } from '../../core/request/context.ts'
import { enqueue } from '../../core/jobs/jobs.ts'
import { asPage, countOf, offsetOf } from '../../core/database/paging.ts'
import { from } from '../../core/database/tenant.ts'
import { inTransaction } from '../../core/request/transaction.ts'

const kind = 'audit:verify'
const states = {
  [jobStatus.waiting]: 'waiting',
  [jobStatus.running]: 'running',
  [jobStatus.done]: 'done',
  [jobStatus.failed]: 'failed',
  [jobStatus.cancelled]: 'failed',
} as const

/** Asks for a verification of the whole trail, unless one waits or runs already. */
export async function startVerification(ctx: Context) {
  assertSeesAll(ctx)
  const now = await verification(ctx)
  if (now.state === 'waiting' || now.state === 'running') return now
  await inTransaction(ctx, async (tx) => {
    await enqueue(tx, { schoolId: tx.actor.schoolId, kind, key: 'verify', createBy: tx.actor.suId })
    await audit(tx, { action: '校验操作日志', bizType: 'audit' })
  })
  return verification(ctx)
}

/** How the latest verification stands, and what it found. */
export async function verification(ctx: Context) {
  assertSeesAll(ctx)
  const job = await from(ctx, 'job')
    .select(['jobStatus', 'progress', 'createTime', 'endTime', 'result'])
    .where('jobKind', '=', kind)
    .orderBy('createTime', 'desc')
    .orderBy('jobId', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!job) return { state: 'none' as const, progress: 0, createTime: null, endTime: null, verdict: null }
  const state = states[job.jobStatus as keyof typeof states]
  return {
    state,
    progress: job.progress,
    createTime: job.createTime,
    endTime: job.endTime,
    verdict: state === 'done' ? (job.result as unknown as AuditVerdict) : null,
  }
}

/** The files into which old rows went, the newest first. */
export async function listArchives(ctx: Context, input: Checked<typeof auditApi.archives>) {
  assertSeesAll(ctx)
  const query = from(ctx, 'auditArchive')
  const [rows, total] = await Promise.all([
    query
      .select([
        'arcNo',
        'fromSeal',
        'throughSeal',
        'rowCount',
        'firstTime',
        'lastTime',
        'fileName',
        'size',
        'sha256',
        'createTime',
      ])
      .orderBy('arcNo', 'desc')
      .limit(input.pageSize)
      .offset(offsetOf(input))
      .execute(),
    countOf(query),
  ])
  return asPage(rows, total, input)
}

/** The chain is the school's as a whole: there is no verifying a part of it. */
function assertSeesAll({ scope }: Context): void {
  if (!scope.whole) throw new Failure('not-permitted')
}
