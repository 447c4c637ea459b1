import { sql, type RawBuilder } from 'kysely'
import { messageType, yesNo } from '../contract/core/codes/platform.ts'
import { lessonStatus } from '../contract/core/codes/programme.ts'
import { personType } from '../contract/core/codes/school.ts'
import type { Db, Tables } from '../server/core/database/pool.ts'
import { withoutIndexes } from '../server/demo/bulk.ts'

/** Years that the programme of a demo school spans by itself. */
export const yearsOfDemo = 2

/** What a school keeps of each student, besides what they took part in. */
const perStudent = {
  /** Received messages, over all years: of the whole school, of a class, and of the student alone. */
  messages: { ofSchool: 40, ofClass: 120, alone: 40 },
  signInDaysAYear: 6,
  /** Rows of the trail. They are of the last three years, as long as a school keeps them unless it says otherwise. */
  trail: 20,
}
const trailYears = 3
/** Months after which a sign-in keeps neither address nor browser: what a school has by itself. */
const traceMonths = 12

/**
 * Gives a demo school the years before: its courses that are over, with everybody who took part and what was credited,
 * once more for every two years back; and messages, sign-in days and a trail of that time. Every row is made by the
 * database out of rows that are there, and indexes are built after the rows: several times faster than sending the rows
 * by COPY. In one transaction; the statistics must be made anew afterwards.
 * @param years how many the school then has, an even number
 */
export async function addEarlierYears(db: Db, schoolId: string, years: number, print: (text: string) => void) {
  await db.transaction().execute(async (tx) => {
    // of rows that nobody may change, and without a note to the statistics for each
    await sql`set local session_replication_role = replica`.execute(tx)
    await sql`set local statement_timeout = 0`.execute(tx)
    await sql`set local idle_in_transaction_session_timeout = 0`.execute(tx)
    await sql`set local work_mem = '128MB'`.execute(tx)
    const spans = years / yearsOfDemo - 1
    await withoutIndexes(tx, ['creditLedger', 'registration', 'approval', 'approvalTask'], async () => {
      print('courses of earlier years')
      await repeatCourses(tx, schoolId, spans)
    })
    await withoutIndexes(tx, ['information', 'informationReceiver'], async () => {
      print('messages')
      for (let back = years; back > 0; back--) await addMessages(tx, schoolId, back, years)
    })
    // what is there is kept, else the next night would take most of the messages
    await sql`
      update "school"
      set "settings" = "settings" || ${JSON.stringify({ messageMonths: (years + 1) * 12 })}::jsonb
      where "schoolId" = ${schoolId}`.execute(tx)
    await withoutIndexes(tx, ['loginDay', 'auditLog'], async () => {
      print('sign-in days and trail')
      await addSignIns(tx, schoolId, years)
      await addTrail(tx, schoolId)
    })
  })
}

/**
 * Copies rows of a table once for each row of `again`, which is joined under its name; every moment and day is moved
 * back by its `shift`, and columns that are named get what is said of them.
 */
async function copyRows(
  db: Db,
  table: keyof Tables,
  join: RawBuilder<unknown>,
  columns: Record<string, RawBuilder<unknown>>,
): Promise<void> {
  const { rows } = await sql<{ name: string; type: string }>`
    select "column_name"::text "name", "data_type"::text "type"
    from information_schema.columns
    where "table_schema" = current_schema() and "table_name" = ${table} and "is_generated" = 'NEVER'
    order by "ordinal_position"`.execute(db)
  const valueOf = ({ name, type }: (typeof rows)[number]): RawBuilder<unknown> => {
    const own = sql.ref(`s.${name}`)
    if (columns[name]) return columns[name]
    if (type === 'date') return sql`(${own} - again."shift")::date`
    return type.startsWith('timestamp') ? sql`${own} - again."shift"` : own
  }
  await sql`
    insert into ${sql.table(table)} (${sql.join(rows.map(({ name }) => sql.ref(name)))})
    select ${sql.join(rows.map(valueOf))}
    from ${sql.table(table)} s
    ${join}`.execute(db)
}

