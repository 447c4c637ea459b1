import { expect, test, type Page } from '@playwright/test'
import { field } from './locators.ts'
import { choose, classOf, done, gradeOf, open, shown, signedIn } from './support.ts'

const college = '计算机科学与技术学院'
const roleName = `学院助理${Date.now() % 10_000}`

/** The row of a list that holds a text. */
const rowOf = (page: Page, text: string) => page.locator('tbody tr').filter({ hasText: text, visible: true }).first()

test('a role is copied, shaped, given over a college; its member sees that college only, and the reason can be looked up', async ({
  browser,
}) => {
  const admin = await signedIn(browser, 'admin')
  await open(admin, '/personnelAdmin/roleAdmin')
  await rowOf(admin, '辅导员').getByRole('link', { name: '复制' }).click()
  await expect(shown(admin.getByRole('heading', { level: 1 }))).toContainText('复制自辅导员')
  await admin.getByRole('textbox', { name: '角色名称' }).fill(roleName)
  await choose(admin, field(admin, '数据范围'), '学院')
  await expect(admin.getByText('与角色“辅导员”相同')).toBeVisible()
  await admin.getByLabel('查找权限').fill('删除课程')
  await admin.getByRole('checkbox', { name: '课程列表：删除', exact: true }).uncheck()
  await admin.getByLabel('查找权限').fill('')
  await admin.getByRole('checkbox', { name: '学院管理：打开', exact: true }).check()
  await expect(admin.getByText('与角色“辅导员”相比：新增 1 项，移除 1 项')).toBeVisible()
  await admin.getByText('有变化 2').click()
  await expect(admin.getByRole('checkbox', { name: '学院管理：打开（新增）' })).toBeChecked()
  await expect(admin.getByRole('checkbox', { name: '课程列表：删除（移除）' })).not.toBeChecked()
  await admin.getByRole('button', { name: '保存', exact: true }).click()
  await expect(admin.getByText('保存成功')).toBeVisible()

  await open(admin, '/personnelAdmin/memberAdmin')
  await admin.getByRole('button', { name: '添加成员' }).click()
  const dialog = admin.getByRole('dialog')
  await choose(admin, dialog.locator('[id$="_srId"]'), roleName)
  await dialog.locator('[id$="_suIds"]').click()
  await dialog.locator('[id$="_suIds"]').fill('teacher')
  await admin.locator('.ant-select-item-option').filter({ hasText: '王老师' }).click()
  await admin.keyboard.press('Escape')
  await dialog.locator('[id$="_scIds"]').click()
  await admin.locator('.ant-select-item-option').filter({ hasText: college, visible: true }).click()
  await admin.keyboard.press('Escape')
  await dialog.getByRole('button', { name: '保存', exact: true }).click()
  await expect(dialog).toBeHidden()
  await admin.getByLabel('成员', { exact: true }).fill('teacher')
  await admin.getByLabel('成员', { exact: true }).press('Enter')
  await expect(rowOf(admin, roleName)).toContainText(college)
  await expect(rowOf(admin, roleName)).toContainText('系统管理员')

  const teacher = await signedIn(browser, 'teacher')
  await open(teacher, '/personnelAdmin/studentAdmin')
  await expect(teacher.locator('tbody tr').filter({ hasText: college }).first()).toBeVisible()
  const own = await teacher.locator('.page-facts').filter({ visible: true }).textContent()
  await open(admin, '/personnelAdmin/studentAdmin')
  const all = admin.locator('.page-facts').filter({ visible: true })
  await expect(all).toHaveText(/^共 [\d,]+ 条$/)
  const count = (text: string | null) => Number(text?.replace(/\D/g, ''))
  expect(count(own)).toBeLessThan(count(await all.textContent()))
  await expect(teacher.locator('tbody tr').filter({ hasText: '经济管理学院' })).toHaveCount(0)

  await open(admin, '/personnelAdmin/memberAdmin')
  await admin.getByLabel('成员', { exact: true }).fill('teacher')
  await admin.getByLabel('成员', { exact: true }).press('Enter')
  await rowOf(admin, roleName).getByRole('link', { name: '王老师' }).click()
  await expect(shown(admin.getByRole('heading', { level: 1 }))).toContainText('王老师的权限')
  await admin.getByRole('button', { name: '试试“学生管理 · 查看”' }).click()
  const box = admin.getByRole('region', { name: '试一项权限' })
  await expect(box.getByText('可以', { exact: true })).toBeVisible()
  await pickRecord(admin, '学生', '经济管理学院')
  await expect(box.getByText('不可以', { exact: true })).toBeVisible()
  await expect(box).toContainText(`角色“${roleName}”含有“学生管理 · 查看”权限，但其管理范围“${college}”不包括学生`)
  await expect(box).toContainText('可以调整他的管理范围')
  await pickRecord(admin, '学生', college)
  await expect(box.getByText('可以', { exact: true })).toBeVisible()

  // the question may also be begun with the person
  await open(admin, '/personnelAdmin/memberAdmin')
  await admin
    .getByRole('link', { name: '查询个人权限' })
    .or(admin.getByRole('button', { name: '查询个人权限' }))
    .click()
  await expect(admin.getByText('请选择要查看的人员')).toBeVisible()
  const person = shown(admin.locator('.access-other').getByRole('combobox'))
  await person.click()
  await person.fill('王老师')
  await admin.locator('.ant-select-item-option').filter({ hasText: '王老师', visible: true }).first().click()
  await expect(shown(admin.getByRole('heading', { level: 1 }))).toContainText('王老师的权限')
  await done(teacher)
  await done(admin)
})

