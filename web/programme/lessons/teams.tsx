import { useState } from 'react'
import { quoted } from '../../../contract/core/quotes.ts'
import { teamStatus } from '../../../contract/core/codes/teams.ts'
import type { LessonDetail } from '../../../contract/programme/lessons/lessons.schema.ts'
import { teamApi, type TeamRow } from '../../../contract/programme/lessons/teams.calls.ts'
import { ExportButton } from '../../core/action/export.tsx'
import type { Column } from '../../core/list/columns.tsx'
import { DictionaryFilter, TextFilter } from '../../core/list/filters.tsx'
import { ListTable } from '../../core/list/list-table.tsx'
import { useList } from '../../core/list/use-list.ts'
import { DictionaryChip, type ChipTone } from '../../core/parts/status-chip.tsx'
import { labelOf } from '../../core/service/dictionary-store.ts'
import { applyTones, resultTones, signTones } from '../../shared/lessons/participant-columns.tsx'
import { teamActions, type TeamDialog } from './team-actions.tsx'
import { CaptainDialog, LeaveDialog, TeamAwardDialog } from './team-dialogs.tsx'

const teamTones: Record<string, ChipTone> = {
  [teamStatus.forming]: 'waiting',
  [teamStatus.confirmed]: 'finished',
}

/** The teams of a course: who is in which, what each still lacks, and all that can be done about it. */
export function Teams({ lesson }: { lesson: LessonDetail }) {
  const list = useList(teamApi.view, { fixed: { liId: lesson.liId }, under: 'teams' })
  const [open, setOpen] = useState<{ dialog: TeamDialog; team: TeamRow }>()
  const acts = teamActions((dialog, team) => setOpen({ dialog, team }))
  const close = () => setOpen(undefined)
  return (
    <>
      {lesson.can.includes('export') && (
        <div className="participants-part participants-tools">
          <ExportButton to={teamApi.exportList} list={list} />
        </div>
      )}
      <ListTable
        list={list}
        rowKey="teamId"
        name="teams"
        filters={
          <>
            <TextFilter name="teamName" label="队名" />
            <TextFilter name="suiNumber" label="队员学号" />
            <DictionaryFilter name="teamStatus" label="状态" type="team_status" />
          </>
        }
        columns={columnsFor(lesson)}
        rowActions={acts.row}
        batchActions={acts.batch}
        expand={(team) => <Members team={team} />}
        empty={{
          text: '还没有队伍',
          hint: lesson.can.includes('register') ? '可新建队伍，或在导入名单时填写“队伍”一列。' : '发布后可以组队报名。',
        }}
      />
      {open?.dialog === 'captain' && <CaptainDialog team={open.team} onClose={close} />}
      {open?.dialog === 'leave' && <LeaveDialog team={open.team} onClose={close} />}
      {open?.dialog === 'award' && <TeamAwardDialog team={open.team} lesson={lesson} onClose={close} />}
    </>
  )
}

const columnsFor = ({ teamMin, teamMax }: LessonDetail): Column<TeamRow>[] => [
  { title: '队名', dataIndex: 'teamName', width: 150, fixed: 'left', sorter: true },
  {
    title: '状态',
    dataIndex: 'teamStatus',
    width: 128,
    render: (value: string, { laStatus, waitNo }) =>
      laStatus === null ? (
        <DictionaryChip type="team_status" value={value} tones={teamTones} />
      ) : (
        <>
          <DictionaryChip type="apply_status" value={laStatus} tones={applyTones} />
          {waitNo !== null && <small className="wait-no"> 第 {waitNo} 位</small>}
        </>
      ),
  },
  { title: '队长', dataIndex: 'captainName', width: 96 },
  {
    title: '人数',
    dataIndex: 'memberCount',
    width: 110,
    render: (value: number) => (
      <>
        {value} 人 <small className="nothing">限 {teamMin === teamMax ? teamMax : `${teamMin}–${teamMax}`}</small>
      </>
    ),
  },
  {
    title: '邀请码',
    dataIndex: 'joinCode',
    width: 116,
    render: (value: string) => (value ? <code>{value}</code> : <span className="nothing">—</span>),
  },
  { title: '说明', key: 'note', render: (_: unknown, team) => <TeamNote team={team} /> },
  {
    title: '建队时间',
    dataIndex: 'createTime',
    width: 152,
    sorter: true,
    hiddenAtFirst: true,
    render: (value: string) => value.slice(0, 16),
  },
]

/** What a team still lacks, or who is in it. */
function TeamNote({ team: { teamStatus: status, blocks, refuseReason, members } }: { team: TeamRow }) {
  if (status === teamStatus.withdrawn) return <span className="nothing">—</span>
  const lacks = [...(refuseReason ? [`上次未通过：${refuseReason}`] : []), ...blocks]
  return (
    <>
      {lacks.length > 0 && <span className="hint-warning">{lacks.join('；')}</span>}
      {lacks.length === 0 && <span>{members.map(({ suiName }) => suiName).join('、')}</span>}
      {lacks.length === 0 && status === teamStatus.forming && <small className="nothing"> 可以确认</small>}
    </>
  )
}

/** The members of a team in the order of their ranks. */
function Members({ team: { members, teamName } }: { team: TeamRow }) {
  return (
    <div className="table-scroll" tabIndex={0} role="region" aria-label={`队伍${quoted(teamName)}的队员`}>
      <table className="small-table team-members">
        <thead>
          <tr>
            <th>名次</th>
            <th>姓名</th>
            <th>学号</th>
            <th>身份</th>
            <th>学院</th>
            <th>签到</th>
            <th>结果</th>
            <th className="figures">学时</th>
          </tr>
        </thead>
        <tbody>
          {members.map(({ suId, teamRank, suiName, suiNumber, teamRole, collegeName, ...row }) => (
            <tr key={suId}>
              <td>{teamRank}</td>
              <td>{suiName}</td>
              <td>{suiNumber}</td>
              <td>{labelOf('team_role', teamRole)}</td>
              <td>{collegeName}</td>
              <td>
                <DictionaryChip type="sign_status" value={row.laSignStatus} tones={signTones} />
              </td>
              <td>
                {row.awardName || <DictionaryChip type="result_status" value={row.laResult} tones={resultTones} />}
              </td>
              <td className="figures">{row.laHours}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
