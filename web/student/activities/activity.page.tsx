import { useState } from 'react'
import { Link, useParams } from 'react-router'
import { applyStatus, applyWay } from '../../../contract/core/codes/programme.ts'
import { quoted } from '../../../contract/core/quotes.ts'
import { ownActivityApi, type Activity } from '../../../contract/student/activities.calls.ts'
import { labelOf } from '../../core/service/dictionary-store.ts'
import { notify } from '../../core/service/notice.tsx'
import { useCall, useSend } from '../../core/service/use-call.ts'
import { AreaField, TextField } from '../parts/fields.tsx'
import { Page } from '../parts/page.tsx'
import { Answered, Card, Chip, Facts } from '../parts/pieces.tsx'
import { RichText } from '../parts/rich-text.tsx'
import { WorkCard } from './work-card.tsx'
import { Stars } from './stars.tsx'
import { applyTones, decidedBy, spanText } from './activity-words.ts'
import { figure } from '../../core/service/figure.ts'

/** One activity: what it is, how the student stands to it, and what they can do. */
export function ActivityPage() {
  const { liId = '' } = useParams()
  const answer = useCall(ownActivityApi.detail, { liId }, { keepPrevious: true })
  return (
    <Page
      title={answer.data?.liName ?? '活动'}
      foot={answer.data && hasFoot(answer.data) && <Foot activity={answer.data} />}
    >
      <Answered of={answer}>{(activity) => <Body activity={activity} />}</Answered>
    </Page>
  )
}

/** Stars and works stand on the page itself. */
const hasFoot = ({ can, verdict }: Activity): boolean =>
  can.some((act) => act !== 'rate' && act !== 'work') || verdict !== ''

function Body({ activity }: { activity: Activity }) {
  const { laStatus, waitNo, refuseReason, sessions } = activity
  return (
    <>
      {laStatus !== null && (
        <Card
          title="我的报名"
          note={<Chip tone={applyTones[laStatus] ?? 'draft'}>{labelOf('apply_status', laStatus)}</Chip>}
        >
          {laStatus === applyStatus.waitlisted && waitNo !== null && (
            <p>{`候补第 ${waitNo} 位，有名额空出时自动录取并通知您。`}</p>
          )}
          {laStatus === applyStatus.pending && <p>等待活动负责人审核，结果会通知您。</p>}
          {refuseReason && <p>{`原因：${refuseReason}`}</p>}
          <Facts of={activity.answers.map(({ question, answer }) => [question, answer] as const)} />
        </Card>
      )}
      {activity.clashes.length > 0 && (
        <Card title="时间提示">
          {activity.clashes.map((text) => (
            <p key={text}>{text}</p>
          ))}
          <p className="s-note">报名前请确认能够参加。</p>
        </Card>
      )}
      <WorkCard activity={activity} />
      <Stars activity={activity} />
      <Card title="活动安排">
        <Facts
          of={[
            ['时间', spanText(activity.startTime, activity.endTime)],
            ['地点', activity.placeText],
            ['主办', activity.collegeName],
            ['负责人', activity.principalName],
            ['联系人', activity.contactName],
          ]}
        />
        {sessions.length > 1 && (
          <ul className="s-list">
            {sessions.map(({ lseNo, startTime, endTime, placeText, signInTime }) => (
              <li key={lseNo} className="s-row">
                <span className="s-row-text">
                  <strong>{`第 ${lseNo} 场`}</strong>
                  <small>
                    {spanText(startTime, endTime)}
                    {placeText && `，${placeText}`}
                  </small>
                </span>
                {signInTime && <Chip tone="finished">已签到</Chip>}
              </li>
            ))}
          </ul>
        )}
      </Card>
      <Card title="计入与录取">
        <Facts
          of={[
            ['模块', activity.lsName],
            ['级别', activity.levelName],
            ['学时', activity.hours],
            ['学分', activity.credit],
            ['名额', `${figure(activity.quota)}，已录取 ${figure(activity.passCount)}`],
            ['录取方式', decidedBy[activity.applyWay] ?? ''],
            ['报名时间', applyTime(activity)],
            ['签退', activity.signOutOn ? '需要签退' : ''],
            ...activity.conditions.map(({ label, text }) => [label, text] as const),
            ['取消与缺席', activity.applyWay === applyWay.noRegistration ? '' : activity.leaving],
          ]}
        />
      </Card>
      {activity.liIntro && (
        <Card title="活动介绍">
          <RichText html={activity.liIntro} />
        </Card>
      )}
    </>
  )
}

function applyTime({ applyStart, applyEnd, startTime }: Activity): string {
  const end = (applyEnd ?? startTime).slice(5, 16)
  return applyStart ? `${applyStart.slice(5, 16)} 至 ${end}` : `至 ${end}`
}

