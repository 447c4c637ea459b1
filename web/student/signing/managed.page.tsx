import { useDeferredValue, useRef, useState } from 'react'
import { useParams } from 'react-router'
import type { Output } from '../../../contract/core/call.ts'
import { yesNo } from '../../../contract/core/codes/platform.ts'
import { managedSigningApi } from '../../../contract/programme/lessons/managed-signing.calls.ts'
import { useSession } from '../../app/session.ts'
import { labelOf } from '../../core/service/dictionary-store.ts'
import { useCall, useSend } from '../../core/service/use-call.ts'
import { useOutdated } from '../../core/service/use-outdated.ts'
import { isStaff } from '../held.ts'
import { useLeave } from '../me/use-leave.ts'
import { spanText } from '../activities/activity-words.ts'
import { TextField } from '../parts/fields.tsx'
import { Page } from '../parts/page.tsx'
import { Answered, Card, LinkRow, StoppedCode, Tabs } from '../parts/pieces.tsx'
import { Camera } from './camera.tsx'
import { SignedPeople } from './signed-people.tsx'
import { useAwake } from './use-awake.ts'
import { figure } from '../../core/service/figure.ts'

type Board = Output<typeof managedSigningApi.board>
type Direction = Board['direction']
const words = { in: '签到', out: '签退' } as const
const directions = [
  ['in', '签到'],
  ['out', '签退'],
] as const

/** The activities at whose sign-in somebody helps; for staff it is all that this side has. */
export function ManagedPage() {
  const profile = useSession()?.profile
  const forStaff = profile !== undefined && isStaff(profile)
  const answer = useCall(managedSigningApi.managed, {}, { quiet: true })
  return (
    <Page title="我负责签到的活动" isRoot={forStaff}>
      <Answered
        of={answer}
        isEmpty={(rows) => rows.length === 0}
        empty={
          forStaff
            ? '现在没有由您负责签到的活动。课程把您设为签到负责人、指导老师或负责人，从开始前到结束后三天在这里。'
            : '现在没有由您负责签到的活动'
        }
      >
        {(rows) => (
          <nav className="s-card" aria-label="我负责签到的活动">
            {rows.map(({ liId, liName, startTime, endTime, placeText, passCount, signCount, verdict }) => (
              <LinkRow
                key={liId}
                to={`/signing/${liId}`}
                title={liName}
                note={
                  <>
                    {spanText(startTime, endTime)}
                    {placeText && `，${placeText}`}
                    <br />
                    {verdict || `已签到 ${figure(signCount)} / ${figure(passCount)} 人`}
                  </>
                }
              />
            ))}
          </nav>
        )}
      </Answered>
      {forStaff && <StaffFoot name={profile.suNickname} />}
    </Page>
  )
}

/** Who of the staff is signed in, and the ways from here: all other work is in the console. */
function StaffFoot({ name }: { name: string }) {
  const { leave, question } = useLeave()
  return (
    <section className="s-card" aria-label="账号">
      <p>{name}，您正在手机端管理签到。报名、审批、结果等请在管理端处理。</p>
      {question ?? (
        <div className="s-acts">
          <a className="s-button" href="/">
            打开管理端
          </a>
          <button type="button" className="s-button" onClick={leave}>
            退出登录
          </button>
        </div>
      )}
    </section>
  )
}

const views = [
  ['code', '签到码'],
  ['scan', '扫学生码'],
  ['people', '名单'],
] as const

/** The sign-in of one activity: the code for those who come, scanning theirs, and the list. */
export function ManagedActivityPage() {
  const { liId = '' } = useParams()
  const [view, setView] = useState<(typeof views)[number][0]>('code')
  const [direction, setDirection] = useState<Direction>()
  const [lseNo, setSession] = useState<number>()
  const answer = useCall(
    managedSigningApi.board,
    { liId, ...(lseNo && { lseNo }), ...(direction && { direction }) },
    {
      keepPrevious: true,
      staleTime: 0,
      quiet: true,
      refetchOnWindowFocus: true,
      refetchInterval: (last) => 1000 * Math.min(5, (last as Board | undefined)?.leftSeconds ?? 5),
    },
  )
  const isOutdated = useOutdated(answer.dataUpdatedAt, answer.data?.picture ? answer.data.every : undefined)
  const managed = useCall(managedSigningApi.managed, {}, { quiet: true, enabled: answer.isError })
  const verdict = managed.data?.find((one) => one.liId === liId)?.verdict
  return (
    <Page title={answer.data?.liName ?? '签到管理'}>
      <Tabs of={views} value={view} onChange={setView} label="签到方式" />
      {answer.isError && verdict ? (
        <p className="s-empty">{verdict}</p>
      ) : (
        <Answered of={answer}>
          {(board) => (
            <>
              {board.sessions.length > 1 && (
                <Tabs
                  of={board.sessions.map((one) => [String(one.lseNo), `第 ${one.lseNo} 场`] as const)}
                  value={String(board.lseNo)}
                  onChange={(next) => setSession(Number(next))}
                  label="场次"
                />
              )}
              {board.signOutOn === yesNo.yes && view !== 'people' && (
                <Tabs of={directions} value={board.direction} onChange={setDirection} label="签到或签退" />
              )}
              {view === 'code' && (isOutdated ? <StoppedCode onRetry={answer.refetch} /> : <ShownCode board={board} />)}
              {view === 'scan' && <Scanning liId={liId} board={board} />}
              {view === 'people' && <PeopleView liId={liId} board={board} />}
            </>
          )}
        </Answered>
      )}
    </Page>
  )
}