/** Chooses the first record of the test box that stands in a college. */
async function pickRecord(page: Page, kind: string, place: string): Promise<void> {
  const field = page.getByRole('region', { name: '试一项权限' }).getByLabel(kind, { exact: true })
  await field.click()
  // numbers of students begin with their year and the code of their college
  await field.fill(`${gradeOf(2)}${place === college ? '11' : '12'}0001`)
  await page.locator('.ant-select-item-option').filter({ hasText: place, visible: true }).first().click()
}

test('a role in use tells what uses it; without its members it goes', async ({ browser }) => {
  const page = await signedIn(browser, 'admin')
  const remove = async () => {
    await open(page, `/personnelAdmin/roleAdmin?srName=${encodeURIComponent(roleName)}`)
    await rowOf(page, roleName)
      .getByRole('button', { name: new RegExp(`${roleName}的更多操作`) })
      .click()
    await page.getByRole('menuitem', { name: '删除' }).click()
  }
  await remove()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('所选角色仍在使用，不能删除')
  await expect(dialog.getByRole('button', { name: '删除', exact: true })).toBeDisabled()
  await dialog.getByRole('link', { name: /的成员，1 人/ }).click()
  await page.waitForURL(/memberAdmin\?srId=/)
  await rowOf(page, '王老师')
    .getByRole('button', { name: /更多操作/ })
    .click()
  await page.getByRole('menuitem', { name: '移除' }).click()
  await shown(page.getByRole('dialog')).getByRole('button', { name: '移除', exact: true }).click()
  await expect(page.getByText('移除成功')).toBeVisible()
  await remove()
  await expect(dialog).toContainText(`确认删除“${roleName}”？`)
  await dialog.getByRole('button', { name: '删除', exact: true }).click()
  await expect(page.getByText('已删除 1 个角色')).toBeVisible()
  await done(page)
})

test('the inspector is not made administrator, and looks at roles without changing them', async ({ browser }) => {
  const admin = await signedIn(browser, 'admin')
  await open(admin, '/personnelAdmin/memberAdmin')
  await admin.getByRole('button', { name: '添加成员' }).click()
  const dialog = admin.getByRole('dialog')
  await choose(admin, dialog.locator('[id$="_srId"]'), '校级管理员')
  await dialog.locator('[id$="_suIds"]').click()
  await dialog.locator('[id$="_suIds"]').fill('auditor')
  await admin.locator('.ant-select-item-option').filter({ hasText: '郑卫国' }).click()
  await admin.keyboard.press('Escape')
  await dialog.getByRole('button', { name: '保存', exact: true }).click()
  await expect(admin.getByText('郑卫国 已是“督查”，不能同时担任“校级管理员”')).toBeVisible()
  const auditor = await signedIn(browser, 'auditor')
  await open(auditor, '/personnelAdmin/roleAdmin')
  await rowOf(auditor, '辅导员').getByRole('link', { name: '辅导员', exact: true }).click()
  await expect(auditor.getByRole('checkbox', { name: '学生管理：打开', exact: true })).toBeDisabled()
  await expect(auditor.getByRole('button', { name: '保存', exact: true }).filter({ visible: true })).toHaveCount(0)
  await done(auditor)
  await done(admin)
})

test('a class gets a league secretary, another replaces them only when that is said, and they can be dismissed', async ({
  browser,
}) => {
  const page = await signedIn(browser, 'admin')
  await open(page, `/personnelAdmin/classAdmin?scClassName=${encodeURIComponent(classOf('会计', 3))}`)
  const row = rowOf(page, classOf('会计', 3))
  const dialog = page.getByRole('dialog')
  const appoint = async (place: number): Promise<string> => {
    await row.getByRole('button', { name: '团支书' }).click()
    await dialog.locator('[id$="_suId"]').click()
    const option = page
      .locator('.ant-select-dropdown:not(.ant-select-dropdown-hidden) .ant-select-item-option')
      .nth(place)
    const name = ((await option.locator('.choice').textContent()) ?? '').replace(/\d+$/, '')
    await option.click()
    return name
  }
  const dismiss = async () => {
    await row.getByRole('button', { name: /更多操作/ }).click()
    await page.getByRole('menuitem', { name: '免去团支书' }).click()
    await dialog.getByRole('button', { name: '免去团支书' }).click()
    await expect(row).toContainText('未设置')
  }
  // every class of the demo has one
  await dismiss()
  const first = await appoint(0)
  await dialog.getByRole('button', { name: '设为团支书' }).click()
  await expect(dialog).toBeHidden()
  await expect(row.getByRole('link', { name: first, exact: true })).toBeVisible()

  const second = await appoint(1)
  await expect(dialog).toContainText(`现任团支书：${first}`)
  await dialog.getByRole('button', { name: '设为团支书' }).click()
  await expect(page.getByText(`该班级已有团支书 ${first}`)).toBeVisible()
  await dialog.getByRole('switch').click()
  await dialog.getByRole('button', { name: '设为团支书' }).click()
  await expect(dialog).toBeHidden()
  await expect(row.getByRole('link', { name: second, exact: true })).toBeVisible()

  await dismiss()
  await done(page)
})
