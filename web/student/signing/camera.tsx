import { useEffect, useEffectEvent, useRef, useState } from 'react'

/** What reads the text of a code out of the camera's picture; null where there is none in it. */
type Reader = (video: HTMLVideoElement) => Promise<string | null>

interface Detector {
  detect(source: HTMLVideoElement): Promise<{ rawValue: string }[]>
}
type DetectorClass = new (options: { formats: string[] }) => Detector

/** The browser's own reader, else one in JavaScript, which is fetched only then. */
async function readerOfBrowser(): Promise<Reader> {
  const Class = (globalThis as { BarcodeDetector?: DetectorClass }).BarcodeDetector
  if (Class) {
    const detector = new Class({ formats: ['qr_code'] })
    return async (video) => (await detector.detect(video).catch(() => []))[0]?.rawValue ?? null
  }
  const { default: jsQR } = await import('jsqr')
  const canvas = document.createElement('canvas')
  const paper = canvas.getContext('2d', { willReadFrequently: true })
  return async (video) => {
    // half the points of a phone's camera are plenty for a code that fills a part of the picture, and four times as fast
    const scale = Math.min(1, 640 / Math.max(video.videoWidth, video.videoHeight, 1))
    canvas.width = Math.round(video.videoWidth * scale)
    canvas.height = Math.round(video.videoHeight * scale)
    if (!paper || canvas.width === 0) return null
    paper.drawImage(video, 0, 0, canvas.width, canvas.height)
    const { data, width, height } = paper.getImageData(0, 0, canvas.width, canvas.height)
    return jsQR(data, width, height, { inversionAttempts: 'dontInvert' })?.data ?? null
  }
}

/** Milliseconds between looks at the camera's picture, and until the same code counts as shown again. */
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
    if (text === last.current.text && Date.now() - last.current.at < sameAgainMs) return
    last.current = { text, at: Date.now() }
    if (!staysOn) setOn(false)
    onFound(text)
  })
  useEffect(() => {
    if (!isOn) return
    let stream: MediaStream | undefined
    let isOver = false
    const look = async (read: Reader) => {
      if (isOver || !video.current) return
      const text = await read(video.current)
      if (isOver) return
      if (text) found(text)
      setTimeout(() => void look(read), lookEveryMs)
    }
    const open = async () => {
      const [opened, read] = await Promise.all([
        navigator.mediaDevices.getUserMedia({ video: { facingMode: 'environment' } }),
        readerOfBrowser(),
      ])
      stream = opened
      if (isOver || !video.current) return opened.getTracks().forEach((track) => track.stop())
      video.current.srcObject = opened
      await video.current.play()
      await look(read)
    }
    open().catch(() => {
      if (isOver) return
      setOn(false)
      setFault('没有打开摄像头，请允许使用摄像头，或改为输入')
    })
    return () => {
      isOver = true
      for (const track of stream?.getTracks() ?? []) track.stop()
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
