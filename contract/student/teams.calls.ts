import { z } from 'zod'
import { call } from '../core/call.ts'
import { codesOf } from '../core/codes/code-list.ts'
import { applyStatus } from '../core/codes/programme.ts'
import { teamStatus } from '../core/codes/teams.ts'
import { done, id, integer, text } from '../core/fields.ts'
import { teamApi } from '../programme/lessons/teams.calls.ts'

const liId = id('活动')
const one = z.strictObject({ liId })
/** Which member of the student's own team, by the number that the team gave them when they joined. */
const memberRank = integer('队员', 1, 1_000_000)

/** The team of the student in an activity; a member is told by name, and by their number in the team. */
const ownTeam = z.object({
  teamName: z.string(),
  teamStatus: z.enum(codesOf(teamStatus)),
  /** What became of it once it was confirmed; null while it forms. */
  laStatus: z.enum(codesOf(applyStatus)).nullable(),
  waitNo: z.number().nullable(),
  /** By which others join; '' once they no longer can. */
  joinCode: z.string(),
  members: z.array(
    z.object({
      memberRank: z.number(),
      suiName: z.string(),
      collegeName: z.string(),
      isCaptain: z.boolean(),
      isMe: z.boolean(),
    }),
  ),
  /** Why it cannot be confirmed yet, a sentence each. */
  blocks: z.array(z.string()),
  refuseReason: z.string(),
  can: z.array(z.enum(['confirm', 'code', 'captain', 'remove', 'leave', 'dissolve', 'cancel'])),
})
export type OwnTeam = z.output<typeof ownTeam>

/** Teams as students have them: founded, joined by code, confirmed by their captain. */
export const ownTeamApi = {
  view: call('GET', '/student/team', {
    summary: '我的队伍',
    permit: 'student:self',
    input: z.object({ liId }),
    output: z.object({
      liName: z.string(),
      teamMin: z.number().nullable(),
      teamMax: z.number().nullable(),
      /** Why no team can be founded or joined now; '' where one can or the student is in one. */
      verdict: z.string(),
      team: ownTeam.nullable(),
    }),
  }),
  found: call('POST', '/student/foundTeam', {
    summary: '创建队伍',
    permit: 'student:self',
    input: z.strictObject({ liId, teamName: teamApi.add.input.shape.teamName }),
    output: done,
  }),
  join: call('POST', '/student/joinTeam', {
    summary: '凭邀请码加入队伍',
    permit: 'student:self',
    input: z.strictObject({ liId, joinCode: text('邀请码', 20) }),
    output: z.object({ teamName: z.string() }),
  }),
  leave: call('POST', '/student/leaveTeam', {
    summary: '退出队伍',
    permit: 'student:self',
    input: one,
    output: done,
  }),
  remove: call('POST', '/student/removeTeamMember', {
    summary: '移出我的队员',
    permit: 'student:self',
    input: z.strictObject({ liId, memberRank }),
    output: done,
  }),
  captain: call('POST', '/student/handOverTeam', {
    summary: '移交队长',
    permit: 'student:self',
    input: z.strictObject({ liId, memberRank }),
    output: done,
  }),
  renewCode: call('POST', '/student/renewTeamCode', {
    summary: '更换我的队伍邀请码',
    permit: 'student:self',
    input: one,
    output: done,
  }),
  confirm: call('POST', '/student/confirmTeam', {
    summary: '确认我的队伍',
    permit: 'student:self',
    input: one,
    output: z.object({ laStatus: z.enum(codesOf(applyStatus)) }),
  }),
  /** A team that forms is dissolved; the registration of a confirmed one is cancelled for all of it. */
  dissolve: call('POST', '/student/dissolveTeam', {
    summary: '解散我的队伍',
    permit: 'student:self',
    input: one,
    output: done,
  }),
}
