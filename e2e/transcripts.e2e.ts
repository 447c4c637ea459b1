import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from '@playwright/test'
import { dialog, toast } from './configuration-actions.ts'
import { transcriptApi } from '../contract/outcomes/transcripts/transcripts.calls.ts'
import { rowWithHours } from './locators.ts'
import { classOf, done, holdBack, newPage, open, settled, shown, signedIn } from './support.ts'

test.describe.configure({ timeout: 90_000 })

const textOf = (path: string) => execFileSync('pdftotext', ['-raw', '-enc', 'UTF-8', path, '-']).toString()

test('a transcript is issued with chosen records, checked by anybody, and revoked', async ({ browser }) => {
  const page = await signedIn(browser, 'admin')
  await open(page, '/transcript/transcriptList?sort=suiNumber&order=asc&pageSize=50')
  const row = rowWithHours(page)
  const student = await row.getByRole('link').first().innerText()
  await row.getByRole('link').first().click()
  await expect(shown(page.getByRole('heading', { level: 1, name: student }))).toBeVisible()
  // as printed, in both languages; then, by term, with the calculation of a row
  await expect(shown(page.getByText('盖章')).first()).toBeVisible()
  await shown(page.getByText('English', { exact: true })).click()
  await expect(shown(page.getByRole('heading', { name: 'Co-curricular Transcript' }))).toBeVisible()
  await shown(page.getByText('中文', { exact: true })).click()
  await shown(page.getByRole('tab', { name: '记录与进度' })).click()
  await shown(page.getByText('按学期', { exact: true })).click()
  await expect(shown(page.locator('.record-group'))).toContainText('学期')
  await shown(page.getByRole('button', { name: /的计算说明$/ })).click()
  await expect(shown(page.locator('.record-explain'))).toContainText('入账时间')
  const record = shown(page.getByRole('checkbox', { name: /^选择(?!全部)/ }))
  const name = ((await record.getAttribute('aria-label')) ?? '').replace(/^选择/, '')
  await record.check()
  const chosen = page.waitForEvent('download')
  await page.getByRole('button', { name: '导出所选 1 项' }).click()
  const part = textOf(await (await chosen).path()).replace(/\s+/g, '')
  expect(part).toContain('所选1项记录')
  expect(part).toContain(name.replace(/\s+/g, ''))

  await shown(page.getByRole('tab', { name: '成绩单', exact: true })).click()
  const whole = page.waitForEvent('download')
  await page.getByRole('button', { name: '导出 PDF' }).click()
  const path = await (await whole).path()
  const serial = /编号 (\S+)/.exec(textOf(path))![1]!
  await expect(shown(page.getByRole('link', { name: serial }))).toBeVisible()

  // anybody, without an account, with the paper or with the file that lies in it
  const reader = await newPage(browser)
  await reader.goto(`/verify/${serial}`)
  const verdict = reader.getByRole('region', { name: '核验结果' })
  await expect(verdict).toContainText('有效')
  await expect(verdict).not.toContainText(student)
  // what only programs compare is folded
  await expect(reader.getByText('签名公钥（Ed25519）')).toBeHidden()
  await reader.getByText('供系统核对的摘要与公钥').click()
  await expect(reader.getByText('签名公钥（Ed25519）')).toBeVisible()
  const file = join(tmpdir(), `credential-${process.pid}.json`)
  execFileSync('pdfdetach', ['-save', '1', '-o', file, path])
  await reader.getByLabel(/核对凭证文件/).setInputFiles(file)
  await expect(reader.getByText('凭证文件与签发内容逐字一致，数字签名有效。')).toBeVisible()
  writeFileSync(file, readFileSync(file, 'utf8').replace('"totalHours":"', '"totalHours":"9'))
  await reader.getByLabel(/核对凭证文件/).setInputFiles(file)
  await expect(reader.getByText('凭证文件已被改动，数字签名无效。')).toBeVisible()

  await open(page, `/transcript/transcriptList?tab=issues&search=${serial}`)
  await expect(shown(page.locator('.ant-table-row'))).toContainText('有效')
  await page.getByRole('button', { name: `${serial}的更多操作` }).click()
  await page.getByRole('menuitem', { name: '撤销' }).click()
  await dialog(page).getByRole('textbox').fill('姓名有误，重新签发')
  await dialog(page).getByRole('button', { name: '撤销', exact: true }).click()
  await expect(shown(page.locator('.ant-table-row'))).toContainText('已撤销')
  await reader.goto(`/verify/${serial}`)
  await expect(verdict).toContainText('已撤销')
  await expect(verdict).toContainText('姓名有误，重新签发')
  await done(reader)
  await done(page)
})

