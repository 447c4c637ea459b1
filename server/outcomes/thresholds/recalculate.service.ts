import { sql } from 'kysely'
import { warnLevel } from '../../../contract/core/codes/outcomes.ts'
import { personType } from '../../../contract/core/codes/school.ts'
import { chunksOf, recordset } from '../../core/database/bulk.ts'
import { addSeconds } from '../../core/base/clock.ts'
import type { Context } from '../../core/request/context.ts'
import { from } from '../../core/database/tenant.ts'
import { inTransaction } from '../../core/request/transaction.ts'
import { termOf } from '../../school/school/calendar.service.ts'
import { hoursByKey } from '../../programme/credits/statement.service.ts'
import { clearWarnLevels, inSchool, setWarnLevels } from '../../school/people/warn-level.service.ts'
import { fromHundredths } from '../../../contract/core/fields.ts'
import { rulesNow, type Rules } from './expectations.service.ts'
import { evaluateStudent, type Shortfall, type Evaluation } from './threshold-rules.ts'
import { notifyWorsened, type Worsened } from './worsened.service.ts'

/** Students checked at a time. */
const batchSize = 1000

interface EvaluatedStudent {
  suId: string
  suiGrade: string | null
  suiStudyYears: number | null
  suiCredibility: number
}

/** Evaluates students by what the ledger says now: one statement. */
export async function evaluateStudents(
  ctx: Context,
  rules: Rules,
  students: readonly EvaluatedStudent[],
): Promise<Map<string, Evaluation & { have: Record<string, number> }>> {
  const sums = new Map<string, { have: Record<string, number>; recent: number }>()
  for (const { suId, key, value, recent } of await hoursByKey(
    ctx,
    students.map(({ suId: id }) => id),
    rules.lastTerm,
  )) {
    const own = sums.get(suId) ?? { have: { total: 0 }, recent: 0 }
    own.have[key] = value
    if (key !== 'volunteer') own.have['total']! += value
    own.recent += recent
    sums.set(suId, own)
  }
  return new Map(
    students.map(({ suId, suiGrade, suiStudyYears, suiCredibility }) => {
      const { have, recent } = sums.get(suId) ?? { have: { total: 0 }, recent: 0 }
      const full = { ...have, credibility: suiCredibility * 100 }
      const { expected, position, goal } = rules.of(suiGrade, suiStudyYears)
      return [
        suId,
        {
          ...evaluateStudent(
            expected,
            position,
            goal,
            (key) => (full as Record<string, number>)[key] ?? 0,
            rules.lastTerm ? recent : null,
          ),
          have: full,
        },
      ]
    }),
  )
}

export interface Recalculation {
  students: number
  changed: number
  worsened: number
}

/**
 * Checks the students of a school for whom something may have changed since the last time: entries in the ledger,
 * credibility, what is expected, the term. Stores each one's level and what they are short of, and tells students whose
 * level has become worse, and those who look after them. Set-based: a few statements for a thousand students.
 */
