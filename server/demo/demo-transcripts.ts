import { sql } from 'kysely'
import { warnLevel, issueStatus } from '../../contract/core/codes/outcomes.ts'
import { yesNo } from '../../contract/core/codes/platform.ts'
import { wholeSchool } from '../../contract/core/scope.ts'
import type { Context } from '../core/request/context.ts'
import { addDays } from '../core/base/clock.ts'
import { newId } from '../core/base/ids.ts'
import { systemContext } from '../core/request/system.ts'
import { termFinder } from '../school/school/calendar.service.ts'
import { promptStudents } from '../outcomes/thresholds/prompts.service.ts'
import { recalculateSchool } from '../outcomes/thresholds/recalculate.service.ts'
import { defaultPrompt } from '../../contract/outcomes/thresholds/prompt-words.ts'
import { issueTranscripts } from '../outcomes/transcripts/issues.service.ts'
import { positionOf } from '../outcomes/thresholds/threshold-rules.ts'
import { schoolSettings } from '../school/school/settings.service.ts'
import { universityCalendar } from './demo-calendar.ts'
import { linesOf, makeRules } from './demo-rules.ts'
import { personas } from './demo-accounts.ts'
import type { DemoSchool } from './demo-school.ts'

/**
 * Base values of two years, warnings with reminders and help, and issued transcripts of which one is superseded and one
 * revoked.
 */
