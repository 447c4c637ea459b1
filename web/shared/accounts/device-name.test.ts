import { expect, test } from 'vitest'
import { deviceName } from './device-name.ts'

const webKit = 'AppleWebKit/537.36 (KHTML, like Gecko)'

test.each([
  [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webKit} Chrome/140.0.0.0 Safari/537.36 Edg/140.0`, 'Windows 上的 Edge'],
  [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webKit} Chrome/140.0.0.0 Safari/537.36`, 'Windows 上的 Chrome'],
  [`Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${webKit} Version/18.0 Safari/605.1.15`, 'macOS 上的 Safari'],
  [
    `Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) ${webKit} Mobile/15E148 MicroMessenger/8.0.50`,
    'iOS 上的 微信',
  ],
  [`Mozilla/5.0 (Linux; Android 15; PGT-AN10) ${webKit} Chrome/140.0.0.0 Mobile Safari/537.36`, 'Android 上的 Chrome'],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Linux 上的 Firefox'],
  ['curl/8.5.0 Linux', 'Linux'],
  ['', '未知设备'],
])('%s is %s', (agent, name) => expect(deviceName(agent)).toBe(name))
