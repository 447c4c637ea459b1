import type { AddressInfo } from 'node:net'
import { expect, test } from '@playwright/test'
import { SMTPServer } from 'smtp-server'
import { teacherApi } from '../contract/school/people/teachers.calls.ts'
import { collegeApi } from '../contract/school/organisation/colleges.calls.ts'
import { messageApi } from '../contract/school/messages/messages.calls.ts'
import { signIn } from '../server/testing/client.ts'
import { row } from './locators.ts'
import { choose, done, open, shown, signedIn, travel } from './support.ts'

test('a channel by mail is set up, tried and switched on, and a message arrives at the mail server', async ({
  browser,
  baseURL,
}) => {
  const mails: string[] = []
  const sink = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    authOptional: true,
    onData: (stream, _session, callback) => {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => void chunks.push(chunk))
      stream.on('end', () => {
        mails.push(Buffer.concat(chunks).toString())
        callback()
      })
    },
  })
  await new Promise<void>((ready) => sink.listen(0, '127.0.0.1', ready))
  try {
    const page = await signedIn(browser, 'admin')
    await open(page, '/integration/channels')
    await expect(shown(page.getByText('暂无消息通道'))).toBeVisible()
    await shown(page.getByRole('button', { name: '新增消息通道' })).click()
    const dialog = page.getByRole('dialog', { name: '新增消息通道' })
    await dialog.getByLabel('服务器').fill('127.0.0.1')
    await dialog.getByLabel('端口').fill('1')
    await choose(page, dialog.getByLabel('加密方式'), '不加密（仅限内网）')
    await dialog.getByLabel('发件地址').fill('dekt@example.edu.cn')
    await dialog.getByRole('button', { name: '保存' }).click()
    await expect(dialog).toBeHidden()
    await expect(row(page, '学校邮箱')).toContainText('停用')

    const tested = page.getByRole('dialog', { name: '测试“学校邮箱”' })
    const tryIt = async () => {
      await row(page, '学校邮箱').getByRole('button', { name: '测试' }).click()
      await tested.getByLabel('邮箱地址').fill('me@example.edu.cn')
      await tested.getByRole('button', { name: '发送测试消息' }).click()
    }
    await tryIt()
    await expect(tested).toContainText('对方拒绝连接')
    await tested.getByRole('button', { name: '关闭' }).last().click()
    await expect(tested).toBeHidden()
    await row(page, '学校邮箱').getByRole('button', { name: '编辑' }).click()
    const edited = page.getByRole('dialog', { name: '编辑消息通道' })
    await edited.getByLabel('端口').fill(String((sink.server.address() as AddressInfo).port))
    await edited.getByRole('button', { name: '保存' }).click()
    await expect(edited).toBeHidden()
    await tryIt()
    await expect(tested).toContainText('已发往 m***@example.edu.cn')
    await tested.getByRole('button', { name: '关闭' }).last().click()
    await expect(tested).toBeHidden()
    expect(mails).toHaveLength(1)
    await row(page, '学校邮箱').getByRole('button', { name: '更多' }).click()
    await page.getByRole('menuitem', { name: '启用' }).click()
    await page.getByRole('dialog').getByRole('button', { name: '启用' }).click()
    await expect(row(page, '学校邮箱')).toContainText('启用')

    const client = await signIn(baseURL!, 'demo', 'admin', 'Demo-2026')
    const [college] = (await client.send(collegeApi.list, {})).records
    const teacher = (suiNumber: string, suiName: string, suiEmail?: string) =>
      client.send(teacherApi.save, { suiNumber, suiName, suiCollegeId: college!.scId, suiEmail })
    const [told, without] = [
      await teacher('G2099011', '收信人', 'told@example.edu.cn'),
      await teacher('G2099012', '无邮箱'),
    ]
    const suIds = [told.suId, without.suId]
    await client.send(messageApi.send, { iiTitle: '教研室例会', iiContent: '周五下午三点。', suIds })
    await travel(10)
    await expect.poll(() => mails.length, { timeout: 20_000 }).toBe(2)
    expect(mails[1]).toContain('To: told@example.edu.cn')

    await open(page, '/integration/messages')
    await expect(row(page, '收信人')).toContainText('已送达')
    await expect(row(page, '无邮箱')).toContainText('该人员没有邮箱')
    await open(page, '/personalCenter/account')
    await expect(page.getByRole('region', { name: '消息接收方式' })).toContainText('人工消息')
    await open(page, '/integration/channels')
    await row(page, '学校邮箱').getByRole('button', { name: '更多' }).click()
    await page.getByRole('menuitem', { name: '删除' }).click()
    await page.getByRole('dialog').getByRole('button', { name: '删除' }).click()
    await expect(shown(page.getByText('暂无消息通道'))).toBeVisible()
    await done(page)
  } finally {
    sink.close(() => undefined)
  }
})
