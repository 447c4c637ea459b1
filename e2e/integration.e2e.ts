import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test, type Page } from '@playwright/test'
import { Webhook } from 'standardwebhooks'
import { collegeApi } from '../contract/school/organisation/colleges.calls.ts'
import { teacherApi } from '../contract/school/people/teachers.calls.ts'
import { lessonApi } from '../contract/programme/lessons/lessons.calls.ts'
import { Client, signIn } from '../server/testing/client.ts'
import { notice, row } from './locators.ts'
import { choose, dayAfter, done, open, shown, signedIn, travel } from './support.ts'

/** Other systems: a key by which one asks, and events that one is sent. */

/** The secret that the dialog shows, which is then closed. */
async function secretOf(page: Page, title: string): Promise<string> {
  const dialog = page.getByRole('dialog', { name: title })
  const secret = (await dialog.getByLabel(title).last().textContent())!.trim()
  await dialog.getByRole('button', { name: '我已妥善保存' }).click()
  await expect(dialog).toBeHidden()
  return secret
}

test('a key is made, asks with its role in its area, and ends when it is revoked', async ({ browser, baseURL }) => {
  const page = await signedIn(browser, 'admin')
  await open(page, '/integration/keys')
  await expect(shown(page.getByText('暂无程序密钥'))).toBeVisible()
  await shown(page.getByRole('button', { name: '新增程序密钥' })).click()
  const dialog = page.getByRole('dialog', { name: '新增程序密钥' })
  await dialog.getByLabel('名称').fill('教务系统')
  await choose(page, dialog.getByLabel('角色'), '校级审核员')
  await dialog.getByLabel('允许的地址').fill('127.0.0.1,')
  const today = await travel(0)
  await dialog.getByLabel('有效期至').fill(dayAfter(today, 90))
  await dialog.getByLabel('有效期至').press('Enter')
  await dialog.getByRole('button', { name: '保存' }).click()
  const key = await secretOf(page, '程序密钥')
  expect(key).toMatch(/^dekt_[\w-]{43}$/)

  const program = new Client(baseURL!, key)
  expect((await program.send(lessonApi.view, {})).total).toBeGreaterThan(0)
  await page.reload()
  await expect(row(page, '教务系统')).toContainText('有效')
  await expect(row(page, '教务系统')).not.toContainText('从未使用')
  await row(page, '教务系统').getByRole('button', { name: '撤销' }).click()
  await page.getByRole('dialog').getByRole('button', { name: '撤销' }).click()
  await expect(row(page, '教务系统')).toContainText('已撤销')
  expect((await program.ask(lessonApi.view, {})).status).toBe(401)
})

test('a subscription is tried, delivers what happens, and sends again what was asked for', async ({
  browser,
  baseURL,
}) => {
  const came: { headers: Record<string, string>; body: string }[] = []
  let status = 500
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => void chunks.push(chunk))
    request.on('end', () => {
      came.push({ headers: request.headers as Record<string, string>, body: Buffer.concat(chunks).toString() })
      response.writeHead(status).end('received')
    })
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  try {
    const { port } = server.address() as AddressInfo
    const page = await signedIn(browser, 'admin')
    await open(page, '/integration/webhooks')
    await expect(shown(page.getByText('暂无事件推送'))).toBeVisible()
    await shown(page.getByRole('button', { name: '新增事件推送' })).click()
    const dialog = page.getByRole('dialog', { name: '新增事件推送' })
    await dialog.getByLabel('名称').fill('数据中台')
    await dialog.getByLabel('接收地址').fill(`http://127.0.0.1:${port}/events`)
    await dialog.getByRole('checkbox', { name: '人员加入' }).check()
    await dialog.getByRole('button', { name: '保存' }).click()
    const secret = await secretOf(page, '签名密钥')

    const tryIt = () => row(page, '数据中台').getByRole('button', { name: '发送测试' }).click()
    await tryIt()
    await expect(notice(page, '未送达：对方答复 HTTP 500')).toBeVisible()
    status = 200
    await tryIt()
    await expect(notice(page, '已送达：对方答复 HTTP 200')).toBeVisible()

    const client = await signIn(baseURL!, 'demo', 'admin', 'Demo-2026')
    const [college] = (await client.send(collegeApi.list, {})).records
    came.length = 0
    const teacher = { suiNumber: 'G2099001', suiName: '新到任', suiCollegeId: college!.scId }
    const { suId } = await client.send(teacherApi.save, teacher)
    await travel(10)
    await expect.poll(() => came.length, { timeout: 20_000 }).toBe(1)
    expect(JSON.parse(came[0]!.body)).toMatchObject({ type: 'person.added', data: { person: { suId } } })

    await open(page, '/integration/deliveries')
    const added = row(page, '人员加入')
    await expect(added).toContainText('已送达')
    await added.getByRole('button', { name: '查看' }).click()
    const details = page.getByRole('dialog', { name: '投递详情' })
    await expect(page).toHaveURL(/preview=/)
    await page.reload()
    await expect(details.getByLabel('发送内容')).toContainText('"type": "person.added"')
    await details.getByRole('button', { name: 'Close' }).or(details.getByLabel('关闭')).first().click()
    await added.getByRole('button', { name: '重新投递' }).click()
    await page.getByRole('dialog').getByRole('button', { name: '重新投递' }).click()
    await expect(notice(page, '已重新排队')).toBeVisible()
    await travel(10)
    await expect.poll(() => came.length, { timeout: 20_000 }).toBe(2)
    expect(came[1]!.headers['webhook-id']).toBe(came[0]!.headers['webhook-id'])
    const { 'webhook-id': id, 'webhook-timestamp': at, 'webhook-signature': signature } = came[1]!.headers
    expect(new Webhook(secret).sign(id!, new Date(Number(at) * 1000), came[1]!.body)).toBe(signature)
    await open(page, '/integration/webhooks')
    await row(page, '数据中台').getByRole('button', { name: '更多' }).click()
    await page.getByRole('menuitem', { name: '删除' }).click()
    await page.getByRole('dialog').getByRole('button', { name: '删除' }).click()
    await expect(shown(page.getByText('暂无事件推送'))).toBeVisible()
    await done(page)
  } finally {
    server.close()
  }
})