export async function recalculateSchool(ctx: Context): Promise<Recalculation> {
  const { db, actor, clock } = ctx
  const { schoolId } = actor
  const began = clock.now()
  const rules = await rulesNow(ctx)
  const last = await from({ db, schoolId }, 'thresholdRun').select('runTime').executeTakeFirst()
  // a transaction that was under way at the last run may have written its entries with an earlier time
  const since = last ? addSeconds(last.runTime, -3600) : '1970-01-01 00:00:00'
  const counts: Recalculation = { students: 0, changed: 0, worsened: 0 }
  const keys = await yearKeys(ctx, rules)
  for await (const dirty of chunksOf(await dirtyStudents(ctx, keys, since), batchSize)) {
    const evaluated = await evaluateStudents(ctx, rules, dirty)
    const worsened = dirty.flatMap(({ suId, before }): Worsened[] => {
      const now = evaluated.get(suId)!
      return before !== null && now.level > Number(before)
        ? [{ suId, level: now.level, gaps: now.gaps, zeroTerm: now.zeroTerm }]
        : []
    })
    await inTransaction(ctx, async (tx) => {
      await store(tx, rules, dirty, evaluated)
      await setWarnLevels(
        tx,
        dirty.map(({ suId }) => ({ suId, warnLevel: String(evaluated.get(suId)!.level) })),
      )
      await notifyWorsened(tx, worsened)
    })
    counts.students += dirty.length
    counts.changed += dirty.filter(({ suId, before }) => before !== String(evaluated.get(suId)!.level)).length
    counts.worsened += worsened.length
  }
  await inTransaction(ctx, async (tx) => {
    await sql`
      delete from "studentWarning" w
      where w."schoolId" = ${schoolId}
        and not exists (
          select
          from "person"
          where "person"."schoolId" = w."schoolId"
            and "person"."suId" = w."suId"
            and "person"."delFlag" = '0'
            and ${inSchool}
        )`.execute(tx.db)
    await clearWarnLevels(tx)
    await keepTerm(tx)
    const run = {
      runTime: began,
      studentCount: counts.students,
      changedCount: counts.changed,
      worsenedCount: counts.worsened,
    }
    await tx.db
      .insertInto('thresholdRun')
      .values({ schoolId, ...run })
      .onConflict((on) => on.column('schoolId').doUpdateSet(run))
      .execute()
  })
  return counts
}

/** How many are warned now, kept for the term that runs; what was kept of it before gives way. */
async function keepTerm(tx: Context): Promise<void> {
  const { schoolId } = tx.actor
  const { tmStart, tmName } = await termOf(tx, schoolId, tx.clock.now())
  await tx.db.deleteFrom('warningTerm').where('schoolId', '=', schoolId).where('tmStart', '=', tmStart).execute()
  await sql`
    insert into "warningTerm" (
      "schoolId", "tmStart", "tmName", "collegeId", "majorId", "classId", "grade", "total", "level1", "level2",
      "level3"
    )
    select w."schoolId", ${tmStart}::date, ${tmName}, p."suiCollegeId", p."majorId", p."scClassId", p."suiGrade",
      count(*), count(*) filter (where w."warnLevel" = ${sql.lit(warnLevel.mild)}),
      count(*) filter (where w."warnLevel" = ${sql.lit(warnLevel.moderate)}),
      count(*) filter (where w."warnLevel" = ${sql.lit(warnLevel.severe)})
    from "studentWarning" w
    join "person" p on p."schoolId" = w."schoolId" and p."suId" = w."suId"
    where w."schoolId" = ${schoolId}
    group by 1, 4, 5, 6, 7`.execute(tx.db)
}

/** The key of the rules of every year and length of studies there is. */
async function yearKeys(
  ctx: Context,
  rules: Rules,
): Promise<{ grade: string | null; years: number | null; ruleKey: string }[]> {
  const groups = await from(ctx, 'person')
    .select(['suiGrade as grade', 'suiStudyYears as years'])
    .distinct()
    .where('person.suiType', '=', personType.student)
    .where(inSchool)
    .execute()
  return groups.map(({ grade, years }) => ({ grade, years, ruleKey: rules.of(grade, years).ruleKey }))
}

