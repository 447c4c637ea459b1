import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { expect, test } from '@playwright/test'
import { screens, type Screen } from '../contract/screens.ts'
import { pages } from '../web/app/pages.ts'
import { done, open, settled, signedIn } from './support.ts'

/** Every screen of the menu, at the sizes people have: it opens under its title, fits, asks for nothing it may not have, and can be used by everybody. */
const paths = (screens as readonly Screen[]).filter((screen) => !screen.hidden && screen.path in pages)
const sizes = [{ width: 1440, height: 900 }, { width: 1366, height: 768 }, { width: 390, height: 844 }]
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

for (const viewport of sizes) {
  test(`every screen fits ${viewport.width} x ${viewport.height}`, async ({ browser }) => {
    test.setTimeout(300_000)
    const page = await signedIn(browser, 'admin', { viewport })
    const failed: string[] = []
    page.on('response', (response) => response.status() >= 400 && failed.push(`${response.status()} ${response.url()}`))
    for (const { path, title } of paths) {
      await open(page, path)
      await settled(page)
      expect.soft(await page.title(), path).toContain(title)
      const beyond = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
      expect.soft(beyond, `${path} is wider than the window`).toBeLessThanOrEqual(0)
      if (viewport.width === 1366) expect.soft(await violations(page), path).toEqual([])
    }
    expect(failed).toEqual([])
    await done(page)
  })
}

/** What axe calls serious or critical on the page, with the first place of each. */
async function violations(page: Awaited<ReturnType<typeof signedIn>>): Promise<string[]> {
  await page.evaluate(axe)
  return page.evaluate(async () => {
    type Result = { id: string; impact: string; nodes: { html: string }[] }
    const { violations: found } = await (window as unknown as { axe: { run: () => Promise<{ violations: Result[] }> } }).axe.run()
    return found.filter(({ impact }) => impact === 'serious' || impact === 'critical').map(({ id, nodes }) => `${id}: ${nodes[0]!.html.slice(0, 160)}`)
  })
}

for (const username of ['reviewer', 'college', 'counselor', 'teacher', 'secretary', 'viewer', 'auditor']) {
  test(`${username} opens every screen of his menu`, async ({ browser }) => {
    const page = await signedIn(browser, username)
    const menu = await page.evaluate(async () => {
      const { content } = JSON.parse(localStorage.getItem('accessToken') ?? '{}') as { content: string }
      const response = await fetch('/api/schoolbase/UserLoad/MenuTree', { headers: { authorization: `Bearer ${content}` } })
      return ((await response.json()) as { data: { pages: { path: string; hidden: boolean }[] }[] }).data.flatMap((group) => group.pages.filter(({ hidden }) => !hidden).map(({ path }) => path))
    })
    const failed: string[] = []
    page.on('response', (response) => response.status() >= 400 && failed.push(`${response.status()} ${response.url()}`))
    for (const path of menu.filter((one) => one in pages)) {
      await open(page, path)
      await settled(page)
    }
    expect(failed).toEqual([])
    await done(page)
  })
}
