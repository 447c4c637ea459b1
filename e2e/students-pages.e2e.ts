import { expect, test, type Locator, type Page } from '@playwright/test'
import sharp from 'sharp'
import { circleJoinMode } from '../contract/core/codes/programme.ts'
import { imageSource } from '../contract/core/rich-text.ts'
import { fileApi } from '../contract/platform/files/files.calls.ts'
import { newsApi, newsTypeApi } from '../contract/platform/news/news.calls.ts'
import { ownActivityApi } from '../contract/student/activities.calls.ts'
import { ownCircleApi } from '../contract/student/circles.calls.ts'
import { signIn } from '../server/testing/client.ts'
import { studentAddresses } from './student-addresses.ts'
import { done, newPage } from './support.ts'
import { axe, beyond, goTo, violations } from './visit.ts'

/** Every page of a student, as it can be used by all, and the way to a place in an activity without a finger. */
const password = 'Demo-2026'

test('every page of a student is for thumbs, for large letters and for all, light and dark', async ({
  browser,
  baseURL,
}) => {
  test.setTimeout(300_000)
  const { token } = await signIn(baseURL!, 'demo', 'student', password)
  const page = await newPage(browser, { isPhone: true, token: token! })
  await page.setViewportSize({ width: 360, height: 740 })
  await page.goto('/m/me')
  await page.evaluate(axe)
  const addresses = await studentAddresses(baseURL!, token!)
  expect(addresses.length).toBeGreaterThan(28)
  for (const address of addresses) {
    await goTo(page, address)
    expect.soft(await beyond(page), `${address} is wider than a phone`).toBeLessThanOrEqual(0)
    expect.soft(await smallTargets(page), `${address} has targets below 44 px`).toEqual([])
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      expect.soft(await violations(page), `${address}, ${colorScheme}`).toEqual([])
    }
    await letters(page, '200%')
    expect.soft(await beyond(page), `${address} is wider than a phone in letters of 200 %`).toBeLessThanOrEqual(0)
    expect.soft(await cutOff(page), `${address} loses text in letters of 200 %`).toEqual([])
    await letters(page, '')
  }
  await done(page)
})

test('a student signs in, registers and gives the place back with the keys alone', async ({ browser, baseURL }) => {
  const client = await signIn(baseURL!, 'demo', 'student', password)
  const { records } = await client.send(ownActivityApi.list, { open: '1', pageSize: 50 })
  const details = await Promise.all(records.map(({ liId }) => client.send(ownActivityApi.detail, { liId })))
  const { liName } = details.find(({ can, questions }) => can.includes('join') && questions.length === 0)!
  const page = await newPage(browser, { viewport: { width: 390, height: 844 } })
  await page.goto('/m')
  await tabTo(page, page.getByLabel('学校代码'))
  for (const text of ['demo', 'student', password]) {
    await page.keyboard.type(text)
    await page.keyboard.press(text === password ? 'Enter' : 'Tab')
  }
  await expect(page.getByRole('heading', { level: 1, name: '活动' })).toBeVisible()
  await tabTo(page, page.getByRole('link', { name: liName }).first())
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: liName })).toBeFocused()
  await tabTo(page, page.getByRole('button', { name: '报名', exact: true }))
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: '我的报名' })).toBeVisible()
  for (const name of ['取消报名', '确认取消']) {
    await tabTo(page, page.getByRole('button', { name }))
    await page.keyboard.press('Enter')
  }
  await expect(page.getByRole('button', { name: '重新报名' }).or(page.getByRole('status'))).toBeVisible()
  await done(page)
})

/** Goes on with the tabulator until something has the focus, which is then in sight and not behind the tabs. */
async function tabTo(page: Page, wanted: Locator): Promise<void> {
  await expect(wanted).toBeVisible()
  for (let presses = 0; presses < 60; presses++) {
    await page.keyboard.press('Tab')
    if (!(await wanted.evaluate((element) => element === document.activeElement))) continue
    const { bottom, edge } = await wanted.evaluate((element) => ({
      bottom: element.getBoundingClientRect().bottom,
      edge: document.querySelector('.s-bar')?.getBoundingClientRect().top ?? innerHeight,
    }))
    expect(bottom).toBeLessThanOrEqual(edge + 1)
    return
  }
  throw new Error('60 presses of the tabulator do not lead there')
}

