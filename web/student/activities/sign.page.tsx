import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { ownActivityApi } from '../../../contract/student/activities.calls.ts'
import { useCall, useSend } from '../../core/service/use-call.ts'
import { TextField } from '../parts/fields.tsx'
import { Page } from '../parts/page.tsx'
import { Card } from '../parts/pieces.tsx'

/** What browsers offer that can read codes by themselves. */
interface Detector {
  detect(source: HTMLVideoElement): Promise<{ rawValue: string }[]>
}
type DetectorClass = new (options: { formats: string[] }) => Detector
const detectorClass = (): DetectorClass | undefined =>
  (globalThis as { BarcodeDetector?: DetectorClass }).BarcodeDetector

/** Milliseconds between looks at the camera's picture. */
const lookEveryMs = 250

type Outcome = { isGood: boolean; text: string; liId?: string }

/** Signs in by the code on the screen, scanned or typed, and tells at once whether it counted. */
export function SignPage() {
  const [query] = useSearchParams()
  const liId = query.get('liId') ?? undefined
  const [code, setCode] = useState(query.get('code') ?? '')
  const [outcome, setOutcome] = useState<Outcome>()
  const activity = useCall(ownActivityApi.detail, { liId: liId ?? '' }, { enabled: liId !== undefined })
  const sign = useSend(ownActivityApi.sign)
  const submit = async (text: string) => {
    const place = activity.data?.needsPlace ? await whereAmI() : {}
    if (place === undefined) {
      setOutcome({ isGood: false, text: '该活动须在现场签到，请允许读取位置后重试' })
      return
    }
    await sign.send({ code: text.trim(), ...(liId && { liId }), ...place }).then(
      (answer) => setOutcome({ isGood: true, text: `${answer.liName}：${answer.text}`, liId: answer.liId }),
      (error: unknown) =>
        setOutcome({ isGood: false, text: error instanceof Error ? error.message : '签到没有成功，请重试' }),
    )
  }
  return (
    <Page title={activity.data ? `签到：${activity.data.liName}` : '签到'}>
      {outcome && (
        <div className={outcome.isGood ? 's-outcome s-outcome-good' : 's-outcome s-outcome-bad'} role="alert">
          <p>{outcome.text}</p>
          {outcome.liId && <Link to={`/activities/${outcome.liId}`}>查看活动</Link>}
        </div>
      )}
      <Camera onFound={(text) => void submit(text)} />
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
            inputMode="numeric"
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
    </Page>
  )
}

/** The camera, where the browser can read codes; it is asked for only when the student wants it. */
function Camera({ onFound }: { onFound: (text: string) => void }) {
  const [isOn, setOn] = useState(false)
  const [fault, setFault] = useState('')
  const video = useRef<HTMLVideoElement>(null)
  const found = useEffectEvent((text: string) => {
    setOn(false)
    onFound(text)
  })
  useEffect(() => {
    const Class = detectorClass()
    if (!isOn || !Class) return
    const detector = new Class({ formats: ['qr_code'] })
    let stream: MediaStream | undefined
    let isOver = false
    const look = async () => {
      if (isOver || !video.current) return
      const [code] = await detector.detect(video.current).catch(() => [])
      if (code && !isOver) found(code.rawValue)
      else setTimeout(() => void look(), lookEveryMs)
    }
    navigator.mediaDevices.getUserMedia({ video: { facingMode: 'environment' } }).then(
      (opened) => {
        stream = opened
        if (isOver || !video.current) return stream.getTracks().forEach((track) => track.stop())
        video.current.srcObject = opened
        void video.current.play().then(look)
      },
      () => setFault('没有打开摄像头，请允许使用摄像头，或输入签到码'),
    )
    return () => {
      isOver = true
      for (const track of stream?.getTracks() ?? []) track.stop()
    }
  }, [isOn])
  if (!detectorClass()) return null
  return (
    <Card title="扫描屏幕上的签到码">
      {isOn ? (
        // the picture of the camera, which has no sound
        // oxlint-disable-next-line jsx-a11y/media-has-caption
        <video ref={video} className="s-camera" muted playsInline aria-label="摄像头画面" />
      ) : (
        <button type="button" className="s-button s-wide" onClick={() => setOn(true)}>
          打开摄像头
        </button>
      )}
      {fault && (
        <p className="s-fault" role="alert">
          {fault}
        </p>
      )}
    </Card>
  )
}

/** Where the phone is, to about a hundred metres; undefined where it may not be told. */
const whereAmI = (): Promise<{ lng: number; lat: number } | undefined> =>
  new Promise((resolve) =>
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => resolve({ lng: coords.longitude, lat: coords.latitude }),
      () => resolve(undefined),
      { timeout: 10_000, maximumAge: 60_000 },
    ),
  )
