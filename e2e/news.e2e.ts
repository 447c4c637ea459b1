import { expect, test, type Page } from '@playwright/test'
import { toast } from './configuration-actions.ts'
import { choose, done, open, shown, signedIn } from './support.ts'

/**
 * A news item is pasted from Word, looked at on both widths, published and taken back; what attackers paste does
 * nothing.
 */
test('news are written, previewed, published and taken back', async ({ browser }) => {
  test.setTimeout(180_000)
  // the browser says that it did not run the handlers pasted below
  const page = await signedIn(browser, 'admin', { expectErrors: /inline event handler violates/ })
  let alerts = 0
  page.on('dialog', (dialog) => (alerts++, void dialog.dismiss()))
  await open(page, '/newsAdmin/newsList')
  await shown(page.getByRole('link', { name: '新增新闻' }).or(page.getByRole('button', { name: '新增新闻' }))).click()
  await page.waitForURL('**/newsList/add')
  await expect(shown(page.getByRole('heading', { level: 1, name: '新增新闻' }))).toBeVisible()
  await page.locator('.form-section').getByLabel('标题').first().fill('粘贴的通知')
  await choose(page, shown(page.getByLabel('新闻分类')), '通知公告')
  const text = shown(page.getByRole('textbox', { name: '正文' }))
  await text.click()
  await text.evaluate((area) => {
    const data = new DataTransfer()
    data.setData(
      'text/html',
      "<p class=MsoNormal align=center style='text-align:center'><b>通知</b><script>alert(1)</script></p><p style='mso-list:l0 level1'><span style='mso-list:Ignore'>1. </span>报名</p><img src=x onerror=alert(1)><svg onload=alert(1)></svg><p><a href='javascript:alert(1)'>点我</a></p>",
    )
    area.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }))
  })
  await expect(text.locator('ol li')).toHaveText('报名')
  await expect(text.locator('strong')).toHaveText('通知')
  expect(await text.innerHTML()).not.toMatch(/mso|script|onerror|svg|javascript/i)
  await page.keyboard.type('继续输入')
  // the tools are one stop of the Tab key, the arrows go from tool to tool
  await page.keyboard.press('Shift+Tab')
  await expect(shown(page.getByLabel('段落样式'))).toBeFocused()
  await page.keyboard.press('ArrowRight')
  await expect(shown(page.getByRole('button', { name: '加粗', exact: true }))).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(text).toBeFocused()
  await page.keyboard.type('要点')
  await expect(text.locator('strong').last()).toHaveText('要点')
  await shown(page.getByRole('button', { name: '插入表格', exact: true })).click()
  await expect(text.locator('th')).toHaveCount(3)
  await shown(page.getByRole('button', { name: '删除表格', exact: true })).click()
  await expect(text.locator('table')).toHaveCount(0)
  await expect(shown(page.locator('.rich-foot'))).toContainText('12 字')
  await shown(page.getByRole('button', { name: '预览' })).click()
  const preview = page.getByRole('dialog')
  await expect(preview).toContainText('粘贴的通知')
  await preview.getByText('手机', { exact: true }).click()
  await expect(preview.locator('.news-preview-phone')).toContainText('继续输入')
  await preview.getByRole('button', { name: '关闭' }).click()
  await shown(page.getByRole('button', { name: '存为草稿' })).click()
  await toast(page, '已存为草稿')
  await expect(shown(page.getByRole('heading', { level: 1, name: '粘贴的通知' }))).toBeVisible()
  await expect(shown(page.locator('.rich-text ol li'))).toHaveText('报名')
  await shown(page.getByRole('button', { name: '发布', exact: true })).click()
  await page.getByRole('dialog').getByRole('button', { name: '发布', exact: true }).click()
  await toast(page, '发布成功')
  await open(page, '/newsAdmin/newsList?niTitle=粘贴')
  const row = page.getByRole('row').filter({ hasText: '粘贴的通知' }).filter({ visible: true })
  await expect(row).toContainText('已发布')
  await row.getByRole('button', { name: '取消发布' }).click()
  await page.getByRole('dialog').getByLabel('取消原因').fill('时间有变')
  await page.getByRole('dialog').getByRole('button', { name: '取消发布', exact: true }).click()
  await toast(page, '取消发布成功')
  // on paper stand the rows, without the house around them and what can be done to them
  await page.emulateMedia({ media: 'print' })
  await expect(row).toBeVisible()
  for (const part of ['.header', '.side', '.filters', '.row-acts'])
    await expect(page.locator(part).filter({ visible: true })).toHaveCount(0)
  await page.emulateMedia({ media: null })
  await expect(row).toContainText('已取消发布')
  expect(alerts).toBe(0)
  await done(page)
})

test('the theme goes with the person to another machine', async ({ browser }) => {
  const [first, theme] = [
    await signedIn(browser, 'reviewer'),
    (page: Page) => page.evaluate(() => document.documentElement.dataset['theme']),
  ]
  await open(first, '/home')
  const button = first.getByRole('button', { name: /切换主题/ })
  const saved = first.waitForResponse(/preference\/save/)
  await expect(async () => {
    await button.click()
    expect(await theme(first)).toBe('dark')
  }).toPass()
  await saved
  const second = await signedIn(browser, 'reviewer')
  await open(second, '/home')
  await expect.poll(() => theme(second)).toBe('dark')
  await done(first)
  await done(second)
})