/** A new id of the time that its row tells of, so that indexes grow at their end. */
const idAt = (shift: RawBuilder<unknown>) => sql`uuidv7(-(${shift}))`
const idOfCopy = idAt(sql`again."shift"`)

async function repeatCourses(db: Db, schoolId: string, spans: number): Promise<void> {
  await sql`
    create temp table "again" on commit drop as
    select l."liId", k.no, make_interval(years => k.no * ${sql.lit(yearsOfDemo)}) "shift",
      uuidv7(-make_interval(years => k.no * ${sql.lit(yearsOfDemo)})) "newId"
    from "lesson" l, generate_series(${sql.lit(spans)}::int, 1, -1) k(no)
    where l."schoolId" = ${schoolId}
      and l."liStatus" in (${sql.lit(lessonStatus.completed)}, ${sql.lit(lessonStatus.archived)})
      and l."delFlag" = ${sql.lit(yesNo.no)}
      and l."changeId" is null`.execute(db)
  await sql`
    create temp table "againApproval" on commit drop as
    select a."insId", again."newId" "bizId", again."shift", uuidv7(-again."shift") "newId"
    from "approval" a
    join "again" on again."liId" = a."bizId"
    where a."schoolId" = ${schoolId} and a."endTime" is not null`.execute(db)
  for (const table of ['again', 'againApproval']) await sql`analyze ${sql.table(table)}`.execute(db)
  const ofCourse = sql`join "again" on again."liId" = s."liId" where s."schoolId" = ${schoolId}`
  const liId = sql`again."newId"`
  await copyRows(db, 'lesson', ofCourse, {
    liId,
    liNo: sql`s."liNo" || '-' || again.no`,
    liStatus: sql.lit(lessonStatus.archived),
  })
  await copyRows(db, 'lessonPerson', ofCourse, { liId })
  await copyRows(db, 'lessonSession', ofCourse, { liId })
  await copyRows(db, 'publictyRound', ofCourse, { liId })
  await copyRows(db, 'registration', ofCourse, { liId, laId: idOfCopy })
  await copyRows(
    db,
    'creditLedger',
    sql`join "again" on again."liId" = s."bizId" where s."schoolId" = ${schoolId} and s."reverseOf" is null`,
    { clId: idOfCopy, bizId: liId },
  )
  const ofApproval = sql`join "againApproval" again on again."insId" = s."insId" where s."schoolId" = ${schoolId}`
  await copyRows(db, 'approval', ofApproval, { insId: liId, bizId: sql`again."bizId"` })
  await copyRows(db, 'approvalTask', ofApproval, { insId: liId, taskId: idOfCopy })
}

