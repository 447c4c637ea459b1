import { expect, test } from '@playwright/test'
import { saveDialog } from './actions.ts'
import { ask, dialog, dragDown, names, refused, school, toast } from './configuration-actions.ts'
import { choose, done, open, shown, signedIn } from './support.ts'

test.describe.configure({ timeout: 300_000 })

test('curriculum: settings, order, refusals, and a tree from a template', async ({ browser }) => {
  const page = await signedIn(browser, 'admin', school)
  await open(page, '/basicConfig/CurriculumSystem')
  const tree = page.getByRole('tree', { name: '课程体系' })
  const order = () => names(page, '.node-name')
  await expect(tree.getByRole('treeitem')).toHaveCount(8)

  // settings of a node, with what the contract has to say about them
  await tree.getByText('技能特长').click()
  const detail = page.getByRole('region', { name: '课程体系：技能特长' })
  await detail.getByRole('button', { name: '编辑', exact: true }).click()
  const form = dialog(page)
  await form.getByRole('button', { name: '奖杯' }).click()
  await form.getByLabel('累计学时上限').fill('1')
  await form.getByRole('switch', { name: '另定星级标准' }).click()
  await form.getByText('学时数', { exact: true }).click()
  for (const [at, hours] of ['1', '2', '3', '2.5', '8'].entries())
    await form.getByLabel(`${'一二三四五'[at]}星标准`).fill(hours)
  await choose(page, form.getByLabel('开放时间'), '每年的几个月')
  await form.getByRole('checkbox', { name: '证书编号' }).check()
  await form.getByRole('button', { name: '保存', exact: true }).click()
  await expect(form.getByText('四星的标准须高于三星')).toBeVisible()
  await form.getByLabel('四星标准').fill('5')
  await form.getByRole('button', { name: '保存', exact: true }).click()
  await expect(form.getByText('累计学时上限不能小于毕业最低学时')).toBeVisible()
  await form.getByLabel('累计学时上限').fill('10')
  await saveDialog(page)
  await expect(detail).toContainText('一星 1 学时、二星 2 学时、三星 3 学时、四星 5 学时、五星 8 学时')
  await expect(detail).toContainText('每年 3、9 月')
  await expect(detail).toContainText('证书编号')

  // order by keyboard, and back again by the offer to undo
  await tree.getByText('实践实习').click()
  await expect(page.getByRole('region', { name: '课程体系：实践实习' })).toBeVisible()
  await page.keyboard.press('Alt+ArrowUp')
  await toast(page, '已移动“实践实习”')
  await expect
    .poll(order)
    .toEqual(['实践实习', '思想成长', '志愿公益', '创新创业', '文体活动', '工作履历', '技能特长', '劳动教育'])
  await page.locator('.notice').getByRole('button', { name: '撤销' }).click()
  await expect.poll(async () => (await order())[0]).toBe('思想成长')

  // order by the mouse
  const row = (name: string) => page.locator('.ant-tree-treenode').filter({ hasText: name })
  await row('劳动教育').dragTo(row('思想成长'), { targetPosition: { x: 120, y: 2 } })
  await expect.poll(async () => (await order())[0]).toBe('劳动教育')

  // into another module by the dialog; where it may not stand cannot be chosen
  await page.getByRole('searchbox', { name: '按名称或编码查找' }).fill('文艺')
  await page.keyboard.press('Enter')
  await tree.getByText('文艺演出').click()
  await page.getByRole('region', { name: '课程体系：文艺演出' }).getByRole('button', { name: '移动到…' }).click()
  await dialog(page).getByLabel('移到').fill('思想')
  await page.locator('.ant-select-tree').getByTitle('思想成长').click()
  await choose(page, dialog(page).getByLabel('排在'), '“主题教育”之后')
  await dialog(page).getByRole('button', { name: '移动', exact: true }).click()
  await toast(page, '已移动“文艺演出”')
  // a dialog gives the focus back when it has closed; what is typed before would go astray
  await expect(dialog(page)).toBeHidden()
  await expect(page.getByRole('region', { name: '课程体系：文艺演出' })).toContainText('思想成长 / 文艺演出')

  // what is used cannot go and says why; what is not, can
  await page.getByRole('searchbox', { name: '按名称或编码查找' }).fill('')
  await page.keyboard.press('Enter')
  await tree.getByText('工作履历').click()
  const used = page.getByRole('region', { name: '课程体系：工作履历' })
  await expect(used).toContainText('5 个下级体系')
  await used.getByRole('button', { name: '更多' }).click()
  await page.getByRole('menuitem', { name: '删除' }).click()
  await expect(dialog(page)).toContainText('该体系下存在 5 个下级体系。')
  await dialog(page).getByRole('button', { name: '改为停用' }).click()
  await expect(used.getByText('停用', { exact: true })).toBeVisible()
  await used.getByRole('button', { name: '新增下级' }).click()
  await dialog(page).getByLabel('体系名称').fill('临时岗位')
  await saveDialog(page)
  const fresh = page.getByRole('region', { name: '课程体系：临时岗位' })
  await fresh.getByRole('button', { name: '更多' }).click()
  await page.getByRole('menuitem', { name: '删除' }).click()
  await expect(dialog(page)).toContainText('确认删除“临时岗位”？')
  await dialog(page).getByRole('button', { name: '删除' }).click()
  await toast(page, '删除成功')

  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: '导出' }).click()
  expect((await download).suggestedFilename()).toMatch(/^课程体系_.*\.xlsx$/)

  // two editors at once: the second is told
  await tree.getByText('创新创业').click()
  const other = await signedIn(browser, 'admin', { ...school, ...refused })
  await open(other, '/basicConfig/CurriculumSystem')
  await other.getByRole('tree', { name: '课程体系' }).getByText('创新创业').click()
  for (const [who, name] of [
    [page, '创新与创业'],
    [other, '双创'],
  ] as const) {
    await who
      .getByRole('region', { name: '课程体系：创新创业' })
      .getByRole('button', { name: '编辑', exact: true })
      .click()
    await dialog(who).getByLabel('体系名称').fill(name)
  }
  await saveDialog(page)
  await dialog(other).getByRole('button', { name: '保存', exact: true }).click()
  await toast(other, '数据已被他人修改，请刷新后重试')
  await done(other)

  // a school that begins anew
  const ids = await page.evaluate(async () => {
    const { content } = JSON.parse(localStorage.getItem('accessToken') ?? '{}') as { content: string }
    type Node = { lsId: string; children: Node[] }
    const { data } = (await (
      await fetch('/api/schoolbase/lessonsClass/getAll', { headers: { authorization: `Bearer ${content}` } })
    ).json()) as { data: Node[] }
    const all = (nodes: Node[]): string[] => nodes.flatMap((node) => [...all(node.children), node.lsId])
    return all(data)
  })
  expect(await ask(page, '/lessonsClass/del', { lsId: ids })).toBe(200)
  await page.reload()
  await expect(page.getByText('暂无课程体系')).toBeVisible()
  await shown(page.locator('.empty').getByRole('button', { name: '从模板添加' })).click()
  await dialog(page).getByText('五育五模块').click()
  await expect(dialog(page)).toContainText('体质健身、体育竞赛、心理健康')
  await dialog(page).getByRole('checkbox', { name: /劳育/ }).uncheck()
  await dialog(page).getByRole('button', { name: '添加 4 个模块' }).click()
  await toast(page, '已添加 16 个体系')
  await expect.poll(order).toEqual(['德育', '智育', '体育', '美育'])
  await done(page)
})

