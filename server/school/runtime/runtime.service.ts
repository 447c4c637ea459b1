import { sql } from 'kysely'
import type { Checked } from '../../../contract/core/call.ts'
import { jobStatus, type AlarmKind } from '../../../contract/core/codes/platform.ts'
import { Failure } from '../../../contract/core/failure.ts'
import type { Finding, runtimeApi } from '../../../contract/school/runtime/runtime.calls.ts'
import { audit } from '../../core/audit/audit.ts'
import { diskFaults, diskRooms } from '../../core/base/disk-places.ts'
import { asPage, countOf, offsetOf } from '../../core/database/paging.ts'
import { from } from '../../core/database/tenant.ts'
import { isFailing, jobChannel } from '../../core/jobs/jobs.ts'
import type { Context } from '../../core/request/context.ts'
import { inTransaction } from '../../core/request/transaction.ts'
import { backupsOf, processesOf, slowOf, storageOf, versionsOf } from './facts.queries.ts'
import type { ReplicaState } from '../../core/database/replica.ts'
import { walArchiveState, walArchiveVerdict, type WalArchiveState } from '../../core/database/wal-archive-state.ts'
import { delaysOf } from '../../core/jobs/delays.ts'
import { jobName } from './job-names.ts'
import { mayViewInstallation } from './installation-access.ts'

/** Seconds by which clocks may differ before it is said. */
const skewSeconds = 60

/** Kinds whose records have states of their own: they are begun anew on their own screens. */
const ownScreens = /^(import|transcript:batch|background:.*)$/

/** Everything the screen tells, of the installation only for whoever may know of it. */
export const overview = (schema: string) => async (ctx: Context) => {
  const seesAll = await mayViewInstallation(ctx)
  const [delays, failed, alarms, seen] = await Promise.all([
    delaysOf(ctx.db),
    countOf(failedJobs(ctx, seesAll)),
    from(ctx, 'alarm').select(['alKind', 'alText', 'raiseTime']).orderBy('raiseTime', 'desc').execute(),
    seesAll ? installationOf(ctx, schema) : null,
  ])
  return {
    at: ctx.clock.now(),
    health: healthOf(ctx, delays, failed, seen),
    alarms: alarms.map((alarm) => ({ ...alarm, alKind: alarm.alKind as AlarmKind })),
    installation: seen && {
      versions: seen.versions,
      slow: seen.slow,
      storage: seen.storage,
      processes: seen.processes.map(({ listenSilence: _, ...process }) => process) as never,
      backups: seen.backups as never,
    },
  }
}

async function installationOf(ctx: Context, schema: string) {
  const disks = await diskRooms(ctx.config)
  const [versions, processes, slow, storage, backups, archive] = await Promise.all([
    versionsOf(ctx, schema),
    processesOf(ctx),
    slowOf(ctx),
    storageOf(ctx, disks[0]!),
    backupsOf(ctx),
    ctx.config.walArchive === undefined ? undefined : walArchiveState(ctx.db),
  ])
  return { versions, processes, slow, storage, backups, archive, disk: diskFaults(disks, ctx.config) }
}

type Seen = Awaited<ReturnType<typeof installationOf>>

function healthOf(
  { config, replica }: Context,
  { late, failing, skew, isReadOnly }: Awaited<ReturnType<typeof delaysOf>>,
  failed: number,
  all: Seen | null,
): Finding[] {
  const found = (name: string, fault: string | false, good: string, state: 'warning' | 'bad' = 'bad'): Finding =>
    fault ? { name, state, text: fault } : { name, state: 'good', text: good }
  const findings = [
    found('数据库', isReadOnly && '只读：不能保存，请检查主备切换', '应答正常，可以写入'),
    found('未能完成的任务', failed > 0 && `${failed} 个，请在下方查看原因后重试`, '没有', 'warning'),
  ]
  if (!all) return findings
  const lost = all.processes.filter(({ isAlive }) => !isAlive).length
  const deaf = all.processes.filter(({ isAlive, listenSilence }) => isAlive && (listenSilence ?? 0) > 30_000).length
  return [
    ...findings,
    found(
      '任务执行',
      late > config.alarms.jobMinutes * 60 && `最早到期的任务已等 ${Math.round(late / 60)} 分钟，请检查主进程`,
      '到期的任务及时开始',
    ),
    found('定时任务', failing > 0 && `${failing} 项接连失败，原因见下方的任务与服务日志`, '没有接连失败的'),
    found('磁盘', all.disk !== undefined && `${all.disk.text}（运维手册“磁盘满了”）`, '余量充足', 'warning'),
    found('通知连接', deaf > 0 && `${deaf} 个进程的通知连接没有应答，正在重连`, '应答正常', 'warning'),
    found('进程', lost > 0 && `${lost} 个进程没有音讯，请查看其日志`, `${all.processes.length} 个在运行`, 'warning'),
    ...(replica ? [replicaFinding(replica.state())] : []),
    ...(all.archive ? [archiveFinding(all.archive)] : []),
    found(
      '时钟',
      skew > skewSeconds && `与数据库相差 ${Math.round(skew)} 秒，请校准本机时间`,
      '与数据库一致',
      'warning',
    ),
  ]
}

