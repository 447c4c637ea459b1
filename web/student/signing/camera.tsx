import { useEffect, useEffectEvent, useRef, useState } from 'react'

/** What reads the text of a code out of the camera's picture; null where there is none in it. */
type Reader = (video: HTMLVideoElement) => Promise<string | null>

interface Detector {
  detect(source: HTMLVideoElement): Promise<{ rawValue: string }[]>
}
interface DetectorClass {
  new (options: { formats: string[] }): Detector
  getSupportedFormats(): Promise<string[]>
}

/** Why nothing can be scanned, as the student is told. */
class ScanFault extends Error {}

/**
 * The browser's own reader, else one in JavaScript, which is fetched only then. Android has a `BarcodeDetector` on
 * every phone, but where Google's services are missing it knows no format, or rejects when it is used.
 */
export async function readerOfBrowser(): Promise<Reader> {
  const Class = (globalThis as { BarcodeDetector?: DetectorClass }).BarcodeDetector
  const formats = await Class?.getSupportedFormats().catch((): string[] => [])
  if (!Class || !formats?.includes('qr_code')) return readerInScript()
  const detector = new Class({ formats: ['qr_code'] })
  let script: Reader | undefined
  return async (video) => {
    if (script) return script(video)
    try {
      return (await detector.detect(video))[0]?.rawValue ?? null
    } catch {
      script = await readerInScript()
      return script(video)
    }
  }
}

async function readerInScript(): Promise<Reader> {
  const { default: jsQR } = await import('jsqr').catch(() => {
    throw new ScanFault('没有载入扫码功能，请连网后重试')
  })
  const canvas = document.createElement('canvas')
  const paper = canvas.getContext('2d', { willReadFrequently: true })
  return async (video) => {
    // half the points of a phone's camera are plenty for a code that fills a part of the picture, and four times as
    // fast
    const scale = Math.min(1, 640 / Math.max(video.videoWidth, video.videoHeight, 1))
    canvas.width = Math.round(video.videoWidth * scale)
    canvas.height = Math.round(video.videoHeight * scale)
    if (!paper || canvas.width === 0) return null
    paper.drawImage(video, 0, 0, canvas.width, canvas.height)
    const { data, width, height } = paper.getImageData(0, 0, canvas.width, canvas.height)
    return jsQR(data, width, height, { inversionAttempts: 'dontInvert' })?.data ?? null
  }
}

/**
 * Milliseconds between looks at the camera's picture, and how long a code must be out of it to count as shown again.
 */
const lookEveryMs = 250
const sameAgainMs = 4000

/**
 * The camera, which is asked for only when the student wants it.
 * @param staysOn for whoever scans one after the other
 */
export function Camera({ staysOn = false, onFound }: { staysOn?: boolean; onFound: (text: string) => void }) {
  const [isOn, setOn] = useState(false)
  const [fault, setFault] = useState('')
  const video = useRef<HTMLVideoElement>(null)
  const last = useRef({ text: '', at: 0 })
  const found = useEffectEvent((text: string) => {
    const isSame = text === last.current.text && Date.now() - last.current.at < sameAgainMs
    last.current = { text, at: Date.now() }
    if (isSame) return
    if (!staysOn) setOn(false)
    onFound(text)
  })
  useEffect(() => {
    if (!isOn) return
    let stream: MediaStream | undefined
    let isOver = false
    const open = async () => {
      // whoever cannot read a code needs no camera
      const read = await readerOfBrowser()
      if (isOver) return
      stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: 'environment' } })
      const shown = video.current
      if (isOver || !shown) return stop(stream)
      shown.srcObject = stream
      await shown.play()
      while (!isOver) {
        const text = await read(shown)
        if (isOver) return
        if (text) found(text)
        await new Promise((resolve) => setTimeout(resolve, lookEveryMs))
      }
    }
    open().catch((error: unknown) => {
      if (isOver) return
      setOn(false)
      setFault(error instanceof ScanFault ? error.message : '没有打开摄像头，请允许使用摄像头，或改为输入')
    })
    return () => {
      isOver = true
      stop(stream)
    }
  }, [isOn])
  return (
    <>
      {isOn && (
        // the picture of the camera, which has no sound
        // oxlint-disable-next-line jsx-a11y/media-has-caption
        <video ref={video} className="s-camera" muted playsInline aria-label="摄像头画面" />
      )}
      <button
        type="button"
        className="s-button s-wide"
        onClick={() => {
          setFault('')
          setOn(!isOn)
        }}
      >
        {isOn ? '关闭摄像头' : '打开摄像头'}
      </button>
      {fault && (
        <p className="s-fault" role="alert">
          {fault}
        </p>
      )}
    </>
  )
}

function stop(stream: MediaStream | undefined): void {
  for (const track of stream?.getTracks() ?? []) track.stop()
}