test('labels: adopt, order by keyboard, levels, and the radar of the school', async ({ browser }) => {
  const page = await signedIn(browser, 'admin', school)
  await open(page, '/basicConfig/quality')
  const group = (name: string) => page.getByRole('region', { name: `分组：${name}` })
  await page.getByRole('button', { name: '从平台标签库采用' }).click()
  await dialog(page).getByRole('checkbox', { name: '综合' }).check()
  await dialog(page).getByRole('checkbox', { name: '执行力' }).uncheck()
  await dialog(page).getByRole('button', { name: '采用所选 4 个' }).click()
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect(group('综合').getByRole('listitem')).toHaveCount(4)

  await dragDown(page, '拖动沟通表达', 2)
  await expect.poll(() => names(group('综合'), '.label-name')).toEqual(['团队协作', '组织领导', '沟通表达', '解决问题'])
  await page.reload()
  await expect.poll(() => names(group('综合'), '.label-name')).toEqual(['团队协作', '组织领导', '沟通表达', '解决问题'])

  await group('综合').getByRole('button', { name: '综合的更多操作' }).click()
  await page.getByRole('menuitem', { name: '新增标签' }).click()
  await dialog(page).getByLabel('标签名称').fill('时间管理')
  await dialog(page).getByLabel('第 1 级说明').fill('能列出待办')
  await dialog(page).getByLabel('第 3 级说明').fill('能按计划完成')
  await saveDialog(page)
  await expect(group('综合').getByRole('listitem').filter({ hasText: '时间管理' })).toContainText('2 级说明')
  await group('德').getByRole('button', { name: '德的更多操作' }).click()
  await page.getByRole('menuitem', { name: '删除' }).click()
  await expect(dialog(page)).toContainText('分组“德”下仍有 3 个标签。')
  await dialog(page).getByRole('button', { name: '知道了' }).click()

  // the model: too few labels are refused, rows are ordered, the radar follows at once
  await open(page, '/QualityModel2')
  await page.getByRole('button', { name: '填入全校得分最多的 8 个标签' }).click()
  const radar = shown(page.getByRole('img', { name: /能力雷达/ }))
  await expect(radar).toHaveAttribute('aria-label', /^能力雷达：理想信念/)
  await dragDown(page, '拖动第 1 行')
  await expect(radar).toHaveAttribute('aria-label', /^能力雷达：道德诚信/)
  await page.getByLabel('第 1 行显示名称').fill('诚信')
  await page.getByLabel('第 1 行满分').fill('20')
  await expect(radar).toHaveAttribute('aria-label', /^能力雷达：诚信 满分 20/)
  for (let rows = 8; rows > 4; rows--) await page.getByRole('button', { name: `删除第 ${rows} 行` }).click()
  await page.getByRole('button', { name: '保存', exact: true }).click()
  await expect(page.getByText('至少选择 5 个标签')).toBeVisible()
  await page.getByRole('button', { name: '添加标签' }).click()
  await page.getByLabel('第 5 行标签').fill('时间')
  await shown(page.locator('.ant-select-item-option').filter({ hasText: '时间管理' })).click()
  await page.getByRole('button', { name: '保存', exact: true }).click()
  await toast(page, '保存成功')
  await expect(page.getByText('雷达图显示 5 个标签')).toBeVisible()

  // two editors at once
  const other = await signedIn(browser, 'admin', { ...school, ...refused })
  await open(other, '/QualityModel2')
  await other.getByLabel('第 1 行满分').fill('30')
  await page.getByLabel('第 1 行满分').fill('40')
  await page.getByRole('button', { name: '保存', exact: true }).click()
  await toast(page, '保存成功')
  await other.getByRole('button', { name: '保存', exact: true }).click()
  await toast(other, '数据已被他人修改，请刷新后重试')
  await done(other)

  // what the radar shows cannot be deleted
  await open(page, '/basicConfig/quality?sqlName=时间管理')
  const row = page.getByRole('listitem').filter({ hasText: '时间管理' })
  await expect(row).toContainText('素质模型')
  await row.getByRole('button', { name: '时间管理的更多操作' }).click()
  await page.getByRole('menuitem', { name: '删除' }).click()
  await expect(dialog(page)).toContainText('标签“时间管理”已选入素质模型。')
  await dialog(page).getByRole('button', { name: '改为停用' }).click()
  await expect(row.getByText('停用', { exact: true })).toBeVisible()
  await done(page)
})

