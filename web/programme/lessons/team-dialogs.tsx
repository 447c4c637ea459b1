import type { Input } from '../../../contract/core/call.ts'
import { resultStatus } from '../../../contract/core/codes/programme.ts'
import type { LessonDetail } from '../../../contract/programme/lessons/lessons.schema.ts'
import { teamApi, type TeamRow } from '../../../contract/programme/lessons/teams.calls.ts'
import { DialogForm } from '../../core/form/dialog-form.tsx'
import { AreaField, SelectField } from '../../core/form/fields.tsx'
import { Field } from '../../core/form/form-field.tsx'
import { SortableList } from '../../core/parts/sortable-list.tsx'
import { AwardFields } from './participant-fields.tsx'
import { figure } from '../../core/service/figure.ts'

interface TeamDialogProps {
  team: TeamRow
  onClose: () => void
}

/** The members of a team as choices, without its captain. */
const othersOf = ({ members, captainId }: TeamRow) =>
  members
    .filter(({ suId }) => suId !== captainId)
    .map(({ suId, suiName, suiNumber }) => ({ value: suId, label: `${suiName}（${suiNumber}）` }))

/** Makes another member the captain. */
export function CaptainDialog({ team, onClose }: TeamDialogProps) {
  return (
    <DialogForm
      title={`更换队长：${team.teamName}`}
      call={teamApi.captain}
      initial={{}}
      input={({ suId }) => ({ teamId: team.teamId, suId: suId as string })}
      doneText="队长已更换"
      onClose={onClose}
    >
      <SelectField
        name="suId"
        label="新队长"
        options={othersOf(team)}
        help={`现任队长：${team.captainName}。已评定的，两人须重新评定。`}
      />
    </DialogForm>
  )
}

/** Takes a member out of a team. */
export function LeaveDialog({ team, onClose }: TeamDialogProps) {
  return (
    <DialogForm
      title={`移出队员：${team.teamName}`}
      call={teamApi.leave}
      initial={{}}
      submitText="移出"
      input={({ suId, reason }) => ({
        teamId: team.teamId,
        suId: suId as string,
        ...(reason ? { reason: reason as string } : {}),
      })}
      doneText="队员已移出"
      onClose={onClose}
    >
      <SelectField
        name="suId"
        label="队员"
        options={othersOf(team)}
        help="队长须先更换才能移出。已报名的队伍移出后不得少于每队最少人数，已评定的须重新评定。"
      />
      <AreaField name="reason" rows={2} placeholder="可不填，填写后告知该学生" />
    </DialogForm>
  )
}

/** Rates a whole team: one result and award, and the order by which it is shared out. */
export function TeamAwardDialog({ team, lesson, onClose }: TeamDialogProps & { lesson: LessonDetail }) {
  return (
    <DialogForm
      title={`整队评定：${team.teamName}`}
      call={teamApi.award}
      width={560}
      initial={{ laResult: resultStatus.passed, suIds: team.members.map(({ suId }) => suId) }}
      input={({ laResult, adId, suIds }) =>
        ({
          teamId: team.teamId,
          laResult,
          suIds,
          ...(laResult === resultStatus.awarded && adId ? { adId } : {}),
        }) as Input<typeof teamApi.award>
      }
      doneText={({ affected, failed }) =>
        `已评定 ${figure(affected)} 人${failed.length > 0 ? `，${failed.map(({ msg }) => msg).join('；')}` : ''}`
      }
      onClose={onClose}
    >
      <AwardFields lesson={lesson} isTeam />
      <Field
        name="suIds"
        label="队内名次"
        help="评价规则设有团队分配的，按名次分得各自的比例；没有设的，每名成员都按全额计。"
      >
        <Ranking members={team.members} />
      </Field>
    </DialogForm>
  )
}

function Ranking({
  members,
  value = [],
  onChange,
}: {
  members: TeamRow['members']
  value?: string[]
  onChange?: (suIds: string[]) => void
}) {
  const byId = new Map(members.map((member) => [member.suId, member]))
  return (
    <SortableList
      rows={value.flatMap((suId) => byId.get(suId) ?? [])}
      keyOf={({ suId }) => suId}
      nameOf={({ suiName }) => suiName}
      onChange={(rows) => onChange?.(rows.map(({ suId }) => suId))}
      label="队内名次"
    >
      {({ suiName, suiNumber }, at) => (
        <>
          第 {at + 1} 位　<b>{suiName}</b> <small className="nothing">{suiNumber}</small>
        </>
      )}
    </SortableList>
  )
}
