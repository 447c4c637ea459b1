import { sql } from 'kysely'
import type { Checked } from '../../../../contract/core/call.ts'
import { applyStatus, resultStatus } from '../../../../contract/core/codes/programme.ts'
import { labelOf } from '../../../../contract/core/dictionary.ts'
import { Failure } from '../../../../contract/core/failure.ts'
import { teamApi } from '../../../../contract/programme/lessons/teams.calls.ts'
import { recordset } from '../../../core/database/bulk.ts'
import type { Context } from '../../../core/request/context.ts'
import { auditPeople } from '../registration/registration.service.ts'
import { rankTeam, teamRegistrations } from '../registration/team-members.ts'
import { membersOf, onTeam } from '../registration/teams.queries.ts'
import { rate, ratingFaults } from './result.service.ts'

/**
 * Rates a whole team: all its members who came are given the same result and award, each by their rank's share where
 * the rule shares it out; the others are named, and left as they are.
 */
export const awardTeam = (ctx: Context, { teamId, laResult, adId, suIds }: Checked<typeof teamApi.award>) =>
  onTeam(ctx, 'award', teamId, async (tx, lesson, team) => {
    if (suIds) await setRanks(tx, teamId, team.teamName, suIds)
    const rows = (await teamRegistrations(tx, [teamId])).filter(({ laStatus }) => laStatus === applyStatus.accepted)
    if (rows.length === 0) throw new Failure('not-participant', { name: team.teamName, act: '评定结果' })
    const faults = await ratingFaults(tx, lesson, rows, laResult)
    const fit = rows.filter(({ laId }) => !faults.has(laId))
    if (fit.length === 0) throw [...faults.values()][0]!
    const { awardName } = await rate(
      tx,
      lesson,
      fit,
      laResult,
      laResult === resultStatus.awarded ? (adId ?? null) : null,
    )
    await auditPeople(tx, teamApi.award.summary, lesson, fit, {
      teamName: team.teamName,
      laResult: labelOf('result_status', laResult),
      ...(awardName ? { awardName } : {}),
    })
    return {
      affected: fit.length,
      failed: rows.flatMap(({ laId, suiName }) => {
        const fault = faults.get(laId)
        return fault ? [{ id: laId, name: suiName, msg: fault.msg }] : []
      }),
    }
  })

/** Ranks the members of a team in the order given, which must be all of them. */
async function setRanks(ctx: Context, teamId: string, team: string, suIds: readonly string[]): Promise<void> {
  const members = await membersOf(ctx, [teamId])
  const ranked = new Set(suIds)
  if (ranked.size !== suIds.length || ranked.size !== members.length || !members.every(({ suId }) => ranked.has(suId)))
    throw new Failure('team-ranks', { team })
  await sql`
    update "teamMember" t
    set "memberRank" = r."memberRank"
    from ${recordset(
      suIds.map((suId, at) => ({ suId, memberRank: at + 1 })),
      { suId: 'uuid', memberRank: 'int' },
    )}
    where t."schoolId" = ${ctx.actor.schoolId} and t."teamId" = ${teamId}::uuid and t."suId" = r."suId"`.execute(ctx.db)
  await rankTeam(ctx, teamId)
}
