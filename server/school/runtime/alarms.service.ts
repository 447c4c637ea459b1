import { sql } from 'kysely'
import {
  alarmKind,
  backupKind,
  backupStatus,
  jobStatus,
  messageType,
  type AlarmKind,
} from '../../../contract/core/codes/platform.ts'
import { labelIn } from '../../../contract/core/codes/code-list.ts'
import { diskFaults, diskRooms } from '../../core/base/disk-places.ts'
import { from } from '../../core/database/tenant.ts'
import type { Context } from '../../core/request/context.ts'
import { nearlyUsed } from '../../core/request/quotas.ts'
import { systemContext, type JobServices } from '../../core/request/system.ts'
import { inTransaction } from '../../core/request/transaction.ts'
import { notify } from '../../platform/notifications/notify.service.ts'
import { walArchiveState, walArchiveVerdict } from '../../core/database/wal-archive-state.ts'
import { delaysOf } from '../../core/jobs/delays.ts'
import { holdersOf } from '../roles/holders.service.ts'
import { onlySchool } from '../school/school.service.ts'
import { figure } from '../../../contract/core/figure.ts'

/** What is wrong, and by what one occurrence is told from the next while it has not ended in between. */
interface Fault {
  kind: AlarmKind
  text: string
  occurrence: string
}

/** The screen where one sees what an alarm is about. */
const linkOf = (kind: string): string =>
  kind === alarmKind.quotas ? '/basicConfig/schools' : '/basicConfig/runtimeStatus'

/** Told to those who may know of the installation. */
const ofInstallation = [
  alarmKind.lateJobs,
  alarmKind.failingJobs,
  alarmKind.disk,
  alarmKind.backup,
  alarmKind.walArchive,
  alarmKind.quotas,
]

/** The recurring job that watches; whoever looks after it finds it by this kind. */
export const watchJob = 'runtime:watch'

/** Days for which a job that failed counts as something to look at. */
const failedDays = 7

/**
 * Looks whether anything needs a person: told once when it appears and once when it is over, to those who may see the
 * screen (docs/operations.md). Facts of the installation go where they may be known (decision 054). Of two that look at
 * the same time each school hears one.
 */
export async function watchRuntime(services: JobServices): Promise<void> {
  const common = await faultsOfInstallation(services)
  const isOnly = (await onlySchool(services)) !== undefined
  const nearly = await nearlyUsed(services)
  const schools = await services.db.selectFrom('school').select('schoolId').orderBy('schoolId').execute()
  for (const { schoolId } of schools) {
    const ctx = systemContext(services, schoolId)
    const operators = services.config.operators
      .filter((one) => one.startsWith(`${schoolId}/`))
      .map((one) => one.slice(schoolId.length + 1))
    const own = [...(await faultsOfSchool(ctx)), ...quotaFault(nearly.find((one) => one.schoolId === schoolId))]
    await settle(ctx, own, [alarmKind.failedJobs, alarmKind.quota], () => holdersOf(ctx, 'runtime:view'))
    const hears = isOnly || operators.length > 0
    await settle(
      ctx,
      [...(hears ? common : []), ...(operators.length > 0 ? quotasFault(nearly) : [])],
      ofInstallation,
      () => (isOnly ? holdersOf(ctx, 'runtime:view') : accounts(ctx, operators)),
    )
  }
}

type Nearly = Awaited<ReturnType<typeof nearlyUsed>>[number]

const quotaFault = (own: Nearly | undefined): Fault[] =>
  own
    ? [
        {
          kind: alarmKind.quota,
          text: `本校的${own.names}已用到配额的 90%；用完后不能再增加，请清理，或联系平台运维人员调整配额。`,
          occurrence: own.names,
        },
      ]
    : []

/** Schools that an alarm names; more are on the screen. */
const namedSchools = 5

function quotasFault(nearly: readonly Nearly[]): Fault[] {
  if (nearly.length === 0) return []
  const named = nearly.slice(0, namedSchools).map(({ schName, names }) => `“${schName}”的${names}`)
  const text = `${named.join('，')}${nearly.length > namedSchools ? `等 ${nearly.length} 所学校` : ''}已用到配额的 90%，请到“学校管理”查看。`
  const occurrence = nearly.map(({ schoolId, names }) => `${schoolId}:${names}`).join(' ')
  return [{ kind: alarmKind.quotas, text, occurrence }]
}

/** Whether an occurrence names something that the known one does not: what is over in part is not told anew. */
const tellsMore = (occurrence: string, known: string): boolean => {
  const words = new Set(known.split(' '))
  return occurrence.split(' ').some((word) => !words.has(word))
}

/** What of the faults has not been told, and what was told and is over. */
async function differences(ctx: Context, faults: readonly Fault[], kinds: readonly AlarmKind[]) {
  const known = await from(ctx, 'alarm')
    .select(['alKind', 'alText', 'occurrence'])
    .where('alKind', 'in', kinds)
    .execute()
  return {
    fresh: faults.filter(
      ({ kind, occurrence }) => !known.some((one) => one.alKind === kind && !tellsMore(occurrence, one.occurrence)),
    ),
    over: known.filter(({ alKind }) => !faults.some(({ kind }) => kind === alKind)),
  }
}

