import { execFileSync } from 'node:child_process'
import { expect, test } from '@playwright/test'
import { signIn } from '../server/testing/client.ts'
import { done, newPage, open, shown, signedIn } from './support.ts'

/** A student applies for a signed transcript on their phone, the office issues it, and the student has the file. */
test('what a student applies for on the phone is issued in the console and fetched on the phone', async ({
  browser,
  baseURL,
}) => {
  const { token } = await signIn(baseURL!, 'demo', 'student', 'Demo-2026')
  const phone = await newPage(browser, { viewport: { width: 390, height: 844 }, isPhone: true, token: token! })
  await phone.goto('/m/transcript')
  // the demo has one that waits; it is taken back for another
  await phone.getByRole('button', { name: '撤回' }).tap()
  await expect(phone.getByText('已撤回', { exact: true })).toBeVisible()
  await phone.getByLabel('成绩单语言').selectOption({ label: '英文' })
  await phone.getByRole('button', { name: '申请正式成绩单' }).tap()
  await phone.getByLabel('用途').fill('出国交流项目（端到端）')
  await phone.getByLabel('份数').selectOption({ label: '2 份纸质' })
  await phone.getByRole('button', { name: '提交申请' }).tap()
  await expect(phone.getByText('待办理')).toBeVisible()

  const office = await signedIn(browser, 'college')
  await open(office, '/home')
  await shown(office.getByRole('link', { name: /成绩单申请/ })).click()
  const row = shown(office.getByRole('row', { name: /出国交流项目（端到端）/ }))
  await row.getByRole('button', { name: '同意并签发' }).click()
  await office.getByRole('dialog').getByRole('button', { name: '同意并签发' }).click()
  await expect(office.getByText('已签发 1 份成绩单')).toBeVisible()
  await done(office)

  await phone.reload()
  await expect(phone.getByText('已签发', { exact: true })).toBeVisible()
  const file = phone.waitForEvent('download')
  await phone.getByRole('button', { name: '下载 PDF' }).tap()
  const text = execFileSync('pdftotext', ['-raw', await (await file).path(), '-'], { encoding: 'utf8' })
  expect(text).toContain('Co-curricular Transcript')
  await done(phone)
})
