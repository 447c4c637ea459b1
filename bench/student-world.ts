import { createHash, randomBytes } from 'node:crypto'
import type pg from 'pg'
import { yesNo } from '../contract/core/codes/platform.ts'
import {
  applyStatus,
  applyUnit,
  applyWay,
  itemCategory,
  lessonStatus,
  signStatus,
  signType,
} from '../contract/core/codes/programme.ts'
import { quotaUnit } from '../contract/core/codes/teams.ts'
import { accountStatus, personType, studentStatus } from '../contract/core/codes/school.ts'
import { newId } from '../server/core/base/ids.ts'
import { benchSchool } from './prepare.ts'

/** A student with a session; the bare server asks for no token. */
export interface Student {
  suId: string
  token: string
}

/** Marks what the bench adds to the school, so that it can be taken away. */
const mark = 'bench-crowd'

/**
 * So many students with an account and a session each, made in the database: two thousand passwords would measure the
 * hashing.
 */
export async function studentsSignedIn(pool: pg.Pool, count: number): Promise<Student[]> {
  const { rows } = await pool.query<{ suId: string }>(
    `select p."suId"
     from "person" p
     left join "account" a on a."schoolId" = p."schoolId" and a."suId" = p."suId"
     where p."schoolId" = $1 and p."suiType" = '${personType.student}' and p."suiStatus" = '${studentStatus.enrolled}'
       and p."delFlag" = '0' and (a."suId" is null or a."suStatus" = '${accountStatus.active}')
       and p."suiCredibility" >= 60 and (p."blackUntil" is null or p."blackUntil" < now())
     order by hashtext(p."suId"::text)
     limit $2`,
    [benchSchool, count],
  )
  await pool.query(
    `insert into "account" ("schoolId", "suId", "suLoginName", "suNickname", "suStatus", "suType", "mustChangePwd", "passwordHash")
     select "schoolId", "suId", $3 || "suiNumber", "suiName", '${accountStatus.active}', "suiType", false, '${mark}'
     from "person" where "schoolId" = $1 and "suId" = any($2::uuid[])
     on conflict do nothing`,
    [benchSchool, rows.map(({ suId }) => suId), `${mark}-`],
  )
  // as if each had replaced the password of the import
  await pool.query(`update "account" set "mustChangePwd" = false where "schoolId" = $1 and "suId" = any($2::uuid[])`, [
    benchSchool,
    rows.map(({ suId }) => suId),
  ])
  const students = rows.map(({ suId }) => ({ suId, token: randomBytes(32).toString('base64url') }))
  await pool.query(
    `insert into "session" ("sessionId", "schoolId", "suId", "accessHash", "createTime", "lastSeen", "absoluteExpiry", "ip", "agent")
     select gen_random_uuid(), $1, s."suId", s."hash", now(), now(), now() + interval '12 hours', '', '${mark}'
     from unnest($2::uuid[], $3::bytea[]) s("suId", "hash")`,
    [
      benchSchool,
      students.map(({ suId }) => suId),
      students.map(({ token }) => createHash('sha256').update(token).digest()),
    ],
  )
  return students
}

/** What a course of the bench is like beside one that the school has. */
const shape = {
  liName: '报名压力测试',
  liStatus: lessonStatus.published,
  applyWay: applyWay.firstCome,
  applyUnit: applyUnit.individual,
  waitlistOn: yesNo.yes,
  quotaUnit: quotaUnit.person,
  quotaByCollege: [],
  itemCategory: itemCategory.single,
  parentLiId: null,
  changeId: null,
  atId: null,
  signType: [signType.activityCode],
  signOutOn: yesNo.no,
  applyStart: null,
  applyEnd: null,
  applyCount: 0,
  pendingCount: 0,
  passCount: 0,
  signCount: 0,
  resultCount: 0,
  applyQuestions: '',
  ...Object.fromEntries(
    ['Colleges', 'Majors', 'Classes', 'Grades', 'Circles', 'Political', 'Sexes'].map((what) => [`range${what}`, []]),
  ),
}

/**
 * A published course for everybody, of one session, in the tables of ours or of the bare server.
 * @param startsIn words of PostgreSQL, such as `60 days`
 */