async function dirtyStudents(
  { db, actor }: Context,
  keys: readonly { grade: string | null; years: number | null; ruleKey: string }[],
  since: string,
): Promise<(EvaluatedStudent & { before: string | null })[]> {
  const { rows } = await sql<EvaluatedStudent & { before: string | null }>`
      with granted as (
        select distinct "suId"
        from "creditLedger"
        where "schoolId" = ${actor.schoolId} and "grantedAt" >= ${since}::timestamptz
      )
      select "person"."suId", "person"."suiGrade", "person"."suiStudyYears", "person"."suiCredibility",
        w."warnLevel" "before"
      from "person"
      left join "studentWarning" w on w."schoolId" = "person"."schoolId" and w."suId" = "person"."suId"
      left join ${recordset(keys, { grade: 'text', years: 'int', ruleKey: 'text' })}
        on r."grade" is not distinct from "person"."suiGrade"
        and r."years" is not distinct from "person"."suiStudyYears"
      left join granted g on g."suId" = "person"."suId"
      where "person"."schoolId" = ${actor.schoolId}
        and "person"."suiType" = ${sql.lit(personType.student)}
        and "person"."delFlag" = '0'
        and ${inSchool}
        and (
          w."suId" is null
          or g."suId" is not null
          or w."ruleKey" is distinct from r."ruleKey"
          or (w."have" ->> 'credibility')::int is distinct from "person"."suiCredibility" * 100
        )
      order by "person"."suId"`.execute(db)
  return rows
}

/** Shortfalls as they travel and are kept: amounts as decimal text. */
const gapsOnWire = (gaps: readonly Shortfall[]) =>
  gaps.map(({ key, name, level, checkpointTerm, required, have, gap, forecast }) => ({
    key,
    name,
    level: String(level),
    checkpointTerm,
    required: fromHundredths(required),
    have: fromHundredths(have),
    gap: fromHundredths(gap),
    forecast: fromHundredths(forecast),
  }))

const columns = {
  suId: 'uuid',
  warnLevel: 'text',
  termNo: 'int',
  have: 'jsonb',
  gaps: 'jsonb',
  missing: 'jsonb',
  totalHave: 'int',
  totalNeed: 'int',
  totalGap: 'int',
  finalGap: 'int',
  zeroTerm: 'boolean',
  ruleKey: 'text',
}

async function store(
  { db, actor, clock }: Context,
  rules: Rules,
  students: readonly EvaluatedStudent[],
  evaluated: Awaited<ReturnType<typeof evaluateStudents>>,
): Promise<void> {
  const now = clock.now()
  const rows = students.map(({ suId, suiGrade, suiStudyYears }) => {
    const { level, gaps, missing, have, totalHave, totalNeed, totalGap, finalGap, zeroTerm } = evaluated.get(suId)!
    const { position, ruleKey } = rules.of(suiGrade, suiStudyYears)
    return {
      suId,
      warnLevel: String(level),
      termNo: position.termNo,
      have,
      gaps: gapsOnWire(gaps),
      missing,
      totalHave,
      totalNeed,
      totalGap,
      finalGap,
      zeroTerm,
      ruleKey,
    }
  })
  await sql`
    insert into "studentWarning" (
      "schoolId", "suId", "warnLevel", "termNo", "have", "gaps", "missing", "totalHave", "totalNeed", "totalGap",
      "finalGap", "zeroTerm", "ruleKey", "calcTime", "levelSince"
    )
    select ${actor.schoolId}, r."suId", r."warnLevel", r."termNo", r."have", r."gaps",
      array(select jsonb_array_elements_text(r."missing"))::uuid[], r."totalHave", r."totalNeed", r."totalGap",
      r."finalGap", r."zeroTerm", r."ruleKey", ${now}::timestamptz, ${now}::timestamptz
    from ${recordset(rows, columns)}
    on conflict ("schoolId", "suId") do update set "warnLevel" = excluded."warnLevel",
      "termNo" = excluded."termNo",
      "have" = excluded."have",
      "gaps" = excluded."gaps",
      "missing" = excluded."missing",
      "totalHave" = excluded."totalHave",
      "totalNeed" = excluded."totalNeed",
      "totalGap" = excluded."totalGap",
      "finalGap" = excluded."finalGap",
      "zeroTerm" = excluded."zeroTerm",
      "ruleKey" = excluded."ruleKey",
      "calcTime" = excluded."calcTime",
      "levelSince" = case
        when "studentWarning"."warnLevel" = excluded."warnLevel" then "studentWarning"."levelSince"
        else excluded."levelSince"
      end`.execute(db)
}
