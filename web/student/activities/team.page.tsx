import { useState } from 'react'
import { useParams } from 'react-router'
import type { Output } from '../../../contract/core/call.ts'
import { teamStatus } from '../../../contract/core/codes/teams.ts'
import { quoted } from '../../../contract/core/quotes.ts'
import { ownTeamApi, type OwnTeam } from '../../../contract/student/teams.calls.ts'
import { labelOf } from '../../core/service/dictionary-store.ts'
import { notify } from '../../core/service/notice.tsx'
import { useCall, useSend } from '../../core/service/use-call.ts'
import { useConfirm } from '../parts/confirm.tsx'
import { TextField } from '../parts/fields.tsx'
import { Page } from '../parts/page.tsx'
import { Answered, Card, Chip } from '../parts/pieces.tsx'
import { applyTones } from './activity-words.ts'

type View = Output<typeof ownTeamApi.view>

/** The student's team in an activity: founded or joined by code, who is in it, what is missing, and what to do. */
export function TeamPage() {
  const { liId = '' } = useParams()
  const answer = useCall(ownTeamApi.view, { liId }, { keepPrevious: true })
  return (
    <Page title="组队报名">
      <Answered of={answer}>
        {(view) => (view.team ? <Team liId={liId} team={view.team} /> : <Forming liId={liId} view={view} />)}
      </Answered>
    </Page>
  )
}

const sizeText = ({ teamMin, teamMax }: View): string =>
  teamMin === teamMax ? `每队 ${teamMin ?? 1} 人` : `每队 ${teamMin ?? 1} 至 ${teamMax ?? '若干'} 人`

/** For whoever is in no team yet. */
function Forming({ liId, view }: { liId: string; view: View }) {
  const [teamName, setName] = useState('')
  const [joinCode, setCode] = useState('')
  const found = useSend(ownTeamApi.found)
  const join = useSend(ownTeamApi.join)
  if (view.verdict)
    return (
      <p className="s-verdict" role="status">
        {view.verdict}
      </p>
    )
  return (
    <>
      <p className="s-note">
        {quoted(view.liName)}按团队报名，{sizeText(view)}。
      </p>
      <Card title="凭邀请码加入">
        <form
          onSubmit={(event) => {
            event.preventDefault()
            void join.send({ liId, joinCode }).then(
              (answer) => notify('success', `已加入队伍${quoted(answer.teamName)}`),
              () => undefined,
            )
          }}
        >
          <TextField
            label="邀请码"
            required
            maxLength={20}
            autoComplete="off"
            value={joinCode}
            onChange={setCode}
            help="8 位字母和数字，由队长告诉您"
          />
          <button type="submit" className="s-button s-primary s-wide" disabled={join.isSending}>
            加入队伍
          </button>
        </form>
      </Card>
      <Card title="创建队伍">
        <form
          onSubmit={(event) => {
            event.preventDefault()
            void found.send({ liId, teamName }).then(
              () => notify('success', '队伍已创建，请把邀请码告诉队员'),
              () => undefined,
            )
          }}
        >
          <TextField
            label="队名"
            required
            maxLength={30}
            value={teamName}
            onChange={setName}
            help="创建后您是队长，人数够了由您确认报名"
          />
          <button type="submit" className="s-button s-wide" disabled={found.isSending}>
            创建队伍
          </button>
        </form>
      </Card>
    </>
  )
}

function Team({ liId, team }: { liId: string; team: OwnTeam }) {
  const { teamName, laStatus, waitNo, joinCode, blocks, refuseReason } = team
  const isForming = team.teamStatus === teamStatus.forming
  return (
    <>
      <Card
        title={teamName}
        note={
          laStatus ? (
            <Chip tone={applyTones[laStatus] ?? 'draft'}>{labelOf('apply_status', laStatus)}</Chip>
          ) : (
            <Chip tone="draft">{labelOf('team_status', team.teamStatus)}</Chip>
          )
        }
      >
        {waitNo !== null && <p>{`全队候补第 ${waitNo} 位，有名额空出时自动录取并通知全队。`}</p>}
        {refuseReason && <p>{`上次未通过：${refuseReason}`}</p>}
        {blocks.map((block) => (
          <p key={block}>{block}</p>
        ))}
        {isForming && blocks.length === 0 && <p>人数已够，由队长确认后即为全队报名。</p>}
        {joinCode && (
          <p>
            邀请码 <strong className="s-code">{joinCode}</strong>
          </p>
        )}
      </Card>
      <Members liId={liId} team={team} />
      <Acts liId={liId} team={team} />
    </>
  )
}

