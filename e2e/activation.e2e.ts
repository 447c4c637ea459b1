import { expect, test } from '@playwright/test'
import { yesNo } from '../contract/core/codes/platform.ts'
import { schoolInfoApi } from '../contract/school/school/school-info.calls.ts'
import { studentApi } from '../contract/school/people/students.calls.ts'
import { signIn } from '../server/testing/client.ts'
import { activate, printSlip } from './phone-actions.ts'
import { done, newPage } from './support.ts'

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

  const code = await printSlip(browser, suiNumber)
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
  await activate(phone, suiNumber, code, password)
  await phone.getByRole('link', { name: '我', exact: true }).tap()
  await expect(phone.getByRole('heading', { level: 2, name: suiName })).toBeVisible()
  await done(phone)

  await signIn(baseURL!, 'demo', suiNumber, password)
  const { records } = await admin.send(studentApi.list, { search: suiNumber })
  expect(records).toMatchObject([{ activated: true }])
})
