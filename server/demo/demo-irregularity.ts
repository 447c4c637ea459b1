import { sql } from 'kysely'
import {
  applyStatus,
  approvalStatus,
  lessonStatus,
  questionOutcome,
  questionType,
  resultStatus,
  taskStatus,
} from '../../contract/core/codes/programme.ts'
import { quotaType } from '../../contract/core/codes/rules.ts'
import { decide } from '../programme/approvals/approvals.service.ts'
import { addDays, addSeconds, dayOf } from '../core/base/clock.ts'
import type { Context } from '../core/request/context.ts'
import { systemContext } from '../core/request/system.ts'
import { acceptDisputes, addDispute } from '../programme/disputes/disputes.service.ts'
import { settleDispute } from '../programme/disputes/settle.service.ts'
import { approvalOutcomes } from '../setup/approval-outcomes.ts'
import { creditKinds } from '../setup/credit-kinds.ts'
import type { DemoSchool } from './demo-school.ts'

/** Where the hand came from: no address of the campus. */
const elsewhere = {
  requestId: 'a3f1c6de-0b57-7c11-8a45-2f0c9be17d04',
  ip: '223.104.63.118',
  agent:
    'Mozilla/5.0 (Linux; Android 15; 2410DPN6CC) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/139.0.0.0 Mobile Safari/537.36',
}

/**
 * Something to find with the audit trail: late in the evening, while the result of a contest was in public notice, the
 * secretary of a college asked, accepted, approved and settled three questions themselves, by which three students
 * became prize winners; the next morning another student asks about it. Done through the services that the console
 * uses, so that every row is as theirs.
 */
export async function makeIrregularity({ ctx, db, schoolId, start, now }: DemoSchool): Promise<void> {
  const evening = `${addDays(dayOf(now), -1)} 23:41:07`
  const { rows } = await sql<{ liId: string; adId: string; hostId: string; hostName: string; people: string[] }>`
      select l."liId", d."adId", t."checkerId" "hostId", t."checkerName" "hostName",
        array(
          select r."suId"::text
          from "registration" r
          where r."schoolId" = l."schoolId"
            and r."liId" = l."liId"
            and r."delFlag" = '0'
            and r."laStatus" = ${sql.lit(applyStatus.accepted)}
            and r."laResult" = ${sql.lit(resultStatus.passed)}
            and not exists (
              select
              from "question" q
              where q."schoolId" = r."schoolId"
                and q."liId" = r."liId"
                and (q."targetSuId" = r."suId" or q."reporterSuId" = r."suId")
            )
          order by r."laId"
          limit 4
        ) "people"
      from "lesson" l
      join "awardDetail" d on d."schoolId" = l."schoolId"
        and d."atId" = l."atId"
        and d."quotaType" = ${sql.lit(quotaType.unlimited)}
      join "approval" a on a."schoolId" = l."schoolId"
        and a."bizId" = l."liId"
        and a."bizType" = 'result'
        and a."insStatus" = ${sql.lit(approvalStatus.passed)}
      join "approvalTask" t on t."schoolId" = a."schoolId" and t."insId" = a."insId" and t."stepSort" = 1
      where l."schoolId" = ${schoolId}
        and l."liStatus" in (${sql.lit(lessonStatus.inNotice)}, ${sql.lit(lessonStatus.questioned)})
        and l."liLevel" = '6'
        and l."liPublictySdate" < ${evening}::timestamptz
      order by l."liStatus", l."createBy" = t."checkerId", d."adName", l."liId"`.execute(db)
  const story = rows.find(({ people }) => people.length === 4)
  if (!story) return
  const system = systemContext({ ...ctx, db }, schoolId)
  const by = (suId: string, suNickname: string, at: string, origin = system.origin): Context => ({
    ...system,
    origin,
    clock: { now: () => at },
    actor: {
      ...system.actor,
      suId,
      suNickname,
      permits: new Set(['question:list', 'question:add', 'question:handle', 'approval:question']),
    },
  })
  let at = evening
  const host = () => by(story.hostId, story.hostName, (at = addSeconds(at, 47)), elsewhere)
  const { liId, adId } = story
  for (const suId of story.people.slice(0, 3)) {
    const { qId } = await addDispute(host(), {
      liId,
      qType: questionType.wrong,
      reporterSuId: suId,
      targetSuId: suId,
      qContent: '奖项登记有误，应为获奖。',
      qProofs: [],
    })
    await acceptDisputes(host(), { qIds: [qId] })
    const task = await db
      .selectFrom('approvalTask as t')
      .innerJoin('approval as a', (join) =>
        join.onRef('a.schoolId', '=', 't.schoolId').onRef('a.insId', '=', 't.insId'),
      )
      .select(['t.taskId', 't.checkerId', 't.checkerName'])
      .where('t.schoolId', '=', schoolId)
      .where('a.bizId', '=', qId)
      .where('t.taskStatus', '=', taskStatus.pending)
      .orderBy(sql`t."checkerId" <> ${story.hostId}`)
      .executeTakeFirstOrThrow()
    const decider =
      task.checkerId === story.hostId ? host() : by(task.checkerId, task.checkerName, (at = addSeconds(at, 47)))
    await decide(decider, approvalOutcomes, 'question', task.taskId, { verdict: 'pass', opinion: '属实' })
    await settleDispute(host(), creditKinds, {
      qId,
      qOutcome: questionOutcome.correct,
      laResult: resultStatus.awarded,
      adId,
      credibility: 0,
      opinion: '按实际名次更正',
    })
  }
  const morning = `${dayOf(now)} 08:12:44`
  await addDispute(by(start.adminId, '系统管理员', morning < now ? morning : now), {
    liId,
    qType: questionType.other,
    reporterSuId: story.people[3]!,
    qContent: '昨天公示的名单里有三位同学是合格，今天早上变成了获奖，比赛当天并没有宣布，请核实是谁、什么时候改的。',
    qProofs: [],
  })
}