/** The code for those who come, as large as the screen has room for. */
function ShownCode({ board }: { board: Board }) {
  useAwake()
  const stage = useRef<HTMLDivElement>(null)
  const what = words[board.direction]
  const session = board.sessions.find(({ lseNo }) => lseNo === board.lseNo)
  const came = (board.direction === 'in' ? session?.came : session?.left) ?? 0
  if (!board.picture)
    return (
      <p className="s-empty">
        {board.now < board.opens ? `${what}尚未开放` : `${what}已关闭`}：{board.opens.slice(5, 16)} 至{' '}
        {board.closes.slice(11, 16)} 开放
      </p>
    )
  return (
    <>
      <div className="s-qr" ref={stage}>
        <img src={board.picture} alt={`${what}码，每 ${board.every} 秒更换`} />
        {board.typed && (
          <p className="s-typed">
            {board.typed.slice(0, 3)} {board.typed.slice(3)}
          </p>
        )}
        <p role="status">
          <strong>{figure(came)}</strong> / {figure(board.passCount)} 人已扫码{what}，{board.closes.slice(11, 16)} 关闭
        </p>
      </div>
      <button
        type="button"
        className="s-button s-wide"
        onClick={() => void stage.current?.requestFullscreen?.().catch(() => undefined)}
      >
        全屏显示
      </button>
    </>
  )
}

/** Scans the codes of those who stand before the manager, one after the other, or takes their numbers. */
function Scanning({ liId, board: { lseNo, direction } }: { liId: string; board: Board }) {
  const [number, setNumber] = useState('')
  const [outcome, setOutcome] = useState<{ isGood: boolean; text: string }>()
  const { send, isSending } = useSend(managedSigningApi.scan)
  const take = (scanned: string) =>
    send({ liId, lseNo, direction, scanned: scanned.trim() }, { quiet: true }).then(
      ({ suiName, suiNumber, laSignStatus }) =>
        setOutcome({
          isGood: true,
          text: `${suiName} ${suiNumber}：${direction === 'in' ? labelOf('sign_status', laSignStatus) : '已签退'}`,
        }),
      (error: unknown) =>
        setOutcome({ isGood: false, text: error instanceof Error ? error.message : '没有成功，请重试' }),
    )
  return (
    <>
      {outcome && (
        <div className={outcome.isGood ? 's-outcome s-outcome-good' : 's-outcome s-outcome-bad'} role="alert">
          <p>{outcome.text}</p>
        </div>
      )}
      <Card title="扫描学生手机上的签到码">
        <Camera staysOn onFound={(text) => void take(text)} />
        <p className="s-note">学生在“签到”页打开“我的签到码”</p>
      </Card>
      <Card title="输入学号">
        <form
          onSubmit={(event) => {
            event.preventDefault()
            void take(number).then(() => setNumber(''))
          }}
        >
          <TextField label="学号" required autoComplete="off" value={number} onChange={setNumber} />
          <button type="submit" className="s-button s-primary s-wide" disabled={isSending}>
            {words[direction]}
          </button>
        </form>
      </Card>
    </>
  )
}

function PeopleView({ liId, board }: { liId: string; board: Board }) {
  const [typed, setTyped] = useState('')
  const search = useDeferredValue(typed.trim())
  return (
    <>
      <p className="s-note" role="status">
        已签到 {figure(board.signCount)} / {figure(board.passCount)} 人
      </p>
      <TextField label="按姓名或学号查找" type="search" value={typed} onChange={setTyped} />
      <SignedPeople liId={liId} search={search} />
    </>
  )
}
