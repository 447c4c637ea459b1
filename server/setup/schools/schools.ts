import type pg from 'pg'
import { accountStatus, personType } from '../../../contract/core/codes/school.ts'
import { newId } from '../../core/base/ids.ts'
import { StartFault } from '../../core/base/start-fault.ts'

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

const wallClock = (column: string): string =>
  `coalesce(to_char(${column} at time zone 'Asia/Shanghai', 'YYYY-MM-DD HH24:MI:SS'), '')`

/** All schools, the oldest first. @param client of the owner */
export async function listSchools(client: pg.Client): Promise<SchoolLine[]> {
  const { rows } = await client.query<Omit<SchoolLine, 'suspended'> & { since: string; why: string }>(
    `select s."schoolId", s."schName" "name",
      (
        select count(*)::float8 from "account" a
        where a."schoolId" = s."schoolId" and a."suStatus" = $1
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
      (select ${wallClock('max(a."lastLoginTime")')} from "account" a where a."schoolId" = s."schoolId") "lastLogin",
      ${wallClock('s."suspendedTime"')} "since",
      s."suspendedWhy" "why"
    from "school" s
    order by s."createTime", s."schoolId"`,
    [accountStatus.active, personType.student],
  )
  return rows.map(({ since, why, ...school }) => ({ ...school, suspended: since ? { since, why } : null }))
}

/**
 * Has a school stand still: its people are refused from the next second on, what time does to its records waits, and
 * its trail says why.
 * @throws StartFault
 */
export async function suspendSchool(client: pg.Client, schoolId: string, why: string): Promise<void> {
  if (!why.trim()) throw new StartFault('请用 --why 说明暂停的原因，它会记入该校的操作日志。')
  await change(client, schoolId, {
    set: `"suspendedTime" = now(), "suspendedWhy" = $2`,
    where: `"suspendedTime" is null`,
    action: '暂停学校',
    why,
    unchanged: `学校 ${schoolId} 已处于暂停状态。`,
  })
}

/** Has a suspended school work again. @throws StartFault */
export async function resumeSchool(client: pg.Client, schoolId: string): Promise<void> {
  const { rowCount } = await client.query('select from "schoolRemoval" where "schoolId" = $1 and "endTime" is null', [
    schoolId,
  ])
  if (rowCount) throw new StartFault(`学校 ${schoolId} 已开始删除，不能恢复；请把归档导入（import-school）。`)
  await change(client, schoolId, {
    set: `"suspendedTime" = null, "suspendedWhy" = $2`,
    where: `"suspendedTime" is not null`,
    action: '恢复学校',
    why: '',
    unchanged: `学校 ${schoolId} 没有被暂停。`,
  })
  // what has waited begins now, in whichever process
  await client.query(`select pg_notify('job', '')`)
}

async function change(
  client: pg.Client,
  schoolId: string,
  { set, where, action, why, unchanged }: Record<'set' | 'where' | 'action' | 'why' | 'unchanged', string>,
): Promise<void> {
  await client.query('begin')
  try {
    const { rows } = await client.query<{ name: string }>(
      `update "school" set ${set} where "schoolId" = $1 and ${where} returning "schName" "name"`,
      [schoolId, why],
    )
    if (!rows[0]) {
      const { rowCount } = await client.query('select from "school" where "schoolId" = $1', [schoolId])
      throw new StartFault(rowCount ? unchanged : `没有学校 ${schoolId}。`)
    }
    await client.query(
      `insert into "auditLog"
        ("schoolId", "logId", "actorName", "action", "bizType", "bizId", "bizName", "reason", "requestId", "ip", "agent")
      values ($1, $2, '系统运维', $3, 'school', $1, $4, $5, 'schools', '', 'command')`,
      [schoolId, newId(), action, rows[0].name, why],
    )
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw error
  }
}
