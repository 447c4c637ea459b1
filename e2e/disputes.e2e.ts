import { expect, test } from '@playwright/test'
import { disputeApi } from '../contract/programme/disputes/disputes.calls.ts'
import { signIn } from '../server/testing/client.ts'
import { choose, done, open, shown, signedIn } from './support.ts'

/**
 * A dispute about a published result: entered on behalf, taken up, decided by the reviewer, settled, and who asked
 * stays hidden.
 */
test.describe.configure({ mode: 'serial' })

const home = '/courseManagement/Question'
const said = '通知中写明认定 3 学时，公示只有 2 学时'

test('from the entry to the settlement', async ({ browser }) => {
  const college = await signedIn(browser, 'college')
  await open(college, home)
  await shown(college.getByRole('button', { name: '登记质疑' })).click()
  const form = college.getByRole('dialog', { name: '登记质疑' })
  await form.getByRole('combobox', { name: '课程', exact: true }).click()
  const option = shown(
    college
      .locator('.ant-select-dropdown:not(.ant-select-dropdown-hidden) .ant-select-item-option')
      .filter({ hasText: '公示中' }),
  )
  await expect(option).toBeVisible()
  await option.click()
  await form.getByText('其他', { exact: true }).click()
  await form.getByRole('combobox', { name: '质疑人', exact: true }).fill('王老师')
  await choose(college, form.getByRole('combobox', { name: '质疑人', exact: true }), '王老师')
  await form.getByLabel('质疑内容').fill(said)
  await form.getByRole('button', { name: '登记', exact: true }).click()
  await expect(form).toBeHidden()

  await open(college, `${home}/QuestionPersonnel?qStatus=0,5`)
  const row = college.getByRole('row').filter({ hasText: said })
  await row.getByRole('button', { name: '受理', exact: true }).click()
  await college.getByRole('dialog').getByRole('button', { name: '受理', exact: true }).click()
  await expect(college.getByText('已受理 1 条')).toBeVisible()

  // the course of the option decides who is asked: its own college, or the school
  await open(college, `${home}/QuestionPersonnel?qStatus=1`)
  await row.getByRole('link').first().click()
  const asked = shown(college.getByRole('region', { name: '审批流程' }))
  await expect(asked).toContainText('待处理')
  const reviewer = (await asked.textContent())!.includes('周雅琴')
    ? await signedIn(browser, 'reviewer')
    : await signedIn(browser, 'college')
  await open(reviewer, '/checkAdmin/informCheck')
  const list = shown(reviewer.getByRole('list', { name: '质疑举报审批' })).getByRole('listitem')
  await list.filter({ hasText: '其他' }).getByRole('button').click()
  const article = shown(reviewer.getByRole('article'))
  await expect(article).toContainText(said)
  await expect(article).toContainText('已按规定隐去')
  await article.getByRole('button', { name: '通过', exact: true }).click()
  await expect(reviewer.getByText(/^已通过“/)).toBeVisible()
  await done(reviewer)

  await open(college, `${home}/QuestionPersonnel?qStatus=2`)
  await college.getByRole('row').filter({ hasText: said }).getByRole('link').first().click()
  await expect(shown(college.getByText('成立待处理'))).toBeVisible()
  await shown(college.getByRole('button', { name: '查看质疑人' })).click()
  await college
    .getByRole('dialog')
    .getByPlaceholder(/不少于 5 个字/)
    .fill('联系质疑人补充材料')
  await college.getByRole('dialog').getByRole('button', { name: '查看质疑人' }).click()
  const dialog = college.getByRole('dialog', { name: '质疑人', exact: true })
  await expect(dialog).toContainText('王老师')
  await college.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await shown(college.getByRole('button', { name: '处理', exact: true })).click()
  const settle = college.getByRole('dialog', { name: /^处理质疑/ })
  await settle.getByLabel('处理说明').fill('已向组织方核实，维持原结果')
  await settle.getByRole('button', { name: '确认处理' }).click()
  await expect(settle).toBeHidden()
  await expect(shown(college.locator('.detail-card'))).toContainText('维持原结果')
  await shown(college.getByRole('tab', { name: '动态' })).click()
  await expect(shown(college.locator('.detail-card'))).toContainText('查看质疑人')
  await expect(shown(college.locator('.detail-card'))).not.toContainText('王老师')
  await done(college)
})

test('the disputes about a course are shown under its name, also where the filters find none of them', async ({
  browser,
  baseURL,
}) => {
  const admin = await signIn(baseURL!, 'demo', 'admin', 'Demo-2026')
  const [subject] = (await admin.send(disputeApi.lessons, { kind: 'lesson' })).records
  const page = await signedIn(browser, 'admin')
  await open(page, `${home}/QuestionPersonnel?liId=${subject!.liId}&targetName=查无此人`)
  await expect(shown(page.getByText('没有符合条件的数据'))).toBeVisible()
  await expect(shown(page.getByRole('heading', { level: 1 }))).toContainText(`质疑人员：${subject!.liName}`)
  await expect(
    page.getByRole('navigation', { name: '已打开的页签' }).getByText(`质疑 · ${subject!.liName}`),
  ).toBeVisible()
  await done(page)
})
