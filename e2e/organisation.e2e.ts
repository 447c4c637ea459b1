import { expect, test, type Page } from '@playwright/test'
import { saveDialog } from './actions.ts'
import { dragDown } from './configuration-actions.ts'
import { choose, done, open, shown, signedIn } from './support.ts'

const mark = String(Date.now() % 100_000)
const [college, major, schoolClass] = [`艺术学院${mark}`, `动画${mark}`, `动画2601班${mark}`]
const rowOf = (page: Page, text: string) => page.locator('tbody tr').filter({ hasText: text, visible: true }).first()

/** Presses the delete act of a row and confirms it. */
async function remove(page: Page, name: string): Promise<void> {
  const row = rowOf(page, name)
  await expect(row).toBeVisible()
  const more = row.getByRole('button', { name: /更多操作/ })
  if (await more.isVisible()) {
    await more.click()
    await page.getByRole('menuitem', { name: '删除' }).click()
  } else await row.getByRole('button', { name: '删除', exact: true }).click()
  await shown(page.getByRole('dialog')).getByRole('button', { name: '删除', exact: true }).click()
}

test('a college, its major and a class are added one below the other, and go only from the bottom up', async ({
  browser,
}) => {
  const page = await signedIn(browser, 'admin')
  const dialog = page.getByRole('dialog')
  await open(page, '/personnelAdmin/academyAdmin')
  await page.getByRole('button', { name: '新增学院' }).click()
  await dialog.getByLabel('学院名称').fill(college)
  await dialog.getByLabel('学院编码').fill(`Y${mark}`)
  await saveDialog(page)

  await open(page, '/personnelAdmin/professionalAdmin')
  await page.getByRole('button', { name: '新增专业' }).click()
  await dialog.getByLabel('专业名称').fill(major)
  await dialog.getByLabel('专业代码').fill(`D${mark}`)
  await choose(page, dialog.getByLabel('所属学院'), college)
  await saveDialog(page)

  await open(page, '/personnelAdmin/classAdmin')
  await page.getByRole('button', { name: '新增班级' }).click()
  await dialog.getByLabel('班级名称').fill(schoolClass)
  await choose(page, dialog.getByLabel('所属学院'), college)
  await choose(page, dialog.getByLabel('所属专业'), major)
  await dialog.getByLabel('年级').fill('2026')
  await saveDialog(page)

  await open(page, `/personnelAdmin/academyAdmin?scName=${encodeURIComponent(college)}`)
  await rowOf(page, college)
    .getByRole('link', { name: `${college}的专业，1` })
    .click()
  await expect(rowOf(page, major)).toContainText(college)
  await rowOf(page, major)
    .getByRole('link', { name: `${major}的班级，1` })
    .click()
  await expect(rowOf(page, schoolClass)).toContainText('2026级')

  await open(page, `/personnelAdmin/academyAdmin?scName=${encodeURIComponent(college)}`)
  await remove(page, college)
  await expect(page.getByText(`学院“${college}”下仍有 1 个专业，不能删除`)).toBeVisible()
  await open(page, `/personnelAdmin/professionalAdmin?smName=${encodeURIComponent(major)}`)
  await remove(page, major)
  await expect(page.getByText(`专业“${major}”下仍有 1 个班级，不能删除`)).toBeVisible()
  for (const [path, name] of [
    [`classAdmin?scClassName=${schoolClass}`, schoolClass],
    [`professionalAdmin?smName=${major}`, major],
    [`academyAdmin?scName=${college}`, college],
  ] as const) {
    await open(page, `/personnelAdmin/${encodeURI(path)}`)
    await remove(page, name)
    await expect(page.getByText('没有符合条件的数据').filter({ visible: true })).toBeVisible()
  }
  await done(page)
})

test('a department has members in an order that the keys change, moves below another, and is kept while it has members', async ({
  browser,
}) => {
  const page = await signedIn(browser, 'admin')
  const dialog = page.getByRole('dialog')
  const name = `艺术教育中心${mark}`
  await open(page, '/personnelAdmin/departmentForm')
  await page.getByRole('button', { name: '新增部门' }).click()
  await dialog.getByLabel('部门名称').fill(name)
  await dialog.getByLabel('部门编码').fill(`A${mark}`)
  await saveDialog(page)
  await expect(page.getByRole('heading', { level: 2, name })).toBeVisible()

  for (const number of ['teacher', 'counselor', 'college']) {
    await shown(page.getByRole('button', { name: '添加成员' })).click()
    await dialog.locator('[id$="_suIds"]').click()
    await dialog.locator('[id$="_suIds"]').fill(number)
    await page
      .locator('.ant-select-dropdown:not(.ant-select-dropdown-hidden) .ant-select-item-option')
      .filter({ hasText: number })
      .first()
      .click()
    await page.keyboard.press('Escape')
    await saveDialog(page)
  }
  const order = async () =>
    (await page.locator('tbody tr[data-row-key]').filter({ visible: true }).allTextContents()).map((row) =>
      row.slice(0, 3),
    )
  await expect.poll(order).toEqual(['王老师', '刘思敏', '陈志刚'])

  await page.getByRole('button', { name: '成员排序' }).click()
  // a dialog that still unfolds has no places to move by
  await dialog.getByRole('button', { name: '拖动王老师' }).click({ trial: true })
  await dragDown(page, '拖动王老师')
  await expect
    .poll(async () => (await dialog.getByRole('listitem').allTextContents()).map((row) => row.slice(0, 3)))
    .toEqual(['刘思敏', '王老师', '陈志刚'])
  await dialog.getByRole('button', { name: '上移陈志刚' }).click()
  await dialog.getByRole('button', { name: '保存', exact: true }).click()
  await expect(dialog).toBeHidden()
  await expect.poll(order).toEqual(['刘思敏', '陈志刚', '王老师'])

  const acts = page.locator('.department-acts')
  const more = async (label: string) => {
    await acts.getByRole('button', { name: /更多操作/ }).click()
    await page.getByRole('menuitem', { name: label }).click()
  }
  await more('移动')
  await choose(page, dialog.getByLabel('上级部门'), '校团委')
  await choose(page, dialog.getByLabel('位置'), '排在最前')
  await dialog.getByRole('button', { name: '移动', exact: true }).click()
  await expect(dialog).toBeHidden()
  await expect(page.locator('.department-facts')).toContainText('校团委')

  await page.getByLabel('按部门名称、编码或成员姓名查找').fill('刘思敏')
  await page.getByRole('region', { name: '符合条件的成员' }).getByRole('button', { name: '刘思敏' }).click()
  await expect(dialog).toContainText('刘思敏所在的部门')
  await expect(dialog).toContainText(name)
  await dialog.getByRole('button', { name: '取消', exact: true }).click()
  await page.getByLabel('按部门名称、编码或成员姓名查找').fill('')

  await more('删除')
  await dialog.getByRole('button', { name: '删除', exact: true }).click()
  await expect(page.getByText(`部门“${name}”下仍有 3 名成员，不能删除`)).toBeVisible()
  await page.getByRole('checkbox', { name: '全选本页' }).filter({ visible: true }).check()
  await page.locator('.batch-bar').getByRole('button', { name: '移除', exact: true }).click()
  await dialog.getByRole('button', { name: '移除', exact: true }).click()
  await expect(page.getByText('该部门暂无成员')).toBeVisible()
  await acts.getByRole('button', { name: '删除', exact: true }).click()
  await dialog.getByRole('button', { name: '删除', exact: true }).click()
  await expect(page.getByRole('heading', { level: 2, name: '校团委' })).toBeVisible()
  await done(page)
})