export async function makeTranscripts(school: DemoSchool): Promise<void> {
  const { ctx, db, schoolId, start, now } = school
  await makeRules(school)
  const admin = await db
    .selectFrom('account')
    .select(['suId', 'suNickname', 'suLoginName'])
    .where('schoolId', '=', schoolId)
    .where('suId', '=', start.adminId)
    .executeTakeFirstOrThrow()
  const system = systemContext({ ...ctx, db }, schoolId)
  const asAdmin: Context = {
    ...system,
    actor: {
      ...system.actor,
      ...admin,
      permits: new Set(['threshold:prompt', 'transcript:export']),
      scopeFor: () => wholeSchool,
    },
  }

  const year = Number(now.slice(0, 4)) - (now.slice(5, 10) < '08-16' ? 1 : 0)
  const base = (
    grade: number,
    tbTarget: string,
    lsId: string | null,
    checkpointTerm: number,
    required: number,
    warn: readonly [number, number, number],
  ) => ({
    schoolId,
    tbId: newId(),
    grade: String(grade),
    tbTarget,
    lsId,
    checkpointTerm,
    required,
    warn1: warn[0],
    warn2: warn[1],
    warn3: warn[2],
    createBy: admin.suId,
    createName: admin.suNickname,
    createTime: now,
    updateTime: now,
    version: 1,
  })
  const rows: ReturnType<typeof base>[] = []
  for (const grade of [year, year - 1, year - 2, year - 3]) {
    const { termNo } = positionOf(String(grade), now, await schoolSettings({ db }, schoolId))
    const lineOf = await linesOf(school, String(grade), Math.min(8, Math.floor((termNo - 1) / 2) * 2))
    for (const term of [2, 4, 6, 8]) {
      const [required, ...warn] = lineOf(term)
      rows.push(base(grade, 'total', null, term, required, warn))
    }
    for (const [code, required] of [
      ['SXCL', 200],
      ['ZYGY', 400],
      ['CXCY', 200],
    ] as const)
      rows.push(
        base(grade, 'module', start.curriculum[code]!, 4, required / 2, [0, 0, 0]),
        base(grade, 'module', start.curriculum[code]!, 8, required, [required / 2, 0, 0]),
      )
  }
  await db.insertInto('thresholdBase').values(rows).execute()
  await recalculateSchool(system)
  await keepEarlierTerms(system)
  const warned = await db
    .selectFrom('studentWarning')
    .select('suId')
    .where('schoolId', '=', schoolId)
    .where('warnLevel', '=', warnLevel.severe)
    .orderBy('totalGap', 'desc')
    .orderBy('suId')
    .limit(12)
    .execute()
  if (warned.length > 0) await promptStudents(asAdmin, { ids: warned.map(({ suId }) => suId), content: defaultPrompt })
  const helps = warned.slice(0, 4).map(({ suId }, at) => ({
    schoolId,
    thId: newId(),
    suId,
    helpDate: addDays(now.slice(0, 10), -at - 1),
    helpWay: String(1 + (at % 3)),
    helpContent: [
      '谈话了解原因：课业压力大，约定每周参加一次志愿活动。',
      '推荐“社区敬老服务”与两场讲座，已帮助报名。',
      '与学生制定本学期学时计划，期中复查。',
      '谈话，学生反映不了解学时要求，已发送说明。',
    ][at]!,
    helperName: personas.counselor,
    createBy: admin.suId,
    createName: admin.suNickname,
    createTime: now,
    updateTime: now,
  }))
  if (helps.length > 0) await db.insertInto('thresholdHelp').values(helps).execute()
  await sql`
    update "studentWarning" w
    set "helpCount" = 1, "lastHelpTime" = h."helpDate"::timestamp at time zone 'Asia/Shanghai', "helperName" = h."helperName"
    from "thresholdHelp" h
    where h."schoolId" = ${schoolId} and w."schoolId" = h."schoolId" and w."suId" = h."suId"`.execute(db)
  await db
    .updateTable('informationReceiver')
    .set({ isRead: yesNo.yes, readTime: now })
    .where('schoolId', '=', schoolId)
    .where(
      'suId',
      'in',
      warned
        .slice(0, 5)
        .map(({ suId }) => suId)
        .concat(admin.suId),
    )
    .execute()

  // those with the most hours, as they would be for an application
  const best = await db
    .selectFrom('studentWarning')
    .select('suId')
    .where('schoolId', '=', schoolId)
    .orderBy('totalHave', 'desc')
    .orderBy('suId')
    .limit(20)
    .execute()
  const suIds = best.map(({ suId }) => suId)
  // the office issues in the morning, and what was wrong is revoked in the afternoon of the last working day
  const { isWorked } = universityCalendar()
  const workingDay = (back: number) => {
    let day = addDays(now.slice(0, 10), -back)
    while (!isWorked(day)) day = addDays(day, -1)
    return day
  }
  const at = (moment: string): Context => ({ ...asAdmin, clock: { now: () => moment } })
  const last = workingDay(1)
  // an older paper of the first student, from before they were put into a class
  await issueTranscripts(
    at(`${workingDay(20)} 15:12:08`),
    suIds.slice(0, 1),
    {},
    { way: '1', choose: (found) => found.map((one) => ({ ...one, student: { ...one.student, scClassName: '' } })) },
  )
  const issued = await issueTranscripts(at(`${last} 09:41:27`), suIds, {}, { way: '2' })
  await issueTranscripts(at(`${last} 14:26:50`), suIds.slice(0, 1), { lang: 'en' }, { way: '1' })
  await db
    .updateTable('transcriptIssue')
    .set({
      tiStatus: issueStatus.revoked,
      endTime: `${last} 16:05:33`,
      revokeName: admin.suNickname,
      revokeReason: '专业名称有误，更正后重新签发',
    })
    .where('schoolId', '=', schoolId)
    .where('tiId', '=', (issued[1] ?? issued[0]!).tiId)
    .execute()
}

/**
 * What would have been kept had the school been checked in the term before and a year ago: somewhat fewer, and without
 * those who had not come yet.
 */
async function keepEarlierTerms({ db, actor, clock }: Context): Promise<void> {
  const termAt = await termFinder({ db }, actor.schoolId)
  const now = termAt(clock.now())
  for (const [day, share] of [
    [addDays(now.tmStart, -1), 0.9],
    [addDays(now.tmStart, -351), 0.75],
  ] as const) {
    const { tmStart, tmName } = termAt(day)
    const began = Number(tmStart.slice(0, 4)) - (tmStart.slice(5, 10) < '08-01' ? 1 : 0)
    await sql`
        insert into "warningTerm" (
          "schoolId", "tmStart", "tmName", "collegeId", "majorId", "classId", "grade", "total", "level1", "level2",
          "level3"
        )
        select "schoolId", ${tmStart}::date, ${tmName}, "collegeId", "majorId", "classId", "grade", "total",
          round("level1" * ${share}::float8), round("level2" * ${share}::float8), round("level3" * ${share}::float8)
        from "warningTerm"
        where "schoolId" = ${actor.schoolId} and "tmStart" = ${now.tmStart}::date and "grade" <= ${String(began)}`.execute(
      db,
    )
  }
}