function Members({ liId, team: { members, can } }: { liId: string; team: OwnTeam }) {
  const [open, setOpen] = useState<number>()
  const { ask, question } = useConfirm()
  const remove = useSend(ownTeamApi.remove)
  const captain = useSend(ownTeamApi.captain)
  const isMine = can.includes('captain') || can.includes('remove')
  return (
    <Card title="队员" note={`${members.length} 人`}>
      <ul className="s-list">
        {members.map(({ memberRank, suiName, collegeName, isCaptain, isMe }) => (
          <li key={memberRank}>
            <div className="s-row">
              <span className="s-row-text">
                <strong>
                  {suiName}
                  {isMe && '（我）'}
                </strong>
                <small>{collegeName}</small>
              </span>
              {isCaptain && <Chip tone="published">队长</Chip>}
              {isMine && !isMe && (
                <button
                  type="button"
                  className="s-button"
                  aria-expanded={open === memberRank}
                  aria-label={`管理${suiName}`}
                  disabled={question !== undefined}
                  onClick={() => setOpen(open === memberRank ? undefined : memberRank)}
                >
                  管理
                </button>
              )}
            </div>
            {open === memberRank &&
              (question ?? (
                <div className="s-acts">
                  {can.includes('captain') && (
                    <button
                      type="button"
                      className="s-button"
                      onClick={() =>
                        ask({
                          name: '移交队长',
                          text: `移交后由${suiName}确认报名、管理队员，您不再是队长。移交给${suiName}？`,
                          run: async () => {
                            await captain.send({ liId, memberRank })
                            setOpen(undefined)
                            notify('success', `${suiName}现在是队长`)
                          },
                        })
                      }
                    >
                      移交队长
                    </button>
                  )}
                  {can.includes('remove') && (
                    <button
                      type="button"
                      className="s-button"
                      onClick={() =>
                        ask({
                          name: '移出队伍',
                          text: `把${suiName}移出队伍？再次加入须重新使用邀请码。`,
                          run: async () => {
                            await remove.send({ liId, memberRank })
                            setOpen(undefined)
                            notify('success', `已移出${suiName}`)
                          },
                        })
                      }
                    >
                      移出队伍
                    </button>
                  )}
                </div>
              ))}
          </li>
        ))}
      </ul>
    </Card>
  )
}

/** What is done to the whole team; giving it up is asked once more. */
function Acts({ liId, team: { can, teamName } }: { liId: string; team: OwnTeam }) {
  const { ask, question } = useConfirm()
  const confirm = useSend(ownTeamApi.confirm)
  const renew = useSend(ownTeamApi.renewCode)
  const leave = useSend(ownTeamApi.leave)
  const dissolve = useSend(ownTeamApi.dissolve)
  const dissolving = can.includes('cancel') ? '取消整队报名' : '解散队伍'
  if (question) return question
  return (
    <div className="s-acts">
      {can.includes('confirm') && (
        <button
          type="button"
          className="s-button s-primary"
          disabled={confirm.isSending}
          onClick={() =>
            void confirm.send({ liId }).then(
              ({ laStatus }) => notify('success', `全队已报名：${labelOf('apply_status', laStatus)}`),
              () => undefined,
            )
          }
        >
          确认报名
        </button>
      )}
      {can.includes('code') && (
        <button
          type="button"
          className="s-button"
          disabled={renew.isSending}
          onClick={() =>
            void renew.send({ liId }).then(
              () => notify('success', '邀请码已更换，原来的不再有效'),
              () => undefined,
            )
          }
        >
          更换邀请码
        </button>
      )}
      {can.includes('leave') && (
        <button
          type="button"
          className="s-button"
          onClick={() =>
            ask({
              name: '退出队伍',
              text: `退出${quoted(teamName)}？`,
              run: async () => {
                await leave.send({ liId })
                notify('success', '已退出队伍')
              },
            })
          }
        >
          退出队伍
        </button>
      )}
      {(can.includes('dissolve') || can.includes('cancel')) && (
        <button
          type="button"
          className="s-button"
          onClick={() =>
            ask({
              name: dissolving,
              text: `${dissolving}？全队都不再参加，名额让给候补。`,
              run: async () => {
                await dissolve.send({ liId })
                notify('success', `已${dissolving}`)
              },
            })
          }
        >
          {dissolving}
        </button>
      )}
    </div>
  )
}