function replicaFinding({ status, lagSeconds }: ReplicaState): Finding {
  const text = {
    ok: '应答正常，统计与导出从备库读取',
    behind: `落后主库 ${Math.ceil(lagSeconds)} 秒，赶上之前统计与导出从主库读取`,
    away: '没有应答，统计与导出从主库读取，请检查备库',
  }[status]
  return { name: '备库', state: status === 'ok' ? 'good' : 'warning', text }
}

function archiveFinding(archive: WalArchiveState): Finding {
  const text = {
    ok: `${Math.round(archive.age / 60)} 分钟前归档`,
    failing: '归档失败，请看服务日志并检查归档位置',
    late: '超过 10 分钟没有归档，请检查归档位置',
  }[walArchiveVerdict(archive)]
  return { name: '日志归档', state: walArchiveVerdict(archive) === 'ok' ? 'good' : 'warning', text }
}

/** Jobs somebody may see: those of their school, and the common ones where they may know of the installation. */
const visibleJobs = ({ db, actor }: Context, seesAll: boolean) =>
  db.selectFrom('job').where('schoolId', 'in', seesAll ? [actor.schoolId, ''] : [actor.schoolId])

const failedJobs = (ctx: Context, seesAll: boolean) =>
  visibleJobs(ctx, seesAll).where('jobStatus', '=', jobStatus.failed)

/**
 * Recurring ones that fail each time and those that failed for good first, then what runs, what waits, and what has
 * ended. Their payloads are nobody's business.
 */
export async function listJobs(ctx: Context, input: Checked<typeof runtimeApi.jobs>) {
  const seesAll = await mayViewInstallation(ctx)
  const query = visibleJobs(ctx, seesAll).$if(input.jobStatus !== undefined, (some) =>
    some.where('jobStatus', '=', input.jobStatus!),
  )
  const [rows, total] = await Promise.all([
    query
      .select(['jobId', 'schoolId', 'jobKind', 'jobStatus', 'attempts', 'runAt', 'endTime', 'error', 'runner'])
      .orderBy(isFailing, 'desc')
      .orderBy(sql`array_position(array['3', '1', '0', '2', '4'], "jobStatus")`)
      .orderBy(sql`coalesce("endTime", "runAt")`, 'desc')
      .orderBy('jobId')
      .limit(input.pageSize)
      .offset(offsetOf(input))
      .execute(),
    countOf(query.select('jobId')),
  ])
  const records = rows.map(({ schoolId, runner, ...row }) => ({
    ...row,
    runner: seesAll ? runner : '',
    jobStatus: row.jobStatus as typeof jobStatus.failed,
    kindName: jobName(row.jobKind),
    isCommon: schoolId === '',
    can: mayRetry(row) ? ['retry' as const] : [],
  }))
  return asPage(records, total, input)
}

const mayRetry = (job: { jobStatus: string; jobKind: string }): boolean =>
  job.jobStatus === jobStatus.failed && !ownScreens.test(job.jobKind)

/** Lets a job that has failed for good begin anew, with all its tries. */
export async function retryJob(ctx: Context, { jobId }: Checked<typeof runtimeApi.retry>) {
  return inTransaction(ctx, async (tx) => {
    const job = await visibleJobs(tx, await mayViewInstallation(tx))
      .select(['jobId', 'schoolId', 'jobKind', 'jobKey', 'jobStatus', 'error'])
      .where('jobId', '=', jobId)
      .forUpdate()
      .executeTakeFirst()
    if (!job) throw new Failure('not-found')
    if (!mayRetry(job)) throw new Failure('job-not-failed')
    if (job.jobKey !== null) {
      const other = await tx.db
        .selectFrom('job')
        .select('jobId')
        .where('schoolId', '=', job.schoolId)
        .where('jobKind', '=', job.jobKind)
        .where('jobKey', '=', job.jobKey)
        .where('jobStatus', 'in', [jobStatus.waiting, jobStatus.running])
        .executeTakeFirst()
      if (other) throw new Failure('job-waits-already')
    }
    await tx.db
      .updateTable('job')
      .set({ jobStatus: jobStatus.waiting, runAt: tx.clock.now(), attempts: 0, error: '', endTime: null })
      .where('jobId', '=', jobId)
      .execute()
    await audit(tx, {
      action: '重试任务',
      bizType: 'background',
      bizId: jobId,
      bizName: jobName(job.jobKind),
      before: { error: job.error },
    })
    await sql`select pg_notify(${jobChannel}, '')`.execute(tx.db)
    return { affected: 1 }
  })
}
