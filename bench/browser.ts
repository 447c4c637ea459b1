import { chromium, type Browser, type BrowserContext, type Page } from '@playwright/test'
import { chromiumFlags, findChromium } from '../scripts/chromium.mjs'
import { demoPassword } from '../server/demo/account-list.ts'
import { benchSchool } from './prepare.ts'

/** A browser without a window; `CHROMIUM` names the program. */
export const openBrowser = (): Promise<Browser> =>
  chromium.launch({
    executablePath: findChromium() ?? 'chromium',
    args: chromiumFlags,
  })

/**
 * Signs the administrator in by the sign-in page of the service at an address; what the browser keeps of it, for others
 * with nothing else kept.
 */
export async function signedInAt(
  page: Page,
  address: string,
): Promise<Awaited<ReturnType<BrowserContext['storageState']>>> {
  await page.goto(address, { waitUntil: 'networkidle' })
  await page.getByLabel('学校代码').fill(benchSchool)
  await page.getByLabel('账号').fill('admin')
  await page.getByLabel('密码', { exact: true }).fill(demoPassword)
  await page.getByRole('button', { name: '登录' }).click()
  await page.waitForURL('**/home')
  await page.waitForLoadState('networkidle')
  return page.context().storageState()
}
