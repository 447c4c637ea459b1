import { expect, test } from '@playwright/test'
import { teacherApi } from '../contract/school/people/teachers.calls.ts'
import { callbackPath, identityApi, metadataPath } from '../contract/school/identity/identity.calls.ts'
import { studentApi } from '../contract/school/people/students.calls.ts'
import { casServer } from '../server/testing/cas-server.ts'
import { signIn } from '../server/testing/client.ts'
import { endFile } from '../server/testing/file-end.ts'
import { oidcClientId, oidcSecret, oidcServer } from '../server/testing/oidc-server.ts'
import { samlServer } from '../server/testing/saml-server.ts'
import { directoryBase, directoryPassword, searcher, startDirectory } from '../server/testing/slapd.ts'
import { wecomApp, wecomServer } from '../server/testing/wecom-server.ts'
import { dialog, toast } from './configuration-actions.ts'
import { clockAhead, done, newPage, open, shown, signedIn } from './support.ts'

test.afterAll(endFile)

test('an administrator sets up the sign-in of the campus, and a teacher comes in by it', async ({
  browser,
  baseURL,
}) => {
  const cas = await casServer()
  const admin = await signIn(baseURL!, 'demo', 'admin', 'Demo-2026')
  const { records } = await admin.send(teacherApi.list, { pageSize: 50 })
  const person = records.find(({ suiName }) => !suiName.includes('管理员'))!
  cas.state.person = { user: person.suiNumber }

  const page = await signedIn(browser, 'admin')
  await open(page, '/integration/identity')
  await shown(page.getByRole('button', { name: '新增登录方式' })).click()
  await dialog(page).getByLabel('按钮名称').fill('校园统一认证')
  await dialog(page).getByLabel('服务地址').fill(cas.address)
  await dialog(page)
    .getByRole('switch', { name: /登录页/ })
    .click()
  await dialog(page).getByRole('button', { name: '保存' }).click()
  await toast(page, /保存成功/)
  const row = shown(page.getByRole('row').filter({ hasText: '校园统一认证' }))
  await row.getByRole('button', { name: '测试' }).click()
  await expect(dialog(page)).toContainText('是 CAS 服务')
  await done(page)

  const other = await newPage(browser)
  await other.goto('/')
  await other.getByLabel('学校代码').fill('demo')
  await other.getByRole('button', { name: '校园统一认证' }).click()
  await other.waitForURL('**/home')
  await expect(shown(other.getByText(person.suiName))).toBeVisible()
  await done(other)
  const { providerId } = (await admin.send(identityApi.list, {})).records[0]!
  await admin.send(identityApi.remove, { providerId })
})

test('a provider of OpenID Connect is set up and tested, and a student comes in by it on a phone', async ({
  browser,
  baseURL,
}) => {
  const oidc = await oidcServer()
  const admin = await signIn(baseURL!, 'demo', 'admin', 'Demo-2026')
  const { records } = await admin.send(studentApi.list, { pageSize: 1 })
  const [person] = records
  oidc.state.number = person!.suiNumber

  const page = await signedIn(browser, 'admin')
  await open(page, '/integration/identity')
  await shown(page.getByRole('button', { name: '新增登录方式' })).click()
  await dialog(page).getByLabel('按钮名称').fill('校园账号')
  await dialog(page).getByRole('combobox', { name: '协议' }).click()
  await page.getByTitle('OpenID Connect').click()
  await dialog(page).getByLabel('服务地址').fill(oidc.address)
  await dialog(page).getByLabel('客户端编号').fill(oidcClientId)
  await dialog(page).getByLabel('学工号所在属性').fill('employee_number')
  await dialog(page)
    .getByRole('switch', { name: /登录页/ })
    .click()
  await dialog(page).getByRole('button', { name: '保存' }).click()
  await expect(dialog(page)).toContainText('请填写客户端密钥')
  await dialog(page).getByLabel('客户端密钥').fill(oidcSecret)
  await dialog(page).getByRole('button', { name: '保存' }).click()
  await toast(page, /保存成功/)
  const row = shown(page.getByRole('row').filter({ hasText: '校园账号' }))
  await row.getByRole('button', { name: '编辑' }).click()
  const callback = `${new URL(page.url()).origin}${callbackPath}`
  await expect(dialog(page)).toContainText(callback)
  await page.keyboard.press('Escape')
  const { providerId } = (await admin.send(identityApi.list, {})).records[0]!
  await oidc.register(`${callback}${providerId}`, 'first')
  await row.getByRole('button', { name: '测试' }).click()
  await expect(dialog(page)).toContainText('认可客户端编号与密钥')
  await done(page)

  const phone = await newPage(browser, { viewport: { width: 390, height: 844 } })
  await phone.goto('/m/login')
  await phone.getByLabel('学校代码').fill('demo')
  await phone.getByRole('button', { name: '校园账号' }).click()
  await phone.waitForURL('**/m/activities')
  await phone.goto('/m/me')
  await expect(phone.getByText(person!.suiName).first()).toBeVisible()
  await done(phone)
  await admin.send(identityApi.remove, { providerId })
})

