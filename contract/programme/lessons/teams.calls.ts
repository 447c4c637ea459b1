import { z } from 'zod'
import { batchResult } from '../../core/batch-result.ts'
import { call, type ForAll } from '../../core/call.ts'
import { resultStatus } from '../../core/codes/programme.ts'
import { exportReason } from '../../core/exports.ts'
import { choice, done, id, ids, pick, reason, search, text } from '../../core/fields.ts'
import { fileCall } from '../../core/file.ts'
import { paged, paging, sortedBy } from '../../core/paging.ts'

const liId = id('课程')
const teamId = id('队伍')
const teamName = text('队名', 30)
const one = z.strictObject({ teamId })

/** What may be done to a team now by the person who asks. */
const teamAction = z.enum([
  'confirm',
  'join',
  'leave',
  'captain',
  'rename',
  'code',
  'pass',
  'refuse',
  'cancel',
  'dissolve',
  'award',
])
export type TeamAction = z.infer<typeof teamAction>

const member = z.object({
  suId: z.string(),
  suiName: z.string(),
  suiNumber: z.string(),
  collegeName: z.string(),
  teamRole: z.string(),
  /** Rank in the team, by which its result is shared out; from 1. */
  teamRank: z.number(),
  /** Of a confirmed team; null while it forms. */
  laStatus: z.string().nullable(),
  laSignStatus: z.string().nullable(),
  laResult: z.string().nullable(),
  awardName: z.string(),
  laHours: z.string(),
})
/** A team of a course with its members. */
const teamRow = z.object({
  teamId: z.string(),
  liId: z.string(),
  teamName: z.string(),
  teamStatus: z.string(),
  /** What became of it once it was confirmed: as of a registration; null while it forms. */
  laStatus: z.string().nullable(),
  waitNo: z.number().nullable(),
  drawNo: z.number().nullable(),
  /** Given to whoever may change the team; empty for others and once it is dissolved. */
  joinCode: z.string(),
  captainId: z.string(),
  captainName: z.string(),
  memberCount: z.number(),
  members: z.array(member),
  /** Why it cannot be confirmed yet, a sentence each; of a team that forms. */
  blocks: z.array(z.string()),
  /** Why it was turned down the last time; empty where it never was. */
  refuseReason: z.string(),
  confirmTime: z.string().nullable(),
  createTime: z.string(),
  can: z.array(teamAction),
})
export type TeamRow = z.infer<typeof teamRow>

const filters = {
  liId,
  teamName: search('队名').optional(),
  suiNumber: search('学号').optional(),
  teamStatus: z.string().max(10).optional(),
  ...sortedBy('createTime', 'teamName'),
}

/** All teams of a course that the list finds. */
const ofTeams: ForAll[] = [
  { list: '/api/schoolbase/lessonsApplyInfo/teamView', row: 'teamId', name: ['teamName'], ids: 'teamIds' },
]

/** Teams of a course whose places go to teams (decision 039). */
export const teamApi = {
  view: call('GET', '/lessonsApplyInfo/teamView', {
    summary: '队伍列表',
    permit: 'lesson:list',
    input: paging.extend(filters),
    output: paged(teamRow),
  }),
  /** Those that still form as well, who are in no list of participants. */
  exportList: fileCall('POST', '/lessonsApplyInfo/teamExport', {
    summary: '导出队伍',
    permit: 'lesson:export',
    needsFreshCode: true,
    input: paging.extend({ ...filters, reason: exportReason }),
  }),
  add: call('POST', '/lessonsApplyInfo/teamAdd', {
    summary: '新建队伍',
    permit: 'lesson:register',
    input: z.strictObject({
      liId,
      teamName,
      captainId: choice('队长'),
      suIds: z.array(id('学生')).max(99).default([]),
    }),
    output: z.object({ teamId: z.string(), joinCode: z.string() }),
  }),
  joinByCode: call('POST', '/lessonsApplyInfo/teamJoinByCode', {
    summary: '凭邀请码入队',
    permit: 'lesson:register',
    input: z.strictObject({ liId, joinCode: text('邀请码', 20), suiNumber: text('学号', 50) }),
    output: z.object({ teamId: z.string(), teamName: z.string(), memberCount: z.number() }),
  }),
  join: call('POST', '/lessonsApplyInfo/teamJoin', {
    summary: '添加队员',
    permit: 'lesson:register',
    input: z.strictObject({ teamId, suIds: ids }),
    output: done,
  }),
  leave: call('POST', '/lessonsApplyInfo/teamLeave', {
    summary: '移出队员',
    permit: 'lesson:register',
    input: z.strictObject({ teamId, suId: choice('队员'), reason: reason('移出原因').optional() }),
    output: done,
  }),
  captain: call('POST', '/lessonsApplyInfo/teamCaptain', {
    summary: '更换队长',
    permit: 'lesson:register',
    input: z.strictObject({ teamId, suId: choice('队长') }),
    output: done,
  }),
  rename: call('POST', '/lessonsApplyInfo/teamRename', {
    summary: '修改队名',
    permit: 'lesson:register',
    input: z.strictObject({ teamId, teamName }),
    output: done,
  }),
  renewCode: call('POST', '/lessonsApplyInfo/teamRenewCode', {
    summary: '更换邀请码',
    permit: 'lesson:register',
    input: one,
    output: z.object({ joinCode: z.string() }),
  }),
  confirm: call('POST', '/lessonsApplyInfo/teamConfirm', {
    summary: '确认组队',
    permit: 'lesson:register',
    input: one,
    /** `laStatus`: what became of the whole team. */
    output: done.extend({ laStatus: z.string() }),
  }),
  pass: call('POST', '/lessonsApplyInfo/teamPass', {
    summary: '通过队伍报名',
    permit: 'lesson:register',
    input: z.strictObject({ teamIds: ids }),
    output: batchResult,
    forAll: ofTeams,
  }),
  refuse: call('POST', '/lessonsApplyInfo/teamRefuse', {
    summary: '拒绝队伍报名',
    permit: 'lesson:register',
    input: z.strictObject({ teamIds: ids, reason: reason('拒绝原因') }),
    output: batchResult,
    forAll: ofTeams,
  }),
  cancel: call('POST', '/lessonsApplyInfo/teamCancel', {
    summary: '取消整队报名',
    permit: 'lesson:register',
    input: one,
    output: done,
  }),
  dissolve: call('POST', '/lessonsApplyInfo/teamDissolve', {
    summary: '解散队伍',
    permit: 'lesson:register',
    input: z.strictObject({ teamId, reason: reason('解散原因').optional() }),
    output: done,
  }),
  award: call('POST', '/lessonsApplyInfo/teamAward', {
    summary: '整队评定',
    permit: 'lesson:award',
    input: z.strictObject({
      teamId,
      laResult: pick('结果', [resultStatus.passed, resultStatus.failed, resultStatus.awarded]),
      adId: id('奖项').optional(),
      /** All members in the order of their ranks; as they are unless given. */
      suIds: z.array(id('学生')).max(100).optional(),
    }),
    output: batchResult,
  }),
}