test('the radar of a student, with advice and as a table', async ({ browser }) => {
  const page = await signedIn(browser, 'college')
  await open(page, '/transcript/transcriptList')
  const name = await shown(page.locator('.ant-table-row').first().getByRole('link')).innerText()
  await done(page)
  const admin = await signedIn(browser, 'admin')
  await open(admin, '/QualityModel2')
  const rows = admin.getByRole('button', { name: /^删除第 \d+ 行$/ })
  await expect(rows.first()).toBeVisible()
  const labels = await rows.count()
  await admin.getByLabel('预览学生').fill(name)
  await shown(admin.locator('.ant-select-item-option').filter({ hasText: name })).click()
  await expect(shown(admin.getByRole('img', { name: new RegExp(`^${name}的能力雷达`) }))).toBeVisible()
  await expect(admin.getByRole('region', { name: '发展建议' })).toBeVisible()
  await admin.getByRole('button', { name: '表格' }).click()
  await expect(admin.getByRole('columnheader', { name: '年级平均' })).toBeVisible()
  await expect(admin.getByRole('table', { name: '雷达图预览' }).getByRole('row')).toHaveCount(labels + 1)
  await admin.getByRole('button', { name: `删除第 ${labels} 行` }).click()
  await expect(rows).toHaveCount(labels - 1)
  await admin.getByRole('button', { name: '放弃修改' }).click()
  await expect(rows).toHaveCount(labels)
  await done(admin)
})
