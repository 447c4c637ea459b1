import { quoted } from '../../../contract/core/quotes.ts'
import { teamStatus } from '../../../contract/core/codes/teams.ts'
import { personType } from '../../../contract/core/codes/school.ts'
import { labelOf } from '../../core/service/dictionary-store.ts'
import type { LessonDetail } from '../../../contract/programme/lessons/lessons.schema.ts'
import { teamApi, type TeamAction, type TeamRow } from '../../../contract/programme/lessons/teams.calls.ts'
import { isTeamCourse } from '../../../contract/programme/lessons/team-fields.ts'
import { actionOn, type RowAction } from '../../core/action/action.tsx'
import { AreaField, TextField } from '../../core/form/fields.tsx'
import { PersonField } from '../../shared/people/person-field.tsx'
import { figure } from '../../core/service/figure.ts'

const action = actionOn<TeamRow>()
const can = (name: TeamAction) => (team: TeamRow) => team.can.includes(name)
const unit = '支队伍'
const teamIds = (teams: readonly TeamRow[]) => teams.map(({ teamId }) => teamId)
const who = (teams: readonly TeamRow[]) =>
  teams.length === 1 ? `队伍${quoted(teams[0]!.teamName)}` : `所选 ${teams.length} ${unit}`

const confirm = action({
  label: '确认组队',
  call: teamApi.confirm,
  fits: can('confirm'),
  input: ([team]) => ({ teamId: team!.teamId }),
  question: (teams) => `确认${who(teams)}组队完成？`,
  confirm: ([team]) => `${figure(team!.memberCount)} 名队员将一起报名，全部符合条件才会生效。`,
  doneText: ({ affected, laStatus }) => `${figure(affected)} 人已报名：${labelOf('apply_status', laStatus)}`,
})
const pass = action({
  label: '通过',
  call: teamApi.pass,
  unit,
  fits: can('pass'),
  input: (teams) => ({ teamIds: teamIds(teams) }),
  confirm: false,
  doneText: ({ affected }) => `已通过 ${figure(affected)} 支队伍`,
})
const refuse = action({
  label: '拒绝',
  call: teamApi.refuse,
  unit,
  fits: can('refuse'),
  isDanger: true,
  ask: <AreaField name="reason" rows={3} />,
  input: (teams, { reason }) => ({ teamIds: teamIds(teams), reason: reason as string }),
  question: (teams) => `确认拒绝${who(teams)}的报名？`,
  confirm: '拒绝后队伍回到组队中，可调整后再次确认。',
  doneText: ({ affected }) => `已拒绝 ${figure(affected)} 支队伍`,
})
const join = action({
  label: '添加队员',
  call: teamApi.join,
  fits: can('join'),
  question: (teams) => `向${who(teams)}添加队员`,
  ask: <PersonField name="suIds" label="学生" suiType={personType.student} multiple max={100} required />,
  input: ([team], { suIds }) => ({ teamId: team!.teamId, suIds: suIds as string[] }),
  doneText: ({ affected }) => `已添加 ${figure(affected)} 人`,
})
const rename = action({
  label: '修改队名',
  call: teamApi.rename,
  fits: can('rename'),
  question: (teams) => `修改${who(teams)}的队名`,
  ask: <TextField name="teamName" />,
  input: ([team], { teamName }) => ({ teamId: team!.teamId, teamName: teamName as string }),
  doneText: () => '队名已修改',
})
const renewCode = action({
  label: '更换邀请码',
  call: teamApi.renewCode,
  fits: can('code'),
  input: ([team]) => ({ teamId: team!.teamId }),
  question: (teams) => `更换${who(teams)}的邀请码？`,
  confirm: '原邀请码立即失效，已入队的不受影响。',
  doneText: ({ joinCode }) => `新邀请码：${joinCode}`,
})
const cancel = action({
  label: '取消整队报名',
  call: teamApi.cancel,
  fits: can('cancel'),
  isDanger: true,
  input: ([team]) => ({ teamId: team!.teamId }),
  question: (teams) => `确认代${who(teams)}取消报名？`,
  confirm: '取消后队伍解散，名额空出并通知全部队员。',
  doneText: ({ affected }) => `已取消 ${figure(affected)} 人的报名`,
})
const dissolve = action({
  label: '解散队伍',
  call: teamApi.dissolve,
  fits: can('dissolve'),
  isDanger: true,
  ask: <AreaField name="reason" rows={2} placeholder="已报名的队伍会把原因告知队员" />,
  input: ([team], { reason }) => ({ teamId: team!.teamId, ...(reason ? { reason: reason as string } : {}) }),
  question: (teams) => `确认解散${who(teams)}？`,
  confirm: ([team]) =>
    team!.teamStatus === teamStatus.confirmed
      ? '全部队员将移出名单，其签到与评定一并作废；已签到的在课程完成时扣诚信分。'
      : '解散后队员可以加入其他队伍，不能恢复。',
  doneText: () => '队伍已解散',
})

export type TeamDialog = 'captain' | 'leave' | 'award'

/** The actions on single teams and on several; `onOpen` opens a dialog of the page. */
export function teamActions(onOpen: (dialog: TeamDialog, team: TeamRow) => void): {
  row: RowAction<TeamRow>[]
  batch: RowAction<TeamRow>[]
} {
  const open = (dialog: TeamDialog, label: string) =>
    action.open({ label, call: teamApi[dialog], fits: can(dialog), onOpen: ([team]) => team && onOpen(dialog, team) })
  return {
    row: [
      confirm,
      pass,
      open('award', '整队评定'),
      join,
      open('leave', '移出队员'),
      open('captain', '更换队长'),
      rename,
      renewCode,
      refuse,
      cancel,
      dissolve,
    ],
    batch: [pass, refuse],
  }
}

const onLesson = actionOn<LessonDetail>()
const mayFound = (lesson: LessonDetail) => isTeamCourse(lesson) && lesson.can.includes('register')

/** What may be done to the teams of a course as a whole. */
export const teamTools: RowAction<LessonDetail>[] = [
  onLesson({
    label: '新建队伍',
    call: teamApi.add,
    fits: mayFound,
    question: ([lesson]) => `在${quoted(lesson!.liName)}新建队伍`,
    ask: (
      <>
        <TextField name="teamName" />
        <PersonField name="captainId" label="队长" suiType={personType.student} required />
        <PersonField name="suIds" label="队员（不含队长，可稍后添加）" suiType={personType.student} multiple max={99} />
      </>
    ),
    input: ([lesson], { teamName, captainId, suIds }) => ({
      liId: lesson!.liId,
      teamName: teamName as string,
      captainId: captainId as string,
      suIds: (suIds ?? []) as string[],
    }),
    doneText: ({ joinCode }) => `队伍已建立，邀请码 ${joinCode}`,
  }),
  onLesson({
    label: '凭邀请码入队',
    call: teamApi.joinByCode,
    fits: mayFound,
    question: () => '凭邀请码加入队伍',
    ask: (
      <>
        <TextField name="joinCode" />
        <TextField name="suiNumber" label="学生学号" />
      </>
    ),
    input: ([lesson], { joinCode, suiNumber }) => ({
      liId: lesson!.liId,
      joinCode: joinCode as string,
      suiNumber: suiNumber as string,
    }),
    doneText: ({ teamName, memberCount }) => `已加入${quoted(teamName)}，现有 ${figure(memberCount)} 人`,
  }),
]
