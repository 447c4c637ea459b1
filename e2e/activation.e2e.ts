import { execFileSync } from 'node:child_process'
import { expect, test } from '@playwright/test'
import { yesNo } from '../contract/core/codes/platform.ts'
import { schoolInfoApi } from '../contract/school/school/school-info.calls.ts'
import { studentApi } from '../contract/school/people/students.calls.ts'
import { signIn } from '../server/testing/client.ts'
import { done, newPage, open, shown, signedIn } from './support.ts'

/** A student whose account came from a list: a slip is printed for them, and with it they get in on their phone. */
const password = 'Winter-2026!w'

test('a slip that staff print leads a student on their phone to a password of their own', async ({
  browser,
  baseURL,
}) => {
  const admin = await signIn(baseURL!, 'demo', 'admin', 'Demo-2026')
  const { version } = await admin.send(schoolInfoApi.settings, {})
  await admin.send(schoolInfoApi.saveSettings, { version, values: { activationWay: 'both' } })
  const waiting = await admin.send(studentApi.list, { activated: yesNo.no, pageSize: 50 })
  const { suiNumber, suiName } = waiting.records.at(-1)!

  const staff = await signedIn(browser, 'admin')
  await open(staff, `/personnelAdmin/studentAdmin?activated=0&search=${suiNumber}`)
  await expect(shown(staff.getByRole('cell', { name: suiNumber }))).toBeVisible()
  await shown(staff.getByRole('checkbox', { name: /全选|Select all/i })).check()
  await shown(staff.locator('.batch-bar').getByRole('button', { name: '打印激活单', exact: true })).click()
  const dialog = staff.getByRole('dialog')
  await dialog.getByLabel('打印原因').fill('新生报到当面发放')
  const file = staff.waitForEvent('download')
  await dialog.getByRole('button', { name: '生成并下载' }).click()
  const text = execFileSync('pdftotext', ['-raw', await (await file).path(), '-'], { encoding: 'utf8' })
  const code = /[A-Z2-9]{4}-[A-Z2-9]{4}-[A-Z2-9]{4}/.exec(text)![0]
  expect(text).toContain(suiNumber)
  await done(staff)

  const phone = await newPage(browser, {
    viewport: { width: 390, height: 844 },
    isPhone: true,
    expectErrors: /status of/,
  })
  // a phone on which somebody else is still signed in, as whoever helps out a friend has it
  await phone.goto('/m/login')
  await phone.getByLabel('学校代码').fill('demo')
  await phone.getByRole('option', { name: '华东示范大学' }).first().tap()
  await phone.getByLabel('学号').fill('student')
  await phone.getByLabel('密码', { exact: true }).fill('Demo-2026')
  await phone.getByRole('button', { name: '登录' }).tap()
  await expect(phone.getByRole('heading', { level: 1, name: '活动' })).toBeVisible()
  await phone.goto('/m/login')
  await phone.getByRole('link', { name: '首次登录？激活账号' }).tap()
  await expect(phone.getByRole('heading', { level: 1, name: '激活账号' })).toBeVisible()
  // the school is known from the sign-in before
  await expect(phone.getByText('华东示范大学')).toBeVisible()
  await phone.getByRole('button', { name: '证件信息' }).tap()
  await phone.getByLabel('学号').fill(suiNumber)
  await phone.getByLabel('姓名').fill('某某某')
  await phone.getByLabel('证件号码后六位').fill('12345x')
  await phone.getByRole('button', { name: '下一步' }).tap()
  await expect(phone.getByRole('alert')).toContainText('未能激活')

  // as the QR code leads there
  await phone.goto(`/m/activate#${new URLSearchParams({ s: 'demo', n: suiNumber, c: code }).toString()}`)
  await phone.reload()
  await expect(phone.getByLabel('激活码')).toHaveValue(code)
  await phone.getByRole('button', { name: '下一步' }).tap()
  await expect(phone.getByRole('region', { name: '告知全文' })).toBeVisible()
  await phone.getByRole('button', { name: '已阅读并同意' }).tap()
  await phone.getByLabel('新密码', { exact: true }).fill(password)
  await phone.getByLabel('再输一次新密码').fill(password)
  await phone.getByRole('button', { name: '激活并登录' }).tap()
  await expect(phone.getByRole('heading', { level: 1, name: '活动' })).toBeVisible()
  expect(phone.url()).not.toContain(code)
  await phone.getByRole('link', { name: '我', exact: true }).tap()
  await expect(phone.getByRole('heading', { level: 2, name: suiName })).toBeVisible()
  await done(phone)

  await signIn(baseURL!, 'demo', suiNumber, password)
  const { records } = await admin.send(studentApi.list, { search: suiNumber })
  expect(records).toMatchObject([{ activated: true }])
})
