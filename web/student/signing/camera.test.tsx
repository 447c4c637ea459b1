// @vitest-environment jsdom
import QRCode from 'qrcode'
import { act } from 'react'
import { createRoot } from 'react-dom/client'
import { afterEach, expect, test, vi } from 'vitest'
import { Camera, readerOfBrowser } from './camera.tsx'

/** What the camera sees: a code, as points. */
const text = 'EK2.seen-by-the-camera'
const side = 8
function seen(): { data: Uint8ClampedArray; width: number; height: number } {
  const { modules } = QRCode.create(text)
  const width = (modules.size + 8) * side
  const data = new Uint8ClampedArray(width * width * 4).fill(255)
  for (let at = 0; at < width * width; at++) {
    const [column, row] = [Math.floor((at % width) / side) - 4, Math.floor(at / width / side) - 4]
    const isInside = Math.min(column, row) >= 0 && Math.max(column, row) < modules.size
    if (isInside && modules.get(row, column)) data.fill(0, at * 4, at * 4 + 3)
  }
  return { data, width, height: width }
}

const video = { videoWidth: 400, videoHeight: 400 } as HTMLVideoElement

afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
  vi.doUnmock('jsqr')
})

test.each<[string, object | undefined, string]>([
  ['a browser without a reader', undefined, text],
  ['one that knows no format', { formats: [], detect: () => Promise.reject(new Error('no service')) }, text],
  ['one that cannot say which', { formats: null, detect: () => Promise.reject(new Error('no service')) }, text],
  ['one that rejects when used', { formats: ['qr_code'], detect: () => Promise.reject(new Error('no service')) }, text],
  ['one that works', { formats: ['qr_code'], detect: () => Promise.resolve([{ rawValue: 'own' }]) }, 'own'],
])('%s reads a code', async (_, browser, found) => {
  if (browser) {
    const { formats, detect } = browser as { formats: string[] | null; detect: () => Promise<unknown> }
    vi.stubGlobal(
      'BarcodeDetector',
      class {
        static getSupportedFormats = () =>
          formats ? Promise.resolve(formats) : Promise.reject(new Error('no service'))
        detect = detect
      },
    )
  }
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue({
    drawImage: () => undefined,
    getImageData: seen,
  } as never)
  const read = await readerOfBrowser()
  expect([await read(video), await read(video)]).toEqual([found, found])
})

test('where the reader cannot be fetched the camera stays off, and that is what is told', async () => {
  vi.doMock('jsqr', () => {
    throw new Error('no network')
  })
  vi.resetModules()
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  const getUserMedia = vi.fn()
  vi.stubGlobal('navigator', Object.assign(Object.create(navigator) as Navigator, { mediaDevices: { getUserMedia } }))
  const place = document.createElement('div')
  document.body.append(place)
  const root = createRoot(place)
  act(() => root.render(<Camera onFound={() => undefined} />))
  act(() => place.querySelector('button')!.click())
  await vi.waitFor(() => expect(place.querySelector('[role=alert]')?.textContent).toContain('没有载入扫码功能'))
  expect(getUserMedia).not.toHaveBeenCalled()
  expect(place.querySelector('video')).toBeNull()
  act(() => root.unmount())
  place.remove()
})
