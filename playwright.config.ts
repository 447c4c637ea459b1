import { defineConfig } from '@playwright/test'
import { chromiumFlags, findChromium } from './scripts/chromium.mjs'

const port = Number(process.env['E2E_PORT'] ?? 18_200)

export default defineConfig({
  testDir: 'e2e',
  testMatch: '*.e2e.ts',
  // journeys of one school build on each other's records; schools are apart, so files may run side by side
  fullyParallel: false,
  workers: 1,
  timeout: 120_000,
  expect: { timeout: 10_000 },
  forbidOnly: Boolean(process.env['CI']),
  reporter: [['list']],
  outputDir: 'test-results',
  use: {
    baseURL: `http://127.0.0.1:${port}`,
    locale: 'zh-CN',
    timezoneId: 'Asia/Shanghai',
    viewport: { width: 1440, height: 900 },
    // an action that waits for what never comes says so long before its journey runs out of time
    actionTimeout: 30_000,
    // a recording slows every step; asked for while a journey is being written
    trace: process.env['E2E_TRACE'] ? 'retain-on-failure' : 'off',
    screenshot: 'only-on-failure',
    launchOptions: {
      executablePath: findChromium() ?? 'chromium',
      args: chromiumFlags,
    },
  },
  webServer: {
    command: 'node --import tsx e2e/serve.ts',
    url: `http://127.0.0.1:${port}/readyz`,
    timeout: 120_000,
    stdout: 'pipe',
    // a server started by hand (node --import tsx e2e/serve.ts) is used while a journey is being written
    reuseExistingServer: !process.env['CI'],
    gracefulShutdown: { signal: 'SIGTERM', timeout: 20_000 },
  },
})
