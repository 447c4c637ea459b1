import { figure } from '../../core/service/figure.ts'
import FullscreenOutlined from '@ant-design/icons/FullscreenOutlined'
import { Button, Input, Segmented, Select } from 'antd'
import { useEffect, useRef, useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import type { Output } from '../../../contract/core/call.ts'
import { yesNo } from '../../../contract/core/codes/platform.ts'
import { managedSigningApi } from '../../../contract/programme/lessons/managed-signing.calls.ts'
import { signingApi } from '../../../contract/programme/lessons/signing.calls.ts'
import { labelOf } from '../../core/service/dictionary-store.ts'
import { EmptyState } from '../../core/parts/empty-state.tsx'
import { useIsPhone } from '../../core/parts/use-width.ts'
import { notify } from '../../core/service/notice.tsx'
import { PageHead } from '../../core/screen/page-head.tsx'
import { ReadFailurePage } from '../../core/screen/read-failure.tsx'
import { useTabTitle } from '../../core/service/tab.ts'
import { useCall, useSend } from '../../core/service/use-call.ts'
import { useOutdated } from '../../core/service/use-outdated.ts'
import { ApiError } from '../../core/service/wire.ts'
import { ReadSkeleton } from '../../core/screen/read-skeleton.tsx'
import { lessonPaths } from './lesson-actions.tsx'
import { SignHints } from './sign-hints.tsx'
import { shortPeriod } from '../../shared/lessons/lesson-status.tsx'
import '../../shared/lessons/lessons.css'
import './sign-board.css'

type Board = Output<typeof signingApi.board>
const words = { in: '签到', out: '签退' } as const

/**
 * The screen in front of a hall: a code that changes, who came, and a field for a scanner that reads students' cards.
 */
export function SignBoardPage() {
  const [query] = useSearchParams()
  const liId = query.get('liId') ?? ''
  const [session, setSession] = useState<number>()
  const [direction, setDirection] = useState<'in' | 'out'>()
  const {
    data: board,
    isPending,
    dataUpdatedAt,
    error,
    refetch,
  } = useCall(
    signingApi.board,
    { liId, ...(session && { lseNo: session }), ...(direction && { direction }) },
    {
      keepPrevious: true,
      staleTime: 0,
      refetchOnWindowFocus: true,
      refetchInterval: (answer) => 1000 * Math.min(5, (answer as Board | undefined)?.leftSeconds ?? 5),
    },
  )
  const isOutdated = useOutdated(dataUpdatedAt, board?.picture ? board.every : undefined)
  useTabTitle(board && `签到大屏 · ${board.liName}`)
  const stage = useRef<HTMLDivElement>(null)
  if (isPending)
    return (
      <div className="page">
        <ReadSkeleton paragraph={{ rows: 10 }} />
      </div>
    )
  if (!board && !(error instanceof ApiError && error.kind === 'refused' && error.reason !== 'not-found'))
    return (
      <ReadFailurePage
        head={<PageHead title="签到大屏" />}
        reading={{ error, refetch }}
        noun="课程"
        list={lessonPaths.list}
      />
    )
  if (!board)
    return (
      <div className="page">
        <PageHead title="签到大屏" />
        <div className="card">
          <EmptyState
            text="现在不能签到"
            hint="签到尚未开放，或课程已提交结果。"
            next={<Link to={lessonPaths.participants(liId)}>回到参与人员</Link>}
          />
        </div>
      </div>
    )
  return (
    <div className="page">
      <PageHead
        title={
          <Link className="plain-title" to={lessonPaths.participants(liId)}>
            {board.liName}
          </Link>
        }
        facts={`签到大屏 · 已录取 ${figure(board.passCount)} 人`}
        tools={
          <>
            <OnPhone liId={liId} />
            {board.sessions.length > 1 && (
              <Select
                aria-label="场次"
                value={board.lseNo}
                onChange={setSession}
                options={board.sessions.map(({ lseNo, startTime, endTime }) => ({
                  value: lseNo,
                  label: `第 ${lseNo} 场 ${shortPeriod(startTime, endTime)}`,
                }))}
                popupMatchSelectWidth={false}
              />
            )}
            {board.signOutOn === yesNo.yes && (
              <Segmented
                aria-label="签到或签退"
                value={board.direction}
                onChange={setDirection}
                options={[
                  { value: 'in', label: '签到' },
                  { value: 'out', label: '签退' },
                ]}
              />
            )}
            <Button
              icon={<FullscreenOutlined />}
              onClick={() => void stage.current?.requestFullscreen().catch(() => undefined)}
            >
              全屏
            </Button>
          </>
        }
      />
      <div className="card sign-board" ref={stage}>
        {isOutdated ? <Stopped /> : <Code board={board} at={dataUpdatedAt} />}
        <Arrivals board={board} />
      </div>
      {board.code && <Scanner liId={liId} board={board} />}
      <SignHints liId={liId} />
    </div>
  )
}

/** On a phone, whoever the course names is led to the pages made for it: scanning students' codes, the list. */
function OnPhone({ liId }: { liId: string }) {
  const isPhone = useIsPhone()
  const { data } = useCall(managedSigningApi.managed, {}, { enabled: isPhone, quiet: true })
  if (!isPhone || !data?.some((one) => one.liId === liId)) return null
  return <Button href={`/m/signing/${liId}`}>扫学生码、改名单</Button>
}

function Code({ board, at }: { board: Board; at: number }) {
  const what = words[board.direction]
  if (!board.picture) {
    const early = board.now < board.opens
    return (
      <div className="sign-code sign-closed">
        <b>{early ? `${what}尚未开放` : `${what}已关闭`}</b>
        <p>
          {board.opens.slice(0, 16)} 至 {board.closes.slice(11, 16)} 开放
        </p>
        {!early && <p>未{what}的学生请由负责人在参与人员中登记</p>}
      </div>
    )
  }
  return (
    <div className="sign-code">
      <img src={board.picture} alt={`第 ${board.lseNo} 场${what}二维码，每 ${board.every} 秒更换`} />
      <p>
        <b>扫码{what}</b>
        <Countdown key={at} from={board.leftSeconds} />
      </p>
      {board.typed && (
        <p className="sign-typed">
          或输入密码{' '}
          <b>
            {board.typed.slice(0, 3)} {board.typed.slice(3)}
          </b>
        </p>
      )}
      <p>{board.closes.slice(11, 16)} 关闭</p>
    </div>
  )
}

/** Stands in place of a code that may no longer count. */
function Stopped() {
  return (
    <div className="sign-code sign-closed" role="alert">
      <b>没有网络，签到码已停止更新</b>
      <p>连上网络后自动恢复</p>
    </div>
  )
}

/** Seconds until the code changes, counted on this machine between two answers. */
function Countdown({ from }: { from: number }) {
  const [left, setLeft] = useState(from)
  useEffect(() => {
    const timer = setInterval(() => setLeft((now) => Math.max(0, now - 1)), 1000)
    return () => clearInterval(timer)
  }, [])
  return <span aria-hidden> · {left} 秒后更换</span>
}

function Arrivals({ board: { sessions, lseNo, direction, passCount, last } }: { board: Board }) {
  const session = sessions.find((one) => one.lseNo === lseNo)
  const done = direction === 'in' ? (session?.came ?? 0) : (session?.left ?? 0)
  return (
    <div className="sign-arrivals">
      <p className="sign-figure" role="status">
        <b>{figure(done)}</b>
        <span>
          {' '}
          / {figure(passCount)} 人已扫码{words[direction]}
        </span>
      </p>
      {session && (
        <p>
          第 {session.lseNo} 场 · {shortPeriod(session.startTime, session.endTime)} · {session.placeText}
        </p>
      )}
      <h2>最近{words[direction]}</h2>
      {last.length === 0 ? (
        <p className="nothing">还没有人{words[direction]}</p>
      ) : (
        <ul>
          {last.map(({ suiName, time }, at) => (
            <li key={at}>
              <span>{suiName}</span>
              <span className="figures">{time.slice(11, 19)}</span>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

/** Takes student numbers as they are typed or read from cards; each counts with the code that is on the screen. */
function Scanner({ liId, board }: { liId: string; board: Board }) {
  const [number, setNumber] = useState('')
  const { send, isSending } = useSend(signingApi.scan)
  const run = async () => {
    const suiNumber = number.trim()
    if (suiNumber === '') return
    // readers are faster than answers: the field is free for the next card at once
    setNumber('')
    await send({ liId, code: board.code!, suiNumber })
      .then(({ suiName, laSignStatus, direction }) =>
        notify('success', `${suiName}${direction === 'in' ? labelOf('sign_status', laSignStatus) : '已签退'}`),
      )
      .catch(() => undefined)
  }
  return (
    <div className="card sign-scanner">
      <label htmlFor="sign-number">代学生{words[board.direction]}</label>
      <Input
        id="sign-number"
        value={number}
        onChange={(event) => setNumber(event.target.value)}
        onPressEnter={() => void run()}
        placeholder="输入学号或用读卡器扫描校园卡，回车确认"
        autoComplete="off"
      />
      <Button
        type="primary"
        loading={isSending}
        disabled={number.trim() === ''}
        onClick={() => void run()}
        authority-type={signingApi.scan.permit}
      >
        {words[board.direction]}
      </Button>
    </div>
  )
}