/** Messages that were sent in one year, `back` years ago: a new id tells when, and an old one was read. */
async function addMessages(db: Db, schoolId: string, back: number, years: number): Promise<void> {
  const { ofSchool, ofClass, alone } = perStudent.messages
  const student = sql`"schoolId" = ${schoolId} and "suiType" = ${sql.lit(personType.student)} and "delFlag" = ${sql.lit(yesNo.no)}`
  await sql`
    create temp table "sent" on commit drop as
    select m.*, uuidv7(m."sendTime" - now()) "iiId"
    from (
      select t.*, now() - make_interval(years => ${sql.lit(back)}) + random() * interval '364 days' "sendTime"
      from (
        select null::uuid "scClassId", null::uuid "suId"
        from generate_series(1, ${sql.lit(ofSchool / years)}::int)
        union all
        select c."scClassId", null
        from "schoolClass" c, generate_series(1, ${sql.lit(ofClass / years)}::int)
        where c."schoolId" = ${schoolId}
        union all
        select null, p."suId"
        from "person" p, generate_series(1, ${sql.lit(alone / years)}::int)
        where ${student}
      ) t
    ) m
    order by "sendTime"`.execute(db)
  await sql`
    insert into "information" ("schoolId", "iiId", "iiTitle", "iiContent", "iiType", "createBy", "createName", "sendTime")
    select ${schoolId}, s."iiId",
      case when s."suId" is null then '关于本学期第二课堂活动安排的通知' else '报名已通过' end,
      case
        when s."suId" is null then '请同学们于规定时间内完成报名，并按时参加活动；因故不能参加的，请提前取消报名。'
        else '您报名的课程已通过，请按时参加。'
      end,
      case when s."suId" is null then ${sql.lit(messageType.manual)} else ${sql.lit(messageType.approval)} end, w."suId", coalesce(w."suiName", '系统消息'), s."sendTime"
    from "sent" s
    left join lateral (
      select p."suId", p."suiName"
      from "person" p
      where s."suId" is null and p."schoolId" = ${schoolId} and p."suiType" = ${sql.lit(personType.teacher)}
      order by p."suiNumber"
      offset abs(hashtext(s."scClassId"::text)) % 20
      limit 1
    ) w on true`.execute(db)
  const copies = (receivers: RawBuilder<unknown>) => sql`
    insert into "informationReceiver" ("schoolId", "iurId", "iiId", "suId", "isRead", "readTime")
    select ${schoolId}, uuidv7(r."sendTime" - now()), r."iiId", r."suId", r."isRead",
      case when r."isRead" = ${sql.lit(yesNo.yes)} then r."sendTime" + interval '1 hour' end
    from (
      select s."iiId", s."sendTime", s."suId",
        case
          when s."sendTime" < now() - interval '60 days' or random() < 0.8 then ${sql.lit(yesNo.yes)}
          else ${sql.lit(yesNo.no)}
        end "isRead"
      from (${receivers}) s
    ) r`
  await copies(sql`select * from "sent" where "suId" is not null`).execute(db)
  await copies(sql`
    select s."iiId", s."sendTime", p."suId"
    from "sent" s
    join "person" p on p."scClassId" = s."scClassId"
    where p.${student}`).execute(db)
  await copies(sql`
    select s."iiId", s."sendTime", p."suId"
    from "sent" s
    cross join "person" p
    where s."suId" is null and s."scClassId" is null and p.${student}`).execute(db)
  await sql`drop table "sent"`.execute(db)
}

async function addSignIns(db: Db, schoolId: string, years: number): Promise<void> {
  await sql`
    insert into "loginDay" ("schoolId", "suId", "logDay", "times", "hours", "lastTime", "ip", "agent")
    select "schoolId", "suId", "logDay", 1,
      array_fill(0, array["hour"]) || 1 || array_fill(0, array[23 - "hour"]),
      "logDay" + make_interval(hours => "hour"),
      case when "isTraced" then '10.1.2.3' else '' end,
      case when "isTraced" then 'Mozilla/5.0 (Linux; Android 15) MicroMessenger/8.0' else '' end
    from (
      select distinct on (d."logDay", d."suId") d.*, 8 + abs(hashtext(d."suId"::text || d."logDay")) % 14 "hour",
        d."logDay" > current_date - ${`${traceMonths} months`}::interval "isTraced"
      from (
        select p."schoolId", p."suId", current_date - (random() * ${sql.lit(years * 365)})::int - 1 "logDay"
        from "person" p, generate_series(1, ${sql.lit(perStudent.signInDaysAYear * years)}::int)
        where p."schoolId" = ${schoolId} and p."suiType" = ${sql.lit(personType.student)} and p."delFlag" = ${sql.lit(yesNo.no)}
      ) d
      order by d."logDay", d."suId"
    ) s
    on conflict do nothing`.execute(db)
}

/** The trail that is there, again and again over three years, until every student has their share of rows. */
async function addTrail(db: Db, schoolId: string): Promise<void> {
  const { rows } = await sql<{ times: number }>`
    select ceil(
        ${sql.lit(perStudent.trail)}::float
          * (
            select count(*)
            from "person"
            where "schoolId" = ${schoolId} and "suiType" = ${sql.lit(personType.student)}
          )
          / greatest(1, (select count(*) from "auditLog" where "schoolId" = ${schoolId}))
      )::int "times"`.execute(db)
  const shift = sql`interval '1 day' * floor(again.no * ${sql.lit(trailYears * 365)}::float / ${sql.lit(rows[0]!.times)})`
  await copyRows(
    db,
    'auditLog',
    sql`
      join (select no, ${shift} "shift" from generate_series(1, ${sql.lit(rows[0]!.times)}) again(no)) again on true
      where s."schoolId" = ${schoolId}`,
    { logId: idOfCopy },
  )
}