test('a provider of SAML is set up by its pasted metadata, and a student comes in by it on a phone', async ({
  browser,
  baseURL,
}) => {
  const ahead = await clockAhead()
  const saml = await samlServer(() => Date.now() + ahead)
  const admin = await signIn(baseURL!, 'demo', 'admin', 'Demo-2026')
  const { records } = await admin.send(studentApi.list, { pageSize: 1 })
  const [person] = records
  saml.state.number = person!.suiNumber

  const page = await signedIn(browser, 'admin')
  await open(page, '/integration/identity')
  await shown(page.getByRole('button', { name: '新增登录方式' })).click()
  const form = dialog(page)
  await form.getByLabel('按钮名称').fill('校园账号')
  await form.getByRole('combobox', { name: '协议' }).click()
  await page.getByTitle('SAML 2.0').click()
  await form.getByLabel('元数据', { exact: true }).fill('<EntityDescriptor/>')
  await form.getByLabel('学工号所在属性').fill('employeeNumber')
  await form.getByRole('switch', { name: /登录页/ }).click()
  await form.getByRole('button', { name: '保存' }).click()
  await expect(page.getByText('应答不是 SAML 元数据').first()).toBeVisible()
  await form.getByLabel('元数据', { exact: true }).fill(saml.metadata())
  await form.getByRole('button', { name: '保存' }).click()
  await toast(page, /保存成功/)
  const { providerId } = (await admin.send(identityApi.list, {})).records[0]!
  const own = `${new URL(page.url()).origin}${metadataPath}${providerId}`
  const row = shown(page.getByRole('row').filter({ hasText: '校园账号' }))
  await row.getByRole('button', { name: '编辑' }).click()
  await expect(dialog(page)).toContainText(own)
  await page.keyboard.press('Escape')
  await saml.register(own)
  await row.getByRole('button', { name: '测试' }).click()
  await expect(dialog(page)).toContainText('有 1 个有效的签名证书')
  await done(page)

  const phone = await newPage(browser, { isPhone: true })
  await phone.goto('/m/login')
  await phone.getByLabel('学校代码').fill('demo')
  await phone.getByRole('button', { name: '校园账号' }).click()
  await phone.waitForURL('**/m/activities')
  await phone.goto('/m/me')
  await expect(phone.getByText(person!.suiName).first()).toBeVisible()
  await done(phone)

  // a person whom the school does not have comes back to the sign-in page and is told
  saml.state.number = '0000000000'
  const stranger = await newPage(browser, { isPhone: true })
  await stranger.goto('/m/login')
  await stranger.getByLabel('学校代码').fill('demo')
  await stranger.getByRole('button', { name: '校园账号' }).click()
  await stranger.waitForURL('**/m/login')
  await expect(stranger.getByRole('alert')).toContainText('账号')
  await done(stranger)
  await admin.send(identityApi.remove, { providerId })
})

