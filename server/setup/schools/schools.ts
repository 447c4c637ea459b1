import type pg from 'pg'
import { accountStatus, personType, studentStatus } from '../../../contract/core/codes/school.ts'
import { Failure } from '../../../contract/core/failure.ts'
import { operatorApi, type Quota } from '../../../contract/school/runtime/schools.calls.ts'
import { changedFields, writeAudit } from '../../core/audit/audit.ts'
import { systemClock } from '../../core/base/clock.ts'
import { StartFault } from '../../core/base/start-fault.ts'
import type { Db } from '../../core/database/pool.ts'
import { from } from '../../core/database/tenant.ts'
import { wallClockText } from '../../core/database/wall-clock.ts'
import {
  quotaOfSchool,
  resumeSchool as resume,
  schoolOf,
  setQuota,
  suspendSchool as suspend,
} from '../../school/runtime/schools.service.ts'

/** A school as whoever runs the installation sees it. */
export interface SchoolLine {
  schoolId: string
  name: string
  people: number
  students: number
  /** Rows of its trail, ledger and registrations together: what makes a school large. */
  rows: number
  /** Bytes of its files. */
  storage: number
  /** Wall-clock text; empty where nobody has signed in yet. */
  lastLogin: string
  /** Since when and why it stands still; null where it works. */
  suspended: { since: string; why: string } | null
}

/** All schools, the oldest first. @param client of the owner */
export async function listSchools(client: pg.Client): Promise<SchoolLine[]> {
  const { rows } = await client.query<Omit<SchoolLine, 'suspended'> & { since: string; why: string }>(
    `select s."schoolId", s."schName" "name",
      (
        select count(*)::float8 from "account" a
        join "person" p on p."schoolId" = a."schoolId" and p."suId" = a."suId"
        where a."schoolId" = s."schoolId" and a."suStatus" = $1 and not (p."suiType" = $2 and p."suiStatus" = $3)
      ) "people",
      (
        select count(*)::float8 from "person" p
        where p."schoolId" = s."schoolId" and p."suiType" = $2 and p."delFlag" = '0'
      ) "students",
      (
        (select count(*) from "auditLog" l where l."schoolId" = s."schoolId")
        + (select count(*) from "creditLedger" c where c."schoolId" = s."schoolId")
        + (select count(*) from "registration" r where r."schoolId" = s."schoolId")
      )::float8 "rows",
      (select coalesce(sum(f."size"), 0)::float8 from "file" f where f."schoolId" = s."schoolId") "storage",
      (select ${wallClockText('max(a."lastLoginTime")')} from "account" a where a."schoolId" = s."schoolId") "lastLogin",
      ${wallClockText('s."suspendedTime"')} "since",
      s."suspendedWhy" "why"
    from "school" s
    order by s."createTime", s."schoolId"`,
    [accountStatus.active, personType.student, studentStatus.graduated],
  )
  return rows.map(({ since, why, ...school }) => ({ ...school, suspended: since ? { since, why } : null }))
}

/** Whoever runs the machine: no person of any school. */
export const operator = '系统运维'

/**
 * Has a school stand still: its people are refused from the next second on, what time does to its records waits, and
 * its trail says why.
 * @param db of the owner
 * @throws StartFault
 */
export async function suspendSchool(db: Db, schoolId: string, why: string): Promise<void> {
  if (!why.trim()) throw new StartFault('请用 --why 说明暂停的原因，它会记入该校的操作日志。')
  await changeSchool(db, schoolId, { action: operatorApi.suspend.summary, reason: why }, (tx) =>
    suspend(tx, schoolId, why),
  )
}

/** Has a suspended school work again. @param db of the owner @throws StartFault */
export const resumeSchool = (db: Db, schoolId: string): Promise<void> =>
  changeSchool(db, schoolId, { action: operatorApi.resume.summary }, (tx) => resume(tx, schoolId))

/**
 * Sets some bounds of a school and leaves the others.
 * @param db of the owner
 * @throws StartFault
 */
export const changeQuota = (db: Db, schoolId: string, bounds: Partial<Quota>): Promise<void> =>
  changeSchool(db, schoolId, { action: operatorApi.quota.summary }, async (tx) => {
    const quota = { ...(await quotaOfSchool(tx, schoolId)), ...bounds }
    return changedFields(await setQuota(tx, schoolId, quota), quota)
  })

/**
 * Gives a school the name of the host under which its people open the sign-in, or takes it away.
 * @param db of the owner
 * @throws StartFault
 */
export async function setHost(db: Db, schoolId: string, host: string | null): Promise<void> {
  if (host !== null && !/^(?=.{1,253}$)[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/.test(host))
    throw new StartFault('域名须为小写的主机名，不带 https:// 和端口，如 dekt.example.edu.cn。')
  const holder = await db.selectFrom('school').select('schoolId').where('signInHost', '=', host).executeTakeFirst()
  if (holder && holder.schoolId !== schoolId) throw new StartFault(`域名 ${host} 已属于学校 ${holder.schoolId}。`)
  await changeSchool(db, schoolId, { action: '设置登录域名' }, async (tx) => {
    const before = await from({ db: tx, schoolId }, 'school').select('signInHost').executeTakeFirstOrThrow()
    await tx.updateTable('school').set({ signInHost: host }).where('schoolId', '=', schoolId).execute()
    return { before, after: { signInHost: host } }
  })
}

/** An act on a school, with its row in the school's trail. @param db of the owner @throws StartFault */
export async function changeSchool(
  db: Db,
  schoolId: string,
  act: { action: string; reason?: string },
  work: (tx: Db) => Promise<object | void>,
): Promise<void> {
  try {
    await db.transaction().execute(async (tx) => {
      const { schName } = await schoolOf(tx, schoolId)
      const difference = (await work(tx)) ?? {}
      const ctx = { db: tx, clock: systemClock, origin: { requestId: 'schools', ip: '', agent: 'command' } }
      await writeAudit(ctx, { schoolId, actorId: null, actorName: operator }, [
        { ...act, ...difference, bizType: 'school', bizId: schoolId, bizName: schName },
      ])
    })
  } catch (error) {
    if (error instanceof Failure) throw new StartFault(`${error.msg}。`)
    throw error
  }
}
