import { useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { ownActivityApi } from '../../../contract/student/activities.calls.ts'
import { managedSigningApi } from '../../../contract/programme/lessons/managed-signing.calls.ts'
import { useSession } from '../../app/session.ts'
import { notify } from '../../core/service/notice.tsx'
import { useCall, useSend } from '../../core/service/use-call.ts'
import { currentPosition } from '../../core/service/current-position.ts'
import { ApiError, mayComeLater } from '../../core/service/wire.ts'
import { TextField } from '../parts/fields.tsx'
import { Page } from '../parts/page.tsx'
import { Card, LinkRow } from '../parts/pieces.tsx'
import { Camera } from './camera.tsx'
import {
  deviceId,
  forgetTold,
  keepScan,
  placeScan,
  provesItsTime,
  useKeptScans,
  wallClock,
  wantsPlace,
} from './kept-scans.ts'
import { hasPlaceConsent, keepPlaceConsent } from './place.ts'

const noPlace = '该活动须在现场签到，没有取得位置。请在浏览器设置中允许读取位置后重试'

type Place = { lng: number; lat: number }
type Outcome = { isGood: boolean; text: string; liId?: string }

/**
 * Signs in by the code on the screen, scanned or typed, and tells at once whether it counted. Without network a scanned
 * code is kept and handed in later.
 */
export function SignPage() {
  const [query] = useSearchParams()
  const liId = query.get('liId') ?? undefined
  const suId = useSession()?.profile.id ?? ''
  const [code, setCode] = useState(query.get('code') ?? '')
  const [outcome, setOutcome] = useState<Outcome>()
  /** A code that waits until the student has agreed that their place is read. */
  const [asks, setAsks] = useState<{ code: string; at: number }>()
  const activity = useCall(ownActivityApi.detail, { liId: liId ?? '' }, { enabled: liId !== undefined, quiet: true })
  const managed = useCall(managedSigningApi.managed, {}, { quiet: true })
  const sign = useSend(ownActivityApi.sign)
  const bad = (text: string) => setOutcome({ isGood: false, text })

  const deliver = async (scanned: string, at: number, place: Place | undefined) => {
    const answer = await sign.send(
      {
        code: scanned,
        device: deviceId(),
        // a code of the screen that takes long on the way still counts as of the scan
        ...(provesItsTime(scanned) && { scannedAt: wallClock(at) }),
        ...(liId && { liId }),
        ...place,
      },
      { quiet: true },
    )
    setOutcome({ isGood: true, text: `${answer.liName}：${answer.text}`, liId: answer.liId })
  }
  const submit = async (text: string, at = Date.now(), consents = hasPlaceConsent(suId)) => {
    const scanned = text.trim()
    setAsks(undefined)
    setOutcome(undefined)
    if (activity.data?.needsPlace && !consents) return setAsks({ code: scanned, at })
    const place = activity.data?.needsPlace ? await currentPosition() : undefined
    if (activity.data?.needsPlace && !place) return bad(noPlace)
    try {
      try {
        await deliver(scanned, at, place)
      } catch (error) {
        if (!(error instanceof ApiError) || error.reason !== 'position-needed' || place) throw error
        if (!consents) return setAsks({ code: scanned, at })
        const found = await currentPosition()
        if (!found) return bad(noPlace)
        await deliver(scanned, at, found)
      }
    } catch (error) {
      if (!(error instanceof ApiError)) return bad('签到没有成功，请重试')
      if (!mayComeLater(error)) return bad(error.message)
      if (!provesItsTime(scanned))
        return bad('没有网络，或服务暂时不可用。数字签到码和印刷的签到码须联网提交，请稍后重试')
      keepScan({ suId, code: scanned, liId, ...place, scannedMs: at })
      // nobody could say whether the place counts: who has agreed once gives it, when the code is safe
      if (place || !consents || activity.data?.needsPlace === false) return
      const found = await currentPosition()
      if (found) placeScan(suId, at, found)
    }
  }

  return (
    <Page title={activity.data ? `签到：${activity.data.liName}` : '签到'}>
      {outcome && (
        <div className={outcome.isGood ? 's-outcome s-outcome-good' : 's-outcome s-outcome-bad'} role="alert">
          <p>{outcome.text}</p>
          {outcome.liId && <Link to={`/activities/${outcome.liId}`}>查看活动</Link>}
        </div>
      )}
      <KeptScans suId={suId} />
      {asks && (
        <PlaceQuestion
          onBack={() => setAsks(undefined)}
          onAgree={() => {
            keepPlaceConsent(suId)
            return submit(asks.code, asks.at, true)
          }}
        />
      )}
      <Card title="扫描屏幕上的签到码">
        <Camera onFound={(text) => void submit(text)} />
      </Card>
      <Card title="输入签到码">
        <form
          onSubmit={(event) => {
            event.preventDefault()
            void submit(code)
          }}
        >
          <TextField
            label="屏幕上的数字"
            required
            autoComplete="off"
            value={code}
            onChange={setCode}
            help={liId ? undefined : '输入数字前，请先从“我的活动”打开要签到的活动'}
          />
          <button type="submit" className="s-button s-primary s-wide" disabled={sign.isSending}>
            {sign.isSending ? '正在签到…' : '签到'}
          </button>
        </form>
      </Card>
      <nav className="s-card" aria-label="更多签到">
        <LinkRow to="/sign/code" title="我的签到码" note="给签到负责人扫描" />
        {managed.data && managed.data.length > 0 && (
          <LinkRow to="/signing" title="我负责签到的活动" note={`${managed.data.length} 项`} />
        )}
      </nav>
    </Page>
  )
}

const marks = { waiting: '', counted: 's-outcome-good', expired: 's-outcome-bad', refused: 's-outcome-bad' }

/** Asks whether the place may be read, once it is known that it counts. */
function PlaceQuestion({ onBack, onAgree }: { onBack?: () => void; onAgree: () => Promise<unknown> }) {
  const [isReading, setReading] = useState(false)
  return (
    <Card title="在活动地点签到">
      <p>
        该活动要求在活动地点签到。允许后，只在签到时读取一次您的位置（精确到约 10
        米），用来核对与活动地点的距离，按学校设定的期限删除。
      </p>
      <div className="s-acts">
        {onBack && (
          <button type="button" className="s-button" onClick={onBack}>
            不允许
          </button>
        )}
        <button
          type="button"
          className="s-button s-primary"
          disabled={isReading}
          onClick={() => {
            setReading(true)
            void onAgree().finally(() => setReading(false))
          }}
        >
          {isReading ? '正在读取位置…' : '允许并签到'}
        </button>
      </div>
    </Card>
  )
}

/** What was scanned without network, and what became of it. */
function KeptScans({ suId }: { suId: string }) {
  const scans = useKeptScans(suId)
  if (scans.length === 0) return null
  return (
    <section aria-label="离线签到" aria-live="polite">
      {scans.map((scan) => (
        <div key={scan.scannedMs} className={`s-outcome ${marks[scan.state]}`}>
          <p>{scan.text}</p>
          <small>
            {`${scan.scannedAt.slice(11, 19)} 扫描`}
            {wantsPlace(scan)
              ? '，请在 10 分钟内提供位置'
              : scan.state === 'waiting' && '，10 分钟内连上网络即自动提交，请不要关闭页面'}
          </small>
          {wantsPlace(scan) && (
            <PlaceQuestion
              onAgree={async () => {
                keepPlaceConsent(suId)
                const found = await currentPosition()
                if (found) placeScan(suId, scan.scannedMs, found)
                else notify('warning', noPlace)
              }}
            />
          )}
        </div>
      ))}
      {scans.some(({ state }) => state !== 'waiting') && (
        <button type="button" className="s-button" onClick={() => forgetTold(suId)}>
          知道了
        </button>
      )}
    </section>
  )
}