test('a transcript is dimmed and neither printed nor exported while it is still that of a former period', async ({
  browser,
}) => {
  const page = await signedIn(browser, 'admin')
  await open(page, '/transcript/transcriptList?sort=suiNumber&order=asc&pageSize=50')
  await rowWithHours(page).getByRole('link').first().click()
  const print = shown(page.getByRole('button', { name: '打印', exact: true }))
  await expect(print).toBeEnabled()
  await settled(page)
  const letGo = await holdBack(page, transcriptApi.rows)
  await shown(page.getByRole('combobox', { name: '学期' })).click()
  await shown(page.locator('.ant-select-dropdown:not(.ant-select-dropdown-hidden) .ant-select-item-option')).click()
  await expect(page).toHaveURL(/startTime=/)
  await expect(print).toBeDisabled()
  const paper = shown(page.getByRole('button', { name: '导出 PDF', exact: true }))
  const dimmed = page.locator('.is-former').filter({ visible: true })
  await expect(paper).toBeDisabled()
  await expect(dimmed.filter({ hasText: /^(未)?达标$/ })).toHaveCount(1)
  await expect(dimmed.getByRole('status').filter({ hasText: '签发' })).toHaveCount(1)
  await letGo()
  await expect(print).toBeEnabled()
  await expect(paper).toBeEnabled()
  await expect(dimmed).toHaveCount(0)

  // nor in the preview beside the list
  await open(page, '/transcript/transcriptList?sort=suiNumber&order=asc&pageSize=50')
  await rowWithHours(page).getByRole('button', { name: '预览', exact: true }).click()
  const preview = page.getByRole('dialog')
  const previewExport = preview.getByRole('button', { name: '导出 PDF', exact: true })
  await expect(preview.getByRole('status').filter({ hasText: '签发' })).toBeVisible()
  await expect(previewExport).toBeEnabled()
  const letGoPreview = await holdBack(page, transcriptApi.header)
  await preview.getByText('English', { exact: true }).click()
  await expect(previewExport).toBeDisabled()
  await expect(dimmed.getByRole('status').filter({ hasText: '签发' })).toHaveCount(1)
  await letGoPreview()
  await expect(previewExport).toBeEnabled()
  await expect(dimmed).toHaveCount(0)
  await done(page)
})

test('whoever ticks a page of students is offered all of them for printing and for their scores', async ({
  browser,
}) => {
  const page = await signedIn(browser, 'admin')
  await open(page, '/transcript/transcriptList')
  await settled(page)
  const bar = shown(page.getByRole('toolbar', { name: '批量操作' }))
  await shown(page.getByRole('checkbox', { name: '全选本页' })).check()
  const offer = bar.getByRole('button', { name: /^选择全部 \d+ 条$/ })
  const [all] = /\d+/.exec(await offer.innerText())!
  await offer.click()
  await expect(bar).toContainText(`已选符合条件的全部 ${all} 条`)
  // a file now is of those ticked
  await expect(bar.getByRole('button', { name: '导出 PDF' })).toHaveCount(0)
  for (const act of ['批量打印', '导出学生成绩']) {
    await bar.getByRole('button', { name: act, exact: true }).click()
    await expect(dialog(page)).toContainText(`当前列表的 ${all} 名学生`)
    await dialog(page).getByRole('button', { name: '取消' }).click()
    await expect(dialog(page)).toBeHidden()
  }
  await done(page)
})

test('a class is printed in the background', async ({ browser }) => {
  const page = await signedIn(browser, 'admin')
  await open(page, '/transcript/transcriptList')
  await page.getByPlaceholder('搜索学院、专业、班级').fill(classOf('', 3))
  await shown(
    page
      .locator(
        '.ant-tree-treenode-leaf-last .ant-tree-node-content-wrapper, .ant-tree-treenode .ant-tree-node-content-wrapper',
      )
      .filter({ hasText: classOf('', 3) }),
  ).click()
  await shown(page.getByRole('button', { name: '打印本班' })).click()
  await dialog(page).getByLabel('名称').fill('本班成绩单')
  await dialog(page).getByRole('button', { name: '开始打印' }).click()
  await toast(page, '已开始打印')
  const line = page.getByRole('listitem').filter({ hasText: '本班成绩单' })
  await expect(line).toContainText('已完成', { timeout: 60_000 })
  const file = page.waitForEvent('download')
  await line.getByRole('button', { name: '下载', exact: true }).click()
  const got = await file
  expect(got.suggestedFilename()).toBe('本班成绩单.pdf')
  const people = Number(/(\d+) 人/.exec(await line.innerText())![1])
  expect(textOf(await got.path()).match(/第 1 页 共/g)).toHaveLength(people)
  await done(page)
})

test('a preview that the list does not hold is told, and one in a language that fails leaves the other', async ({
  browser,
}) => {
  const page = await signedIn(browser, 'admin')
  await open(page, '/transcript/transcriptList?preview=01900000-0000-7000-8000-000000000000')
  await toast(page, '要查看的记录不在当前列表中，可能在其他页，或不符合筛选条件')
  await expect(page).not.toHaveURL(/preview=/)

  const headers = (url: URL) => url.pathname.endsWith(transcriptApi.header.path)
  await page.route(headers, (route) =>
    route.request().postDataJSON().lang === 'en' ? route.abort() : route.continue(),
  )
  await shown(page.getByRole('button', { name: '预览' }))
    .first()
    .click()
  await expect(dialog(page).getByText('盖章').first()).toBeVisible()
  await dialog(page).getByText('English', { exact: true }).click()
  await expect(dialog(page)).toContainText('未能取得数据')
  await expect(dialog(page).getByRole('button', { name: '导出 PDF' })).toBeDisabled()
  await dialog(page).getByText('中文', { exact: true }).click()
  await expect(dialog(page).getByText('盖章').first()).toBeVisible()
  // the browser tells of the answers that were held
  await page.context().close()
})