export async function makeCourse(
  pool: pg.Pool,
  schema: 'public' | 'bare',
  quota: number,
  startsIn: string,
): Promise<string> {
  const liId = newId()
  await pool.query(
    `insert into ${schema}."lesson"
     select (jsonb_populate_record(
       l,
       $2::jsonb || jsonb_build_object(
         'startTime', date_trunc('second', now() + $3::interval), 'endTime', date_trunc('second', now() + $3::interval + interval '2 hours')
       )
     )).*
     from ${schema}."lesson" l
     where l."schoolId" = $1 and l."liStatus" = '${lessonStatus.published}' and l."delFlag" = '0'
     order by l."liId"
     limit 1`,
    [benchSchool, JSON.stringify({ ...shape, liId, liNo: `bench-${liId}`, quota }), startsIn],
  )
  if (schema === 'public')
    await pool.query(
      `insert into "lessonSession" ("schoolId", "liId", "lseNo", "startTime", "endTime", "codeSecret")
       select "schoolId", "liId", 1, "startTime", "endTime", $3 from "lesson" where "schoolId" = $1 and "liId" = $2`,
      [benchSchool, liId, randomBytes(32)],
    )
  return liId
}

/** Admits these students to a course. */
export async function admitAll(pool: pg.Pool, liId: string, students: readonly Student[]): Promise<void> {
  await pool.query(
    `insert into "registration" ("schoolId", "laId", "liId", "suId", "laStatus", "applyTime")
     select $1, gen_random_uuid(), $2, s, '${applyStatus.accepted}', now() from unnest($3::uuid[]) s`,
    [benchSchool, liId, students.map(({ suId }) => suId)],
  )
  await pool.query(`update "lesson" set "passCount" = $3, "applyCount" = $3 where "schoolId" = $1 and "liId" = $2`, [
    benchSchool,
    liId,
    students.length,
  ])
}

/** A registration as it stands, in the order in which they were written: transactions, and rows within one. */
export interface Written {
  suId: string
  laStatus: string
  waitNo: number | null
}

/** Registrations of a course in the order of their writing transactions, which held the course one after another. */
export async function inOrderOfWriting(pool: pg.Pool, liId: string): Promise<Written[]> {
  const { rows } = await pool.query<Written>(
    `select "suId", "laStatus", "waitNo" from "registration"
     where "schoolId" = $1 and "liId" = $2 and "delFlag" = '0' order by xmin::text::bigint, "laId"`,
    [benchSchool, liId],
  )
  return rows
}

/** Signed in by code, as the course counts them and as their rows say. */
export async function signedIn(pool: pg.Pool, liId: string): Promise<{ counted: number; rows: number }> {
  const { rows } = await pool.query<{ counted: number; rows: number }>(
    `select l."signCount" as "counted", (
       select count(*)::int from "registration" r join "sessionSign" x on x."schoolId" = r."schoolId" and x."laId" = r."laId"
       where r."schoolId" = l."schoolId" and r."liId" = l."liId" and r."laSignStatus" <> '${signStatus.notSigned}'
     ) as "rows"
     from "lesson" l where l."schoolId" = $1 and l."liId" = $2`,
    [benchSchool, liId],
  )
  return rows[0]!
}

/** Removes sessions and courses of the bench with all that hangs on them, the trail included; of a broken run too. */
export async function cleanUp(pool: pg.Pool): Promise<void> {
  const client = await pool.connect()
  try {
    const { rows } = await client.query<{ liId: string }>(
      ['public', 'bare']
        .map((schema) => `select "liId" from ${schema}."lesson" where "schoolId" = $1 and "liNo" like 'bench-%'`)
        .join(' union all '),
      [benchSchool],
    )
    const courses = rows.map(({ liId }) => liId)
    await client.query('set session_replication_role = replica; set statement_timeout = 0')
    await client.query(`delete from "session" where "schoolId" = $1 and "agent" = $2`, [benchSchool, mark])
    await client.query(`delete from "account" where "schoolId" = $1 and "suLoginName" like $2`, [
      benchSchool,
      `${mark}-%`,
    ])
    const of = `(select "laId" from "registration" where "schoolId" = $1 and "liId" = any($2::uuid[]))`
    for (const table of ['sessionSign', 'signHint'])
      await client.query(`delete from "${table}" where "schoolId" = $1 and "laId" in ${of}`, [benchSchool, courses])
    for (const schema of ['public', 'bare']) {
      await client.query(`delete from ${schema}."auditLog" where "schoolId" = $1 and "bizId" = any($2::text[])`, [
        benchSchool,
        courses,
      ])
      for (const table of ['registration', ...(schema === 'public' ? ['lessonSession'] : []), 'lesson'])
        await client.query(`delete from ${schema}."${table}" where "schoolId" = $1 and "liId" = any($2::uuid[])`, [
          benchSchool,
          courses,
        ])
    }
  } finally {
    client.release(true)
  }
}