test('a directory is set up, and a teacher comes in by the name and password that it knows', async ({
  browser,
  baseURL,
}) => {
  const admin = await signIn(baseURL!, 'demo', 'admin', 'Demo-2026')
  const { records } = await admin.send(teacherApi.list, { pageSize: 50 })
  const person = records.find(({ suiName }) => !suiName.includes('管理员'))!
  const directory = await startDirectory([{ uid: 'wang.wu', employeeNumber: person.suiNumber }])

  const page = await signedIn(browser, 'admin')
  await open(page, '/integration/identity')
  await shown(page.getByRole('button', { name: '新增登录方式' })).click()
  const form = dialog(page)
  await form.getByLabel('按钮名称').fill('校园账号')
  await form.getByRole('combobox', { name: '协议' }).click()
  await page.getByTitle('LDAP、AD').click()
  await form.getByLabel('服务地址').fill(directory.plain)
  await form.getByLabel('查询起点').fill(directoryBase)
  await form.getByLabel('查询账号', { exact: true }).fill(searcher.bindDn)
  await form.getByLabel('查询账号的口令').fill(searcher.secret)
  await form.getByLabel('CA 证书').fill(directory.ca)
  await form.getByLabel('学工号所在属性').fill('description')
  await form.getByRole('switch', { name: /登录页/ }).click()
  await form.getByRole('button', { name: '保存' }).click()
  await toast(page, /保存成功/)
  const row = shown(page.getByRole('row').filter({ hasText: '校园账号' }))
  await row.getByRole('button', { name: '测试' }).click()
  await expect(dialog(page)).toContainText('已用 StartTLS 加密连接')
  await expect(dialog(page)).toContainText('查询起点与查询条件可用')
  await done(page)

  const other = await newPage(browser)
  await other.goto('/')
  await other.getByLabel('学校代码').fill('demo')
  await other.getByLabel('账号', { exact: true }).fill('wang.wu')
  await other.getByLabel('密码', { exact: true }).fill('wrong')
  const button = other.getByRole('button', { name: '用校园账号的密码登录' })
  await button.click()
  await expect(other.getByRole('alert')).toContainText('校园账号或密码错误')
  await other.getByLabel('密码', { exact: true }).fill(directoryPassword)
  await button.click()
  await other.waitForURL('**/home')
  await expect(shown(other.getByText(person.suiName))).toBeVisible()
  await done(other)
  const { providerId } = (await admin.send(identityApi.list, {})).records[0]!
  await admin.send(identityApi.remove, { providerId })
})

test('a teacher whose name at 企业微信 is not their number binds it, and comes in by it', async ({
  browser,
  baseURL,
}) => {
  const wecom = await wecomServer()
  wecom.state.person = { userid: 'ZhangSan' }
  const admin = await signIn(baseURL!, 'demo', 'admin', 'Demo-2026')
  const { providerId } = await admin.send(identityApi.save, {
    kind: 'wecom',
    name: '企业微信',
    audience: ['teacher'],
    enabled: true,
    clientSecret: wecomApp.secret,
    settings: {
      address: wecom.address,
      pageAddress: wecom.address,
      insideAddress: wecom.address,
      clientId: wecomApp.corpId,
      agentId: wecomApp.agentId,
    },
  })
  const page = await signedIn(browser, 'teacher')
  await open(page, '/personalCenter/account')
  await page.getByRole('button', { name: '绑定“企业微信”' }).click()
  await dialog(page).getByLabel('登录密码').fill('Demo-2026')
  await dialog(page).getByRole('button', { name: '绑定', exact: true }).click()
  await toast(page, '绑定成功')
  await expect(page.getByText('还没有用它登录过')).toBeVisible()
  await done(page)

  const other = await newPage(browser)
  await other.goto('/')
  await other.getByLabel('学校代码').fill('demo')
  await other.getByRole('button', { name: '企业微信' }).click()
  await other.waitForURL('**/home')
  await done(other)
  await admin.send(identityApi.remove, { providerId })
})
