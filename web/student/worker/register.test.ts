import { expect, test } from 'vitest'
import { isPlainSafari } from './register.ts'

const iPhone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)'
const mac = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko)'
const safari = 'Version/18.5 Mobile/15E148 Safari/604.1'
const at = (userAgent: string, more: { maxTouchPoints?: number; standalone?: boolean } = {}, isStandalone = false) =>
  isPlainSafari({ userAgent, maxTouchPoints: 5, ...more }, isStandalone)

test('Safari of a phone or tablet is told how to put the pages on its screen, and nothing else is', () => {
  expect(at(`${iPhone} ${safari}`)).toBe(true)
  expect(at(`${mac} Version/18.5 Safari/605.1.15`)).toBe(true)

  expect(at(`${mac} Version/18.5 Safari/605.1.15`, { maxTouchPoints: 0 })).toBe(false)
  expect(at(`${iPhone} ${safari}`, { standalone: true })).toBe(false)
  expect(at(`${iPhone} ${safari}`, {}, true)).toBe(false)
  for (const other of [
    'CriOS/138.0.0.0 Mobile/15E148 Safari/604.1',
    'EdgiOS/138.0 Version/18.0 Mobile/15E148 Safari/604.1',
    'FxiOS/140.0 Mobile/15E148 Safari/605.1.15',
    'Mobile/15E148 MicroMessenger/8.0.60(0x18003c2f) NetType/WIFI Language/zh_CN',
    'Mobile/15E148 AliApp(DingTalk/7.6.50) com.laiwang.DingTalk/1',
  ])
    expect(at(`${iPhone} ${other}`), other).toBe(false)
  expect(at('Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 Chrome/138.0 Mobile Safari/537.36')).toBe(
    false,
  )
})