/** Sets the size of letters that the person has chosen in their browser; '' takes it back. */
const letters = (page: Page, size: string) =>
  page.evaluate((to) => (document.documentElement.style.fontSize = to), size)

/** What is to be touched and is smaller than a thumb; links within text are read, not aimed at. */
const smallTargets = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll('a, button, input, select, textarea, summary')]
      .filter((one) => one.checkVisibility() && !one.closest('.s-rich, p, .notice'))
      .map((one) => ({
        name: one.textContent || one.ariaLabel,
        box: (one.closest('label') ?? one).getBoundingClientRect(),
      }))
      .filter(({ box }) => box.width > 0 && (box.width < 43.5 || box.height < 43.5))
      .map(({ name, box }) => `${name} ${Math.round(box.width)} x ${Math.round(box.height)}`),
  )

/** Text that runs out of its box. */
const cutOff = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [
      ...document.querySelectorAll(
        'main :is(a, button, label, p, dt, dd, small, strong, summary), .s-foot button, .s-bar a',
      ),
    ]
      .filter((one) => one.checkVisibility() && one.clientWidth > 0 && !one.closest('.visually-hidden'))
      .filter((one) => one.scrollWidth > one.clientWidth + 1)
      .map((one) => `${one.tagName} ${one.textContent.slice(0, 30)}`),
  )

test('a text is shown on the phone with its pictures, lists and tables', async ({ browser, baseURL }) => {
  const admin = await signIn(baseURL!, 'demo', 'admin', password)
  const bytes = await sharp({ create: { width: 80, height: 60, channels: 3, background: '#3060c0' } })
    .png()
    .toBuffer()
  const { data: stored } = await admin.upload(fileApi.upload, { name: '海报.png', bytes }, { kind: 'image' })
  const { records } = await admin.send(newsTypeApi.list, {})
  const { niId } = await admin.send(newsApi.add, {
    ntId: records[0]!.ntId,
    niTitle: '带图的通知',
    niDetail: `<p>海报</p><p><img src="${imageSource(stored!.fileId)}" alt="海报" /></p><ul><li>请带学生证</li></ul><table><tbody><tr><td>地点</td></tr></tbody></table>`,
  })
  await admin.send(newsApi.publish, { niIds: [niId] })

  const { token } = await signIn(baseURL!, 'demo', 'student', password)
  const page = await newPage(browser, { isPhone: true, token: token! })
  await page.goto(`/m/news/${niId}`)
  const picture = page.getByRole('img', { name: '海报' })
  await expect.poll(() => picture.evaluate((one: HTMLImageElement) => one.naturalWidth)).toBe(80)
  await expect(page.locator('.s-rich li')).toHaveCSS('list-style-type', 'disc')
  await expect(page.locator('.s-rich td')).toHaveCSS('border-top-style', 'solid')
  await done(page)
})

test('a circle that anybody may join is joined on the phone, and left once it was asked about', async ({
  browser,
  baseURL,
}) => {
  const student = await signIn(baseURL!, 'demo', 'student', password)
  const { records } = await student.send(ownCircleApi.list, { pageSize: 100 })
  const { ciId, ciName } = records.find(
    ({ joinMode, can }) => joinMode === circleJoinMode.open && can.includes('join'),
  )!
  const page = await newPage(browser, { isPhone: true, token: student.token! })
  await page.goto('/m/circles')
  await page.getByLabel('查找圈子').fill(ciName)
  const circle = page.locator('.s-card').filter({ hasText: ciName })
  await circle.getByRole('button', { name: '申请加入' }).click()
  await circle.getByLabel('申请说明').fill('想一起活动')
  await circle.getByRole('button', { name: '提交申请' }).click()
  await expect(page.getByText('已加入')).toBeVisible()
  const [leave, asked] = [circle.getByRole('button', { name: '退出圈子' }), circle.getByRole('group')]
  await leave.click()
  await expect(asked).toContainText(`退出“${ciName}”？再加入须重新申请。`)
  await asked.getByRole('button', { name: '返回' }).click()
  await leave.click()
  await asked.getByRole('button', { name: '确认' }).click()
  await expect(page.getByText('已退出')).toBeVisible()
  await expect(circle.getByRole('button', { name: '申请加入' })).toBeVisible()
  expect(
    (await student.send(ownCircleApi.list, { mine: '1', pageSize: 100 })).records.map((one) => one.ciId),
  ).not.toContain(ciId)
  await done(page)
})