function Foot({ activity }: { activity: Activity }) {
  const { liId, liName, can, verdict, laStatus } = activity
  const [asked, setAsked] = useState<'cancel' | 'leave' | 'join'>()
  const join = useSend(ownActivityApi.join)
  if (asked === 'join') return <Answering activity={activity} onDone={() => setAsked(undefined)} />
  if (asked) return <Going activity={activity} kind={asked} onDone={() => setAsked(undefined)} />
  if (verdict)
    return (
      <p className="s-verdict" role="status">
        {verdict}
      </p>
    )
  return (
    <div className="s-acts">
      {can.includes('join') && (
        <button
          type="button"
          className="s-button s-primary s-wide"
          disabled={join.isSending}
          onClick={() =>
            activity.questions.length > 0
              ? setAsked('join')
              : void join.send({ liId, answers: [] }).then(
                  (answer) => notify('success', joined(liName, answer.laStatus, answer.waitNo)),
                  () => undefined,
                )
          }
        >
          {join.isSending ? '正在报名…' : laStatus === null ? '报名' : '重新报名'}
        </button>
      )}
      {can.includes('sign') && (
        <Link className="s-button s-primary" to={`/sign?liId=${liId}`}>
          签到
        </Link>
      )}
      {can.includes('team') && (
        <Link className={laStatus === null ? 's-button s-primary s-wide' : 's-button'} to={`/activities/${liId}/team`}>
          {laStatus === null ? '组队报名' : '我的队伍'}
        </Link>
      )}
      {can.includes('leave') && (
        <button type="button" className="s-button" onClick={() => setAsked('leave')}>
          请假
        </button>
      )}
      {can.includes('cancel') && (
        <button type="button" className="s-button" onClick={() => setAsked('cancel')}>
          取消报名
        </button>
      )}
    </div>
  )
}

const joined = (name: string, laStatus: string, waitNo: number | null): string =>
  laStatus === applyStatus.accepted
    ? `已录取${quoted(name)}`
    : laStatus === applyStatus.waitlisted
      ? `名额已满，候补第 ${waitNo ?? '?'} 位`
      : '已报名，等待录取'

/** What the organiser asks; every question is answered before the registration goes. */
function Answering({ activity: { liId, liName, questions }, onDone }: { activity: Activity; onDone: () => void }) {
  const [answers, setAnswers] = useState<Record<string, string>>({})
  const join = useSend(ownActivityApi.join)
  return (
    <form
      className="s-going"
      aria-label="报名附加问题"
      onSubmit={(event) => {
        event.preventDefault()
        void join
          .send({ liId, answers: questions.map((question) => ({ question, answer: answers[question] ?? '' })) })
          .then(
            (answer) => {
              notify('success', joined(liName, answer.laStatus, answer.waitNo))
              onDone()
            },
            () => undefined,
          )
      }}
    >
      {questions.map((question) => (
        <TextField
          key={question}
          label={question}
          required
          maxLength={500}
          value={answers[question] ?? ''}
          onChange={(answer) => setAnswers({ ...answers, [question]: answer })}
        />
      ))}
      <div className="s-acts">
        <button type="button" className="s-button" onClick={onDone}>
          返回
        </button>
        <button type="submit" className="s-button s-primary" disabled={join.isSending}>
          {join.isSending ? '正在报名…' : '提交报名'}
        </button>
      </div>
    </form>
  )
}

/** Asks once more before a place is given up; a leave wants its reason. */
function Going({
  activity: { liId },
  kind,
  onDone,
}: {
  activity: Activity
  kind: 'cancel' | 'leave'
  onDone: () => void
}) {
  const [reason, setReason] = useState('')
  const cancel = useSend(ownActivityApi.cancel)
  const leave = useSend(ownActivityApi.leave)
  const isSending = cancel.isSending || leave.isSending
  const go = () => (kind === 'cancel' ? cancel.send({ liId }) : leave.send({ liId, reason }))
  return (
    <form
      className="s-going"
      onSubmit={(event) => {
        event.preventDefault()
        void go().then(
          () => {
            notify('success', kind === 'cancel' ? '已取消报名' : '已请假')
            onDone()
          },
          () => undefined,
        )
      }}
    >
      {kind === 'cancel' ? (
        <p>取消后名额让给候补的同学，再次报名须重新排队。</p>
      ) : (
        <AreaField label="请假原因" required value={reason} onChange={setReason} maxLength={200} help="不少于 5 个字" />
      )}
      <div className="s-acts">
        <button type="button" className="s-button" onClick={onDone}>
          返回
        </button>
        <button type="submit" className="s-button s-primary" disabled={isSending}>
          {kind === 'cancel' ? '确认取消' : '确认请假'}
        </button>
      </div>
    </form>
  )
}
