import { chromium, type Browser, type BrowserContext, type Page } from '@playwright/test'
import { chromiumFlags, findChromium } from '../scripts/chromium.mjs'
import { demoPassword } from '../server/demo/account-list.ts'
import { signIn } from '../server/testing/client.ts'
import { benchSchool } from './prepare.ts'

/** A browser without a window; `CHROMIUM` names the program. */
export const openBrowser = (): Promise<Browser> =>
  chromium.launch({
    executablePath: findChromium() ?? 'chromium',
    args: chromiumFlags,
  })

/**
 * Signs somebody in at the service, without its pages; what a browser keeps of it, for others with nothing else kept.
 */
export async function sessionAt(
  address: string,
  username: string,
): Promise<{ token: string; storageState: Awaited<ReturnType<BrowserContext['storageState']>> }> {
  const { token } = await signIn(address, benchSchool, username, demoPassword)
  const value = JSON.stringify({ dataType: 'string', content: token, type: 'local', datetime: Date.now() })
  return {
    token: token!,
    storageState: { cookies: [], origins: [{ origin: address, localStorage: [{ name: 'accessToken', value }] }] },
  }
}

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
