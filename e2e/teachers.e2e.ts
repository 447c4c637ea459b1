import { expect, test } from '@playwright/test'
import { fact, field, row, tab } from './locators.ts'
import { choose, done, open, shown, signedIn } from './support.ts'

const students = '/personnelAdmin/studentAdmin'
const teachers = '/personnelAdmin/teacherAdmin'

test('a teacher is added with departments, edited, and shown with their courses', async ({ browser }) => {
  const page = await signedIn(browser, 'admin')
  await open(page, `${teachers}/add`)
  await field(page, '姓名').fill('韩梅梅老师')
  await field(page, '工号').fill('G2026001')
  await choose(page, field(page, '学院'), '计算机科学与技术学院')
  await choose(page, field(page, '职称'), '副教授')
  await choose(page, field(page, '教师类型'), '辅导员')
  await page.getByRole('button', { name: '保存', exact: true }).click()
  await expect(shown(page.getByRole('heading', { level: 1, name: /韩梅梅老师/ }))).toBeVisible()
  await page.getByRole('button', { name: '编辑', exact: true }).click()
  await field(page, '职务').fill('团委副书记')
  await field(page, '手机号').fill('13700001234')
  await page.getByRole('button', { name: '保存', exact: true }).click()
  await expect(fact(page, '职务')).toHaveText('团委副书记')
  await expect(fact(page, '手机号')).toContainText('137****1234')
  await tab(page, '部门').click()
  await expect(fact(page, '学院')).toHaveText('计算机科学与技术学院')
  await tab(page, '指导课程').click()
  await expect(shown(page.getByText('还没有指导课程'))).toBeVisible()
  await open(page, `${teachers}?search=韩梅梅`)
  await page.getByRole('button', { name: '更多筛选' }).click()
  await choose(page, field(page, '职称', true), '副教授')
  await choose(page, field(page, '带班辅导员', true), '否')
  await expect(row(page, 'G2026001')).toContainText('辅导员')
  await done(page)
})

test('who may not see what is sensitive gets no eye, no such filter, and no search by number', async ({ browser }) => {
  const page = await signedIn(browser, 'viewer')
  await open(page, `${students}?pageSize=10`)
  await expect(page.getByRole('button', { name: '按号码查找' })).toHaveCount(0)
  await page.getByRole('button', { name: '更多筛选' }).click()
  await expect(shown(page.getByLabel('诚信分最低'))).toBeVisible()
  await expect(page.getByLabel('政治面貌', { exact: true })).toHaveCount(0)
  await shown(page.locator('tbody a')).click()
  await expect(fact(page, '政治面貌')).toHaveText('**')
  await expect(fact(page, '手机号')).toContainText('****')
  await expect(page.getByRole('button', { name: /^查看/ })).toHaveCount(0)
  await done(page)
})
