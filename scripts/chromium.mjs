import { existsSync } from 'node:fs'

/** Chromium without its windows, which Debian packs by itself: journeys take half the time in it. */
export const headlessShell = '/usr/bin/chromium-headless-shell'

/**
 * The browser that tests, pictures and benchmarks use.
 * @returns {string | undefined} its path: `CHROMIUM`, else the first known place that holds one
 */
export function findChromium() {
  return [
    process.env['CHROMIUM'],
    headlessShell,
    '/usr/bin/chromium',
    '/usr/bin/chromium-browser',
    '/usr/bin/google-chrome',
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  ].find((path) => path && existsSync(path))
}

/** It runs as root in containers, without a screen, and leaves the machine for nothing. */
export const chromiumFlags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]