/** Compares what is wrong with what has been told, and tells the difference. */
async function settle(
  ctx: Context,
  faults: readonly Fault[],
  kinds: readonly AlarmKind[],
  receivers: () => Promise<string[]>,
): Promise<void> {
  const seen = await differences(ctx, faults, kinds)
  if (seen.fresh.length + seen.over.length === 0) return
  const suIds = await receivers()
  await inTransaction(ctx, async (tx) => {
    // of two that look at the same time the second one finds what the first has told
    await sql`select pg_advisory_xact_lock(hashtextextended(${`alarm:${tx.actor.schoolId}`}::text, 0))`.execute(tx.db)
    const { fresh, over } = await differences(tx, faults, kinds)
    for (const { kind, text, occurrence } of fresh) {
      const row = { alText: text, occurrence, raiseTime: tx.clock.now() }
      await tx.db
        .insertInto('alarm')
        .values({ schoolId: tx.actor.schoolId, alKind: kind, ...row })
        .onConflict((raised) => raised.columns(['schoolId', 'alKind']).doUpdateSet(row))
        .execute()
      await notify(tx, {
        suIds,
        title: labelIn(alarmKind, kind),
        content: text,
        type: messageType.warning,
        link: linkOf(kind),
      })
    }
    for (const { alKind, alText } of over) {
      await tx.db.deleteFrom('alarm').where('schoolId', '=', tx.actor.schoolId).where('alKind', '=', alKind).execute()
      const title = `已恢复：${labelIn(alarmKind, alKind)}`
      await notify(tx, {
        suIds,
        title,
        content: `此前的提示已解除：${alText}`,
        type: messageType.system,
        link: linkOf(alKind),
      })
    }
  })
}

async function faultsOfSchool(ctx: Context): Promise<Fault[]> {
  const failed = await from(ctx, 'job')
    .select([sql<number>`count(*)::int`.as('count'), sql<string>`max("endTime")::text`.as('latest')])
    .where('jobStatus', '=', jobStatus.failed)
    .where('endTime', '>', sql<string>`${ctx.clock.now()}::timestamptz - make_interval(days => ${failedDays})`)
    .executeTakeFirstOrThrow()
  if (failed.count === 0) return []
  const text = `${figure(failed.count)} 个任务多次尝试后仍未完成，请到“运行状态”查看原因并重试。`
  return [{ kind: alarmKind.failedJobs, text, occurrence: failed.latest }]
}

async function faultsOfInstallation(services: JobServices): Promise<Fault[]> {
  const { backupHours, jobMinutes } = services.config.alarms
  const [{ late, failing }, disks, backup, archive] = await Promise.all([
    delaysOf(services.db),
    diskRooms(services.config),
    latestBackup(services),
    services.config.walArchive === undefined ? undefined : walArchiveState(services.db),
  ])
  const faults: Fault[] = []
  const add = (kind: AlarmKind, text: string) => faults.push({ kind, text, occurrence: '' })
  if (late > jobMinutes * 60)
    add(alarmKind.lateJobs, `到期的任务超过 ${jobMinutes} 分钟没有开始，请检查主进程与数据库。`)
  if (failing > 0) add(alarmKind.failingJobs, '有定时任务接连失败，请到“运行状态”的任务中查看原因。')
  const disk = diskFaults(disks, services.config)
  if (disk) faults.push({ kind: alarmKind.disk, text: `${disk.text}。`, occurrence: disk.places.join(' ') })
  if (backupHours > 0 && backup.isExpected && backup.age > backupHours * 3600)
    add(alarmKind.backup, `超过 ${backupHours} 小时没有成功的备份，请检查备份任务。`)
  const verdict = archive && walArchiveVerdict(archive)
  if (verdict === 'failing')
    add(alarmKind.walArchive, '数据库的日志没有归档成功，断开期间的时刻将无法恢复。原因见服务日志，请检查归档位置。')
  if (verdict === 'late') add(alarmKind.walArchive, '超过 10 分钟没有归档数据库的日志，请检查归档位置与服务日志。')
  return faults
}

/**
 * Seconds since the last good backup; where none was ever begun, one is expected of what runs in production only. One
 * that ended in the future, by a clock that was wrong then, is of no known age: it counts as none.
 */
async function latestBackup({ db, config }: JobServices): Promise<{ isExpected: boolean; age: number }> {
  const { rows } = await sql<{ runs: number; age: number | null }>`
    select count(*)::int as "runs",
      extract(
        epoch from now() - max("endTime") filter (
          where "brStatus" = ${sql.lit(backupStatus.done)} and "endTime" <= now()
        )
      )::float8 as "age"
    from "backupRun"
    where "brKind" in (${sql.lit(backupKind.backup)}, ${sql.lit(backupKind.base)})`.execute(db)
  const { runs, age } = rows[0]!
  return { isExpected: runs > 0 || config.production, age: age ?? Infinity }
}

/** Who has these accounts: of no names nobody, for PostgreSQL takes no empty list. */
async function accounts(ctx: Context, names: readonly string[]): Promise<string[]> {
  if (names.length === 0) return []
  const rows = await from(ctx, 'account')
    .select('suId')
    .where('suLoginName', 'in', [...names])
    .execute()
  return rows.map(({ suId }) => suId)
}
