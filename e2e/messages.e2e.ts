import { expect, test } from '@playwright/test'
import { done, open, settled, shown, signedIn } from './support.ts'

test('a message to a role is counted before it goes, rings at once, is read, and can be taken back', async ({
  browser,
}) => {
  const title = `关于召开本学期第二课堂工作例会并报送各学院材料的通知${Date.now()}`
  const reader = await signedIn(browser, 'reviewer')
  await open(reader, '/home')
  const bell = reader.getByRole('button', { name: /^消息/ })
  await expect(bell).toBeVisible()
  // other journeys write to them too: what they have by now must have been counted
  await settled(reader)
  const before = Number(/\d+/.exec((await bell.getAttribute('aria-label')) ?? '')?.[0] ?? 0)

  const writer = await signedIn(browser, 'admin')
  await open(writer, '/personalCenter/sendMessage')
  await writer.getByRole('combobox', { name: '角色', exact: true }).fill('校级审核员')
  await writer.locator('.ant-select-item-option', { hasText: '校级审核员' }).first().click()
  await writer.keyboard.press('Escape')
  await writer.getByRole('textbox', { name: '标题' }).fill(title)
  await writer.getByRole('textbox', { name: '内容' }).fill('周五下午三点，请准时参加。')
  await writer.getByRole('button', { name: '发送', exact: true }).click()
  const question = writer.getByRole('dialog', { name: /确认发送给 \d+ 人/ })
  await expect(question).toContainText(title)
  await question.getByRole('button', { name: '发送', exact: true }).click()
  await expect(writer.getByText(/已发送给 \d+ 人/)).toBeVisible()

  // told by the service: nothing is clicked, and the minute between two questions has not passed
  await expect(reader.getByRole('button', { name: `消息，${before + 1} 条未读`, exact: true })).toBeVisible({
    timeout: 10_000,
  })
  await open(reader, '/personalCenter/message')
  await reader.getByRole('button', { name: title, exact: true }).click()
  await expect(reader.getByRole('dialog', { name: title })).toContainText('周五下午三点')
  await reader.getByRole('dialog', { name: title }).getByRole('button', { name: '关闭', exact: true }).last().click()

  await open(writer, '/personalCenter/message?tab=outbox')
  await writer.getByRole('button', { name: new RegExp(`“${title}”的阅读情况`) }).click()
  const readers = writer.getByRole('dialog', { name: `“${title}”的阅读情况` })
  await expect(readers.getByRole('row').filter({ hasText: '已读' }).first()).toBeVisible()
  const saved = writer.waitForEvent('download')
  await readers.getByRole('button', { name: '导出', exact: true }).click()
  expect((await saved).suggestedFilename()).toMatch(/^消息阅读情况.*\.xlsx$/)

  // a long title wraps on a phone, whole
  await reader.setViewportSize({ width: 390, height: 844 })
  await open(reader, '/personalCenter/message')
  const long = shown(reader.locator('.cards-head .message-title')).first()
  expect(await long.evaluate((one) => one.scrollHeight - one.clientHeight)).toBeLessThanOrEqual(1)
  await done(reader)
  await done(writer)
})
