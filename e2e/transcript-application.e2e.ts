import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, test } from '@playwright/test'
import { ownRecordApi } from '../contract/student/record.calls.ts'
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
  // what it will hold can be looked through before
  const modules = phone.locator('details.s-entry')
  await modules.first().locator('summary').tap()
  await expect(modules.first().locator('li').first()).toBeVisible()
  // of a long paper only the latest rows are there; what stands over them is of all
  const sums = await modules.locator('summary').allInnerTexts()
  const number = await phone.getByText(/^\d+ 项，现在签发将包含这些记录$/).innerText()
  const entries = `**${ownRecordApi.entries.path}*`
  await phone.route(entries, (route) =>
    route.continue({ url: route.request().url().replace('pageSize=200', 'pageSize=1') }),
  )
  await phone.reload()
  await expect(phone.getByText('此处只列出最近的 1 条，签发的成绩单包含全部记录。')).toBeVisible()
  expect(await modules.locator('summary').allInnerTexts()).toEqual(sums)
  await expect(phone.getByText(number, { exact: true })).toBeVisible()
  await phone.unroute(entries)
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
  // and what other systems take of it
  for (const [button, type] of [
    ['下载凭证', 'DataIntegrityProof'],
    ['学习档案', 'ClrCredential'],
  ] as const) {
    const given = phone.waitForEvent('download')
    await phone.getByRole('button', { name: button }).first().tap()
    expect(readFileSync(await (await given).path(), 'utf8')).toContain(type)
  }
  await done(phone)
})
